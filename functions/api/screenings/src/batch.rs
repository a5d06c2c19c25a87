//! Screening companies by their numbers.

use std::collections::HashMap;

use accounts::screening::{
    DEFAULT_HITS, Decisions, HitSummary, Risk, Screening, ScreeningQuery, SubjectType,
};
use axum::{Json as JsonResponse, extract::State};
use domain::{Company, GivenUid, Lei, Uid, lists::List, search::CompanyQuery};
use http_service::{Description, Items, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use problem_details::Problem;
use screening_lists::{selected, sources_checked};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10).with_token(), handler!(screen_companies))
}

/// Maximum number of companies of a request.
const MAX_COMPANIES: usize = 100;

/// The number of a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Number {
    Uid(Uid),
    Lei(Lei),
}

/// A number as it was given.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct GivenNumber {
    text: String,
    number: Number,
}

impl TryFrom<String> for GivenNumber {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = match text.strip_prefix("LEI:") {
            Some(lei) => {
                Number::Lei(lei.parse().map_err(|it: domain::MalformedLei| it.to_string())?)
            }
            None => Number::Uid(text.parse().map_err(|it: domain::MalformedUid| it.to_string())?),
        };
        Ok(Self { text, number })
    }
}

/// The companies to screen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BatchScreeningRequest {
    /// 1 to 100 numbers: company numbers, or legal entity identifiers in the form `LEI:506700GE1G29325QX363`.
    #[schema(value_type = Vec<GivenUid>, min_items = 1, max_items = 100, example = json!(["CHE-101.049.653"]))]
    uids: Items<GivenNumber, MAX_COMPANIES>,
}

/// The results, in the order of the request.
#[derive(Serialize, ToSchema)]
struct BatchScreeningResponse {
    /// One result for each number.
    results: Vec<CompanyScreening>,
}

/// The result of the screening of a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyScreening {
    /// The number, as it was given.
    #[schema(example = "CHE-101.049.653")]
    uid: String,
    /// Id of the screening, with which the evidence can be read.
    screening_id: Uuid,
    /// Name of the company. Empty if it is not in the register: then only its number was compared.
    company_name: String,
    /// Risk level, computed as in `POST /v1/screening`. `unknown`: no hit, and the company is not in the register.
    risk_level: Risk,
    /// Number of entries that reach the threshold, of the 1,000 most similar ones of each list.
    total_hits: usize,
    /// Names of the sources that were searched completely.
    sources_checked: Vec<&'static str>,
    /// The hits, those that can be a risk first, at most 10.
    hits: Vec<HitSummary>,
}

/// Screen companies
///
/// Screens up to 100 companies by their numbers, with the names, translations and identifiers of the register. A company
/// that is not in the register is compared by its number only, and has no name in the answer. Every result is stored as
/// evidence, like that of a single screening. The persons of a company are not screened.
#[utoipa::path(
    post,
    path = "/v1/screening/batch",
    tag = "Screening",
    request_body = BatchScreeningRequest,
    responses((status = OK, body = BatchScreeningResponse)),
)]
async fn screen_companies(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(BatchScreeningRequest { uids }): Json<BatchScreeningRequest>,
) -> Result<JsonResponse<BatchScreeningResponse>, Problem> {
    let lists = selected(None, &state.lists.published().await?)?;
    let known = companies(&state, &uids.0).await?;
    let now = state.clock.now();
    let mut screenings: Vec<Screening> = Vec::with_capacity(uids.0.len());
    for given in &uids.0 {
        let query = match known.get(&given.number) {
            Some(company) => ScreeningQuery::of_company(company, lists.clone()),
            None => only_number(given.number, lists.clone()),
        };
        screenings.push(state.lists.screen(query, caller.principal().clone(), now).await?);
    }
    let expires = state.retention.expiry(now);
    state.tenants.put_screenings(&team, &screenings, expires).await?;
    let decisions = state.tenants.decisions_about(&team, &screenings).await?;
    let results = uids.0.into_iter().zip(screenings);
    let results = results.map(|(given, it)| CompanyScreening::new(given.text, it, &decisions, now));
    Ok(JsonResponse(BatchScreeningResponse { results: results.collect() }))
}

/// The companies of the register with these numbers.
async fn companies(
    state: &crate::State,
    given: &[GivenNumber],
) -> Result<HashMap<Number, Company>, Problem> {
    let mut by_uid: HashMap<Uid, Vec<Number>> = HashMap::new();
    for GivenNumber { number, .. } in given {
        let uid = match number {
            Number::Uid(uid) => Some(*uid),
            Number::Lei(lei) => {
                let query = CompanyQuery { lei: Some((*lei).into()), ..CompanyQuery::default() };
                let generation = state.generations.current().await?;
                generation.search_companies(&query, None).await?.uids.first().copied()
            }
        };
        if let Some(uid) = uid {
            by_uid.entry(uid).or_default().push(*number);
        }
    }
    let uids: Vec<Uid> = by_uid.keys().copied().collect();
    let found = state.registry.companies(&uids).await?;
    let numbered = |company: Company| {
        let numbers = by_uid.get(&company.uid).cloned().unwrap_or_default();
        numbers.into_iter().map(move |it| (it, company.clone())).collect::<Vec<_>>()
    };
    Ok(found.into_iter().flat_map(numbered).collect())
}

/// The query for a company of which only the number is known.
fn only_number(number: Number, lists: Vec<List>) -> ScreeningQuery {
    let mut query = ScreeningQuery::of(String::new(), lists);
    query.subject_type = Some(SubjectType::Company);
    match number {
        Number::Uid(uid) => query.uid = Some(uid),
        Number::Lei(lei) => query.add_lei(lei),
    }
    query
}

impl CompanyScreening {
    fn new(uid: String, screening: Screening, decisions: &Decisions, now: jiff::Timestamp) -> Self {
        let hits = screening.hits.iter().take(DEFAULT_HITS).map(HitSummary::from);
        Self {
            uid,
            screening_id: screening.id,
            risk_level: screening.risk(decisions, now),
            total_hits: screening.total,
            sources_checked: sources_checked(&screening),
            hits: hits.collect(),
            company_name: screening.query.name,
        }
    }
}
