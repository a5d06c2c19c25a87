//! What is known about a company on a day.

use std::collections::BTreeMap;

use domain::{Company, History, Provenance, Status, changes::LegalEvent, company::StatusReason};
use jiff::civil::Date;

use crate::{AnnualFigures, Group, legal_form::FOUNDATION};

/// What the rules look at: the company as it was on a day.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// The record on the day.
    pub company: &'a Company,
    /// The history until the day.
    pub history: &'a History,
    /// The source of each member of the record, by its JSON name. `None`: the newest source of the record is named.
    pub proofs: Option<&'a BTreeMap<String, Provenance>>,
    /// Figures of annual reports that were published until the day, in any order.
    pub figures: &'a [AnnualFigures],
    /// The newest disclosure of a holder of its shares to the exchange until the day. `None` if none is known.
    pub listing: Option<&'a Provenance>,
    /// The record of GLEIF that names securities of the company. `None` if none is known.
    pub securities: Option<&'a Provenance>,
    /// The companies above and below it.
    pub group: &'a Group,
    /// The licences that FINMA lists on the day, in its English words. Empty if none is known.
    pub licences: &'a [String],
    /// The day.
    pub day: Date,
}

impl Profile<'_> {
    /// The source of a member of the record.
    pub(crate) fn source_of(&self, member: &str) -> Option<Provenance> {
        self.company.source_of(member, self.proofs).cloned()
    }

    /// Code of the legal form, eCH-0097.
    pub(crate) fn legal_form(&self) -> Option<&str> {
        self.company.legal_form_code.as_deref()
    }

    /// Whether it is a foundation.
    pub(crate) fn is_foundation(&self) -> bool {
        self.legal_form() == Some(FOUNDATION)
    }

    /// Whether the company was deleted from the register.
    pub(crate) fn is_deleted(&self) -> bool {
        self.company.status == Some(Status::Cancelled)
    }

    /// Whether bankruptcy proceedings are open.
    pub(crate) fn is_bankrupt(&self) -> bool {
        self.company.status_reason == Some(StatusReason::Bankruptcy)
    }

    /// The newest statement of a defect in the organisation or of a missing domicile that still holds.
    pub(crate) fn defect(&self) -> Option<(String, Option<Provenance>)> {
        match self.company.status_reason {
            Some(StatusReason::Court731b) => {
                let text = "A court dissolved the company for a defect in its organisation.";
                return Some((text.to_owned(), self.source_of("statusReason")));
            }
            Some(StatusReason::NoDomicile) => {
                let text = "The company was dissolved because it has no legal domicile.";
                return Some((text.to_owned(), self.source_of("statusReason")));
            }
            _ => {}
        }
        let legal =
            self.history.events.iter().rev().filter_map(|it| {
                Some((it.event.legal_event?, it.event.source.clone(), it.event.date))
            });
        for (event, source, date) in legal {
            match event {
                LegalEvent::NoDomicile
                | LegalEvent::DissolvedForDefect
                | LegalEvent::DissolvedWithoutDomicile => {
                    let text = format!("Published on {date}: {}", event.meaning());
                    return Some((text, Some(source)));
                }
                LegalEvent::DomicileRestored
                | LegalEvent::DissolutionRevoked
                | LegalEvent::ReEntered => return None,
                _ => {}
            }
        }
        None
    }
}
