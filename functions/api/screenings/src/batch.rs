//! Screening companies by their numbers.

use std::collections::HashMap;

use axum::{Json as JsonResponse, extract::State, response::IntoResponse};
use company_reader::refuse_mistyped;
use domain::{
    Company, GivenUid, Lei, Uid,
    lists::{List, ListSource},
    search::CompanyQuery,
};
use http_service::{
    Description, Items, Json, NoParameters, Query, Routes, ScreeningSubjects, Tenant, handler,
    reads,
};
use problem_details::Problem;
use screening_evidence::{
    Hit, HitLimit, Language, LimitedHits, Threshold, WantedSources, notice_of,
};
use screening_lists::{SourcesChecked, selected};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use teams::screening::{DEFAULT_HITS, Decisions, Risk, Screening, ScreeningQuery, SubjectType};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10).screens(), handler!(screen_companies))
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
        let is_lei = text.get(..4).is_some_and(|it| it.eq_ignore_ascii_case("LEI:"));
        let number = match is_lei {
            true => {
                Number::Lei(text[4..].parse().map_err(|it: domain::MalformedLei| it.to_string())?)
            }
            false => Number::Uid(text.parse().map_err(|_: domain::MalformedUid| {
                format!(
                    "must be a company number of the form `CHE-NNN.NNN.NNN`, or a legal entity identifier of the \
                     form `LEI:506700GE1G29325QX363`; got `{text}`"
                )
            })?),
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
    /// Sources to search. Default: all that the service has.
    #[serde(default)]
    #[schema(value_type = Option<Vec<ListSource>>, min_items = 1)]
    sources: Option<WantedSources>,
    /// Lowest score of a hit, 0.5–1. Default: 0.7. Below 0.7, only entries that share a rare part of a name with the
    /// subject are found.
    #[serde(default)]
    #[schema(value_type = Option<f64>, minimum = 0.5, maximum = 1.0)]
    threshold: Option<Threshold>,
    /// Maximum number of hits of each company in the answer, 1–25. Default: 10.
    #[serde(default)]
    #[schema(value_type = Option<u8>, minimum = 1, maximum = 25)]
    limit: Option<HitLimit>,
}

/// The results, in the order of the request.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
struct BatchScreeningResponse {
    /// One result for each number.
    results: Vec<CompanyScreening>,
    /// Says that lists are invented. Absent if all are those of their publishers.
    notice: Option<&'static str>,
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
    /// Number of entries that reach the threshold. Per list, only the 1,000 entries that share the rarest parts of a
    /// name are compared.
    total_hits: usize,
    /// Names of the sources that were searched completely.
    #[schema(example = json!(["seco", "finma"]))]
    sources_checked: Vec<&'static str>,
    /// Names of the sources that were searched, but not fully: some records of their lists cannot be read, so that a subject
    /// without a hit may be on the list nevertheless. `unsearched` in `lists` of the screening is their number. Empty as a rule.
    #[schema(example = json!([]))]
    sources_not_fully_searched: Vec<&'static str>,
    /// The hits, those that can be a risk first, at most `limit`. Left out where the hits of all companies would exceed 4 MB;
    /// the evidence has them.
    hits: Vec<Hit>,
}

/// Screen companies
///
/// Screens up to 100 companies by their numbers, with the names, translations and identifiers of the register. A company
/// that is not in the register is compared by its number only, and has no name in the answer; a number of which also the last
/// digit is wrong is refused. Every result is stored as
/// evidence, like that of a single screening. The persons of a company are not screened. The explanations are in German, French,
/// Italian or English, by `Accept-Language`.
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
    language: Language,
    subjects: ScreeningSubjects,
    Json(request): Json<BatchScreeningRequest>,
) -> Result<impl IntoResponse, Problem> {
    let BatchScreeningRequest { uids, sources, threshold, limit } = request;
    let lists = selected(sources.map(|it| it.0), &state.lists.published().await?)?;
    let threshold = threshold.unwrap_or_default().get();
    let limit = limit.map_or(DEFAULT_HITS, HitLimit::get);
    let numbers = uids.0.iter().filter_map(|it| match it.number {
        Number::Uid(uid) => Some(uid),
        Number::Lei(_) => None,
    });
    refuse_mistyped(&state.registry, "uids", numbers).await?;
    let counted = subjects.count(uids.0.len()).await?;
    let known = companies(&state, &uids.0).await?;
    let now = state.clock.now();
    let mut screenings: Vec<Screening> = Vec::with_capacity(uids.0.len());
    for (given, counted) in uids.0.iter().zip(counted) {
        let query = match known.get(&given.number) {
            Some(company) => ScreeningQuery::of_company(company, lists.clone()),
            None => only_number(given.number, lists.clone()),
        };
        let query = ScreeningQuery { threshold, limit, ..query };
        screenings.push(state.lists.screen(counted, query, caller.principal().clone(), now).await?);
    }
    let expires = state.retention.expiry(caller.tier(), caller.environment(), now);
    let decisions = state.tenants.decisions_about(&team, &screenings, now).await?;
    screenings.iter_mut().for_each(|it| it.set_answered_risk(&decisions, now));
    state.tenants.put_screenings(&team, &screenings, expires).await?;
    let notice = screenings.first().and_then(notice_of);
    let results = uids.0.into_iter().zip(screenings);
    let mut limited = LimitedHits::default();
    let results = results
        .map(|(given, it)| {
            let hits = Hit::first_of(&it, limit, &decisions, language, now);
            CompanyScreening::new(given.text, it, limited.of(hits), &decisions, now)
        })
        .collect();
    Ok((language.headers(), JsonResponse(BatchScreeningResponse { results, notice })))
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
    fn new(
        uid: String,
        screening: Screening,
        hits: Vec<Hit>,
        decisions: &Decisions,
        now: jiff::Timestamp,
    ) -> Self {
        let sources = SourcesChecked::of(&screening);
        Self {
            uid,
            screening_id: screening.id,
            risk_level: screening.risk(decisions, now),
            total_hits: screening.total,
            sources_checked: sources.fully,
            sources_not_fully_searched: sources.not_fully,
            hits,
            company_name: screening.query.name,
        }
    }
}
