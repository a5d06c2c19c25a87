//! Audit procedures, and which of them a company needs.

use std::{str::FromStr, sync::LazyLock};

use domain::choice::{Choice, UnknownValue};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Answer, AuditRegime, Basis, CATALOGUE, Obligation, RegimeKind, catalogue::read};

/// Version of the procedures. It changes with their content.
pub const METHODOLOGY_VERSION: &str = "2026.4";

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

impl AuditOverlay {
    /// Whether the law of a day knows this kind of audit.
    fn is_known_on(self, day: Date) -> bool {
        match self {
            Self::LimitedAudit | Self::OptingOut => CATALOGUE.is_in_force("co-727a", day),
            Self::OrdinaryAudit => CATALOGUE.is_in_force("co-727", day),
            Self::Finma => true,
        }
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
        (1..).zip(&self.steps).filter(move |(_, it)| it.in_force.is_on(day))
    }

    /// The standards of today, and the articles that are in force on a day.
    pub fn standards_on(&self, day: Date) -> impl Iterator<Item = &StandardRef> {
        self.standards.iter().filter(move |it| it.in_force.is_on(day))
    }

    /// Standard or article from which it is derived; the first of those in force on a day if that one is not.
    pub fn source_topic_on(&self, day: Date) -> &str {
        let is_topic = |it: &StandardRef| it.reference == self.source_topic;
        let is_missing = self.standards.iter().any(|it| is_topic(it) && !it.in_force.is_on(day));
        let other = self.standards_on(day).next().filter(|_| is_missing);
        other.map_or(&self.source_topic, |it| &it.reference)
    }
}

/// The days on which the law that something follows is in force, as the catalogue of obligations states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditLawInForce)]
#[serde(from = "Followed")]
pub struct InForce {
    /// First day on which the law that this follows is in force; `obligationRefs` of the procedure lead to the obligations,
    /// which state whether the day is confirmed. Absent if this follows no provision of the catalogue of obligations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub since: Option<Date>,
    /// Last day on which the law that this follows is in force. Absent if no end is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub until: Option<Date>,
}

/// An obligation of the catalogue, or one of its versions, from 1.
#[derive(Deserialize)]
struct Followed {
    follows: Option<String>,
    version: Option<usize>,
}

impl From<Followed> for InForce {
    fn from(Followed { follows, version }: Followed) -> Self {
        let Some(id) = follows else { return Self::default() };
        let known = CATALOGUE.obligation(&id).map(|it| it.versions.as_slice());
        let versions = known.expect("procedures follow obligations of the catalogue");
        let versions = version.map_or(versions, |it| &versions[it - 1..it]);
        Self {
            since: versions.first().and_then(|it| it.since),
            until: versions.last().and_then(|it| it.until),
        }
    }
}

impl InForce {
    fn is_on(self, day: Date) -> bool {
        self.since.is_none_or(|it| it <= day) && self.until.is_none_or(|it| day <= it)
    }
}

/// A standard or article that a procedure follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AuditStandardRef)]
// Without `deny_unknown_fields`, because of the flattened member.
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
    /// When the article is in force. Nothing for standards of the profession and of FINMA: they are those of today.
    #[serde(flatten)]
    pub in_force: InForce,
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
    /// When the law that it follows is in force.
    #[serde(flatten)]
    pub in_force: InForce,
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
            (RegimeKind::Ordinary, Basis::Assumed) => {
                "An ordinary audit is assumed: the figures of the group point to it, and the sources do not show everything that \
                 decides about it."
            }
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
            (RegimeKind::Unknown, Basis::Stated) => {
                "The audit is that of the law on occupational pensions: only procedures that every audit begins with are listed."
            }
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

    /// The same without the kinds of audit that the law of a day did not know.
    #[must_use]
    pub fn on(mut self, day: Date) -> Self {
        let wanted = self.overlays.len();
        self.overlays.retain(|it| it.is_known_on(day));
        if self.overlays.len() < wanted {
            let why = "The law of the day did not know every kind of audit of the request.";
            self.rationale.push(why.to_owned());
        }
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

/// The wanted procedures that have steps on a day, by phase, in the order of the phases. Phases without procedures are left out.
pub fn select(selection: &Selection, day: Date) -> Vec<(AuditPhase, Vec<&'static Procedure>)> {
    let has_steps = |it: &Procedure| it.steps_on(day).next().is_some();
    let of_phase = |phase: AuditPhase| {
        let of_phase = PROCEDURES.iter().filter(|it| it.phase == phase);
        let wanted = of_phase.filter(|it| selection.wants(it) && has_steps(it));
        (phase, wanted.collect::<Vec<_>>())
    };
    let phases = AuditPhase::ALL.iter().map(|it| of_phase(*it));
    phases.filter(|(_, procedures)| !procedures.is_empty()).collect()
}

#[cfg(test)]
mod tests;
