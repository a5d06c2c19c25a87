use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use sha2::{Digest, Sha256};

/// An e-mail address in lower case, such as `eva.muster@example.ch`. Two addresses that differ only in case are the
/// same: no common mail provider distinguishes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Email(String);

/// The text is not an e-mail address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be an e-mail address such as `eva.muster@example.ch`, of ASCII characters; write other domains in Punycode"
)]
pub struct NotAnEmail;

/// Maximum length of an address, as in RFC 5321.
const MAX_LENGTH: usize = 254;
/// Maximum length of the part before the `@`, as in RFC 5321.
const MAX_LOCAL_LENGTH: usize = 64;

impl Email {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// SHA-256 of the address in hexadecimal digits. Identifies it where the address itself must not be stored.
    pub fn hash(&self) -> String {
        hex::encode(Sha256::digest(&self.0))
    }

    /// As [`Self::hash`], of the mailbox: without the tag that many servers let its owner add (RFC 5233, `eva+news@example.ch`), so that
    /// limits count what one person gets.
    pub fn mailbox_hash(&self) -> String {
        let (local, domain) = self.0.rsplit_once('@').unwrap_or((&self.0, ""));
        let mailbox = local.split_once('+').map_or(local, |(mailbox, _)| mailbox);
        hex::encode(Sha256::digest(format!("{mailbox}@{domain}")))
    }

    /// The part after the `@`.
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Email {
    type Err = NotAnEmail;

    fn from_str(text: &str) -> Result<Self, NotAnEmail> {
        let text = text.trim();
        let (local, domain) = text.rsplit_once('@').ok_or(NotAnEmail)?;
        // The characters of an unquoted local part in RFC 5322, except `#`, which separates the parts of stored keys.
        // None of them has a meaning in a header.
        let is_local = |it: u8| it.is_ascii_alphanumeric() || b"!$%&'*+/=?^_`{|}~-.".contains(&it);
        let well_formed = text.len() <= MAX_LENGTH
            && (1..=MAX_LOCAL_LENGTH).contains(&local.len())
            && local.bytes().all(is_local)
            && local.split('.').all(|it| !it.is_empty())
            && domain.contains('.')
            && domain.split('.').all(is_label);
        if well_formed { Ok(Self(text.to_ascii_lowercase())) } else { Err(NotAnEmail) }
    }
}

/// Whether the text is one label of a domain name.
fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
}

impl<'de> Deserialize<'de> for Email {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_compared_in_lower_case() {
        for text in ["Eva.Muster+news@Example.CH", " eva.muster+news@example.ch "] {
            let email: Email = text.parse().expect(text);
            assert_eq!(email.as_str(), "eva.muster+news@example.ch");
        }
    }

    #[test]
    fn what_is_not_one_address_is_refused() {
        let long = format!("{}@example.ch", "x".repeat(65));
        for text in [
            "",
            "eva",
            "@example.ch",
            "eva@",
            "eva@example",
            "eva@-example.ch",
            "eva@example..ch",
            "eva..m@example.ch",
            "eva@example.ch, hans@example.ch",
            "Eva <eva@example.ch>",
            "eva@example.ch\r\nBcc: hans@example.ch",
            "e va@example.ch",
            "eva@müller.ch",
            "a@b@example.ch",
            &long,
        ] {
            assert_eq!(text.parse::<Email>(), Err(NotAnEmail), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_address_has_one_line_and_no_separators(text in "[ -~\\r\\n\\tä]{0,12}@[ -~\\r\\nä]{0,12}") {
            if let Ok(email) = text.parse::<Email>() {
                prop_assert!(!email.as_str().contains(['\r', '\n', ' ', ',', ';', '<', '>', '"', '#']));
                prop_assert_eq!(email.as_str().parse::<Email>(), Ok(email.clone()));
            }
        }
    }
}
