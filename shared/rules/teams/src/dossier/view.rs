//! Dossiers as they are returned.

use auth::Language;
use domain::Uid;
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Dossier, DossierCitation, DossierLevel, DossierStatus, DossierText, Writing};

/// A text about a company. Every sentence, and every line of its table of provisions, carries a tag `[[obl:<id>]]`, which names an entry
/// of `citations`.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Dossier)]
#[serde(rename_all = "camelCase")]
pub struct DossierView {
    /// Id of the dossier.
    #[schema(example = "0199c0de-0000-7000-8000-000000000000")]
    pub id: Uuid,
    /// Id of the user or API key that had it written.
    pub user_id: String,
    /// Company number.
    pub company_uid: Uid,
    /// Name of the company when the dossier was created.
    pub company_name: String,
    /// Depth.
    pub level: DossierLevel,
    /// Language of the text.
    #[schema(value_type = Language, example = "en")]
    pub language: &'static str,
    /// Status.
    pub status: DossierStatus,
    /// Day of the state, if one was given, or else the day on which the dossier was written. Absent until then.
    pub as_of: Option<Date>,
    /// Text in sections, each with a heading that begins with `## `. Empty unless the status is `completed`.
    pub content: String,
    /// Names of the sources of the cited evidence, as in `Provenance.source`.
    #[schema(example = json!(["shab", "zefix"]))]
    pub sources: Vec<String>,
    /// What the tags in the text name, in the order in which they first appear.
    pub citations: Vec<DossierCitation>,
    /// Text model that wrote it: `extractive-1` is the writer that is built in. Absent until it is written.
    #[schema(example = "extractive-1")]
    pub model: Option<String>,
    /// Version of the instructions to the model and of the check. Absent until it is written.
    pub prompt_version: Option<String>,
    /// Id of the generation from which the text was written. Absent until it is written.
    pub generation: Option<String>,
    /// SHA-256 of the hashes of all rows of evidence. Absent until it is written.
    pub evidence_hash: Option<String>,
    /// Hashes of all rows of evidence, also of those that are not cited, in their order.
    pub evidence_hashes: Vec<String>,
    /// Number of sentences that the check removed, because something in them, such as a number, a date or a name, did
    /// not agree with what they cite, or because a tag was missing or wrong. Absent until it is written.
    pub dropped_sentences: Option<u32>,
    /// Why there is no text. Only if the status is `failed`.
    pub error_message: Option<String>,
    /// Time when it was requested.
    pub created_at: Timestamp,
    /// Time when it was written or failed. Absent until then.
    pub completed_at: Option<Timestamp>,
}

/// A dossier without its text.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierSummary {
    /// Id of the dossier.
    #[schema(example = "0199c0de-0000-7000-8000-000000000000")]
    pub id: Uuid,
    /// Company number.
    pub company_uid: Uid,
    /// Name of the company when the dossier was created.
    pub company_name: String,
    /// Depth.
    pub level: DossierLevel,
    /// Language of the text.
    #[schema(value_type = Language, example = "en")]
    pub language: &'static str,
    /// Status.
    pub status: DossierStatus,
    /// Text model that wrote it. Absent until it is written.
    #[schema(example = "extractive-1")]
    pub model: Option<String>,
    /// Time when it was requested.
    pub created_at: Timestamp,
}

/// Error message of an abandoned dossier.
const LOST: &str = "The dossier was not written in time.";

fn status(dossier: &Dossier, now: Timestamp) -> DossierStatus {
    match dossier.is_abandoned(now) {
        true => DossierStatus::Failed,
        false => dossier.status,
    }
}

impl DossierView {
    /// The dossier with its text, as it is now. The text must be given if the dossier is completed.
    pub fn of(dossier: &Dossier, text: Option<DossierText>, now: Timestamp) -> Self {
        let status = status(dossier, now);
        let text = text.filter(|_| status == DossierStatus::Completed);
        let (content, citations, evidence_hashes) =
            text.map(|it| (it.content, it.citations, it.evidence_hashes)).unwrap_or_default();
        let writing = dossier.writing.as_ref();
        let of_writing = |member: fn(&Writing) -> &String| writing.map(|it| member(it).clone());
        let error = dossier.error_message.as_deref().unwrap_or(LOST);
        Self {
            id: dossier.id,
            user_id: dossier.created_by.id.clone(),
            company_uid: dossier.request.company_uid,
            company_name: dossier.company_name.clone(),
            level: dossier.request.level,
            language: dossier.request.language.code(),
            status,
            as_of: dossier.request.as_of.or(writing.map(|it| it.day)),
            content,
            sources: writing.map(|it| it.sources.clone()).unwrap_or_default(),
            citations,
            model: of_writing(|it| &it.model),
            prompt_version: of_writing(|it| &it.prompt_version),
            generation: of_writing(|it| &it.generation),
            evidence_hash: of_writing(|it| &it.evidence_hash),
            evidence_hashes,
            dropped_sentences: writing.map(|it| it.dropped_sentences),
            error_message: (status == DossierStatus::Failed).then(|| error.to_owned()),
            created_at: dossier.created_at,
            completed_at: dossier.completed_at,
        }
    }
}

impl DossierSummary {
    /// The dossier as it is now.
    pub fn of(dossier: &Dossier, now: Timestamp) -> Self {
        Self {
            id: dossier.id,
            company_uid: dossier.request.company_uid,
            company_name: dossier.company_name.clone(),
            level: dossier.request.level,
            language: dossier.request.language.code(),
            status: status(dossier, now),
            model: dossier.writing.as_ref().map(|it| it.model.clone()),
            created_at: dossier.created_at,
        }
    }
}
