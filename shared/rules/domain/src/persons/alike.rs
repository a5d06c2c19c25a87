//! Persons with different ids who may be the same.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use super::Person;

/// A person who may be the same as another one. The register has no identifier of persons, so nobody can be sure.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PossiblySame {
    /// Id of the other person.
    pub id: Uuid,
    /// Residence of the other person, as in the latest publication. Absent if not published.
    pub residence: Option<String>,
    /// What both have in common, and why they are not known to be the same.
    pub reasons: Vec<AlikeReason>,
}

/// Why two persons may be, or may not be, the same: `same_name`, `same_origin` (the same places of origin),
/// `same_nationality` (the same nationality, and no place of origin is published), `other_residence` (they live in
/// different places: one person who moved, or two) or `residence_unknown` (the residence of one of them is not
/// published).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlikeReason {
    /// Both have the same name.
    SameName,
    /// Both have the same places of origin.
    SameOrigin,
    /// Both have the same nationality, and no place of origin is published.
    SameNationality,
    /// They live in different places: one person who moved, or two.
    OtherResidence,
    /// The residence of one of them is not published.
    ResidenceUnknown,
}

impl PossiblySame {
    /// `other` has the same name as `person`, and the same origin or nationality.
    pub fn new(id: Uuid, person: &Person, other: &Person) -> Self {
        let whence = match person.origin {
            Some(_) => AlikeReason::SameOrigin,
            None => AlikeReason::SameNationality,
        };
        let residence = match (&person.residence, &other.residence) {
            (Some(_), Some(_)) => AlikeReason::OtherResidence,
            _ => AlikeReason::ResidenceUnknown,
        };
        let reasons = vec![AlikeReason::SameName, whence, residence];
        Self { id, residence: other.residence.clone(), reasons }
    }
}
