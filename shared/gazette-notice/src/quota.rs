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

/// Reads a clause that states a quota.
pub(super) fn quota(text: &str) -> Quota {
    let mut quota = Quota {
        text: text.to_owned(),
        shares: None,
        nominal_value: None,
        total: None,
        currency: None,
    };
    let mut value = None;
    for (at, word) in text.match_indices(' ').map(|(at, _)| (at + 1, &text[at + 1..])) {
        let is_currency =
            word.get(..3).is_some_and(|it| it.bytes().all(|it| it.is_ascii_uppercase()))
                || word.starts_with("Fr.");
        if is_currency && let Some((currency, amount)) = super::amount(word) {
            (quota.currency, value) = (currency, Some(amount));
            break;
        }
        let is_count = word.starts_with(|it: char| it.is_ascii_digit());
        if is_count
            && quota.shares.is_none()
            && let Some((_, count)) = super::amount(&text[at..])
        {
            quota.shares = u64::try_from(count.ten_thousandths() / 10_000).ok();
        }
    }
    const ONE: [&str; 6] = [
        "einem Stammanteil",
        "einer Stammeinlage",
        "une part",
        "una quota",
        "una commandite",
        "einer Kommanditsumme",
    ];
    if quota.shares.is_none() && ONE.iter().any(|it| text.contains(it)) {
        quota.shares = Some(1);
    }
    match quota.shares {
        Some(count) if count > 1 => {
            quota.nominal_value = value;
            let total = i64::try_from(count)
                .ok()
                .zip(value)
                .and_then(|(count, value)| value.ten_thousandths().checked_mul(count));
            quota.total = total.map(Decimal::from_ten_thousandths);
        }
        _ => quota.total = value,
    }
    quota
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
