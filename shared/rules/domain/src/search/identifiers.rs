//! Identifiers by which companies are filtered. Case, spaces and hyphens do not matter.

use serde::{Deserialize, Deserializer, de::Error};

use crate::{Isin, Lei, MalformedIsin, MalformedLei, choice::sign_around};

/// Identifier to filter by. `None` has the right shape and wrong check digits: no company has such an
/// identifier, so the filter finds nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WantedIdentifier<T>(pub Option<T>);

impl<T> From<T> for WantedIdentifier<T> {
    fn from(identifier: T) -> Self {
        Self(Some(identifier))
    }
}

type Wanted<T> = Option<WantedIdentifier<T>>;

/// Legal entity identifier (ISO 17442).
pub(super) fn lei<'de, D: Deserializer<'de>>(given: D) -> Result<Wanted<Lei>, D::Error> {
    let rule = "a legal entity identifier (18 letters or digits, then 2 digits)";
    read(given, rule, |it| match it.parse() {
        Ok(lei) => Some(WantedIdentifier(Some(lei))),
        Err(MalformedLei::CheckDigits(_)) => Some(WantedIdentifier(None)),
        Err(MalformedLei::Shape(_)) => None,
    })
}

/// D-U-N-S number.
pub(super) fn duns<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    read(given, "a D-U-N-S number (9 digits)", |it| {
        (it.len() == 9 && it.bytes().all(|it| it.is_ascii_digit())).then(|| it.to_owned())
    })
}

/// International securities identification number (ISO 6166).
pub(super) fn isin<'de, D: Deserializer<'de>>(given: D) -> Result<Wanted<Isin>, D::Error> {
    let rule = "an ISIN (2 letters, 9 letters or digits, 1 digit)";
    read(given, rule, |it| match it.parse() {
        Ok(isin) => Some(WantedIdentifier(Some(isin))),
        Err(MalformedIsin::CheckDigit(_)) => Some(WantedIdentifier(None)),
        Err(MalformedIsin::Shape(_)) => None,
    })
}

/// Parses the value without spaces and hyphens. `parse` returns `None` if the value has another shape.
fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    rule: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, D::Error> {
    let Some(given) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    // A hyphen before the first character would be a sign.
    let plain = match sign_around(&given) {
        Some(_) => String::new(),
        None => given.replace([' ', '-'], ""),
    };
    match parse(&plain) {
        Some(wanted) => Ok(Some(wanted)),
        None => Err(D::Error::custom(format!("must be {rule}; got `{given}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::WantedIdentifier;
    use crate::search::CompanyQuery;

    #[test]
    fn identifiers_of_another_shape_are_rejected() {
        for (kind, given, accepted) in [
            ("lei", "506700GE1G29325QX363", true),
            ("lei", "506700ge1g29 325qx3-63", true),
            ("lei", "506700GE1G29325QX36", false),
            ("lei", "506700GE1G29325QX3AB", false),
            ("duns", "48-001-2345", true),
            ("duns", "48001234", false),
            ("isin", "CH0012032048", true),
            ("isin", "ch 0012 0320 48", true),
            ("isin", "C10012032048", false),
            ("isin", "CH001203204X", false),
            ("isin", "CH00120320ü8", false),
            ("isin", "", false),
            ("lei", "- -", false),
            ("lei", "-506700GE1G29325QX363", false),
            ("isin", "!CH0012032048", false),
        ] {
            let query = serde_json::json!({ kind: given });
            let read = serde_json::from_value::<CompanyQuery>(query);
            assert_eq!(read.is_ok(), accepted, "{kind} {given}");
        }
    }

    #[test]
    fn identifier_with_wrong_check_digits_is_accepted_and_matches_nothing() {
        let query = serde_json::json!({ "lei": "506700GE1G29325QX364", "isin": "CH0012032047" });
        let query: CompanyQuery = serde_json::from_value(query).expect("accepted");
        assert_eq!(query.lei, Some(WantedIdentifier(None)));
        assert_eq!(query.isin, Some(WantedIdentifier(None)));
    }
}
