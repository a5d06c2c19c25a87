use domain::{Provenance, Source};
use serde::Serialize;
use serde_json::Value;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Publication;

/// UUIDv5 namespace of statements.
const STATEMENTS: Uuid = Uuid::from_u128(0x91c5_0b3e_2f7a_5e0c_b1d4_6a58_c0e2_77f3);

/// Version of the standard.
const VERSION: &str = "0.4";

/// What a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RecordType {
    /// A company or another legal entity.
    Entity,
    /// A natural person.
    Person,
    /// An ownership or a control.
    Relationship,
}

/// A record, before it is stated.
pub(super) struct Record {
    pub(super) id: String,
    pub(super) kind: RecordType,
    pub(super) details: Value,
    /// The statement from which the record comes.
    pub(super) source: Option<Provenance>,
}

/// A statement of the Beneficial Ownership Data Standard (BODS), version 0.4.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = BodsStatement)]
#[serde(rename_all = "camelCase")]
pub struct Statement {
    /// UUIDv5 of the contents: statements with the same contents have the same id.
    pub statement_id: Uuid,
    /// Day of the state that is described.
    pub statement_date: String,
    /// Record of the company whose owners are stated.
    pub declaration_subject: String,
    /// Id of the record.
    pub record_id: String,
    /// What the record is.
    pub record_type: RecordType,
    /// `new`: earlier statements about the record are not part of the answer.
    pub record_status: &'static str,
    /// Details of the record: an entity, a person or a relationship, as the standard describes them.
    #[schema(value_type = Object)]
    pub record_details: Value,
    /// Publisher and date.
    publication_details: PublicationDetails,
    /// Where the record comes from. Only for relationships.
    source: Option<StatementSource>,
}

/// Publisher and date of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PublicationDetails {
    /// Date of publication.
    publication_date: String,
    /// Version of the standard.
    bods_version: &'static str,
    /// Publisher of the statement.
    publisher: Publisher,
}

/// Publisher of a statement.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct Publisher {
    /// Name of the publisher.
    name: String,
    /// URL of the publisher.
    url: Option<String>,
}

/// Source of a statement.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
struct StatementSource {
    /// `officialRegister` or `thirdParty`.
    #[serde(rename = "type")]
    kind: [&'static str; 1],
    /// Source, its reference and its date.
    description: String,
    /// URL of the record in the source. Absent if the source has none.
    url: Option<String>,
}

impl StatementSource {
    fn of(provenance: &Provenance) -> Self {
        let Provenance { source, reference, date } = provenance;
        // The demo register is invented, so it is not an official one.
        let is_official = source.parse().is_ok_and(Source::is_register);
        let kind = if is_official { "officialRegister" } else { "thirdParty" };
        let is_url = |it: &&String| it.starts_with("https://") || it.starts_with("http://");
        let url = reference.as_ref().filter(is_url).cloned();
        let mut description = source.clone();
        if let Some(reference) = reference.as_ref().filter(|_| url.is_none()) {
            description.push_str(&format!(", {reference}"));
        }
        if let Some(date) = date {
            description.push_str(&format!(", {date}"));
        }
        Self { kind: [kind], description, url }
    }
}

impl Statement {
    pub(super) fn new(record: Record, subject: &str, publication: &Publication) -> Self {
        let statement_date = publication.as_of.to_string();
        // The values of a JSON object are sorted by name, so the text depends on the contents only.
        let contents = format!("{subject}|{}|{statement_date}|{}", record.id, record.details);
        Self {
            statement_id: Uuid::new_v5(&STATEMENTS, contents.as_bytes()),
            statement_date,
            declaration_subject: subject.to_owned(),
            record_id: record.id,
            record_type: record.kind,
            record_status: "new",
            record_details: record.details,
            publication_details: PublicationDetails {
                publication_date: publication.date.to_string(),
                bods_version: VERSION,
                publisher: Publisher {
                    name: publication.publisher.clone(),
                    url: publication.url.clone(),
                },
            },
            source: record.source.as_ref().map(StatementSource::of),
        }
    }
}
