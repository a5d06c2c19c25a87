//! Lengths of tenures.

/// Number of days between two dates, both as [`codes::day`](crate::codes::day); 0 if `to` is before `from`.
pub(crate) fn days_between(first: u64, last: u64) -> u64 {
    last.saturating_sub(first)
}

/// Length in years with one decimal, the same as [`Tenure::years`](domain::auditors::Tenure::years).
pub(crate) fn years(days: u64) -> f64 {
    rounded(exact_years(days as f64))
}

pub(crate) fn exact_years(days: f64) -> f64 {
    days / 365.25
}

pub(crate) fn rounded(years: f64) -> f64 {
    (years * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use domain::{Provenance, auditors::Tenure};
    use jiff::civil::Date;
    use proptest::prelude::*;

    use super::*;
    use crate::codes;

    proptest! {
        #[test]
        fn a_length_is_what_the_tenure_says(
            since in (1900i16..2030, 1i8..13, 1i8..29),
            today in (1900i16..2030, 1i8..13, 1i8..29),
        ) {
            let date = |(year, month, day)| Date::constant(year, month, day);
            let (since, today) = (date(since), date(today));
            let tenure = Tenure {
                auditor_name: "Prüf AG".into(),
                auditor_uid: None,
                appointed_as: None,
                appointed_at: Some(since),
                resigned_at: None,
                source: Provenance { source: "gazette".into(), reference: None, date: None },
            };
            let days = days_between(codes::day(since), codes::day(today));
            prop_assert_eq!(Some(years(days)), tenure.years(today));
        }
    }
}
