//! Capital, age and status.

use domain::{Amount, Status, changes::LegalEvent, company::StatusReason};
use jiff::civil::Date;

use super::{dated, is_years_before};
use crate::{
    Sign,
    evidence::Observation,
    facts::{CapitalFacts, StatusFacts},
};

/// Years of registration below which a company is young.
const YOUNG: i32 = 2;
/// Years of registration from which a company is long-standing.
const LONG_STANDING: i32 = 10;

/// The least nominal capital in francs of a company that is founded today: 100,000 for a corporation (CO 621), 20,000 for a
/// limited liability company (CO 773). Older companies can have less: it was lower when they were founded.
fn least_capital(legal_form: &str) -> Option<Amount> {
    match legal_form {
        "0105" | "0106" => Some(Amount::units(100_000)),
        "0107" => Some(Amount::units(20_000)),
        _ => None,
    }
}

pub(super) fn capital(facts: &CapitalFacts) -> Vec<Observation> {
    let reduced = facts.reductions.iter().map(|it| dated(Sign::CapitalReduced, it));
    let increased = facts.increases.iter().map(|it| dated(Sign::CapitalIncreased, it));
    let mut observations: Vec<Observation> = reduced.chain(increased).collect();
    let least = facts.legal_form.as_deref().and_then(least_capital);
    // Since 2023 the capital can be in another currency, for which the law states no amount.
    if let (Some(amount), Some(least), Some("CHF")) =
        (facts.amount, least, facts.currency.as_deref())
        && amount <= least
    {
        let summary = match amount < least {
            true => format!(
                "The capital is CHF {amount}, less than the CHF {least} that the law requires of a new company."
            ),
            false => {
                format!(
                    "The capital is CHF {amount}, the least that the law requires of a new company."
                )
            }
        };
        observations.push(Observation::new(Sign::LeastCapital, &facts.source, summary));
    }
    observations
}

pub(super) fn status(facts: &StatusFacts, as_of: Date) -> Vec<Observation> {
    let mut observations: Vec<Observation> = facts
        .events
        .iter()
        .filter(|(event, it)| !is_revoked(*event, it.on, facts, as_of))
        .filter_map(|(event, it)| Some(dated(event_sign(*event)?, it)))
        .chain(facts.sales_of_shell.iter().map(|it| dated(Sign::ShelfCompany, it)))
        .collect();
    let mut add = |sign, summary| observations.push(Observation::new(sign, &facts.source, summary));
    let state = state_sign(facts.status, facts.reason);
    if let Some(sign) = state {
        let summary = match facts.reason {
            Some(reason) => reason.meaning(),
            None if facts.status == Some(Status::Cancelled) => {
                "The company was deleted; no reason is known."
            }
            None => "The company is in liquidation; no reason is known.",
        };
        add(sign, summary.to_owned());
    }
    let Some(registered) = facts.registered.filter(|it| *it <= as_of) else { return observations };
    if !is_years_before(registered, YOUNG, as_of) {
        add(Sign::Young, format!("The company has been registered since {registered}."));
    }
    if state.is_none()
        && facts.status == Some(Status::Active)
        && is_years_before(registered, LONG_STANDING, as_of)
    {
        let summary = format!("The company has been registered since {registered} and is active.");
        add(Sign::LongStanding, summary);
    }
    observations
}

fn state_sign(status: Option<Status>, reason: Option<StatusReason>) -> Option<Sign> {
    use StatusReason as Reason;
    match reason {
        Some(
            Reason::Bankruptcy
            | Reason::Composition
            | Reason::DeletedAfterBankruptcy
            | Reason::DeletedNoAssets,
        ) => Some(Sign::Insolvent),
        Some(Reason::Moratorium) => Some(Sign::Moratorium),
        Some(Reason::Court731b | Reason::NoDomicile | Reason::DeletedExOfficio) => {
            Some(Sign::DissolvedForDefect)
        }
        Some(Reason::Court) => Some(Sign::DissolvedByCourt),
        Some(
            Reason::Voluntary
            | Reason::ReEntered
            | Reason::DeletedAfterLiquidation
            | Reason::DeletedBusinessCeased
            | Reason::DeletedOnApplication,
        ) => Some(Sign::Ending),
        // The business goes on elsewhere.
        Some(Reason::Merged | Reason::Demerged | Reason::Moved) => None,
        None => match status {
            Some(Status::BeingCancelled | Status::Cancelled) => Some(Sign::Ending),
            Some(Status::Active) | None => None,
        },
    }
}

/// Whether it was revoked or repaired until the day of the assessment: then it shows nothing about the company any more.
fn is_revoked(event: LegalEvent, on: Date, facts: &StatusFacts, as_of: Date) -> bool {
    let revocation = match event {
        LegalEvent::BankruptcyOpened => LegalEvent::BankruptcyRevoked,
        LegalEvent::DissolvedForDefect | LegalEvent::DissolvedWithoutDomicile => {
            LegalEvent::DissolutionRevoked
        }
        LegalEvent::NoDomicile => LegalEvent::DomicileRestored,
        _ => return false,
    };
    facts.events.iter().any(|(it, dated)| *it == revocation && (on..=as_of).contains(&dated.on))
}

fn event_sign(event: LegalEvent) -> Option<Sign> {
    match event {
        LegalEvent::BankruptcyOpened
        | LegalEvent::BankruptcyPostponed
        | LegalEvent::MoratoriumGranted
        | LegalEvent::MoratoriumProvisional
        | LegalEvent::MoratoriumDefinitive
        | LegalEvent::MoratoriumExtended
        | LegalEvent::CompositionConfirmed
        | LegalEvent::CompositionWithAssignment => Some(Sign::InsolvencyEvent),
        LegalEvent::NoDomicile
        | LegalEvent::DissolvedForDefect
        | LegalEvent::DissolvedWithoutDomicile => Some(Sign::DefectEvent),
        LegalEvent::ReEntered | LegalEvent::ReEnteredInLiquidation => Some(Sign::ReEntered),
        _ => None,
    }
}
