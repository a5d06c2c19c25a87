//! One company with all that is known around it.

use std::collections::BTreeMap;

use axum::{Json, extract::State};
use domain::{
    ChangeKind, Company, History, Provenance, Uid,
    company::{Affiliation, AffiliationKind},
    history::Recorded,
    persons::{Mandate, SigningAuthority},
};
use http_service::{
    AsOf, CompanyPath, Path, Query, Routes, company_until, known_company_with_history, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use utoipa_axum::routes;
use uuid::Uuid;

/// How many persons and changes are answered with a company; the lists have them all.
const PERSONS: usize = 500;
const CHANGES: usize = 50;

pub(crate) fn routes() -> Routes<crate::State> {
    Routes::new().route(reads(5), routes!(full_company))
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
    relationships: Vec<RelationshipEntry>,
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
    /// One of the codes of `/reference/change-types`.
    change_type: &'static str,
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
            change_type: event.kind.code(),
            field_name: event.field,
            old_value: event.old_value,
            new_value: event.new_value,
            detected_at,
            source_date: event.date,
            source: event.source,
        }
    }
}

/// Another company that the register links to this one.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RelationshipEntry {
    related_uid: Uid,
    related_name: String,
    /// `head_office`, `branch_office` or `acquisition`.
    #[schema(example = "branch_office")]
    relationship_type: &'static str,
    /// The publication that says so; where none does, the record of the register.
    source: Option<Provenance>,
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
) -> Result<Json<FullCompany>, Problem> {
    let (company, history, proofs) = match as_of {
        None => {
            let (company, history) = known_company_with_history(&state.registry, uid).await?;
            (company, history, None)
        }
        Some(day) => {
            let past = company_until(&state.registry, &state.clock, uid, day).await?;
            (past.company, past.history, Some(past.proofs))
        }
    };
    Ok(Json(FullCompany {
        as_of,
        proofs,
        relationships: relationships(&company, &history),
        persons: persons(&history),
        recent_changes: history.newest_events(false).take(CHANGES).map(Into::into).collect(),
        company,
    }))
}

fn persons(history: &History) -> Vec<PersonEntry> {
    let mut mandates: Vec<&Mandate> = history.mandates.iter().collect();
    // Those that last in the order of their entry, then the others, the latest end first.
    mandates
        .sort_by_key(|it| it.until.map_or((false, None), |it| (true, Some(std::cmp::Reverse(it)))));
    mandates.into_iter().take(PERSONS).cloned().map(Into::into).collect()
}

fn relationships(company: &Company, history: &History) -> Vec<RelationshipEntry> {
    let numbered = company.affiliations.iter().filter_map(|it| Some((it, it.uid?)));
    let entries = numbered.filter_map(|(affiliation, related_uid)| {
        let relationship_type = match affiliation.kind {
            AffiliationKind::HeadOffice | AffiliationKind::FurtherHeadOffice => "head_office",
            AffiliationKind::BranchOffice => "branch_office",
            AffiliationKind::HasTakenOver | AffiliationKind::WasTakenOverBy => "acquisition",
            AffiliationKind::AuditedBy => return None,
        };
        let related_name = affiliation.name.clone();
        let source = merger(history, affiliation).or_else(|| company.sources.first().cloned());
        Some(RelationshipEntry { related_uid, related_name, relationship_type, source })
    });
    entries.collect()
}

/// The publication of the merger that makes two companies one.
fn merger(history: &History, affiliation: &Affiliation) -> Option<Provenance> {
    let is_it = |it: &&Recorded| {
        let subject = it.event.subject.as_ref();
        it.event.kind == ChangeKind::Merger
            && subject.is_some_and(|it| it.uid == affiliation.uid && it.name == affiliation.name)
    };
    history.events.iter().rev().find(is_it).map(|it| it.event.source.clone())
}
