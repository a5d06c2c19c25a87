//! Dossiers: texts about companies that a team has had written.
//!
//! Invariants: one process at a time writes a dossier, the holder of its lease; a dossier that has ended never changes again.

mod citation;
mod view;

use auth::{Language, Principal};
use domain::Uid;
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

pub use citation::{CitationKind, DossierCitation};
pub use view::{DossierSummary, DossierView};

use crate::export::Lease;

/// Maximum number of processes that try to write a dossier: as many as a queue delivers a message.
pub const MAX_ATTEMPTS: u32 = 7;
/// Time after which a dossier that is not written has failed: its process and its job were lost.
pub const ABANDONED: SignedDuration = SignedDuration::from_hours(2);

/// Depth of a dossier: `summary`, `standard` or `detailed`. `comprehensive` is accepted as a name of `detailed`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum DossierLevel {
    /// Identity, status, owners, risk and obligations in a few sentences.
    Summary,
    /// Also the latest events, each officer, each factor of the risk, each obligation of the company, and news.
    #[default]
    Standard,
    /// Also former auditors, a longer history, the observations for each factor of the risk, and obligations of others
    /// because of the company.
    Detailed,
}

impl DossierLevel {
    /// Every level, the shortest first.
    pub const ALL: [Self; 3] = [Self::Summary, Self::Standard, Self::Detailed];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Standard => "standard",
            Self::Detailed => "detailed",
        }
    }
}

impl<'de> Deserialize<'de> for DossierLevel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let name = text.to_lowercase();
        if name == "comprehensive" {
            return Ok(Self::Detailed);
        }
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or_else(|| {
            D::Error::custom(format!(
                "must be one of `summary`, `standard`, `detailed`; got `{text}`"
            ))
        })
    }
}

/// Status of a dossier: `pending`, `completed` or `failed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DossierStatus {
    /// It is being written, or waits for that. `content` is empty.
    Pending,
    /// It is written.
    Completed,
    /// It was not written. `errorMessage` has the reason.
    Failed,
}

/// What a team wants to read. Two requests that are equal want the same dossier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DossierRequest {
    pub company_uid: Uid,
    pub level: DossierLevel,
    pub language: Language,
    /// Day of the state. `None`: the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Date>,
}

impl DossierRequest {
    /// A text that is equal for equal requests, and different for others.
    pub fn key(&self) -> String {
        let Self { company_uid, level, language, as_of } = self;
        let day = as_of.map_or_else(|| "current".to_owned(), |it| it.to_string());
        format!("{company_uid}#{}#{}#{day}", level.name(), language.code())
    }
}

/// How a dossier was written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Writing {
    /// Name of the text model.
    pub model: String,
    /// Version of the instructions to the model and of the rules of the check.
    pub prompt_version: String,
    /// Id of the generation of the register.
    pub generation: String,
    /// SHA-256 of the hashes of all rows of evidence that the model got.
    pub evidence_hash: String,
    /// Number of sentences of the model that the check dropped.
    pub dropped_sentences: u32,
    /// Names of the sources of the cited rows, each once.
    pub sources: Vec<String>,
    /// Day of the state.
    pub day: Date,
}

/// The text of a dossier with what it cites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DossierText {
    /// Sections with headings. Every sentence has at least one tag.
    pub content: String,
    /// What the tags name, in the order in which they first appear.
    pub citations: Vec<DossierCitation>,
    /// Hashes of all rows of evidence that the model got, in their order.
    pub evidence_hashes: Vec<String>,
}

/// A dossier without its text, as it is stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dossier {
    /// A UUIDv7, so that ids sort by time.
    pub id: Uuid,
    #[serde(flatten)]
    pub request: DossierRequest,
    pub company_name: String,
    pub status: DossierStatus,
    pub created_by: Principal,
    pub created_at: Timestamp,
    /// Whether a request for the dossier was answered 202, so that a failure must not delete it.
    #[serde(default)]
    pub is_promised: bool,
    /// Number of times that a process has started to write it.
    #[serde(default)]
    pub attempts: u32,
    /// The process that writes it.
    pub lease: Option<Lease>,
    pub writing: Option<Writing>,
    /// Why there is no text, in words for the team.
    pub error_message: Option<String>,
    pub completed_at: Option<Timestamp>,
}

/// The outcome of a request for the lease of a dossier.
#[derive(Clone, Debug, PartialEq)]
pub enum LeaseOutcome {
    /// The process has the lease and writes the dossier.
    Leased(Box<Dossier>),
    /// Another process has the lease.
    Busy,
    /// The dossier has ended, possibly by this request.
    Ended(Box<Dossier>),
}

impl Dossier {
    /// A new dossier that waits to be written.
    pub fn new(
        id: Uuid,
        request: DossierRequest,
        company_name: impl Into<String>,
        created_by: Principal,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            request,
            company_name: company_name.into(),
            status: DossierStatus::Pending,
            created_by,
            created_at: now,
            is_promised: false,
            attempts: 0,
            lease: None,
            writing: None,
            error_message: None,
            completed_at: None,
        }
    }

    /// Whether it has not ended.
    pub fn is_running(&self) -> bool {
        self.status == DossierStatus::Pending
    }

    /// Whether it has not ended, and no process will write it any more.
    pub fn is_abandoned(&self, now: Timestamp) -> bool {
        self.is_running() && now.duration_since(self.created_at) > ABANDONED
    }

    fn is_leased_to(&self, token: Uuid) -> bool {
        self.is_running() && self.lease.is_some_and(|it| it.token == token)
    }

    /// Gives a process the lease until a time, unless another one has it or the dossier has ended. After too many attempts, the
    /// dossier fails.
    #[must_use]
    pub fn started(&self, token: Uuid, until: Timestamp, now: Timestamp) -> LeaseOutcome {
        if !self.is_running() {
            return LeaseOutcome::Ended(Box::new(self.clone()));
        }
        match self.lease {
            // This process has got it before, and the answer was lost.
            Some(lease) if lease.token == token => {
                return LeaseOutcome::Leased(Box::new(self.clone()));
            }
            Some(lease) if lease.until > now => return LeaseOutcome::Busy,
            _ => {}
        }
        if self.attempts >= MAX_ATTEMPTS {
            let reason = self.error_message.as_deref().unwrap_or("the process ended unexpectedly");
            return LeaseOutcome::Ended(Box::new(self.failed(reason, now)));
        }
        let lease = Some(Lease { token, until });
        LeaseOutcome::Leased(Box::new(Self { attempts: self.attempts + 1, lease, ..self.clone() }))
    }

    /// Gives the lease back after a failure, which is remembered. `None`: the process has lost the lease.
    pub fn released(&self, token: Uuid, reason: &str) -> Option<Self> {
        let error_message = Some(reason.to_owned());
        self.is_leased_to(token).then(|| Self { lease: None, error_message, ..self.clone() })
    }

    /// The dossier with the mark that a request for it was answered 202.
    #[must_use]
    pub fn promised(&self) -> Self {
        Self { is_promised: true, ..self.clone() }
    }

    /// Completes the dossier: its text can be read from now on. `None`: the process has lost the lease.
    pub fn completed(&self, token: Uuid, writing: &Writing, now: Timestamp) -> Option<Self> {
        self.is_leased_to(token).then(|| Self {
            status: DossierStatus::Completed,
            lease: None,
            writing: Some(writing.clone()),
            error_message: None,
            completed_at: Some(now),
            ..self.clone()
        })
    }

    /// The dossier, failed for this reason. One that has ended stays as it is.
    #[must_use]
    pub fn failed(&self, reason: &str, now: Timestamp) -> Self {
        if !self.is_running() {
            return self.clone();
        }
        Self {
            status: DossierStatus::Failed,
            lease: None,
            error_message: Some(reason.to_owned()),
            completed_at: Some(now),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests;
