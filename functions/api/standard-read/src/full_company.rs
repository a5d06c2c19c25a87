//! A company with its people, changes and relationships.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use access::RateGroup;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use company_reader::{
    company_as_of, known_company_with, known_company_with_events, past_day, proofs_of,
};
use domain::{
    ChangeKind, Company, History, Provenance, Uid,
    changes::{ChangedField, Subject},
    history::Recorded,
    persons::{Mandate, RoleCategory, SigningAuthority},
};
use facts::CompanyAsOf;
use http_service::{
    AsOfWithProofs, CompanyPath, Description, Path, Proof, Query, Routes, fitting, handler, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::{Registry, Wanted};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::relationships::list::{Relationship, relationships_by, relationships_of};

/// Maximum number of roles in the response.
const MAX_PERSONS: usize = 500;
/// Maximum number of changes in the response.
const MAX_CHANGES: usize = 50;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    // In this function because it returns relationships, but with the rate group of the company record.
    Routes::new()
        .route(reads(5).counted_in(RateGroup::SearchRead).translated(), handler!(full_company))
}

/// A company with its people, recent changes and relationships.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FullCompany {
    /// Company record.
    company: Company,
    /// Date of the returned state. Absent without the parameter `asOf`.
    as_of: Option<Date>,
    /// Sources of the fields of `company`, by field name, as in `/v1/companies/{uid}`. Absent if neither `asOf` nor
    /// `proofs=true` is given.
    proofs: Option<BTreeMap<String, Proof>>,
    /// Current roles, the board first, as in `/v1/persons/board-members/{uid}`; then former roles, latest end first.
    /// At most 500.
    persons: Vec<PersonEntry>,
    /// Latest changes, newest first; at most 50, and fewer if they are too large for one response. Superseded changes
    /// and publications that change no field of the record are left out.
    recent_changes: Vec<ChangeEntry>,
    /// Relationships, as in `/v1/companies/{uid}/relationships`. On a past day, only those that publications and dated reports
    /// about the company itself state until then: branch offices, companies of its group and audit firms that only a newer
    /// record, or the record of another company, names are left out, as in `affiliations`.
    relationships: Vec<Relationship>,
}

impl FullCompany {
    fn of(company: Company, history: &History, relationships: Vec<Relationship>) -> Self {
        Self {
            as_of: None,
            proofs: None,
            persons: persons(history),
            recent_changes: fitting(
                history.newest_events(false).take(MAX_CHANGES).map(ChangeEntry::from),
            ),
            relationships,
            company,
        }
    }

    /// With `with_links`, adds to each person the source with a link.
    fn with_links(mut self, with_links: bool) -> Self {
        if with_links {
            for person in &mut self.persons {
                person.proof = Some(Proof::with_link(person.source.clone()));
            }
        }
        self
    }
}

/// A person with a role in the company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonEntry {
    /// Id of the person.
    person_id: Uuid,
    /// First names. Absent for a firm.
    first_name: Option<String>,
    /// Family name, or the name of a firm.
    last_name: String,
    /// Role as published. For a person who may sign but has no office, it is the term for an authorised signatory in
    /// the language of the publication, and `signature` states how the person may sign. `unknown` if neither is
    /// published.
    role: String,
    /// All categories of the role: a partner who is also a manager has two.
    role_categories: Vec<RoleCategory>,
    /// Signing authority. Absent if no publication states it.
    signing_authority: Option<SigningAuthority>,
    /// Signing authority as published, with its restrictions. Absent if not published.
    signature: Option<String>,
    /// Date of the publication that announced the entry into office. Absent if no publication states it.
    since: Option<Date>,
    /// Date of the publication since which the person has or had this role: later than `since` if the role has changed. Absent
    /// if no publication states it.
    role_since: Option<Date>,
    /// Date of the publication that announced the end of the role. Absent for current roles.
    until: Option<Date>,
    /// Name of the source of the role.
    role_source: String,
    /// Confidence that roles with this person id belong to one person, 0 to 1: how sure the identity is, not how sure the
    /// role is.
    identity_confidence: f64,
    /// Same value as `identityConfidence`, under the name that existing client libraries read.
    role_confidence: f64,
    /// Publication that states the role.
    source: Provenance,
    /// Source of the role with a link. Absent without `proofs=true`.
    proof: Option<Proof>,
}

impl From<Mandate> for PersonEntry {
    fn from(mandate: Mandate) -> Self {
        let role_since = mandate.role_since();
        Self {
            person_id: mandate.person_id,
            role_categories: mandate.categories().collect(),
            first_name: mandate.person.first_name,
            last_name: mandate.person.last_name,
            role: mandate.role,
            signing_authority: mandate.signing_authority,
            signature: mandate.signature,
            since: mandate.since,
            role_since,
            until: mandate.until,
            role_source: mandate.source.source.clone(),
            identity_confidence: mandate.confidence,
            role_confidence: mandate.confidence,
            source: mandate.source,
            proof: None,
        }
    }
}

/// A change of the company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeEntry {
    /// Id of the change.
    id: Uuid,
    /// Company number.
    company_uid: Uid,
    /// Change type.
    change_type: ChangeKind,
    /// What changed. Absent if the change concerns no single field.
    #[schema(value_type = Option<ChangedField>)]
    field_name: Option<String>,
    /// Value before the change. Absent if there was none or it is unknown.
    old_value: Option<String>,
    /// Value after the change. Absent if there is none or it is unknown.
    new_value: Option<String>,
    /// Description of the change, as in `/v1/changes/{uid}`.
    description: String,
    /// Person or auditor that the change concerns. Absent for other changes.
    subject: Option<Subject>,
    /// Time when the change was added to the change feed.
    detected_at: Timestamp,
    /// Date of the publication.
    source_date: Date,
    /// Publication that states the change.
    source: Provenance,
}

impl From<&Recorded> for ChangeEntry {
    fn from(recorded: &Recorded) -> Self {
        let (detected_at, event) = (recorded.detected_at(), recorded.event.clone());
        Self {
            id: event.id,
            company_uid: event.uid,
            change_type: event.kind,
            field_name: event.field,
            old_value: event.old_value,
            new_value: event.new_value,
            description: event.summary,
            subject: event.subject,
            detected_at,
            source_date: event.date,
            source: event.source,
        }
    }
}

/// Get a company with related data
///
/// The record of a company with its people, its latest changes and its relationships. With `asOf`, the state at
/// the end of that day. With `proofs=true`, each field of the record and each person has its source, with a link to the
/// publication.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/full",
    tag = "Companies",
    params(CompanyPath, AsOfWithProofs),
    responses((status = OK, body = FullCompany)),
)]
async fn full_company(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOfWithProofs { as_of, proofs: with_proofs }): Query<AsOfWithProofs>,
) -> Result<Response, Problem> {
    if let Some(day) = past_day(&state.clock, as_of) {
        let CompanyAsOf { company, mut history, proofs } =
            company_as_of(&state.registry, &state.clock, uid, day).await?;
        add_feed_times(&state.registry, uid, &mut history).await?;
        let relationships = relationships_by(&company, &history);
        let full = FullCompany {
            as_of,
            proofs: Some(Proof::of_fields(proofs, with_proofs)),
            ..FullCompany::of(company, &history, relationships)
        }
        .with_links(with_proofs);
        return Ok(Json(full).into_response());
    }
    let wanted =
        Wanted { board: MAX_PERSONS, former: MAX_PERSONS, events: MAX_CHANGES, mergers: true };
    let (mut company, history) = known_company_with(&state.registry, uid, wanted).await?;
    let proofs = match with_proofs || as_of.is_some() {
        true => Some(Proof::of_fields(proofs_of(&state.registry, &company).await?, with_proofs)),
        false => None,
    };
    state.screened.current().await.fill(&mut company);
    let generation = match state.generations.serving().await {
        Ok(generation) => Some(generation),
        // Records are available before the first generation.
        Err(error) if error.is_before_the_first() => None,
        Err(error) => return Err(error.into()),
    };
    let relationships = match &generation {
        Some(generation) => relationships_of(&state, generation, &company, &history).await?,
        None => relationships_by(&company, &history),
    };
    let full = FullCompany { as_of, proofs, ..FullCompany::of(company, &history, relationships) };
    let full = full.with_links(with_proofs);
    Ok((generation.map(|it| it.header()), Json(full)).into_response())
}

/// Adds the times at which the newest changes were added to the feed, which no fact states.
async fn add_feed_times(
    registry: &Registry,
    uid: Uid,
    history: &mut History,
) -> Result<(), Problem> {
    let dates: BTreeSet<Date> =
        history.newest_events(false).take(MAX_CHANGES).map(|it| it.event.date).collect();
    let (_, (), published) = known_company_with_events(registry, uid, |_, outline| {
        let events = outline.events.iter().enumerate();
        (events.filter(|(_, it)| dates.contains(&it.date)).map(|(at, _)| at).collect(), ())
    })
    .await?;
    for event in &mut history.events {
        if let Some(published) = published.iter().find(|it| it.event.id == event.event.id) {
            event.clone_from(published);
        }
    }
    Ok(())
}

fn persons(history: &History) -> Vec<PersonEntry> {
    let mut former: Vec<&Mandate> = history.mandates.iter().filter(|it| !it.is_current()).collect();
    former.sort_by_key(|it| Reverse(it.until));
    let mandates = history.board().into_iter().chain(former);
    mandates.take(MAX_PERSONS).cloned().map(Into::into).collect()
}
