//! Companies that enter and leave the register, by period and group.
//!
//! A registration counts on the day of the first entry; a dissolution and any other deletion on the day of the deletion. What is
//! grouped by is the present record: a company counts in the canton where it is now. Companies whose days are unknown are in no
//! period, and are counted.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{ToSpan, civil::Date};

use crate::{
    Day, InvalidRequest, Needs, Rows, Window,
    columns::{Companies, CompanyColumn},
    groups::{Group, GroupBy, named, not_empty, quarter},
    lives::{End, end, needs_of_end},
};

/// Length of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Period {
    /// A month.
    Monthly,
    /// A quarter of a year.
    Quarterly,
    /// A year.
    Yearly,
}

impl Period {
    /// Every length.
    pub const ALL: [Self; 3] = [Self::Monthly, Self::Quarterly, Self::Yearly];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Monthly => "monthly",
            Self::Quarterly => "quarterly",
            Self::Yearly => "yearly",
        }
    }

    /// The length with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("period", given, Self::ALL, Self::name)
    }

    fn months(self) -> i32 {
        match self {
            Self::Monthly => 1,
            Self::Quarterly => 3,
            Self::Yearly => 12,
        }
    }

    /// The number of the period of a day, counted from the year 0.
    fn number(self, day: Day) -> i32 {
        let date = day.date();
        (i32::from(date.year()) * 12 + i32::from(date.month()) - 1).div_euclid(self.months())
    }

    /// The first day of the period with this number: the first or last day of the calendar, if it has no such day.
    fn first_day(self, number: i32) -> Day {
        let months = number.saturating_mul(self.months());
        let nearest = if months < 0 { Date::MIN } else { Date::MAX };
        let year = i16::try_from(months.div_euclid(12));
        let month = i8::try_from(months.rem_euclid(12) + 1);
        let date =
            year.ok().zip(month.ok()).and_then(|(year, month)| Date::new(year, month, 1).ok());
        date.unwrap_or(nearest).into()
    }

    /// The whole periods up to the one of today, the earliest first.
    pub(crate) fn last(self, count: usize, today: Day) -> Vec<Window> {
        let last = self.number(today);
        let first = last.saturating_sub(i32::try_from(count).unwrap_or(i32::MAX) - 1);
        (first..=last).map(|it| self.whole(it)).collect()
    }

    fn whole(self, number: i32) -> Window {
        Window { since: self.first_day(number), until: self.first_day(number + 1).plus(-1) }
    }

    /// Name of the period of a day: `2026-01`, `2026-Q1` or `2026`.
    pub fn label(self, day: Day) -> String {
        let date = day.date();
        let year = date.year();
        match self {
            Self::Monthly => format!("{year:04}-{:02}", date.month()),
            Self::Quarterly => format!("{year:04}-Q{}", quarter(date)),
            Self::Yearly => format!("{year:04}"),
        }
    }

    /// The days that are shown if a request names none: from the first day of the period five years ago, or for years 25 years ago,
    /// to today.
    pub fn default_window(self, today: Day) -> Window {
        let years = if self == Self::Yearly { 25 } else { 5 };
        let before = today.date().checked_sub(years.years()).unwrap_or(Date::MIN);
        Window { since: self.first_day(self.number(before.into())), until: today }
    }
}

/// Largest number of points in an answer.
pub const MAX_POINTS: usize = 20_000;

/// Companies that entered and left the register.
#[derive(Clone, Debug, PartialEq)]
pub struct Flows {
    /// A point for each period of the window and each group that has a company entering or leaving in it, sorted by period, then by
    /// group.
    pub points: Vec<Point>,
    /// Companies whose day of registration is unknown.
    pub unknown_registrations: u32,
    /// Deleted companies whose day of deletion is unknown.
    pub unknown_deletions: u32,
}

/// What happened in a period and a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Name of the period.
    pub period: String,
    /// The days of the period that are in the window.
    pub days: Window,
    /// Whether all days of the period are in the window and over.
    pub is_complete: bool,
    /// The group.
    pub group: Group,
    /// What happened.
    pub flow: Flow,
}

/// Numbers of companies that entered and left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// First entries in the register.
    pub registrations: u32,
    /// Deletions other than those below, also for an unknown reason.
    pub dissolutions: u32,
    /// Deletions after a merger, a demerger or a move abroad.
    pub other_deletions: u32,
}

impl Flow {
    /// Registrations minus dissolutions.
    pub fn net(self) -> i64 {
        i64::from(self.registrations) - i64::from(self.dissolutions)
    }
}

/// The columns that [`flows`] reads.
pub fn needs(by: GroupBy) -> Needs {
    by.needs().and(needs_of_end()).and(Needs::of(&[CompanyColumn::Registration], &[]))
}

/// The flows of the selection in a window, of which no day is after today.
pub fn flows(
    companies: &Companies,
    rows: &Rows,
    period: Period,
    by: GroupBy,
    window: Window,
    today: Day,
) -> Result<Flows, InvalidRequest> {
    not_empty(rows)?;
    let window = Window { until: window.until.min(today), ..window.checked()? };
    let mut flows = Flows { points: Vec::new(), unknown_registrations: 0, unknown_deletions: 0 };
    let mut found: BTreeMap<(i32, Group), Flow> = BTreeMap::new();
    for row in rows.iter() {
        let group = by.group(companies, row);
        let mut count = |day: Day, of: fn(&mut Flow) -> &mut u32| {
            if window.contains(day) {
                *of(found.entry((period.number(day), group)).or_default()) += 1;
            }
        };
        match companies.registration[row as usize] {
            Some(day) => count(day, |it| &mut it.registrations),
            None => flows.unknown_registrations += 1,
        }
        match end(companies, row, today) {
            End::Dissolved(day) => count(day, |it| &mut it.dissolutions),
            End::Elsewhere(day) => count(day, |it| &mut it.other_deletions),
            End::Unknown if companies.is_registered(row) == Some(false) => {
                flows.unknown_deletions += 1;
            }
            End::Unknown | End::None => {}
        }
    }
    flows.points = points(&found, period, window, today)?;
    Ok(flows)
}

fn points(
    found: &BTreeMap<(i32, Group), Flow>,
    period: Period,
    window: Window,
    today: Day,
) -> Result<Vec<Point>, InvalidRequest> {
    let groups: BTreeSet<Group> = found.keys().map(|it| it.1).collect();
    let periods = period.number(window.since)..=period.number(window.until);
    let points = periods.clone().count() * groups.len();
    if points > MAX_POINTS {
        return Err(InvalidRequest::TooManyPoints { points, max: MAX_POINTS });
    }
    let mut all = Vec::with_capacity(points);
    for number in periods {
        let whole = period.whole(number);
        let days =
            Window { since: whole.since.max(window.since), until: whole.until.min(window.until) };
        all.extend(groups.iter().map(|group| Point {
            period: period.label(whole.since),
            days,
            is_complete: days == whole && whole.until < today,
            group: *group,
            flow: found.get(&(number, *group)).copied().unwrap_or_default(),
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use domain::{Canton, Status, company::StatusReason};

    use super::*;
    use crate::{
        random::Random,
        test::{companies, day},
    };

    fn window(since: &str, until: &str) -> Window {
        Window { since: day(since), until: day(until) }
    }

    #[test]
    fn planted_flows_are_found_in_their_periods() {
        let (today, mut planted) = (day("2026-11-30"), BTreeMap::new());
        let random = std::cell::RefCell::new(Random::new(1));
        let days = window("2022-03-15", "2026-11-30");
        let companies = companies(5_000, |_, row| {
            let mut random = random.borrow_mut();
            let start = Day::new(18_500 + random.below(2_300) as i32);
            row.status = Some(Status::Active);
            row.canton = Some([Canton::Zh, Canton::Ge][random.below(2)]);
            row.registration = Some(start);
            if random.below(3) == 0 {
                row.status = Some(Status::Cancelled);
                row.deletion = Some(start.plus(random.below(900) as i32));
                row.reason = [None, Some(StatusReason::Merged)][random.below(2)];
            }
        });
        for row in 0..5_000 {
            let canton = companies.canton[row].expect("known");
            let mut count = |day: Day, of: fn(&mut Flow) -> &mut u32| {
                if days.contains(day) {
                    let month = day.date().to_string()[..7].to_owned();
                    *of(planted.entry((month, canton)).or_insert_with(Flow::default)) += 1;
                }
            };
            count(companies.registration[row].expect("known"), |it| &mut it.registrations);
            match (companies.deletion[row], companies.reason[row]) {
                (Some(day), Some(_)) => count(day, |it| &mut it.other_deletions),
                (Some(day), None) => count(day, |it| &mut it.dissolutions),
                (None, _) => {}
            }
        }
        let rows = Rows::all(5_000);
        let found =
            flows(&companies, &rows, Period::Monthly, GroupBy::Canton, days, today).expect("valid");
        assert_eq!(found.points.len(), 57 * 2, "from March 2022 to November 2026");
        for point in &found.points {
            let Group::Canton(canton) = point.group else { panic!("{point:?}") };
            let flow = planted.get(&(point.period.clone(), canton)).copied().unwrap_or_default();
            assert_eq!(point.flow, flow, "{point:?}");
        }
        let incomplete: Vec<&str> =
            found.points.iter().filter(|it| !it.is_complete).map(|it| it.period.as_str()).collect();
        assert_eq!(incomplete, ["2022-03", "2022-03", "2026-11", "2026-11"]);
    }

    #[test]
    fn nets_do_not_depend_on_period_and_group() {
        let companies = companies(300, |at, row| {
            row.status = Some(Status::Cancelled);
            row.registration = Some(Day::new(19_000 + at as i32 * 3));
            row.deletion = (at % 2 == 0).then(|| Day::new(19_500 + at as i32 * 3));
        });
        let (rows, today) = (Rows::all(300), day("2026-11-30"));
        for period in Period::ALL {
            for by in GroupBy::ALL {
                let days = window("2022-01-01", "2026-11-30");
                let found = flows(&companies, &rows, period, by, days, today).expect("valid");
                assert_eq!(found.points.iter().map(|it| it.flow.net()).sum::<i64>(), 150);
                assert_eq!((found.unknown_registrations, found.unknown_deletions), (0, 150));
                assert!(
                    found.points.is_sorted_by(|a, b| (&a.period, a.group) < (&b.period, b.group))
                );
            }
        }
    }

    #[test]
    fn periods_are_named_so_that_they_sort() {
        let labels = |text| Period::ALL.map(|it| it.label(day(text)));
        assert_eq!(labels("2026-01-31"), ["2026-01", "2026-Q1", "2026"]);
        assert_eq!(labels("0883-12-01"), ["0883-12", "0883-Q4", "0883"]);
        let window = Period::Quarterly.default_window(day("2026-11-30"));
        assert_eq!((window.since, window.until), (day("2021-10-01"), day("2026-11-30")));
        assert_eq!(Period::Yearly.default_window(day("2026-11-30")).since, day("2001-01-01"));
    }

    #[test]
    fn extreme_windows_are_refused_or_empty() {
        let companies = companies(1, |_, row| row.registration = Some(day("2020-05-05")));
        let of = |period, window| {
            flows(&companies, &Rows::all(1), period, GroupBy::Canton, window, day("2026-11-30"))
        };
        let all = window("0001-01-01", "9999-12-31");
        assert_eq!(of(Period::Yearly, all).map(|it| it.points.len()), Ok(2_026));
        let error = of(Period::Monthly, all).expect_err("too many");
        assert_eq!(error, InvalidRequest::TooManyPoints { points: 24_311, max: MAX_POINTS });
        assert!(matches!(
            of(Period::Monthly, window("2020-02-01", "2020-01-01")),
            Err(InvalidRequest::Window { .. })
        ));
        let later = of(Period::Monthly, window("2027-01-01", "2028-01-01"));
        assert_eq!(later.map(|it| it.points), Ok(Vec::new()), "no day of it is over");
        let extreme = Window { since: Day::new(i32::MIN), until: Day::new(i32::MAX) };
        assert!(of(Period::Yearly, extreme).is_ok());
    }
}
