//! Events about the existence of a company: entry, dissolution, bankruptcy, deletion, revocations, mergers, departure,
//! domicile and branches.

use domain::{
    ChangeKind, Language, Status,
    changes::{LegalEvent, Subject},
    wording,
};
use gazette_notice::{AssetTransfer, Change, Combination, Party, Step};
use jiff::civil::Date;

use super::{
    super::legal_events::{end, entry, of_combination, of_step, of_transfer},
    EventBuilder,
};
use crate::notice;

fn named(status: Status) -> Option<String> {
    Some(status.name().to_owned())
}

impl EventBuilder<'_> {
    pub(super) fn add_status_events(&mut self) {
        if let Some((event, decided)) = entry(self.publication) {
            self.add_entry(event, decided);
        }
        for change in self.changes().to_vec() {
            match change {
                Change::Proceeding { step, on } => self.add_step(step, on),
                Change::Combination { combination, party, transfer } => {
                    self.add_combination(combination, party, transfer);
                }
                Change::Domicile { exists } => self.add_domicile(exists),
                Change::Branch { is_new } => self.add_branch(is_new),
                Change::DeletionBlocked { is_branch } => self.add_blocked_deletion(is_branch),
                _ => {}
            }
        }
        if let Some((event, decided)) = end(self.publication) {
            self.add_end(event, decided);
        }
    }

    fn add_entry(&mut self, event: LegalEvent, decided: Option<Date>) {
        let (field, active) = (Some("status"), named(Status::Active));
        match event {
            LegalEvent::ReEntered => {
                self.add(ChangeKind::ReRegistration, field, named(Status::Cancelled), active);
            }
            LegalEvent::ReEnteredInLiquidation => {
                let (old, new) = (named(Status::Cancelled), named(Status::BeingCancelled));
                self.add(ChangeKind::ReRegistration, field, old, new);
            }
            LegalEvent::SeatMovedIn => {
                let from = self.changes().iter().find_map(|it| match it {
                    Change::Seat { from, .. } => from.clone(),
                    _ => None,
                });
                let to = self.publication.after.as_ref().and_then(|it| it.seat.clone());
                self.add(ChangeKind::SeatChange, Some("legalSeat"), from, to);
            }
            _ => self.add(ChangeKind::NewRegistration, field, None, active),
        }
        self.add_legal_event(event, decided);
    }

    fn add_end(&mut self, event: LegalEvent, decided: Option<Date>) {
        if event == LegalEvent::SeatMovedOut {
            let from = self.publication.before.as_ref().and_then(|it| it.seat.clone());
            let to = self.publication.departure().and_then(|(to, _)| to.map(str::to_owned));
            self.add(ChangeKind::SeatChange, Some("legalSeat"), from, to);
        } else {
            self.add(ChangeKind::Deletion, Some("status"), None, named(Status::Cancelled));
        }
        self.add_legal_event(event, decided);
    }

    fn add_domicile(&mut self, exists: bool) {
        let company = &self.publication.company_name;
        let (event, summary) = match exists {
            true => (LegalEvent::DomicileRestored, format!("{company} has a legal domicile again")),
            false => (LegalEvent::NoDomicile, format!("{company} has no legal domicile")),
        };
        self.push(ChangeKind::AddressChange, Some("address"), None, None, summary, None);
        self.add_legal_event(event, None);
    }

    /// The record does not contain the branches that notices name without a number.
    fn add_branch(&mut self, is_new: bool) {
        let company = &self.publication.company_name;
        let (event, summary) = match is_new {
            true => (LegalEvent::BranchEntered, format!("A branch of {company} is entered")),
            false => (LegalEvent::BranchClosed, format!("A branch of {company} is deleted")),
        };
        self.push(ChangeKind::BranchChange, None, None, None, summary, None);
        self.add_legal_event(event, None);
    }

    fn add_blocked_deletion(&mut self, is_branch: bool) {
        let company = &self.publication.company_name;
        let (kind, event, summary) = match is_branch {
            true => {
                let summary = format!("A branch of {company} cannot be deleted yet");
                (ChangeKind::BranchChange, LegalEvent::BranchClosureBlocked, summary)
            }
            false => {
                let summary = format!("{company} cannot be deleted yet");
                (ChangeKind::Liquidation, LegalEvent::DeletionBlocked, summary)
            }
        };
        self.push(kind, None, None, None, summary, None);
        self.add_legal_event(event, None);
    }

    fn add_combination(
        &mut self,
        combination: Combination,
        party: Party,
        transfer: Option<AssetTransfer>,
    ) {
        let field = match combination {
            Combination::TakesOver | Combination::Combines => "hasTakenOver",
            Combination::IsTakenOverBy => "wasTakenOverBy",
            Combination::Merger => "merger",
            Combination::SplitsUp
            | Combination::SpinsOff
            | Combination::ReceivesByDemerger
            | Combination::Demerger => "demerger",
            Combination::TransfersAssets
            | Combination::ReceivesAssets
            | Combination::AssetTransfer => "assetTransfer",
        };
        let (company, other) = (&self.publication.company_name, &party.name);
        let transfer = transfer.map(of_transfer);
        let assets = transfer.as_ref().and_then(|it| Some((it.assets?, &it.currency)));
        let assets = match assets {
            Some((amount, currency)) => {
                format!("assets of {currency} {}", wording::amount(Language::En, amount))
            }
            None => "assets".to_owned(),
        };
        let summary = match combination {
            Combination::TakesOver | Combination::Combines => {
                format!("{company} takes over {other}")
            }
            Combination::IsTakenOverBy => format!("{company} is taken over by {other}"),
            Combination::Merger => format!("Merger between {company} and {other}"),
            Combination::SplitsUp => {
                format!("{company} is split up: {assets} go to {other}")
            }
            Combination::SpinsOff => format!("{company} transfers {assets} to {other} by demerger"),
            Combination::ReceivesByDemerger => {
                format!("{company} takes over {assets} of {other} by demerger")
            }
            Combination::Demerger => format!("Demerger between {company} and {other}"),
            Combination::TransfersAssets => format!("{company} transfers {assets} to {other}"),
            Combination::ReceivesAssets => format!("{company} takes over {assets} of {other}"),
            Combination::AssetTransfer => {
                format!("Transfer of {assets} between {company} and {other}")
            }
        };
        let new = Some(party.name.clone());
        let subject =
            Subject { person_id: None, uid: party.uid.and_then(notice::uid), name: party.name };
        self.push(ChangeKind::Merger, Some(field), None, new, summary, Some(subject));
        if let Some(event) = of_combination(combination) {
            self.add_legal_event(event, None);
        }
        if let Some(last) = self.events.last_mut() {
            last.transfer = transfer;
        }
    }

    fn add_step(&mut self, step: Step, decided: Option<Date>) {
        let (kind, sentence) = kind_and_sentence(step);
        let being_cancelled = named(Status::BeingCancelled);
        let (old, new) = match step {
            Step::DissolvedByResolution
            | Step::DissolvedByCourt
            | Step::DissolvedForDefect
            | Step::DissolvedWithoutDomicile
            | Step::BankruptcyOpened
            | Step::CompositionWithAssignment => {
                let before = self.publication.status_by_former_name();
                (before.and_then(named), being_cancelled)
            }
            Step::DissolutionRevoked | Step::BankruptcyRevoked => {
                let stays = self.publication.is_in_liquidation_after();
                let new = if stays { Status::BeingCancelled } else { Status::Active };
                (being_cancelled, named(new))
            }
            _ => (None, None),
        };
        let field = new.as_ref().map(|_| "status");
        let summary = sentence.replacen("{}", &self.publication.company_name, 1);
        self.push(kind, field, old, new, summary, None);
        self.add_legal_event(of_step(step), decided);
    }
}

/// The change type of a step, and its summary, with `{}` for the company.
#[rustfmt::skip]
fn kind_and_sentence(step: Step) -> (ChangeKind, &'static str) {
    use ChangeKind::{Bankruptcy, Liquidation, Revocation};
    match step {
        Step::DissolvedByResolution => (Liquidation, "{} is dissolved and in liquidation"),
        Step::DissolvedByCourt => (Liquidation, "{} is dissolved by a court"),
        Step::DissolvedForDefect => (Liquidation, "{} is dissolved because of a defect in its organisation"),
        Step::DissolvedWithoutDomicile => (Liquidation, "{} is dissolved because it has no legal domicile"),
        Step::DissolutionRevoked => (Revocation, "The dissolution of {} is revoked"),
        Step::LiquidationCompleted => (Liquidation, "The liquidation of {} is completed"),
        Step::BankruptcyOpened => (Bankruptcy, "{} is bankrupt"),
        Step::BankruptcyRevoked => (Revocation, "The bankruptcy of {} is revoked"),
        Step::BankruptcyStayed => (Bankruptcy, "The bankruptcy of {} is stayed during an appeal"),
        Step::BankruptcyPostponed => (Bankruptcy, "The bankruptcy of {} is postponed"),
        Step::BankruptcyPostponementEnded => (Bankruptcy, "The postponement of the bankruptcy of {} ends"),
        Step::Suspended => (Bankruptcy, "The bankruptcy or liquidation proceedings of {} are suspended for lack of assets"),
        Step::Resumed => (Bankruptcy, "The bankruptcy or liquidation proceedings of {} are resumed"),
        Step::Closed => (Bankruptcy, "The bankruptcy or liquidation proceedings of {} are closed"),
        Step::MoratoriumGranted => (Bankruptcy, "{} is granted a moratorium"),
        Step::MoratoriumProvisional => (Bankruptcy, "{} is granted a provisional moratorium"),
        Step::MoratoriumDefinitive => (Bankruptcy, "{} is granted a definitive moratorium"),
        Step::MoratoriumExtended => (Bankruptcy, "The moratorium of {} is extended"),
        Step::MoratoriumEnded => (Bankruptcy, "The moratorium of {} ends"),
        Step::CompositionConfirmed => (Bankruptcy, "The composition agreement of {} is confirmed"),
        Step::CompositionWithAssignment => (Bankruptcy, "The composition agreement of {} with assignment of assets is confirmed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_a_sentence_about_the_company() {
        use Step as S;
        for step in [
            S::DissolvedByResolution,
            S::DissolvedByCourt,
            S::DissolvedForDefect,
            S::DissolvedWithoutDomicile,
            S::DissolutionRevoked,
            S::LiquidationCompleted,
            S::BankruptcyOpened,
            S::BankruptcyRevoked,
            S::BankruptcyStayed,
            S::BankruptcyPostponed,
            S::BankruptcyPostponementEnded,
            S::Suspended,
            S::Resumed,
            S::Closed,
            S::MoratoriumGranted,
            S::MoratoriumProvisional,
            S::MoratoriumDefinitive,
            S::MoratoriumExtended,
            S::MoratoriumEnded,
            S::CompositionConfirmed,
            S::CompositionWithAssignment,
        ] {
            let (_, sentence) = kind_and_sentence(step);
            assert_eq!(sentence.matches("{}").count(), 1, "{sentence}");
            assert!(sentence.starts_with(['{', 'T']) && !sentence.contains(':'), "{sentence}");
            assert!(
                [" is ", " are ", " ends"].iter().any(|it| sentence.contains(it)),
                "{sentence}"
            );
        }
    }
}
