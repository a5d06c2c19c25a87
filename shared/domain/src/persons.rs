//! Who runs a company: the persons that the gazette enters, changes and deletes, and their mandates.
//!
//! The register numbers companies, not people. A person is told from another by name, origin (or
//! nationality) and place of residence; where one of them is missing, only within one company. So two
//! people are never one because they share a name, and one may be two after a move that no notice
//! links: the confidence says which it is.

use std::{fmt, str::FromStr};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use uuid::Uuid;

use crate::{Amount, Canton, Company, Provenance, Status, Uid, text};

/// The namespace of person ids.
const PERSONS: Uuid = Uuid::from_u128(0x6f0f_41a0_9d1c_5a53_8f55_0d0f_6a9f_2f11);

/// A person, or a firm that holds an office, as a notice describes it.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Absent for a firm.
    pub first_name: Option<String>,
    /// The family name; for a firm its name.
    pub last_name: String,
    /// Of a firm that is in the register.
    pub uid: Option<Uid>,
    /// Places of origin of a Swiss citizen, as written.
    pub origin: Option<String>,
    /// As written: `deutscher Staatsangehöriger`.
    pub nationality: Option<String>,
    /// ISO 3166-1 alpha-2, where it is certain; `CH` for whoever has a place of origin.
    pub nationality_iso: Option<String>,
    /// The place of residence or seat, as written.
    pub residence: Option<String>,
}

/// Who a person is taken to be, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    /// A UUIDv5 of what tells the person from others.
    pub id: Uuid,
    /// 0 to 1: 1 for a registered firm, 0.95 with origin and residence, 0.85 with nationality and
    /// residence, 0.5 where the person is known within one company only.
    pub confidence: f64,
}

impl Person {
    /// First name and family name, or the firm's name.
    pub fn full_name(&self) -> String {
        match &self.first_name {
            Some(first) => format!("{first} {}", self.last_name),
            None => self.last_name.clone(),
        }
    }

    /// Whether this is a firm or an authority.
    pub fn is_entity(&self) -> bool {
        self.first_name.is_none()
    }

    /// Who this is, as an officer of this company.
    pub fn identity(&self, company: Uid) -> Identity {
        let folded = |it: &Option<String>| it.as_deref().map(text::fold).unwrap_or_default();
        let name = format!("{}|{}", text::fold(&self.last_name), folded(&self.first_name));
        let residence = folded(&self.residence);
        let (key, confidence) = match (self.uid, &self.origin, &self.nationality_iso) {
            (Some(uid), _, _) => (uid.to_string(), 1.0),
            (None, Some(origin), _) if !residence.is_empty() => {
                (format!("{name}|{}|{residence}", text::fold(origin)), 0.95)
            }
            (None, None, Some(country)) if !residence.is_empty() => {
                (format!("{name}|{country}|{residence}"), 0.85)
            }
            _ => (format!("{name}|{}|{residence}|{company}", folded(&self.origin)), 0.5),
        };
        Identity { id: Uuid::new_v5(&PERSONS, key.as_bytes()), confidence }
    }
}

/// What kind of office it is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RoleCategory {
    /// A seat in the board of directors, of a foundation, of an association.
    Board,
    /// Directs the business.
    Management,
    /// Holds shares of a limited liability company or a partnership.
    Partner,
    /// The owner of a sole proprietorship.
    Owner,
    Liquidator,
    Auditor,
    /// A supervisory authority.
    Supervisor,
    /// Signs, and has no other office.
    Signatory,
    Other,
}

impl RoleCategory {
    /// Every category.
    pub const ALL: [Self; 9] = [
        Self::Board,
        Self::Management,
        Self::Partner,
        Self::Owner,
        Self::Liquidator,
        Self::Auditor,
        Self::Supervisor,
        Self::Signatory,
        Self::Other,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Management => "management",
            Self::Partner => "partner",
            Self::Owner => "owner",
            Self::Liquidator => "liquidator",
            Self::Auditor => "auditor",
            Self::Supervisor => "supervisor",
            Self::Signatory => "signatory",
            Self::Other => "other",
        }
    }
}

/// Whether and how somebody may sign for the company.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum SigningAuthority {
    /// Alone.
    Sole,
    /// With one other.
    CollectiveTwo,
    /// With more than one other, or in a way that the notice describes.
    Collective,
    /// Alone, by procuration.
    SoleProcuration,
    /// With one other, by procuration.
    CollectiveProcuration,
    /// Not at all.
    None,
}

impl SigningAuthority {
    /// Every authority.
    pub const ALL: [Self; 6] = [
        Self::Sole,
        Self::CollectiveTwo,
        Self::Collective,
        Self::SoleProcuration,
        Self::CollectiveProcuration,
        Self::None,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sole => "sole",
            Self::CollectiveTwo => "collective_two",
            Self::Collective => "collective",
            Self::SoleProcuration => "sole_procuration",
            Self::CollectiveProcuration => "collective_procuration",
            Self::None => "none",
        }
    }
}

/// Shares of the company that an officer holds, as the notice says.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holding {
    /// As written.
    pub text: String,
    pub count: Option<u64>,
    /// The nominal value of all of them.
    pub total: Option<Amount>,
    /// ISO 4217.
    pub currency: Option<String>,
}

/// An office or a signature that somebody holds or held.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mandate {
    /// Of [`Person::identity`] at the first entry; it stays when the person moves.
    pub person_id: Uuid,
    /// Of the identity, 0 to 1.
    pub confidence: f64,
    pub person: Person,
    /// As written; the signature where there is no other office.
    pub role: String,
    pub category: RoleCategory,
    /// As written.
    pub signature: Option<String>,
    pub signing_authority: Option<SigningAuthority>,
    pub holding: Option<Holding>,
    /// The day of the publication that entered it; absent where no known publication did.
    pub since: Option<Date>,
    /// The day of the publication that deleted it; absent while it lasts.
    pub until: Option<Date>,
    /// The publication that proves the line as it stands.
    pub source: Provenance,
}

impl Mandate {
    /// Whether it lasts.
    pub fn is_current(&self) -> bool {
        self.until.is_none()
    }

    /// What the publication did that proves the line.
    pub fn last_action(&self) -> MandateAction {
        match (self.until, self.since == self.source.date) {
            (Some(_), _) => MandateAction::Left,
            (None, true) => MandateAction::Entered,
            (None, false) => MandateAction::Changed,
        }
    }
}

/// What a publication did to an office or a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MandateAction {
    Entered,
    Changed,
    Left,
}

/// An office or a signature that somebody holds or held, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub company: Uid,
    pub company_name: String,
    /// Of the company's seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canton: Option<Canton>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub company_status: Option<Status>,
    pub mandate: Mandate,
}

impl Role {
    /// A mandate in this company.
    pub fn new(company: &Company, mandate: Mandate) -> Self {
        Self {
            company: company.uid,
            company_name: company.name.clone(),
            canton: company.canton,
            company_status: company.status,
            mandate,
        }
    }
}

/// Somebody who has a role in a company today.
#[derive(Clone, Debug, PartialEq)]
pub struct Officer {
    pub id: Uuid,
    pub name: String,
    /// Whether this is a firm or an authority.
    pub is_entity: bool,
    /// Of a firm that is in the register.
    pub uid: Option<Uid>,
    /// All that last, in any company.
    pub roles: Vec<Role>,
}

macro_rules! wanted {
    ($(#[$doc:meta])* $wanted:ident, $kind:ident, $unknown:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $wanted(pub $kind);

        impl PartialSchema for $wanted {
            fn schema() -> RefOr<Schema> {
                text::one_of($kind::ALL.map($kind::name))
            }
        }

        impl ToSchema for $wanted {}

        #[doc = concat!("Text that names no ", $what, ".")]
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[error("`{given}` is not a {}; the nearest is `{nearest}`", $what)]
        pub struct $unknown {
            given: String,
            nearest: &'static str,
        }

        impl FromStr for $wanted {
            type Err = $unknown;

            fn from_str(given: &str) -> Result<Self, $unknown> {
                let wanted = text::fold(given);
                match $kind::ALL.into_iter().find(|it| text::fold(it.name()) == wanted) {
                    Some(kind) => Ok(Self(kind)),
                    None => Err($unknown {
                        given: given.to_owned(),
                        nearest: text::nearest(given, $kind::ALL.into_iter().map(|it| (it.name(), it)))
                            .unwrap_or($kind::ALL[0])
                            .name(),
                    }),
                }
            }
        }

        impl TryFrom<String> for $wanted {
            type Error = $unknown;

            fn try_from(text: String) -> Result<Self, $unknown> {
                text.parse()
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

wanted! {
    /// A category that a caller asks for, folded.
    WantedRoleCategory, RoleCategory, UnknownRoleCategory, "category of roles"
}
wanted! {
    /// An authority that a caller asks for, folded.
    WantedSigningAuthority, SigningAuthority, UnknownSigningAuthority, "signing authority"
}

/// An officer with a role in each of these companies, for tests.
#[cfg(test)]
pub(crate) fn officer_of(id: u128, companies: &[u32]) -> Officer {
    let person = Person { last_name: format!("Person {id}"), ..Person::default() };
    let role = |number: &u32| {
        let uid = Uid::from_number(*number).expect("nine digits");
        let mandate = Mandate {
            person_id: Uuid::from_u128(id),
            confidence: 0.95,
            person: person.clone(),
            role: "Mitglied".into(),
            category: RoleCategory::Board,
            signature: None,
            signing_authority: None,
            holding: None,
            since: None,
            until: None,
            source: Provenance {
                source: "shab".into(),
                reference: Some(number.to_string()),
                date: None,
            },
        };
        Role::new(&Company::new(uid, format!("Firma {number}")), mandate)
    };
    Officer {
        id: Uuid::from_u128(id),
        name: person.full_name(),
        is_entity: false,
        uid: None,
        roles: companies.iter().map(role).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uid(text: &str) -> Uid {
        text.parse().expect("well-formed")
    }

    fn person(origin: Option<&str>, residence: &str) -> Person {
        Person {
            first_name: Some("Regula".to_owned()),
            last_name: "Musterfrau".to_owned(),
            origin: origin.map(str::to_owned),
            residence: Some(residence.to_owned()),
            ..Person::default()
        }
    }

    #[test]
    fn one_person_is_one_in_every_company() {
        let here = person(Some("Bern"), "Zürich").identity(uid("CHE-600.000.012"));
        let there = person(Some("bern"), "Zuerich").identity(uid("CHE-600.000.029"));
        assert_eq!(here.id, there.id);
        assert_eq!(here.confidence, 0.95);
    }

    #[test]
    fn a_name_alone_makes_nobody_the_same() {
        let here = person(None, "Zürich").identity(uid("CHE-600.000.012"));
        let there = person(None, "Zürich").identity(uid("CHE-600.000.029"));
        assert_ne!(here.id, there.id);
        assert_eq!(here.confidence, 0.5);
        let other_origin = person(Some("Basel"), "Zürich").identity(uid("CHE-600.000.012"));
        let elsewhere = person(Some("Basel"), "Genf").identity(uid("CHE-600.000.012"));
        assert_ne!(other_origin.id, elsewhere.id, "in doubt, two");
    }

    #[test]
    fn a_registered_firm_is_its_number() {
        let firm = |name: &str| Person {
            last_name: name.to_owned(),
            uid: Some(uid("CHE-600.000.012")),
            ..Person::default()
        };
        let old = firm("Alt Treuhand AG").identity(uid("CHE-600.000.029"));
        assert_eq!(old, firm("Neu Treuhand AG").identity(uid("CHE-600.000.035")));
    }
}
