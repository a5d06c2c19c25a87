use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Lei, Uid, lists::PartialDate};

/// What a number identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentifierKind {
    /// Number of a passport or diplomatic passport.
    Passport,
    /// Number of an identity card or another national identity number of a person.
    NationalId,
    /// Swiss company number (UID), in the form `CHE-107.787.577`.
    Uid,
    /// Legal entity identifier.
    Lei,
    /// Number in a register of companies, vessels or aircraft.
    Registration,
    /// Number of a taxpayer.
    Tax,
    /// Number of a vessel or its owner at the International Maritime Organization.
    Imo,
    /// Identifier of a bank (ISO 9362).
    Bic,
    /// Identifier of a security (ISO 6166).
    Isin,
    /// Address of a wallet for crypto-assets.
    Wallet,
    /// Number of the same entry on another list, such as a list of the United Nations.
    ListReference,
    /// A number of another kind, or of a kind that the list does not state.
    Other,
}

/// A number or code that identifies an entry.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListIdentifier {
    /// What the number identifies.
    pub kind: IdentifierKind,
    /// The number, as the list states it. A UID and an LEI are in their standard form.
    pub value: String,
    /// Country that issued it: ISO 3166-1 alpha-2 code, or the name if the list states no code.
    pub country: Option<String>,
    /// Kind of document or number in the words of the list, such as `diplomatic-passport`.
    pub label: Option<String>,
    /// Last day on which a document is valid.
    pub expires: Option<PartialDate>,
}

impl ListIdentifier {
    /// An identifier without country, label and expiry date. A Swiss company number gets the kind `uid`, in
    /// any field of the list: its prefix `CHE` and its check digit leave no doubt. A number that is
    /// stated as an LEI but has the wrong check digits gets the kind `other`.
    pub fn new(kind: IdentifierKind, value: &str) -> Self {
        let value = value.trim();
        let (kind, value) = match (uid(value), kind, value.parse::<Lei>()) {
            (Some(uid), ..) => (IdentifierKind::Uid, uid.to_string()),
            (None, IdentifierKind::Lei, Ok(lei)) => (kind, lei.to_string()),
            (None, IdentifierKind::Lei | IdentifierKind::Uid, _) => {
                (IdentifierKind::Other, value.to_owned())
            }
            _ => (kind, value.to_owned()),
        };
        Self { kind, value, country: None, label: None, expires: None }
    }

    /// The same identifier with the words of the list for its kind.
    #[must_use]
    pub fn labelled(mut self, label: &str) -> Self {
        self.label = Some(label.to_owned());
        self
    }
}

/// The Swiss company number that the text is, if it has the prefix `CHE` and a valid check digit.
fn uid(text: &str) -> Option<Uid> {
    let has_prefix = text.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("CHE"));
    let uid: Uid = text.parse().ok()?;
    (has_prefix && uid.has_valid_check_digit()).then_some(uid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_and_value(kind: IdentifierKind, value: &str) -> (IdentifierKind, String) {
        let identifier = ListIdentifier::new(kind, value);
        (identifier.kind, identifier.value)
    }

    #[test]
    fn swiss_company_number_is_recognised_in_any_field() {
        let uid = (IdentifierKind::Uid, "CHE-107.787.577".to_owned());
        for text in ["CHE-107.787.577", "che107787577", " CHE-107.787.577 MWST"] {
            assert_eq!(kind_and_value(IdentifierKind::Registration, text), uid, "{text}");
            assert_eq!(kind_and_value(IdentifierKind::Other, text), uid, "{text}");
        }
    }

    #[test]
    fn number_without_prefix_or_with_a_wrong_check_digit_is_no_company_number() {
        let digits = kind_and_value(IdentifierKind::Tax, "107787577");
        assert_eq!(digits, (IdentifierKind::Tax, "107787577".to_owned()));
        let wrong = kind_and_value(IdentifierKind::Uid, "CHE-107.787.578");
        assert_eq!(wrong, (IdentifierKind::Other, "CHE-107.787.578".to_owned()));
    }

    #[test]
    fn lei_must_have_valid_check_digits() {
        let valid = kind_and_value(IdentifierKind::Lei, "506700ge1g29325qx363");
        assert_eq!(valid, (IdentifierKind::Lei, "506700GE1G29325QX363".to_owned()));
        let wrong = kind_and_value(IdentifierKind::Lei, "506700GE1G29325QX364");
        assert_eq!(wrong.0, IdentifierKind::Other);
        // Other numbers are not taken for an LEI: a bank account can have 20 digits.
        let other = kind_and_value(IdentifierKind::Registration, "506700GE1G29325QX363");
        assert_eq!(other.0, IdentifierKind::Registration);
    }
}
