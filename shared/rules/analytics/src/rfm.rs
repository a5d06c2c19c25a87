//! Segments of companies by recency, frequency and capital.
//!
//! | Segment | Newest change | Changes in five years | Capital |
//! |---|---|---|---|
//! | Champions | at most 365 days ago | at least 5 | at least 100,000 francs |
//! | Loyal | at most 365 days ago | at least 5 | less or unknown |
//! | Promising | at most 365 days ago | fewer | at least 100,000 francs |
//! | Recent | at most 365 days ago | fewer | less or unknown |
//! | Needs Attention | at most 1,095 days ago | – | – |
//! | Dormant | earlier, or none is known | – | – |
//!
//! The limits are ours. 100,000 francs is the smallest capital of a corporation (art. 621 of the Code of Obligations).

use domain::Amount;

use crate::{
    Day, InvalidRequest, Needs, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn},
    groups::not_empty,
};

/// The columns that [`segments`] reads.
pub fn needs() -> Needs {
    let of_companies = [CompanyColumn::Capital, CompanyColumn::Currency, CompanyColumn::Changes];
    Needs::of(&of_companies, &[ChangeColumn::Day])
}

const RECENT_DAYS: i32 = 365;
const ATTENTION_DAYS: i32 = 3 * 365;
/// Five years, with a day for a leap year.
const FREQUENCY_DAYS: u16 = 5 * 365 + 1;
const FREQUENT_CHANGES: u32 = 5;
const LARGE: Amount = Amount::units(100_000);

/// A segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Segment {
    /// Recent, frequent and large.
    Champions,
    /// Recent and frequent, not large.
    Loyal,
    /// Recent, neither frequent nor large.
    Recent,
    /// Recent and large, not frequent.
    Promising,
    /// The newest change is more than one year and at most three years ago.
    NeedsAttention,
    /// No change in three years.
    Dormant,
}

impl Segment {
    /// Every segment, in the order of the contract.
    pub const ALL: [Self; 6] = [
        Self::Champions,
        Self::Loyal,
        Self::Recent,
        Self::Promising,
        Self::NeedsAttention,
        Self::Dormant,
    ];

    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Champions => "Champions",
            Self::Loyal => "Loyal",
            Self::Recent => "Recent",
            Self::Promising => "Promising",
            Self::NeedsAttention => "Needs Attention",
            Self::Dormant => "Dormant",
        }
    }

    /// The rule, in a sentence.
    pub fn description(self) -> &'static str {
        match self {
            Self::Champions => {
                "Changed in the last 365 days, at least 5 changes in five years, capital of at least CHF 100,000."
            }
            Self::Loyal => {
                "Changed in the last 365 days, at least 5 changes in five years, capital lower or unknown."
            }
            Self::Recent => {
                "Changed in the last 365 days, fewer than 5 changes in five years, capital lower than CHF 100,000 or unknown."
            }
            Self::Promising => {
                "Changed in the last 365 days, fewer than 5 changes in five years, capital of at least CHF 100,000."
            }
            Self::NeedsAttention => "The newest change is 366 to 1,095 days ago.",
            Self::Dormant => "No change in the last 1,095 days, or none is known.",
        }
    }

    fn of(days: Option<i32>, changes: u32, capital: Option<Amount>) -> Self {
        let is_frequent = changes >= FREQUENT_CHANGES;
        let is_large = capital.is_some_and(|it| it >= LARGE);
        match (days, is_frequent, is_large) {
            (Some(..=RECENT_DAYS), true, true) => Self::Champions,
            (Some(..=RECENT_DAYS), true, false) => Self::Loyal,
            (Some(..=RECENT_DAYS), false, true) => Self::Promising,
            (Some(..=RECENT_DAYS), false, false) => Self::Recent,
            (Some(..=ATTENTION_DAYS), _, _) => Self::NeedsAttention,
            _ => Self::Dormant,
        }
    }
}

/// The segments of a selection.
#[derive(Clone, Debug, PartialEq)]
pub struct Segments {
    /// Each segment with its number of companies, in the order of [`Segment::ALL`], and its first companies.
    pub segments: Vec<(Segment, u32, Vec<u32>)>,
    /// Companies whose capital in francs is unknown. They are not large.
    pub unknown_capital: u32,
    /// Companies without a known change. They are dormant.
    pub unknown_changes: u32,
}

/// The segments of the selection. `examples`: number of companies of each segment to name.
pub fn segments(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    today: Day,
    examples: usize,
) -> Result<Segments, InvalidRequest> {
    not_empty(rows)?;
    let empty = Segment::ALL.map(|it| (it, 0, Vec::new())).into();
    let mut found = Segments { segments: empty, unknown_capital: 0, unknown_changes: 0 };
    let places = companies.places_of_changes();
    let past = Window { since: Day::new(i32::MIN), until: today };
    for row in rows.iter() {
        let known = changes.within(places.of(row), past);
        let days = known.clone().next_back().map(|it| today.since(changes.day[it]));
        let frequency = changes.count(known, Window::last(FREQUENCY_DAYS, today));
        let capital = companies.francs(row).map(|it| it.amount());
        let segment = Segment::of(days, frequency, capital);
        found.unknown_capital += u32::from(capital.is_none());
        found.unknown_changes += u32::from(days.is_none());
        if let Some((_, count, first)) = found.segments.iter_mut().find(|it| it.0 == segment) {
            *count += 1;
            if first.len() < examples {
                first.push(row);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use domain::ChangeKind;

    use super::*;
    use crate::{
        columns::ChangeRow,
        test::{day, register},
    };

    /// A company with changes so many days ago, and a capital.
    fn segment(ago: &[i32], capital: Option<i64>) -> Segment {
        let today = day("2026-11-30");
        let (companies, changes) = register(1, |_, row| {
            row.capital = capital.map(|it| Amount::units(it).into());
            ago.iter().map(|it| ChangeRow::new(today.plus(-it), ChangeKind::NameChange)).collect()
        });
        let found = segments(&companies, &changes, &Rows::all(1), today, 5).expect("a company");
        assert_eq!(found.segments.iter().map(|it| it.1).sum::<u32>(), 1);
        found.segments.iter().find(|it| it.2 == [0]).expect("the company").0
    }

    #[test]
    fn each_rule_holds_up_to_its_limit() {
        let five = |last: i32| [1_825, 1_800, 1_700, 1_600, last];
        assert_eq!(segment(&five(365), Some(100_000)), Segment::Champions);
        assert_eq!(segment(&five(0), Some(99_999)), Segment::Loyal);
        assert_eq!(segment(&five(0), None), Segment::Loyal);
        assert_eq!(segment(&[1_827, 1_800, 1_700, 1_600, 0], Some(100_000)), Segment::Promising);
        assert_eq!(segment(&[365], Some(20_000)), Segment::Recent);
        assert_eq!(segment(&five(366), Some(100_000)), Segment::NeedsAttention);
        assert_eq!(segment(&[1_095], None), Segment::NeedsAttention);
        assert_eq!(segment(&[1_096], Some(1_000_000)), Segment::Dormant);
        assert_eq!(segment(&[], Some(1_000_000)), Segment::Dormant);
        assert_eq!(segment(&[-1], Some(1_000_000)), Segment::Dormant, "tomorrow is not known");
    }

    #[test]
    fn counts_sum_to_the_selection_and_examples_are_its_first_rows() {
        let today = day("2026-11-30");
        let (companies, changes) = register(1_000, |at, row| {
            row.capital = (at % 3 != 0).then(|| Amount::units(at as i64 * 300).into());
            (0..at % 9)
                .rev()
                .map(|it| ChangeRow::new(today.plus(-((it * at) as i32)), ChangeKind::NameChange))
                .collect()
        });
        let rows = Rows::all(1_000).filter(|it| it % 7 != 0);
        let found = segments(&companies, &changes, &rows, today, 3).expect("not empty");
        assert_eq!(found.segments.iter().map(|it| it.1 as usize).sum::<usize>(), rows.len());
        for (_, count, examples) in &found.segments {
            assert_eq!(examples.len() as u32, (*count).min(3));
            assert!(examples.iter().all(|it| rows.contains(*it)));
        }
        assert!(found.unknown_capital > 0 && found.unknown_changes > 0);
        assert!(segments(&companies, &changes, &Rows::default(), today, 3).is_err());
    }
}
