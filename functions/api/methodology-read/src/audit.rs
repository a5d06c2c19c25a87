//! The audit procedures of a company.

use std::collections::BTreeSet;

use ::obligations::{
    AuditOverlay, AuditPhase, AuditRegime, AuditTier, METHODOLOGY_VERSION, Procedure, Rotation,
    Selection, StandardRef, Step, select, supervisory_audit,
};
use axum::{Json, extract::State, response::IntoResponse};
use company_reader::scope::ScopeSubject;
use domain::{Uid, choice::UnknownValue, search::Values};
use http_service::{CompanyPath, Description, Path, Query, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10), handler!(audit_playbook))
}

/// A tier of a request. Case and separators do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct WantedTier(AuditTier);

impl TryFrom<String> for WantedTier {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        given.parse().map(Self)
    }
}

/// An overlay of a request. Case and separators do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct WantedOverlay(AuditOverlay);

impl TryFrom<String> for WantedOverlay {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        given.parse().map(Self)
    }
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PlaybookQuery {
    /// Depths of the procedures, separated by commas. Not the subscription tier. Default: those that the company needs.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<AuditTier>>, max_items = 100, example = json!(["core", "complex"]))]
    tiers: Values<WantedTier>,
    /// Additional reasons for procedures, besides those that apply to the company, separated by commas. A kind of audit
    /// (`ordinary_audit`, `limited_audit`, `opting_out`) replaces that of the company.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<AuditOverlay>>, max_items = 100, example = json!(["ordinary_audit"]))]
    overlays: Values<WantedOverlay>,
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2024-06-30")]
    as_of: Option<Date>,
}

/// The audit procedures of a company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditPlaybook {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day for which the company and the law are assessed.
    as_of: Date,
    /// Version of the procedures.
    #[schema(example = "2026.4")]
    methodology_version: &'static str,
    /// Which audit the law requires of the company.
    regime: AuditRegime,
    /// Which procedures were selected, and why.
    profile: AuditProfile,
    /// Rotation of the lead auditor, and tenure of the firm.
    rotation: Rotation,
    /// Numbers of entries in `phases`.
    totals: PlaybookTotals,
    /// The procedures by phase.
    phases: Vec<PhaseGroup>,
}

/// Which procedures were selected, and why.
#[derive(Serialize, ToSchema)]
struct AuditProfile {
    /// Depths of the audit whose procedures were selected. Not the subscription tier.
    tiers: Vec<AuditTier>,
    /// What makes procedures necessary.
    overlays: Vec<AuditOverlay>,
    /// Jurisdiction: always `CH`.
    #[schema(example = "CH")]
    jurisdiction: &'static str,
    /// Reasons for the selection, in English.
    rationale: Vec<String>,
}

/// Numbers of entries in a playbook.
#[derive(Serialize, ToSchema)]
struct PlaybookTotals {
    /// Number of procedures.
    procedures: usize,
    /// Number of steps.
    steps: usize,
    /// Number of different standards and articles.
    standards: usize,
}

/// The procedures of a phase.
#[derive(Serialize, ToSchema)]
struct PhaseGroup {
    /// Phase.
    phase: AuditPhase,
    /// Procedures.
    procedures: Vec<ProcedureCard>,
}

/// A procedure of an audit, in our words.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProcedureCard {
    /// Id.
    #[schema(example = "materiality")]
    id: &'static str,
    /// Title.
    title: &'static str,
    /// Id of the first of `obligationRefs`. Absent if there is none.
    topic_id: Option<&'static str>,
    /// Standard or article from which it is derived.
    #[schema(example = "SA-CH 315")]
    source_topic: &'static str,
    /// Depths to which it belongs.
    tiers: &'static [AuditTier],
    /// What makes it necessary. Empty if every company needs it.
    overlays: &'static [AuditOverlay],
    /// Whether every company needs it.
    is_universal: bool,
    /// Number of steps.
    step_count: usize,
    /// Steps in their order.
    steps: Vec<StepCard>,
    /// Standards, and articles that are in force on the day.
    standards: Vec<&'static StandardRef>,
    /// Ids of the obligations that it is about and that are in force on the day.
    obligation_refs: Vec<&'static str>,
}

/// A step of a procedure.
#[derive(Serialize, ToSchema)]
struct StepCard {
    /// Id of the procedure, a hyphen and a number. The number can differ from `order`: steps that are not in force on the
    /// day also have numbers.
    #[schema(example = "materiality-1")]
    id: String,
    /// Number of the step, from 1.
    order: usize,
    #[serde(flatten)]
    step: &'static Step,
}

impl ProcedureCard {
    fn of(it: &'static Procedure, day: Date) -> Self {
        let obligation_refs: Vec<&str> = it.obligations_on(day).map(|it| it.id.as_str()).collect();
        let step = |(order, (number, step)): (usize, (usize, &'static Step))| StepCard {
            id: format!("{}-{number}", it.id),
            order,
            step,
        };
        let steps: Vec<StepCard> = (1..).zip(it.steps_on(day)).map(step).collect();
        Self {
            id: &it.id,
            title: &it.title,
            topic_id: obligation_refs.first().copied(),
            source_topic: it.source_topic_on(day),
            tiers: &it.tiers,
            overlays: &it.overlays,
            is_universal: it.overlays.is_empty(),
            step_count: steps.len(),
            steps,
            standards: it.standards_on(day).collect(),
            obligation_refs,
        }
    }
}

fn totals(phases: &[PhaseGroup]) -> PlaybookTotals {
    let procedures = || phases.iter().flat_map(|it| &it.procedures);
    let standards = procedures().flat_map(|it| &it.standards).map(|it| it.reference.as_str());
    PlaybookTotals {
        procedures: procedures().count(),
        steps: procedures().map(|it| it.step_count).sum(),
        standards: standards.collect::<BTreeSet<_>>().len(),
    }
}

/// Get a company's audit procedures
///
/// Which audit the law requires of the company on a day and why, and procedures by phase: those of a limited or an ordinary
/// audit, the checks that replace an audit that was waived, and those of an audit for FINMA. No source shows everything that decides
/// about the kind of audit. A company with an auditor is assumed to have a limited audit, and `regime` says so, unless a source
/// points to listed securities, to a figure above a threshold of the ordinary audit, or to a licence of FINMA. Also for an earlier day, the current procedures
/// (`methodologyVersion`) are returned; their steps, articles and obligations are those of the law of that day, and the standards of
/// the profession those of today. The law on audits of before 2008 is not part of the catalogue: no kind of audit is stated then. They are a
/// guide in our words, and replace neither the standards nor the judgement of an auditor.
///
/// The lead auditor of an ordinary audit changes after seven years. No source names this person: a long tenure of the
/// firm is an indicator, not a breach.
#[utoipa::path(
    get,
    path = "/v1/audit/playbook/{uid}",
    tag = "Compliance",
    params(CompanyPath, PlaybookQuery),
    responses((status = OK, body = AuditPlaybook)),
)]
async fn audit_playbook(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(PlaybookQuery { tiers, overlays, as_of }): Query<PlaybookQuery>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let subject = ScopeSubject::read(&state.sources(), &generation, uid, as_of).await?;
    let profile = subject.profile();
    let regime = AuditRegime::of(&profile);
    let mut selection = Selection::of(&regime, supervisory_audit(&profile));
    if !tiers.is_empty() {
        selection = selection.with_tiers(tiers.iter().map(|it| it.0).collect());
    }
    if !overlays.is_empty() {
        selection = selection.with_overlays(overlays.iter().map(|it| it.0).collect());
    }
    let selection = selection.on(subject.day);
    let phases =
        select(&selection, subject.day).into_iter().map(|(phase, procedures)| PhaseGroup {
            phase,
            procedures: procedures
                .into_iter()
                .map(|it| ProcedureCard::of(it, subject.day))
                .collect(),
        });
    let phases: Vec<PhaseGroup> = phases.collect();
    let Selection { tiers, overlays, rationale } = selection;
    let rotation = Rotation::of(&regime, profile.history.current_tenure(), &profile);
    Ok(Json(AuditPlaybook {
        company_uid: uid,
        company_name: profile.company.name.clone(),
        as_of: subject.day,
        methodology_version: METHODOLOGY_VERSION,
        regime,
        profile: AuditProfile { tiers, overlays, jurisdiction: "CH", rationale },
        rotation,
        totals: totals(&phases),
        phases,
    }))
}
