//! Which legal obligations apply to a company and why, and how it is audited.
//!
//! Invariant: no I/O, no clock. Results depend on the arguments only.
//!
//! The catalogue is data in our own words (`data/*.json`), not the text of the law. [`Rule`] says when an obligation
//! applies; [`scope`] evaluates the rules for a [`Profile`]. What is not known stays unknown: a rule then answers
//! [`Answer::Unknown`] and says what is missing.
//!
//! Reading order: `catalogue`, `profile`, `answer`, `size`, `condition`, `rule`, `scope`; for audits `waiver`, `regime`, `playbook`.

mod answer;
mod catalogue;
mod condition;
mod group;
mod legal_form;
mod playbook;
mod profile;
mod regime;
mod rule;
mod scope;
mod size;
mod waiver;

pub use answer::Answer;
pub use catalogue::{
    Addressee, Application, CATALOGUE, Catalogue, Control, ControlFrequency, ControlType,
    DeonticOperator, Evidence, Jurisdiction, LegalStatus, Obligation, Part, Regulation,
    RegulationKind, Version,
};
pub use condition::{Basis, FactName, Finding, Reason, supervisory_audit};
pub use group::{Group, GroupMember};
pub use playbook::{
    AnalyticalProcedure, Assertion, AuditOverlay, AuditPhase, AuditTier, BindingLevel,
    DataRequirement, InForce, METHODOLOGY_VERSION, PROCEDURES, Procedure, Selection, StandardRef,
    Step, StepForm, select,
};
pub use profile::Profile;
pub use regime::{AuditRegime, MAX_LEAD_AUDITOR_YEARS, RegimeKind, Rotation, RotationRule};
pub use rule::Rule;
pub use scope::{Applied, AppliedTo, Scope, scope};
pub use size::AnnualFigures;
pub use waiver::{waiver_covers, waiver_for_later_years};
