//! The life of a company as a state machine: which legal event leads to which status, and why.
//!
//! | From | Event | To |
//! |---|---|---|
//! | any | entry, re-entry | active (re-entered to be liquidated: in liquidation) |
//! | any | dissolution, bankruptcy, composition with assignment | in liquidation |
//! | in liquidation | revocation of the dissolution or bankruptcy | active |
//! | active | moratorium, postponement of the bankruptcy, and their end | active |
//! | any | deletion, move abroad | deleted |
//!
//! All other events leave the status as it is: the steps of a proceeding, mergers (the deletion follows), moves within
//! Switzerland, branches and the domicile, and all events about shares, capital, board and auditor. Events from a state that the
//! law does not provide for lead to the same state, because a source may lack the publications between them.

use domain::{Status, changes::LegalEvent, company::StatusReason};

use super::{ParsedPublication, legal_events::legal_events};

/// The status of a company, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StatusWithReason {
    pub(super) status: Option<Status>,
    pub(super) reason: Option<StatusReason>,
    /// The reason of a deletion that is expected and may not repeat it.
    expected: Option<StatusReason>,
}

impl StatusWithReason {
    pub(super) fn of(status: Option<Status>) -> Self {
        Self { status, ..Self::default() }
    }

    /// The status after a publication.
    pub(super) fn after(self, publication: &ParsedPublication) -> Self {
        let stays_in_liquidation = publication.is_in_liquidation_after();
        let events = legal_events(publication);
        events.into_iter().fold(self, |it, (event, _)| it.after_event(event, stays_in_liquidation))
    }

    /// The status after an event. `stays_in_liquidation`: the name after the publication says so, although the event
    /// may be a revocation (a bankruptcy of a company that was dissolved before).
    fn after_event(self, event: LegalEvent, stays_in_liquidation: bool) -> Self {
        use LegalEvent as E;
        use StatusReason as R;
        match event {
            // A company in liquidation can move too.
            E::SeatMovedIn if stays_in_liquidation => match self.status {
                Some(Status::BeingCancelled) => self,
                _ => self.becomes(Status::BeingCancelled, None),
            },
            E::Entered | E::ReEntered | E::SeatMovedIn => self.becomes(Status::Active, None),
            E::ReEnteredInLiquidation => self.liquidated(R::ReEntered),
            E::DissolvedByResolution => self.liquidated(R::Voluntary),
            E::DissolvedByCourt => self.liquidated(R::Court),
            E::DissolvedForDefect => self.liquidated(R::Court731b),
            E::DissolvedWithoutDomicile => self.liquidated(R::NoDomicile),
            E::BankruptcyOpened => self.liquidated(R::Bankruptcy),
            E::CompositionWithAssignment => self.liquidated(R::Composition),
            E::BankruptcyRevoked | E::DissolutionRevoked if stays_in_liquidation => {
                self.becomes(Status::BeingCancelled, None)
            }
            E::BankruptcyRevoked | E::DissolutionRevoked => self.becomes(Status::Active, None),
            E::MoratoriumGranted
            | E::MoratoriumProvisional
            | E::MoratoriumDefinitive
            | E::MoratoriumExtended
            | E::BankruptcyPostponed => match self.status {
                None | Some(Status::Active) => Self { reason: Some(R::Moratorium), ..self },
                _ => self,
            },
            E::MoratoriumEnded | E::BankruptcyPostponementEnded | E::CompositionConfirmed => {
                Self { reason: self.reason.filter(|it| *it != R::Moratorium), ..self }
            }
            E::ProceedingsSuspended => Self { expected: Some(R::DeletedNoAssets), ..self },
            E::ProceedingsResumed => Self { expected: None, ..self },
            E::IsAbsorbed => Self { expected: Some(R::Merged), ..self },
            E::SplitsUp => Self { expected: Some(R::Demerged), ..self },
            E::MovedAbroad => self.becomes(Status::Cancelled, Some(R::Moved)),
            E::DeletedAfterLiquidation => self.deleted(R::DeletedAfterLiquidation),
            E::DeletedAfterBankruptcy => self.deleted(R::DeletedAfterBankruptcy),
            E::DeletedWithoutAssets => self.deleted(R::DeletedNoAssets),
            E::DeletedByMerger => self.deleted(R::Merged),
            E::DeletedBySplitUp => self.deleted(R::Demerged),
            E::DeletedBusinessCeased => self.deleted(R::DeletedBusinessCeased),
            E::DeletedOnApplication => self.deleted(R::DeletedOnApplication),
            E::DeletedExOfficio => {
                let reason = self.reason_of_end().unwrap_or(R::DeletedExOfficio);
                self.deleted(reason)
            }
            E::Deleted => self.becomes(Status::Cancelled, self.reason_of_end()),
            E::SeatMoved
            | E::SeatMovedOut
            | E::Converted
            | E::BranchEntered
            | E::BranchClosed
            | E::NoDomicile
            | E::DomicileRestored
            | E::NoAuditor
            | E::BoardEmptied
            | E::ControlPasses
            | E::SoleSignatory
            | E::MajorityPasses
            | E::PersonalDataChanged
            | E::BearerSharesConverted
            | E::BearerSharesCreated
            | E::SharesSplit
            | E::SharesConsolidated
            | E::CapitalBand
            | E::CapitalBandEnded
            | E::ConditionalCapital
            | E::ConditionalCapitalEnded
            | E::Contribution
            | E::BranchClosureBlocked
            | E::DeletionBlocked
            | E::LiquidationCompleted
            | E::BankruptcyStayed
            | E::ProceedingsClosed
            | E::Absorbs
            | E::Combines
            | E::SpinsOff
            | E::ReceivesByDemerger
            | E::TransfersAssets
            | E::ReceivesAssets => self,
        }
    }

    /// The reason of a deletion that states none: what preceded it.
    fn reason_of_end(self) -> Option<StatusReason> {
        use StatusReason as R;
        self.expected.or(match self.reason? {
            R::Bankruptcy => Some(R::DeletedAfterBankruptcy),
            R::Voluntary | R::Court | R::Court731b | R::Composition | R::ReEntered => {
                Some(R::DeletedAfterLiquidation)
            }
            _ => None,
        })
    }

    fn liquidated(self, reason: StatusReason) -> Self {
        self.becomes(Status::BeingCancelled, Some(reason))
    }

    fn deleted(self, reason: StatusReason) -> Self {
        self.becomes(Status::Cancelled, Some(reason))
    }

    fn becomes(self, status: Status, reason: Option<StatusReason>) -> Self {
        Self { status: Some(status), reason, expected: None }
    }
}

/// The status after all publications that are in force.
pub(super) fn status_after(publications: &[ParsedPublication]) -> StatusWithReason {
    let in_force = publications.iter().filter(|it| !it.is_cancelled);
    in_force.fold(StatusWithReason::default(), StatusWithReason::after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_statuses() -> Vec<StatusWithReason> {
        let mut statuses = vec![StatusWithReason::default()];
        let reasons = StatusReason::ALL.iter();
        statuses
            .extend(reasons.map(|it| StatusWithReason::of(None).becomes(it.status(), Some(*it))));
        statuses.extend(Status::ALL.map(|it| StatusWithReason::of(Some(it))));
        statuses
    }

    #[test]
    fn reason_always_belongs_to_the_status() {
        for before in all_statuses() {
            for event in LegalEvent::ALL {
                for stays in [true, false] {
                    let after = before.after_event(*event, stays);
                    let expected = after.reason.map(StatusReason::status);
                    let is_consistent = match after.status {
                        None => expected.is_none_or(|it| it == Status::Active),
                        status => expected.is_none() || expected == status,
                    };
                    assert!(is_consistent, "{before:?} {event:?}: {after:?}");
                }
            }
        }
    }

    #[test]
    fn only_deletions_and_moves_abroad_delete() {
        for event in LegalEvent::ALL {
            let after = StatusWithReason::of(Some(Status::Active)).after_event(*event, false);
            let deletes = event.code().starts_with("deleted") || *event == LegalEvent::MovedAbroad;
            assert_eq!(after.status == Some(Status::Cancelled), deletes, "{event:?}");
        }
    }

    #[test]
    fn deleted_company_returns_only_by_an_entry_or_a_new_proceeding() {
        let returning = [
            "entered",
            "re_entered",
            "re_entered_in_liquidation",
            "seat_moved_in",
            "dissolved_by_resolution",
            "dissolved_by_court",
            "dissolved_for_defect",
            "dissolved_without_domicile",
            "dissolution_revoked",
            "bankruptcy_opened",
            "bankruptcy_revoked",
            "composition_with_assignment",
        ];
        for event in LegalEvent::ALL {
            let after = StatusWithReason::of(Some(Status::Cancelled)).after_event(*event, false);
            let returns = after.status != Some(Status::Cancelled);
            assert_eq!(returns, returning.contains(&event.code()), "{event:?}");
        }
    }
}
