//! The fold: makes the record and the history of a company from its facts.
//!
//! A snapshot from a register states the whole record or part of it; a publication states what changed. The
//! record consists of the newest snapshot and the publications. The history consists of all publications in
//! order.
//!
//! | File | Content |
//! |---|---|
//! | `publication`, `company_state` | One parsed publication, and the company before or after it |
//! | `collect` | All publications of a company, each once, from all sources |
//! | `layers` | Which statements make the record, and in which order |
//! | `legal_events`, `life` | The legal events of a publication, and the status that they lead to |
//! | `events` | The events that a publication contains |
//! | `control` | What a publication means for the control of the company: legal events about board, owners and auditor |
//! | `board`, `owners` | Officers, signatories and auditors over time, and the shares of partners |
//! | `as_of` | The company as of a date |
//! | `gazette`, `zefix`, `lindas`, `gleif` | What the records of these sources state |

mod as_of;
mod board;
mod collect;
mod company_state;
mod control;
mod events;
mod gazette;
mod gleif;
mod layers;
mod legal_events;
mod life;
mod lindas;
mod owners;
mod publication;
mod zefix;

use domain::{
    Company, History, Status, changes::midnight, history::Recorded, owners::set_quota_holders,
};

pub use self::as_of::{CompanyAsOf, ParsedFacts};
pub(crate) use self::board::person as person_of;
use self::{
    collect::{own_publications, takeovers},
    layers::{Layer, layers},
    publication::ParsedPublication,
};
use crate::Fact;

/// Folds the facts of a company into its record. `None` if no fact shows that the company is in a register.
///
/// The facts can be in any order.
pub fn fold(facts: &[Fact]) -> Option<Company> {
    fold_with_history(facts).map(|(company, _)| company)
}

/// Folds the facts of a company into its record and its history. `None` as for [`fold`].
pub fn fold_with_history(facts: &[Fact]) -> Option<(Company, History)> {
    let facts = sorted(facts);
    let publications = own_publications(&facts);
    let takeovers = takeovers(&facts);
    let mut history = history(&publications, &takeovers);
    let layers = layers(&facts, &publications, &takeovers);
    let company = company(&layers, &publications, &mut history)?;
    Some((company, history))
}

fn sorted(facts: &[Fact]) -> Vec<&Fact> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));
    facts
}

/// The history from the company's own publications, and from those of its acquirers that its own do not cover.
fn history(publications: &[ParsedPublication], takeovers: &[ParsedPublication]) -> History {
    let mut board = board::Board::default();
    let mut control = control::Control::default();
    let mut history = History::default();
    for publication in publications {
        let mut events = events::events(publication);
        if !publication.is_cancelled {
            board.apply(publication);
            control.apply(publication, &board, &mut events);
        }
        history.events.extend(events.into_iter().map(Recorded::from));
    }
    let uncovered = takeovers.iter().filter(|it| !it.is_covered_by(publications));
    history.events.extend(uncovered.flat_map(events::events).map(Recorded::from));
    // The sort is stable: on the same day the company's own events come first.
    history.events.sort_by_key(|it| it.event.date);
    history.mandates = board.mandates;
    history.tenures = board.tenures;
    history.same_persons = board.same_persons;
    history
}

/// Applies the layers and adds the derived members. Ends the mandates of a deleted company. `None` without layers.
fn company(
    layers: &[Layer<'_>],
    publications: &[ParsedPublication],
    history: &mut History,
) -> Option<Company> {
    let first = layers.first()?;
    let mut company = Company::new(first.uid(), "");
    layers.iter().for_each(|it| it.apply(&mut company));
    if company.status == Some(Status::Cancelled) {
        end_with_company(history, &company, layers);
    }
    // The tenures set the auditor, unless a full snapshot is newer than all publications about auditors.
    let after_snapshot = layers.iter().rev().take_while(|it| !it.is_full_snapshot());
    let current = history.current_tenure();
    let states_auditor = |it: &ParsedPublication| {
        board::is_about_auditors(it) || current.is_some_and(|of| board::names_auditor(it, of))
    };
    if after_snapshot.filter_map(Layer::publication).any(states_auditor) {
        set_auditor(&mut company, history);
    }
    set_quota_holders(&mut company, history.current_mandates());
    // The reason belongs to the status that the publications lead to: a register can have another one.
    let status = life::status_after(publications);
    company.status_reason = status.reason.filter(|it| Some(it.status()) == company.status);
    if company.registration_date.is_none() {
        company.registration_date = registration(publications).map(ParsedPublication::entry_date);
    }
    let first_statutes = registration(publications).and_then(ParsedPublication::first_statutes);
    company.founding_date = first_statutes.or(company.founding_date);
    let others = layers.iter().filter(|it| !matches!(it, Layer::Before(_) | Layer::Publication(_)));
    let last = layers.iter().rev().find(|it| it.publication().is_some());
    company.sources = Vec::new();
    // Several records of a source can have the same page and date.
    for source in others.chain(last).map(Layer::provenance) {
        if !company.sources.contains(&source) {
            company.sources.push(source);
        }
    }
    company.data_source = company.data_source.or_else(|| Some(first.provenance().source));
    company.updated_at = layers.iter().filter_map(Layer::date).max().map(midnight);
    // Dated by the facts and not by the clock: the same facts must make the same record.
    company.classify(company.updated_at);
    Some(company.completed())
}

/// Ends what is current, if the publication of the deletion, which ends everything, is not known: a register states it.
fn end_with_company(history: &mut History, company: &Company, layers: &[Layer<'_>]) {
    let Some(layer) = layers.iter().rev().find(|it| it.states_status()) else { return };
    let Some(day) = company.deletion_date.or(layer.date()) else { return };
    for mandate in history.mandates.iter_mut().filter(|it| it.is_current()) {
        // The day of the deletion can be earlier than that of the last publication.
        let until = mandate.source.date.map_or(day, |it| it.max(day));
        for held in mandate.holdings.iter_mut().filter(|it| it.until.is_none()) {
            held.until = Some(until);
        }
        mandate.until = Some(until);
        mandate.source = layer.provenance();
    }
    for tenure in history.tenures.iter_mut().filter(|it| it.is_current()) {
        tenure.resigned_at = Some(tenure.source.date.map_or(day, |it| it.max(day)));
        tenure.source = layer.provenance();
    }
}

/// The publication of the company's registration.
fn registration(publications: &[ParsedPublication]) -> Option<&ParsedPublication> {
    publications.iter().find(|it| it.is_registration && !it.is_cancelled)
}

/// Sets the auditor to the one of the current tenure.
fn set_auditor(company: &mut Company, history: &History) {
    let Some(newest) = history.tenures.last() else { return };
    let current = history.current_tenure();
    company.auditor_name = current.map(|it| it.auditor_name.clone());
    company.auditor_uid = current.and_then(|it| it.auditor_uid);
    company.auditor_source = Some(newest.source.source.clone());
}

#[cfg(test)]
mod tests;
