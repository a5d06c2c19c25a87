//! Which audit the law requires of a company, and the rotation of its lead auditor.

use domain::{Company, History, Provenance, auditors::Tenure};
use jiff::{ToSpan, civil::Date};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Answer, Basis, CATALOGUE, FactName, Group, Profile, Reason, Rule,
    condition::{Condition, may_be_listed, may_belong_to_listed_group, suggests_ordinary},
    legal_form::{AG, ASSOCIATION, FOUNDATION, KMAG},
    rule::CAPITAL_COMPANIES,
    size,
    waiver::WAIVERS_FOR_LATER_YEARS,
};

/// Years after which the lead auditor of an ordinary audit changes (CO 730a para. 2).
pub const MAX_LEAD_AUDITOR_YEARS: u8 = 7;

/// Kind of audit: `ordinary`, `limited` (always assumed), `opting_out` (the limited audit was waived), `none` (the law requires none
/// of this legal form, a foundation is exempt, or the company was deleted), or `unknown`.
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
    /// The law requires no audit of this legal form, an authority exempted a foundation, or the company was deleted.
    None,
    /// Not known.
    Unknown,
}

/// Which audit the law requires, and why.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AuditRegime {
    /// Kind of audit.
    pub kind: RegimeKind,
    /// Basis of `kind`. `assumed`: no source points to shares or bonds that are listed, to a size that is too large for a limited
    /// audit, or to a licence of FINMA, so no ordinary audit is assumed to be required; or, of an ordinary audit, the figures of a
    /// group point to it. Outstanding bonds and duties to prepare consolidated accounts are in no source.
    pub basis: Basis,
    /// Why, and what is missing.
    pub reasons: Vec<Reason>,
}

/// The day since which the present law of audits is in force.
const PRESENT_LAW: Date = WAIVERS_FOR_LATER_YEARS;

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
        if let Some(reason) = former_law(profile) {
            return of(RegimeKind::Unknown, Basis::Unknown, vec![reason]);
        }
        // A bankruptcy changes nothing where the law never required an audit.
        let bankrupt = Condition::NotBankrupt.evaluate(profile);
        if bankrupt.answer == Answer::No && !is_without_audit(profile) {
            return of(RegimeKind::Unknown, Basis::Unknown, bankrupt.reasons);
        }
        let form = CAPITAL_COMPANIES.evaluate(profile);
        match form.answer {
            Answer::Unknown => return of(RegimeKind::Unknown, Basis::Unknown, form.reasons),
            Answer::No if profile.is_foundation() => return Self::of_foundation(profile),
            Answer::No => return Self::of_other_form(profile, form.reasons),
            Answer::Yes => {}
        }
        let waived = Condition::WaivedForTheYear.evaluate(profile);
        let ordinary = Rule::OrdinaryAudit.evaluate(profile);
        match (waived.answer, ordinary.answer) {
            // The law does not let a company waive it.
            (Answer::No | Answer::Unknown, Answer::Yes) => {
                of(RegimeKind::Ordinary, Basis::Stated, ordinary.reasons)
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
            // Only a waiver, here of later years, shows that no ordinary audit is required.
            (Answer::No, Answer::No) => of(RegimeKind::Limited, Basis::Assumed, waived.reasons),
            (Answer::No, _) if suggests_ordinary(&ordinary.reasons) => {
                of(RegimeKind::Ordinary, Basis::Assumed, ordinary.reasons)
            }
            (Answer::No, _) if may_be_ordinary(profile) => {
                of(RegimeKind::Unknown, Basis::Unknown, ordinary.reasons)
            }
            (Answer::No, _) => of(RegimeKind::Limited, Basis::Assumed, ordinary.reasons),
        }
    }

    /// The audit that the law would require if the limited audit had not been waived, from record and history alone: for columns,
    /// which hold nothing that depends on today. The day is that of the newest event, but not before the present law. The exemption
    /// of a foundation is no waiver.
    pub fn without_waiver(company: &Company, history: &History) -> Self {
        let mut without_waiver = company.clone();
        let is_foundation = company.legal_form_code.as_deref() == Some(FOUNDATION);
        if company.auditor_opt_out == Some(true) && !is_foundation {
            without_waiver.auditor_opt_out = Some(false);
        }
        let group = Group::default();
        let day = history.newest().map_or(PRESENT_LAW, |it| it.max(PRESENT_LAW));
        Self::of(&Profile {
            company: &without_waiver,
            history,
            proofs: None,
            figures: &[],
            listing: None,
            securities: None,
            group: &group,
            licences: &[],
            day,
        })
    }

    /// An exemption is entered in the register. The rest depends on the kind of the foundation.
    fn of_foundation(profile: &Profile) -> Self {
        let exempt = Condition::OptedOut.evaluate(profile);
        if exempt.answer == Answer::Yes {
            return Self { kind: RegimeKind::None, basis: Basis::Stated, reasons: exempt.reasons };
        }
        let mut reasons = exempt.reasons;
        let other = Condition::AuditedAsOrdinaryFoundation.evaluate(profile);
        // The audit of a pension foundation is known, but is none of these kinds.
        let basis = match other.answer {
            Answer::No => Basis::Stated,
            Answer::Yes | Answer::Unknown => Basis::Unknown,
        };
        reasons.extend(other.reasons);
        Self { kind: RegimeKind::Unknown, basis, reasons }
    }

    fn of_other_form(profile: &Profile, mut reasons: Vec<Reason>) -> Self {
        let large = Rule::AssociationAudit.evaluate(profile);
        if large.answer == Answer::Yes {
            return Self {
                kind: RegimeKind::Ordinary,
                basis: Basis::Stated,
                reasons: large.reasons,
            };
        }
        // Banks can be partnerships, or branches of foreign banks.
        let is_licensed = profile.company.is_finma_regulated == Some(true);
        let (kind, basis, text) = match (is_without_audit(profile), is_licensed) {
            (true, false) => {
                let text = "The law requires no audit of this legal form. The audit of a branch is that of its head office.";
                (RegimeKind::None, Basis::Stated, text)
            }
            (true, true) => {
                reasons.extend(Condition::AuditedByLicence.evaluate(profile).reasons);
                let text = "Company law requires no audit of this legal form, but a law on supervision may.";
                (RegimeKind::Unknown, Basis::Unknown, text)
            }
            (false, _) if profile.legal_form() == Some(ASSOCIATION) => {
                reasons = large.reasons;
                let text = "An association that is not so large has a limited audit if a member who is liable or must make \
                            further contributions demands it, or an audit if its articles say so (CC 69b). Neither is known.";
                (RegimeKind::Unknown, Basis::Unknown, text)
            }
            (false, _) => {
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

fn is_without_audit(profile: &Profile) -> bool {
    profile.legal_form().is_some_and(|it| WITHOUT_AUDIT.contains(&it))
}

/// That the law on audits of the day is not part of the catalogue, unless the legal form needed no audit then either.
fn former_law(profile: &Profile) -> Option<Reason> {
    if is_without_audit(profile) || CATALOGUE.is_in_force("co-727", profile.day) {
        return None;
    }
    let explanation = match profile.legal_form() {
        Some(AG | KMAG) => {
            "Every corporation had an auditor by the law of that day, which is not part of this catalogue. It knew neither a \
             limited audit nor a waiver."
        }
        _ => {
            "The law on audits of that day is not part of this catalogue. It knew neither a limited audit nor a waiver."
        }
    };
    Some(Reason {
        fact: FactName::LegalForm,
        basis: Basis::General,
        explanation: explanation.to_owned(),
        source: None,
    })
}

/// Whether a source points to something that requires an ordinary audit, so that a limited one must not be assumed.
fn may_be_ordinary(profile: &Profile) -> bool {
    let limits = size::ordinary_audit(profile.day);
    profile.company.is_finma_regulated == Some(true)
        || may_be_listed(profile)
        || may_belong_to_listed_group(profile)
        || size::exceeds_one(profile.figures, limits, profile.day)
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

/// Whether the lead auditor has to change after seven years: `applies` in an ordinary audit, `does_not_apply` otherwise and before there
/// was this rule, `unclear` if the kind of audit is assumed or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RotationRule {
    /// The audit is ordinary.
    Applies,
    /// The audit is not ordinary, or there was no such rule on the day.
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
    /// Financial years after which the lead auditor of an ordinary audit changes. Absent if the law of the day set no limit.
    #[schema(example = 7)]
    pub max_lead_auditor_years: Option<u8>,
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
        let is_limited = CATALOGUE.is_in_force("co-730a", profile.day);
        let rule = match (regime.kind, regime.basis) {
            _ if !is_limited => RotationRule::DoesNotApply,
            (RegimeKind::Unknown | RegimeKind::Limited, _)
            | (RegimeKind::OptingOut | RegimeKind::Ordinary, Basis::Assumed) => {
                RotationRule::Unclear
            }
            (RegimeKind::Ordinary, _) => RotationRule::Applies,
            (RegimeKind::OptingOut | RegimeKind::None, _) => RotationRule::DoesNotApply,
        };
        let years = tenure.and_then(|it| it.years(profile.day));
        Self {
            rule,
            max_lead_auditor_years: is_limited.then_some(MAX_LEAD_AUDITOR_YEARS),
            firm: tenure.map(|it| it.auditor_name.clone()),
            firm_tenure_years: years,
            is_long_firm_tenure: tenure.and_then(|it| it.appointed_at).map(|it| {
                // Not from the years, which are rounded.
                let limit = profile.day.checked_sub(i32::from(MAX_LEAD_AUDITOR_YEARS).years());
                limit.is_ok_and(|limit| it < limit)
            }),
            explanation: match rule {
                _ if !is_limited => {
                    "The law of the day did not limit the years of the lead auditor. A long tenure of the firm is an \
                     indicator, not a breach."
                }
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
