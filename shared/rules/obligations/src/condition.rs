//! Conditions of rules, and their evaluation with three values: yes, no and unknown.

pub(crate) mod audit;
mod facts;
mod licence;
mod listing;
mod purpose;
mod state;

use domain::Provenance;
use jiff::civil::Date;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Answer, Profile};

pub(crate) use audit::{may_belong_to_listed_group, suggests_ordinary};
pub(crate) use listing::may_be_listed;

/// Subject of a reason: `everyone` (the rule applies to all its addressees), `register` (whether the company is in the
/// register), `legal_form`, `listing` (whether shares are listed or bonds are outstanding), `licence` (of FINMA), `industry`,
/// `domicile` (whether the company may be a domiciliary company), `audit_waiver` (waiver of the limited audit), `size` (size
/// thresholds), `turnover` (of the last year), `organisation` (defects of the organisation), `group` (who controls the company, or
/// whom it controls), `registration` (day of the entry in the register) or `dissolution` (liquidation or bankruptcy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = ScopeFact)]
#[serde(rename_all = "snake_case")]
pub enum FactName {
    /// The rule applies to everyone, or to everyone of its addressees.
    Everyone,
    /// Whether the company is in the register.
    Register,
    /// Legal form.
    LegalForm,
    /// Whether shares are listed or bonds are outstanding.
    Listing,
    /// Licence of FINMA.
    Licence,
    /// Industry.
    Industry,
    /// Domiciliary company.
    Domicile,
    /// Waiver of the limited audit.
    AuditWaiver,
    /// Size test.
    Size,
    /// Turnover of the last year.
    Turnover,
    /// Defects of the organisation.
    Organisation,
    /// Who controls the company, or whom it controls.
    Group,
    /// Day of the entry in the register.
    Registration,
    /// Liquidation or bankruptcy.
    Dissolution,
}

/// The basis of a reason: `stated` by a source, `assumed` because no source says otherwise, `unknown` because the needed
/// statement is missing, `general` if it does not depend on the company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ScopeBasis)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A source states it.
    Stated,
    /// No source says otherwise.
    Assumed,
    /// The needed statement is missing.
    Unknown,
    /// Does not depend on the company.
    General,
}

/// Why a rule applies or does not, or what is missing to decide.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ScopeReason)]
pub struct Reason {
    /// The subject of the reason.
    pub fact: FactName,
    /// Basis of the reason.
    pub basis: Basis,
    /// The reason, in English.
    pub explanation: String,
    /// Source of the statement. Absent if there is none.
    pub source: Option<Provenance>,
}

/// The answer of a condition, with the reasons that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Whether it holds.
    pub answer: Answer,
    /// Why, or what is missing.
    pub reasons: Vec<Reason>,
}

/// When a rule applies. Rules are trees of these.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    /// Always, for the reason given.
    Always(&'static str),
    /// The company is in the register.
    Registered,
    /// The legal form is one of these (eCH-0097).
    Form(&'static [&'static str]),
    /// Shares of the company are listed.
    Listed,
    /// A listed company controls the company.
    SubsidiaryOfListed,
    /// The company has outstanding bonds, or is a large part of a group with listed shares or bonds (CO 727 para. 1 no. 1).
    PublicByBonds,
    /// The company must prepare consolidated accounts.
    Consolidates,
    /// The company is a financial intermediary by a licence of FINMA.
    IntermediaryByLicence,
    /// The company is a financial intermediary, judged by its industry.
    FinancialIndustry,
    /// The company may be a domiciliary company.
    Domiciliary,
    /// The company waived the limited audit, and nothing known contradicts the conditions of a waiver. Foundations: an
    /// authority exempted it.
    OptedOut,
    /// As [`Self::OptedOut`], and the waiver is valid for the financial year of the day.
    WaivedForTheYear,
    /// The licence of FINMA requires an ordinary audit whatever the size.
    AuditedByLicence,
    /// The company needs an ordinary audit: by listing, bonds, size, consolidated accounts or licence.
    OrdinaryAudit,
    /// The rules of the Civil Code about audits apply to the foundation, whose kind decides.
    AuditedAsOrdinaryFoundation,
    /// The company exceeds two of three thresholds of CO 727 in two consecutive years.
    LargeForAudit,
    /// An association exceeds two of three thresholds of CC 69b in two consecutive years.
    LargeAssociation,
    /// The company reaches the size of CO 964a in two consecutive years.
    LargeForSustainability,
    /// The turnover of the last year is at least so many francs.
    TurnoverFrom(i64),
    /// A defect of the organisation is published and was not repaired.
    Defect,
    /// The company is not bankrupt.
    NotBankrupt,
    /// The company is not in liquidation, so that its bodies have all of their duties.
    NotInLiquidation,
    /// The company was deleted after a liquidation in the last ten years.
    BooksAfterDeletion,
    /// The company was entered in the register before this day.
    RegisteredBefore(Date),
    /// The sources do not show it, for the reason given.
    Undecided(FactName, &'static str),
    /// All of these.
    All(&'static [Condition]),
    /// At least one of these.
    Any(&'static [Condition]),
    /// Not this one.
    Not(&'static Condition),
}

/// Whether a licence of FINMA requires an audit for the supervisor.
pub fn supervisory_audit(profile: &Profile) -> Answer {
    Condition::AuditedByLicence.evaluate(profile).answer
}

impl Condition {
    pub(crate) fn evaluate(&self, profile: &Profile) -> Finding {
        match self {
            Self::All(parts) => {
                let decides = |it: &Finding, whole| it.answer == whole || whole == Answer::Yes;
                combine(parts, profile, Answer::Yes, Answer::and, decides)
            }
            Self::Any(parts) => {
                let decides = |it: &Finding, whole| it.answer == whole || whole == Answer::No;
                combine(parts, profile, Answer::No, Answer::or, decides)
            }
            Self::Not(part) => {
                let Finding { answer, reasons } = part.evaluate(profile);
                Finding { answer: answer.not(), reasons }
            }
            leaf => facts::evaluate(leaf, profile),
        }
    }
}

/// Combines parts. Only the reasons of those that decide the whole are kept.
fn combine(
    parts: &[Condition],
    profile: &Profile,
    neutral: Answer,
    join: fn(Answer, Answer) -> Answer,
    decides: impl Fn(&Finding, Answer) -> bool,
) -> Finding {
    let findings: Vec<Finding> = parts.iter().map(|it| it.evaluate(profile)).collect();
    let answer = findings.iter().fold(neutral, |whole, it| join(whole, it.answer));
    let mut reasons: Vec<Reason> = Vec::new();
    for reason in findings.into_iter().filter(|it| decides(it, answer)).flat_map(|it| it.reasons) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    Finding { answer, reasons }
}

fn finding(
    answer: Answer,
    fact: FactName,
    basis: Basis,
    explanation: impl Into<String>,
    source: Option<Provenance>,
) -> Finding {
    let explanation = explanation.into();
    Finding { answer, reasons: vec![Reason { fact, basis, explanation, source }] }
}

/// Yes, without a reason: the ordinary case, which nobody asks about.
fn unremarkable() -> Finding {
    Finding { answer: Answer::Yes, reasons: Vec::new() }
}
