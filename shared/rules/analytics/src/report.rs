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

use std::{cmp::Reverse, hash::Hash};

use domain::{
    Amount, Canton, Status, Uid,
    changes::LegalEvent,
    noga::{self, Industry},
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    Day, FirmId, Money, Needs, Noga, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Firm, Firms, Leading, Places},
    flows::Period,
    groups::largest_first,
    lives::{End, end, needs_of_life},
    quantiles::middle,
};

/// Number of companies and auditors that a report names.
pub const TOP: usize = 10;
/// Number of quarters, with the running one.
pub const QUARTERS: usize = 13;
/// Days whose changes are recent.
pub const RECENT_DAYS: u16 = 30;

/// The reports of all industries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl Reports {
    /// The report of an industry.
    ///
    /// # Panics
    /// If it is not one of the lists.
    pub fn of(&self, industry: Industry) -> &Report {
        let unknown = "an industry of the lists";
        match industry {
            Industry::Division(wanted) => {
                let at = noga::DIVISIONS.iter().position(|it| it == wanted);
                &self.divisions[at.expect(unknown)]
            }
            Industry::Section(wanted) => {
                let at = noga::SECTIONS.iter().position(|it| it == wanted);
                &self.sections[at.expect(unknown)]
            }
        }
    }
}

/// Figures of an industry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Number of registered companies.
    pub companies: u32,
    /// Capital of those with a capital in francs. `None` if none has.
    pub capital: Option<Capital>,
    /// The companies with the largest capital in francs, the largest first.
    pub top: Vec<Uid>,
    /// Companies by canton, the largest groups first. `None`: unknown.
    pub cantons: Vec<(Option<Canton>, u32)>,
    /// Companies by status, in the order of [`Status::ALL`], then those whose status is unknown.
    pub statuses: Vec<(Option<Status>, u32)>,
    /// The auditors with the most companies, the largest first.
    pub auditors: Vec<(Firm, u32)>,
    /// Number of registered companies with a known auditor.
    pub audited: u32,
    /// Number of changes in the last 30 days.
    pub recent_changes: u32,
    /// The quarters, the earliest first; the last one has not ended.
    pub quarters: Vec<Quarter>,
}

impl Report {
    /// Number of companies whose status is not known.
    pub fn without_status(&self) -> u32 {
        self.statuses.iter().filter(|it| it.0.is_none()).map(|it| it.1).sum()
    }
}

/// Mean and median capital in francs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capital {
    /// Number of companies with a capital in francs.
    pub companies: u32,
    /// Mean, rounded to a ten-thousandth.
    pub mean: Amount,
    /// Median.
    pub median: f64,
}

/// What happened in a quarter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quarter {
    /// Name, such as `2026-Q1`.
    pub label: String,
    /// Its days until today.
    pub days: Window,
    /// Whether it has ended.
    pub is_complete: bool,
    /// First entries in the register.
    pub entries: u32,
    /// First entries by canton, the largest groups first. `None`: unknown.
    pub entries_by_canton: Vec<(Option<Canton>, u32)>,
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

/// The columns that [`reports`] reads.
pub fn needs() -> Needs {
    let of_companies = [
        CompanyColumn::Uid,
        CompanyColumn::Noga,
        CompanyColumn::Canton,
        CompanyColumn::Capital,
        CompanyColumn::Currency,
        CompanyColumn::Auditor,
        CompanyColumn::Leaders,
        CompanyColumn::Changes,
    ];
    let of_changes = [
        ChangeColumn::Day,
        ChangeColumn::LegalEvent,
        ChangeColumn::OldCapital,
        ChangeColumn::NewCapital,
        ChangeColumn::FromAuditor,
        ChangeColumn::ToAuditor,
        ChangeColumn::Leading,
    ];
    Needs::of(&of_companies, &of_changes).and(needs_of_life())
}

/// The reports as of today.
pub fn reports(companies: &Companies, changes: &Changes, firms: &Firms, today: Day) -> Reports {
    let tables = Tables { companies, changes, places: companies.places_of_changes(), today };
    let names = Names { uids: &companies.uid, firms };
    let empty = Tally::new(today);
    let mut tallies: FxHashMap<Option<Noga>, Tally> = FxHashMap::default();
    // In the order of the rows, so that columns are read from the beginning to the end.
    for row in 0..companies.rows {
        let division = companies.noga[row as usize].map(Noga::division);
        let tally = tallies.entry(division).or_insert_with(|| empty.clone());
        tables.count(row, tally);
    }
    let registered = tallies.values().map(|it| it.companies).sum();
    let of_division = |it: &noga::Division| {
        Noga::new(it.code).and_then(|it| tallies.get(&Some(it))).unwrap_or(&empty)
    };
    let section = |section: &noga::Section| {
        let mut sum = empty.clone();
        for division in noga::DIVISIONS.iter().filter(|it| it.section == section.code) {
            sum.add(of_division(division));
        }
        sum.report(names)
    };
    let sections = noga::SECTIONS.iter().map(section).collect();
    let divisions: Vec<Report> =
        noga::DIVISIONS.iter().map(|it| of_division(it).clone().report(names)).collect();
    let classified: u32 = divisions.iter().map(|it| it.companies).sum();
    Reports { divisions, sections, unclassified: registered - classified, registered }
}

/// What the reports are made from.
struct Tables<'a> {
    companies: &'a Companies,
    changes: &'a Changes,
    places: Places,
    today: Day,
}

/// What companies and firms are called.
#[derive(Clone, Copy)]
struct Names<'a> {
    uids: &'a [Uid],
    firms: &'a Firms,
}

/// What is counted of an industry.
#[derive(Clone)]
struct Tally {
    companies: u32,
    /// The capitals in francs of registered companies, with their rows.
    capitals: Vec<(Money, u32)>,
    cantons: FxHashMap<Option<Canton>, u32>,
    statuses: FxHashMap<Option<Status>, u32>,
    auditors: FxHashMap<FirmId, u32>,
    recent_changes: u32,
    quarters: Vec<Quarter>,
    /// The entries of each quarter.
    entries: Vec<FxHashMap<Option<Canton>, u32>>,
    /// The starts of the companies that were registered at the end of each quarter.
    starts: Vec<Vec<Day>>,
    /// Leading persons today.
    leaders: i64,
    /// Leading persons who entered in each quarter.
    leaders_entered: Vec<u32>,
}

impl Tables<'_> {
    fn count(&self, row: u32, tally: &mut Tally) {
        let status = self.companies.status[row as usize];
        *tally.statuses.entry(status).or_default() += 1;
        if self.companies.is_registered(row) == Some(true) {
            self.count_registered(row, tally);
        }
        self.count_life(row, tally);
        self.count_changes(row, tally);
    }

    fn count_registered(&self, row: u32, tally: &mut Tally) {
        tally.companies += 1;
        *tally.cantons.entry(self.companies.canton[row as usize]).or_default() += 1;
        if let Some(firm) = self.companies.auditor[row as usize] {
            *tally.auditors.entry(firm).or_default() += 1;
        }
        tally.capitals.extend(self.companies.francs(row).map(|it| (it, row)));
        tally.leaders += self.companies.leaders[row as usize].map_or(0, |it| i64::from(it.get()));
    }

    /// Counts beginning and end of a company, and adds its start to the quarters at whose end it was registered.
    fn count_life(&self, row: u32, tally: &mut Tally) {
        let quarters = &mut tally.quarters;
        let registration = self.companies.registration[row as usize];
        if let Some(at) = registration.and_then(|it| place(quarters, it)) {
            quarters[at].entries += 1;
            let canton = self.companies.canton[row as usize];
            *tally.entries[at].entry(canton).or_default() += 1;
        }
        let last = match end(self.companies, row, self.today) {
            End::None => self.today,
            End::Dissolved(day) => {
                place(quarters, day).into_iter().for_each(|it| quarters[it].dissolutions += 1);
                day.plus(-1)
            }
            End::Elsewhere(day) => {
                place(quarters, day).into_iter().for_each(|it| quarters[it].other_deletions += 1);
                day.plus(-1)
            }
            End::Unknown => return,
        };
        let Some(start) = self.companies.start(row) else { return };
        let first = quarters.partition_point(|it| it.days.until < start);
        let after = quarters.partition_point(|it| it.days.until <= last).max(first);
        tally.starts[first..after].iter_mut().for_each(|it| it.push(start));
    }

    fn count_changes(&self, row: u32, tally: &mut Tally) {
        let places = self.places.of(row);
        let recent = Window::last(RECENT_DAYS, self.today);
        tally.recent_changes += self.changes.count(places.clone(), recent);
        let Some(first) = tally.quarters.first().map(|it| it.days.since) else { return };
        for change in self.changes.within(places, Window { since: first, until: self.today }) {
            if let Some(at) = place(&tally.quarters, self.changes.day[change]) {
                let entered = self.changes.leading[change] == Some(Leading::Entered);
                tally.leaders_entered[at] += u32::from(entered);
                self.count_change(change, &mut tally.quarters[at]);
            }
        }
    }

    fn count_change(&self, change: usize, quarter: &mut Quarter) {
        let changes = self.changes;
        let is_bankruptcy = changes.legal_event[change] == Some(LegalEvent::BankruptcyOpened);
        quarter.bankruptcies += u32::from(is_bankruptcy);
        quarter.leaders_left += u32::from(changes.leading[change] == Some(Leading::Left));
        let capitals = changes.old_capital[change].zip(changes.new_capital[change]);
        if let Some((old, new)) = capitals.filter(|(old, new)| new > old) {
            let [old, new] = [old, new].map(|it| it.amount().ten_thousandths());
            let increase = Amount::from_ten_thousandths(new.saturating_sub(old));
            quarter.capital_increase_sum = sum(quarter.capital_increase_sum, increase);
            quarter.capital_increases += 1;
        }
        match (changes.from_auditor[change], changes.to_auditor[change]) {
            (None, Some(_)) => quarter.auditors_gained += 1,
            (Some(_), None) => quarter.auditors_lost += 1,
            _ => {}
        }
    }
}

fn sum(one: Amount, other: Amount) -> Amount {
    Amount::from_ten_thousandths(one.ten_thousandths().saturating_add(other.ten_thousandths()))
}

/// The place of the quarter of a day.
fn place(quarters: &[Quarter], day: Day) -> Option<usize> {
    let at = quarters.partition_point(|it| it.days.until < day);
    quarters.get(at).filter(|it| it.days.since <= day).map(|_| at)
}

impl Tally {
    fn new(today: Day) -> Self {
        let quarters = Period::Quarterly.last(QUARTERS, today).into_iter();
        let quarters: Vec<Quarter> = quarters.map(|it| Quarter::empty(it, today)).collect();
        Self {
            companies: 0,
            capitals: Vec::new(),
            cantons: FxHashMap::default(),
            statuses: FxHashMap::default(),
            auditors: FxHashMap::default(),
            recent_changes: 0,
            entries: vec![FxHashMap::default(); quarters.len()],
            starts: vec![Vec::new(); quarters.len()],
            leaders: 0,
            leaders_entered: vec![0; quarters.len()],
            quarters,
        }
    }

    /// Adds what was counted of another industry.
    fn add(&mut self, other: &Self) {
        self.companies += other.companies;
        self.capitals.extend(&other.capitals);
        add_counts(&mut self.cantons, &other.cantons);
        add_counts(&mut self.statuses, &other.statuses);
        add_counts(&mut self.auditors, &other.auditors);
        self.recent_changes += other.recent_changes;
        self.leaders += other.leaders;
        for at in 0..self.quarters.len() {
            self.quarters[at].add(&other.quarters[at]);
            add_counts(&mut self.entries[at], &other.entries[at]);
            self.starts[at].extend(&other.starts[at]);
            self.leaders_entered[at] += other.leaders_entered[at];
        }
    }

    fn report(mut self, names: Names) -> Report {
        self.finish_quarters();
        self.capitals.sort_unstable_by_key(|it| (Reverse(it.0), it.1));
        let mut auditors = largest_first(self.auditors);
        let audited = auditors.iter().map(|it| it.1).sum();
        auditors.truncate(TOP);
        let auditors = auditors.into_iter().map(|(id, it)| (names.firms.get(id).clone(), it));
        let top = self.capitals.iter().take(TOP).map(|it| names.uids[it.1 as usize]);
        let statuses = Status::ALL.into_iter().map(Some).chain([None]);
        Report {
            companies: self.companies,
            capital: capital(&self.capitals),
            top: top.collect(),
            cantons: largest_first(self.cantons),
            statuses: statuses
                .map(|it| (it, self.statuses.get(&it).copied().unwrap_or(0)))
                .collect(),
            auditors: auditors.collect(),
            audited,
            recent_changes: self.recent_changes,
            quarters: self.quarters,
        }
    }

    /// Computes what follows from the counts: median ages, and the leading persons at the start, walked back from today.
    fn finish_quarters(&mut self) {
        let mut leaders = self.leaders;
        for (at, quarter) in self.quarters.iter_mut().enumerate().rev() {
            quarter.entries_by_canton = largest_first(std::mem::take(&mut self.entries[at]));
            let years = |start| quarter.days.until.years_since(start);
            let (early, late) = middle(&mut self.starts[at], Ord::cmp).unzip();
            quarter.median_age = early.zip(late).map(|(a, b)| f64::midpoint(years(a), years(b)));
            leaders += i64::from(quarter.leaders_left) - i64::from(self.leaders_entered[at]);
            // Publications that are not known can make it negative.
            quarter.leaders_at_start = u32::try_from(leaders.max(0)).unwrap_or(u32::MAX);
        }
    }
}

impl Quarter {
    fn empty(whole: Window, today: Day) -> Self {
        Self {
            label: Period::Quarterly.label(whole.since),
            days: Window { until: whole.until.min(today), ..whole },
            is_complete: whole.until < today,
            entries: 0,
            entries_by_canton: Vec::new(),
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

    /// Adds what was counted of the same quarter of another industry.
    fn add(&mut self, other: &Self) {
        self.entries += other.entries;
        self.dissolutions += other.dissolutions;
        self.other_deletions += other.other_deletions;
        self.bankruptcies += other.bankruptcies;
        self.capital_increases += other.capital_increases;
        self.capital_increase_sum = sum(self.capital_increase_sum, other.capital_increase_sum);
        self.leaders_left += other.leaders_left;
        self.auditors_gained += other.auditors_gained;
        self.auditors_lost += other.auditors_lost;
    }
}

/// Mean and median of capitals that are sorted, the largest first.
fn capital(sorted: &[(Money, u32)]) -> Option<Capital> {
    let count = i128::try_from(sorted.len()).ok().filter(|it| *it > 0)?;
    let sum: i128 = sorted.iter().map(|it| i128::from(it.0.amount().ten_thousandths())).sum();
    let mean = i64::try_from((sum + count / 2).div_euclid(count)).unwrap_or(i64::MAX);
    let [lower, upper] = [(sorted.len() - 1) / 2, sorted.len() / 2].map(|it| sorted[it].0);
    Some(Capital {
        companies: u32::try_from(count).unwrap_or(u32::MAX),
        mean: Amount::from_ten_thousandths(mean),
        median: f64::midpoint(lower.approximate(), upper.approximate()),
    })
}

fn add_counts<T: Hash + Eq + Copy>(counts: &mut FxHashMap<T, u32>, others: &FxHashMap<T, u32>) {
    for (value, count) in others {
        *counts.entry(*value).or_default() += count;
    }
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

    /// As many firms as the registers name.
    fn firms() -> Firms {
        let mut firms = Firms::default();
        for number in 0..25 {
            let name = format!("Revision {number:02} AG");
            firms.add(Firm { key: name.to_lowercase(), name });
        }
        firms
    }

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
        let found = reports(&companies, &changes, &firms(), day(TODAY));
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
                assert_eq!(
                    quarter.entries_by_canton.iter().map(|it| it.1).sum::<u32>(),
                    quarter.entries
                );
            }
            let incomplete = report.quarters.iter().filter(|it| !it.is_complete);
            assert_eq!(incomplete.map(|it| it.label.as_str()).collect::<Vec<_>>(), ["2026-Q4"]);
            let row = |uid| companies.uid.iter().position(|it| it == uid).expect("a row") as u32;
            let capitals: Vec<_> = report.top.iter().map(|it| companies.francs(row(it))).collect();
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
        let found = reports(&companies, &changes, &firms(), day(TODAY));
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
        assert_eq!(report.top, [2, 1, 0].map(|it| companies.uid[it]));
    }

    #[test]
    fn an_industry_without_companies_has_no_capital() {
        let found =
            reports(&Companies::default(), &Changes::default(), &Firms::default(), day(TODAY));
        assert_eq!((found.registered, found.unclassified), (0, 0));
        let report = &found.divisions[0];
        assert_eq!((report.capital, report.companies, report.quarters.len()), (None, 0, QUARTERS));
        assert_eq!(report.quarters[0].turnover(), None);
    }
}
