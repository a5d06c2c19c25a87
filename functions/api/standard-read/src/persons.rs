//! People and firms with a role in companies: officers of a company, search, one person, a person's network.

mod board_members;
mod network;
mod person;
mod search;

use domain::{
    Provenance, Uid,
    countries::country_name,
    persons::{Holding, HoldingPeriod, Mandate, Person, RoleCategory, SigningAuthority},
};
use generations::Unavailable;
use http_service::{Description, Routes, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use text_index::persons::{PersonRecord, Persons};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(3).translated(), handler!(board_members::board_members))
        .route(reads(3), handler!(search::search_persons))
        .route(reads(3).translated(), handler!(person::person))
        .route(reads(3).translated(), handler!(network::person_network))
}

#[derive(Debug, thiserror::Error)]
#[error("no person has the id `{0}`")]
struct UnknownPerson(Uuid);

/// The person with this id. A person can have several ids, if a publication shows that they belong together.
///
/// # Errors
/// 404 if there is no such person.
async fn known_person(persons: &Persons, id: &str) -> Result<(Uuid, PersonRecord), Problem> {
    let id = Uuid::try_parse(id)?;
    let person = persons.person(id).await.map_err(Unavailable::from)?;
    Ok((id, person.ok_or_else(|| Problem::not_found(UnknownPerson(id)))?))
}

/// A person, or a firm (any organisation with a role), as the latest publication describes it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Described {
    /// First names and family name, or the name of a firm.
    full_name: String,
    /// First names. Absent for a firm.
    first_name: Option<String>,
    /// Family name, or the name of a firm.
    last_name: String,
    /// Places of origin of a Swiss citizen, as published. Absent if not published.
    place_of_origin: Option<String>,
    /// Place of residence, or seat of a firm, as published. Absent if not published.
    residence: Option<String>,
    /// Same value as `nationalityIso`, under the name that existing client libraries read.
    #[schema(example = "CH")]
    nationality: Option<String>,
    /// Nationality as published. Absent if none is published, as for Swiss citizens.
    nationality_text: Option<String>,
    /// Country code of the nationality (ISO 3166-1 alpha-2); `CH` if there is a place of origin. Absent if
    /// unknown.
    nationality_iso: Option<String>,
    /// English name of the country, or the published text if the country is uncertain. Absent if unknown.
    #[schema(example = "Switzerland")]
    nationality_display: Option<String>,
    /// Whether this is a firm or an authority, not a natural person.
    is_entity: bool,
    /// Company number of a firm. Absent for natural persons and for firms that are not in the register.
    uid: Option<Uid>,
}

impl From<Person> for Described {
    fn from(person: Person) -> Self {
        let country = person.nationality_iso.as_deref().and_then(country_name).map(str::to_owned);
        Self {
            full_name: person.full_name(),
            is_entity: person.is_entity(),
            first_name: person.first_name,
            last_name: person.last_name,
            place_of_origin: person.origin,
            residence: person.residence,
            nationality_display: country.or_else(|| person.nationality.clone()),
            nationality: person.nationality_iso.clone(),
            nationality_text: person.nationality,
            nationality_iso: person.nationality_iso,
            uid: person.uid,
        }
    }
}

/// A role in a company, and its source.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Office {
    /// Category of the role; the first of several.
    role_category: RoleCategory,
    /// All categories of the role: a partner who is also a manager has two. The first is `roleCategory`.
    role_categories: Vec<RoleCategory>,
    /// Signing authority. Absent if no publication states it.
    signing_authority: Option<SigningAuthority>,
    /// Signing authority as published, with its restrictions. Absent if not published.
    signature: Option<String>,
    /// Shares of the company that the person holds. Absent if none are published.
    holding: Option<Holding>,
    /// The periods in which the person held shares of a limited liability company, the earliest first. Absent if none are
    /// published.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    holdings: Vec<HoldingPeriod>,
    /// Name of the source of the role.
    role_source: String,
    /// Confidence that roles with this person id belong to one person, 0 to 1: how sure the identity is, not how sure the
    /// role is.
    identity_confidence: f64,
    /// Same value as `identityConfidence`, under the name that existing client libraries read.
    role_confidence: f64,
    /// Publication that states the role.
    source: Provenance,
}

impl From<Mandate> for Office {
    fn from(mandate: Mandate) -> Self {
        Self {
            role_category: mandate.category,
            role_categories: mandate.categories().collect(),
            signing_authority: mandate.signing_authority,
            signature: mandate.signature,
            holding: mandate.holding,
            holdings: mandate.holdings,
            role_source: mandate.source.source.clone(),
            identity_confidence: mandate.confidence,
            role_confidence: mandate.confidence,
            source: mandate.source,
        }
    }
}
