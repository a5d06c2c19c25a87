//! The legal events that a publication states.

use domain::changes::{LegalEvent, Transfer};
use gazette_notice::{AssetTransfer, Change, Combination, DeletionCause, Step};
use jiff::civil::Date;

use super::ParsedPublication;
use crate::notice::amount;

/// The legal events of a publication that can change the company's status, with the date of the decision, in the order in
/// which they take effect.
pub(super) fn legal_events(publication: &ParsedPublication) -> Vec<(LegalEvent, Option<Date>)> {
    let mut events: Vec<(LegalEvent, Option<Date>)> = Vec::new();
    events.extend(entry(publication));
    for change in &publication.notice.changes {
        match change {
            Change::Proceeding { step, on } => events.push((of_step(*step), *on)),
            Change::Combination { combination, .. } => {
                events.extend(of_combination(*combination).map(|it| (it, None)));
            }
            _ => {}
        }
    }
    events.extend(end(publication));
    events
}

/// The entry or re-entry that a publication states.
pub(super) fn entry(publication: &ParsedPublication) -> Option<(LegalEvent, Option<Date>)> {
    let changes = &publication.notice.changes;
    let re_entry = changes.iter().find_map(|it| match it {
        Change::ReEntry { in_liquidation, on } => Some((*in_liquidation, *on)),
        _ => None,
    });
    if let Some((in_liquidation, on)) = re_entry {
        let is_liquidated = in_liquidation || publication.is_in_liquidation_after();
        let event = match is_liquidated {
            true => LegalEvent::ReEnteredInLiquidation,
            false => LegalEvent::ReEntered,
        };
        return Some((event, on));
    }
    if !publication.is_registration && !changes.contains(&Change::NewEntry) {
        return None;
    }
    // The office of the new seat enters a company that another office has registered before.
    let comes = changes.iter().any(|it| matches!(it, Change::Seat { from: Some(_), .. }));
    Some((if comes { LegalEvent::SeatMovedIn } else { LegalEvent::Entered }, None))
}

/// The deletion or departure that a publication states.
pub(super) fn end(publication: &ParsedPublication) -> Option<(LegalEvent, Option<Date>)> {
    if let Some((_, abroad)) = publication.departure() {
        let is_deleted = abroad && publication.deleted.is_some();
        let event = if is_deleted { LegalEvent::MovedAbroad } else { LegalEvent::SeatMovedOut };
        return Some((event, None));
    }
    publication.deleted?;
    let stated = publication.notice.changes.iter().find_map(|it| match it {
        Change::Deletion { cause, on } => Some((*cause, *on)),
        _ => None,
    });
    let (cause, on) = stated.unwrap_or_default();
    let event = match cause {
        Some(DeletionCause::Liquidation) => LegalEvent::DeletedAfterLiquidation,
        Some(DeletionCause::Bankruptcy) => LegalEvent::DeletedAfterBankruptcy,
        Some(DeletionCause::NoAssets) => LegalEvent::DeletedWithoutAssets,
        Some(DeletionCause::Merger) => LegalEvent::DeletedByMerger,
        Some(DeletionCause::SplitUp) => LegalEvent::DeletedBySplitUp,
        Some(DeletionCause::Ceased) => LegalEvent::DeletedBusinessCeased,
        Some(DeletionCause::ExOfficio) => LegalEvent::DeletedExOfficio,
        Some(DeletionCause::Application) => LegalEvent::DeletedOnApplication,
        None => LegalEvent::Deleted,
    };
    Some((event, on))
}

pub(super) fn of_step(step: Step) -> LegalEvent {
    match step {
        Step::DissolvedByResolution => LegalEvent::DissolvedByResolution,
        Step::DissolvedByCourt => LegalEvent::DissolvedByCourt,
        Step::DissolvedForDefect => LegalEvent::DissolvedForDefect,
        Step::DissolvedWithoutDomicile => LegalEvent::DissolvedWithoutDomicile,
        Step::DissolutionRevoked => LegalEvent::DissolutionRevoked,
        Step::LiquidationCompleted => LegalEvent::LiquidationCompleted,
        Step::BankruptcyOpened => LegalEvent::BankruptcyOpened,
        Step::BankruptcyRevoked => LegalEvent::BankruptcyRevoked,
        Step::BankruptcyStayed => LegalEvent::BankruptcyStayed,
        Step::BankruptcyPostponed => LegalEvent::BankruptcyPostponed,
        Step::BankruptcyPostponementEnded => LegalEvent::BankruptcyPostponementEnded,
        Step::Suspended => LegalEvent::ProceedingsSuspended,
        Step::Resumed => LegalEvent::ProceedingsResumed,
        Step::Closed => LegalEvent::ProceedingsClosed,
        Step::MoratoriumGranted => LegalEvent::MoratoriumGranted,
        Step::MoratoriumProvisional => LegalEvent::MoratoriumProvisional,
        Step::MoratoriumDefinitive => LegalEvent::MoratoriumDefinitive,
        Step::MoratoriumExtended => LegalEvent::MoratoriumExtended,
        Step::MoratoriumEnded => LegalEvent::MoratoriumEnded,
        Step::CompositionConfirmed => LegalEvent::CompositionConfirmed,
        Step::CompositionWithAssignment => LegalEvent::CompositionWithAssignment,
    }
}

/// `None` for a combination whose direction is not stated.
pub(super) fn of_combination(combination: Combination) -> Option<LegalEvent> {
    Some(match combination {
        Combination::TakesOver => LegalEvent::Absorbs,
        Combination::IsTakenOverBy => LegalEvent::IsAbsorbed,
        Combination::Combines => LegalEvent::Combines,
        Combination::SplitsUp => LegalEvent::SplitsUp,
        Combination::SpinsOff => LegalEvent::SpinsOff,
        Combination::ReceivesByDemerger => LegalEvent::ReceivesByDemerger,
        Combination::TransfersAssets => LegalEvent::TransfersAssets,
        Combination::ReceivesAssets => LegalEvent::ReceivesAssets,
        Combination::Merger | Combination::Demerger | Combination::AssetTransfer => return None,
    })
}

pub(super) fn of_transfer(stated: AssetTransfer) -> Transfer {
    let AssetTransfer { assets, liabilities, consideration, currency } = stated;
    Transfer {
        assets: assets.map(amount),
        liabilities: liabilities.map(amount),
        consideration: consideration.map(amount),
        currency,
    }
}
