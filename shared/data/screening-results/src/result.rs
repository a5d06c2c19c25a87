//! What a result states.

use domain::{
    Lei, Uid,
    lists::{EntryKind, List},
};
use jiff::{Timestamp, civil::Date};
use matching::{ALGORITHM, RiskLevel};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// From this risk level on, `sanctionsHit` of a company is true: equal rare names, or a number that agrees.
pub const LISTED_FROM: RiskLevel = RiskLevel::High;

/// Whose name was found on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HitSubject {
    /// The company.
    Company,
    /// An officer, with the id of the person or firm.
    Officer(Uuid),
    /// A parent, with its legal entity identifier.
    Parent(Lei),
}

/// An entry of a list that may be a company, one of its officers or parents.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanyHit {
    /// Whose name was found.
    pub subject: HitSubject,
    /// The name of the subject.
    pub name: String,
    /// Id of the entry within the list.
    pub entry_id: String,
    /// The name on the list.
    pub listed_name: String,
    /// Kind of the entry.
    pub kind: EntryKind,
    /// Strength of the evidence, 0–1.
    pub score: f64,
    /// Risk level of the score.
    pub risk_level: RiskLevel,
    /// What the list says of the entry, such as `sanction`. Only of OpenSanctions, which collects several lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
    /// Address of the entry.
    pub source_url: Option<String>,
    /// Day of the listing.
    pub listed: Option<Date>,
    /// Day of the last change.
    pub changed: Option<Date>,
}

impl CompanyHit {
    /// Whether the entry, which is of this list, states sanctions.
    pub fn is_sanction(&self, list: List) -> bool {
        match list {
            List::Seco => true,
            List::Opensanctions => self.topics.iter().any(|it| it == "sanction"),
            List::FinmaWarning | List::FinmaAuthorised => false,
        }
    }

    /// Whether the company itself may be subject to sanctions, and its name or a number agrees.
    pub(crate) fn is_sanction_of_company(&self, list: List) -> bool {
        self.is_sanction(list)
            && self.subject == HitSubject::Company
            && self.risk_level >= LISTED_FROM
    }
}

/// The result of a company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScreenedCompany {
    /// Company number.
    pub uid: Uid,
    /// [`fingerprint`] of the names that were compared.
    pub fingerprint: u64,
    /// The parents that were compared too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<Lei>,
    /// What was found, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hits: Vec<CompanyHit>,
}

/// A hash of the names of a company, its officers and parents, as the generation states them: `json` is a line of its names. With the
/// same hash, the same list leads to the same result.
pub fn fingerprint(json: &str) -> u64 {
    let digest = Sha256::digest(json);
    digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte))
}

/// A published result: the content of `current.json`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// Id of the run, and of its folder.
    pub id: String,
    /// The list.
    pub list: List,
    /// Id of the version of the list.
    pub version: String,
    /// Day of the list, as its file states it.
    pub date: Option<Date>,
    /// Time when the version was published.
    pub published_at: Timestamp,
    /// The matcher.
    pub algorithm: String,
    /// Id of the generation with the names.
    pub generation: String,
    /// Time at which the comparison of the last part began.
    pub screened_at: Timestamp,
    /// Number of companies that were compared.
    pub companies: u64,
    /// Number of companies with hits.
    pub with_hits: u64,
    pub(crate) numbers_sha256: String,
    pub(crate) fingerprints_sha256: String,
    pub(crate) hits_sha256: String,
}

impl Published {
    /// Whether the version was searched with the present matcher.
    pub fn is_of_present_matcher(&self) -> bool {
        self.algorithm == ALGORITHM
    }
}
