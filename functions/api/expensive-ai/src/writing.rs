//! Has a dossier written now or later, or joins the one that is being written.

use std::time::Duration;

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use company_reader::dossier::brief;
use company_reader::{company_as_of, known_company};
use dossier_generation::{Attempt, End, NotWritten, Read};
use http::{StatusCode, header};
use http_service::Tenant;
use jobs::DossierJob;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use store::{Refused, TeamKey};
use teams::{Dossier, DossierRequest, DossierStatus, DossierText, DossierView};
use tokio::time::Instant;
use uuid::Uuid;

use crate::State;

/// How long the text may take: less than the 25 seconds in which a request is answered, because the table needs time too.
const LIMIT: Duration = Duration::from_secs(22);
/// When a request ends in any case, apart from deleting the dossier that it was writing.
const ANSWER: Duration = Duration::from_millis(24_300);
const CLEAN_UP: Duration = Duration::from_millis(400);
/// Interval at which a request looks whether the dossier that it has joined is written.
const PAUSE: Duration = Duration::from_millis(250);
/// Number of times that a dossier is created or joined. More are needed only if others end in between.
const ATTEMPTS: usize = 5;

/// Answers with the dossier that was requested.
pub(crate) async fn have_written(
    state: &State,
    tenant: &Tenant,
    request: DossierRequest,
    responds_later: bool,
) -> Result<Response, Problem> {
    let (end, token) = (Instant::now() + ANSWER, Uuid::new_v4());
    let too_late = || not_written("it was not written within 25 seconds");
    let joined = created_or_joined(state, tenant, request, responds_later);
    let joined = tokio::time::timeout_at(end, joined).await.map_err(|_| too_late())??;
    let (team, id) = (&tenant.team, joined.dossier.id);
    let answer = async {
        match responds_later {
            true => later(state, team, joined).await,
            false => now(state, team, joined.dossier, token).await,
        }
    };
    if let Ok(answer) = tokio::time::timeout_at(end, answer).await {
        return answer;
    }
    // No request got 202. If it cannot be deleted now, the next request for the same one continues it.
    let is_of_this = |it: &Dossier| it.lease.as_ref().is_none_or(|it| it.token == token);
    let may = |it: &Dossier| it.is_running() && !it.is_promised && is_of_this(it);
    let deleted = state.generator.tenants.delete_dossier(team, id, may);
    let _ = tokio::time::timeout(CLEAN_UP, deleted).await;
    Err(too_late())
}

/// A dossier that was created or joined.
struct Joined {
    dossier: Dossier,
    /// Whether an earlier request got 202.
    was_promised: bool,
}

/// A new dossier, or the one that is being written for the same request.
async fn created_or_joined(
    state: &State,
    Tenant { team, caller }: &Tenant,
    request: DossierRequest,
    is_promised: bool,
) -> Result<Joined, Problem> {
    let uid = request.company_uid;
    let name = match request.as_of {
        Some(day) => company_as_of(&state.registry, &state.clock, uid, day).await?.company.name,
        None => known_company(&state.registry, uid).await?.name,
    };
    let (tenants, now) = (&state.generator.tenants, state.clock.now());
    let new = Dossier::new(Uuid::now_v7(), request, name, caller.principal().clone(), now);
    let new = Dossier { is_promised, ..new };
    for _ in 0..ATTEMPTS {
        match tenants.create(team, caller.tier(), &new).await {
            Ok(()) => return Ok(Joined { dossier: new, was_promised: false }),
            Err(Refused::Exists) => {}
            Err(Refused::Failed(failure)) => return Err(failure.into()),
            Err(limit) => return Err(Problem::conflict(limit)),
        }
        let Some(running) = tenants.running_dossier(team, &request).await? else { continue };
        if running.is_abandoned(now) {
            // It was abandoned; a new one may start.
            tenants
                .change::<Dossier>(team, &running.id.to_string(), |it| {
                    it.is_abandoned(now)
                        .then(|| it.failed("The dossier was not written in time.", now))
                })
                .await?;
            continue;
        }
        let was_promised = running.is_promised;
        if !is_promised {
            return Ok(Joined { dossier: running, was_promised });
        }
        let promise = |it: &Dossier| it.is_running().then(|| it.promised());
        let promised = tenants.change(team, &running.id.to_string(), promise).await?;
        if let Some(dossier) = promised {
            return Ok(Joined { dossier, was_promised });
        }
    }
    Err(not_written("others end at the same time; try again"))
}

/// The dossier will be written by a worker.
async fn later(
    state: &State,
    team: &TeamKey,
    Joined { dossier, was_promised }: Joined,
) -> Result<Response, Problem> {
    let job = DossierJob::Write {
        team: team.team().clone(),
        environment: team.environment(),
        dossier: dossier.id.to_string(),
    };
    if let Err(failure) = state.jobs.send(&job).await {
        tracing::error!(dossier = %dossier.id, failure = errors::chain(&failure), "dossier not sent");
        // The earlier request has sent the same job, and its caller waits for the dossier.
        if was_promised {
            return Ok(answer(StatusCode::ACCEPTED, state, &dossier, None));
        }
        let may = |it: &Dossier| it.is_running() && it.lease.is_none() && it.attempts == 0;
        state.generator.tenants.delete_dossier(team, dossier.id, may).await?;
        return Err(not_written("the queue did not answer"));
    }
    Ok(answer(StatusCode::ACCEPTED, state, &dossier, None))
}

/// The dossier is written now, here or by the process that has begun.
async fn now(
    state: &State,
    team: &TeamKey,
    dossier: Dossier,
    token: Uuid,
) -> Result<Response, Problem> {
    let started = Instant::now();
    let tenants = &state.generator.tenants;
    loop {
        let limit = LIMIT.saturating_sub(started.elapsed());
        let clock = || state.clock.now();
        let attempt = Attempt { dossier: dossier.id, token, clock, limit };
        let read = async |dossier: Dossier| {
            let generation = state.generations.serving().await?;
            let brief = brief(&state.sources(), &generation, &dossier.request).await?;
            Ok::<_, Problem>(Read { brief, generation: generation.manifest.id.clone() })
        };
        let failure = match state.generator.write(team, attempt, read).await {
            Ok(End::Ended(dossier)) if dossier.status == DossierStatus::Completed => {
                let text = tenants.dossier_text(team, dossier.id).await?;
                return Ok(answer(StatusCode::CREATED, state, &dossier, text));
            }
            Ok(End::Ended(dossier)) => {
                let reason = dossier.error_message.as_deref().unwrap_or("it failed");
                return Err(not_written(reason));
            }
            Ok(End::Gone) => {
                return Err(not_written("it was deleted, or not written by another request"));
            }
            Ok(End::Busy) => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            Err(failure) => failure,
        };
        // No request got 202, and no other process writes it, so it is deleted.
        let may = |it: &Dossier| it.is_running() && !it.is_promised && it.lease.is_none();
        tenants.delete_dossier(team, dossier.id, may).await?;
        tracing::warn!(dossier = %dossier.id, failure = errors::chain(&failure), "dossier not written");
        return Err(match failure {
            NotWritten::Facts(problem) => problem,
            NotWritten::Store(failure) => failure.into(),
            failure => not_written(&failure.reason()),
        });
    }
}

fn answer(
    status: StatusCode,
    state: &State,
    dossier: &Dossier,
    text: Option<DossierText>,
) -> Response {
    let language = [(header::CONTENT_LANGUAGE, dossier.request.language.code())];
    let view = DossierView::of(dossier, text, state.clock.now());
    (status, language, Json(view)).into_response()
}

/// 503: nothing is counted.
fn not_written(reason: &str) -> Problem {
    Problem::new(&SERVICE_UNAVAILABLE, format!("the dossier was not written: {reason}"))
}
