//! Runs of stored searches: what a run has found before, and what is new.

use std::{collections::BTreeSet, fmt};

use domain::Uid;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::SearchParams;

/// Maximum number of companies that are compared one by one. Runs that find more are compared by their number.
pub const MAX_COMPARED: usize = 10_000;

/// Maximum number of companies that a report lists.
pub const MAX_LISTED: usize = 20;

/// A search that runs by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StoredSearch {
    pub kind: SearchKind,
    /// Id of the saved search or the alert.
    pub id: String,
}

/// Kind of a search that runs by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchKind {
    SavedSearch,
    Alert,
}

impl SearchKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::SavedSearch => "saved_search",
            Self::Alert => "alert",
        }
    }
}

impl fmt::Display for StoredSearch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.kind.name(), self.id)
    }
}

/// The last run of a search, for its owner.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    /// Id of the saved search or the alert.
    pub id: String,
    pub run_at: Timestamp,
    /// Number of companies that it found.
    pub result_count: u64,
    /// Number of scheduled runs that found something new.
    #[serde(default)]
    pub trigger_count: u64,
    /// Time of the last run that found something new.
    pub triggered_at: Option<Timestamp>,
}

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Number of companies.
    pub total: u64,
    /// The companies, active and large ones first. `None` if they are more than [`MAX_COMPARED`].
    pub companies: Option<Vec<Uid>>,
}

/// What the scheduled runs of a search have found so far.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reported {
    /// The filters of these runs. With other filters, the search starts anew.
    params: SearchParams,
    /// The newest period that has run.
    period: Timestamp,
    /// Number of companies that the newest run found.
    total: u64,
    known: Known,
    /// A report of which it is not known whether it was delivered.
    undelivered: Option<Report>,
}

/// The companies that are not new.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Known {
    /// The numbers of the companies in ascending order, each as the difference to the one before it.
    Companies(Vec<u32>),
    /// Too many to remember.
    TooMany,
}

/// What is new.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub period: Timestamp,
    pub run_at: Timestamp,
    /// Number of new companies.
    pub new: u64,
    /// Number of all companies that the run found.
    pub total: u64,
    /// The new companies, active and large ones first, at most [`MAX_LISTED`]. Empty if the runs were compared by number.
    pub companies: Vec<Uid>,
}

impl Reported {
    /// Whether this period, or a newer one, has run.
    pub fn includes(&self, period: Timestamp) -> bool {
        self.period >= period
    }

    /// The report that must be delivered, again if it was.
    pub fn undelivered(&self) -> Option<&Report> {
        self.undelivered.as_ref()
    }

    /// Number of companies that the newest run found.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// After its report was delivered.
    #[must_use]
    pub fn delivered(self) -> Self {
        Self { undelivered: None, ..self }
    }

    /// After the run of a period. The first run, and the first with other filters, only remembers what it found.
    ///
    /// A company that disappears from the results and comes back is not new, as long as at most [`MAX_COMPARED`]
    /// companies are remembered.
    #[must_use]
    pub fn after(
        before: Option<&Self>,
        params: &SearchParams,
        period: Timestamp,
        run_at: Timestamp,
        found: Found,
    ) -> Self {
        let before = before.filter(|it| it.params == *params);
        let total = found.total;
        let known: Option<BTreeSet<u32>> = match before {
            Some(Self { known: Known::Companies(known), .. }) => Some(decoded(known).collect()),
            _ => None,
        };
        let (new, listed) = match (before, &known, &found.companies) {
            (None, ..) => (0, Vec::new()),
            (_, Some(known), Some(companies)) => {
                let new = companies.iter().filter(|it| !known.contains(&it.number()));
                (new.clone().count() as u64, new.take(MAX_LISTED).copied().collect())
            }
            (Some(before), ..) => (total.saturating_sub(before.total), Vec::new()),
        };
        let known = found.companies.map_or(Known::TooMany, |companies| {
            let found: BTreeSet<u32> = companies.iter().map(|it| it.number()).collect();
            let all = known.map_or_else(|| found.clone(), |known| &known | &found);
            Known::Companies(encoded(if all.len() <= MAX_COMPARED { &all } else { &found }))
        });
        let report = Report { period, run_at, new, total, companies: listed };
        let undelivered = (new > 0).then_some(report);
        Self { params: params.clone(), period, total, known, undelivered }
    }
}

/// Differences are short, so ten thousand companies fit in one item.
fn encoded(numbers: &BTreeSet<u32>) -> Vec<u32> {
    let mut last = 0;
    numbers.iter().map(|it| it - std::mem::replace(&mut last, *it)).collect()
}

fn decoded(differences: &[u32]) -> impl Iterator<Item = u32> {
    differences.iter().scan(0u32, |last, it| {
        *last = last.saturating_add(*it);
        Some(*last)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn params(canton: &str) -> SearchParams {
        SearchParams(serde_json::Map::from_iter([("canton".to_owned(), canton.into())]))
    }

    fn period(number: i64) -> Timestamp {
        Timestamp::from_second(number * 3_600).expect("a time")
    }

    fn uid(number: u32) -> Uid {
        Uid::from_number(number).expect("a number")
    }

    fn run(before: Option<&Reported>, number: i64, found: &[u32]) -> Reported {
        let companies: Vec<Uid> = found.iter().map(|it| uid(*it)).collect();
        let found = Found { total: companies.len() as u64, companies: Some(companies) };
        Reported::after(before, &params("ZH"), period(number), period(number), found)
    }

    fn new(reported: &Reported) -> Vec<u32> {
        let report = reported.undelivered();
        report.map_or_else(Vec::new, |it| it.companies.iter().map(|it| it.number()).collect())
    }

    #[test]
    fn first_run_reports_nothing_and_later_runs_report_only_what_is_new() {
        let first = run(None, 1, &[5, 3, 9]);
        assert_eq!(first.undelivered(), None);
        let second = run(Some(&first), 2, &[7, 5, 4]);
        assert_eq!(new(&second), [7, 4], "in the order of the results");
        let report = second.undelivered().expect("a report");
        assert_eq!((report.new, report.total, report.period), (2, 3, period(2)));
        let third = run(Some(&second.delivered()), 3, &[3, 4, 5, 7, 9]);
        assert_eq!(third.undelivered(), None, "what came back is not new");
    }

    #[test]
    fn other_filters_start_anew() {
        let first = run(None, 1, &[1, 2]);
        let found = Found { total: 1, companies: Some(vec![uid(8)]) };
        let other = Reported::after(Some(&first), &params("BE"), period(2), period(2), found);
        assert_eq!(other.undelivered(), None);
        assert!(other.includes(period(2)) && !other.includes(period(3)));
    }

    #[test]
    fn more_companies_than_are_compared_are_reported_by_their_number() {
        let many = |total: u64| Found { total, companies: None };
        let after = |before: &Reported, found| {
            Reported::after(Some(before), &params("ZH"), period(2), period(2), found)
        };
        let first = run(None, 1, &[1, 2]);
        let second = after(&first, many(20_000)).delivered();
        let third = after(&second, many(20_003));
        let report = third.undelivered().expect("a report");
        assert_eq!((report.new, report.companies.len()), (3, 0));
        let fewer = after(&third.delivered(), many(19_000));
        assert_eq!(fewer.undelivered(), None);
        let few = run(Some(&fewer), 4, &[1, 2, 3]);
        assert_eq!(few.undelivered(), None);
        assert_eq!(new(&run(Some(&few), 5, &[2, 3, 4])), [4]);
    }

    #[test]
    fn remembered_companies_are_limited_and_fit_in_an_item() {
        let many = MAX_COMPARED as u32;
        let spread = |it: u32| it * 90_001 % 1_000_000_000;
        let found: Vec<u32> = (0..many).map(spread).collect();
        let first = run(None, 1, &found);
        let size = serde_json::to_vec(&first).expect("json").len();
        assert!(size < 100_000, "{size}");
        let others: Vec<u32> = (many..2 * many).map(spread).collect();
        let second = run(Some(&first), 2, &others);
        assert_eq!(second.undelivered().map(|it| it.new), Some(u64::from(many)));
        let Known::Companies(known) = &second.known else { panic!("{:?}", second.known) };
        assert_eq!(decoded(known).count(), MAX_COMPARED, "only those that were found last");
    }

    proptest! {
        /// Every company is reported once, however often it is found and missing in turn.
        #[test]
        fn every_company_is_reported_once(
            runs in proptest::collection::vec(proptest::collection::btree_set(0u32..60, 0..20), 1..15),
        ) {
            let mut reported: Option<Reported> = None;
            let mut seen = BTreeSet::new();
            for (number, found) in runs.iter().enumerate() {
                let companies: Vec<u32> = found.iter().copied().collect();
                let after = run(reported.as_ref(), number as i64, &companies);
                let expected: Vec<u32> =
                    companies.iter().copied().filter(|it| !seen.contains(it)).collect();
                let expected = if number == 0 { Vec::new() } else { expected };
                prop_assert_eq!(new(&after), expected);
                seen.extend(companies);
                let stored = serde_json::to_string(&after).expect("json");
                let stored: Reported = serde_json::from_str(&stored).expect("the same");
                prop_assert_eq!(&stored, &after);
                reported = Some(stored.delivered());
            }
        }
    }
}
