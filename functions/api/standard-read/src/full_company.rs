//! One company with all that is known around it.

use std::collections::BTreeMap;

use access::RateGroup;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    ChangeKind, Company, History, Provenance, Uid,
    history::Recorded,
    persons::{Mandate, SigningAuthority},
};
use http_service::{
    AsOf, CompanyPath, Description, Path, Query, Routes, company_until, handler,
    known_company_with_history, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use store::Past;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::relationships::list::{Relationship, relationships_by, relationships_of};

/// How many persons and changes are answered with a company; the lists have them all.
const PERSONS: usize = 500;
const CHANGES: usize = 50;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    // Beside the relationships that it answers, and counted with the record.
    Routes::new().route(reads(5).counted_in(RateGroup::SearchRead), handler!(full_company))
}

/// A company with all that is known around it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FullCompany {
    company: Company,
    /// The day whose state this is, where one was asked for.
    as_of: Option<Date>,
    /// For a day: by the name of each member of `company`, what states it.
    proofs: Option<BTreeMap<String, Provenance>>,
    /// Who holds an office or signs, then who did, the latest first; at most 500.
    persons: Vec<PersonEntry>,
    /// The newest first, at most 50.
    recent_changes: Vec<ChangeEntry>,
    /// As `/relationships` answers them; for a day, and until the register can be searched, those that the
    /// record names.
    relationships: Vec<Relationship>,
}

impl FullCompany {
    fn of(company: Company, history: &History, relationships: Vec<Relationship>) -> Self {
        Self {
            as_of: None,
            proofs: None,
            persons: persons(history),
            recent_changes: history.newest_events(false).take(CHANGES).map(Into::into).collect(),
            relationships,
            company,
        }
    }
}

/// A person's role in the company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PersonEntry {
    person_id: Uuid,
    /// Absent for a firm that holds an office.
    first_name: Option<String>,
    last_name: String,
    /// As the notice writes it.
    role: String,
    signing_authority: Option<SigningAuthority>,
    since: Option<Date>,
    until: Option<Date>,
    /// The source that names the role.
    role_source: String,
    /// How sure it is who the person is, 0 to 1.
    role_confidence: f64,
    /// The publication that proves this line.
    source: Provenance,
}

impl From<Mandate> for PersonEntry {
    fn from(mandate: Mandate) -> Self {
        Self {
            person_id: mandate.person_id,
            first_name: mandate.person.first_name,
            last_name: mandate.person.last_name,
            role: mandate.role,
            signing_authority: mandate.signing_authority,
            since: mandate.since,
            until: mandate.until,
            role_source: mandate.source.source.clone(),
            role_confidence: mandate.confidence,
            source: mandate.source,
        }
    }
}

/// A change of the company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeEntry {
    id: Uuid,
    company_uid: Uid,
    change_type: ChangeKind,
    field_name: Option<String>,
    old_value: Option<String>,
    new_value: Option<String>,
    /// When the change got its place in the feed.
    detected_at: Timestamp,
    /// The day of the publication.
    source_date: Date,
    /// The publication that proves it.
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
            detected_at,
            source_date: event.date,
            source: event.source,
        }
    }
}

/// One company, with persons, changes and relationships
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/full",
    tag = "Companies",
    params(CompanyPath, AsOf),
    responses((status = OK, body = FullCompany)),
)]
async fn full_company(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<Response, Problem> {
    if let Some(day) = as_of {
        let Past { company, history, proofs } =
            company_until(&state.registry, &state.clock, uid, day).await?;
        let relationships = relationships_by(&company, &history);
        let full = FullCompany {
            as_of,
            proofs: Some(proofs),
            ..FullCompany::of(company, &history, relationships)
        };
        return Ok(Json(full).into_response());
    }
    let (company, history) = known_company_with_history(&state.registry, uid).await?;
    let generation = match state.generations.serving().await {
        Ok(generation) => Some(generation),
        // The record is there before the first generation is.
        Err(none) if none.is_before_the_first() => None,
        Err(broken) => return Err(broken.into()),
    };
    let relationships = match &generation {
        Some(generation) => relationships_of(&state, generation, &company, &history).await?,
        None => relationships_by(&company, &history),
    };
    let full = FullCompany::of(company, &history, relationships);
    Ok((generation.map(|it| it.header()), Json(full)).into_response())
}

fn persons(history: &History) -> Vec<PersonEntry> {
    let mut mandates: Vec<&Mandate> = history.mandates.iter().collect();
    // Those that last in the order of their entry, then the others, the latest end first.
    mandates
        .sort_by_key(|it| it.until.map_or((false, None), |it| (true, Some(std::cmp::Reverse(it)))));
    mandates.into_iter().take(PERSONS).cloned().map(Into::into).collect()
}
