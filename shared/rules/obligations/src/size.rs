//! Size tests of two consecutive financial years.

use domain::{Amount, Provenance};
use jiff::civil::{Date, date};

use crate::Answer;

/// Figures of one financial year, as an annual report states them.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnualFigures {
    /// Year in which the financial year ends.
    pub fiscal_year: i16,
    /// ISO 4217 code of the currency of the amounts.
    pub currency: Option<String>,
    /// Balance sheet total.
    pub total_assets: Option<Amount>,
    /// Turnover.
    pub revenue: Option<Amount>,
    /// Number of employees. The law counts full-time positions; reports rarely say which of the two they state.
    pub employees: Option<u32>,
    /// Source of the figures.
    pub source: Provenance,
}

impl AnnualFigures {
    /// An amount in francs. Amounts in other currencies would have to be converted at rates that we do not have.
    fn francs(&self, amount: Option<Amount>) -> Option<Amount> {
        amount.filter(|_| self.currency.as_deref() == Some("CHF"))
    }

    /// Turnover in francs.
    pub(crate) fn revenue_in_francs(&self) -> Option<Amount> {
        self.francs(self.revenue)
    }

    pub(crate) fn balance_in_francs(&self) -> Option<Amount> {
        self.francs(self.total_assets)
    }

    /// The same without amounts in other currencies.
    pub(crate) fn in_francs(&self) -> Self {
        Self {
            currency: Some("CHF".to_owned()),
            total_assets: self.balance_in_francs(),
            revenue: self.revenue_in_francs(),
            ..self.clone()
        }
    }

    /// Adds the figures of another company. What is not known does not count.
    pub(crate) fn add(&mut self, other: &Self) {
        fn sum<T>(one: Option<T>, other: Option<T>, add: impl Fn(T, T) -> T) -> Option<T> {
            match (one, other) {
                (Some(one), Some(other)) => Some(add(one, other)),
                (one, other) => one.or(other),
            }
        }
        let amounts = |one: Amount, other: Amount| {
            let sum = one.ten_thousandths().saturating_add(other.ten_thousandths());
            Amount::from_ten_thousandths(sum)
        };
        self.total_assets = sum(self.total_assets, other.total_assets, amounts);
        self.revenue = sum(self.revenue, other.revenue, amounts);
        self.employees = sum(self.employees, other.employees, u32::saturating_add);
    }
}

/// Thresholds of the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thresholds {
    pub(crate) balance: i64,
    pub(crate) turnover: i64,
    pub(crate) positions: u32,
}

/// The thresholds of CO 727 on a day.
pub(crate) fn ordinary_audit(day: Date) -> Thresholds {
    if day < date(2012, 1, 1) {
        ASSOCIATION
    } else {
        Thresholds { balance: 20_000_000, turnover: 40_000_000, positions: 250 }
    }
}

/// The thresholds of CC 69b, which were those of CO 727 until 2011.
pub(crate) const ASSOCIATION: Thresholds =
    Thresholds { balance: 10_000_000, turnover: 20_000_000, positions: 50 };

/// The thresholds of CO 964a.
pub(crate) const SUSTAINABILITY: Thresholds =
    Thresholds { balance: 20_000_000, turnover: 40_000_000, positions: 500 };

/// The result of a size test, with what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SizeTest {
    pub(crate) answer: Answer,
    /// The years that were compared, newest first. Empty if no figures are known.
    pub(crate) years: Vec<AnnualFigures>,
}

/// Whether two of three thresholds are exceeded in two consecutive financial years (CO 727 para. 1 no. 2).
pub(crate) fn exceeds_two_of_three(
    figures: &[AnnualFigures],
    limits: Thresholds,
    day: Date,
) -> SizeTest {
    two_years(figures, day, |it| {
        let exceeds = criteria(it, limits, Amount::gt, u32::gt);
        let count = |wanted| exceeds.iter().filter(|it| **it == Some(wanted)).count();
        match (count(true), count(false)) {
            (2.., _) => Answer::Yes,
            (_, 2..) => Answer::No,
            _ => Answer::Unknown,
        }
    })
}

/// Whether a known figure of the last financial year exceeds its threshold.
pub(crate) fn exceeds_one(figures: &[AnnualFigures], limits: Thresholds, day: Date) -> bool {
    let last = newest(figures, day);
    last.is_some_and(|it| criteria(it, limits, Amount::gt, u32::gt).contains(&Some(true)))
}

/// Whether the number of positions is reached, and balance sheet total or turnover is exceeded, in two consecutive
/// financial years (CO 964a para. 1 nos. 2 and 3).
pub(crate) fn is_of_public_interest_size(figures: &[AnnualFigures], day: Date) -> SizeTest {
    two_years(figures, day, |it| {
        let [balance, turnover, positions] = criteria(it, SUSTAINABILITY, Amount::gt, u32::ge);
        let large = Answer::of(balance).or(Answer::of(turnover));
        Answer::of(positions).and(large)
    })
}

/// Balance sheet total, turnover and positions compared with the limits. `None` where the figure is not known.
fn criteria(
    it: &AnnualFigures,
    limits: Thresholds,
    amount: fn(&Amount, &Amount) -> bool,
    number: fn(&u32, &u32) -> bool,
) -> [Option<bool>; 3] {
    [
        it.balance_in_francs().map(|it| amount(&it, &Amount::units(limits.balance))),
        it.revenue_in_francs().map(|it| amount(&it, &Amount::units(limits.turnover))),
        it.employees.map(|it| number(&it, &limits.positions)),
    ]
}

/// The figures of the newest financial year that says something about the day.
pub(crate) fn newest(figures: &[AnnualFigures], day: Date) -> Option<&AnnualFigures> {
    let until = figures.iter().filter(|it| it.fiscal_year <= day.year());
    until.max_by_key(|it| it.fiscal_year).filter(|it| it.fiscal_year + 2 >= day.year())
}

/// A test of the last two financial years. Years that ended long before the day say nothing about it.
fn two_years(
    figures: &[AnnualFigures],
    day: Date,
    exceeds: impl Fn(&AnnualFigures) -> Answer,
) -> SizeTest {
    let mut years: Vec<AnnualFigures> = figures.to_vec();
    years.sort_by_key(|it| std::cmp::Reverse(it.fiscal_year));
    years.dedup_by_key(|it| it.fiscal_year);
    years.retain(|it| it.fiscal_year <= day.year());
    let Some(newest) = newest(figures, day).map(|it| it.fiscal_year) else {
        return SizeTest { answer: Answer::Unknown, years: Vec::new() };
    };
    years.retain(|it| it.fiscal_year + 1 >= newest);
    let last = years.first().map_or(Answer::Unknown, &exceeds);
    let before = years.get(1).map_or(Answer::Unknown, &exceeds);
    SizeTest { answer: last.and(before), years }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Date = date(2026, 11, 20);

    fn year(fiscal_year: i16, balance: i64, turnover: i64, employees: u32) -> AnnualFigures {
        AnnualFigures {
            fiscal_year,
            currency: Some("CHF".into()),
            total_assets: Some(Amount::units(balance)),
            revenue: Some(Amount::units(turnover)),
            employees: Some(employees),
            source: Provenance { source: "reports".into(), reference: None, date: None },
        }
    }

    fn test(figures: &[AnnualFigures]) -> Answer {
        exceeds_two_of_three(figures, ordinary_audit(DAY), DAY).answer
    }

    #[test]
    fn two_of_three_thresholds_must_be_exceeded_in_both_years() {
        let large = |it| year(it, 20_000_001, 40_000_001, 10);
        let small = |it| year(it, 20_000_001, 40_000_000, 250);
        assert_eq!(test(&[large(2025), large(2024)]), Answer::Yes);
        assert_eq!(test(&[large(2024), large(2025)]), Answer::Yes, "in any order");
        assert_eq!(test(&[large(2025), small(2024)]), Answer::No);
        assert_eq!(test(&[small(2025), large(2024)]), Answer::No, "reached, not exceeded");
    }

    #[test]
    fn one_known_year_can_exclude_but_not_prove() {
        assert_eq!(test(&[year(2025, 50_000_000, 90_000_000, 500)]), Answer::Unknown);
        assert_eq!(test(&[year(2025, 1, 1, 1)]), Answer::No);
        let gap =
            [year(2025, 50_000_000, 90_000_000, 500), year(2023, 50_000_000, 90_000_000, 500)];
        assert_eq!(test(&gap), Answer::Unknown, "not consecutive");
    }

    #[test]
    fn unknown_figures_stay_unknown() {
        let mut partial = year(2025, 50_000_000, 1, 1);
        partial.revenue = None;
        partial.employees = None;
        let full = year(2024, 50_000_000, 90_000_000, 1);
        assert_eq!(test(&[partial.clone(), full.clone()]), Answer::Unknown);
        let mut dollars = year(2025, 50_000_000, 90_000_000, 1);
        dollars.currency = Some("USD".into());
        assert_eq!(test(&[dollars, full]), Answer::Unknown, "not converted");
        assert_eq!(test(&[]), Answer::Unknown);
        let old =
            [year(2020, 50_000_000, 90_000_000, 500), year(2019, 50_000_000, 90_000_000, 500)];
        assert_eq!(test(&old), Answer::Unknown, "years long ago");
    }

    #[test]
    fn thresholds_were_lower_before_2012() {
        let figures =
            [year(2010, 15_000_000, 30_000_000, 10), year(2009, 15_000_000, 30_000_000, 10)];
        let then = date(2011, 6, 30);
        assert_eq!(exceeds_two_of_three(&figures, ordinary_audit(then), then).answer, Answer::Yes);
        let later = date(2012, 6, 30);
        assert_eq!(exceeds_two_of_three(&figures, ordinary_audit(later), later).answer, Answer::No);
    }

    #[test]
    fn sustainability_needs_500_positions_and_one_of_two_amounts() {
        let test = |one, other| is_of_public_interest_size(&[one, other], DAY).answer;
        assert_eq!(
            test(year(2025, 0, 40_000_001, 500), year(2024, 20_000_001, 0, 600)),
            Answer::Yes
        );
        assert_eq!(
            test(year(2025, 50_000_000, 0, 499), year(2024, 50_000_000, 0, 500)),
            Answer::No
        );
        assert_eq!(test(year(2025, 1, 1, 500), year(2024, 50_000_000, 0, 500)), Answer::No);
    }
}
