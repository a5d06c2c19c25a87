use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;
use statements::{
    Lei, Source,
    gleif::{Category, Entity, Exception},
};

use crate::{
    Exchange, Fetched, Page, Rejected, Request, Unreadable,
    gleif::{Period, Relationship, day, level2::percentage},
    text::without_mark,
};

const ADDRESS: &str = "https://api.gleif.org/api/v1/lei-records";

/// Media type of the API (JSON:API).
const MEDIA_TYPE: &str = "application/vnd.api+json";

/// Request for a page of entities with a legal address in Switzerland. `address` is a result of [`next`];
/// `None` requests the first page. Uses cursors, because the API refuses page numbers beyond 10,000
/// records and Switzerland has almost 30,000.
pub(super) fn request(address: Option<&str>) -> Request {
    let parameters = [
        ("filter[entity.legalAddress.country]", "CH"),
        ("page[size]", "200"),
        ("page[cursor]", "*"),
    ];
    let request = match address {
        Some(address) => Request::get(address),
        None => Request::get_with(ADDRESS, &parameters),
    };
    request.accepting(MEDIA_TYPE)
}

/// How a page of entities is fetched.
pub(crate) fn exchange(address: Option<&str>) -> Exchange<'static> {
    Exchange::single(Source::Gleif, request(address), |response| {
        let next = next(&response.bytes)?.map(|it| Page::Gleif { address: Some(it) });
        Ok(Fetched::new(response.bytes, next))
    })
}

/// Maximum number of entities in a [`names_request`]: the maximum page size of the API.
pub const MAX_LEIS_PER_REQUEST: usize = 200;

/// Request for level 1 of these entities, at most [`MAX_LEIS_PER_REQUEST`].
pub fn names_request(leis: &[Lei]) -> Request {
    let leis = leis.iter().map(Lei::as_str).collect::<Vec<_>>().join(",");
    let parameters = [("filter[lei]", leis.as_str()), ("page[size]", "200")];
    Request::get_with(ADDRESS, &parameters).accepting(MEDIA_TYPE)
}

/// The address of the next page according to a response. `None` on the last page, and after an empty
/// page. A link outside the API is an error: a response must not make the fetcher request another host.
pub(super) fn next(bytes: &[u8]) -> Result<Option<String>, Unreadable> {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(default)]
        data: Vec<IgnoredAny>,
        links: Option<Links>,
    }
    #[derive(Deserialize)]
    struct Links {
        next: Option<String>,
    }
    let answer: Answer =
        serde_json::from_slice(without_mark(bytes)).map_err(|it| other(it.to_string()))?;
    match answer.links.and_then(|it| it.next) {
        Some(next) if !next.starts_with(&format!("{ADDRESS}?")) => {
            Err(other(format!("links.next: `{next}` is not a page of {ADDRESS}")))
        }
        next => Ok(next.filter(|_| !answer.data.is_empty())),
    }
}

fn other(reason: String) -> Unreadable {
    Unreadable { source_name: Source::Gleif, reason }
}

/// The records of an API response.
#[derive(Debug, Default)]
pub struct Answer {
    pub entities: Vec<Entity>,
    pub relationships: Vec<Relationship>,
    pub exceptions: Vec<Exception>,
    pub rejected: Vec<Rejected>,
}

/// Reads an API response: one record or a page of entities, relationships or exceptions.
pub fn read_answer(bytes: &[u8]) -> Result<Answer, Unreadable> {
    #[derive(Deserialize)]
    struct Document {
        data: Value,
    }
    let document: Document =
        serde_json::from_slice(without_mark(bytes)).map_err(|it| other(it.to_string()))?;
    let records = match document.data {
        Value::Array(records) => records,
        record @ Value::Object(_) => vec![record],
        Value::Null => Vec::new(),
        _ => return Err(other("data: neither a record nor an array of records".into())),
    };
    let mut answer = Answer::default();
    for record in records {
        if let Err(reason) = answer.add(&record) {
            answer.rejected.push(Rejected::new(record.to_string(), reason));
        }
    }
    Ok(answer)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    lei: Lei,
    entity: EntityPart,
    registration: Option<Registration>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntityPart {
    legal_name: Name,
    other_names: Option<Vec<Name>>,
    jurisdiction: Option<String>,
    registered_at: Option<Identified>,
    registered_as: Option<String>,
    legal_form: Option<Identified>,
    category: Option<String>,
    status: Option<String>,
    creation_date: Option<String>,
    successor_entity: Option<Successor>,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

#[derive(Deserialize)]
struct Identified {
    id: Option<String>,
}

#[derive(Deserialize)]
struct Successor {
    lei: Option<Lei>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Registration {
    status: Option<String>,
    initial_registration_date: Option<String>,
    last_update_date: Option<String>,
    next_renewal_date: Option<String>,
}

#[derive(Deserialize)]
struct RelationshipRecord {
    relationship: RelationshipPart,
    registration: Option<Registration>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RelationshipPart {
    start_node: Node,
    end_node: Node,
    r#type: super::Kind,
    status: Option<String>,
    periods: Option<Vec<PeriodPart>>,
    quantifiers: Option<Vec<Quantifier>>,
}

#[derive(Deserialize)]
struct Node {
    id: Lei,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PeriodPart {
    r#type: Option<String>,
    start_date: Option<String>,
    end_date: Option<String>,
}

#[derive(Deserialize)]
struct Quantifier {
    amount: Option<Value>,
    units: Option<String>,
}

#[derive(Deserialize)]
struct ExceptionRecord {
    lei: Lei,
    category: Category,
    reason: Option<String>,
    reference: Option<String>,
}

impl Answer {
    fn add(&mut self, record: &Value) -> Result<(), String> {
        let attributes = record.get("attributes").ok_or("attributes: is missing")?;
        match record.get("type").and_then(Value::as_str) {
            Some("lei-records") => self.entities.push(entity(read(attributes)?)?),
            Some("relationship-records") => {
                self.relationships.push(relationship(read(attributes)?)?);
            }
            Some("reporting-exceptions") => {
                let record: ExceptionRecord = read(attributes)?;
                self.exceptions.push(Exception {
                    lei: record.lei,
                    category: record.category,
                    reasons: record.reason.into_iter().collect(),
                    references: record.reference.into_iter().collect(),
                });
            }
            Some(kind) => return Err(format!("type: `{kind}` is unknown")),
            None => return Err("type: is missing".into()),
        }
        Ok(())
    }
}

fn read<'de, T: Deserialize<'de>>(attributes: &'de Value) -> Result<T, String> {
    serde_path_to_error::deserialize(attributes)
        .map_err(|it| format!("attributes.{}: {}", it.path(), it.inner()))
}

fn date(member: &str, text: Option<String>) -> Result<Option<Date>, String> {
    let date = text.filter(|it| !it.is_empty()).map(|it| day(&it)).transpose();
    date.map_err(|it| format!("attributes.{member}: {it}"))
}

fn entity(record: Record) -> Result<Entity, String> {
    let entity = record.entity;
    let registration = record.registration.unwrap_or_default();
    let names = entity.other_names.unwrap_or_default();
    Ok(Entity {
        lei: record.lei,
        legal_name: entity.legal_name.name,
        other_names: BTreeSet::from_iter(names.into_iter().map(|it| it.name)),
        jurisdiction: entity.jurisdiction,
        registered_at: entity.registered_at.and_then(|it| it.id),
        registered_as: entity.registered_as,
        legal_form: entity.legal_form.and_then(|it| it.id),
        category: entity.category,
        status: entity.status,
        creation_date: date("entity.creationDate", entity.creation_date)?,
        successor: entity.successor_entity.and_then(|it| it.lei),
        registration_status: registration.status,
        initial_registration: date(
            "registration.initialRegistrationDate",
            registration.initial_registration_date,
        )?,
        last_update: date("registration.lastUpdateDate", registration.last_update_date)?,
        next_renewal: date("registration.nextRenewalDate", registration.next_renewal_date)?,
        isins: BTreeSet::new(),
        has_many_isins: false,
        group: None,
    })
}

fn relationship(record: RelationshipRecord) -> Result<Relationship, String> {
    let part = record.relationship;
    let registration = record.registration.unwrap_or_default();
    let mut periods = Vec::new();
    for period in part.periods.unwrap_or_default() {
        periods.push(Period {
            kind: period.r#type,
            start: date("relationship.periods.startDate", period.start_date)?,
            end: date("relationship.periods.endDate", period.end_date)?,
        });
    }
    let quantifiers = part.quantifiers.unwrap_or_default();
    let amount = quantifiers.iter().find(|it| it.units.as_deref() == Some("PERCENTAGE"));
    let amount = amount.and_then(|it| it.amount.as_ref()).and_then(|it| match it {
        Value::String(text) => text.parse().ok(),
        other => other.as_f64(),
    });
    Ok(Relationship {
        child: part.start_node.id,
        parent: part.end_node.id,
        kind: part.r#type,
        status: part.status,
        registration_status: registration.status,
        periods,
        percentage: percentage(amount)
            .map_err(|it| format!("attributes.relationship.quantifiers: {it}"))?,
        last_update: date("registration.lastUpdateDate", registration.last_update_date)?,
    })
}
