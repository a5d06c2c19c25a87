//! Auditors: the categories of audit firms, and how long a firm has audited a company.

use std::{fmt, str::FromStr};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use uuid::Uuid;

use crate::{
    Provenance, Uid,
    choice::{Choice, UnknownValue},
    text,
};

/// Category of a company's auditor: `KPMG`, `EY`, `PwC` or `Deloitte`; `Big4Competitor` for another large network;
/// `Other`; `None` if it has no auditor because it waived the limited audit, which Swiss law allows for companies with up to ten
/// full-time positions, or because it is an exempt foundation.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
pub enum AuditorCategory {
    /// KPMG.
    #[serde(rename = "KPMG")]
    Kpmg,
    /// Ernst & Young.
    #[serde(rename = "EY")]
    Ey,
    /// PricewaterhouseCoopers.
    #[serde(rename = "PwC")]
    Pwc,
    /// Deloitte.
    Deloitte,
    /// Another large network.
    Big4Competitor,
    /// Any other auditor.
    Other,
    /// No auditor: the company waived the limited audit, or the foundation is exempt.
    None,
}

impl AuditorCategory {
    /// Every category.
    pub const ALL: [Self; 7] = [
        Self::Kpmg,
        Self::Ey,
        Self::Pwc,
        Self::Deloitte,
        Self::Big4Competitor,
        Self::Other,
        Self::None,
    ];

    /// The four largest firms.
    pub const BIG_FOUR: [Self; 4] = [Self::Kpmg, Self::Ey, Self::Pwc, Self::Deloitte];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kpmg => "KPMG",
            Self::Ey => "EY",
            Self::Pwc => "PwC",
            Self::Deloitte => "Deloitte",
            Self::Big4Competitor => "Big4Competitor",
            Self::Other => "Other",
            Self::None => "None",
        }
    }

    /// The category of the firm with this name, decided by the first words of the name.
    pub fn of_firm(name: &str) -> Self {
        let name = format!("{} ", text::fold(name));
        let starts_with =
            |words: &[&str]| words.iter().any(|it| name.starts_with(&format!("{it} ")));
        if starts_with(&["kpmg"]) {
            Self::Kpmg
        } else if starts_with(&["ey", "ernst young"]) {
            Self::Ey
        } else if starts_with(&["pwc", "pricewaterhousecoopers"]) {
            Self::Pwc
        } else if starts_with(&["deloitte"]) {
            Self::Deloitte
        } else if starts_with(&[
            "bdo",
            "mazars",
            "forvis mazars",
            "grant thornton",
            "rsm",
            "ferax",
            "obt",
        ]) {
            Self::Big4Competitor
        } else {
            Self::Other
        }
    }
}

impl fmt::Display for AuditorCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The period in which a firm audits or audited a company, as the publications state it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenure {
    /// Current name of the audit firm.
    pub auditor_name: String,
    /// Company number of the audit firm. Absent if no publication states it.
    pub auditor_uid: Option<Uid>,
    /// Company number, or else the normalised name, that identified the firm at its appointment.
    /// Absent if it has not changed since.
    pub appointed_as: Option<String>,
    /// Publication date of the appointment. Absent if no known publication states it.
    pub appointed_at: Option<Date>,
    /// Publication date of the end of the tenure. Absent while the firm is the auditor.
    pub resigned_at: Option<Date>,
    /// Latest publication that supports this entry.
    pub source: Provenance,
}

/// UUIDv5 namespace of tenure ids.
const TENURES: Uuid = Uuid::from_u128(0x4b7a_39e2_0f6d_5c1e_8d02_93a1_c5e4_7710);

impl Tenure {
    /// Stable identifier: a UUIDv5 of the company, the firm at its appointment, and the appointment date.
    /// It does not change when the firm is renamed.
    pub fn id(&self, company: Uid) -> Uuid {
        let firm = self.appointed_as.clone().unwrap_or_else(|| self.firm_key());
        let appointed = self.appointed_at.map(|it| it.to_string()).unwrap_or_default();
        Uuid::new_v5(&TENURES, format!("{company}|{firm}|{appointed}").as_bytes())
    }

    /// What identifies the firm, as [`firm_key`].
    pub fn firm_key(&self) -> String {
        firm_key(self.auditor_uid, &self.auditor_name)
    }

    /// Sets a new name, and the company number if none was known.
    pub fn rename(&mut self, name: String, uid: Option<Uid>) {
        let before = self.firm_key();
        self.auditor_name = name;
        self.auditor_uid = self.auditor_uid.or(uid);
        if self.appointed_as.is_none() && self.firm_key() != before {
            self.appointed_as = Some(before);
        }
    }

    /// Whether the tenure has not ended.
    pub fn is_current(&self) -> bool {
        self.resigned_at.is_none()
    }

    /// Length in years with one decimal, until the end of the tenure or else until `today`. `None` if the
    /// appointment date is unknown.
    pub fn years(&self, today: Date) -> Option<f64> {
        let days = (self.resigned_at.unwrap_or(today) - self.appointed_at?).get_days();
        Some((f64::from(days.max(0)) / 365.25 * 10.0).round() / 10.0)
    }
}

/// What identifies an audit firm: its company number, or else its normalised name.
pub fn firm_key(uid: Option<Uid>, name: &str) -> String {
    uid.map_or_else(|| text::fold(name), |it| it.to_string())
}

/// Auditor categories to filter by: one category by its name, or `big4` for the four largest firms.
/// Case does not matter.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedAuditorCategory(pub Vec<AuditorCategory>);

impl PartialSchema for WantedAuditorCategory {
    fn schema() -> RefOr<Schema> {
        text::one_of(AuditorCategory::ALL.map(AuditorCategory::name).into_iter().chain(["big4"]))
    }
}

impl ToSchema for WantedAuditorCategory {}

const AUDITOR_CATEGORY: Choice = Choice::of("an auditor category such as `KPMG`, or `big4`");

impl FromStr for WantedAuditorCategory {
    type Err = UnknownValue;

    fn from_str(given: &str) -> Result<Self, UnknownValue> {
        let single = AuditorCategory::ALL.into_iter().map(|it| (it.name(), Some(it)));
        let wanted = AUDITOR_CATEGORY.read(given, single.chain([("big4", None)]))?;
        Ok(Self(wanted.map_or_else(|| AuditorCategory::BIG_FOUR.to_vec(), |it| vec![it])))
    }
}

impl TryFrom<String> for WantedAuditorCategory {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn category_is_decided_by_the_first_words_of_the_name() {
        assert_eq!(AuditorCategory::of_firm("KPMG AG"), AuditorCategory::Kpmg);
        assert_eq!(AuditorCategory::of_firm("Ernst & Young SA"), AuditorCategory::Ey);
        assert_eq!(AuditorCategory::of_firm("Eyer Treuhand AG"), AuditorCategory::Other);
        assert_eq!(AuditorCategory::of_firm("BDO AG"), AuditorCategory::Big4Competitor);
    }

    #[test]
    fn tenure_id_does_not_change_when_the_firm_is_renamed_or_gets_a_number() {
        let company: Uid = "CHE-107.787.577".parse().expect("well-formed");
        let mut tenure = Tenure {
            auditor_name: "Prüf AG".into(),
            auditor_uid: None,
            appointed_as: None,
            appointed_at: "2020-01-01".parse().ok(),
            resigned_at: None,
            source: Provenance { source: "shab".into(), reference: None, date: None },
        };
        let id = tenure.id(company);
        tenure.rename("PRÜF AG".into(), None);
        assert_eq!((tenure.id(company), &tenure.appointed_as), (id, &None));
        tenure.rename("Neu Prüf AG".into(), None);
        tenure.rename("Neu Prüf Holding AG".into(), "CHE-106.084.881".parse().ok());
        assert_eq!(tenure.id(company), id);
    }

    #[test]
    fn big4_selects_the_four_largest_firms() {
        let wanted: WantedAuditorCategory = "BIG4".parse().expect("known");
        assert_eq!(wanted.0, AuditorCategory::BIG_FOUR);
        let error = "kpgm".parse::<WantedAuditorCategory>().expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "must be an auditor category such as `KPMG`, or `big4`; got `kpgm`. Did you mean `KPMG`?"
        );
    }
}
