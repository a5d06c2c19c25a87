//! Similarity of two companies: 0 to 100 points.

use crate::{Amount, AuditorCategory, Canton};

/// The attributes by which two companies are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile<'a> {
    /// NOGA 2008 division.
    pub industry: Option<&'a str>,
    /// Canton of the seat.
    pub canton: Option<Canton>,
    /// Nominal capital.
    pub capital: Option<Amount>,
    /// Currency of the capital: ISO 4217 code.
    pub currency: Option<&'a str>,
    /// eCH-0097 code of the legal form.
    pub legal_form_code: Option<&'a str>,
    /// Category of the auditor.
    pub auditor_category: Option<AuditorCategory>,
}

/// Points, and the dimensions that contributed to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Similarity {
    /// Points, 0 to 100.
    pub score: u32,
    /// Dimensions that gave points, largest weight first.
    pub dimensions: Vec<&'static str>,
}

/// Points for the same industry.
pub const INDUSTRY_POINTS: u32 = 40;
/// Points for the same canton.
pub const CANTON_POINTS: u32 = 20;
/// Maximum points for similar capital.
pub const CAPITAL_POINTS: u32 = 20;
/// Points for the same legal form.
pub const LEGAL_FORM_POINTS: u32 = 10;
/// Points for the same auditor category.
pub const AUDITOR_POINTS: u32 = 10;

/// Compares two companies: industry 40 points, canton 20, capital up to 20, legal form 10, auditor
/// category 10. An attribute that is unknown for one of them gives no points.
pub fn compare(one: &Profile<'_>, other: &Profile<'_>) -> Similarity {
    let same = |equal: bool, points: u32| if equal { points } else { 0 };
    let dimensions = [
        ("industry", same(both(one.industry, other.industry), INDUSTRY_POINTS)),
        ("canton", same(both(one.canton, other.canton), CANTON_POINTS)),
        ("shareCapital", capital_points(one, other)),
        ("legalForm", same(both(one.legal_form_code, other.legal_form_code), LEGAL_FORM_POINTS)),
        (
            "auditorCategory",
            same(both(one.auditor_category, other.auditor_category), AUDITOR_POINTS),
        ),
    ];
    Similarity {
        score: dimensions.iter().map(|(_, points)| points).sum(),
        dimensions: dimensions.iter().filter(|(_, it)| *it > 0).map(|(name, _)| *name).collect(),
    }
}

/// All points for equal capital, none if one is at least ten times the other, and linear in the logarithm
/// in between. Capital in different currencies gives no points.
fn capital_points(one: &Profile<'_>, other: &Profile<'_>) -> u32 {
    let (Some(a), Some(b)) = (one.capital, other.capital) else { return 0 };
    if a <= Amount::default() || b <= Amount::default() || one.currency != other.currency {
        return 0;
    }
    let magnitudes = (a.approximate() / b.approximate()).log10().abs();
    (f64::from(CAPITAL_POINTS) * (1.0 - magnitudes).max(0.0)).round() as u32
}

fn both<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    one.is_some() && one == other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_companies_score_100_and_unknown_ones_0() {
        let profile = Profile {
            industry: Some("62"),
            canton: Some(Canton::Zh),
            capital: Some(Amount::units(100_000)),
            currency: Some("CHF"),
            legal_form_code: Some("0106"),
            auditor_category: Some(AuditorCategory::Kpmg),
        };
        assert_eq!(compare(&profile, &profile).score, 100);
        assert_eq!(compare(&profile, &Profile::default()), Similarity::default());
    }

    #[test]
    fn similar_capital_gives_part_of_the_points() {
        let with = |units| Profile {
            capital: Some(Amount::units(units)),
            currency: Some("CHF"),
            ..Profile::default()
        };
        assert_eq!(compare(&with(100_000), &with(200_000)).score, 14);
        assert_eq!(compare(&with(100_000), &with(1_000_000)).score, 0);
    }
}
