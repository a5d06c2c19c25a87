//! Identifiers by which companies are filtered. Case, spaces and hyphens do not matter.

use serde::{Deserialize, Deserializer, de::Error};

/// Legal entity identifier (ISO 17442).
pub(super) fn lei<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    let rule = "a legal entity identifier (18 letters or digits, then 2 digits)";
    read(given, rule, |it| it.len() == 20 && alphanumeric(&it[..18]) && digits(&it[18..]))
}

/// D-U-N-S number.
pub(super) fn duns<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    read(given, "a D-U-N-S number (9 digits)", |it| it.len() == 9 && digits(it))
}

/// International securities identification number (ISO 6166).
pub(super) fn isin<'de, D: Deserializer<'de>>(given: D) -> Result<Option<String>, D::Error> {
    let rule = "an ISIN (2 letters, 9 letters or digits, 1 digit)";
    read(given, rule, |it| {
        let letters = it[..it.len().min(2)].iter().all(u8::is_ascii_alphabetic);
        it.len() == 12 && letters && alphanumeric(&it[2..11]) && digits(&it[11..])
    })
}

fn read<'de, D: Deserializer<'de>>(
    deserializer: D,
    rule: &str,
    is_one: impl Fn(&[u8]) -> bool,
) -> Result<Option<String>, D::Error> {
    let Some(given) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let plain: Vec<u8> = given.bytes().filter(|it| !matches!(it, b' ' | b'-')).collect();
    match is_one(&plain) {
        true => Ok(Some(given)),
        false => Err(D::Error::custom(format!("must be {rule}; got `{given}`"))),
    }
}

fn digits(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_digit)
}

fn alphanumeric(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_alphanumeric)
}

#[cfg(test)]
mod tests {
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
        ] {
            let query = serde_json::json!({ kind: given });
            let read = serde_json::from_value::<CompanyQuery>(query);
            assert_eq!(read.is_ok(), accepted, "{kind} {given}");
        }
    }
}
