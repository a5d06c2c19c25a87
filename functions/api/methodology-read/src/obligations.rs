//! The catalogue of legal obligations.

use ::obligations::{
    Addressee, CATALOGUE, Control, ControlFrequency, ControlType, DeonticOperator, Evidence,
    LegalStatus, Obligation, Rule, Version,
};
use axum::{Json, extract::State, response::IntoResponse};
use components::Clock;
use http_service::{AsOf, Description, Path, Query, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

use crate::citation::Citation;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(1), handler!(obligations)).route(reads(1), handler!(obligation))
}

/// A legal obligation, or a definition, right or power that belongs to obligations, on a day.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ObligationSummary {
    #[serde(flatten)]
    citation: Citation,
    /// Kind of provision.
    deontic_operator: DeonticOperator,
    /// State on the day.
    status: LegalStatus,
    /// First day in force. Absent if it is not known.
    in_force_since: Option<Date>,
    /// Last day in force. Absent if no end is known.
    in_force_until: Option<Date>,
}

impl ObligationSummary {
    fn of(obligation: &'static Obligation, day: Date) -> Self {
        Self {
            citation: Citation::of(obligation, day),
            deontic_operator: obligation.deontic_operator,
            status: obligation.status(day),
            in_force_since: obligation.in_force_since(),
            in_force_until: obligation.in_force_until(),
        }
    }
}

/// A legal obligation with its versions, to whom it applies, and how it can be met.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ObligationDetail {
    #[serde(flatten)]
    summary: ObligationSummary,
    /// What is required on the day, or in the nearest version, in our words. This is not the text of the law.
    full_text: &'static str,
    /// Every version, oldest first.
    versions: &'static [Version],
    /// To whom it applies, and when.
    applications: Vec<ObligationApplication>,
    /// Controls by which it can be met. Our suggestions.
    controls: Vec<ComplianceControl>,
}

/// To whom an obligation applies, and when.
#[derive(Serialize, ToSchema)]
struct ObligationApplication {
    /// Who has to act.
    addressee: Addressee,
    /// Rule that decides whether the obligation applies.
    rule: Rule,
    /// The rule, in English.
    meaning: &'static str,
}

/// A control by which obligations can be met.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ComplianceControl {
    /// Id.
    pub(crate) id: &'static str,
    /// What it achieves.
    objective: &'static str,
    /// How it works.
    control_type: ControlType,
    /// How often it is done.
    frequency: ControlFrequency,
    /// What shows that it works.
    pub(crate) evidence: Vec<&'static Evidence>,
}

impl ComplianceControl {
    pub(crate) fn all(obligation: &'static Obligation) -> Vec<Self> {
        let control = |it: &'static Control| Self {
            id: &it.id,
            objective: &it.objective,
            control_type: it.control_type,
            frequency: it.frequency,
            evidence: CATALOGUE.evidence_of(it).collect(),
        };
        CATALOGUE.controls_of(obligation).map(control).collect()
    }
}

/// The day of the law. Rules of later days may still change.
fn day(clock: &Clock, as_of: Option<Date>) -> Result<Date, Problem> {
    let today = clock.today();
    match as_of {
        Some(day) if day > today => {
            let detail = format!("must not be after today ({today}); got `{day}`");
            Err(Problem::invalid("asOf", detail))
        }
        given => Ok(given.unwrap_or(today)),
    }
}

/// List legal obligations
///
/// The catalogue of provisions to which answers refer, in our words, with their state on a day: provisions that are not yet
/// in force or were repealed are listed too. `verified` is false where article, content or dates could not be confirmed in the
/// text of the regulation. For days before 2023-09-01, former versions of some provisions are missing. The catalogue is
/// a selection and not legal advice.
#[utoipa::path(
    get,
    path = "/v1/methodology/obligations",
    tag = "Compliance",
    params(AsOf),
    responses((status = OK, body = Vec<ObligationSummary>)),
)]
async fn obligations(
    State(state): State<crate::State>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<impl IntoResponse, Problem> {
    let day = day(&state.clock, as_of)?;
    let all = CATALOGUE.obligations.iter().map(|it| ObligationSummary::of(it, day));
    Ok(Json(all.collect::<Vec<_>>()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ObligationPath {
    /// Id of an obligation.
    #[param(max_length = 64, pattern = "^[a-z0-9-]+$", example = "co-727")]
    id: String,
}

#[derive(Debug, thiserror::Error)]
#[error("no obligation has the id `{0}`")]
struct UnknownObligation(String);

/// Get a legal obligation
///
/// One provision with all its versions, to whom it applies and when, and controls by which it can be met.
#[utoipa::path(
    get,
    path = "/v1/methodology/obligations/{id}",
    tag = "Compliance",
    params(ObligationPath, AsOf),
    responses((status = OK, body = ObligationDetail)),
)]
async fn obligation(
    State(state): State<crate::State>,
    Path(ObligationPath { id }): Path<ObligationPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<impl IntoResponse, Problem> {
    let day = day(&state.clock, as_of)?;
    let Some(obligation) = CATALOGUE.obligation(&id) else {
        return Err(Problem::not_found(UnknownObligation(id)));
    };
    let application = |it: &::obligations::Application| ObligationApplication {
        addressee: it.addressee,
        rule: it.rule,
        meaning: it.rule.meaning(),
    };
    Ok(Json(ObligationDetail {
        summary: ObligationSummary::of(obligation, day),
        full_text: obligation.nearest_version(day).map(|it| it.text.as_str()).unwrap_or_default(),
        versions: &obligation.versions,
        applications: obligation.applications.iter().map(application).collect(),
        controls: ComplianceControl::all(obligation),
    }))
}
