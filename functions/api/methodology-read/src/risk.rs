//! The risk of a company, and how it is assessed.

use std::collections::{BTreeMap, BTreeSet};

use ::risk::{Assessment, Facts, Methodology, Priors, Registered, assess, methodology};
use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    Company, History, Provenance, Uid,
    persons::{Officer, RoleCategory},
};
use facts::CompanyAsOf;
use http_service::{
    AsOf, CompanyPath, Description, NoParameters, Path, Query, Routes, company_as_of, handler,
    known_company_with, reads,
};
use jiff::{Timestamp, civil::Date};
use problem_details::Problem;
use serde::Serialize;
use store::Wanted;
use text_index::persons::Persons;
use utoipa::ToSchema;

use crate::ownership::owners;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10), handler!(risk)).route(reads(1), handler!(risk_methodology))
}

/// What is read of the history of a company without dated statements.
const HISTORY: Wanted = Wanted { board: 100, former: 60, events: 60, mergers: true };

/// The risk of a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RiskScoreV2Response {
    /// Company number.
    uid: Uid,
    /// Name of the company.
    company_name: String,
    #[serde(flatten)]
    assessment: Assessment,
    /// When the assessment was made.
    assessed_at: Timestamp,
}

/// Assess the risk of a company
///
/// A score of nine factors, each with its prior, the evidence with sources and dates, and what it adds to the score: owners,
/// lists, countries, industry, audit, board, address, capital, age and status. What is not known leaves a factor at its prior,
/// and the factor says so. Not looked up yet: screening lists, the countries of owners that are companies, and the number of
/// companies at the address. With `asOf`, the other mandates of officers are not looked up either.
/// `GET /v1/methodology/risk` documents the method.
///
/// The score compares companies. It is not the measured probability of an event: its weights are judgements.
#[utoipa::path(
    get,
    path = "/v1/risk/v2/{uid}",
    tag = "Risk",
    params(CompanyPath, AsOf),
    responses((status = OK, body = RiskScoreV2Response)),
)]
async fn risk(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let subject = Subject::read(&state, uid, as_of).await?;
    let (structure, resolution) = owners(&state, &generation, uid, as_of).await?;
    let Subject { company, history, proofs } = &subject;
    let registered = Registered { company, history, proofs: proofs.as_ref() };
    let facts = Facts::of_register(registered).with_ownership(&structure, &resolution);
    let facts = match as_of {
        None => facts.with_officers(uid, &subject.leaders(generation.persons().await?)?),
        // The index has the current mandates only.
        Some(_) => facts,
    };
    let day = as_of.unwrap_or_else(|| state.clock.today());
    let answer = RiskScoreV2Response {
        uid,
        company_name: subject.company.name,
        assessment: assess(&facts, &Priors::published(), day),
        assessed_at: state.clock.now(),
    };
    Ok((generation.header(), Json(answer)))
}

/// The company on the day of the assessment.
struct Subject {
    company: Company,
    history: History,
    proofs: Option<BTreeMap<String, Provenance>>,
}

impl Subject {
    async fn read(state: &crate::State, uid: Uid, as_of: Option<Date>) -> Result<Self, Problem> {
        if let Some(day) = as_of {
            let past = company_as_of(&state.registry, &state.clock, uid, day).await?;
            let CompanyAsOf { company, history, proofs } = past;
            return Ok(Self { company, history, proofs: Some(proofs) });
        }
        // Only the fold knows the source of each member, which evidence names.
        if let Some(past) = state.registry.company_as_of(uid, state.clock.today()).await? {
            let CompanyAsOf { company, history, proofs } = past;
            return Ok(Self { company, history, proofs: Some(proofs) });
        }
        let (company, history) = known_company_with(&state.registry, uid, HISTORY).await?;
        Ok(Self { company, history, proofs: None })
    }

    /// The members of the board and the management, with their mandates in all companies.
    fn leaders(&self, persons: &Persons) -> Result<Vec<Officer>, Problem> {
        let is_leader =
            |it: &RoleCategory| matches!(it, RoleCategory::Board | RoleCategory::Management);
        let mandates = self.history.current_mandates().filter(|it| is_leader(&it.category));
        let ids: BTreeSet<_> = mandates.map(|it| it.person_id).collect();
        let mut leaders = Vec::new();
        for id in ids {
            leaders.extend(persons.person(id)?.map(|it| it.into_officer()));
        }
        Ok(leaders)
    }
}

/// Get the method of the risk assessment
///
/// Factors, priors with their sources, signs, weights, half-lives, formulas, thresholds and limits, from the code that
/// computes.
#[utoipa::path(
    get,
    path = "/v1/methodology/risk",
    tag = "Risk",
    responses((status = OK, body = Methodology)),
)]
async fn risk_methodology(
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    Ok(Json(methodology(&Priors::published())))
}
