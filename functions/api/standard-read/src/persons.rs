//! Who runs companies: their officers, the search for persons, one person, and with whom it works.

mod board;
mod network;
mod person;
mod search;

use domain::{
    Provenance, Uid,
    countries::country_name,
    persons::{Holding, Mandate, Person, RoleCategory, SigningAuthority},
};
use http_service::{Description, Routes, handler, reads};
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use text_index::persons::{PersonRecord, Persons};
use utoipa::ToSchema;
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(3), handler!(board::board_members))
        .route(reads(3), handler!(search::search_persons))
        .route(reads(3), handler!(person::person))
        .route(reads(3), handler!(network::person_network))
}

#[derive(Debug, thiserror::Error)]
#[error("there is no person with the id `{0}`")]
struct UnknownPerson(Uuid);

/// The person with this id, or with another that a notice proves to be the same human's; or 404.
fn known_person(persons: &Persons, id: &str) -> Result<(Uuid, PersonRecord), Problem> {
    let id = Uuid::try_parse(id)?;
    let person = persons.person(id)?;
    Ok((id, person.ok_or_else(|| Problem::not_found(UnknownPerson(id)))?))
}

/// How the latest publication describes somebody.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Described {
    full_name: String,
    /// Absent for a firm.
    first_name: Option<String>,
    /// The family name; for a firm its name.
    last_name: String,
    /// Places of origin of a Swiss citizen, as written.
    place_of_origin: Option<String>,
    /// The place of residence or seat, as written.
    residence: Option<String>,
    /// As written; the code of the country where nothing is written.
    nationality: Option<String>,
    /// ISO 3166-1 alpha-2; `CH` for whoever has a place of origin.
    nationality_iso: Option<String>,
    /// The English name of the country; as written where the country is not certain.
    #[schema(example = "Switzerland")]
    nationality_display: Option<String>,
    /// Whether this is a firm or an authority.
    is_entity: bool,
    /// The number of a firm that is in the register.
    uid: Option<Uid>,
}

impl From<Person> for Described {
    fn from(person: Person) -> Self {
        let country = person.nationality_iso.as_deref().and_then(country_name).map(str::to_owned);
        let nationality = person.nationality.clone().or_else(|| person.nationality_iso.clone());
        Self {
            full_name: person.full_name(),
            is_entity: person.is_entity(),
            first_name: person.first_name,
            last_name: person.last_name,
            place_of_origin: person.origin,
            residence: person.residence,
            nationality_display: country.or_else(|| nationality.clone()),
            nationality,
            nationality_iso: person.nationality_iso,
            uid: person.uid,
        }
    }
}

/// What an office is, and what proves it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Office {
    role_category: RoleCategory,
    signing_authority: Option<SigningAuthority>,
    /// As written, with its restrictions.
    signature: Option<String>,
    /// Shares of the company that come with the office.
    holding: Option<Holding>,
    /// The source that names the role.
    role_source: String,
    /// How sure it is who the person is, 0 to 1.
    role_confidence: f64,
    /// The publication that proves this line.
    source: Provenance,
}

impl From<Mandate> for Office {
    fn from(mandate: Mandate) -> Self {
        Self {
            role_category: mandate.category,
            signing_authority: mandate.signing_authority,
            signature: mandate.signature,
            holding: mandate.holding,
            role_source: mandate.source.source.clone(),
            role_confidence: mandate.confidence,
            source: mandate.source,
        }
    }
}
