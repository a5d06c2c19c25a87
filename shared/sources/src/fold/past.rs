//! The company as it was on a day.

use std::collections::BTreeMap;

use domain::{Amount, ChangeKind, Company, History, Provenance, Status, legal_forms::LegalForm};
use jiff::civil::Date;

use super::{announced, company, history, in_order};
use crate::{Fact, Statement};

/// A company, its history until a day, and what proves each member that a publication changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    pub company: Company,
    pub history: History,
    /// By the wire name of the member: the last publication until that day which stated it.
    pub proofs: BTreeMap<String, Provenance>,
}

/// The company as it was at the end of this day; `None` where it was not entered yet, or nothing is
/// known of that time.
///
/// Only what is dated counts: the register's snapshots until that day and the publications after them.
/// Where the first snapshot is later, what was published since is taken back from it; a member whose
/// earlier value no publication tells is left out.
pub fn fold_until(facts: &[Fact], day: Date) -> Option<Past> {
    let facts = in_order(facts);
    let mut publications = announced::announced(&facts);
    let later = publications.split_off(publications.partition_point(|it| it.date <= day));
    if later.iter().any(|it| it.is_registration && !it.is_cancelled) {
        return None;
    }
    let past = history(&publications);
    let known: Vec<&Fact> = facts
        .iter()
        .copied()
        .filter(|it| it.published.is_some_and(|published| published <= day))
        .collect();
    let is_base = |it: &&Fact| matches!(it.statement, Statement::Zefix(_) | Statement::Lindas(_));
    let has_base = known.iter().any(is_base)
        || publications.iter().any(|it| it.after.is_some() && !it.is_cancelled);
    let mut then = if has_base {
        company(&known, &publications, &past)?
    } else {
        let all: Vec<_> = publications.iter().chain(&later).cloned().collect();
        let mut company = company(&facts, &all, &history(&all))?;
        take_back(&mut company, &history(&later), &past);
        company.sources.retain(|it| it.date.is_some_and(|it| it <= day));
        company.updated_at = None;
        company
    };
    if then.registration_date.is_some_and(|it| it > day) {
        return None;
    }
    // What was screened, classified or located since does not belong to that day.
    then.data_quality_score = None;
    then.sources
        .extend(publications.iter().rev().find(|it| !it.is_cancelled).map(|it| it.source.clone()));
    then.sources.dedup();
    let mut proofs = BTreeMap::new();
    for event in past.events.iter().map(|it| &it.event) {
        if let Some(field) = &event.field {
            proofs.insert(field.clone(), event.source.clone());
        }
    }
    Some(Past { company: then.completed(), history: past, proofs })
}

/// Takes back what happened since, the newest first.
fn take_back(company: &mut Company, since: &History, until: &History) {
    for event in since.events.iter().rev().map(|it| &it.event) {
        let old = event.old_value.clone();
        match event.kind {
            ChangeKind::NameChange => {
                let last = until.events.last().map(|it| it.event.company_name.clone());
                if let Some(name) = old.or(last) {
                    company.name = name;
                }
            }
            ChangeKind::LegalFormChange => {
                let form = old.as_deref().and_then(LegalForm::named);
                company.legal_form = form.map(|it| it.name().to_owned());
                company.legal_form_code = form.map(|it| it.code.to_owned());
            }
            ChangeKind::SeatChange => {
                company.legal_seat = old;
                (company.legal_seat_id, company.municipality) = (None, None);
            }
            ChangeKind::AddressChange => {
                company.address_care_of = None;
                company.address_street = None;
                company.address_house_number = None;
                company.address_addon = None;
                company.address_po_box = None;
                company.address_zip_code = None;
                company.address_city = None;
                company.address_canton = None;
            }
            ChangeKind::PurposeChange => company.purpose = old,
            ChangeKind::CapitalChange => {
                company.share_capital = old.and_then(|it| it.parse::<Amount>().ok());
            }
            ChangeKind::AuditorChange => {
                let tenure = until.current_tenure();
                company.auditor_name = tenure.map(|it| it.auditor_name.clone());
                company.auditor_uid = tenure.and_then(|it| it.auditor_uid);
            }
            ChangeKind::AuditOptOut => {
                company.auditor_opt_out = old.and_then(|it| it.parse().ok());
            }
            ChangeKind::Liquidation | ChangeKind::Bankruptcy | ChangeKind::Revocation
                if event.new_value.is_some() =>
            {
                company.status = match old.as_deref() {
                    Some("BEING_CANCELLED") => Some(Status::BeingCancelled),
                    Some("CANCELLED") => Some(Status::Cancelled),
                    _ => Some(Status::Active),
                };
            }
            ChangeKind::Deletion => {
                let was_ending = until.events.iter().rev().find_map(|it| {
                    it.event
                        .new_value
                        .as_deref()
                        .filter(|_| it.event.field.as_deref() == Some("status"))
                });
                company.status = Some(match was_ending {
                    Some("BEING_CANCELLED") => Status::BeingCancelled,
                    _ => Status::Active,
                });
                company.deletion_date = None;
            }
            _ => {}
        }
    }
    // Links that came since; the others bear no date.
    company.affiliations.retain(|link| {
        !since.events.iter().any(|it| {
            it.event.kind == ChangeKind::Merger
                && it.event.subject.as_ref().is_some_and(|it| it.name == link.name)
        })
    });
}
