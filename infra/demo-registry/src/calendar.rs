//! Days, counted from the first of January 1970, and the working days of the gazette.

use jiff::{
    ToSpan,
    civil::{Date, date},
};

use crate::DEMO_DATE;

const EPOCH: Date = date(1970, 1, 1);

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

/// The day itself, or the Friday before a weekend, on which nothing is published.
pub(crate) fn working_day(day: i32) -> i32 {
    day - (weekday(day) - 4).max(0)
}

/// The day itself, or the Monday after a weekend. No later than the day of the register.
pub(crate) fn next_working_day(day: i32) -> i32 {
    let later = match weekday(day) {
        5 => day + 2,
        6 => day + 1,
        _ => day,
    };
    later.min(working_day(days_of(DEMO_DATE)))
}
