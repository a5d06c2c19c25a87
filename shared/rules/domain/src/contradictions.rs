//! Pairs of values that exclude each other: a minimum above its maximum, a beginning after its end, latitude and longitude in
//! each other's place.

use jiff::{Timestamp, civil::Date};

use crate::text::in_camel_case;

/// The name of the upper end that belongs to a lower end with this name.
fn upper_end(lower: &str) -> Option<String> {
    let renamed = |from: &str, to: &str| Some(format!("{}{to}", lower.strip_suffix(from)?));
    match lower {
        "since" => Some("until".to_owned()),
        "from" => Some("to".to_owned()),
        _ => renamed("Min", "Max")
            .or_else(|| renamed("After", "Before"))
            .or_else(|| renamed("From", "To"))
            .or_else(|| Some(format!("max{}", lower.strip_prefix("min")?))),
    }
}

/// The first pair that contradicts itself: the name of one of them, and what is wrong. Values of another form are left to
/// the types that read them.
pub fn first(values: &[(&str, &str)]) -> Option<(String, String)> {
    let value = |wanted: &str| values.iter().find(|it| in_camel_case(it.0) == wanted);
    if let (Some((name, latitude)), Some((_, longitude))) = (value("lat"), value("lng"))
        && are_swapped(latitude, longitude)
    {
        let detail = "must be a latitude, and `lng` a longitude; they seem to be swapped";
        return Some(((*name).to_owned(), format!("{detail}; got `{latitude}` and `{longitude}`")));
    }
    values.iter().find_map(|(name, lower)| {
        let (upper_name, upper) = value(&upper_end(&in_camel_case(name))?)?;
        let relation = match number(lower) {
            Some(_) => "above",
            None => "after",
        };
        let detail = format!("must not be {relation} `{upper_name}`; got `{lower}` and `{upper}`");
        is_above(lower, upper).then(|| ((*name).to_owned(), detail))
    })
}

/// The number that a text is, with a point or a comma, and with apostrophes between thousands.
fn number(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().filter(|it| !matches!(it, '\'' | '’')).collect();
    plain.replace(',', ".").parse().ok()
}

/// Whether these can only be a place, or a place in Switzerland, in the other order.
fn are_swapped(latitude: &str, longitude: &str) -> bool {
    let (Some(latitude), Some(longitude)) = (number(latitude), number(longitude)) else {
        return false;
    };
    let is_swiss = |lat: f64, lng: f64| (45.8..=47.9).contains(&lat) && (5.9..=10.6).contains(&lng);
    is_swiss(longitude, latitude) || (latitude.abs() > 90.0 && longitude.abs() <= 90.0)
}

/// Whether both are numbers, or dates, and the first one is above the second.
fn is_above(lower: &str, upper: &str) -> bool {
    if let (Some(lower), Some(upper)) = (number(lower), number(upper)) {
        return lower > upper;
    }
    // A plus sign that the client did not escape arrives as a space.
    let moment = |it: &str| it.parse::<Timestamp>().or_else(|_| it.replacen(' ', "+", 1).parse());
    if let (Ok(lower), Ok(upper)) = (moment(lower), moment(upper)) {
        return lower > upper;
    }
    let day = |it: &str| it.get(..10)?.parse::<Date>().ok();
    match (day(lower), day(upper)) {
        // A date and time, compared with a date, may belong to the day before or after it in another time zone.
        (Some(first), Some(last)) if lower.len() != upper.len() => {
            first.yesterday().is_ok_and(|it| it > last)
        }
        (Some(first), Some(last)) => first > last,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_end_of_a_pair_is_not_above_the_upper_one() {
        for (lower, upper, above) in [
            ("5", "1", true),
            ("1", "5", false),
            ("1", "1", false),
            ("10", "9.5", true),
            ("100'000", "20'000,00", true),
            ("2026-02-01", "2026-01-31", true),
            ("2026-01-31", "2026-01-31", false),
            ("2026-02-02T00:00:00Z", "2026-02-01T23:00:00-05:00", false),
            ("2026-02-02T00:00:00Z", "2026-02-02T00:30:00+01:00", true),
            ("2026-02-01T23:30:00Z", "2026-02-01", false),
            ("2026-02-03T23:30:00Z", "2026-02-01", true),
            ("much", "5", false),
        ] {
            assert_eq!(is_above(lower, upper), above, "{lower} {upper}");
        }
    }

    #[test]
    fn latitude_and_longitude_are_in_their_order() {
        for (latitude, longitude, swapped) in [
            ("47.559", "7.588", false),
            ("7.588", "47.559", true),
            ("8,55", "47,37", true),
            ("120", "30", true),
            ("91", "180", false),
            ("0", "0", false),
            ("-33.9", "18.4", false),
        ] {
            let found = first(&[("lat", latitude), ("lng", longitude)]);
            assert_eq!(found.is_some(), swapped, "{latitude} {longitude}");
        }
    }

    #[test]
    fn both_names_and_both_values_are_named() {
        for (lower, upper) in [
            ("capitalMin", "capitalMax"),
            ("capital_min", "capital_max"),
            ("minYears", "maxYears"),
            ("min_years", "max_years"),
            ("foundedAfter", "foundedBefore"),
            ("since", "until"),
            ("from", "to"),
        ] {
            let found = first(&[(upper, "1"), ("page", "1"), (lower, "5")]);
            let detail = format!("must not be above `{upper}`; got `5` and `1`");
            assert_eq!(found, Some((lower.to_owned(), detail)));
            assert_eq!(first(&[(upper, "5"), (lower, "1")]), None);
        }
        assert_eq!(first(&[("since", "5"), ("to", "1")]), None);
    }
}
