//! Auditors, and the market tiers they are counted in.

use std::{fmt, str::FromStr};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use uuid::Uuid;

use crate::{Company, History, Provenance, Uid, text};

/// The tier of an audit firm. The four largest firms go by their own names.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
pub enum AuditorCategory {
    #[serde(rename = "KPMG")]
    Kpmg,
    #[serde(rename = "EY")]
    Ey,
    #[serde(rename = "PwC")]
    Pwc,
    Deloitte,
    /// The networks that compete with the four.
    Big4Competitor,
    /// Any other auditor.
    Other,
    /// Known to have none: the company opted out of the limited audit.
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

    /// The four largest.
    pub const BIG_FOUR: [Self; 4] = [Self::Kpmg, Self::Ey, Self::Pwc, Self::Deloitte];

    /// The name on the wire.
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

    /// The category of the firm with this name, by the words it begins with.
    pub fn of_firm(name: &str) -> Self {
        let name = format!("{} ", text::fold(name));
        let begins = |words: &[&str]| words.iter().any(|it| name.starts_with(&format!("{it} ")));
        if begins(&["kpmg"]) {
            Self::Kpmg
        } else if begins(&["ey", "ernst young"]) {
            Self::Ey
        } else if begins(&["pwc", "pricewaterhousecoopers"]) {
            Self::Pwc
        } else if begins(&["deloitte"]) {
            Self::Deloitte
        } else if begins(&[
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

/// How long a firm has audited a company, as the publications say.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenure {
    pub auditor_name: String,
    /// Of an auditor that the notices number.
    pub auditor_uid: Option<Uid>,
    /// By what the firm was known at its appointment, where its name or number was another then.
    pub appointed_as: Option<String>,
    /// The day of the publication that entered it; absent where no known publication did.
    pub appointed_at: Option<Date>,
    /// The day of the publication that deleted it; absent while it lasts.
    pub resigned_at: Option<Date>,
    /// The publication that proves the line as it stands.
    pub source: Provenance,
}

/// The namespace of the ids of tenures.
const TENURES: Uuid = Uuid::from_u128(0x4b7a_39e2_0f6d_5c1e_8d02_93a1_c5e4_7710);

impl Tenure {
    /// A UUIDv5 of company, firm and appointment: the same tenure has the same id for ever, whatever the
    /// firm is called later.
    pub fn id(&self, company: Uid) -> Uuid {
        let firm = self.appointed_as.clone().unwrap_or_else(|| self.known_as());
        let appointed = self.appointed_at.map(|it| it.to_string()).unwrap_or_default();
        Uuid::new_v5(&TENURES, format!("{company}|{firm}|{appointed}").as_bytes())
    }

    /// By what the firm is told from others: its number, or else its name.
    fn known_as(&self) -> String {
        self.auditor_uid.map_or_else(|| text::fold(&self.auditor_name), |it| it.to_string())
    }

    /// The firm has this name from now on, and this number if none is known yet.
    pub fn rename(&mut self, name: String, uid: Option<Uid>) {
        let before = self.known_as();
        self.auditor_name = name;
        self.auditor_uid = self.auditor_uid.or(uid);
        if self.appointed_as.is_none() && self.known_as() != before {
            self.appointed_as = Some(before);
        }
    }

    /// Whether it lasts.
    pub fn is_current(&self) -> bool {
        self.resigned_at.is_none()
    }

    /// Its length until its end or `today`, in years with one decimal; `None` where its beginning is
    /// not known.
    pub fn years(&self, today: Date) -> Option<f64> {
        let days = (self.resigned_at.unwrap_or(today) - self.appointed_at?).get_days();
        Some((f64::from(days.max(0)) / 365.25 * 10.0).round() / 10.0)
    }
}

/// Who audits a company and who did, the latest first: what the notices tell; where they name nobody of
/// today, the auditor that the record names by this proof, of whom the beginning is not known. A deletion
/// ends that one too, and leaves the record as it was: whom the notices have until then, it names again.
pub fn tenures(company: &Company, history: &History, proof: Option<Provenance>) -> Vec<Tenure> {
    let mut tenures: Vec<Tenure> = history.tenures.iter().rev().cloned().collect();
    let is_of_record = |it: &Tenure| match (it.auditor_uid, company.auditor_uid) {
        (Some(one), Some(other)) => one == other,
        _ => company.auditor_name.as_deref().map(text::fold) == Some(text::fold(&it.auditor_name)),
    };
    // The notice of a deletion is published some days after it.
    let lasted = |it: &Tenure| company.deletion_date.is_some_and(|end| it.resigned_at >= Some(end));
    if let Some(auditor_name) = company.auditor_name.clone()
        && history.current_tenure().is_none()
        && !history.tenures.iter().any(|it| lasted(it) && is_of_record(it))
    {
        let source = || Provenance {
            source: company.auditor_source.clone().unwrap_or_default(),
            reference: None,
            date: None,
        };
        let of_record = Tenure {
            auditor_name,
            auditor_uid: company.auditor_uid,
            appointed_as: None,
            appointed_at: None,
            resigned_at: company.deletion_date,
            source: proof.unwrap_or_else(source),
        };
        tenures.insert(0, of_record);
    }
    tenures
}

/// The categories that a caller asks for: one by its name, or `big4` for the four largest.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedAuditorCategory(pub Vec<AuditorCategory>);

impl PartialSchema for WantedAuditorCategory {
    fn schema() -> RefOr<Schema> {
        text::one_of(AuditorCategory::ALL.map(AuditorCategory::name).into_iter().chain(["big4"]))
    }
}

impl ToSchema for WantedAuditorCategory {}

/// Text that names no auditor category.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` is not an auditor category; the nearest is `{nearest}`")]
pub struct UnknownAuditorCategory {
    given: String,
    nearest: &'static str,
}

impl FromStr for WantedAuditorCategory {
    type Err = UnknownAuditorCategory;

    fn from_str(given: &str) -> Result<Self, UnknownAuditorCategory> {
        let wanted = text::fold(given);
        if wanted == "big4" || wanted == "big 4" {
            return Ok(Self(AuditorCategory::BIG_FOUR.to_vec()));
        }
        let known = || AuditorCategory::ALL.into_iter().map(|it| (it.name(), it));
        match known().find(|(name, _)| text::fold(name) == wanted) {
            Some((_, category)) => Ok(Self(vec![category])),
            None => Err(UnknownAuditorCategory {
                given: given.to_owned(),
                nearest: text::nearest(given, known()).map_or("big4", AuditorCategory::name),
            }),
        }
    }
}

impl TryFrom<String> for WantedAuditorCategory {
    type Error = UnknownAuditorCategory;

    fn try_from(text: String) -> Result<Self, UnknownAuditorCategory> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_firm_is_counted_by_the_words_its_name_begins_with() {
        assert_eq!(AuditorCategory::of_firm("KPMG AG"), AuditorCategory::Kpmg);
        assert_eq!(AuditorCategory::of_firm("Ernst & Young SA"), AuditorCategory::Ey);
        assert_eq!(AuditorCategory::of_firm("Eyer Treuhand AG"), AuditorCategory::Other);
        assert_eq!(AuditorCategory::of_firm("BDO AG"), AuditorCategory::Big4Competitor);
    }

    #[test]
    fn a_tenure_keeps_its_id_when_the_firm_takes_another_name_or_number() {
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
    fn of_a_deleted_company_the_auditor_until_its_end_is_listed_once() {
        let uid = |text: &str| text.parse::<Uid>().ok();
        let tenure = |name: &str, number: &str, until: &str| Tenure {
            auditor_name: name.into(),
            auditor_uid: uid(number),
            appointed_as: None,
            appointed_at: "2020-01-01".parse().ok(),
            resigned_at: until.parse().ok(),
            source: Provenance { source: "shab".into(), reference: None, date: None },
        };
        let mut company = Company::new(uid("CHE-107.787.577").expect("well-formed"), "Muster AG");
        company.auditor_name = Some("Prüf AG".into());
        company.auditor_uid = uid("CHE-106.084.881");
        company.deletion_date = "2026-03-02".parse().ok();
        let listed = |of_notices: Tenure| {
            let history = History { tenures: vec![of_notices], ..History::default() };
            tenures(&company, &history, None).len()
        };
        assert_eq!(listed(tenure("PRÜF AG", "", "2026-03-02")), 1, "by its name");
        assert_eq!(
            listed(tenure("Alte Prüf AG", "CHE-106.084.881", "2026-03-05")),
            1,
            "by its number"
        );
        assert_eq!(listed(tenure("Prüf AG", "CHE-600.000.012", "2026-03-02")), 2, "another one");
        assert_eq!(listed(tenure("Prüf AG", "", "2024-01-01")), 2, "it came back");
    }

    #[test]
    fn big4_asks_for_four_categories() {
        let wanted: WantedAuditorCategory = "BIG4".parse().expect("known");
        assert_eq!(wanted.0, AuditorCategory::BIG_FOUR);
        let refusal = "kpgm".parse::<WantedAuditorCategory>().expect_err("unknown");
        assert_eq!(refusal.to_string(), "`kpgm` is not an auditor category; the nearest is `KPMG`");
    }
}
