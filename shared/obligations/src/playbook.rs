//! Audit procedures, and which of them a company needs.

use std::{str::FromStr, sync::LazyLock};

use domain::choice::{Choice, UnknownValue};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Answer, AuditRegime, Basis, CATALOGUE, Obligation, RegimeKind, catalogue::read};

/// Version of the procedures. It changes with their content.
pub const METHODOLOGY_VERSION: &str = "2026.3";

/// Every procedure, in the order of the phases.
pub static PROCEDURES: LazyLock<Vec<Procedure>> =
    LazyLock::new(|| read(include_str!("../data/procedures.json")));

macro_rules! named {
    ($(#[doc = $doc:expr])* $type:ident $schema:ident $what:literal { $($(#[doc = $meaning:literal])* $name:ident $code:tt,)* }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        #[schema(as = $schema)]
        pub enum $type {
            $($(#[doc = $meaning])* #[serde(rename = $code)] $name,)*
        }

        impl $type {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Name in requests and responses.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),* }
            }
        }

        impl FromStr for $type {
            type Err = UnknownValue;

            fn from_str(given: &str) -> Result<Self, UnknownValue> {
                Choice::of($what).read(given, Self::ALL.iter().map(|it| (it.code(), *it)))
            }
        }
    };
}

named! {
    /// Depth of an audit: `core` (procedures of every audit), `complex` (further procedures of an ordinary audit).
    AuditTier AuditTier "a tier" {
        /// Procedures of every audit.
        Core "core",
        /// Further procedures of an ordinary audit.
        Complex "complex",
    }
}

named! {
    /// What makes procedures necessary: `limited_audit`, `ordinary_audit`, `opting_out` (the limited audit was waived), `finma`
    /// (a licence of FINMA that requires an audit for the supervisor).
    AuditOverlay AuditOverlay "an overlay" {
        /// Limited audit.
        LimitedAudit "limited_audit",
        /// Ordinary audit.
        OrdinaryAudit "ordinary_audit",
        /// The limited audit was waived.
        OptingOut "opting_out",
        /// A licence of FINMA that requires an audit for the supervisor.
        Finma "finma",
    }
}

named! {
    /// Phase of an audit: `acceptance` (before the engagement begins), `planning` (strategy and risks), `execution`
    /// (collection of evidence), `completion` (evaluation) or `reporting` (reports).
    AuditPhase AuditPhase "a phase" {
        /// Before the engagement begins.
        Acceptance "acceptance",
        /// Strategy and risks.
        Planning "planning",
        /// Collection of evidence.
        Execution "execution",
        /// Evaluation.
        Completion "completion",
        /// Reports.
        Reporting "reporting",
    }
}

/// A procedure of an audit.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Procedure {
    /// Id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Phase.
    pub phase: AuditPhase,
    /// Standard or article from which it is derived.
    pub source_topic: String,
    /// Depths to which it belongs.
    pub tiers: Vec<AuditTier>,
    /// What makes it necessary. Empty: every company.
    pub overlays: Vec<AuditOverlay>,
    /// Standards and articles.
    pub standards: Vec<StandardRef>,
    /// Ids of obligations that it is about.
    pub obligation_refs: Vec<String>,
    /// Steps in their order.
    pub steps: Vec<Step>,
}

impl Procedure {
    /// The obligations that it is about and that are in force on a day.
    pub fn obligations_on(&self, day: Date) -> impl Iterator<Item = &'static Obligation> {
        let known = self.obligation_refs.iter().filter_map(|id| CATALOGUE.obligation(id));
        known.filter(move |it| it.version(day).is_some())
    }

    /// The steps that the law of a day requires or suggests, each with its number among all steps, from 1.
    pub fn steps_on(&self, day: Date) -> impl Iterator<Item = (usize, &Step)> {
        let applies = move |it: &Step| {
            it.since.is_none_or(|since| since <= day) && it.until.is_none_or(|until| day <= until)
        };
        (1..).zip(&self.steps).filter(move |(_, it)| applies(it))
    }
}

/// A standard or article that a procedure follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditStandardRef)]
#[serde(deny_unknown_fields)]
pub struct StandardRef {
    /// Name of the standard, or abbreviation of the law with the number of the article.
    #[schema(example = "SA-CH 315")]
    pub reference: String,
    /// Who issued it.
    pub body: String,
    /// `law`, `standard` (of the profession) or `supervisory` (of FINMA).
    #[schema(example = "standard")]
    pub binding: String,
    /// Whether the reference was compared with the text of the standard: always false.
    #[serde(default)]
    pub verified: bool,
}

/// A step of a procedure.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditStep)]
// Without `deny_unknown_fields`, because answers contain it among other members.
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// The activity, in one word.
    #[schema(example = "inspect")]
    pub action: String,
    /// Who does it: `lead_auditor`, `engagement_team`, `firm_quality` (quality management of the firm) or `company_board`.
    #[schema(example = "lead_auditor")]
    pub actor: String,
    /// What is done.
    pub instruction: String,
    /// Whether it may not be left out.
    pub mandatory: bool,
    /// Why it is done.
    pub binding_level: BindingLevel,
    /// First day on which the law that this step follows is in force; `obligationRefs` of the procedure lead to the
    /// obligations, which state whether the day is confirmed. Absent if that law has not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub since: Option<Date>,
    /// Last day on which the law that this step follows is in force. Absent if no end is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub until: Option<Date>,
    /// Working papers.
    pub forms: Vec<StepForm>,
    /// Data that it needs.
    pub data_requirements: Vec<DataRequirement>,
    /// Analytical procedures that help.
    pub analytical_procedures: Vec<AnalyticalProcedure>,
}

/// A working paper.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditStepForm)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepForm {
    /// Number of the working paper.
    #[schema(example = "B-01")]
    pub form_number: String,
    /// Title.
    pub form_title: String,
    /// Kind, such as `checklist`.
    #[schema(example = "checklist")]
    pub form_type: String,
    /// The part of the working papers in which it is filed.
    pub context: String,
    /// Whether it may not be left out.
    pub is_mandatory: bool,
}

/// Data that a step needs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditDataRequirement)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DataRequirement {
    /// Kind of data.
    #[schema(example = "register")]
    pub data_type: String,
    /// Name.
    pub name: String,
    /// Names of the fields that are needed.
    pub fields: Vec<String>,
    /// Where it is: a system of the company, or an operation of this API.
    pub source_system: String,
    /// Format of the data, such as `JSON`.
    #[schema(example = "JSON")]
    pub format: String,
    /// What it supports.
    pub assertion: Assertion,
}

/// Why an audit step is done: `law` (a statute requires it), `standard` (a standard of the profession requires it) or
/// `good_practice` (careful auditors do it).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AuditBindingLevel)]
pub enum BindingLevel {
    /// A statute requires it.
    Law,
    /// A standard of the profession requires it.
    Standard,
    /// Careful auditors do it.
    GoodPractice,
}

/// A statement about figures that an audit tests: `existence` (what is stated exists), `completeness` (nothing is
/// missing), `accuracy` (the amounts are right) or `occurrence` (what is stated has happened, in the period stated).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AuditAssertion)]
pub enum Assertion {
    /// What is stated exists.
    Existence,
    /// Nothing is missing.
    Completeness,
    /// The amounts are right.
    Accuracy,
    /// What is stated has happened, in the period stated.
    Occurrence,
}

/// An analytical procedure.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditAnalyticalProcedure)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalyticalProcedure {
    /// Kind of procedure, such as `ratio`.
    #[schema(example = "ratio")]
    pub procedure_type: String,
    /// Name.
    pub name: String,
    /// What is done.
    pub description: String,
    /// Figures that it uses.
    pub data_features: Vec<String>,
}

/// Which procedures are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Depths of the audit.
    pub tiers: Vec<AuditTier>,
    /// What makes procedures necessary.
    pub overlays: Vec<AuditOverlay>,
    /// Reasons for the selection, in English.
    pub rationale: Vec<String>,
}

impl Selection {
    /// What a company needs, given the audit that the law requires and whether a licence of FINMA requires one for the
    /// supervisor.
    pub fn of(regime: &AuditRegime, supervisory_audit: Answer) -> Self {
        let (tiers, overlay): (&[AuditTier], _) = match regime.kind {
            RegimeKind::Ordinary => (AuditTier::ALL, Some(AuditOverlay::OrdinaryAudit)),
            RegimeKind::Limited => (&[AuditTier::Core], Some(AuditOverlay::LimitedAudit)),
            RegimeKind::OptingOut => (&[AuditTier::Core], Some(AuditOverlay::OptingOut)),
            RegimeKind::None | RegimeKind::Unknown => (&[AuditTier::Core], None),
        };
        let conclusion = match (regime.kind, regime.basis) {
            (RegimeKind::Ordinary, _) => "An ordinary audit is required.",
            (RegimeKind::Limited, _) => {
                "A limited audit is assumed: it is the rule if an ordinary audit is not required, and the sources do not show \
                 everything that decides about it."
            }
            (RegimeKind::OptingOut, Basis::Assumed) => {
                "The limited audit was waived, but a listing or a licence may require an ordinary audit: both are checked."
            }
            (RegimeKind::OptingOut, _) => {
                "The limited audit was waived: its conditions are checked."
            }
            (RegimeKind::None, _) => "The law requires no audit of the company.",
            (RegimeKind::Unknown, _) => {
                "The kind of audit is not known: only procedures that every audit begins with are listed."
            }
        };
        let mut rationale = vec![conclusion.to_owned()];
        rationale.extend(regime.reasons.iter().map(|it| it.explanation.clone()));
        let mut overlays: Vec<AuditOverlay> = overlay.into_iter().collect();
        match supervisory_audit {
            Answer::Yes => {
                overlays.push(AuditOverlay::Finma);
                let why = "Its licence of FINMA requires an audit for the supervisor.";
                rationale.push(why.to_owned());
            }
            Answer::Unknown => {
                let why = "FINMA has authorised the company; whether its licence requires an audit for the supervisor is not \
                           known. The overlay `finma` adds its procedures.";
                rationale.push(why.to_owned());
            }
            Answer::No => {}
        }
        Self { tiers: tiers.to_vec(), overlays, rationale }
    }

    /// The same with the tiers of a request.
    #[must_use]
    pub fn with_tiers(mut self, tiers: Vec<AuditTier>) -> Self {
        self.tiers = distinct(tiers);
        self.rationale.push("The tiers are those of the request.".to_owned());
        self
    }

    /// The same with the overlays of a request. A kind of audit replaces that of the company; what else makes procedures
    /// necessary for the company stays.
    #[must_use]
    pub fn with_overlays(mut self, overlays: Vec<AuditOverlay>) -> Self {
        let is_kind = |it: &AuditOverlay| *it != AuditOverlay::Finma;
        if overlays.iter().any(is_kind) {
            self.overlays.retain(|it| !is_kind(it));
            self.rationale.push("The kind of audit is that of the request.".to_owned());
        }
        if overlays.contains(&AuditOverlay::Finma) && !self.overlays.contains(&AuditOverlay::Finma)
        {
            self.rationale
                .push("The request adds the procedures of audits for the supervisor.".to_owned());
        }
        self.overlays = distinct([self.overlays, overlays].concat());
        self
    }

    fn wants(&self, procedure: &Procedure) -> bool {
        let of_tier = procedure.tiers.iter().any(|it| self.tiers.contains(it));
        let of_overlay = procedure.overlays.iter().any(|it| self.overlays.contains(it));
        of_tier && (procedure.overlays.is_empty() || of_overlay)
    }
}

fn distinct<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values.dedup();
    values
}

/// The wanted procedures by phase, in the order of the phases. Phases without procedures are left out.
pub fn select(selection: &Selection) -> Vec<(AuditPhase, Vec<&'static Procedure>)> {
    let of_phase = |phase: AuditPhase| {
        let wanted = PROCEDURES.iter().filter(|it| it.phase == phase && selection.wants(it));
        (phase, wanted.collect::<Vec<_>>())
    };
    let phases = AuditPhase::ALL.iter().map(|it| of_phase(*it));
    phases.filter(|(_, procedures)| !procedures.is_empty()).collect()
}

#[cfg(test)]
mod tests;
