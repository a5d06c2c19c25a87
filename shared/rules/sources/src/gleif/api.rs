use std::collections::BTreeSet;

use domain::{
    Lei, Source,
    statements::gleif::{Category, Entity, Exception},
};
use jiff::civil::Date;
use serde::{
    Deserialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::Value;

use crate::{
    Exchange, Fetched, Page, Rejected, Request, Unreadable,
    gleif::{Day, Period, Relationship, level2::percentage},
    left_out::{LeftOut, from_json, leave_out_illegible},
    text::lossy,
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

/// Maximum number of pages of 200 entities: several times those of Switzerland. The address of the next page is what the API says,
/// so that it could lead back to an earlier one.
const MAX_PAGES: u64 = 1_000;

/// How a page of entities is fetched.
pub(crate) fn exchange(address: Option<&str>, number: u64) -> Exchange<'static> {
    Exchange::single(Source::Gleif, request(address), move |response| {
        let next = next(&response.bytes)?;
        let number = number + 1;
        if next.is_some() && number >= MAX_PAGES {
            return Err(other(format!("links.next: there are more than {MAX_PAGES} pages")));
        }
        let next = next.map(|it| Page::Gleif { address: Some(it), number });
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
    let answer: Answer = serde_json::from_str(&lossy(bytes)).map_err(|it| other(it.to_string()))?;
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
        serde_json::from_str(&lossy(bytes)).map_err(|it| other(it.to_string()))?;
    let records = match document.data {
        Value::Array(records) => records,
        record @ Value::Object(_) => vec![record],
        Value::Null => Vec::new(),
        _ => return Err(other("data: neither a record nor an array of records".into())),
    };
    let mut answer = Answer::default();
    for json in records {
        let (record, mut left_out) = (json.to_string(), LeftOut::default());
        match answer.add(json, &mut left_out) {
            Ok(()) => answer.rejected.extend(Rejected::in_part(&left_out, || record)),
            Err(reason) => answer.rejected.push(Rejected::new(record, left_out.before(&reason))),
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
    fn add(&mut self, mut json: Value, left_out: &mut LeftOut) -> Result<(), String> {
        leave_out_illegible(&mut json, left_out);
        let kind = json.get("type").and_then(Value::as_str).map(str::to_owned);
        match kind.as_deref() {
            Some("lei-records") => {
                let record = read(json, left_out)?;
                // Where a company is registered, and under which number, is its identity.
                let members = left_out.members();
                let is_identity = |it: &String| {
                    let member = it.strip_prefix("attributes.entity.").unwrap_or(it);
                    ["registeredAt", "registeredAt.id", "registeredAs"].contains(&member)
                };
                if members.iter().any(is_identity) {
                    return Err("attributes.entity.registeredAs: cannot be read".into());
                }
                self.entities.push(entity(record, left_out));
            }
            Some("relationship-records") => {
                let record = read(json, left_out)?;
                // The two statuses decide whether it is in force.
                if left_out.has(&["status"])
                    || left_out.members().contains("attributes.registration")
                {
                    return Err("attributes.relationship.status: cannot be read".into());
                }
                self.relationships.push(relationship(record, left_out));
            }
            Some("reporting-exceptions") => {
                let record: ExceptionRecord = read(json, left_out)?;
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

fn read<T: DeserializeOwned>(json: Value, left_out: &mut LeftOut) -> Result<T, String> {
    // With the name of the member, so that reasons name the whole path.
    #[derive(Deserialize)]
    struct WithAttributes<T> {
        attributes: T,
    }
    from_json::<WithAttributes<T>>(json, left_out).map(|it| it.attributes)
}

fn date(member: &str, text: Option<String>, left_out: &mut LeftOut) -> Option<Date> {
    let date = text.filter(|it| !it.is_empty()).map(|it| it.parse::<Day>()).transpose();
    let date = left_out.value(date.map_err(|it| format!("attributes.{member}: {it}")));
    date.flatten().map(|it| it.0)
}

fn entity(record: Record, left_out: &mut LeftOut) -> Entity {
    let entity = record.entity;
    let registration = record.registration.unwrap_or_default();
    let names = entity.other_names.unwrap_or_default();
    Entity {
        lei: record.lei,
        legal_name: entity.legal_name.name,
        other_names: BTreeSet::from_iter(names.into_iter().map(|it| it.name)),
        jurisdiction: entity.jurisdiction,
        registered_at: entity.registered_at.and_then(|it| it.id),
        registered_as: entity.registered_as,
        legal_form: entity.legal_form.and_then(|it| it.id),
        category: entity.category,
        status: entity.status,
        creation_date: date("entity.creationDate", entity.creation_date, left_out),
        successor: entity.successor_entity.and_then(|it| it.lei),
        registration_status: registration.status,
        initial_registration: date(
            "registration.initialRegistrationDate",
            registration.initial_registration_date,
            left_out,
        ),
        last_update: date("registration.lastUpdateDate", registration.last_update_date, left_out),
        next_renewal: date(
            "registration.nextRenewalDate",
            registration.next_renewal_date,
            left_out,
        ),
        isins: BTreeSet::new(),
        has_many_isins: false,
        group: None,
    }
}

fn relationship(record: RelationshipRecord, left_out: &mut LeftOut) -> Relationship {
    let part = record.relationship;
    let registration = record.registration.unwrap_or_default();
    let mut periods = Vec::new();
    for period in part.periods.unwrap_or_default() {
        periods.push(Period {
            kind: period.r#type,
            start: date("relationship.periods.startDate", period.start_date, left_out),
            end: date("relationship.periods.endDate", period.end_date, left_out),
        });
    }
    let quantifiers = part.quantifiers.unwrap_or_default();
    let amount = quantifiers.iter().find(|it| it.units.as_deref() == Some("PERCENTAGE"));
    let amount = amount.and_then(|it| it.amount.as_ref()).map(|given| {
        let number = match given {
            Value::String(text) => text.parse().ok(),
            other => other.as_f64(),
        };
        let number = number.ok_or_else(|| format!("{given} is not a percentage"));
        let amount = number.and_then(|it| percentage(Some(it)));
        amount.map_err(|it| format!("attributes.relationship.quantifiers: {it}"))
    });
    Relationship {
        child: part.start_node.id,
        parent: part.end_node.id,
        kind: part.r#type,
        status: part.status,
        registration_status: registration.status,
        periods,
        percentage: amount.and_then(|it| left_out.value(it).flatten()),
        last_update: date("registration.lastUpdateDate", registration.last_update_date, left_out),
    }
}
