//! The catalogue: regulations, obligations, controls and evidence, in our own words.

use std::sync::LazyLock;

use jiff::civil::{Date, date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::Rule;

/// The whole catalogue. It is part of the program, so that reading it cannot fail; a test reads it.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue {
    regulations: read(include_str!("../data/regulations.json")),
    obligations: read(include_str!("../data/obligations.json")),
    controls: read(include_str!("../data/controls.json")),
    evidence: read(include_str!("../data/evidence.json")),
});

/// Reads a file of this crate.
pub(crate) fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).expect("a file of this crate is valid, as its tests show")
}

/// Regulations and what they require.
#[derive(Debug)]
pub struct Catalogue {
    /// Every regulation.
    pub regulations: Vec<Regulation>,
    /// Every obligation, in the order of answers.
    pub obligations: Vec<Obligation>,
    /// Every control.
    pub controls: Vec<Control>,
    /// Every kind of evidence.
    pub evidence: Vec<Evidence>,
}

impl Catalogue {
    /// The day since which the versions in the catalogue are complete. For earlier days, the former versions of some provisions
    /// are missing.
    pub const COVERED_SINCE: Date = date(2023, 9, 1);

    /// The obligation with this id.
    pub fn obligation(&self, id: &str) -> Option<&Obligation> {
        self.obligations.iter().find(|it| it.id == id)
    }

    /// Whether the obligation with this id is in force on a day.
    pub(crate) fn is_in_force(&self, id: &str, day: Date) -> bool {
        self.obligation(id).is_some_and(|it| it.version(day).is_some())
    }

    /// The regulation with this id.
    pub fn regulation(&self, id: &str) -> Option<&Regulation> {
        self.regulations.iter().find(|it| it.id == id)
    }

    /// The controls of an obligation.
    pub fn controls_of<'a>(
        &'a self,
        obligation: &'a Obligation,
    ) -> impl Iterator<Item = &'a Control> {
        obligation.controls.iter().filter_map(|id| self.controls.iter().find(|it| it.id == *id))
    }

    /// The evidence of a control.
    pub fn evidence_of<'a>(&'a self, control: &'a Control) -> impl Iterator<Item = &'a Evidence> {
        control.evidence.iter().filter_map(|id| self.evidence.iter().find(|it| it.id == *id))
    }
}

/// An act, an ordinance, rules of an exchange or an international standard.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Regulation {
    /// Short name, such as `CO`.
    pub id: String,
    /// Title.
    pub title: String,
    /// Number in the Classified Compilation of Federal Legislation, such as `SR 220`. `None` if it has none.
    pub number: Option<String>,
    /// Who issued it.
    pub jurisdiction: Jurisdiction,
    /// Kind of regulation.
    pub kind: RegulationKind,
    /// URL of its text. `None` if we know none.
    pub source_url: Option<String>,
    /// First day in force. `None` if it is not known.
    pub in_force_since: Option<Date>,
    /// Whether that day was confirmed.
    pub verified: bool,
}

impl Regulation {
    /// Title with the number.
    pub fn full_title(&self) -> String {
        match &self.number {
            Some(number) => format!("{} ({number})", self.title),
            None => self.title.clone(),
        }
    }

    /// Whether it is in force on a day.
    pub fn status(&self, day: Date) -> LegalStatus {
        match self.in_force_since {
            Some(since) if day < since => LegalStatus::NotYetInForce,
            _ => LegalStatus::InForce,
        }
    }
}

/// `ch`: Switzerland. `intl`: an international body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = RegulationJurisdiction)]
#[serde(rename_all = "lowercase")]
pub enum Jurisdiction {
    /// Switzerland.
    Ch,
    /// An international body.
    Intl,
}

impl Jurisdiction {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ch => "ch",
            Self::Intl => "intl",
        }
    }
}

/// Kind of regulation: `law`, `ordinance`, `listing_rules` (rules of an exchange) or `standard` (addressed to states, without
/// direct force).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RegulationKind {
    /// Act of parliament.
    Law,
    /// Ordinance of the Federal Council or an authority.
    Ordinance,
    /// Rules of an exchange.
    ListingRules,
    /// International standard.
    Standard,
}

/// State on a day: `active`, `repealed` or `not_yet_in_force`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LegalStatus {
    /// In force.
    #[serde(rename = "active")]
    InForce,
    /// No longer in force.
    Repealed,
    /// Not in force yet.
    NotYetInForce,
}

/// One obligation, or a definition, right or power that belongs to obligations.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Obligation {
    /// Id, such as `co-727`.
    pub id: String,
    /// Id of the regulation.
    pub regulation: String,
    /// Article, such as `Art. 727`.
    pub article: String,
    /// What kind of provision it is.
    pub deontic_operator: DeonticOperator,
    /// What it says, in one sentence of ours.
    pub excerpt: String,
    /// Its versions, oldest first, without overlap.
    pub versions: Vec<Version>,
    /// To whom it applies, and when.
    pub applications: Vec<Application>,
    /// Ids of the controls by which it can be met.
    #[serde(default)]
    pub controls: Vec<String>,
}

impl Obligation {
    /// The version in force on a day.
    pub fn version(&self, day: Date) -> Option<&Version> {
        self.versions.iter().find(|it| it.is_in_force(day))
    }

    /// The version in force on a day, or else the nearest one: the last before it, or the first after it.
    pub fn nearest_version(&self, day: Date) -> Option<&Version> {
        let begun = |it: &&Version| it.since.is_none_or(|since| since <= day);
        let last_begun = || self.versions.iter().rfind(begun);
        self.version(day).or_else(last_begun).or_else(|| self.versions.first())
    }

    /// Whether it is in force on a day.
    pub fn status(&self, day: Date) -> LegalStatus {
        if self.version(day).is_some() {
            return LegalStatus::InForce;
        }
        match self.versions.first().and_then(|it| it.since) {
            Some(since) if day < since => LegalStatus::NotYetInForce,
            _ => LegalStatus::Repealed,
        }
    }

    /// First day in force. `None` if it is not known.
    pub fn in_force_since(&self) -> Option<Date> {
        self.versions.first()?.since
    }

    /// Last day in force. `None` if it is not repealed.
    pub fn in_force_until(&self) -> Option<Date> {
        self.versions.last()?.until
    }
}

/// An obligation between two changes of the law.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ObligationVersion)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Version {
    /// First day of this version. Absent if it is not known.
    pub since: Option<Date>,
    /// Last day of this version. Absent if no end is known.
    pub until: Option<Date>,
    /// What is required, in our words. This is not the text of the law.
    pub text: String,
    /// What could not be confirmed in the text of the regulation. Empty if all was confirmed.
    #[serde(default)]
    pub unconfirmed: Vec<Part>,
}

impl Version {
    /// Whether article, content and dates were confirmed.
    pub fn is_verified(&self) -> bool {
        self.unconfirmed.is_empty()
    }

    fn is_in_force(&self, day: Date) -> bool {
        self.since.is_none_or(|it| it <= day) && self.until.is_none_or(|it| day <= it)
    }
}

/// Part of an entry that could not be confirmed: `article` (its number), `text`, `in_force_since` or `repealed_on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = UnconfirmedPart)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Number of the article.
    Article,
    /// What it says.
    Text,
    /// First day in force.
    InForceSince,
    /// Last day in force.
    RepealedOn,
}

/// Kind of provision: `obligation` (must), `prohibition` (must not), `right` (may), `power` (an authority may), `definition`,
/// or `standard` (a recommendation to states).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeonticOperator {
    /// Must.
    Obligation,
    /// Must not.
    Prohibition,
    /// May.
    Right,
    /// An authority may.
    Power,
    /// Says what a term means.
    Definition,
    /// Recommendation to states.
    Standard,
}

/// To whom an obligation applies, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// Who has to act.
    pub addressee: Addressee,
    /// When.
    pub rule: Rule,
}

/// Who has to act: `company` (the requested company), `financial_intermediary` (one that has the company as a customer), `holder`
/// (who holds shares of the company), `auditor` (of the company), `authority` (a court, the register or the government), or
/// `state` (an international standard is addressed to states).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = ObligationAddressee)]
#[serde(rename_all = "snake_case")]
pub enum Addressee {
    /// The company.
    Company,
    /// A financial intermediary that has the company as a customer.
    FinancialIntermediary,
    /// Who holds shares of the company.
    Holder,
    /// The auditor of the company.
    Auditor,
    /// A court, the register or the government.
    Authority,
    /// A state.
    State,
}

/// A way to meet obligations.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Control {
    /// Id.
    pub id: String,
    /// What it achieves.
    pub objective: String,
    /// How it works.
    pub control_type: ControlType,
    /// How often it is done.
    pub frequency: ControlFrequency,
    /// Ids of the evidence that shows it.
    #[serde(default)]
    pub evidence: Vec<String>,
}

/// How a control works: `preventive` (prevents a breach of the obligation), `detective` (finds a breach) or
/// `corrective` (corrects a breach).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ControlType {
    /// Prevents a breach of the obligation.
    Preventive,
    /// Detects a breach.
    Detective,
    /// Corrects a breach.
    Corrective,
}

/// How often a control is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlFrequency {
    Continuously,
    Monthly,
    Annually,
    /// Whenever something happens that it is about.
    PerEvent,
}

/// A document or record that shows that a control works.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ComplianceEvidence)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Subject area, such as `accounts`.
    #[schema(example = "accounts")]
    pub category: String,
    /// Usual format. Absent if there is none.
    pub format_hint: Option<String>,
    /// How long it is kept. Absent if no period is known.
    pub retention_period: Option<String>,
}

#[cfg(test)]
mod tests;
