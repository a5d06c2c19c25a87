//! Figures of groups of companies.
//!
//! | Metric | Figure | Interval of 95 % | Unknown |
//! |---|---|---|---|
//! | `count` | companies | – | – |
//! | `registrations` | companies whose first entry is in the window; by year and quarter: in the group | – | day of the entry |
//! | `survival` | part that survives five years ([`survival`](crate::survival)) | log-log | day of the start or of the end, or status; over before deletions were known |
//! | `dissolutionRate` | dissolutions a hundred company-years of the window in which deletions are known | Byar | day of the start or of the end, or status |
//! | `medianCapital` | median capital of those with a capital in francs | ranks | capital in francs |
//! | `changesPerCompany` | mean number of changes published in the window | normal | – |
//!
//! A dissolution is a deletion for another reason than a merger, a demerger or a move abroad, or for an unknown reason.

use crate::{
    Day, InvalidRequest, Needs, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Places},
    groups::{Group, GroupBy, groups, named, not_empty},
    lives::{End, end, life, needs_of_life},
    quantiles::{median_interval, median_of_sorted},
    rates::{Estimate, mean, rate},
    small::DAYS_A_YEAR,
    survival::{Curve, Point},
};

/// A figure of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// Number of companies.
    Count,
    /// Companies that were registered in the window.
    Registrations,
    /// Part that survives five years.
    Survival,
    /// Dissolutions a hundred company-years.
    DissolutionRate,
    /// Median capital in francs.
    MedianCapital,
    /// Mean number of changes in the window.
    ChangesPerCompany,
}

impl Metric {
    /// Every metric.
    pub const ALL: [Self; 6] = [
        Self::Count,
        Self::Registrations,
        Self::Survival,
        Self::DissolutionRate,
        Self::MedianCapital,
        Self::ChangesPerCompany,
    ];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Registrations => "registrations",
            Self::Survival => "survival",
            Self::DissolutionRate => "dissolutionRate",
            Self::MedianCapital => "medianCapital",
            Self::ChangesPerCompany => "changesPerCompany",
        }
    }

    /// The metric with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("metric", given, Self::ALL, Self::name)
    }

    /// Whether deleted companies are part of the default selection, because the metric is about beginnings and ends.
    pub fn is_about_deleted_companies(self) -> bool {
        matches!(self, Self::Registrations | Self::Survival | Self::DissolutionRate)
    }
}

/// Days that count if a question does not say since when.
const DAYS: u16 = 365;

/// What is asked about cohorts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// By what companies are grouped.
    pub by: GroupBy,
    /// The figure of each group.
    pub metric: Metric,
    /// The first day that counts. `None`: that of the 365 days up to `until`; for registrations by year and quarter: all days.
    pub since: Option<Day>,
    /// The last day that counts. `None`: today.
    pub until: Option<Day>,
    /// Today.
    pub today: Day,
    /// The day since which deletions are known. `None` if that cannot be said: then nothing is known about ends.
    pub deletions_known_from: Option<Day>,
}

impl Question {
    /// The days that count.
    fn window(&self) -> Window {
        let until = self.until.unwrap_or(self.today);
        let counts_all_days = self.metric == Metric::Registrations
            && matches!(self.by, GroupBy::Year | GroupBy::Quarter);
        let since = self.since.unwrap_or_else(|| match counts_all_days {
            true => Day::new(i32::MIN),
            false => Window::last(DAYS, until).since,
        });
        Window { since, until }
    }

    /// The columns that the answer is made from.
    pub fn needs(&self) -> Needs {
        let of_metric = match self.metric {
            Metric::Count => Needs::default(),
            Metric::Registrations => Needs::of(&[CompanyColumn::Registration], &[]),
            Metric::Survival | Metric::DissolutionRate => needs_of_life(),
            Metric::MedianCapital => {
                Needs::of(&[CompanyColumn::Capital, CompanyColumn::Currency], &[])
            }
            Metric::ChangesPerCompany => Needs::of(&[CompanyColumn::Changes], &[ChangeColumn::Day]),
        };
        self.by.needs().and(of_metric)
    }
}

/// A group with its figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Cohort {
    /// The group.
    pub group: Group,
    /// Number of companies of the selection.
    pub count: usize,
    /// The figure. `None` if too few companies have the values.
    pub value: Option<f64>,
    /// Its interval of 95 %. `None` for figures that are complete counts, and if the sample is too small for one.
    pub interval: Option<(f64, f64)>,
    /// Number of companies of which the necessary values are unknown.
    pub unknown: usize,
    /// Points of the curve of survival, by years. Empty for other metrics.
    pub survival: Vec<(u8, Point)>,
}

/// Years for which survival is given.
const YEARS: [u8; 4] = [1, 3, 5, 10];
/// Years whose survival is the figure.
const YEARS_OF_FIGURE: u8 = 5;

/// The groups of the selection with their figures, sorted by group.
pub fn cohorts(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    question: &Question,
) -> Result<Vec<Cohort>, InvalidRequest> {
    not_empty(rows)?;
    question.window().checked()?;
    let measure = Measure { companies, changes, places: places(companies, question), question };
    let groups = groups(question.by, companies, rows);
    Ok(groups.into_iter().map(|(group, rows)| measure.cohort(group, &rows)).collect())
}

fn places(companies: &Companies, question: &Question) -> Option<Places> {
    (question.metric == Metric::ChangesPerCompany).then(|| companies.places_of_changes())
}

struct Measure<'a> {
    companies: &'a Companies,
    changes: &'a Changes,
    /// Where the changes are, if the metric needs them.
    places: Option<Places>,
    question: &'a Question,
}

impl Measure<'_> {
    fn cohort(&self, group: Group, rows: &[u32]) -> Cohort {
        let mut cohort = Cohort {
            group,
            count: rows.len(),
            value: None,
            interval: None,
            unknown: 0,
            survival: Vec::new(),
        };
        match self.question.metric {
            Metric::Count => cohort.value = Some(rows.len() as f64),
            Metric::Registrations => self.registrations(rows, &mut cohort),
            Metric::Survival => self.survival(rows, &mut cohort),
            Metric::DissolutionRate => self.dissolution_rate(rows, &mut cohort),
            Metric::MedianCapital => self.median_capital(rows, &mut cohort),
            Metric::ChangesPerCompany => self.changes_per_company(rows, &mut cohort),
        }
        cohort
    }

    fn registrations(&self, rows: &[u32], cohort: &mut Cohort) {
        let window = self.question.window();
        let known = rows.iter().filter_map(|row| self.companies.registration[*row as usize]);
        cohort.unknown = rows.len() - known.clone().count();
        cohort.value = Some(known.filter(|it| window.contains(*it)).count() as f64);
    }

    fn survival(&self, rows: &[u32], cohort: &mut Cohort) {
        let today = self.question.today;
        let Some(known_from) = self.question.deletions_known_from else {
            cohort.unknown = rows.len();
            return;
        };
        let lives = rows.iter().filter_map(|row| life(self.companies, *row, known_from, today));
        let mut counted = 0;
        let curve = Curve::of(lives.inspect(|_| counted += 1));
        cohort.unknown = rows.len() - counted;
        let point = |years: u8| curve.at((f64::from(years) * DAYS_A_YEAR).round() as u32);
        cohort.survival = YEARS.into_iter().filter_map(|it| Some((it, point(it)?))).collect();
        cohort.set(point(YEARS_OF_FIGURE).map(|it| it.survival));
    }

    fn dissolution_rate(&self, rows: &[u32], cohort: &mut Cohort) {
        let Window { since, until } = self.question.window();
        let Some(known_from) = self.question.deletions_known_from else {
            cohort.unknown = rows.len();
            return;
        };
        let window = Window {
            // Before deletions were known, nobody seems to die.
            since: since.max(known_from),
            until: until.min(self.question.today),
        };
        let (mut dissolutions, mut days) = (0_u64, 0_u64);
        for row in rows {
            let end = end(self.companies, *row, self.question.today);
            let (Some(start), true) = (self.companies.start(*row), end != End::Unknown) else {
                cohort.unknown += 1;
                continue;
            };
            let last = match end {
                End::Dissolved(day) | End::Elsewhere(day) => day.min(window.until),
                End::None | End::Unknown => window.until,
            };
            let is_dissolved = matches!(end, End::Dissolved(day) if window.contains(day));
            dissolutions += u64::from(is_dissolved && start <= window.until);
            // Of the first and the last day, both included.
            days += u64::try_from(last.since(start.max(window.since)) + 1).unwrap_or(0);
        }
        cohort.set(rate(dissolutions, days as f64 / DAYS_A_YEAR / 100.0));
    }

    fn median_capital(&self, rows: &[u32], cohort: &mut Cohort) {
        let francs = rows.iter().filter_map(|row| self.companies.francs(*row));
        let mut capitals: Vec<f64> = francs.map(|it| it.approximate()).collect();
        capitals.sort_unstable_by(f64::total_cmp);
        cohort.unknown = rows.len() - capitals.len();
        cohort.value = median_of_sorted(&capitals);
        cohort.interval = median_interval(&capitals);
    }

    fn changes_per_company(&self, rows: &[u32], cohort: &mut Cohort) {
        let Some(places) = &self.places else { return };
        let window = self.question.window();
        let counts = rows.iter().map(|row| self.changes.count(places.of(*row), window));
        match mean(counts.clone()) {
            Some(mean) => cohort.set(Some(mean)),
            None => cohort.value = counts.map(f64::from).next(),
        }
    }
}

impl Cohort {
    fn set(&mut self, figure: Option<Estimate>) {
        self.value = figure.map(|it| it.value);
        self.interval = figure.map(|it| (it.low, it.high));
    }
}

#[cfg(test)]
mod tests {
    use domain::{Amount, Canton, ChangeKind, Status, company::StatusReason};

    use super::*;
    use crate::{
        Currency,
        columns::ChangeRow,
        random::Random,
        test::{companies, day, register},
    };

    fn question(by: GroupBy, metric: Metric) -> Question {
        Question {
            by,
            metric,
            since: None,
            until: None,
            today: day("2026-12-31"),
            deletions_known_from: Some(day("2016-01-01")),
        }
    }

    fn of(companies: &Companies, changes: &Changes, question: &Question) -> Vec<Cohort> {
        let rows = Rows::all(companies.rows);
        cohorts(companies, changes, &rows, question).expect("not empty")
    }

    /// A register with all kinds of unknown values.
    fn mixed() -> (Companies, Changes) {
        let mut random = Random::new(11);
        register(600, |_, row| {
            let mut any = |of: usize| random.below(of + 1).checked_sub(1);
            row.canton = any(3).map(|it| Canton::ALL[it]);
            row.status = any(3).map(|it| Status::ALL[it]);
            row.registration = any(8_000).map(|it| Day::new(12_000 + it as i32));
            row.founding = any(8_000).map(|it| Day::new(12_000 + it as i32));
            row.deletion = any(2).and_then(|it| [None, Some(Day::new(20_400))][it]);
            row.reason = any(2).map(|it| [StatusReason::Merged, StatusReason::DeletedNoAssets][it]);
            row.capital = any(1_000).map(|it| Amount::units(it as i64).into());
            row.currency = any(2).and_then(|it| Currency::new(["CHF", "EUR"][it]));
            let changes = any(4).unwrap_or_default() as i32;
            (0..changes)
                .map(|it| ChangeRow::new(Day::new(20_000 + it * 300), ChangeKind::NameChange))
                .collect()
        })
    }

    #[test]
    fn every_metric_of_every_grouping_counts_each_company_once() {
        let (companies, changes) = mixed();
        for by in GroupBy::ALL {
            for metric in Metric::ALL {
                let found = of(&companies, &changes, &question(by, metric));
                assert_eq!(found.iter().map(|it| it.count).sum::<usize>(), 600);
                for it in &found {
                    assert!(it.unknown <= it.count, "{it:?}");
                    let (low, high) = it.interval.unwrap_or_default();
                    let is_inside = it.value.is_some_and(|it| low <= it && it <= high);
                    assert!(it.interval.is_none() || is_inside, "{metric:?} {it:?}");
                }
            }
        }
    }

    #[test]
    fn order_of_companies_does_not_matter() {
        let (companies, changes) = mixed();
        let places = companies.places_of_changes();
        let reversed = companies.reversed(&changes, &places);
        for by in GroupBy::ALL {
            for metric in Metric::ALL {
                let question = question(by, metric);
                let one = of(&companies, &changes, &question);
                assert_eq!(one, of(&reversed.0, &reversed.1, &question), "{by:?} {metric:?}");
            }
        }
    }

    #[test]
    fn today_before_everything_finds_nobody() {
        let (companies, changes) = mixed();
        let question =
            |metric| Question { today: day("0001-01-01"), ..question(GroupBy::Canton, metric) };
        for metric in [Metric::Registrations, Metric::ChangesPerCompany] {
            let found = of(&companies, &changes, &question(metric));
            assert!(found.iter().all(|it| it.value == Some(0.0)), "{found:?}");
        }
        for metric in [Metric::Survival, Metric::DissolutionRate] {
            let found = of(&companies, &changes, &question(metric));
            assert!(found.iter().all(|it| it.value.is_none()), "{found:?}");
        }
    }

    #[test]
    fn unknown_capital_and_other_currencies_are_not_0() {
        let companies = companies(9, |at, row| {
            row.capital = (at < 8).then(|| Amount::units(100 + at as i64).into());
            row.currency = (at == 7).then(|| Currency::new("EUR")).flatten();
        });
        let found =
            &of(&companies, &Changes::default(), &question(GroupBy::Canton, Metric::MedianCapital))
                [0];
        assert_eq!((found.count, found.value, found.unknown), (9, Some(103.0), 2));
        assert_eq!(found.interval, Some((100.0, 106.0)));
    }

    #[test]
    fn registrations_of_a_year_need_no_window() {
        let companies = companies(3, |at, row| {
            row.founding = Some(day("2010-05-01"));
            row.registration = (at > 0).then(|| day("2010-06-01"));
        });
        let none = Changes::default();
        let by_year = &of(&companies, &none, &question(GroupBy::Year, Metric::Registrations))[0];
        assert_eq!(
            (by_year.group, by_year.value, by_year.unknown),
            (Group::Year(2010), Some(2.0), 1)
        );
        let by_canton =
            &of(&companies, &none, &question(GroupBy::Canton, Metric::Registrations))[0];
        assert_eq!(by_canton.value, Some(0.0), "in the last 365 days");
        let first = Some(day("2010-06-01"));
        let of_day = Question {
            since: first,
            until: first,
            ..question(GroupBy::Canton, Metric::Registrations)
        };
        assert_eq!(of(&companies, &none, &of_day)[0].value, Some(2.0));
        let until_before = Question { since: Some(day("2010-06-02")), ..of_day };
        let error = cohorts(&companies, &none, &Rows::all(3), &until_before);
        let text = error.expect_err("ends before it begins").to_string();
        assert_eq!(text, "`since` must not be after `until`; got 2010-06-02 and 2010-06-01");
    }

    #[test]
    fn dissolutions_are_counted_per_year_of_life_in_the_window() {
        // 100 companies: 1 dissolved in the middle of the window, 1 merged, 1 dissolved before, 1 founded after.
        let companies = companies(100, |at, row| {
            row.status = Some(Status::Active);
            row.registration = Some(day("2000-01-01"));
            row.deletion = [Some("2026-07-01"), Some("2026-07-01"), Some("2025-01-01")]
                .get(at)
                .copied()
                .flatten()
                .map(day);
            row.reason = (at == 1).then_some(StatusReason::Merged);
            if at == 3 {
                row.registration = Some(day("2027-01-01"));
            }
        });
        let found = &of(
            &companies,
            &Changes::default(),
            &question(GroupBy::Canton, Metric::DissolutionRate),
        )[0];
        let years = (96.0 * 365.0 + 2.0 * 182.0) / DAYS_A_YEAR;
        let value = found.value.expect("exposure");
        assert!((value - 100.0 / years).abs() < 1e-9, "{value}");
        let late = Question {
            deletions_known_from: Some(day("2026-08-01")),
            ..question(GroupBy::Canton, Metric::DissolutionRate)
        };
        assert_eq!(of(&companies, &Changes::default(), &late)[0].value, Some(0.0));
    }

    /// Lives of two cantons with known hazards, mergers and late entry: each curve has its true survival within the interval, and
    /// the rates agree with the hazards.
    #[test]
    fn planted_hazards_are_found() {
        let mut random = Random::new(2);
        let companies_and_changes = register(20_000, |at, row| {
            let is_risky = at.is_multiple_of(2);
            let yearly = if is_risky { 0.12 } else { 0.03 };
            let start = random.below(7_000) as i32;
            let days = |random: &mut Random, yearly: f64| {
                (random.exponential() / yearly * DAYS_A_YEAR).ceil() as i32
            };
            let (death, merger) = (days(&mut random, yearly), days(&mut random, 0.02));
            row.canton = Some(if is_risky { Canton::Zg } else { Canton::Ur });
            row.status = Some(Status::Active);
            row.registration = Some(Day::new(13_000 + start));
            let end = Day::new(13_000 + start + death.min(merger));
            if end <= day("2026-12-31") {
                row.deletion = Some(end);
                row.status = Some(Status::Cancelled);
                row.reason = Some(if merger < death {
                    StatusReason::Merged
                } else {
                    StatusReason::DeletedNoAssets
                });
            }
            // What ended before 2016 is in no source.
            if end < day("2016-01-01") {
                row.registration = None;
            }
            Vec::new()
        });
        let (companies, changes) = companies_and_changes;
        let known = Rows::all(20_000).filter(|it| companies.registration[it as usize].is_some());
        for (metric, truth) in [
            (Metric::Survival, [(-0.15_f64).exp(), (-0.6_f64).exp()]),
            (Metric::DissolutionRate, [3.0, 12.0]),
        ] {
            let mut asked = question(GroupBy::Canton, metric);
            asked.since = Some(day("2016-01-01"));
            let found = cohorts(&companies, &changes, &known, &asked).expect("not empty");
            for (cohort, truth) in found.iter().zip(truth) {
                let (low, high) = cohort.interval.expect("enough");
                assert!(low <= truth && truth <= high, "{metric:?} {cohort:?}");
                assert_eq!(cohort.survival.len(), if metric == Metric::Survival { 4 } else { 0 });
            }
        }
    }

    #[test]
    fn a_single_company_has_a_mean_without_interval() {
        let today = day("2026-12-31");
        let (companies, changes) = register(1, |_, _| {
            [-366, -364, 0, 1]
                .map(|it| ChangeRow::new(today.plus(it), ChangeKind::NameChange))
                .into()
        });
        let found =
            &of(&companies, &changes, &question(GroupBy::Canton, Metric::ChangesPerCompany))[0];
        assert_eq!((found.value, found.interval), (Some(2.0), None));
    }
}
