//! Owners in public view: the partners of a limited liability company (`GmbH`) are in the commercial register
//! with the number and the nominal value of their shares, which the law calls quotas (art. 791 of the Code of Obligations).

use crate::{
    Amount, Company,
    company::{HolderKind, QuotaHolder},
    persons::{HoldingPeriod, Mandate},
};

/// Code of the limited liability company in eCH-0097.
pub const LLC: &str = "0107";

/// Maximum number of owners in a record: those with the largest shares. Few companies have more than ten.
pub const MAX_QUOTA_HOLDERS: usize = 50;

/// The nominal capital of a company on one day.
#[derive(Clone, Debug, PartialEq)]
pub struct Capital {
    /// In units of `currency`.
    pub amount: Amount,
    /// ISO 4217 code.
    pub currency: String,
}

impl Capital {
    /// The capital in the record.
    pub fn of(company: &Company) -> Option<Self> {
        Some(Self { amount: company.share_capital?, currency: company.currency.clone()? })
    }

    /// The shares of the capital that these nominal values are, in percent with four decimals. `None` for a value that is
    /// unknown or in another currency; `None` for all if together they exceed the capital: then one is outdated, and it is
    /// unknown which. They are never scaled to 100 %, because a published list can be incomplete.
    pub fn percentages<'a>(
        &self,
        values: impl Iterator<Item = (Option<Amount>, Option<&'a str>)>,
    ) -> Vec<Option<f64>> {
        let comparable = |(value, currency): (Option<Amount>, Option<&str>)| {
            value.filter(|it| *it > Amount::default() && currency == Some(self.currency.as_str()))
        };
        let values: Vec<Option<Amount>> = values.map(comparable).collect();
        let sum: i128 = values.iter().flatten().map(|it| i128::from(it.ten_thousandths())).sum();
        let capital = i128::from(self.amount.ten_thousandths());
        if capital <= 0 || sum > capital {
            return vec![None; values.len()];
        }
        let percentage = |it: Amount| {
            let percent = it.approximate() / self.amount.approximate() * 100.0;
            (percent * 10_000.0).round() / 10_000.0
        };
        // Less than half of the last decimal is not nothing.
        values.into_iter().map(|it| it.map(percentage).filter(|it| *it > 0.0)).collect()
    }
}

/// Sets the current owners in the record: those that the mandates state.
pub fn set_quota_holders<'a>(company: &mut Company, mandates: impl Iterator<Item = &'a Mandate>) {
    let mut holders = quota_holders(company, mandates);
    company.quota_holder_count = u32::try_from(holders.len()).ok().filter(|it| *it > 0);
    holders.truncate(MAX_QUOTA_HOLDERS);
    company.quota_holders = holders;
}

/// The current owners of a company, the largest first. Empty if it is no limited liability company: limited partners of a
/// partnership answer for an amount, but do not hold shares of a capital.
fn quota_holders<'a>(
    company: &Company,
    mandates: impl Iterator<Item = &'a Mandate>,
) -> Vec<QuotaHolder> {
    if company.legal_form_code.as_deref().is_some_and(|it| it != LLC) {
        return Vec::new();
    }
    let held =
        mandates.filter_map(|it| Some((it, it.holdings.last().filter(|it| it.until.is_none())?)));
    let held: Vec<(&Mandate, &HoldingPeriod)> = held.filter(|(it, _)| it.is_current()).collect();
    let values = held.iter().map(|(_, it)| (it.total, it.currency.as_deref()));
    let percentages = match Capital::of(company) {
        Some(capital) => capital.percentages(values),
        None => vec![None; held.len()],
    };
    let mut holders: Vec<QuotaHolder> = held
        .into_iter()
        .zip(percentages)
        .map(|((it, held), share)| holder(it, held, share))
        .collect();
    holders.sort_by_key(|it| std::cmp::Reverse(it.total));
    holders
}

fn holder(mandate: &Mandate, held: &HoldingPeriod, percentage: Option<f64>) -> QuotaHolder {
    let person = &mandate.person;
    QuotaHolder {
        person_id: mandate.person_id,
        kind: if person.is_entity() { HolderKind::Company } else { HolderKind::Person },
        name: person.full_name(),
        uid: person.uid,
        count: held.count,
        nominal_value: held.nominal_value,
        total: held.total,
        currency: held.currency.clone(),
        percentage,
        since: mandate.shares_since(),
        confidence: mandate.confidence,
        source: held.source.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn francs(units: i64) -> Option<Amount> {
        Some(Amount::units(units))
    }

    fn percentages(capital: i64, values: &[(i64, &str)]) -> Vec<Option<f64>> {
        let capital = Capital { amount: Amount::units(capital), currency: "CHF".into() };
        let values = values.iter().map(|(value, currency)| (francs(*value), Some(*currency)));
        capital.percentages(values)
    }

    #[test]
    fn shares_are_not_scaled_to_the_whole() {
        assert_eq!(percentages(20_000, &[(10_000, "CHF")]), [Some(50.0)]);
        assert_eq!(
            percentages(30_000, &[(10_000, "CHF"), (20_000, "CHF")]),
            [Some(33.3333), Some(66.6667)]
        );
    }

    #[test]
    fn shares_that_exceed_the_capital_are_unknown() {
        assert_eq!(percentages(20_000, &[(19_000, "CHF"), (2_000, "CHF")]), [None, None]);
        assert_eq!(percentages(0, &[(1, "CHF")]), [None]);
    }

    #[test]
    fn share_that_is_too_small_for_the_decimals_is_not_zero() {
        assert_eq!(
            percentages(1_000_000_000, &[(100, "CHF"), (1_000, "CHF")]),
            [None, Some(0.0001)]
        );
    }

    #[test]
    fn value_in_another_currency_has_no_share() {
        assert_eq!(percentages(20_000, &[(10_000, "EUR"), (5_000, "CHF")]), [None, Some(25.0)]);
        let capital = Capital { amount: Amount::units(1), currency: "CHF".into() };
        assert_eq!(
            capital.percentages([(None, Some("CHF")), (francs(1), None)].into_iter()),
            [None, None]
        );
    }
}
