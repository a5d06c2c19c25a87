//! The beginning and the end of companies.

use crate::{
    Day, Needs,
    columns::{Companies, CompanyColumn},
    groups::GroupBy,
    survival::Life,
};

/// The columns that [`end`] reads.
pub(crate) fn needs_of_end() -> Needs {
    Needs::of(&[CompanyColumn::Status, CompanyColumn::Reason, CompanyColumn::Deletion], &[])
}

/// The columns that [`life`] reads.
pub(crate) fn needs_of_life() -> Needs {
    needs_of_end().and(GroupBy::Year.needs())
}

/// How the life of a company ended until today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is registered.
    None,
    /// It was deleted, and nothing says that it goes on elsewhere.
    Dissolved(Day),
    /// It was merged, was split up or moved abroad.
    Elsewhere(Day),
    /// It was deleted on a day that no source states, or its status is unknown.
    Unknown,
}

/// How the life of a company ended until today.
pub fn end(companies: &Companies, row: u32, today: Day) -> End {
    let at = row as usize;
    let goes_on = companies.reason[at].is_some_and(|it| it.goes_on_elsewhere());
    match companies.deletion[at] {
        Some(day) if day > today => End::None,
        Some(day) if goes_on => End::Elsewhere(day),
        Some(day) => End::Dissolved(day),
        None if companies.is_registered(row) == Some(true) => End::None,
        None => End::Unknown,
    }
}

/// The life of a company until today, for a curve of survival. `known_from`: the day since which deletions are known. `None` if the
/// day of its start or of its end is unknown, or if it was over before deletions were known.
pub fn life(companies: &Companies, row: u32, known_from: Day, today: Day) -> Option<Life> {
    let start = companies.start(row)?;
    let (last, has_ended) = match end(companies, row, today) {
        End::None => (today, false),
        End::Elsewhere(day) => (day, false),
        End::Dissolved(day) => (day, true),
        End::Unknown => return None,
    };
    // A company that ends on the day on which it began lives for a day.
    let shortest = i32::from(has_ended);
    let exit = u32::try_from(last.since(start).max(shortest)).ok()?;
    // At risk on the day since which deletions are known: its deletion on this day would be known.
    let entry = u32::try_from(known_from.plus(-1).since(start)).unwrap_or(0);
    (exit > entry).then_some(Life { entry, exit, has_ended })
}

#[cfg(test)]
mod tests {
    use domain::{Status, company::StatusReason};

    use super::*;
    use crate::test::{companies, day};

    fn life_of(start: &str, deletion: Option<&str>, reason: Option<StatusReason>) -> Option<Life> {
        let companies = companies(1, |_, row| {
            row.status = Some(Status::Active);
            row.founding = Some(day(start));
            row.deletion = deletion.map(day);
            row.reason = reason;
        });
        life(&companies, 0, day("2020-01-01"), day("2026-01-01"))
    }

    #[test]
    fn companies_are_at_risk_from_the_day_since_which_deletions_are_known() {
        let of = |entry, exit, has_ended| Some(Life { entry, exit, has_ended });
        assert_eq!(life_of("2021-01-01", None, None), of(0, 1_826, false));
        assert_eq!(life_of("2021-01-01", Some("2021-01-11"), None), of(0, 10, true));
        assert_eq!(life_of("2021-01-01", Some("2021-01-01"), None), of(0, 1, true));
        assert_eq!(life_of("2019-12-22", Some("2020-01-01"), None), of(9, 10, true));
        assert_eq!(life_of("2019-12-22", Some("2019-12-31"), None), None, "not known");
        assert_eq!(life_of("2026-01-02", None, None), None, "not born yet");
        assert_eq!(life_of("2025-12-31", Some("2026-01-02"), None), of(0, 1, false));
    }

    #[test]
    fn mergers_demergers_and_moves_abroad_are_no_deaths() {
        for reason in StatusReason::ALL {
            let life = life_of("2021-01-01", Some("2022-01-01"), Some(*reason)).expect("known");
            let goes_on = ["moved", "merged", "demerged"].contains(&reason.code());
            assert_eq!(life.has_ended, !goes_on, "{reason:?}");
        }
    }

    #[test]
    fn unknown_days_give_no_life() {
        let companies = companies(3, |at, row| {
            row.status = [Some(Status::Cancelled), Some(Status::Active), None][at];
            row.registration = (at != 1).then(|| day("2021-01-01"));
        });
        let today = day("2026-01-01");
        let ends = [0, 1, 2].map(|it| end(&companies, it, today));
        assert_eq!(ends, [End::Unknown, End::None, End::Unknown]);
        assert_eq!([0, 1, 2].map(|it| life(&companies, it, today, today)), [None; 3]);
    }
}
