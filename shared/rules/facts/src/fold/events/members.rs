//! Events about members of the record: name, legal form, seat, address, purpose, capital and waiver of the audit.

use domain::{Amount, ChangeKind, legal_forms::LegalForm};
use gazette_notice::{CapitalKind, Change};

use super::{super::company_state::CompanyState, EventBuilder};
use crate::notice::amount;

/// The member of events about paid-in capital. Records have no such member.
const PAID_IN: &str = "paidInCapital";

impl EventBuilder<'_> {
    /// Compares the two blocks of the publication; if it does not have both, uses the text.
    pub(super) fn add_member_events(&mut self) {
        let publication = self.publication;
        if publication.is_registration {
            return;
        }
        match (&publication.before, &publication.after) {
            (Some(before), Some(after)) => self.compare_blocks(before, after),
            _ => self.read_text(),
        }
    }

    fn compare_blocks(&mut self, before: &CompanyState, after: &CompanyState) {
        let mut add_if_changed = |kind, field, old: Option<String>, new: Option<String>| {
            if new.is_some() && old != new {
                self.add(kind, Some(field), old, new);
            }
        };
        add_if_changed(ChangeKind::NameChange, "name", before.name.clone(), after.name.clone());
        let form = |it: &CompanyState| it.legal_form();
        add_if_changed(ChangeKind::LegalFormChange, "legalForm", form(before), form(after));
        add_if_changed(
            ChangeKind::SeatChange,
            "legalSeat",
            before.seat.clone(),
            after.seat.clone(),
        );
        if let (Some(old), Some(new)) = (&before.address, &after.address)
            && !old.has_same_words(new)
        {
            add_if_changed(
                ChangeKind::AddressChange,
                "address",
                Some(old.line()),
                Some(new.line()),
            );
        }
        let purpose = |it: &CompanyState| it.purpose.clone();
        add_if_changed(ChangeKind::PurposeChange, "purpose", purpose(before), purpose(after));
        let capital = |it: &CompanyState| it.capital.map(|it| it.to_string());
        add_if_changed(ChangeKind::CapitalChange, "shareCapital", capital(before), capital(after));
        let paid = |it: &CompanyState| it.paid.map(|it| it.to_string());
        let is_paid_stated = before.paid.is_some() && after.paid.is_some();
        let is_fully_paid = (before.paid, after.paid) == (before.capital, after.capital);
        if is_paid_stated && !is_fully_paid {
            add_if_changed(ChangeKind::CapitalChange, PAID_IN, paid(before), paid(after));
        }
        let waived = |it: &CompanyState| it.opting_out.map(|it| it.to_string());
        if before.opting_out.is_some() {
            add_if_changed(ChangeKind::AuditOptOut, "auditorOptOut", waived(before), waived(after));
        } else {
            self.add_waivers();
        }
        let nominal = after.capital.map(|to| (to, before.capital));
        let nominal = nominal.filter(|(to, from)| *from != Some(*to));
        self.add_other_capitals(is_paid_stated, nominal);
    }

    /// Adds changes of paid-in and participation capital that the text states. A change of the paid-in capital is
    /// left out if the nominal capital changes by the same amounts. `nominal` is the change of the nominal
    /// capital: the new and the former value.
    fn add_other_capitals(
        &mut self,
        is_paid_stated: bool,
        nominal: Option<(Amount, Option<Amount>)>,
    ) {
        let change_of = |kinds: &[CapitalKind]| {
            self.changes().iter().find_map(|it| match it {
                Change::Capital { capital, to, from, .. } if kinds.contains(capital) => {
                    Some((amount(*to), from.map(amount)))
                }
                _ => None,
            })
        };
        let nominal = change_of(&[CapitalKind::Shares, CapitalKind::Quotas]).or(nominal);
        let participation = change_of(&[CapitalKind::Participation]);
        for change in self.changes_without_restated_capital() {
            let Change::Capital { capital, to, from, .. } = change else { continue };
            let (to, from) = (amount(to), from.map(amount));
            let (field, nominal) = match capital {
                CapitalKind::Paid if !is_paid_stated => (PAID_IN, nominal),
                CapitalKind::Participation => ("participationCapital", None),
                CapitalKind::PaidParticipation => ("paidInParticipationCapital", participation),
                _ => continue,
            };
            let is_fully_paid = nominal.is_some_and(|(nominal, before)| {
                nominal == to && (from.is_none() || from == before)
            });
            if !is_fully_paid && from != Some(to) {
                let (old, new) = (from.map(|it| it.to_string()), Some(to.to_string()));
                self.add(ChangeKind::CapitalChange, Some(field), old, new);
            }
        }
    }

    /// The changes that the text states. The office of a new seat states the capital as it is, which is no change.
    fn changes_without_restated_capital(&self) -> Vec<Change> {
        let moves_in = self.changes().contains(&Change::MovedIn);
        let is_restated =
            |it: &Change| moves_in && matches!(it, Change::Capital { from: None, .. });
        self.changes().iter().filter(|it| !is_restated(it)).cloned().collect()
    }

    fn add_waivers(&mut self) {
        for change in self.changes().to_vec() {
            if let Change::OptingOut { waived } = change {
                let (old, new) = ((!waived).to_string(), waived.to_string());
                self.add(ChangeKind::AuditOptOut, Some("auditorOptOut"), Some(old), Some(new));
            }
        }
    }

    fn read_text(&mut self) {
        for change in self.changes_without_restated_capital() {
            match change {
                Change::Name { to } => {
                    self.add(ChangeKind::NameChange, Some("name"), None, Some(to));
                }
                Change::LegalForm { to } => {
                    let to = LegalForm::named(&to).map_or(to, |it| it.name().to_owned());
                    self.add(ChangeKind::LegalFormChange, Some("legalForm"), None, Some(to));
                }
                Change::Seat { to, from } => {
                    self.add(ChangeKind::SeatChange, Some("legalSeat"), from, to);
                }
                Change::Address { to } => {
                    self.add(ChangeKind::AddressChange, Some("address"), None, Some(to));
                }
                Change::Purpose { to } => {
                    self.add(ChangeKind::PurposeChange, Some("purpose"), None, Some(to));
                }
                Change::Capital {
                    capital: CapitalKind::Shares | CapitalKind::Quotas,
                    to,
                    from,
                    ..
                } => {
                    let (old, new) =
                        (from.map(|it| amount(it).to_string()), Some(amount(to).to_string()));
                    self.add(ChangeKind::CapitalChange, Some("shareCapital"), old, new);
                }
                _ => {}
            }
        }
        self.add_waivers();
        self.add_other_capitals(false, None);
    }
}
