//! One target of the list.

use domain::lists::{
    BirthDate, EntryKind, Gender, IdentifierKind, List, ListEntry, ListIdentifier, ListRelation,
    PartialDate, RelationKind,
};
use jiff::civil::Date;

use super::{
    header::{Header, country},
    names::names,
};
use crate::lists::tree::{Element, Record};

/// The entry of a target. `None` if it is not in force.
pub(super) fn entry(target: &Record, header: &Header) -> Result<Option<ListEntry>, String> {
    let Record { root: target, is_complete } = target;
    let id = target.attribute("ssid").ok_or("ssid: is missing")?;
    let modifications = modifications(target)?;
    if !is_in_force(&modifications)? {
        return Ok(None);
    }
    if !is_complete {
        return Err("is too large".to_owned());
    }
    if !target.is_legible() {
        return Err("contains a character that cannot be read".to_owned());
    }
    let is_subject = |it: &str| matches!(it, "individual" | "entity" | "object");
    let subject = target.child(is_subject).ok_or("has no `individual`, `entity` or `object`")?;
    let kind = match (subject.name(), subject.attribute("object-type")) {
        ("individual", _) => EntryKind::Person,
        ("entity", _) => EntryKind::Organisation,
        (_, Some("vessel")) => EntryKind::Vessel,
        (_, Some("aircraft")) => EntryKind::Aircraft,
        _ => EntryKind::Other,
    };
    let mut entry = ListEntry::new(List::Seco, id, kind);
    entry.topics.insert("sanction".to_owned());
    entry.listed = listed(&modifications);
    entry.changed = modifications.iter().filter_map(|it| it.date).max();
    read_target(target, header, &mut entry);
    read_subject(subject, header, &mut entry);
    match entry.names.is_empty() {
        true => Err("has no name".to_owned()),
        false => Ok(Some(entry)),
    }
}

struct Modification<'a> {
    date: Option<Date>,
    kind: &'a str,
}

fn modifications(target: &Element) -> Result<Vec<Modification<'_>>, String> {
    let dates = ["effective-date", "enactment-date", "publication-date"];
    let read = |it| {
        let stated = dates.iter().find_map(|name| Some((name, Element::attribute(it, name)?)));
        let date = stated.map(|(name, given)| {
            let invalid = |_| format!("{name}: `{given}` is not a date such as 2026-09-28");
            given.parse().map_err(invalid)
        });
        let kind = it.attribute("modification-type").unwrap_or_default();
        Ok(Modification { date: date.transpose()?, kind })
    };
    target.children("modification").map(read).collect()
}

/// Whether the newest modification leaves the target on the list.
fn is_in_force(modifications: &[Modification]) -> Result<bool, String> {
    let newer =
        |newest, it| if Modification::date(it) > Modification::date(newest) { it } else { newest };
    match modifications.iter().reduce(newer).map(|it| it.kind) {
        None | Some("listed" | "amended") => Ok(true),
        Some("de-listed") => Ok(false),
        Some(other) => Err(format!(
            "modification-type: is `{other}`; expected `listed`, `amended` or `de-listed`"
        )),
    }
}

impl Modification<'_> {
    fn date(&self) -> Option<Date> {
        self.date
    }
}

/// The first listing after the last de-listing.
fn listed(modifications: &[Modification]) -> Option<Date> {
    let of = |kind| modifications.iter().filter(move |it| it.kind == kind).filter_map(|it| it.date);
    let delisted = of("de-listed").max();
    of("listed").filter(|it| delisted.is_none_or(|delisted| *it >= delisted)).min()
}

/// What the target states outside its subject.
fn read_target(target: &Element, header: &Header, entry: &mut ListEntry) {
    let sets = target.children("sanctions-set-id").filter_map(Element::text);
    // Older files have an attribute instead of elements.
    let attribute = target.attribute("sanctions-set-id").map(str::to_owned);
    entry.programmes.extend(sets.chain(attribute).map(|it| header.programme(&it)));
    for number in target.children("foreign-identifier").filter_map(Element::text) {
        entry.identifiers.insert(ListIdentifier::new(IdentifierKind::ListReference, &number));
    }
    for attribute in target.children("generic-attribute") {
        let parts = [attribute.attribute("name").map(str::to_owned), attribute.text()];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(": ");
        entry.remarks.extend(Some(text).filter(|it| !it.is_empty()));
    }
}

fn read_subject(subject: &Element, header: &Header, entry: &mut ListEntry) {
    entry.genders.extend(match subject.attribute("sex") {
        Some("male") => Some(Gender::Male),
        Some("female") => Some(Gender::Female),
        _ => None,
    });
    entry.reasons.extend(subject.children("justification").filter_map(Element::text));
    for text in subject.children("other-information").filter_map(Element::text) {
        entry.identifiers.extend(identifier_in(&text));
        entry.remarks.insert(text);
    }
    for relation in subject.children("relation") {
        let Some(id) = relation.attribute("target-id") else { continue };
        let role = relation.attribute("relation-type").filter(|it| *it != "related-to");
        let role = relation.text_of("remark").or_else(|| role.map(str::to_owned));
        let relation = ListRelation { role, ..ListRelation::new(RelationKind::Linked, id) };
        entry.relations.insert(relation);
    }
    let is_main = |it: &Element| it.attribute("main") == Some("true");
    let has_main = subject.children("identity").any(is_main);
    for identity in subject.children("identity") {
        read_identity(identity, is_main(identity) || !has_main, header, entry);
    }
}

fn read_identity(identity: &Element, is_main: bool, header: &Header, entry: &mut ListEntry) {
    entry.names.extend(identity.children("name").flat_map(|it| names(it, is_main)));
    entry.birth_dates.extend(identity.children("day-month-year").filter_map(birth_date));
    for place in identity.children("place-of-birth") {
        let place = header.address(place);
        let parts: Vec<String> =
            [place.city, place.region, place.country].into_iter().flatten().collect();
        entry.birth_places.extend(Some(parts.join(", ")).filter(|it| !it.is_empty()));
    }
    for nationality in identity.children("nationality") {
        entry.nationalities.extend(nationality.children("country").filter_map(country));
    }
    let addresses = identity.children("address").map(|it| header.address(it));
    entry.addresses.extend(addresses.filter(|it| !it.is_empty()));
    entry.identifiers.extend(identity.children("identification-document").filter_map(document));
}

/// A date of which the year is known. A day without its month, or one that does not exist, is left out; the
/// remaining date is still true.
fn birth_date(element: &Element) -> Option<BirthDate> {
    let number = |name| element.attribute(name)?.parse::<i16>().ok();
    let small = |name| number(name).and_then(|it| i8::try_from(it).ok());
    let (year, month, day) = (number("year")?, small("month"), small("day"));
    let date = PartialDate::new(year, month, day)
        .or_else(|_| PartialDate::new(year, month, None))
        .or_else(|_| PartialDate::new(year, None, None))
        .ok()?;
    let calendar = element.attribute("calendar");
    let calendar = calendar.filter(|it| !it.eq_ignore_ascii_case("gregorian")).map(str::to_owned);
    let approximate = element.attribute("quality").is_some_and(|it| it != "good");
    Some(BirthDate { date, approximate, calendar })
}

fn document(element: &Element) -> Option<ListIdentifier> {
    let label = element.attribute("document-type");
    let kind = match label {
        Some("passport" | "diplomatic-passport") => IdentifierKind::Passport,
        Some("id-card") => IdentifierKind::NationalId,
        _ => IdentifierKind::Other,
    };
    let identifier = ListIdentifier::new(kind, &element.text_of("number")?);
    Some(ListIdentifier {
        country: element.children("issuer").find_map(country),
        label: label.map(str::to_owned),
        expires: element.text_of("expiry-date").and_then(|it| it.parse().ok()),
        ..identifier
    })
}

/// The identifier that a text states, if it states nothing else: `IMO Number: 8405270.`
fn identifier_in(text: &str) -> Option<ListIdentifier> {
    let (label, value) = text.rsplit_once(':')?;
    let (label, value) = (label.trim(), value.trim().trim_end_matches('.'));
    let is_code = !value.is_empty()
        && value.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'.' | b'/'));
    let is_number = value.bytes().all(|it| it.is_ascii_digit());
    let kind = match label.to_lowercase().as_str() {
        "imo number" if is_number && value.len() == 7 => IdentifierKind::Imo,
        "registration number"
        | "state registration number"
        | "business registration number"
        | "огрн/main state registration number" => IdentifierKind::Registration,
        "taxpayer identification number" | "tax registration number" => IdentifierKind::Tax,
        "swift/bic" | "swift/bic code" if matches!(value.len(), 8 | 11) => IdentifierKind::Bic,
        _ => return None,
    };
    is_code.then(|| ListIdentifier::new(kind, value).labelled(label))
}
