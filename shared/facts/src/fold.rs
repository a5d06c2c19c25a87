//! How facts become the record of a company and its history.
//!
//! A snapshot of the register says all at once, or half of it; a publication says what changed. The
//! record is the newest snapshot among the publications; the history is every publication, in order.
//!
//! | File | Says |
//! |---|---|
//! | `announced` | what one publication states, whichever source brought it |
//! | `layers` | which statements make the record, and in which order |
//! | `events` | what a publication makes happen |
//! | `zefix`, `lindas`, `gleif` | what the records of these sources state |
//! | `board` | who holds office and who audits, from notice to notice |
//! | `past` | the company as it was on a day |

mod announced;
mod board;
mod events;
mod gleif;
mod layers;
mod lindas;
mod past;
mod zefix;

use domain::{Company, History, changes::midnight, history::Recorded};

pub(crate) use self::announced::Announced;
use self::layers::{Layer, layers};
pub use self::past::{Past, fold_until};
use crate::Fact;

/// The record that a company's facts make; `None` where no register says that there is such a company.
///
/// The order of the slice does not matter: a late fact finds its place.
pub fn fold(facts: &[Fact]) -> Option<Company> {
    fold_with_history(facts).map(|(company, _)| company)
}

/// The same, and what happened to the company.
pub fn fold_with_history(facts: &[Fact]) -> Option<(Company, History)> {
    let facts = in_order(facts);
    let publications = announced::announced(&facts);
    let takeovers = announced::takeovers(&facts);
    let history = history(&publications, &takeovers);
    let layers = layers(&facts, &publications, &takeovers);
    let company = company(&layers, &publications, &history)?;
    Some((company, history))
}

fn in_order(facts: &[Fact]) -> Vec<&Fact> {
    let mut facts: Vec<&Fact> = facts.iter().collect();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));
    facts
}

/// What the company's own publications make happen, and what those of its acquirers do that the own ones do
/// not tell.
fn history(publications: &[Announced], takeovers: &[Announced]) -> History {
    let mut board = board::Board::default();
    let mut history = History::default();
    for publication in publications {
        if !publication.is_cancelled {
            board.follow(publication);
        }
        history.events.extend(events::events(publication).into_iter().map(Recorded::from));
    }
    let untold = takeovers.iter().filter(|it| !it.is_told_by(publications));
    history.events.extend(untold.flat_map(events::events).map(Recorded::from));
    // Behind the company's own of the day.
    history.events.sort_by_key(|it| it.event.date);
    history.mandates = board.mandates;
    history.tenures = board.tenures;
    history.same_persons = board.same_persons;
    history
}

/// The record that the layers make.
fn company(layers: &[Layer<'_>], publications: &[Announced], history: &History) -> Option<Company> {
    let first = layers.first()?;
    let mut company = Company::new(first.uid(), "");
    layers.iter().for_each(|it| it.apply(&mut company));
    // Who audits follows from the notices together, and from those that the register's snapshot holds
    // only as far as it says so.
    let since = layers.iter().rev().take_while(|it| !it.is_whole());
    if since.filter_map(Layer::publication).any(board::is_about_auditors) {
        audited(&mut company, history);
    }
    if company.registration_date.is_none() {
        company.registration_date = entry(publications).map(|it| it.date);
    }
    if company.founding_date.is_none() {
        company.founding_date = entry(publications).and_then(Announced::statutes);
    }
    let others = layers.iter().filter(|it| !matches!(it, Layer::Before(_) | Layer::Publication(_)));
    let last = layers.iter().rev().find(|it| it.publication().is_some());
    company.sources = others.chain(last).map(Layer::provenance).collect();
    company.data_source = company.data_source.or_else(|| Some(first.provenance().source));
    company.updated_at = layers.iter().filter_map(Layer::date).max().map(midnight);
    // As old as the purpose may be that it is read from: the same facts make the same record.
    company.classify(company.updated_at);
    Some(company.completed())
}

/// The publication that entered the company.
fn entry(publications: &[Announced]) -> Option<&Announced> {
    publications.iter().find(|it| it.is_registration && !it.is_cancelled)
}

/// The auditor, as the notices leave it.
fn audited(company: &mut Company, history: &History) {
    let Some(newest) = history.tenures.last() else { return };
    let current = history.current_tenure();
    company.auditor_name = current.map(|it| it.auditor_name.clone());
    company.auditor_uid = current.and_then(|it| it.auditor_uid);
    company.auditor_source = Some(newest.source.source.clone());
}

#[cfg(test)]
mod tests;
