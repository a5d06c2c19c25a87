//! Since when the register is known.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Company, History};
use generations::{Coverage, Months};
use jiff::civil::Date;

/// The months before the last one from which it is known how much is usual.
const USUAL_MONTHS: i32 = 24;
/// A month is incomplete if it has less than one of so many parts of what is usual.
const PARTS: u64 = 10;

/// Counts publications and deletions by month.
#[derive(Default)]
pub(crate) struct CoverageCounter {
    publications: BTreeMap<String, Counts>,
    deletions: Counts,
}

/// Numbers by month: 12 × year + month − 1.
type Counts = BTreeMap<i32, u64>;

impl CoverageCounter {
    pub(crate) fn add(&mut self, company: &Company, history: &History) {
        // A publication has one event for each thing that it changes.
        let publications: BTreeSet<_> = history
            .events
            .iter()
            .map(|it| (&it.event.source.source, &it.event.source.reference, month(it.event.date)))
            .collect();
        for (source, _, month) in publications {
            // Most companies have sources that are known.
            if !self.publications.contains_key(source) {
                self.publications.insert(source.clone(), Counts::new());
            }
            if let Some(counts) = self.publications.get_mut(source) {
                *counts.entry(month).or_default() += 1;
            }
        }
        if let Some(day) = company.deletion_date {
            *self.deletions.entry(month(day)).or_default() += 1;
        }
    }

    /// What is known on a day. Later days, which a source may state by mistake, say nothing about it.
    pub(crate) fn coverage(&self, on: Date) -> Coverage {
        let publications = self
            .publications
            .iter()
            .filter_map(|(it, counts)| Some((it.clone(), months(counts, on)?)));
        Coverage { publications: publications.collect(), deletions: months(&self.deletions, on) }
    }
}

fn month(day: Date) -> i32 {
    i32::from(day.year()) * 12 + i32::from(day.month()) - 1
}

/// The first day of a month.
fn first_day(month: i32) -> Option<Date> {
    let year = i16::try_from(month.div_euclid(12)).ok()?;
    let month = i8::try_from(month.rem_euclid(12) + 1).ok()?;
    Date::new(year, month, 1).ok()
}

fn months(counts: &Counts, on: Date) -> Option<Months> {
    let mut past = counts.range(..=month(on)).map(|(month, _)| month);
    let first = past.next()?;
    let last = past.next_back().unwrap_or(first);
    let name = |month| Some(first_day(month)?.strftime("%Y-%m").to_string());
    Some(Months {
        first_month: name(*first)?,
        last_month: name(*last)?,
        complete_from: complete_from(counts, *first, *last).and_then(first_day),
    })
}

/// The second month after the last one that has less than a tenth of what is usual, or else after the first one: the month before it
/// may have begun without publications. The last month is not over yet. `None` if it is not known how much is usual, or if that is so
/// little that a month may have nothing.
fn complete_from(counts: &Counts, first: i32, last: i32) -> Option<i32> {
    let count = |month: i32| counts.get(&month).copied().unwrap_or_default();
    let mut usual: Vec<u64> = (first.max(last - USUAL_MONTHS)..last).map(count).collect();
    usual.sort_unstable();
    let median = *usual.get(usual.len() / 2)?;
    if median < PARTS {
        return None;
    }
    let incomplete = (first..last).rev().find(|it| count(*it) * PARTS < median);
    let from = incomplete.map_or(first + 1, |it| it + 2);
    (from < last).then_some(from)
}

#[cfg(test)]
mod tests {
    use domain::{ChangeKind, Event, Provenance, Uid, history::Recorded};

    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    /// Counts by month, from a first one on.
    fn counts(first: &str, counts: &[u64]) -> Counts {
        let known = (month(day(first))..).zip(counts).filter(|(_, count)| **count > 0);
        known.map(|(month, count)| (month, *count)).collect()
    }

    fn from(first: &str, of_each: &[u64]) -> Option<String> {
        months(&counts(first, of_each), day("2100-01-01"))?.complete_from.map(|it| it.to_string())
    }

    #[test]
    fn what_is_usual_follows_the_last_month_with_little() {
        assert_eq!(from("2020-11-01", &[100, 90, 120, 1]).as_deref(), Some("2020-12-01"));
        assert_eq!(
            from("2020-11-01", &[3, 0, 2, 100, 90, 120, 110, 1]).as_deref(),
            Some("2021-03-01")
        );
        assert_eq!(
            from("2020-11-01", &[100, 9, 100, 100, 1]).as_deref(),
            Some("2021-02-01"),
            "a gap"
        );
        assert_eq!(from("2020-11-01", &[100, 10, 100, 100, 1]).as_deref(), Some("2020-12-01"));
        let few_before_many = [[1; 240].as_slice(), &[100; 60]].concat();
        assert_eq!(from("2000-01-01", &few_before_many).as_deref(), Some("2020-02-01"));
    }

    #[test]
    fn days_in_the_future_say_nothing() {
        let with_mistake = counts("2020-11-01", &[100, 90, 120, 1, 0, 0, 0, 1]);
        let known = months(&with_mistake, day("2021-02-20")).expect("months");
        assert_eq!(known.last_month, "2021-02");
        assert_eq!(known.complete_from, Some(day("2020-12-01")));
        assert_eq!(months(&counts("2022-01-01", &[5]), day("2021-02-20")), None);
    }

    #[test]
    fn nothing_is_said_about_few_months_and_about_little() {
        assert_eq!(from("2020-11-01", &[100]), None);
        assert_eq!(from("2020-11-01", &[5, 6, 5, 7]), None);
        assert_eq!(from("2020-11-01", &[50, 0, 0, 0, 0, 1]), None);
        assert_eq!(months(&Counts::new(), day("2100-01-01")), None);
    }

    fn event(source: &str, reference: Option<&str>, on: &str) -> Recorded {
        let json = serde_json::json!({
            "id": uuid::Uuid::nil(),
            "uid": "CHE-600.000.012",
            "companyName": "",
            "kind": "name_change",
            "summary": "",
            "date": on,
            "source": Provenance {
                source: source.to_owned(),
                reference: reference.map(str::to_owned),
                date: None,
            },
        });
        let event: Event = serde_json::from_value(json).expect("an event");
        assert_eq!(event.kind, ChangeKind::NameChange);
        event.into()
    }

    #[test]
    fn publications_count_once_and_by_source() {
        let uid = Uid::from_number(600_000_012).expect("nine digits");
        let mut company = Company::new(uid, "Muster AG");
        company.deletion_date = Some(day("2022-02-28"));
        let events = vec![
            event("shab", Some("1"), "2020-12-31"),
            event("shab", Some("1"), "2020-12-31"),
            event("shab", Some("2"), "2020-12-31"),
            event("shab", Some("3"), "2021-01-01"),
            event("zefix", None, "2019-05-01"),
        ];
        let mut counter = CoverageCounter::default();
        counter.add(&company, &History { events, ..History::default() });
        assert_eq!(counter.publications["shab"], counts("2020-12-01", &[2, 1]));
        let coverage = counter.coverage(day("2022-03-01"));
        let months = |first: &str, last: &str| Months {
            first_month: first.to_owned(),
            last_month: last.to_owned(),
            complete_from: None,
        };
        assert_eq!(coverage.publications["shab"], months("2020-12", "2021-01"));
        assert_eq!(coverage.publications["zefix"], months("2019-05", "2019-05"));
        assert_eq!(coverage.deletions, Some(months("2022-02", "2022-02")));
    }
}
