//! Browsing the sanctions list of Switzerland.

use axum::{Json, extract::State, response::IntoResponse};
use domain::{
    characters::check_search,
    choice::{Choice, UnknownValue},
    lists::{BirthDate, List, ListAddress, ListEntry, Programme},
    search::{PageNumber, PageSize},
};
use http_service::{Description, Query, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use screening_evidence::{EntityType, notice};
use screening_lists::{Browse, ListsUnavailable};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::{IntoParams, ToSchema};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(1), handler!(sanctions))
}

/// A text of a filter.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
struct FilterText(String);

impl TryFrom<String> for FilterText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        check_search(&text).map_err(|it| it.to_string())?;
        let length = text.chars().count();
        let is_valid = length <= 200 && text.chars().any(char::is_alphanumeric);
        match is_valid {
            true => Ok(Self(text)),
            false => Err(format!(
                "must have 1 to 200 characters, with a letter or a digit; got {length} characters"
            )),
        }
    }
}

/// Kind to filter by. Case does not matter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct WantedEntityType(EntityType);

impl TryFrom<String> for WantedEntityType {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        let known = [
            ("person", EntityType::Person),
            ("entity", EntityType::Entity),
            ("vessel", EntityType::Vessel),
            ("aircraft", EntityType::Aircraft),
            ("other", EntityType::Other),
        ];
        Choice::of("a kind of entry").read(&given, known).map(Self)
    }
}

/// Filters and page of the sanctions list.
#[derive(Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
#[derive(Default)]
struct SanctionsQuery {
    /// Words to search for. Each word must match the beginning of a word in a name of the entry. 1–200 characters.
    #[param(value_type = Option<String>, min_length = 1, max_length = 200, example = "dovresh")]
    search: Option<FilterText>,
    /// Kind of the entries.
    #[serde(alias = "entity_type")]
    #[param(value_type = Option<EntityType>, inline, example = "person")]
    entity_type: Option<WantedEntityType>,
    /// A part of the name or identifier of a programme. 1–200 characters.
    #[param(value_type = Option<String>, min_length = 1, max_length = 200, example = "zubrow")]
    program: Option<FilterText>,
    /// Number of the page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    page: PageNumber,
    /// Maximum number of entries on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    page_size: PageSize,
}

/// A part of the sanctions list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SanctionsList {
    /// The entries, by name.
    items: Vec<SanctionEntry>,
    /// Number of entries that match, on all pages.
    total: usize,
    /// Number of the page.
    page: u32,
    /// Maximum number of entries on a page.
    page_size: u32,
    /// Day of the list, as its file states it. Absent if it states none.
    #[serde(skip_serializing_if = "Option::is_none")]
    list_date: Option<Date>,
    /// Says that the list is invented. Absent if it is that of the publisher.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'static str>,
}

/// An entry of the sanctions list of Switzerland.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SanctionEntry {
    /// Identifier of the entry at SECO.
    #[schema(example = "95001")]
    seco_id: String,
    /// What the entry is.
    entity_type: EntityType,
    /// Main name.
    name: String,
    /// Other names.
    aliases: Vec<String>,
    /// Nationalities, separated by commas: ISO 3166-1 alpha-2 codes. Absent if unknown.
    nationality: Option<String>,
    /// Dates of birth or foundation, separated by commas. Absent if unknown.
    date_of_birth: Option<String>,
    /// First address. Absent if unknown.
    address: Option<String>,
    /// Names of the programmes in English, or in another language if there is no English name, separated by semicolons. Empty if the list states none.
    program: String,
    /// Day since which the entry is listed. Absent if unknown.
    listed_since: Option<Date>,
    /// Day of the last change. Absent if unknown.
    changed_on: Option<Date>,
    /// The list of the publisher.
    source_url: String,
    /// Whether the list is an invented one, for trying out. Absent for the list of the publisher.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    demo: bool,
}

/// The values, separated by commas. `None` without values.
fn joined(values: impl IntoIterator<Item = String>) -> Option<String> {
    let values: Vec<String> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.join(", "))
}

fn address(it: &ListAddress) -> Option<String> {
    if let Some(text) = &it.text {
        return Some(text.clone());
    }
    let town = joined([&it.postal_code, &it.city].into_iter().flatten().cloned());
    let town = town.map(|it| it.replace(", ", " "));
    let parts = [it.care_of.clone(), it.street.clone(), it.post_box.clone(), town];
    joined(parts.into_iter().chain([it.region.clone(), it.country.clone()]).flatten())
}

/// A date with what the list says about it: `1979 (approximate)`.
fn date_text(it: &BirthDate) -> String {
    let approximate = it.approximate.then(|| "approximate".to_owned());
    let notes = joined(approximate.into_iter().chain(it.calendar.clone()));
    notes.map_or_else(|| it.date.to_string(), |notes| format!("{} ({notes})", it.date))
}

impl SanctionEntry {
    fn new(entry: ListEntry, demo: bool) -> Self {
        let name = entry.name().unwrap_or(&entry.id).to_owned();
        let program = |it: &Programme| it.key.any().or(it.name.any()).map(str::to_owned);
        let mut programs: Vec<String> = entry.programmes.iter().filter_map(program).collect();
        programs.sort_unstable();
        programs.dedup();
        Self {
            entity_type: entry.kind.into(),
            aliases: entry.names.iter().skip(1).map(|it| it.text.clone()).collect(),
            nationality: joined(entry.nationalities.iter().cloned()),
            date_of_birth: joined(entry.birth_dates.iter().map(date_text)),
            address: entry.addresses.iter().find_map(address),
            program: programs.join("; "),
            listed_since: entry.listed,
            changed_on: entry.changed,
            source_url: entry.source_url.unwrap_or_else(|| entry.list.url().to_owned()),
            seco_id: entry.id,
            name,
            demo,
        }
    }
}

/// List sanctions entries
///
/// The entries in force of the sanctions list of Switzerland (SECO), by name. To find out whether somebody is on it, use
/// `POST /v1/screening`, which also finds other spellings.
#[utoipa::path(
    get,
    path = "/v1/sanctions",
    tag = "Screening",
    params(SanctionsQuery),
    responses((status = OK, body = SanctionsList)),
)]
async fn sanctions(
    State(state): State<crate::State>,
    Query(query): Query<SanctionsQuery>,
) -> Result<impl IntoResponse, Problem> {
    let Some(list) = state.lists.current(List::Seco).await? else {
        return Err(Problem::new(
            &SERVICE_UNAVAILABLE,
            "the sanctions list has not been loaded yet",
        ));
    };
    let wanted = Browse {
        text: query.search.map(|it| it.0),
        kind: query.entity_type.map(|it| it.0.into()),
        programme: query.program.map(|it| it.0),
    };
    let found = list.browse(&wanted).map_err(ListsUnavailable::from)?;
    let demo = list.published.version.demo;
    let places = query.page.places(query.page_size, found.len() as u64);
    let items: Result<Vec<SanctionEntry>, std::io::Error> =
        found[places].iter().map(|it| Ok(SanctionEntry::new(list.entry(*it)?, demo))).collect();
    Ok(Json(SanctionsList {
        items: items.map_err(ListsUnavailable::from)?,
        total: found.len(),
        page: query.page.get(),
        page_size: query.page_size.get(),
        list_date: list.published.version.date,
        notice: notice(demo),
    }))
}
