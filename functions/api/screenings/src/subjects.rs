//! Persons and organisations that a team has screened again whenever a list changes.

use std::collections::{HashMap, HashSet};

use access::Scope;
use auth::{Caller, Principal};
use axum::{Json as JsonResponse, extract::State};
use domain::{
    Uid,
    lists::{List, PartialDate},
    search::SizeOfPage,
};
use http::StatusCode;
use http_service::{
    Description, NoParameters, Path, Query, Routes, Tenant, handler, reads, writes,
};
use jiff::Timestamp;
use problem_details::Problem;
use screening_evidence::ScreenedIdentifier;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{Refused, Rescreened, TeamKey, WithinTier};
use teams::{
    LastScreening, LastScreenings, MonitoredSubject as Stored, PausedReason,
    screening::{Decisions, Risk, ScreeningQuery, SubjectType},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(monitored_subjects))
        .route(writes(0), handler!(delete_monitored_subject))
}

#[derive(Debug, thiserror::Error)]
#[error("the team monitors no subject with the id `{0}`")]
struct NotMonitored(Uuid);

#[derive(Debug, thiserror::Error)]
#[error("monitoring a subject needs a key with the scope `write`, or the session of a member")]
struct MayNotWrite;

/// Starts to monitor a subject, and returns its id. Lists that are screened afterwards are at least as new as those with which
/// it is screened again from now on, so that no update in between is missed.
pub(crate) async fn monitor(
    state: &crate::State,
    team: &TeamKey,
    caller: &Caller,
    query: &ScreeningQuery,
) -> Result<Uuid, Problem> {
    if !caller.may(Scope::Write) {
        return Err(Problem::forbidden(MayNotWrite));
    }
    let subject = Stored {
        id: Uuid::now_v7(),
        query: query.clone(),
        created_by: caller.principal().clone(),
        created_at: state.clock.now(),
    };
    let monitored = state.tenants.monitor(team, caller.tier(), &subject).await;
    let id = monitored.map_err(|it| match it {
        Refused::Failed(failure) => failure.into(),
        other => Problem::conflict(other),
    })?;
    state.lists.refresh(&query.lists).await?;
    Ok(id)
}

/// A person or organisation that the team monitors.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MonitoredSubject {
    /// Id of the monitored subject.
    id: Uuid,
    /// Name, as it was given.
    name: String,
    /// Company number. Absent if none was given.
    uid: Option<Uid>,
    /// What the subject is. Absent if it was not stated.
    #[serde(rename = "type")]
    subject_type: Option<SubjectType>,
    /// Date of birth or foundation. Absent if it was not stated.
    birth_date: Option<PartialDate>,
    /// Country. Absent if it was not stated.
    country: Option<String>,
    /// Numbers of the subject that were given, such as that of a passport. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    identifiers: Vec<ScreenedIdentifier>,
    /// Lowest score of a hit.
    threshold: f64,
    /// The lists with which the subject is screened. A list that is not published yet counts from its first version on.
    lists: Vec<List>,
    /// Current risk level, with the current decisions of the team. Absent before the first screening.
    risk_level: Option<Risk>,
    /// Number of current hits; of each screening, at most 25 count.
    hit_count: usize,
    /// The last screening against each list, which has the hits and their reasons.
    screenings: Vec<SubjectScreening>,
    /// Time at which the subject was last compared with a list, also if no entry that concerns it had changed. Absent before the
    /// first screening.
    last_screened_at: Option<Timestamp>,
    /// Who monitors the subject.
    created_by: Principal,
    /// Time since when the subject is monitored.
    created_at: Timestamp,
    /// Why the subject is not screened again at present. Absent if it is.
    paused_reason: Option<PausedReason>,
}

/// The last stored screening of a subject against one list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SubjectScreening {
    /// The list.
    list: List,
    /// Id of the screening, with which the evidence can be read until it expires.
    screening_id: Uuid,
    /// Id of the newest version of the list with which the subject was compared. Newer than that of the screening if no entry
    /// that concerns the subject had changed.
    #[schema(example = "0199c0de-0000-7000-8000-000000000000")]
    version: String,
    /// Time of the comparison with `version`.
    compared_at: Timestamp,
}

/// What is known of the screenings of a team's subjects.
struct Known {
    decisions: Decisions,
    rescreened: HashMap<List, Rescreened>,
    /// Subjects that could not be screened after an update of the list.
    failed: HashSet<(Uuid, List)>,
    /// Those that the tier of the team allows.
    within_tier: WithinTier,
}

impl MonitoredSubject {
    fn new(subject: Stored, last: &LastScreenings, known: &Known, now: Timestamp) -> Self {
        let Stored { id, query, created_by, created_at } = subject;
        let risk_level = last.risk(&query, &known.decisions, now);
        // After an update that did not concern the subject, no screening is stored.
        let rescreened = |list: List| {
            let is_screened = risk_level.is_some() && !known.failed.contains(&(id, list));
            known.rescreened.get(&list).filter(|it| is_screened && it.at > created_at)
        };
        let compared = query.lists.iter().filter_map(|it| rescreened(*it)).map(|it| it.at);
        let screened = last.iter().map(|(_, it)| it.screened_at);
        let last_screened_at = compared.chain(screened).max();
        let screening = |(list, it): (List, &LastScreening)| {
            let newer = rescreened(list).filter(|newer| newer.version > it.version);
            let newer = newer.map(|newer| (newer.version.clone(), newer.at));
            let (version, compared_at) = newer.unwrap_or((it.version.clone(), it.screened_at));
            SubjectScreening { list, screening_id: it.screening, version, compared_at }
        };
        let screenings = last.iter().map(screening).collect();
        let hit_count = last.iter().map(|(_, it)| it.hits.len()).sum();
        Self {
            id,
            name: query.name,
            uid: query.uid,
            subject_type: query.subject_type,
            birth_date: query.birth_date,
            country: query.country,
            identifiers: query.identifiers.into_iter().map(ScreenedIdentifier::from).collect(),
            threshold: query.threshold,
            lists: query.lists,
            risk_level,
            hit_count,
            screenings,
            last_screened_at,
            created_by,
            created_at,
            paused_reason: known.within_tier.paused_reason(&id.to_string()),
        }
    }
}

/// Which subjects are listed.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SubjectsQuery {
    /// Id of a subject: only those monitored before it are listed. To continue, send the id of the last item as
    /// `before`.
    #[param(example = "ffffffff-ffff-7fff-bfff-ffffffffffff")]
    before: Option<Uuid>,
    /// Maximum number of subjects.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: SizeOfPage<20, 100>,
}

/// List monitored subjects
///
/// The persons and organisations that the team monitors (`monitor` of `POST /v1/screening`), newest first, with their
/// current risk level. To continue, send the id of the last one as `before`. After a change to a lower tier, the newest that exceed it
/// pause (`pausedReason`): they are not screened again. When the tier allows them again, the next update of each list
/// compares them with all its entries.
#[utoipa::path(
    get,
    path = "/v1/screening/subjects",
    tag = "Screening",
    params(SubjectsQuery),
    responses((status = OK, body = Vec<MonitoredSubject>)),
)]
async fn monitored_subjects(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(SubjectsQuery { before, limit }): Query<SubjectsQuery>,
) -> Result<JsonResponse<Vec<MonitoredSubject>>, Problem> {
    let limit = usize::try_from(limit.get()).unwrap_or(usize::MAX);
    let subjects = state.tenants.subjects(&team, before, limit).await?;
    let ids: Vec<Uuid> = subjects.iter().map(|it| it.id).collect();
    let last = state.tenants.last_screenings(&team, &ids).await?;
    let mut rescreened = HashMap::new();
    for list in List::ALL {
        rescreened.extend(state.tenants.rescreened(list).await?.map(|it| (list, it)));
    }
    let shown = subjects.into_iter().map(|subject| {
        let last = last.get(&subject.id).cloned().unwrap_or_default();
        let last = last.among(&subject.query.lists);
        (subject, last)
    });
    let shown: Vec<(Stored, LastScreenings)> = shown.collect();
    let pairs = shown.iter().flat_map(|(subject, last)| last.pairs(&subject.query));
    let now = state.clock.now();
    let decisions = state.tenants.hit_decisions(&team, pairs.collect::<Vec<_>>(), now).await?;
    let failed = state.tenants.failed_rescreenings(&team).await?;
    let within_tier = state.tenants.within_tier::<Stored>(&team, caller.tier()).await?;
    let known = Known { decisions, rescreened, failed, within_tier };
    let shown =
        shown.into_iter().map(|(subject, last)| MonitoredSubject::new(subject, &last, &known, now));
    Ok(JsonResponse(shown.collect()))
}

/// Stop monitoring a subject
///
/// Stops screening the subject after list updates. Its stored screenings and the decisions about their hits are kept.
#[utoipa::path(
    delete,
    path = "/v1/screening/subjects/{id}",
    tag = "Screening",
    params(SubjectPath),
    responses((status = NO_CONTENT)),
)]
async fn delete_monitored_subject(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Path(SubjectPath { id }): Path<SubjectPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<StatusCode, Problem> {
    match state.tenants.delete_subject(&team, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found(NotMonitored(id))),
    }
}

/// A monitored subject in a path.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct SubjectPath {
    /// Id of the subject.
    #[param(example = "0199c0de-5c03-7000-8000-000000000000")]
    id: Uuid,
}
