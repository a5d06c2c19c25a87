//! One target of the list.

use domain::lists::{
    BirthDate, EntryKind, Gender, IdentifierKind, InvalidPartialDate, List, ListEntry,
    ListIdentifier, ListRelation, PartialDate, RelationKind,
};
use jiff::civil::Date;

use super::{
    header::{Header, country},
    names::names,
};
use crate::{
    left_out::LeftOut,
    lists::{
        output::made_from,
        tree::{Element, Record},
    },
};

/// The entry of a target. `None` if it is not in force. `left_out` contains what is illegible, and gets what cannot be read
/// otherwise.
pub(super) fn entry(target: &Record, header: &Header, left_out: &mut LeftOut) -> Option<ListEntry> {
    let Record { root: target, is_complete } = target;
    let id = left_out.value(target.attribute("ssid").ok_or("ssid: is missing".to_owned()));
    let id = id.map_or_else(|| made_from(target.to_text().as_bytes()), str::to_owned);
    let modifications = modifications(target, left_out);
    let is_readable = !left_out.has(&[KIND]) && !left_out.has(&DATES);
    if !is_in_force(&modifications, is_readable) {
        return None;
    }
    if !is_complete {
        left_out.add("target: is too large, so that its end was not read".to_owned());
    }
    let is_subject = |it: &str| matches!(it, "individual" | "entity" | "object");
    let subject = target.child(is_subject).or_else(|| {
        left_out.add("individual: is missing, as are `entity` and `object`".to_owned());
        target.child_with("identity")
    });
    let subject = subject.unwrap_or(target);
    let kind = match (subject.name(), subject.attribute("object-type")) {
        ("individual", _) => EntryKind::Person,
        ("entity", _) => EntryKind::Organisation,
        (_, Some("vessel")) => EntryKind::Vessel,
        (_, Some("aircraft")) => EntryKind::Aircraft,
        _ => EntryKind::Other,
    };
    let mut entry = ListEntry::new(List::Seco, &id, kind);
    entry.topics.insert("sanction".to_owned());
    entry.listed = listed(&modifications);
    entry.changed = modifications.iter().filter_map(|it| it.date).max();
    read_target(target, header, &mut entry);
    read_subject(subject, header, &mut entry, left_out);
    Some(entry)
}

/// The attributes of a modification that state its day. The first that is stated counts.
const DATES: [&str; 3] = ["effective-date", "enactment-date", "publication-date"];

/// The attribute that states what a modification did: `listed`, `amended` or `de-listed`.
const KIND: &str = "modification-type";

struct Modification<'a> {
    date: Option<Date>,
    kind: &'a str,
}

impl Modification<'_> {
    fn date(&self) -> Option<Date> {
        self.date
    }

    fn is_delisting(&self) -> bool {
        self.kind == "de-listed"
    }
}

fn modifications<'a>(target: &'a Element, left_out: &mut LeftOut) -> Vec<Modification<'a>> {
    let mut read = |it: &'a Element| {
        let date = DATES.iter().find_map(|name| {
            let given = it.stated(name)?;
            let invalid = |_| format!("{name}: `{given}` is not a date such as 2026-09-28");
            left_out.value(given.parse().map_err(invalid))
        });
        let kind = it.attribute(KIND).unwrap_or_default();
        if !matches!(kind, "listed" | "amended" | "de-listed") {
            let expected = "expected `listed`, `amended` or `de-listed`";
            left_out.add(format!("{KIND}: is `{kind}`; {expected}"));
        }
        Modification { date, kind }
    };
    target.children("modification").map(&mut read).collect()
}

/// Whether the newest modification leaves the target on the list. If a day or kind cannot be read, whether it may.
fn is_in_force(modifications: &[Modification], is_readable: bool) -> bool {
    let newer =
        |newest, it| if Modification::date(it) > Modification::date(newest) { it } else { newest };
    let newest = modifications.iter().reduce(newer);
    let is_delisted = newest.is_some_and(Modification::is_delisting);
    if is_readable {
        return !is_delisted;
    }
    // Without its day, any other modification may be the newest, and so may be the first of the file.
    let may_be_newest = modifications.iter().filter(|it| it.date.is_none());
    let may_be_newest = may_be_newest.chain(modifications.first());
    !is_delisted || may_be_newest.into_iter().any(|it| !it.is_delisting())
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

fn read_subject(subject: &Element, header: &Header, entry: &mut ListEntry, left_out: &mut LeftOut) {
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
        read_identity(identity, is_main(identity) || !has_main, header, entry, left_out);
    }
}

fn read_identity(
    identity: &Element,
    is_main: bool,
    header: &Header,
    entry: &mut ListEntry,
    left_out: &mut LeftOut,
) {
    entry.names.extend(identity.children("name").flat_map(|it| names(it, is_main)));
    let dates = identity.children("day-month-year");
    entry.birth_dates.extend(dates.filter_map(|it| birth_date(it, left_out)));
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
    let documents = identity.children("identification-document");
    entry.identifiers.extend(documents.filter_map(|it| document(it, left_out)));
}

/// A date of which the year is known. A day without its month, or one that does not exist, is left out; the
/// remaining date is still true.
fn birth_date(element: &Element, left_out: &mut LeftOut) -> Option<BirthDate> {
    let stated = ["day", "month", "year"].map(|it| element.attribute(it));
    let number = |at: usize| stated[at]?.parse::<i16>().ok();
    let small = |at| number(at).and_then(|it| i8::try_from(it).ok());
    let read = |year, month, day| PartialDate::new(year, month, day).ok();
    let date = number(2).and_then(|year| {
        let (month, day) = (small(1), small(0));
        read(year, month, day)
            .or_else(|| read(year, month, None))
            .or_else(|| read(year, None, None))
    });
    let parts =
        |it: PartialDate| 1 + usize::from(it.month().is_some()) + usize::from(it.day().is_some());
    if date.map_or(0, parts) < stated.iter().flatten().count() {
        let stated = stated.map(|it| it.unwrap_or("?")).join(".");
        left_out.add(format!("day-month-year: `{stated}` is not a date"));
    }
    let date = date?;
    let calendar = element.attribute("calendar");
    let calendar = calendar.filter(|it| !it.eq_ignore_ascii_case("gregorian")).map(str::to_owned);
    let approximate = element.attribute("quality").is_some_and(|it| it != "good");
    Some(BirthDate { date, approximate, calendar })
}

fn document(element: &Element, left_out: &mut LeftOut) -> Option<ListIdentifier> {
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
        expires: element.text_of("expiry-date").and_then(|it| {
            left_out
                .value(it.parse().map_err(|it: InvalidPartialDate| format!("expiry-date: {it}")))
        }),
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
