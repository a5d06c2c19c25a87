//! Days, counted from the first of January 1970, and the working days of the gazette.
//!
//! All days are drawn for a register of [`DEMO_DATE`], without regard to holidays. A [`Shift`] moves what the sources state to
//! working days before the day of the register.

use jiff::{
    ToSpan,
    civil::{Date, Weekday, date},
};

use crate::DEMO_DATE;

const EPOCH: Date = date(1970, 1, 1);

/// How far the days of a register are from those that were drawn: whole weeks, so that no working day becomes a weekend.
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
        day(days_of(drawn) + self.days)
    }

    /// When the gazette publishes what was drawn for this day: on it, or on the last working day before a holiday.
    pub(crate) fn published(self, drawn: i32) -> Date {
        last_working_day(day(drawn + self.days))
    }

    /// When what was drawn for this day is entered in the journal: on the third working day before its publication.
    pub(crate) fn entered(self, drawn: i32) -> Date {
        let published = self.published(published(drawn));
        (0..3).fold(published, |day, _| last_working_day(days_before(day, 1)))
    }
}

/// The day itself if the offices are open on it, or the last such day before it.
pub(crate) fn last_working_day(mut day: Date) -> Date {
    while !is_working_day(day) {
        day = days_before(day, 1);
    }
    day
}

/// The day that is this number of days before another.
pub(crate) fn days_before(day: Date, days: i32) -> Date {
    day.saturating_sub(days.days())
}

/// Whether the offices are open: neither a weekend nor a holiday of the whole country.
pub(crate) fn is_working_day(day: Date) -> bool {
    let is_fixed = matches!((day.month(), day.day()), (1, 1) | (8, 1) | (12, 25 | 26));
    // Good Friday, Easter Monday, Ascension and Whit Monday.
    let after_easter = days_of(day) - days_of(easter(day.year()));
    let is_holiday = is_fixed || matches!(after_easter, -2 | 1 | 39 | 50);
    !is_holiday && !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday)
}

/// Easter Sunday of a year of the Gregorian calendar (J. Meeus, "Astronomical algorithms", chapter 8).
fn easter(year: i16) -> Date {
    let (century, golden) = (year / 100, year % 19);
    let leap = century / 4;
    let moon = (19 * golden + century - leap - (century - (century + 8) / 25 + 1) / 3 + 15) % 30;
    let weekday = (32 + 2 * (century % 4) + 2 * (year % 100 / 4) - moon - year % 4) % 7;
    let correction = (golden + 11 * moon + 22 * weekday) / 451;
    let days = i32::from(moon + weekday - 7 * correction);
    day(days_of(date(year, 3, 22)) + days)
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

    #[test]
    fn holidays_follow_easter() {
        for (year, month, day) in [
            (1818, 3, 22),
            (1943, 4, 25),
            (2000, 4, 23),
            (2024, 3, 31),
            (2026, 4, 5),
            (2027, 3, 28),
        ] {
            assert_eq!(easter(year), date(year, month, day));
        }
        let year = (0..365).map(|it| day(days_of(date(2026, 1, 1)) + it));
        let weekdays =
            year.filter(|it| !matches!(it.weekday(), Weekday::Saturday | Weekday::Sunday));
        let holidays: Vec<String> =
            weekdays.filter(|it| !is_working_day(*it)).map(|it| it.to_string()).collect();
        let expected =
            ["2026-01-01", "2026-04-03", "2026-04-06", "2026-05-14", "2026-05-25", "2026-12-25"];
        assert_eq!(holidays, expected);
    }

    #[test]
    fn three_working_days_are_between_entry_and_publication_in_every_week() {
        for weeks in 0..52 {
            let shift = Shift { days: 7 * weeks };
            let mut previous = None;
            for drawn in days_of(DEMO_DATE) - 365..days_of(DEMO_DATE) {
                let drawn = working_day(drawn);
                let (entered, published) =
                    (shift.entered(drawn), shift.published(published(drawn)));
                assert!(
                    [entered, published].into_iter().all(is_working_day),
                    "{entered} {published}"
                );
                let mut days = days_of(entered)..days_of(published);
                assert_eq!(days.by_ref().filter(|it| is_working_day(day(*it))).count(), 3);
                assert!(previous <= Some((entered, published)), "{previous:?} {entered}");
                previous = Some((entered, published));
            }
        }
    }
}
