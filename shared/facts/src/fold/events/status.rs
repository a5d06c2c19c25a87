//! Events about the existence of a company: registration, dissolution, bankruptcy, deletion, revocations and
//! mergers.

use domain::{ChangeKind, Status, changes::Subject};
use gazette_notice::{Change, Combination, Party, ProceedingKind, ProceedingStage};

use super::EventBuilder;
use crate::notice;

impl EventBuilder<'_> {
    pub(super) fn add_status_events(&mut self) {
        let status = |it: Status| Some(it.name().to_owned());
        let has = |wanted: &Change| self.publication.notice.changes.contains(wanted);
        let is_registration = self.publication.is_registration || has(&Change::NewEntry);
        if has(&Change::ReEntry) {
            let old = status(Status::Cancelled);
            self.add(ChangeKind::ReRegistration, Some("status"), old, status(Status::Active));
        } else if is_registration {
            self.add(ChangeKind::NewRegistration, Some("status"), None, status(Status::Active));
        }
        for change in self.changes().to_vec() {
            match change {
                Change::Proceeding { proceeding, stage } => self.add_proceeding(proceeding, stage),
                Change::Combination { combination, party } => {
                    self.add_combination(combination, party);
                }
                _ => {}
            }
        }
        if self.publication.deleted.is_some() || self.changes().contains(&Change::Deletion) {
            self.add(ChangeKind::Deletion, Some("status"), None, status(Status::Cancelled));
        }
    }

    fn add_combination(&mut self, combination: Combination, party: Party) {
        let field = match combination {
            Combination::TakesOver => "hasTakenOver",
            Combination::IsTakenOverBy => "wasTakenOverBy",
            Combination::Demerger => "demerger",
            Combination::AssetTransfer => "assetTransfer",
        };
        let company = &self.publication.company_name;
        let summary = match combination {
            Combination::TakesOver => format!("{company} takes over {}", party.name),
            Combination::IsTakenOverBy => format!("{company} is taken over by {}", party.name),
            Combination::Demerger => format!("Demerger between {company} and {}", party.name),
            Combination::AssetTransfer => {
                format!("Transfer of assets between {company} and {}", party.name)
            }
        };
        let new = Some(party.name.clone());
        let subject =
            Subject { person_id: None, uid: party.uid.and_then(notice::uid), name: party.name };
        self.push(ChangeKind::Merger, Some(field), None, new, summary, Some(subject));
    }

    fn add_proceeding(&mut self, proceeding: ProceedingKind, stage: ProceedingStage) {
        let status = |it: Status| Some(it.name().to_owned());
        let kind = match (proceeding, stage) {
            (_, ProceedingStage::Revoked) => ChangeKind::Revocation,
            (ProceedingKind::Liquidation | ProceedingKind::OrganisationalDefect, _) => {
                ChangeKind::Liquidation
            }
            (ProceedingKind::Bankruptcy | ProceedingKind::Moratorium, _) => ChangeKind::Bankruptcy,
        };
        let (old, new) = match (proceeding, stage) {
            // A moratorium does not change the company's status.
            (ProceedingKind::Moratorium, _) => (None, None),
            (_, ProceedingStage::Revoked) => {
                (status(Status::BeingCancelled), status(Status::Active))
            }
            (_, ProceedingStage::Opened) => {
                (status(Status::Active), status(Status::BeingCancelled))
            }
            (_, _) => (None, None),
        };
        let clause = match (proceeding, stage) {
            (ProceedingKind::Liquidation, ProceedingStage::Opened) => {
                " is dissolved and in liquidation"
            }
            (ProceedingKind::Liquidation, ProceedingStage::Revoked) => ": dissolution revoked",
            (ProceedingKind::Liquidation, _) => ": new step in the liquidation",
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Opened) => {
                " is dissolved because of a defect in its organisation"
            }
            (ProceedingKind::OrganisationalDefect, ProceedingStage::Revoked) => {
                ": dissolution for an organisational defect revoked"
            }
            (ProceedingKind::OrganisationalDefect, _) => {
                ": new step in the dissolution for an organisational defect"
            }
            (ProceedingKind::Bankruptcy, ProceedingStage::Opened) => " is bankrupt",
            (ProceedingKind::Bankruptcy, ProceedingStage::Revoked) => ": bankruptcy revoked",
            (ProceedingKind::Bankruptcy, ProceedingStage::Suspended) => {
                ": bankruptcy suspended for lack of assets"
            }
            (ProceedingKind::Bankruptcy, ProceedingStage::Resumed) => ": bankruptcy resumed",
            (ProceedingKind::Bankruptcy, ProceedingStage::Closed) => ": bankruptcy closed",
            (ProceedingKind::Moratorium, ProceedingStage::Opened) => " is granted a moratorium",
            (ProceedingKind::Moratorium, _) => ": moratorium ended or changed",
        };
        let field = new.as_ref().map(|_| "status");
        let summary = format!("{}{clause}", self.publication.company_name);
        self.push(kind, field, old, new, summary, None);
    }
}
