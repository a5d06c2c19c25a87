//! Persons with an office or a signing right in a company, and the rules by which they are identified.
//!
//! The register gives numbers to companies but not to people. People with the same name are
//! distinguished by place of origin (or nationality) and residence. If one of these is unknown, a person
//! is identified within one company only. So two people are never merged because of a shared name, but
//! one person may be listed twice after a move that no publication states. `confidence` tells these
//! cases apart.

mod alike;
mod mandates;
mod roles;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use uuid::Uuid;

use crate::{Uid, text};

pub use alike::{AlikeReason, PossiblySame};
#[cfg(test)]
pub(crate) use mandates::officer_of;
pub use mandates::{Holding, HoldingPeriod, Mandate, MandateAction, Officer, Role};
pub use roles::{RoleCategory, SigningAuthority};

/// UUIDv5 namespace of person ids.
const PERSONS: Uuid = Uuid::from_u128(0x6f0f_41a0_9d1c_5a53_8f55_0d0f_6a9f_2f11);

/// A person, or a firm with an office, as a publication describes it.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// First name. Absent for a firm.
    pub first_name: Option<String>,
    /// Family name, or the name of a firm.
    pub last_name: String,
    /// Company number of a firm. Absent for people and for firms outside the register.
    pub uid: Option<Uid>,
    /// Places of origin of a Swiss citizen, as published.
    pub origin: Option<String>,
    /// Nationality, as published: `deutscher Staatsangehöriger`.
    pub nationality: Option<String>,
    /// Nationality: ISO 3166-1 alpha-2 code, `CH` for persons with a place of origin. Absent if it is not
    /// certain.
    pub nationality_iso: Option<String>,
    /// Place of residence, or seat of a firm, as published.
    pub residence: Option<String>,
}

/// The identity assigned to a person, with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identity {
    /// UUIDv5 of the attributes that identify the person.
    pub id: Uuid,
    /// Confidence: 1 for a registered firm, 0.95 with origin and residence, 0.85 with nationality and
    /// residence, 0.5 if the person is identified within one company only.
    pub confidence: f64,
}

impl Person {
    /// First name and family name, or the name of the firm.
    pub fn full_name(&self) -> String {
        match &self.first_name {
            Some(first) => format!("{first} {}", self.last_name),
            None => self.last_name.clone(),
        }
    }

    /// Whether this is a firm or an authority, not a person.
    pub fn is_entity(&self) -> bool {
        self.first_name.is_none()
    }

    /// The identity of this person as an officer of `company`.
    pub fn identity(&self, company: Uid) -> Identity {
        let folded = |it: &Option<String>| it.as_deref().map(text::fold).unwrap_or_default();
        let name = format!("{}|{}", text::fold(&self.last_name), folded(&self.first_name));
        let residence = folded(&self.residence);
        let (key, confidence) = match (self.uid, &self.origin, &self.nationality_iso) {
            (Some(uid), _, _) => (uid.to_string(), 1.0),
            (None, Some(origin), _) if !residence.is_empty() => {
                (format!("{name}|{}|{residence}", places(origin).join("+")), 0.95)
            }
            (None, None, Some(country)) if !residence.is_empty() => {
                (format!("{name}|{country}|{residence}"), 0.85)
            }
            _ => (format!("{name}|{}|{residence}|{company}", folded(&self.origin)), 0.5),
        };
        Identity { id: Uuid::new_v5(&PERSONS, key.as_bytes()), confidence }
    }
}

/// The places of an origin, in alphabetic order: a person can have several, which the offices name in any order. `Thun und
/// Bern` and `Bern, Thun` are the same.
fn places(origin: &str) -> Vec<String> {
    const JOINS: [&str; 6] = [" und ", " sowie ", " et ", " e ", " ed ", "/"];
    let mut joined = origin.to_owned();
    for join in JOINS {
        joined = joined.replace(join, ",");
    }
    let mut places: Vec<String> =
        joined.split(',').map(text::fold).filter(|it| !it.is_empty()).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether two origins have a place in common: a notice may name only some of them.
pub fn have_common_origin(one: &str, other: &str) -> bool {
    let (one, other) = (places(one), places(other));
    one.iter().any(|it| other.contains(it))
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
    fn person_with_origin_and_residence_has_one_id_in_all_companies() {
        let here = person(Some("Bern"), "Zürich").identity(uid("CHE-600.000.012"));
        let there = person(Some("bern"), "Zuerich").identity(uid("CHE-600.000.029"));
        assert_eq!(here.id, there.id);
        assert_eq!(here.confidence, 0.95);
    }

    #[test]
    fn order_of_several_origins_does_not_matter() {
        let id = |origin| person(Some(origin), "Zürich").identity(uid("CHE-600.000.012")).id;
        for origin in ["Thun und Bern", "Bern, Thun", "Bern et Thun", "Thun e Bern", "Bern/Thun"] {
            assert_eq!(id(origin), id("Bern und Thun"), "{origin}");
        }
        assert_ne!(id("Bern"), id("Bern und Thun"));
        assert!(have_common_origin("Bern", "Thun und Bern") && !have_common_origin("Chur", "Thun"));
    }

    #[test]
    fn people_with_the_same_name_only_have_different_ids() {
        let here = person(None, "Zürich").identity(uid("CHE-600.000.012"));
        let there = person(None, "Zürich").identity(uid("CHE-600.000.029"));
        assert_ne!(here.id, there.id);
        assert_eq!(here.confidence, 0.5);
        let other_origin = person(Some("Basel"), "Zürich").identity(uid("CHE-600.000.012"));
        let elsewhere = person(Some("Basel"), "Genf").identity(uid("CHE-600.000.012"));
        assert_ne!(other_origin.id, elsewhere.id, "different residence");
    }

    #[test]
    fn registered_firm_is_identified_by_its_number() {
        let firm = |name: &str| Person {
            last_name: name.to_owned(),
            uid: Some(uid("CHE-600.000.012")),
            ..Person::default()
        };
        let old = firm("Alt Treuhand AG").identity(uid("CHE-600.000.029"));
        assert_eq!(old, firm("Neu Treuhand AG").identity(uid("CHE-600.000.035")));
    }
}
