//! Which audit the law requires of a company, and the rotation of its lead auditor.

use domain::{Provenance, auditors::Tenure};
use jiff::ToSpan;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Answer, Basis, FactName, Profile, Reason, Rule, condition::Condition, rule::AUDITED_FORMS,
};

/// Years after which the lead auditor of an ordinary audit changes (CO 730a para. 2).
pub const MAX_LEAD_AUDITOR_YEARS: u8 = 7;

/// Kind of audit: `ordinary`, `limited`, `opting_out` (the limited audit was waived), `none` (the law requires none of this legal
/// form, or a foundation is exempt), or `unknown`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = AuditRegimeKind)]
#[serde(rename_all = "snake_case")]
pub enum RegimeKind {
    /// Ordinary audit.
    Ordinary,
    /// Limited audit.
    Limited,
    /// The limited audit was waived.
    OptingOut,
    /// The law requires no audit of this legal form, or an authority exempted a foundation.
    None,
    /// Not known.
    Unknown,
}

/// Which audit the law requires, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuditRegime {
    /// Kind of audit.
    pub kind: RegimeKind,
    /// Basis of `kind`. `assumed`: no source shows that the company is listed, too large for a limited audit, or has a
    /// licence that requires an ordinary audit, so none is assumed to be required.
    pub basis: Basis,
    /// Why, and what is missing.
    pub reasons: Vec<Reason>,
}

/// Legal forms of which the law requires no audit.
const WITHOUT_AUDIT: [&str; 5] = ["0101", "0103", "0104", "0111", "0151"];

impl AuditRegime {
    /// The audit that the law requires on the day of the profile.
    pub fn of(profile: &Profile) -> Self {
        let of = |kind, basis, reasons| Self { kind, basis, reasons };
        let registered = Condition::Registered.evaluate(profile);
        if profile.is_deleted() {
            return of(RegimeKind::None, Basis::Stated, registered.reasons);
        }
        let form = AUDITED_FORMS.evaluate(profile);
        match form.answer {
            Answer::Unknown => return of(RegimeKind::Unknown, Basis::Unknown, form.reasons),
            Answer::No => return Self::of_other_form(profile, form.reasons),
            Answer::Yes => {}
        }
        let waived = Condition::OptedOut.evaluate(profile);
        let ordinary = Rule::OrdinaryAudit.evaluate(profile);
        match (waived.answer, ordinary.answer) {
            // The law does not let a company waive it.
            (Answer::No | Answer::Unknown, Answer::Yes) => {
                of(RegimeKind::Ordinary, Basis::Stated, ordinary.reasons)
            }
            (Answer::Yes, _) if profile.is_foundation() => {
                of(RegimeKind::None, Basis::Stated, waived.reasons)
            }
            // A listing or a licence may require an ordinary audit in spite of the waiver.
            (Answer::Yes, Answer::Unknown) => {
                let mut reasons = waived.reasons;
                reasons.extend(ordinary.reasons);
                of(RegimeKind::OptingOut, Basis::Assumed, distinct(reasons))
            }
            (Answer::Yes, _) => of(RegimeKind::OptingOut, Basis::Stated, waived.reasons),
            (Answer::Unknown, _) => {
                let mut reasons = waived.reasons;
                reasons.extend(ordinary.reasons);
                of(RegimeKind::Unknown, Basis::Unknown, distinct(reasons))
            }
            // Whether a law on supervision requires an ordinary audit must not be guessed.
            (Answer::No, Answer::Unknown) if profile.company.is_finma_regulated == Some(true) => {
                of(RegimeKind::Unknown, Basis::Unknown, ordinary.reasons)
            }
            // Nor whether its securities are listed, if it has some: listed bonds require one too (CO 727 para. 1).
            (Answer::No, Answer::Unknown)
                if ordinary
                    .reasons
                    .iter()
                    .any(|it| it.fact == FactName::Listing && it.basis == Basis::Unknown) =>
            {
                of(RegimeKind::Unknown, Basis::Unknown, ordinary.reasons)
            }
            (Answer::No, Answer::Unknown) => {
                of(RegimeKind::Limited, Basis::Assumed, ordinary.reasons)
            }
            (Answer::No, Answer::No) => {
                let is_assumed = ordinary.reasons.iter().any(|it| it.basis == Basis::Assumed);
                let basis = if is_assumed { Basis::Assumed } else { Basis::Stated };
                of(RegimeKind::Limited, basis, ordinary.reasons)
            }
        }
    }

    fn of_other_form(profile: &Profile, mut reasons: Vec<Reason>) -> Self {
        let is_without = profile.legal_form().is_some_and(|it| WITHOUT_AUDIT.contains(&it));
        let (kind, basis, text) = match is_without {
            true => {
                let text = "The law requires no audit of this legal form.";
                (RegimeKind::None, Basis::Stated, text)
            }
            false => {
                let text = "Other rules than those of the Code of Obligations decide about the audit of this legal form; they \
                            are not part of this catalogue.";
                (RegimeKind::Unknown, Basis::Unknown, text)
            }
        };
        let (fact, explanation) = (FactName::LegalForm, text.to_owned());
        reasons.push(Reason { fact, basis, explanation, source: None });
        Self { kind, basis, reasons }
    }
}

fn distinct(reasons: Vec<Reason>) -> Vec<Reason> {
    let mut distinct: Vec<Reason> = Vec::new();
    for reason in reasons {
        if !distinct.contains(&reason) {
            distinct.push(reason);
        }
    }
    distinct
}

/// Whether the lead auditor has to change after seven years: `applies` in an ordinary audit, `does_not_apply` otherwise, `unclear` if
/// the kind of audit is assumed or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RotationRule {
    /// The audit is ordinary.
    Applies,
    /// The audit is not ordinary.
    DoesNotApply,
    /// The kind of audit is assumed or unknown.
    Unclear,
}

/// The rotation of the lead auditor, and the tenure of the audit firm.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AuditRotation)]
#[serde(rename_all = "camelCase")]
pub struct Rotation {
    /// Whether the lead auditor has to change.
    pub rule: RotationRule,
    /// Financial years after which the lead auditor of an ordinary audit changes.
    #[schema(example = 7)]
    pub max_lead_auditor_years: u8,
    /// Current audit firm. Absent if none is known.
    pub firm: Option<String>,
    /// Years since the firm was appointed. Absent if the day is not known.
    pub firm_tenure_years: Option<f64>,
    /// Whether the firm has served for more than seven years. A long tenure is an indicator, not a breach: the law
    /// limits the years of the person who leads the audit, whom no source names. Absent if the tenure is not known.
    pub is_long_firm_tenure: Option<bool>,
    /// What this means, in English.
    pub explanation: &'static str,
    /// Source of the appointment. Absent if none is known.
    pub source: Option<Provenance>,
}

impl Rotation {
    /// The rotation under this kind of audit, with the current tenure.
    pub fn of(regime: &AuditRegime, tenure: Option<&Tenure>, profile: &Profile) -> Self {
        let rule = match (regime.kind, regime.basis) {
            (RegimeKind::Ordinary, _) => RotationRule::Applies,
            (RegimeKind::Unknown, _)
            | (RegimeKind::Limited | RegimeKind::OptingOut, Basis::Assumed) => {
                RotationRule::Unclear
            }
            (RegimeKind::Limited | RegimeKind::OptingOut | RegimeKind::None, _) => {
                RotationRule::DoesNotApply
            }
        };
        let years = tenure.and_then(|it| it.years(profile.day));
        Self {
            rule,
            max_lead_auditor_years: MAX_LEAD_AUDITOR_YEARS,
            firm: tenure.map(|it| it.auditor_name.clone()),
            firm_tenure_years: years,
            is_long_firm_tenure: tenure.and_then(|it| it.appointed_at).map(|it| {
                // Not from the years, which are rounded.
                let limit = profile.day.checked_sub(i32::from(MAX_LEAD_AUDITOR_YEARS).years());
                limit.is_ok_and(|limit| it < limit)
            }),
            explanation: match rule {
                RotationRule::Applies => {
                    "The lead auditor changes after seven years (CO 730a para. 2). No source names the lead auditor. A \
                     long tenure of the firm is an indicator, not a breach."
                }
                RotationRule::DoesNotApply => {
                    "The law requires the rotation of the lead auditor in ordinary audits only. A long tenure of the firm is \
                     an indicator, not a breach."
                }
                RotationRule::Unclear => {
                    "Whether the lead auditor has to change depends on the kind of audit, which is not certain. A long \
                     tenure of the firm is an indicator, not a breach."
                }
            },
            source: tenure.map(|it| it.source.clone()),
        }
    }
}
