use std::fmt;

use domain::{Lei, Uid, text};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;
use uuid::Uuid;

/// UUIDv5 namespace of firms that are known by name only.
const FIRMS: Uuid = Uuid::from_u128(0x2b7c_6a1e_54f0_5d39_8a44_91c3_0e7f_d6b2);

/// Someone who can own a company, or a company that can be owned.
///
/// In JSON and as text: the company number, `LEI:` and the identifier, or the UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Party {
    /// A company in the Swiss register.
    Company(Uid),
    /// A legal entity that has a legal entity identifier but no Swiss company number.
    Foreign(Lei),
    /// A legal entity that is known by name only.
    Firm(Uuid),
    /// A natural person, by the id of `domain::persons`.
    Person(Uuid),
    /// A holder of whom the source does not state whether it is a person or a legal entity.
    Unidentified(Uuid),
}

impl Party {
    /// The company with this number, or else the entity with this identifier.
    pub fn entity(uid: Option<Uid>, lei: Lei) -> Self {
        uid.map_or(Self::Foreign(lei), Self::Company)
    }

    /// A firm that a statement about `company` names without a number. Firms of the same name in statements about
    /// different companies are different parties, because nothing shows that they are the same.
    pub fn firm_named(name: &str, company: Uid) -> Self {
        Self::Firm(Uuid::new_v5(&FIRMS, format!("{}|{company}", text::fold(name)).as_bytes()))
    }

    /// A holder that a statement about `company` names, without saying whether it is a person or a legal entity.
    pub fn unidentified_named(name: &str, company: Uid) -> Self {
        match Self::firm_named(name, company) {
            Self::Firm(id) => Self::Unidentified(id),
            other => other,
        }
    }

    /// Whether this is known to be a legal entity or partnership.
    pub fn is_entity(self) -> bool {
        matches!(self, Self::Company(_) | Self::Foreign(_) | Self::Firm(_))
    }

    /// What this is.
    pub fn kind(self) -> PartyKind {
        match self {
            Self::Company(_) => PartyKind::Company,
            Self::Foreign(_) => PartyKind::ForeignEntity,
            Self::Firm(_) => PartyKind::NamedEntity,
            Self::Person(_) => PartyKind::Person,
            Self::Unidentified(_) => PartyKind::Unidentified,
        }
    }

    /// Whether this is a natural person.
    pub fn is_person(self) -> bool {
        matches!(self, Self::Person(_))
    }
}

/// What a party is: `company` (in the Swiss register), `foreign_entity` (a legal entity with a legal entity identifier, but no
/// company number), `named_entity` (a legal entity that is known by name only), `person`, or `unidentified` (a holder of whom
/// the source does not state whether it is a person or a legal entity).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = OwnershipPartyKind)]
#[serde(rename_all = "snake_case")]
pub enum PartyKind {
    /// A company in the Swiss register.
    Company,
    /// A legal entity with a legal entity identifier but no company number.
    ForeignEntity,
    /// A legal entity that is known by name only.
    NamedEntity,
    /// A natural person.
    Person,
    /// A person or a legal entity.
    Unidentified,
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Company(uid) => write!(f, "{uid}"),
            Self::Foreign(lei) => write!(f, "LEI:{lei}"),
            Self::Firm(id) | Self::Person(id) | Self::Unidentified(id) => write!(f, "{id}"),
        }
    }
}

impl Serialize for Party {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
