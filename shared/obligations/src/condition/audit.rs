//! The conditions about audits: waiver, size, and what makes an ordinary audit necessary.

use super::{Answer, Basis, Condition, FactName, Finding, Reason, finding};
use crate::{
    Profile,
    size::{AnnualFigures, SizeTest, exceeds_two_of_three, newest, ordinary_audit},
};

/// Full-time positions up to which a company can waive the limited audit (CO 727a para. 2).
const POSITIONS_OF_WAIVER: u32 = 10;

/// Whether the limited audit was waived, as the register states it.
fn waiver(profile: &Profile) -> Finding {
    let company = profile.company;
    let fact = FactName::AuditWaiver;
    match (company.auditor_opt_out, &company.auditor_name) {
        (Some(true), _) => {
            let text = match profile.is_foundation() {
                true => {
                    "The register states that it has no auditor by exemption: the supervisory authority can exempt a \
                     foundation that does not need an ordinary audit (CC 83b para. 2)."
                }
                false => {
                    "The register states that it waived the limited audit, for which it must have no more than ten \
                     full-time positions and need no ordinary audit."
                }
            };
            let source = profile.source_of("auditorOptOut");
            finding(Answer::Yes, fact, Basis::Stated, text, source)
        }
        (_, Some(auditor)) => {
            let text = format!("The register names an auditor: {auditor}.");
            finding(Answer::No, fact, Basis::Stated, text, profile.source_of("auditorName"))
        }
        (Some(false), None) => {
            let text = "The register states no waiver of the limited audit.";
            finding(Answer::No, fact, Basis::Stated, text, profile.source_of("auditorOptOut"))
        }
        (None, None) => {
            let text = "Neither an auditor nor a waiver of the limited audit is known.";
            finding(Answer::Unknown, fact, Basis::Unknown, text, None)
        }
    }
}

/// Whether the limited audit was waived. Unknown if other facts contradict the conditions of the waiver: the waiver may be
/// void, or the facts may be those of another time or of a group.
pub(super) fn opted_out(profile: &Profile) -> Finding {
    let waiver = waiver(profile);
    if waiver.answer != Answer::Yes {
        return waiver;
    }
    let mut against = Vec::new();
    let needed = by_listing_size_or_licence(profile);
    if needed.answer == Answer::Yes {
        against.extend(needed.reasons);
    }
    against.extend(too_many_positions(profile));
    match against.is_empty() {
        true => waiver,
        false => contradiction(waiver, against),
    }
}

/// Whether an ordinary audit is required. A waiver in the register shows that the board declared that it is not, but does
/// not change what the law requires (CO 727 para. 1).
pub(super) fn ordinary(profile: &Profile) -> Finding {
    let needed = by_listing_size_or_licence(profile);
    let waiver = waiver(profile);
    match (needed.answer, waiver.answer) {
        (Answer::Yes, Answer::Yes) => contradiction(waiver, needed.reasons),
        (Answer::Unknown, Answer::Yes) if may_be_required_whatever_the_size(&needed) => {
            contradiction(waiver, needed.reasons)
        }
        (Answer::Unknown, Answer::Yes) => Finding { answer: Answer::No, ..waiver },
        _ => needed,
    }
}

/// Whether a listing or a licence, of which the sources do not show enough, may require an ordinary audit.
fn may_be_required_whatever_the_size(needed: &Finding) -> bool {
    let is_open = |it: &Reason| {
        matches!(it.fact, FactName::Listing | FactName::Licence) && it.basis == Basis::Unknown
    };
    needed.reasons.iter().any(is_open)
}

fn by_listing_size_or_licence(profile: &Profile) -> Finding {
    Condition::Any(&[Condition::Listed, Condition::LargeForAudit, Condition::AuditedByLicence])
        .evaluate(profile)
}

/// Unknown, with the reasons of both sides.
fn contradiction(waiver: Finding, against: Vec<Reason>) -> Finding {
    let mut reasons = waiver.reasons;
    reasons.extend(against);
    Finding { answer: Answer::Unknown, reasons }
}

/// A reason if the newest figures state more positions than a company that waives the limited audit may have.
fn too_many_positions(profile: &Profile) -> Option<Reason> {
    if profile.is_foundation() {
        return None;
    }
    let year = newest(profile.figures, profile.day)?;
    let employees = year.employees.filter(|it| *it > POSITIONS_OF_WAIVER)?;
    let explanation = format!(
        "Its annual report of {} states {employees} employees; a company that waives the limited audit has no more than \
         {POSITIONS_OF_WAIVER} full-time positions. Reports often state employees of a group.",
        year.fiscal_year
    );
    let source = Some(year.source.clone());
    Some(Reason { fact: FactName::Size, basis: Basis::Stated, explanation, source })
}

/// Licences of FINMA, in the words of its list, whose holders have an ordinary audit whatever their size (Banking Act 18).
const BANKS: [&str; 2] = ["bank", "raiffeisen bank"];

/// Whether the licence requires an ordinary audit.
pub(super) fn by_licence(profile: &Profile) -> Finding {
    let fact = FactName::Licence;
    let source = profile.source_of("isFinmaRegulated");
    if profile.company.is_finma_regulated != Some(true) {
        let text = "No known list of FINMA names it; it is assumed to have no licence that requires an ordinary audit.";
        return finding(Answer::No, fact, Basis::Assumed, text, None);
    }
    let is_bank = |it: &&String| BANKS.contains(&it.trim().to_lowercase().as_str());
    if let Some(licence) = profile.licences.iter().find(is_bank) {
        let text = format!(
            "FINMA has authorised it ({licence}). Banks have an ordinary audit, regardless of their size (Banking Act 18)."
        );
        return finding(Answer::Yes, fact, Basis::Stated, text, source);
    }
    let text = "FINMA has authorised it. Laws on supervision require an ordinary audit of banks and other institutions, \
                regardless of their size; whether they do for its licence is not known.";
    finding(Answer::Unknown, fact, Basis::Unknown, text, source)
}

/// The size test of CO 727.
pub(super) fn large(profile: &Profile) -> Finding {
    let limits = ordinary_audit(profile.day);
    let rule = format!(
        "two of: over CHF {} million balance sheet total, over CHF {} million turnover, over {} full-time positions",
        limits.balance / 1_000_000,
        limits.turnover / 1_000_000,
        limits.positions
    );
    sized(exceeds_two_of_three(profile.figures, limits, profile.day), &rule)
}

/// A size test in words.
pub(super) fn sized(SizeTest { answer, years }: SizeTest, rule: &str) -> Finding {
    let known: Vec<String> = years.iter().map(described).collect();
    let known = match known.as_slice() {
        [] => "no figures of the last two financial years are known".to_owned(),
        years => years.join("; "),
    };
    let verdict = match answer {
        Answer::Yes => "Exceeded in two consecutive years",
        Answer::No => "Not exceeded in two consecutive years",
        Answer::Unknown => "Cannot be decided",
    };
    let basis = match answer {
        Answer::Unknown => Basis::Unknown,
        Answer::Yes | Answer::No => Basis::Stated,
    };
    let note = match years.is_empty() {
        true => "",
        false => {
            " Reports often state those of a group, and employees instead of full-time positions."
        }
    };
    let text = format!("Size ({rule}): {verdict}: {known}.{note}");
    let source = years.into_iter().next().map(|it| it.source);
    finding(answer, FactName::Size, basis, text, source)
}

fn described(it: &AnnualFigures) -> String {
    let currency = it.currency.as_deref().unwrap_or("in an unknown currency");
    let amount = |it: Option<domain::Amount>| match it {
        Some(amount) => format!("{currency} {amount}"),
        None => "unknown".to_owned(),
    };
    let employees = it.employees.map_or_else(|| "unknown".to_owned(), |it| it.to_string());
    let (balance, turnover) = (amount(it.total_assets), amount(it.revenue));
    let year = it.fiscal_year;
    format!("{year}: balance sheet total {balance}, turnover {turnover}, employees {employees}")
}
