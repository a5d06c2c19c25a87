//! Quotas: the shares of the capital that partners hold.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Decimal;

/// The share of the capital of a partner of a limited liability company, or of a limited partner.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quota {
    /// As written: `mit 200 Stammanteilen zu je CHF 100.00`.
    pub text: String,
    /// Number of shares.
    pub shares: Option<u64>,
    /// Nominal value of one share. Absent if there is only one.
    pub nominal_value: Option<Decimal>,
    /// Nominal value of all shares.
    pub total: Option<Decimal>,
    /// ISO 4217 code.
    pub currency: Option<String>,
}

/// Shares of one nominal value.
#[derive(Clone, Copy, Debug, Default)]
struct ShareBlock {
    count: Option<u64>,
    /// Nominal value of one share; of all shares if their number is not stated.
    value: Option<Decimal>,
}

impl ShareBlock {
    fn total(self) -> Option<Decimal> {
        let count = i64::try_from(self.count.unwrap_or(1)).ok()?;
        self.value?.ten_thousandths().checked_mul(count).map(Decimal::from_ten_thousandths)
    }
}

/// Reads a clause that states a quota. It can consist of shares of several nominal values: `mit 19 Stammanteilen zu je CHF
/// 1'000.00 und mit einem Stammanteil von CHF 500.00`.
pub(super) fn quota(text: &str) -> Quota {
    let (share_blocks, currency) = share_blocks(text);
    let sum = |values: Vec<Option<i64>>| {
        let values: Option<Vec<i64>> = values.into_iter().collect();
        values?.into_iter().try_fold(0_i64, i64::checked_add)
    };
    let counts = share_blocks.iter().map(|it| it.count.and_then(|it| i64::try_from(it).ok()));
    let shares = sum(counts.collect()).and_then(|it| u64::try_from(it).ok());
    let totals = share_blocks.iter().map(|it| it.total().map(Decimal::ten_thousandths));
    let value = share_blocks.first().and_then(|it| it.value);
    let is_uniform = share_blocks.iter().all(|it| it.value == value);
    Quota {
        text: text.to_owned(),
        shares,
        nominal_value: value.filter(|_| is_uniform && shares.is_some_and(|it| it > 1)),
        total: sum(totals.collect()).map(Decimal::from_ten_thousandths),
        currency,
    }
}

/// The share blocks of a clause, at least one, and their currency.
fn share_blocks(text: &str) -> (Vec<ShareBlock>, Option<String>) {
    let mut share_blocks: Vec<ShareBlock> = Vec::new();
    let mut currency = None;
    let mut current = ShareBlock::default();
    let mut from = 0;
    let mut is_value = false;
    let words = text.match_indices(' ').map(|(at, _)| at + 1);
    for at in std::iter::once(0).chain(words).filter(|it| *it < text.len()) {
        let word = &text[at..];
        let follows_currency = std::mem::take(&mut is_value);
        let is_currency =
            word.get(..3).is_some_and(|it| it.bytes().all(|it| it.is_ascii_uppercase()))
                || word.starts_with("Fr.");
        if is_currency && let Some((stated, amount)) = super::amount(word) {
            current.count = current.count.or_else(|| one(&text[from..at]));
            // `gesamthaft CHF 20'000` after the first value repeats it.
            let is_block = share_blocks.is_empty() || current.count.is_some();
            if is_block && (share_blocks.is_empty() || stated == currency) {
                share_blocks.push(ShareBlock { value: Some(amount), ..current });
                currency = stated;
            }
            current = ShareBlock::default();
            from = at;
            // The number after the currency counts nothing. `Fr.10` is one word.
            is_value = !word.split(' ').next().is_some_and(|it| it.contains(char::is_numeric));
        } else if !follows_currency
            && word.starts_with(|it: char| it.is_ascii_digit())
            && current.count.is_none()
            && is_count(word)
            && let Some((_, count)) = super::amount(word)
        {
            current.count = u64::try_from(count.ten_thousandths() / 10_000).ok();
        }
    }
    if share_blocks.is_empty() {
        current.count = current.count.or_else(|| one(&text[from..]));
        share_blocks.push(current);
    }
    (share_blocks, currency)
}

/// Whether a number is followed by the word that it counts, and is not itself an amount: `20 Stammanteile`, not `20.00 und`.
fn is_count(word: &str) -> bool {
    let number = word.split(' ').next().unwrap_or_default();
    number.chars().all(|it| it.is_ascii_digit() || matches!(it, '\'' | '’'))
}

/// 1 if the text names a single share in words.
fn one(text: &str) -> Option<u64> {
    #[rustfmt::skip]
    const ONE: [&str; 12] = [
        "einem Stammanteil", "einen Stammanteil", "ein Stammanteil", "einer Stammeinlage", "eine Stammeinlage",
        "une part", "d'une part", "una quota", "una commandite", "une commandite", "einer Kommanditsumme",
        "einer Kommanditeinlage",
    ];
    ONE.iter().any(|it| text.contains(it)).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::decimal;

    #[test]
    fn number_and_value_of_shares_are_read() {
        for (text, shares, each, total) in [
            ("mit 200 Stammanteilen zu je CHF 100.00", Some(200), Some(100), Some(20_000)),
            ("mit einer Stammeinlage von CHF 10'000.--", Some(1), None, Some(10_000)),
            ("pour 200 parts de CHF 100", Some(200), Some(100), Some(20_000)),
            ("pour une part de Fr. 19'000.--", Some(1), None, Some(19_000)),
            ("con 20 quote da CHF 1'000.00", Some(20), Some(1_000), Some(20_000)),
            ("Stammanteil: CHF 10'000", None, None, Some(10_000)),
            ("mit einer Stammeinlage", Some(1), None, None),
            (
                "mit 10 Stammanteilen zu je CHF 1'000.00 und 10 Stammanteilen zu je CHF 1'000.00",
                Some(20),
                Some(1_000),
                Some(20_000),
            ),
            (
                "mit 19 Stammanteilen zu je CHF 1'000.00 und mit einem Stammanteil von CHF 500.00",
                Some(20),
                None,
                Some(19_500),
            ),
            ("pour 10 parts de CHF 1'000 et une part de CHF 5'000", Some(11), None, Some(15_000)),
            ("con 2 quote da CHF 100.00 e una quota da CHF 19'800.00", Some(3), None, Some(20_000)),
            (
                "mit 200 Stammanteilen zu je CHF 100.00, gesamthaft CHF 20'000.00",
                Some(200),
                Some(100),
                Some(20_000),
            ),
            (
                "mit einer Stammeinlage von CHF 10'000, wovon CHF 5'000 liberiert",
                Some(1),
                None,
                Some(10_000),
            ),
            ("mit 0 Stammanteilen", Some(0), None, None),
        ] {
            let quota = quota(text);
            let amounts = (quota.nominal_value, quota.total);
            assert_eq!(
                (quota.shares, amounts),
                (shares, (each.map(decimal), total.map(decimal))),
                "{text}"
            );
        }
    }

    #[test]
    fn quota_in_euro_keeps_its_currency() {
        assert_eq!(quota("mit 2 Stammanteilen zu je EUR 50").currency.as_deref(), Some("EUR"));
    }
}
