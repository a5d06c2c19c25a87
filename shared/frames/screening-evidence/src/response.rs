//! How a screening is shown: its result, and its summary in a list.

use auth::Principal;
use domain::{Uid, lists::PartialDate};
use jiff::Timestamp;
use matching::ALGORITHM;
use screening_lists::SourcesChecked;
use serde::Serialize;
use serde_with::skip_serializing_none;
use teams::screening::{Decisions, QueryIdentifier, Risk, ScreenedList, Screening, Trigger};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::demo::notice_of;
use crate::hits::Hit;
use crate::language::Language;

/// A screening in a list.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningSummary {
    /// Id of the screening.
    id: Uuid,
    /// Name of the subject, as it was given.
    query_name: String,
    /// Company number of the subject. Absent if none was given.
    query_uid: Option<Uid>,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Who screened. Absent if the service screened by itself after a list was updated.
    screened_by: Option<Principal>,
    /// Number of entries that reach the threshold. Per list, only the 1,000 entries that share the rarest parts of a
    /// name are compared.
    hit_count: usize,
    /// Risk level, with the current decisions of the team.
    risk_level: Risk,
}

impl ScreeningSummary {
    pub fn new(screening: Screening, decisions: &Decisions, now: Timestamp) -> Self {
        let risk_level = screening.risk(decisions, now);
        let Screening { id, screened_at, screened_by, query, total, .. } = screening;
        Self {
            id,
            query_name: query.name,
            query_uid: query.uid,
            screened_at,
            screened_by,
            hit_count: total,
            risk_level,
        }
    }
}

/// The result of a screening, which is also its evidence.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningResponse {
    /// Id of the screening.
    id: Uuid,
    /// Name of the subject, as it was given.
    query_name: String,
    /// Company number of the subject. Absent if none was given.
    query_uid: Option<Uid>,
    /// The query without the main name, which is in `queryName`: the other data of the subject, the threshold and the limit.
    query: ScreenedSubject,
    /// Time of the screening.
    screened_at: Timestamp,
    /// Who screened. Absent if the service screened by itself after a list was updated.
    screened_by: Option<Principal>,
    /// Why the service screened by itself. Absent if somebody requested the screening.
    trigger: Option<Trigger>,
    /// Number of entries that reach the threshold, including those that are only information. Per list, only the 1,000
    /// entries that share the rarest parts of a name are compared. `hits` contains at most as many as the limit.
    hit_count: usize,
    /// Risk level of the highest score of all entries that can be a risk, also of those that `hits` does not contain. Hits that
    /// the team has decided to be false positives do not count; a true match is critical. When a stored screening is
    /// read, the team's current decisions apply.
    risk_level: Risk,
    /// Risk level that was returned at the time of the screening, with the decisions of that time. Absent if the service
    /// started the screening itself after a list update, and for screenings before 2026-11-28, when this field was
    /// introduced.
    answered_risk_level: Option<Risk>,
    /// The entries that may be the subject: those that can be a risk before those that are information, each highest score
    /// first.
    hits: Vec<Hit>,
    /// Names of the sources that were searched completely.
    #[schema(example = json!(["seco", "finma"]))]
    sources_checked: Vec<&'static str>,
    /// Names of the sources that were searched, but not fully: some records of their lists cannot be read, so that a subject
    /// without a hit may be on the list nevertheless. `unsearched` in `lists` of the screening is their number. Empty as a rule.
    #[schema(example = json!([]))]
    sources_not_fully_searched: Vec<&'static str>,
    /// The versions of the lists that were searched.
    lists: Vec<ScreenedList>,
    /// Says that lists are invented. Absent if all are those of their publishers.
    notice: Option<&'static str>,
    /// Version of the matching algorithm.
    #[schema(example = json!(ALGORITHM))]
    algorithm: String,
    /// Id of the monitored subject, if the request set `monitor`. Absent in stored screenings.
    pub subject_id: Option<Uuid>,
}

/// The query without the main name, which is in `queryName`: the other data of the subject, the threshold and the limit.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreenedSubject {
    /// Other names that were compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_names: Vec<String>,
    /// What the subject is. Absent if it was not stated.
    #[serde(rename = "type")]
    subject_type: Option<teams::screening::SubjectType>,
    /// Date of birth or foundation. Absent if it was not stated.
    birth_date: Option<PartialDate>,
    /// Country. Absent if it was not stated.
    country: Option<String>,
    /// Numbers of the subject that were compared, such as that of a passport. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifiers: Vec<ScreenedIdentifier>,
    /// Lowest score of a hit.
    threshold: f64,
    /// Maximum number of hits.
    limit: usize,
}

/// A number of the subject.
#[derive(Serialize, ToSchema)]
pub struct ScreenedIdentifier {
    /// What the number is.
    scheme: String,
    /// The number.
    value: String,
}

impl From<QueryIdentifier> for ScreenedIdentifier {
    fn from(QueryIdentifier { scheme, value }: QueryIdentifier) -> Self {
        Self { scheme, value }
    }
}

impl ScreeningResponse {
    pub fn new(
        screening: Screening,
        limit: usize,
        decisions: &Decisions,
        language: Language,
        now: Timestamp,
    ) -> Self {
        let risk_level = screening.risk(decisions, now);
        let sources = SourcesChecked::of(&screening);
        let notice = notice_of(&screening);
        let hits = Hit::first_of(&screening, limit, decisions, language, now);
        let Screening {
            id,
            screened_at,
            screened_by,
            trigger,
            query,
            algorithm,
            lists,
            total,
            answered_risk,
            ..
        } = screening;
        Self {
            id,
            query_name: query.name,
            query_uid: query.uid,
            query: ScreenedSubject {
                other_names: query.other_names,
                subject_type: query.subject_type,
                birth_date: query.birth_date,
                country: query.country,
                identifiers: query.identifiers.into_iter().map(ScreenedIdentifier::from).collect(),
                threshold: query.threshold,
                limit: query.limit,
            },
            screened_at,
            screened_by,
            trigger,
            hit_count: total,
            risk_level,
            answered_risk_level: answered_risk,
            hits,
            sources_checked: sources.fully,
            notice,
            sources_not_fully_searched: sources.not_fully,
            lists,
            algorithm,
            subject_id: None,
        }
    }
}
