//! One entry, with the records that belong to it.

use std::collections::BTreeSet;

use domain::lists::{
    BirthDate, Gender,
    IdentifierKind::{self, Bic, Imo, Isin, Lei, Other, Passport, Registration, Tax, Wallet},
    InvalidPartialDate, List, ListAddress, ListEntry, ListIdentifier, ListName, ListPosition,
    ListRelation, NameQuality, PartialDate, Programme, RelationKind, Translations,
};
use jiff::civil::Date;

use super::{
    country, kind,
    links::{Joined, Link, Links},
    record::{self, Record},
};
use crate::{
    left_out::LeftOut,
    text::{is_web_address, single_spaced},
};

/// Topics that mean risk, in FollowTheMoney 4.11. Entities that have one are on the list.
const RISKS: [&str; 30] = [
    "corp.clone",
    "corp.disqual",
    "crime",
    "crime.boss",
    "crime.fin",
    "crime.fraud",
    "crime.terror",
    "crime.theft",
    "crime.traffick",
    "crime.war",
    "debarment",
    "export.control",
    "export.control.linked",
    "export.risk",
    "geo.risk",
    "invest.ban",
    "invest.risk",
    "mare.detained",
    "mare.shadow",
    "poi",
    "reg.action",
    "reg.warn",
    "role.oligarch",
    "role.pep",
    "role.rca",
    "sanction",
    "sanction.control",
    "sanction.counter",
    "sanction.linked",
    "wanted",
];

/// Identifiers that are properties of the entity itself.
const IDENTIFIERS: [(&str, IdentifierKind); 28] = [
    ("bikCode", Other),
    ("cageCode", Other),
    ("callSign", Other),
    ("cikCode", Other),
    ("cryptoAddress", Wallet),
    ("dunsCode", Other),
    ("idNumber", Other),
    ("imoNumber", Imo),
    ("innCode", Tax),
    ("isin", Isin),
    ("isinCode", Isin),
    ("kppCode", Other),
    ("leiCode", Lei),
    ("licenseNumber", Other),
    ("mmsi", Other),
    ("ogrnCode", Registration),
    ("okpoCode", Registration),
    ("passportNumber", Passport),
    ("permId", Other),
    ("publicKey", Wallet),
    ("registrationNumber", Registration),
    ("serialNumber", Other),
    ("socialSecurityNumber", Other),
    ("swiftBic", Bic),
    ("taxNumber", Tax),
    ("uniqueEntityId", Other),
    ("uscCode", Registration),
    ("vatCode", Tax),
];

/// Things to which properties of the entity itself point.
const POINTERS: [(&str, RelationKind); 6] = [
    ("holder", RelationKind::Owner),
    ("issuer", RelationKind::Linked),
    ("operator", RelationKind::Linked),
    ("owner", RelationKind::Owner),
    ("parent", RelationKind::Linked),
    ("riskSource", RelationKind::Linked),
];

/// A date that stands for «long ago».
const HISTORIC: &str = "1001-01-01";

/// The entry of an entity. `None` if the entity is not on the list, or belongs to others. `left_out` gets what cannot be read.
pub(super) fn entry(record: &Record, links: &Links, left_out: &mut LeftOut) -> Option<ListEntry> {
    let is_risk = |topic: String| RISKS.contains(&topic.as_str());
    for topic in record.stated("topics").filter(|it| !is_topic(it)) {
        left_out.add(format!("topics: `{topic}` is no topic such as `role.pep`"));
    }
    let is_listed = record.target
        || record.values("topics").any(is_risk)
        // It may be listed.
        || left_out.has(&["target", "topics", "properties"]);
    if !is_listed || links.is_link(&record.schema) {
        return None;
    }
    let kind = kind(&record.schema);
    let mut entry = ListEntry::new(List::Opensanctions, &record.id, kind);
    entry.names = names(record, left_out.has(&["name", "properties"]));
    entry.birth_dates = birth_dates(record, left_out);
    entry.birth_places = record.values("birthPlace").collect();
    entry.genders = record.values("gender").filter_map(|it| gender(&it)).collect();
    entry.nationalities =
        record.all(&["nationality", "citizenship"]).map(|it| country(&it)).collect();
    let countries = record.all(&["country", "jurisdiction", "mainCountry", "flag"]);
    entry.countries = countries.map(|it| country(&it)).collect();
    entry.identifiers = identifiers(record);
    entry.addresses = addresses(record, links);
    entry.websites = record.values("website").collect();
    entry.remarks = record.all(&["notes", "summary", "description"]).collect();
    entry.topics = record.values("topics").collect();
    entry.datasets = record.datasets.iter().cloned().collect();
    entry.other_ids = record.referents.iter().cloned().chain(record.values("wikidataId")).collect();
    entry.source_url = record.values("sourceUrl").filter(|it| is_web_address(it)).min();
    let mut day = |member, moment: &Option<String>| {
        left_out.value(record::day(member, moment.as_deref())).flatten()
    };
    entry.changed = day("last_change", &record.last_change);
    let (first_seen, last_seen) =
        (day("first_seen", &record.first_seen), day("last_seen", &record.last_seen));
    for (property, kind) in POINTERS {
        let role = (kind == RelationKind::Linked).then(|| property.to_owned());
        entry.relations.extend(record.values(property).map(|id| {
            let role = role.clone();
            ListRelation { role, ..ListRelation::new(kind, &id) }
        }));
    }
    for joined in links.of(&record.id) {
        add(&mut entry, &joined, links, last_seen, left_out);
    }
    entry.listed = entry.listed.or(first_seen);
    let titles: BTreeSet<String> = entry.positions.iter().map(|it| it.title.clone()).collect();
    let positions = record.values("position").filter(|it| !titles.contains(it));
    let positions = positions.map(|title| ListPosition { title, ..ListPosition::default() });
    entry.positions.extend(positions);
    Some(entry)
}

/// Whether a text has the form of a topic. A new topic has it, too.
fn is_topic(text: &str) -> bool {
    let is_word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_lowercase());
    text.split('.').all(is_word)
}

/// `is_damaged`: a name could not be read.
fn names(record: &Record, is_damaged: bool) -> BTreeSet<ListName> {
    let mut names = BTreeSet::new();
    let weights = [
        (NameQuality::Alias, ["name", "alias", "previousName"].as_slice()),
        (NameQuality::Weak, &["weakAlias", "abbreviation"]),
    ];
    for (quality, properties) in weights {
        names.extend(record.all(properties).map(|it| ListName::new(quality, &it)));
    }
    // The caption of a thing without a name is an identifier or the name of its schema.
    let caption = record.caption.as_deref().and_then(single_spaced);
    let is_name = is_damaged || !names.is_empty();
    let shown = caption.filter(|_| is_name).or_else(|| record.values("name").min());
    names.extend(shown.map(|it| ListName::new(NameQuality::Primary, &it)));
    names
}

fn birth_dates(record: &Record, left_out: &mut LeftOut) -> BTreeSet<BirthDate> {
    let mut dates = BTreeSet::new();
    for property in ["birthDate", "incorporationDate"] {
        for text in record.values(property).filter(|it| it != HISTORIC) {
            dates.extend(date(property, &text, left_out).map(BirthDate::exact));
        }
    }
    dates
}

fn date(property: &str, text: &str, left_out: &mut LeftOut) -> Option<PartialDate> {
    left_out.value(text.parse().map_err(|it: InvalidPartialDate| format!("{property}: {it}")))
}

fn gender(text: &str) -> Option<Gender> {
    match text {
        "male" => Some(Gender::Male),
        "female" => Some(Gender::Female),
        "other" => Some(Gender::Other),
        _ => None,
    }
}

fn identifiers(record: &Record) -> BTreeSet<ListIdentifier> {
    let is_person = record.schema == "Person";
    let of = |(property, kind): &(&'static str, IdentifierKind)| {
        let (property, kind) = match *property {
            "idNumber" if is_person => ("idNumber", IdentifierKind::NationalId),
            _ => (*property, *kind),
        };
        let label = move |it: String| ListIdentifier::new(kind, &it).labelled(property);
        record.values(property).map(label).collect::<Vec<_>>()
    };
    IDENTIFIERS.iter().flat_map(of).collect()
}

fn addresses(record: &Record, links: &Links) -> BTreeSet<ListAddress> {
    let texts = record.values("address");
    let texts = texts.map(|it| ListAddress { text: Some(it), ..ListAddress::default() });
    let entities: Vec<ListAddress> = record
        .values("addressEntity")
        .filter_map(|id| Some(address(links.get("Address", &id)?)))
        .collect();
    texts.chain(entities).filter(|it| !it.is_empty()).collect()
}

fn address(link: &Link) -> ListAddress {
    let text = |properties: &[&str]| link.first(properties).map(str::to_owned);
    let streets: Vec<String> =
        [text(&["street"]), text(&["street2"])].into_iter().flatten().collect();
    ListAddress {
        text: text(&["full"]),
        care_of: None,
        street: Some(streets.join(", ")).filter(|it| !it.is_empty()),
        post_box: text(&["postOfficeBox"]),
        postal_code: text(&["postalCode"]),
        city: text(&["city"]),
        region: text(&["region", "state"]),
        country: text(&["country"]).map(|it| country(&it)),
    }
}

/// Adds what a record states about the entry to which it belongs.
fn add(
    entry: &mut ListEntry,
    joined: &Joined,
    links: &Links,
    seen: Option<Date>,
    left_out: &mut LeftOut,
) {
    match (joined.schema, joined.other) {
        ("Sanction" | "Risk", _) => add_listing(entry, joined.link, seen, left_out),
        ("Occupancy", _) => {
            let posts = joined.link.values("post").filter_map(|it| links.get("Position", it));
            entry.positions.extend(posts.filter_map(|it| position(joined.link, it, left_out)));
        }
        ("Passport" | "Identification", _) => {
            entry.identifiers.extend(documents(joined.schema, joined.link, left_out));
        }
        (_, Some((property, kind))) => {
            for other in joined.link.values(property).filter(|it| *it != entry.id) {
                let stated = joined.link.first(&["relationship", "role"]).map(str::to_owned);
                let (role, own_role) =
                    if joined.has_role { (None, stated) } else { (stated, None) };
                let (from, to) = period(joined.link, &["startDate"], &["endDate"], left_out);
                let relation = ListRelation::new(kind, other);
                entry.relations.insert(ListRelation { role, own_role, from, to, ..relation });
            }
        }
        _ => {}
    }
}

/// A sanction or risk: its programmes, reasons and numbers.
fn add_listing(entry: &mut ListEntry, link: &Link, seen: Option<Date>, left_out: &mut LeftOut) {
    let (_, end) = period(link, &[], &["endDate"], left_out);
    let name = |it: &str| Translations { other: Some(it.to_owned()), ..Translations::default() };
    if let Some((end, _)) = end.zip(seen).filter(|(end, seen)| *end < PartialDate::from(*seen)) {
        let program = link.first(&["program", "programId", "authority"]);
        let program = program.unwrap_or("unknown programme");
        entry.remarks.insert(format!("{program}: ended on {end}"));
        return;
    }
    let authorities: Vec<&str> = link.values("authority").collect();
    let origin = Some(authorities.join(", ")).filter(|it| !it.is_empty());
    let with = |id: Option<&str>, program: Option<&str>| Programme {
        id: id.map(str::to_owned),
        name: program.map(name).unwrap_or_default(),
        origin: origin.clone(),
        ..Programme::default()
    };
    let (ids, names) = (link.values("programId").count(), link.values("program").count());
    if ids <= 1 && names <= 1 {
        let programme = with(link.single("programId"), link.single("program"));
        entry.programmes.extend(Some(programme).filter(|it| *it != Programme::default()));
    } else {
        // It is not stated which name belongs to which identifier.
        entry.programmes.extend(link.values("programId").map(|it| with(Some(it), None)));
        entry.programmes.extend(link.values("program").map(|it| with(None, Some(it))));
    }
    entry.reasons.extend(link.values("reason").map(str::to_owned));
    for (property, label) in [("authorityId", &origin), ("unscId", &None)] {
        let label = label.as_deref().unwrap_or(property);
        entry.identifiers.extend(
            link.values(property)
                .map(|it| ListIdentifier::new(IdentifierKind::ListReference, it).labelled(label)),
        );
    }
    let days = link.values("listingDate").chain(link.values("startDate"));
    let days = days.filter_map(|it| left_out.value(record::day("listingDate", Some(it))).flatten());
    entry.listed = days.chain(entry.listed).min();
}

fn position(occupancy: &Link, post: &Link, left_out: &mut LeftOut) -> Option<ListPosition> {
    let (starts, ends) = (["startDate", "periodStart"], ["endDate", "periodEnd"]);
    let (from, to) = period(occupancy, &starts, &ends, left_out);
    Some(ListPosition {
        title: post.first(&["caption", "name"])?.to_owned(),
        country: post.single("country").map(country),
        from,
        to,
        status: occupancy.first(&["status"]).map(str::to_owned),
    })
}

/// The first of the starts and the last of the ends.
fn period(
    link: &Link,
    starts: &[&str],
    ends: &[&str],
    left_out: &mut LeftOut,
) -> (Option<PartialDate>, Option<PartialDate>) {
    let mut dates = |property: &str| -> BTreeSet<PartialDate> {
        link.values(property).filter_map(|it| date(property, it, left_out)).collect()
    };
    let start = starts.iter().find_map(|it| dates(it).first().copied());
    (start, ends.iter().find_map(|it| dates(it).last().copied()))
}

fn documents(schema: &str, link: &Link, left_out: &mut LeftOut) -> Vec<ListIdentifier> {
    let label = link.first(&["type"]).map(str::to_owned);
    let words = label.as_deref().unwrap_or_default().to_lowercase();
    let kind = match schema {
        "Passport" => IdentifierKind::Passport,
        _ if words.contains("passport") => IdentifierKind::Passport,
        _ if ["identity card", "id card", "national id", "id-card"]
            .iter()
            .any(|it| words.contains(it)) =>
        {
            IdentifierKind::NationalId
        }
        _ => IdentifierKind::Other,
    };
    let country = link.single("country").map(country);
    let (_, expires) = period(link, &[], &["endDate"], left_out);
    let numbers: BTreeSet<&str> =
        link.values("number").chain(link.values("passportNumber")).collect();
    let document = |number: &str| ListIdentifier {
        country: country.clone(),
        label: label.clone(),
        expires,
        ..ListIdentifier::new(kind, number)
    };
    numbers.into_iter().map(document).collect()
}
