//! One publication about a company, parsed, whichever source it comes from.

use domain::{
    Canton, Provenance, Status, Uid,
    statements::gazette::NamedCompany,
    text::{self, without_liquidation},
};
use gazette_notice::{CapitalKind, Change, Combination, Notice, Party, Step};
use jiff::civil::Date;

use super::company_state::CompanyState;
use crate::notice;

/// A parsed publication.
#[derive(Clone, Debug)]
pub(crate) struct ParsedPublication {
    pub(crate) uid: Uid,
    /// The company's name in the publication.
    pub(crate) company_name: String,
    pub(crate) canton: Option<Canton>,
    /// The publication's number, or the digest of its text if it has none. Event ids are derived from it.
    pub(crate) key: String,
    pub(crate) date: Date,
    pub(crate) source: Provenance,
    /// Date of the previous publication, if this one names it.
    pub(crate) previous: Option<Date>,
    /// Withdrawn by the gazette: its content does not count.
    pub(crate) is_cancelled: bool,
    pub(crate) is_registration: bool,
    /// Date of the deletion. `None` if the publication is not a deletion. A company that only moves to another canton is
    /// not deleted.
    pub(crate) deleted: Option<Date>,
    /// Date of the entry in the register's journal, from which it has legal effect (art. 34 of the Commercial Register
    /// Ordinance).
    pub(crate) journal_date: Option<Date>,
    pub(crate) notice: Notice,
    /// The only auditor in the blocks, if they name the same one. They are often incomplete, so another name is no proof of a
    /// change: the text decides.
    pub(crate) auditor: Option<NamedCompany>,
    /// The company before the publication, if the publication has that block.
    pub(crate) before: Option<CompanyState>,
    /// The company after the publication, if the publication has that block.
    pub(crate) after: Option<CompanyState>,
}

impl ParsedPublication {
    /// The newest state of the company that its blocks contain.
    pub(crate) fn block(&self) -> Option<&CompanyState> {
        self.after.as_ref().or(self.before.as_ref())
    }

    /// Whether all that its text says about persons is in lists, and no clause is left out.
    pub(crate) fn is_surely_read(&self) -> bool {
        !self.notice.has_prose && self.notice.unsure == 0
    }

    /// Whether it states that the limited audit is waived, or that it is not.
    pub(crate) fn states_waiver(&self) -> bool {
        let in_text = |it: &Change| matches!(it, Change::OptingOut { .. });
        self.block().is_some_and(|it| it.opting_out.is_some())
            || self.notice.changes.iter().any(in_text)
    }

    /// Whether it states that this party takes the company over.
    fn names_acquirer(&self, acquirer: &Party) -> bool {
        let is_acquirer = |it: &Party| match (it.uid, acquirer.uid) {
            (Some(one), Some(other)) => one == other,
            _ => text::fold(&it.name) == text::fold(&acquirer.name),
        };
        self.acquirers().any(is_acquirer)
    }

    /// The parties that take the company over.
    pub(crate) fn acquirers(&self) -> impl Iterator<Item = &Party> {
        self.notice.changes.iter().filter_map(|it| match it {
            Change::Combination { combination: Combination::IsTakenOverBy, party, .. } => {
                Some(party)
            }
            _ => None,
        })
    }

    /// Whether one of the company's own publications already states what this publication of its acquirer
    /// states. The takeover is then an event of the own publication only.
    pub(crate) fn is_covered_by(&self, own: &[ParsedPublication]) -> bool {
        let covers = |own: &ParsedPublication| {
            !own.is_cancelled && self.acquirers().any(|it| own.names_acquirer(it))
        };
        // Event ids contain the publication number, so it must occur once per company.
        own.iter().any(|it| it.key == self.key || (!self.is_cancelled && covers(it)))
    }

    /// Date of the entry in the register: that of the journal, or else that of the publication.
    pub(crate) fn entry_date(&self) -> Date {
        self.journal_date.unwrap_or(self.date)
    }

    /// The departure to another register: the new seat, and whether it is abroad. `None` if the publication itself
    /// enters the new seat: it is then that of the new office, or of an office that is responsible for both.
    pub(crate) fn departure(&self) -> Option<(Option<&str>, bool)> {
        let enters_seat = match (&self.before, &self.after) {
            (Some(before), Some(after)) => before.seat != after.seat,
            // A deletion has only the state before it: the office of the former seat enters no new one.
            (Some(_), None) => false,
            _ => {
                let is_new_seat = |it: &Change| matches!(it, Change::Seat { to: Some(_), .. });
                self.notice.changes.iter().any(is_new_seat)
            }
        };
        if enters_seat {
            return None;
        }
        self.notice.changes.iter().find_map(|it| match it {
            Change::Departure { to, abroad } => Some((to.as_deref(), *abroad)),
            _ => None,
        })
    }

    /// Whether the company's name after the publication contains the addition "in liquidation".
    pub(crate) fn is_in_liquidation_after(&self) -> bool {
        let name = self.after.as_ref().and_then(|it| it.name.as_deref());
        name.is_some_and(|it| status_by_name(it) == Status::BeingCancelled)
    }

    /// The status before the publication by the name that the company had then. `None` if the publication does not state
    /// that name.
    pub(crate) fn status_by_former_name(&self) -> Option<Status> {
        let before = self.before.as_ref().and_then(|it| it.name.as_deref());
        before.or(self.notice.name.as_deref()).map(status_by_name)
    }

    /// The name that the company gives up, followed by its translations.
    pub(crate) fn former_names(&self) -> Vec<String> {
        let is_name = |it: &Change| matches!(it, Change::Name { .. });
        match (&self.before, &self.after) {
            (Some(before), Some(after)) if before.name != after.name => {
                before.name.iter().chain(&before.translations).cloned().collect()
            }
            (Some(_), Some(_)) => Vec::new(),
            // The text states the new name.
            (Some(before), None) if self.notice.changes.iter().any(is_name) => {
                before.name.iter().chain(&before.translations).cloned().collect()
            }
            _ if self.notice.changes.iter().any(is_name) => {
                self.notice.name.iter().cloned().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The earliest date of statutes that it names, up to its own date.
    pub(crate) fn first_statutes(&self) -> Option<Date> {
        let dates = self.notice.changes.iter().filter_map(|it| match it {
            Change::Statutes { on } => *on,
            _ => None,
        });
        dates.filter(|it| *it <= self.date).min()
    }

    /// The company before the publication: its block, or else what the text states about the former values.
    pub(crate) fn state_before(&self) -> CompanyState {
        if let Some(before) = &self.before {
            return before.clone();
        }
        let mut state =
            CompanyState { name: Some(self.company_name.clone()), ..CompanyState::default() };
        for change in &self.notice.changes {
            match change {
                Change::Seat { from: Some(from), .. } => state.seat = Some(from.clone()),
                Change::Capital {
                    capital: CapitalKind::Shares | CapitalKind::Quotas,
                    from: Some(from),
                    currency,
                    ..
                } => {
                    state.capital = Some(notice::amount(*from));
                    state.currency.clone_from(currency);
                }
                _ => {}
            }
        }
        state
    }

    /// The company's status before the publication.
    pub(crate) fn status_before(&self) -> Status {
        let stated = self.notice.changes.iter().find_map(|it| match it {
            Change::ReEntry { .. } => Some(Status::Cancelled),
            // A proceeding that is revoked, suspended, resumed or closed was open before.
            Change::Proceeding {
                step:
                    Step::DissolutionRevoked
                    | Step::BankruptcyRevoked
                    | Step::BankruptcyStayed
                    | Step::Suspended
                    | Step::Resumed
                    | Step::Closed
                    | Step::LiquidationCompleted,
                ..
            } => Some(Status::BeingCancelled),
            _ => None,
        });
        let by_name =
            || self.status_by_former_name().unwrap_or_else(|| status_by_name(&self.company_name));
        stated.unwrap_or_else(by_name)
    }
}

/// The status of a registered company if no statement sets a new one: any known status other than active
/// remains; otherwise the name decides.
pub(crate) fn status_by_default(known: Option<Status>, name: &str) -> Status {
    match known {
        None | Some(Status::Active) => status_by_name(name),
        Some(known) => known,
    }
}

/// The status of a registered company by its name: a company in liquidation must add that to its name (Code
/// of Obligations, art. 739).
fn status_by_name(name: &str) -> Status {
    let folded = text::fold(name);
    if without_liquidation(&folded) == folded { Status::Active } else { Status::BeingCancelled }
}

/// Whether two names are equal when case, punctuation and the addition "in liquidation" are ignored.
pub(crate) fn is_same_name(one: &str, other: &str) -> bool {
    let (one, other) = (text::fold(one), text::fold(other));
    without_liquidation(&one) == without_liquidation(&other)
}
