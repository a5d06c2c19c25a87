//! What the facts say about each factor.

mod company;
mod environment;
mod governance;

pub use governance::SHARED_ADDRESS;

use jiff::{ToSpan, civil::Date};

use crate::{FactorKind, Facts, Sign, evidence::Observation, facts::Dated};

/// What was looked up about a factor.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// The facts are not known, for this reason.
    Unknown(&'static str),
    /// The facts are known.
    Known(Vec<Observation>),
}

/// The facts are missing: either the sources say nothing, or the caller did not read them.
const NOT_LOOKED_UP: Lookup =
    Lookup::Unknown("No source that was read states anything about this factor");

/// The observations about a factor on a day.
pub(crate) fn observe(factor: FactorKind, facts: &Facts, as_of: Date) -> Lookup {
    fn known<T>(facts: &Option<T>, observe: impl FnOnce(&T) -> Vec<Observation>) -> Lookup {
        facts.as_ref().map_or(NOT_LOOKED_UP, |it| Lookup::Known(observe(it)))
    }
    let deleted_on = facts.deleted_on.filter(|it| *it <= as_of);
    match factor {
        FactorKind::OwnershipOpacity => known(&facts.ownership, environment::ownership),
        FactorKind::Listings => known(&facts.listings, |it| environment::listings(it)),
        FactorKind::Geography
            if facts.countries.is_some() && as_of < crate::countries::LISTED_ON =>
        {
            Lookup::Unknown("The lists of the FATF before 2026-02-13 are not stored")
        }
        FactorKind::Geography => known(&facts.countries, |it| environment::geography(it)),
        FactorKind::Industry => known(&facts.industry, environment::industry),
        FactorKind::Audit => known(&facts.audit, |it| governance::audit(it, as_of)),
        FactorKind::Board => known(&facts.board, |it| governance::board(it, as_of, deleted_on)),
        FactorKind::Address => {
            known(&facts.address, |it| governance::address(it, as_of, deleted_on))
        }
        FactorKind::Capital => known(&facts.capital, |it| company::capital(it, deleted_on)),
        FactorKind::Status => known(&facts.status, |it| company::status(it, as_of)),
    }
}

/// Whether a day is at least so many years before another.
fn is_years_before(day: Date, years: i32, as_of: Date) -> bool {
    as_of.checked_sub(years.years()).is_ok_and(|it| day <= it)
}

/// An event as an observation, which is as old as the event.
fn dated(sign: Sign, it: &Dated) -> Observation {
    let mut source = it.source.clone();
    source.date = Some(it.on);
    Observation::new(sign, &source, it.summary.clone())
}
