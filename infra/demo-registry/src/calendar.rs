//! Days, counted from the first of January 1970, and the working days of the gazette.
//!
//! All days are drawn for a register of [`DEMO_DATE`]. A [`Shift`] moves what the sources state to the day of the register.

use jiff::{
    ToSpan,
    civil::{Date, date},
};

use crate::DEMO_DATE;

const EPOCH: Date = date(1970, 1, 1);

/// How far the days of a register are from those that were drawn: whole weeks, so that no day becomes a weekend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    days: i32,
}

impl Shift {
    /// The shift after which the newest days of the register are in the week before this day.
    pub(crate) fn to(today: Date) -> Self {
        Self { days: (days_of(today) - days_of(DEMO_DATE)).div_euclid(7) * 7 }
    }

    pub(crate) fn date(self, drawn: Date) -> Date {
        self.day(days_of(drawn))
    }

    pub(crate) fn day(self, drawn: i32) -> Date {
        day(drawn + self.days)
    }
}

/// The day with this number.
pub(crate) fn day(days: i32) -> Date {
    EPOCH.saturating_add(days.days())
}

/// The number of this day.
pub(crate) fn days_of(day: Date) -> i32 {
    day.duration_since(EPOCH).as_hours() as i32 / 24
}

/// 0 for Monday to 6 for Sunday.
fn weekday(day: i32) -> i32 {
    (day + 3).rem_euclid(7)
}

/// The day itself, or the Friday before a weekend, on which nothing is entered or published.
pub(crate) fn working_day(day: i32) -> i32 {
    day - (weekday(day) - 4).max(0)
}

/// When the gazette publishes what was entered in the journal on this working day: three working days later.
pub(crate) fn published(entered: i32) -> i32 {
    entered + if weekday(entered) < 2 { 3 } else { 5 }
}

/// When what the gazette publishes on this working day was entered in the journal.
pub(crate) fn entered(published: i32) -> i32 {
    published - if weekday(published) < 3 { 5 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publications_follow_the_journal_by_three_working_days() {
        let monday = days_of(date(2026, 10, 26));
        let days: Vec<i32> = (0..5).map(|it| published(monday + it) - monday).collect();
        assert_eq!(days, [3, 4, 7, 8, 9]);
        assert!((monday..monday + 5).all(|it| entered(published(it)) == it));
    }
}
