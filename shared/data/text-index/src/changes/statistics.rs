//! Counts of changes.

use std::{collections::BTreeMap, ops::RangeInclusive};

use domain::ChangeKind;
use jiff::{ToSpan, civil::Date};

use super::{Changes, schema::Number};

/// Counts of changes, without internal and replaced ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub total: u64,
    /// Published in the current week, which starts on Monday.
    pub this_week: u64,
    /// Published in the current calendar month.
    pub this_month: u64,
    /// Counts by kind, without kinds of no change.
    pub by_kind: BTreeMap<ChangeKind, u64>,
}

impl Changes {
    /// Counts as of this date. Computed once per date.
    pub fn statistics(&self, today: Date) -> Statistics {
        self.statistics.get(today, || self.counted(today))
    }

    fn counted(&self, today: Date) -> Statistics {
        let mut all = self.index.every();
        self.leave_out_replaced(&mut all);
        self.leave_out_internal(&mut all);
        let mut counts = [0; ChangeKind::ALL.len()];
        self.index.column(Number::Kind).for_each(&all, |_, kind| {
            if let Some(count) = counts.get_mut((kind as usize).wrapping_sub(1)) {
                *count += 1;
            }
        });
        let by_kind = ChangeKind::ALL.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        let dated = |days| {
            let mut found = all.clone();
            self.keep_dated(days, &mut found);
            found.count()
        };
        Statistics {
            total: all.count(),
            this_week: dated(week_of(today)),
            this_month: dated(today.first_of_month()..=today.last_of_month()),
            by_kind: by_kind.collect(),
        }
    }
}

fn week_of(day: Date) -> RangeInclusive<Date> {
    let monday = day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days());
    monday..=monday.saturating_add(6.days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn week_starts_on_monday() {
        let week = |day: &str| {
            let week = week_of(day.parse().expect("a date"));
            (week.start().to_string(), week.end().to_string())
        };
        let new_year = ("2025-12-29".to_owned(), "2026-01-04".to_owned());
        assert_eq!(week("2025-12-29"), new_year);
        assert_eq!(week("2026-01-01"), new_year);
        assert_eq!(week("2026-01-04"), new_year);
        assert_eq!(week("2026-01-05").0, "2026-01-05");
    }
}
