//! What the statements of a notice mean together.

use super::{Change, Combination, DeletionCause, Step};

/// Removes what another statement of the notice makes a consequence or a repetition.
pub(super) fn consolidate(changes: &mut Vec<Change>) {
    mergers(changes);
    re_entries(changes);
    deletions(changes);
    proceedings(changes);
    let mut kept: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes.drain(..) {
        let is_known = kept.iter().any(|it| same(it, &change));
        if !is_known {
            kept.push(change);
        }
    }
    *changes = kept;
}

/// A company that is deleted takes over no other one: `radiée par suite de fusion avec X, qui a repris l'actif et le passif`.
fn mergers(changes: &mut [Change]) {
    let is_deleted = changes.iter().any(|it| {
        matches!(
            it,
            Change::Deletion {
                cause: None | Some(DeletionCause::Merger | DeletionCause::ExOfficio),
                ..
            }
        )
    });
    for change in changes.iter_mut().filter(|_| is_deleted) {
        if let Change::Combination {
            combination: it @ (Combination::TakesOver | Combination::Merger),
            ..
        } = change
        {
            *it = Combination::IsTakenOverBy;
        }
    }
}

/// A re-entry may be stated twice: in brackets after the legal form, and with its decision.
fn re_entries(changes: &mut [Change]) {
    let (mut is_liquidated, mut decided) = (false, None);
    for change in changes.iter() {
        if let Change::ReEntry { in_liquidation, on } = change {
            is_liquidated |= in_liquidation;
            decided = decided.or(*on);
        }
    }
    for change in changes.iter_mut() {
        if let Change::ReEntry { in_liquidation, on } = change {
            (*in_liquidation, *on) = (is_liquidated, decided);
        }
    }
}

/// A company that is entered again, or that has moved, is not deleted.
fn deletions(changes: &mut Vec<Change>) {
    let has = |wanted: fn(&Change) -> bool| changes.iter().any(wanted);
    let is_entered_again = has(|it| matches!(it, Change::ReEntry { .. }));
    let departs = has(|it| matches!(it, Change::Departure { .. }));
    let new_seat = changes.iter().find_map(|it| match it {
        Change::Seat { to: Some(to), .. } => Some(to.clone()),
        _ => None,
    });
    let is_taken_over = has(
        |it| matches!(it, Change::Combination { combination, .. } if combination.ends_company()),
    );
    let is_closed = has(|it| matches!(it, Change::Proceeding { step: Step::Closed, .. }));
    let has_no_assets = has(|it| matches!(it, Change::Proceeding { step: Step::Suspended, .. }));
    let is_liquidated =
        has(|it| matches!(it, Change::Proceeding { step: Step::LiquidationCompleted, .. }));
    changes.retain(|it| !matches!(it, Change::Deletion { .. }) || !(is_entered_again || departs));
    for change in changes.iter_mut() {
        let Change::Deletion { cause, .. } = change else { continue };
        let is_open = matches!(cause, None | Some(DeletionCause::ExOfficio));
        if let Some(to) = &new_seat {
            *change = Change::Departure { to: Some(to.clone()), abroad: false };
        } else if is_taken_over && is_open {
            *cause = Some(DeletionCause::Merger);
        } else if has_no_assets && is_open {
            *cause = Some(DeletionCause::NoAssets);
        } else if is_closed && is_open {
            *cause = Some(DeletionCause::Bankruptcy);
        } else if is_liquidated && is_open {
            *cause = Some(DeletionCause::Liquidation);
        }
    }
    // A completed liquidation without a deletion says that the deletion is not possible yet.
    if is_liquidated {
        changes.retain(|it| !matches!(it, Change::DeletionBlocked { is_branch: false }));
    }
    // The completed liquidation is the cause of the deletion, not a further step.
    if changes.iter().any(|it| matches!(it, Change::Deletion { .. })) {
        changes.retain(|it| {
            !matches!(it, Change::Proceeding { step: Step::LiquidationCompleted, .. })
        });
    }
}

/// `Über die Gesellschaft wurde der Konkurs eröffnet. Die Gesellschaft ist damit aufgelöst.` is one step.
fn proceedings(changes: &mut Vec<Change>) {
    let steps: Vec<Step> = changes
        .iter()
        .filter_map(|it| match it {
            Change::Proceeding { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    let has = |wanted: &[Step]| steps.iter().any(|it| wanted.contains(it));
    let has_reason = has(&[
        Step::BankruptcyOpened,
        Step::DissolvedForDefect,
        Step::DissolvedWithoutDomicile,
        Step::CompositionWithAssignment,
    ]);
    let is_combined = changes.iter().any(
        |it| matches!(it, Change::Combination { combination, .. } if combination.ends_company()),
    );
    // `Die Gesellschaft befindet sich in Liquidation` after the re-entry is no new dissolution.
    let returns_to_liquidation =
        changes.iter().any(|it| matches!(it, Change::ReEntry { in_liquidation: true, .. }));
    changes.retain(|it| {
        let Change::Proceeding { step, .. } = it else { return true };
        match step {
            Step::DissolvedByResolution => {
                !(has_reason
                    || is_combined
                    || returns_to_liquidation
                    || has(&[Step::DissolvedByCourt]))
            }
            Step::DissolvedByCourt => !has_reason,
            Step::DissolutionRevoked => !has(&[Step::BankruptcyRevoked]),
            // A step and its end in one notice: only the end is new.
            Step::BankruptcyOpened => !has(&[Step::BankruptcyRevoked, Step::BankruptcyStayed]),
            Step::Closed => !has(&[Step::Suspended]),
            Step::LiquidationCompleted => !has(&[Step::Closed]),
            _ => true,
        }
    });
    let dissolved = [
        Step::DissolvedByResolution,
        Step::DissolvedByCourt,
        Step::DissolvedForDefect,
        Step::DissolvedWithoutDomicile,
    ];
    if has(&[Step::DissolutionRevoked, Step::BankruptcyRevoked]) {
        changes.retain(
            |it| !matches!(it, Change::Proceeding { step, .. } if dissolved.contains(step)),
        );
    }
}

/// Whether two statements about the company's existence are the same, apart from their dates.
fn same(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Proceeding { step: one, .. }, Change::Proceeding { step: other, .. }) => {
            one == other
        }
        (Change::Deletion { .. }, Change::Deletion { .. })
        | (Change::ReEntry { .. }, Change::ReEntry { .. })
        | (Change::NewEntry, Change::NewEntry)
        | (Change::Departure { .. }, Change::Departure { .. }) => true,
        (Change::Domicile { .. }, Change::Domicile { .. })
        | (Change::Shares { .. }, Change::Shares { .. })
        | (Change::PossibleCapital { .. }, Change::PossibleCapital { .. })
        | (Change::NoAuditor, Change::NoAuditor)
        | (Change::DeletionBlocked { .. }, Change::DeletionBlocked { .. }) => one == other,
        _ => false,
    }
}
