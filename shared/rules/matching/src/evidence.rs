//! What supports or contradicts equal names: dates, countries, identifiers, kinds.
//!
//! Evidence is added in log-odds (natural logarithm): positive supports, negative contradicts.

use crate::{
    prepared::Prepared,
    subject::{Identifier, Kind, PartialDate},
};

/// How two statements agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Support {
    /// What the evidence adds to the log-odds of a match. 0: nothing is known.
    pub(crate) log_odds: f64,
    /// 0 (contradicts) to 1 (agrees).
    pub(crate) agreement: f64,
}

impl Support {
    pub(crate) const NONE: Self = Self { log_odds: 0.0, agreement: 0.5 };
}

/// The best agreement of the dates of two subjects, and the dates.
pub(crate) fn dates<'a>(
    a: &'a Prepared,
    b: &'a Prepared,
) -> Option<(Support, &'a PartialDate, &'a PartialDate)> {
    let pairs =
        a.birth_dates.iter().flat_map(|one| b.birth_dates.iter().map(move |other| (one, other)));
    pairs
        .map(|(one, other)| (date(one, other), one, other))
        .reduce(|best, it| if it.0.log_odds > best.0.log_odds { it } else { best })
}

fn date(one: &PartialDate, other: &PartialDate) -> Support {
    let support = |log_odds, agreement| Support { log_odds, agreement };
    let years = i32::from(one.year) - i32::from(other.year);
    let both = |x: Option<u8>, y: Option<u8>| x.zip(y);
    let months = both(one.month, other.month);
    let days = months.and_then(|_| both(one.day, other.day));
    match (years, months, days) {
        (0, Some((m, n)), Some((d, e))) if m == n && d == e => support(5.0, 1.0),
        // Written in another order.
        (0, Some((m, n)), Some((d, e))) if m == e && d == n => support(1.5, 0.7),
        // One of the two mistyped, or unknown and written as 1 January.
        (0, Some((m, n)), Some((d, e))) if m == n || d == e => support(-0.4, 0.4),
        (0, Some((m, n)), None) if m == n => support(2.5, 0.9),
        (0, Some(_), _) => support(-1.0, 0.3),
        (0, None, _) => support(1.5, 0.8),
        (-1..=1, Some((m, n)), Some((d, e))) if m == n && d == e => support(0.3, 0.6),
        (-1..=1, None, _) => support(-0.5, 0.4),
        (-2..=2, _, _) => support(-1.5, 0.2),
        _ => support(-3.0, 0.0),
    }
}

/// Whether two subjects have a country in common.
pub(crate) fn countries(a: &Prepared, b: &Prepared) -> Support {
    if a.countries.is_empty() || b.countries.is_empty() {
        Support::NONE
    } else if a.countries.iter().any(|it| b.countries.contains(it)) {
        Support { log_odds: 0.6, agreement: 1.0 }
    } else {
        // Weak: one may be the nationality and the other the residence.
        Support { log_odds: -0.3, agreement: 0.0 }
    }
}

/// Two identifiers of one scheme, and how they agree.
type ComparedIdentifiers<'a> = (Support, &'a Identifier, &'a Identifier);

/// The identifiers that agree best, of every scheme that two subjects have in common.
pub(crate) fn identifiers<'a>(a: &'a Prepared, b: &'a Prepared) -> Vec<ComparedIdentifiers<'a>> {
    let pairs =
        a.identifiers.iter().flat_map(|one| b.identifiers.iter().map(move |other| (one, other)));
    let comparable = pairs.filter(|(one, other)| {
        one.scheme == other.scheme && !one.value.is_empty() && !other.value.is_empty()
    });
    let mut best: Vec<ComparedIdentifiers<'_>> = Vec::new();
    for (one, other) in comparable {
        // A person has several passports; the other number is another document.
        let differs = if is_single(&one.scheme) { -2.5 } else { -0.3 };
        let support = if one.value == other.value {
            Support { log_odds: equal_number(&one.scheme, countries(a, b)), agreement: 1.0 }
        } else {
            Support { log_odds: differs, agreement: 0.0 }
        };
        match best.iter_mut().find(|(_, it, _)| it.scheme == one.scheme) {
            Some(known) if support.log_odds > known.0.log_odds => *known = (support, one, other),
            Some(_) => {}
            None => best.push((support, one, other)),
        }
    }
    best
}

/// What each further equal number adds. Little: who copies one number from another list copies all.
const FURTHER_NUMBER: f64 = 0.5;
/// What a differing number takes from an equal one, or each further one from the first. Little: one of them may be outdated.
const DIFFERING_NUMBER: f64 = 0.3;

/// What the identifiers add together to the log-odds of a match. 0 if no scheme is common.
pub(crate) fn identifier_log_odds(compared: &[ComparedIdentifiers<'_>]) -> f64 {
    let log_odds = || compared.iter().map(|it| it.0.log_odds);
    let equal = log_odds().filter(|it| *it > 0.0).count() as f64;
    let differing = compared.len() as f64 - equal;
    if equal > 0.0 {
        let strongest = log_odds().fold(0.0, f64::max);
        strongest + (equal - 1.0) * FURTHER_NUMBER - differing * DIFFERING_NUMBER
    } else if differing > 0.0 {
        log_odds().fold(0.0, f64::min) - (differing - 1.0) * DIFFERING_NUMBER
    } else {
        0.0
    }
}

/// What an equal number adds. Countries number passports, taxpayers and firms each for themselves, so that the same digits may
/// belong to two subjects.
fn equal_number(scheme: &str, countries: Support) -> f64 {
    let is_worldwide =
        matches!(scheme, "lei" | "uid" | "imo" | "ahv" | "isin" | "mmsi" | "bic" | "wallet");
    match countries.agreement {
        _ if is_worldwide => 7.0,
        0.75.. => 7.0,
        // Nothing is known of one of the countries: with other names, the lowest risk level.
        0.25.. => 5.6,
        _ => 4.0,
    }
}

/// Whether a subject has one number of a scheme only. Identity cards are renewed, and some persons have several.
fn is_single(scheme: &str) -> bool {
    matches!(scheme, "lei" | "uid" | "imo" | "ahv" | "ssn" | "isin" | "mmsi")
}

/// Whether the kinds contradict each other.
pub(crate) fn kinds(a: &Prepared, b: &Prepared) -> Support {
    if a.kind == b.kind || a.kind == Kind::Other || b.kind == Kind::Other {
        Support::NONE
    } else {
        Support { log_odds: -3.0, agreement: 0.0 }
    }
}
