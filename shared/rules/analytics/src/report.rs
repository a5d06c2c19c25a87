//! Reports of industries: the 88 divisions and 21 sections of NOGA 2008.
//!
//! | Figure | Companies that count |
//! |---|---|
//! | number, capital, top companies, cantons, auditors | registered |
//! | statuses | all, with deleted ones: their sum is higher than the number |
//! | changes of 30 days, quarters | all |
//!
//! The industry and the canton are those of the present record. Leading persons are those on the board or in the management; their
//! number at the start of a quarter is walked back from today's over those who entered and left.

use std::{cmp::Reverse, collections::BTreeMap};

use domain::{Amount, Status, changes::LegalEvent, noga};

use crate::{
    Day, FirmId, Noga, Window,
    columns::{Changes, Companies, Leading, Places},
    flows::Period,
    groups::{Group, GroupBy},
    lives::{End, end},
    quantiles::median,
};

/// Number of companies and auditors that a report names.
pub const TOP: usize = 10;
/// Number of quarters, with the running one.
pub const QUARTERS: usize = 13;
/// Days whose changes are recent.
pub const RECENT_DAYS: u16 = 30;

/// The reports of all industries.
#[derive(Clone, Debug, PartialEq)]
pub struct Reports {
    /// The report of each division, in the order of [`noga::DIVISIONS`].
    pub divisions: Vec<Report>,
    /// The report of each section, in the order of [`noga::SECTIONS`].
    pub sections: Vec<Report>,
    /// Registered companies whose division is unknown.
    pub unclassified: u32,
    /// Registered companies.
    pub registered: u32,
}

/// Figures of an industry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Number of registered companies.
    pub companies: u32,
    /// Capital of those with a capital in francs. `None` if none has.
    pub capital: Option<Capital>,
    /// The companies with the largest capital in francs, the largest first.
    pub top: Vec<u32>,
    /// Companies by canton, the largest groups first.
    pub cantons: Vec<(Group, u32)>,
    /// Companies by status, in the order of [`Status::ALL`], then those whose status is unknown.
    pub statuses: Vec<(Option<Status>, u32)>,
    /// The auditors with the most companies, the largest first.
    pub auditors: Vec<(FirmId, u32)>,
    /// Number of registered companies with a known auditor.
    pub audited: u32,
    /// Number of changes in the last 30 days.
    pub recent_changes: u32,
    /// The quarters, the earliest first; the last one has not ended.
    pub quarters: Vec<Quarter>,
}

/// Mean and median capital in francs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capital {
    /// Number of companies with a capital in francs.
    pub companies: u32,
    /// Mean, rounded to a ten-thousandth.
    pub mean: Amount,
    /// Median.
    pub median: f64,
}

/// What happened in a quarter.
#[derive(Clone, Debug, PartialEq)]
pub struct Quarter {
    /// Name, such as `2026-Q1`.
    pub label: String,
    /// Its days until today.
    pub days: Window,
    /// Whether it has ended.
    pub is_complete: bool,
    /// First entries in the register.
    pub entries: u32,
    /// First entries by canton.
    pub entries_by_canton: BTreeMap<Group, u32>,
    /// Deletions, except those below.
    pub dissolutions: u32,
    /// Deletions after a merger, a demerger or a move abroad.
    pub other_deletions: u32,
    /// Bankruptcies that were opened.
    pub bankruptcies: u32,
    /// Increases of the capital in francs.
    pub capital_increases: u32,
    /// Sum of these increases.
    pub capital_increase_sum: Amount,
    /// Leading persons at the start.
    pub leaders_at_start: u32,
    /// Leading persons who left.
    pub leaders_left: u32,
    /// Companies that got an auditor and had none.
    pub auditors_gained: u32,
    /// Companies that lost their auditor without getting another one.
    pub auditors_lost: u32,
    /// Median age in years of the companies that were registered at the end. `None` if there were none.
    pub median_age: Option<f64>,
}

impl Quarter {
    /// Part of the leading persons who left, in percent of those at the start. `None` if there were none.
    pub fn turnover(&self) -> Option<f64> {
        let start = f64::from(self.leaders_at_start);
        (self.leaders_at_start > 0).then(|| f64::from(self.leaders_left) / start * 100.0)
    }
}

/// The reports as of today.
pub fn reports(companies: &Companies, changes: &Changes, today: Day) -> Reports {
    let tables = Tables { companies, changes, places: companies.places_of_changes(), today };
    let mut rows: BTreeMap<Option<Noga>, Vec<u32>> = BTreeMap::new();
    for (row, noga) in (0_u32..).zip(&companies.noga) {
        rows.entry(noga.map(Noga::division)).or_default().push(row);
    }
    let registered = |rows: &[u32]| {
        let registered = rows.iter().filter(|it| companies.is_registered(**it) == Some(true));
        u32::try_from(registered.count()).unwrap_or(u32::MAX)
    };
    let of_division = |it: &noga::Division| {
        Noga::new(it.code).and_then(|it| rows.get(&Some(it))).map_or(&[][..], Vec::as_slice)
    };
    let section = |section: &noga::Section| {
        let divisions = noga::DIVISIONS.iter().filter(|it| it.section == section.code);
        let mut all: Vec<u32> = divisions.flat_map(of_division).copied().collect();
        all.sort_unstable();
        tables.report(&all)
    };
    let divisions: Vec<Report> =
        noga::DIVISIONS.iter().map(|it| tables.report(of_division(it))).collect();
    let classified: u32 = divisions.iter().map(|it| it.companies).sum();
    let registered: u32 = rows.values().map(|it| registered(it)).sum();
    Reports {
        sections: noga::SECTIONS.iter().map(section).collect(),
        divisions,
        unclassified: registered - classified,
        registered,
    }
}

struct Tables<'a> {
    companies: &'a Companies,
    changes: &'a Changes,
    places: Places,
    today: Day,
}

impl Tables<'_> {
    /// The report of these rows, which are sorted.
    fn report(&self, all: &[u32]) -> Report {
        let is_registered = |it: &u32| self.companies.is_registered(*it) == Some(true);
        let registered: Vec<u32> = all.iter().copied().filter(is_registered).collect();
        let cantons = registered.iter().map(|it| GroupBy::Canton.group(self.companies, *it));
        let auditors = registered.iter().filter_map(|it| self.companies.auditor[*it as usize]);
        let mut auditors = largest_first(auditors);
        let audited = auditors.iter().map(|it| it.1).sum();
        auditors.truncate(TOP);
        let recent = Window::last(RECENT_DAYS, self.today);
        let recent = all.iter().map(|it| self.changes.count(self.places.of(*it), recent));
        Report {
            companies: u32::try_from(registered.len()).unwrap_or(u32::MAX),
            capital: self.capital(&registered),
            top: self.top(&registered),
            cantons: largest_first(cantons),
            statuses: self.statuses(all),
            auditors,
            audited,
            recent_changes: recent.sum(),
            quarters: self.quarters(all),
        }
    }

    fn capital(&self, registered: &[u32]) -> Option<Capital> {
        let amounts = registered.iter().filter_map(|it| self.companies.francs(*it));
        let amounts: Vec<Amount> = amounts.map(|it| it.amount()).collect();
        let sum: i128 = amounts.iter().map(|it| i128::from(it.ten_thousandths())).sum();
        let count = i128::try_from(amounts.len()).unwrap_or(i128::MAX);
        let mut values: Vec<f64> = amounts.iter().map(|it| it.approximate()).collect();
        let median = median(&mut values)?;
        let mean = i64::try_from((sum + count / 2).div_euclid(count)).unwrap_or(i64::MAX);
        let companies = u32::try_from(amounts.len()).unwrap_or(u32::MAX);
        Some(Capital { companies, mean: Amount::from_ten_thousandths(mean), median })
    }

    fn top(&self, registered: &[u32]) -> Vec<u32> {
        let capitals = registered.iter().filter_map(|it| Some((self.companies.francs(*it)?, *it)));
        let mut capitals: Vec<_> = capitals.collect();
        capitals.sort_unstable_by_key(|it| (Reverse(it.0), it.1));
        capitals.into_iter().take(TOP).map(|it| it.1).collect()
    }

    fn statuses(&self, all: &[u32]) -> Vec<(Option<Status>, u32)> {
        let count = |wanted: Option<Status>| {
            let found = all.iter().filter(|it| self.companies.status[**it as usize] == wanted);
            (wanted, u32::try_from(found.count()).unwrap_or(u32::MAX))
        };
        Status::ALL.into_iter().map(Some).chain([None]).map(count).collect()
    }

    fn quarters(&self, all: &[u32]) -> Vec<Quarter> {
        let mut quarters: Vec<Quarter> = Period::Quarterly
            .last(QUARTERS, self.today)
            .into_iter()
            .map(|it| self.empty(it))
            .collect();
        let mut ages: Vec<Vec<f64>> = vec![Vec::new(); quarters.len()];
        let mut moves = LeaderMoves::new(&quarters);
        for row in all.iter().copied() {
            self.count_life(row, &mut quarters, &mut ages);
            self.count_changes(row, &mut quarters, &mut moves);
        }
        for (quarter, ages) in quarters.iter_mut().zip(&mut ages) {
            quarter.median_age = median(ages);
        }
        moves.walk_back(&mut quarters);
        quarters
    }

    fn empty(&self, whole: Window) -> Quarter {
        Quarter {
            label: Period::Quarterly.label(whole.since),
            days: Window { until: whole.until.min(self.today), ..whole },
            is_complete: whole.until < self.today,
            entries: 0,
            entries_by_canton: BTreeMap::new(),
            dissolutions: 0,
            other_deletions: 0,
            bankruptcies: 0,
            capital_increases: 0,
            capital_increase_sum: Amount::units(0),
            leaders_at_start: 0,
            leaders_left: 0,
            auditors_gained: 0,
            auditors_lost: 0,
            median_age: None,
        }
    }

    /// Counts beginning, end and age of a company.
    fn count_life(&self, row: u32, quarters: &mut [Quarter], ages: &mut [Vec<f64>]) {
        let end = end(self.companies, row, self.today);
        let registration = self.companies.registration[row as usize];
        let last = match end {
            End::None => Some(self.today),
            End::Dissolved(day) | End::Elsewhere(day) => Some(day.plus(-1)),
            End::Unknown => None,
        };
        for (quarter, ages) in quarters.iter_mut().zip(ages) {
            if registration.is_some_and(|it| quarter.days.contains(it)) {
                quarter.entries += 1;
                let canton = GroupBy::Canton.group(self.companies, row);
                *quarter.entries_by_canton.entry(canton).or_default() += 1;
            }
            match end {
                End::Dissolved(day) if quarter.days.contains(day) => quarter.dissolutions += 1,
                End::Elsewhere(day) if quarter.days.contains(day) => quarter.other_deletions += 1,
                _ => {}
            }
            let life = self.companies.start(row).zip(last);
            let is_alive =
                |it: &(Day, Day)| it.0 <= quarter.days.until && quarter.days.until <= it.1;
            if let Some((start, _)) = life.filter(is_alive) {
                ages.push(quarter.days.until.years_since(start));
            }
        }
    }

    /// Counts the changes of a company.
    fn count_changes(&self, row: u32, quarters: &mut [Quarter], moves: &mut LeaderMoves) {
        let leaders = self.companies.leaders[row as usize].map_or(0, crate::Count::get);
        if self.companies.is_registered(row) == Some(true) {
            moves.today += i64::from(leaders);
        }
        let Some(first) = quarters.first().map(|it| it.days.since) else { return };
        let all = Window { since: first, until: self.today };
        let mut at = 0;
        for change in self.changes.within(self.places.of(row), all) {
            while quarters[at].days.until < self.changes.day[change] {
                at += 1;
            }
            self.count_change(change, &mut quarters[at]);
            match self.changes.leading[change] {
                Some(Leading::Entered) => moves.entered[at] += 1,
                Some(Leading::Left) => moves.left[at] += 1,
                None => {}
            }
        }
    }

    fn count_change(&self, change: usize, quarter: &mut Quarter) {
        let changes = self.changes;
        let is_bankruptcy = changes.legal_event[change] == Some(LegalEvent::BankruptcyOpened);
        quarter.bankruptcies += u32::from(is_bankruptcy);
        let capitals = changes.old_capital[change].zip(changes.new_capital[change]);
        if let Some((old, new)) = capitals.filter(|(old, new)| new > old) {
            let increase =
                new.amount().ten_thousandths().saturating_sub(old.amount().ten_thousandths());
            let sum = quarter.capital_increase_sum.ten_thousandths().saturating_add(increase);
            quarter.capital_increase_sum = Amount::from_ten_thousandths(sum);
            quarter.capital_increases += 1;
        }
        match (changes.from_auditor[change], changes.to_auditor[change]) {
            (None, Some(_)) => quarter.auditors_gained += 1,
            (Some(_), None) => quarter.auditors_lost += 1,
            _ => {}
        }
    }
}

/// How many leading persons there are, and how many entered and left in each quarter.
struct LeaderMoves {
    today: i64,
    entered: Vec<i64>,
    left: Vec<i64>,
}

impl LeaderMoves {
    fn new(quarters: &[Quarter]) -> Self {
        Self { today: 0, entered: vec![0; quarters.len()], left: vec![0; quarters.len()] }
    }

    fn walk_back(&self, quarters: &mut [Quarter]) {
        let mut number = self.today;
        for (at, quarter) in quarters.iter_mut().enumerate().rev() {
            number += self.left[at] - self.entered[at];
            quarter.leaders_left = u32::try_from(self.left[at]).unwrap_or(0);
            // Publications that are not known can make it negative.
            quarter.leaders_at_start = u32::try_from(number).unwrap_or(0);
        }
    }
}

/// How often each value occurs, the most frequent first.
fn largest_first<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Vec<(T, u32)> {
    let mut counts: BTreeMap<T, u32> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<(T, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|it| Reverse(it.1));
    counts
}

#[cfg(test)]
mod tests {
    use domain::{Canton, ChangeKind, company::StatusReason};

    use super::*;
    use crate::{
        Currency,
        columns::ChangeRow,
        random::Random,
        test::{count, day, register},
    };

    const TODAY: &str = "2026-11-30";

    /// A register with companies of some divisions, deleted ones and unknown ones.
    fn invented() -> (Companies, Changes) {
        let mut random = Random::new(8);
        register(2_000, |_, row| {
            let mut any = |of: usize| random.below(of + 1).checked_sub(1);
            row.noga = any(5).and_then(|it| Noga::new(["62", "6201", "6419", "0111", "9900"][it]));
            row.canton = any(25).map(|it| Canton::ALL[it]);
            row.status = any(6).map(|it| if it < 4 { Status::Active } else { Status::ALL[it - 3] });
            row.capital = any(500).map(|it| Amount::units(it as i64 * 1_000).into());
            row.currency = any(3).and_then(|it| [None, None, Currency::new("EUR")][it]);
            row.registration = any(9_000).map(|it| Day::new(11_500 + it as i32));
            if row.status == Some(Status::Cancelled) {
                row.deletion = any(900).map(|it| day(TODAY).plus(-(it as i32)));
                row.reason = any(1).map(|_| StatusReason::Merged);
            }
            row.auditor = any(20).map(FirmId::at);
            row.leaders = any(5).and_then(|it| count(it as u32));
            let changes = any(6).unwrap_or_default();
            (0..changes)
                .map(|it| {
                    ChangeRow::new(day(TODAY).plus(it as i32 * 17 - 100), ChangeKind::NameChange)
                })
                .collect()
        })
    }

    #[test]
    fn divisions_and_unclassified_sum_to_the_register_and_sections_to_their_divisions() {
        let (companies, changes) = invented();
        let found = reports(&companies, &changes, day(TODAY));
        assert_eq!((found.divisions.len(), found.sections.len()), (88, 21));
        let sum: u32 = found.divisions.iter().map(|it| it.companies).sum();
        assert_eq!(sum + found.unclassified, found.registered);
        assert!(found.unclassified > 0);
        for (section, report) in noga::SECTIONS.iter().zip(&found.sections) {
            let divisions = noga::DIVISIONS.iter().zip(&found.divisions);
            let of_section = divisions.filter(|it| it.0.section == section.code).map(|it| it.1);
            let sum = |of: fn(&Report) -> u32| of_section.clone().map(of).sum::<u32>();
            assert_eq!(report.companies, sum(|it| it.companies));
            assert_eq!(report.recent_changes, sum(|it| it.recent_changes));
            let entries = |it: &Report| it.quarters.iter().map(|it| it.entries).sum::<u32>();
            assert_eq!(entries(report), sum(|it| it.quarters.iter().map(|it| it.entries).sum()));
        }
        for report in found.divisions.iter().chain(&found.sections) {
            assert_eq!(report.cantons.iter().map(|it| it.1).sum::<u32>(), report.companies);
            assert!(report.statuses.iter().map(|it| it.1).sum::<u32>() >= report.companies);
            assert_eq!(report.quarters.len(), QUARTERS);
            for quarter in &report.quarters {
                assert_eq!(quarter.entries_by_canton.values().sum::<u32>(), quarter.entries);
            }
            let incomplete = report.quarters.iter().filter(|it| !it.is_complete);
            assert_eq!(incomplete.map(|it| it.label.as_str()).collect::<Vec<_>>(), ["2026-Q4"]);
            let capitals: Vec<_> = report.top.iter().map(|it| companies.francs(*it)).collect();
            assert!(capitals.is_sorted_by(|a, b| a >= b) && capitals.iter().all(Option::is_some));
        }
    }

    #[test]
    fn planted_quarters_are_found() {
        let francs = |it| Some(Amount::units(it).into());
        let (companies, changes) = register(4, |at, row| {
            row.noga = Noga::new("6201");
            row.status = Some(if at == 3 { Status::Cancelled } else { Status::Active });
            row.registration =
                Some(day(["2016-09-30", "2026-08-01", "2006-09-30", "2000-01-01"][at]));
            row.deletion = (at == 3).then(|| day("2026-07-15"));
            row.capital = [100_000, 200_000, 600_000].get(at).copied().and_then(francs);
            row.leaders = count([3, 2, 0, 9][at]);
            let change = |text| ChangeRow::new(day(text), ChangeKind::Other);
            match at {
                0 => vec![
                    ChangeRow { leading: Some(Leading::Left), ..change("2026-07-01") },
                    ChangeRow {
                        legal_event: Some(LegalEvent::BankruptcyOpened),
                        ..change("2026-09-30")
                    },
                    ChangeRow { leading: Some(Leading::Entered), ..change("2026-10-01") },
                ],
                1 => vec![
                    ChangeRow { to_auditor: Some(FirmId::at(0)), ..change("2026-08-01") },
                    ChangeRow {
                        old_capital: francs(100_000),
                        new_capital: francs(200_000),
                        ..change("2026-11-30")
                    },
                    ChangeRow {
                        old_capital: francs(100_000),
                        new_capital: francs(200_000),
                        ..change("2026-12-01")
                    },
                ],
                2 => vec![ChangeRow { from_auditor: Some(FirmId::at(0)), ..change("2026-09-01") }],
                _ => vec![],
            }
        });
        let found = reports(&companies, &changes, day(TODAY));
        let at = noga::DIVISIONS.iter().position(|it| it.code == "62").expect("a division");
        let report = &found.divisions[at];
        let [.., third, fourth] = report.quarters.as_slice() else { panic!("13 quarters") };
        assert_eq!((third.label.as_str(), third.entries, third.dissolutions), ("2026-Q3", 1, 1));
        assert_eq!((third.bankruptcies, third.auditors_gained, third.auditors_lost), (1, 1, 1));
        // Today 5; one entered in the fourth quarter, one left in the third.
        assert_eq!(
            (fourth.leaders_at_start, fourth.leaders_left, fourth.turnover()),
            (4, 0, Some(0.0))
        );
        assert_eq!(
            (third.leaders_at_start, third.leaders_left, third.turnover()),
            (5, 1, Some(20.0))
        );
        assert_eq!(
            (fourth.capital_increases, fourth.capital_increase_sum),
            (1, Amount::units(100_000))
        );
        let age = third.median_age.expect("three companies");
        assert!(
            (age - 10.0).abs() < 0.01,
            "{age}: 60 days, 10 and 20 years; the fourth was deleted"
        );
        let capital = report.capital.expect("three");
        assert_eq!((capital.mean, capital.median), (Amount::units(300_000), 200_000.0));
        assert_eq!((report.companies, report.recent_changes), (3, 1));
        assert_eq!(report.top, [2, 1, 0]);
    }

    #[test]
    fn an_industry_without_companies_has_no_capital() {
        let found = reports(&Companies::default(), &Changes::default(), day(TODAY));
        assert_eq!((found.registered, found.unclassified), (0, 0));
        let report = &found.divisions[0];
        assert_eq!((report.capital, report.companies, report.quarters.len()), (None, 0, QUARTERS));
        assert_eq!(report.quarters[0].turnover(), None);
    }
}
