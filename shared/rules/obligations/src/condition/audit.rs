//! The conditions about audits: waiver, size, and what makes an ordinary audit necessary.

use domain::{Language, wording};

use super::{
    Answer, Basis, Condition, FactName, Finding, Reason, finding, listing::listed_above, purpose,
};
use crate::{
    GroupMember, Profile,
    group::{Part, controlled_are_large},
    size::{AnnualFigures, SizeTest, Thresholds, exceeds_two_of_three, newest},
    waiver::{WAIVERS_FOR_LATER_YEARS, waiver_covers, waiver_for_later_years},
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
                        .to_owned()
                }
                false if profile.day >= WAIVERS_FOR_LATER_YEARS => {
                    let entered = waiver_for_later_years(profile.company, profile.history);
                    let entered = entered.map(|it| format!(" This one was entered on {it}."));
                    let entered = entered.unwrap_or_default();
                    format!(
                        "The register states that it waived the limited audit, for which it must have no more than ten \
                         full-time positions and need no ordinary audit. Since 2025, a waiver is valid only for financial \
                         years that begin after it was filed (CO 727a).{entered}"
                    )
                }
                false => {
                    "The register states that it waived the limited audit, for which it must have no more than ten \
                     full-time positions and need no ordinary audit (CO 727a)."
                        .to_owned()
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
        (None, None) if purpose::is_pension_foundation(profile) => {
            let text = "Pension foundations cannot be exempted from having an auditor (Occupational Pensions Act 52a).";
            finding(Answer::No, fact, Basis::General, text, None)
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
    let needed = whatever_the_waiver(profile);
    if needed.answer == Answer::Yes {
        against.extend(needed.reasons);
    }
    against.extend(too_many_positions(profile));
    match against.is_empty() {
        true => waiver,
        false => contradiction(waiver, against),
    }
}

/// Whether no audit is required in the financial year of the day, because it was waived before that year began.
pub(super) fn waived_for_the_year(profile: &Profile) -> Finding {
    let waived = opted_out(profile);
    let entered = waiver_for_later_years(profile.company, profile.history);
    let answer = waiver_covers(entered, profile.day);
    let (Some(entered), Answer::Yes) = (entered, waived.answer) else { return waived };
    let (basis, conclusion) = match answer {
        Answer::Yes => return waived,
        Answer::Unknown => {
            (Basis::Unknown, "whether it was filed before the financial year began is not known")
        }
        Answer::No => (
            Basis::Assumed,
            "the financial year is assumed to be the calendar year, and still needs the limited audit",
        ),
    };
    let text = format!("The waiver was entered on {entered}: {conclusion} (CO 727a para. 2).");
    let mut reasons = waived.reasons;
    let source = profile.source_of("auditorOptOut");
    reasons.extend(finding(answer, FactName::AuditWaiver, basis, text, source).reasons);
    Finding { answer, reasons }
}

/// Whether an ordinary audit is required. A waiver in the register shows that the board declared that it is not, but does
/// not change what the law requires (CO 727 para. 1).
pub(super) fn ordinary(profile: &Profile) -> Finding {
    let needed = whatever_the_waiver(profile);
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

/// Whether a listing, a licence or a group, of which the sources do not show enough, may require an ordinary audit.
fn may_be_required_whatever_the_size(needed: &Finding) -> bool {
    let is_open = |it: &Reason| {
        matches!(it.fact, FactName::Listing | FactName::Licence) && it.basis == Basis::Unknown
    };
    needed.reasons.iter().any(is_open) || suggests_ordinary(&needed.reasons)
}

fn whatever_the_waiver(profile: &Profile) -> Finding {
    Condition::Any(&[
        Condition::Listed,
        Condition::PublicByBonds,
        Condition::LargeForAudit,
        Condition::Consolidates,
        Condition::AuditedByLicence,
    ])
    .evaluate(profile)
}

/// What no source states, unless a waiver shows that it is not so: a company that waives the limited audit declares that it
/// needs no ordinary one.
fn excluded_by_waiver(profile: &Profile, fact: FactName, text: &str) -> Finding {
    let waiver = waiver(profile);
    match waiver.answer {
        Answer::Yes => Finding { answer: Answer::No, ..waiver },
        Answer::No | Answer::Unknown => finding(Answer::Unknown, fact, Basis::Unknown, text, None),
    }
}

/// Whether it is a public company in another way than by listed shares (CO 727 para. 1 no. 1).
pub(super) fn public_by_bonds(profile: &Profile) -> Finding {
    if let Some(listed) = listed_above(profile) {
        let (part, how) = listed.part_of(profile.figures, profile.day);
        let (basis, conclusion) = match (part, how) {
            (Part::Large, Some(how)) => {
                (Basis::Assumed, format!("{how}, so it is assumed to need an ordinary audit"))
            }
            (_, Some(how)) => (Basis::Unknown, how),
            (_, None) => (Basis::Unknown, "whether it does is not known".to_owned()),
        };
        let text = format!(
            "{} controls it, and its shares are listed. Companies that contribute 20 % of assets or turnover to the consolidated \
             accounts of a listed company need an ordinary audit (CO 727 para. 1 no. 1 let. c): {conclusion}.",
            listed.name
        );
        return finding(Answer::Unknown, FactName::Group, basis, text, listed.listing.clone());
    }
    let text = "Whether it has outstanding bonds, or contributes 20 % of assets or turnover to the consolidated accounts of a \
                company with listed shares or outstanding bonds, is not known.";
    excluded_by_waiver(profile, FactName::Listing, text)
}

/// Whether it must prepare consolidated accounts (CO 727 para. 1 no. 3).
pub(super) fn consolidates(profile: &Profile) -> Finding {
    let below = &profile.group.below;
    let Some(first) = below.first() else {
        let text = "Whether it controls other companies and must prepare consolidated accounts (CO 963, 963a) is not known.";
        return excluded_by_waiver(profile, FactName::Group, text);
    };
    let names: Vec<String> = below.iter().map(|it| it.name.clone()).collect();
    let names = wording::shortened(Language::En, &names, NAMES);
    let company = profile.company;
    let has_parent = !profile.group.above.is_empty()
        || company.direct_parent_lei.is_some_and(|it| Some(it) != company.lei);
    let (basis, conclusion) = match (controlled_are_large(profile.group, profile.day), has_parent) {
        (true, false) => (
            Basis::Assumed,
            "the companies that it controls exceed two of the three thresholds together, so it is assumed that it must",
        ),
        (true, true) => (
            Basis::Unknown,
            "the companies that it controls exceed two of the three thresholds together, but the accounts of its own parent may \
             replace its own",
        ),
        (false, _) => (
            Basis::Unknown,
            "whether it and the companies that it controls exceed two of the three thresholds together is not known",
        ),
    };
    let text = format!(
        "It controls {names}. Whether it must prepare consolidated accounts depends on the size of the group (CO 963, 963a): \
         {conclusion}."
    );
    match basis {
        Basis::Assumed => {
            finding(Answer::Unknown, FactName::Group, basis, text, Some(first.source.clone()))
        }
        _ => excluded_by_waiver(profile, FactName::Group, &text),
    }
}

/// Number of names that a reason lists.
const NAMES: usize = 3;

/// Whether the group makes an ordinary audit so likely that it is assumed.
pub(crate) fn suggests_ordinary(reasons: &[Reason]) -> bool {
    reasons.iter().any(|it| it.fact == FactName::Group && it.basis == Basis::Assumed)
}

/// Whether a company that is or was listed controls it, of whose accounts it may be a large part.
pub(crate) fn may_belong_to_listed_group(profile: &Profile) -> bool {
    let may_be_part = |it: &GroupMember| {
        it.listing.is_some() && it.part_of(profile.figures, profile.day).0 != Part::Small
    };
    profile.group.above.iter().any(may_be_part)
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
    let employees = wording::number(Language::En, employees.into());
    let explanation = format!(
        "Its annual report of {} states {employees} employees; a company that waives the limited audit has no more than \
         {POSITIONS_OF_WAIVER} full-time positions. Reports often state employees of a group.",
        year.fiscal_year
    );
    let source = Some(year.source.clone());
    Some(Reason { fact: FactName::Size, basis: Basis::Stated, explanation, source })
}

/// The size test of CO 727, or of CC 69b for an association.
pub(super) fn large(profile: &Profile, limits: Thresholds) -> Finding {
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
        Some(amount) => format!("{currency} {}", wording::amount(Language::En, amount)),
        None => "unknown".to_owned(),
    };
    let employees = it.employees.map(|it| wording::number(Language::En, it.into()));
    let employees = employees.unwrap_or_else(|| "unknown".to_owned());
    let (balance, turnover) = (amount(it.total_assets), amount(it.revenue));
    let year = it.fiscal_year;
    format!("{year}: balance sheet total {balance}, turnover {turnover}, employees {employees}")
}
