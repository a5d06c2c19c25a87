//! When something that runs regularly is due.
//!
//! A period is identified by its due time, which follows from the schedule alone. So the same period has the same
//! identity in every process, and a run that is stored under it is not repeated.

use std::{fmt, sync::LazyLock};

use auth::Owner;
use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, DateTime, Time},
    tz::{TimeZone, TimeZoneDatabase},
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use crate::StoredSearch;

/// Time in Switzerland, from the time zone database in this program: the same on every machine.
static SWISS_TIME: LazyLock<TimeZone> =
    LazyLock::new(|| TimeZoneDatabase::bundled().get("Europe/Zurich").unwrap_or(TimeZone::UTC));

/// The first day of [`Schedule::daily_at`].
const ANCHOR: Date = jiff::civil::date(2020, 1, 1);

/// The day in Switzerland at this time.
pub fn swiss_day(time: Timestamp) -> Date {
    local(time).date()
}

/// How often something is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frequency {
    Hourly,
    Daily,
    Weekly,
    Monthly,
}

/// The frequencies that one kind of resource allows. Read in any case.
macro_rules! frequencies {
    ($(#[$doc:meta])* $name:ident, $rule:literal, $default:ident, $($value:ident $text:literal),+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($value,)+
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$default
            }
        }

        impl From<$name> for Frequency {
            fn from(frequency: $name) -> Self {
                match frequency {
                    $($name::$value => Self::$value,)+
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                match text.to_lowercase().as_str() {
                    $($text => Ok(Self::$value),)+
                    _ => Err(D::Error::custom(format!(concat!($rule, "; got `{}`"), text))),
                }
            }
        }
    };
}

frequencies! {
    /// How often a saved search runs.
    SearchFrequency, "must be one of `daily`, `weekly`, `monthly`", Daily,
    Daily "daily", Weekly "weekly", Monthly "monthly"
}
frequencies! {
    /// How often an alert runs.
    AlertFrequency, "must be one of `hourly`, `daily`, `weekly`", Daily,
    Hourly "hourly", Daily "daily", Weekly "weekly"
}

/// What is due.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A saved search or an alert runs.
    Search(StoredSearch),
    /// The notifications of the day are sent to an owner by e-mail.
    Digest(Owner),
    /// Notifications that still wait are sent to an owner, in case the job that was sent at once has failed.
    Mails(Owner),
}

/// As in the keys of stored data.
impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Search(search) => search.fmt(f),
            Self::Digest(owner) => write!(f, "digest#{owner}"),
            Self::Mails(owner) => write!(f, "mails#{owner}"),
        }
    }
}

/// A frequency and the time at which it was chosen.
///
/// The first period is due one hour, day, week or month after that time, the following ones at the same minute, at the
/// same time of day in Switzerland, on the same weekday, or on the same day of the month. In a month without that day, the
/// last day counts. A time of day that is skipped when summer time begins counts an hour later; one that occurs twice when
/// summer time ends counts the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    frequency: Frequency,
    /// A whole minute.
    since: Timestamp,
}

impl Schedule {
    /// The schedule of a frequency that was chosen at `since`. Seconds are ignored.
    pub fn new(frequency: impl Into<Frequency>, since: Timestamp) -> Self {
        let minute = since.as_second().div_euclid(60) * 60;
        let since = Timestamp::from_second(minute).unwrap_or(since);
        Self { frequency: frequency.into(), since }
    }

    /// The schedule of what is due every day at this time in Switzerland. Seconds are ignored. Two schedules of the same
    /// time are equal.
    pub fn daily_at(time: Time) -> Self {
        // A day on which no time is skipped or repeated.
        let since = SWISS_TIME.to_ambiguous_zoned(ANCHOR.to_datetime(time)).compatible();
        Self::new(Frequency::Daily, since.map_or(Timestamp::UNIX_EPOCH, |it| it.timestamp()))
    }

    /// The due time of the first period.
    pub fn first(&self) -> Timestamp {
        self.due(1)
    }

    /// The newest period that is due. `None`: before the first one.
    pub fn newest(&self, now: Timestamp) -> Option<Timestamp> {
        let number = self.number_of_newest(now);
        (number > 0).then(|| self.due(number))
    }

    /// The due time of the first period after `time`.
    pub fn next_after(&self, time: Timestamp) -> Timestamp {
        self.due(self.number_of_newest(time) + 1)
    }

    /// Number of the newest period that is due, counting from 1. 0: none is due yet.
    fn number_of_newest(&self, now: Timestamp) -> i64 {
        let guess = match self.frequency {
            Frequency::Hourly => now.duration_since(self.since).as_hours(),
            Frequency::Daily => days_between(local(self.since).date(), local(now).date()),
            Frequency::Weekly => days_between(local(self.since).date(), local(now).date()) / 7,
            Frequency::Monthly => months_between(local(self.since).date(), local(now).date()),
        };
        // The period of this day or month may be due later on it.
        [guess, guess - 1].into_iter().find(|it| *it > 0 && self.due(*it) <= now).unwrap_or(0)
    }

    /// The due time of a period, counting from 1. After the end of the calendar, its last time.
    fn due(&self, number: i64) -> Timestamp {
        let start = local(self.since);
        let due = match self.frequency {
            Frequency::Hourly => {
                return self
                    .since
                    .checked_add(SignedDuration::from_hours(number))
                    .unwrap_or(Timestamp::MAX);
            }
            Frequency::Daily => start.checked_add(number.days()),
            Frequency::Weekly => start.checked_add((7 * number).days()),
            // In a month without the day, the last day.
            Frequency::Monthly => start.checked_add(number.months()),
        };
        let due = due.and_then(|it| SWISS_TIME.to_ambiguous_zoned(it).compatible());
        due.map_or(Timestamp::MAX, |it| it.timestamp())
    }
}

fn local(time: Timestamp) -> DateTime {
    SWISS_TIME.to_datetime(time)
}

fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_hours() / 24
}

fn months_between(from: Date, to: Date) -> i64 {
    let months = |it: Date| i64::from(it.year()) * 12 + i64::from(it.month());
    months(to) - months(from)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap_or_else(|_| panic!("a time: {text}"))
    }

    /// The first due times of a schedule, in Swiss time.
    fn first(frequency: Frequency, since: &str, count: usize) -> Vec<String> {
        let schedule = Schedule::new(frequency, time(since));
        let following = |it: &Timestamp| Some(schedule.next_after(*it));
        std::iter::successors(Some(schedule.first()), following)
            .take(count)
            .map(|it| it.to_zoned(SWISS_TIME.clone()).strftime("%a %Y-%m-%d %H:%M %Z").to_string())
            .collect()
    }

    #[test]
    fn a_skipped_time_of_day_counts_an_hour_later() {
        assert_eq!(
            first(Frequency::Daily, "2026-03-27T02:30:59+01:00", 4),
            [
                "Sat 2026-03-28 02:30 CET",
                "Sun 2026-03-29 03:30 CEST",
                "Mon 2026-03-30 02:30 CEST",
                "Tue 2026-03-31 02:30 CEST",
            ]
        );
    }

    #[test]
    fn a_repeated_time_of_day_counts_once() {
        assert_eq!(
            first(Frequency::Weekly, "2026-10-18T02:30:00+02:00", 2),
            ["Sun 2026-10-25 02:30 CEST", "Sun 2026-11-01 02:30 CET"]
        );
        assert_eq!(
            first(Frequency::Daily, "2026-10-24T02:30:00+02:00", 2),
            ["Sun 2026-10-25 02:30 CEST", "Mon 2026-10-26 02:30 CET"]
        );
    }

    #[test]
    fn hours_are_hours_also_in_the_nights_when_clocks_change() {
        assert_eq!(
            first(Frequency::Hourly, "2026-10-25T01:15:00+02:00", 3),
            ["Sun 2026-10-25 02:15 CEST", "Sun 2026-10-25 02:15 CET", "Sun 2026-10-25 03:15 CET"]
        );
        assert_eq!(
            first(Frequency::Hourly, "2026-03-29T00:15:00+01:00", 2),
            ["Sun 2026-03-29 01:15 CET", "Sun 2026-03-29 03:15 CEST"]
        );
    }

    #[test]
    fn the_31st_is_the_last_day_of_shorter_months() {
        assert_eq!(
            first(Frequency::Monthly, "2027-12-31T08:00:00+01:00", 5),
            [
                "Mon 2028-01-31 08:00 CET",
                "Tue 2028-02-29 08:00 CET",
                "Fri 2028-03-31 08:00 CEST",
                "Sun 2028-04-30 08:00 CEST",
                "Wed 2028-05-31 08:00 CEST",
            ]
        );
        assert_eq!(
            first(Frequency::Monthly, "2027-01-29T08:00:00+01:00", 2),
            ["Sun 2027-02-28 08:00 CET", "Mon 2027-03-29 08:00 CEST"]
        );
    }

    #[test]
    fn a_leap_day_is_a_day() {
        assert_eq!(
            first(Frequency::Daily, "2028-02-27T23:59:00+01:00", 3),
            ["Mon 2028-02-28 23:59 CET", "Tue 2028-02-29 23:59 CET", "Wed 2028-03-01 23:59 CET"]
        );
    }

    #[test]
    fn a_daily_time_is_due_once_every_day() {
        let due = |time: &str, after: &str| {
            let schedule = Schedule::daily_at(time.parse().expect("a time of day"));
            let due = schedule.next_after(self::time(after)).to_zoned(SWISS_TIME.clone());
            due.strftime("%a %Y-%m-%d %H:%M %Z").to_string()
        };
        assert_eq!(due("08:00:30", "2026-11-20T06:59:59Z"), "Fri 2026-11-20 08:00 CET");
        assert_eq!(due("08:00:00", "2026-11-20T07:00:00Z"), "Sat 2026-11-21 08:00 CET");
        // Summer time begins and ends.
        assert_eq!(due("02:30:00", "2027-03-27T12:00:00Z"), "Sun 2027-03-28 03:30 CEST");
        assert_eq!(due("02:30:00", "2027-03-28T12:00:00Z"), "Mon 2027-03-29 02:30 CEST");
        assert_eq!(due("02:30:00", "2027-10-30T12:00:00Z"), "Sun 2027-10-31 02:30 CEST");
        assert_eq!(due("02:30:00", "2027-10-31T00:30:00Z"), "Mon 2027-11-01 02:30 CET");
        assert_eq!(due("00:00:00", "2028-02-28T12:00:00Z"), "Tue 2028-02-29 00:00 CET");
        let midnight = Schedule::daily_at(Time::midnight());
        assert_eq!(midnight, Schedule::daily_at(Time::constant(0, 0, 59, 0)));
    }

    #[test]
    fn nothing_is_due_before_the_first_period_and_only_the_newest_afterwards() {
        let schedule = Schedule::new(Frequency::Daily, time("2026-11-20T12:30:40Z"));
        assert_eq!(schedule.newest(time("2026-11-21T12:29:59Z")), None);
        assert_eq!(schedule.newest(time("2026-11-21T12:30:00Z")), Some(schedule.first()));
        let later = schedule.newest(time("2027-11-20T11:00:00Z"));
        assert_eq!(later, Some(time("2027-11-19T12:30:00Z")));
    }

    #[test]
    fn frequencies_are_read_in_any_case_and_others_are_refused() {
        let read = |text: &str| serde_json::from_value::<SearchFrequency>(text.into());
        assert_eq!(read("Weekly").ok(), Some(SearchFrequency::Weekly));
        let error = read("hourly").expect_err("not for searches").to_string();
        assert_eq!(error, "must be one of `daily`, `weekly`, `monthly`; got `hourly`");
        assert!(serde_json::from_value::<AlertFrequency>("monthly".into()).is_err());
    }

    fn frequencies() -> impl Strategy<Value = Frequency> {
        proptest::sample::select(vec![
            Frequency::Hourly,
            Frequency::Daily,
            Frequency::Weekly,
            Frequency::Monthly,
        ])
    }

    /// Seconds from 2020 to 2040.
    const TIMES: std::ops::Range<i64> = 1_577_836_800..2_208_988_800;

    proptest! {
        #[test]
        fn periods_follow_each_other_without_gap_or_overlap(
            frequency in frequencies(), since in TIMES, times in proptest::collection::vec(TIMES, 1..20),
        ) {
            let schedule = Schedule::new(frequency, Timestamp::from_second(since).expect("a time"));
            for now in times {
                let now = Timestamp::from_second(now).expect("a time");
                let next = schedule.next_after(now);
                prop_assert!(next > now || next == schedule.first());
                prop_assert_eq!(schedule.newest(next), Some(next));
                match schedule.newest(now) {
                    Some(newest) => {
                        prop_assert!(newest <= now);
                        prop_assert_eq!(schedule.next_after(newest), next);
                        let just_before = newest - SignedDuration::from_secs(1);
                        prop_assert_eq!(schedule.next_after(just_before), newest);
                    }
                    None => prop_assert!(now < schedule.first() && next == schedule.first()),
                }
            }
        }

        /// A clock that jumps forwards sees every period at most once, and the newest one always.
        #[test]
        fn a_jumping_clock_runs_no_period_twice(
            frequency in frequencies(), since in TIMES,
            jumps in proptest::collection::vec(60i64..5_000_000, 1..200),
        ) {
            let schedule = Schedule::new(frequency, Timestamp::from_second(since).expect("a time"));
            let (mut now, mut last) = (since, None);
            for jump in jumps {
                now += jump;
                let newest = schedule.newest(Timestamp::from_second(now).expect("a time"));
                prop_assert!(newest >= last);
                last = newest;
            }
        }

        #[test]
        fn days_weeks_and_months_are_due_at_the_time_of_day_at_which_they_were_chosen(
            since in TIMES, now in TIMES,
        ) {
            let since = Timestamp::from_second(since).expect("a time");
            let chosen = local(Schedule::new(Frequency::Daily, since).since);
            for frequency in [Frequency::Daily, Frequency::Weekly, Frequency::Monthly] {
                let schedule = Schedule::new(frequency, since);
                let due = local(schedule.next_after(Timestamp::from_second(now).expect("a time")));
                let is_skipped = chosen.hour() == 2 && due.hour() == 3;
                prop_assert!(due.time() == chosen.time() || is_skipped);
                match frequency {
                    Frequency::Weekly => prop_assert_eq!(due.weekday(), chosen.weekday()),
                    Frequency::Monthly => prop_assert_eq!(
                        due.day(), chosen.day().min(due.date().days_in_month())
                    ),
                    _ => {}
                }
            }
        }
    }
}
