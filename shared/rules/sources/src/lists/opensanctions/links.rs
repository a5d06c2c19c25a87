//! Records that belong to entries: sanctions, offices, documents, addresses, relations.

use std::collections::HashMap;

use domain::lists::RelationKind;

use super::record::Record;

/// A schema of records that are joined to entries.
struct LinkSchema {
    name: &'static str,
    /// Properties that point to the entries to which the record belongs.
    ends: &'static [End],
    /// Other properties that are read.
    kept: &'static [&'static str],
}

/// A property that points to an entry.
struct End {
    property: &'static str,
    /// For a relation: the property that points to the other entry, and what that entry is to this one.
    other: Option<(&'static str, RelationKind)>,
    /// Whether the stated role is the role of this entry. Otherwise it is the role of the other one.
    has_role: bool,
}

const fn belongs_to(property: &'static str) -> End {
    End { property, other: None, has_role: false }
}

/// The role that the schema states is the role of the second entry: `mother` in `Family`.
const fn relation(property: &'static str, other: &'static str, kind: RelationKind) -> End {
    End { property, other: Some((other, kind)), has_role: false }
}

/// The same relation from the entry whose role is stated.
const fn with_role(property: &'static str, other: &'static str, kind: RelationKind) -> End {
    End { property, other: Some((other, kind)), has_role: true }
}

const LISTING: &[&str] = &[
    "program",
    "programId",
    "authority",
    "authorityId",
    "unscId",
    "reason",
    "startDate",
    "listingDate",
    "endDate",
];

const DOCUMENT: &[&str] = &["number", "passportNumber", "type", "country", "endDate"];

const ROLE: &[&str] = &["relationship", "role", "startDate", "endDate"];

/// All schemas that are joined. The source is the model of FollowTheMoney 4.11.
#[rustfmt::skip]
const SCHEMAS: &[LinkSchema] = &[
    LinkSchema { name: "Sanction", ends: &[belongs_to("entity")], kept: LISTING },
    LinkSchema { name: "Risk", ends: &[belongs_to("entity")], kept: LISTING },
    LinkSchema { name: "Occupancy", ends: &[belongs_to("holder")],
        kept: &["post", "startDate", "periodStart", "endDate", "periodEnd", "status"] },
    LinkSchema { name: "Position", ends: &[], kept: &["name", "country"] },
    LinkSchema { name: "Identification", ends: &[belongs_to("holder")], kept: DOCUMENT },
    LinkSchema { name: "Passport", ends: &[belongs_to("holder")], kept: DOCUMENT },
    LinkSchema { name: "Address", ends: &[],
        kept: &["full", "street", "street2", "postOfficeBox", "postalCode", "city", "region", "state", "country"] },
    LinkSchema { name: "Family", kept: ROLE, ends: &[
        relation("person", "relative", RelationKind::Relative),
        with_role("relative", "person", RelationKind::Relative)] },
    LinkSchema { name: "Associate", kept: ROLE, ends: &[
        relation("person", "associate", RelationKind::Associate),
        with_role("associate", "person", RelationKind::Associate)] },
    LinkSchema { name: "Ownership", kept: ROLE, ends: &[
        with_role("owner", "asset", RelationKind::Owned),
        relation("asset", "owner", RelationKind::Owner)] },
    LinkSchema { name: "Directorship", kept: ROLE, ends: &[
        with_role("director", "organization", RelationKind::Organisation),
        relation("organization", "director", RelationKind::Officer)] },
    LinkSchema { name: "Membership", kept: ROLE, ends: &[
        with_role("member", "organization", RelationKind::Organisation),
        relation("organization", "member", RelationKind::Officer)] },
    LinkSchema { name: "Employment", kept: ROLE, ends: &[
        with_role("employee", "employer", RelationKind::Organisation),
        relation("employer", "employee", RelationKind::Officer)] },
    LinkSchema { name: "Representation", kept: ROLE, ends: &[
        with_role("agent", "client", RelationKind::Representative),
        relation("client", "agent", RelationKind::Representative)] },
    LinkSchema { name: "UnknownLink", kept: ROLE, ends: &[
        with_role("subject", "object", RelationKind::Linked),
        relation("object", "subject", RelationKind::Linked)] },
];

/// The values of the properties of a record that are read.
#[derive(Default)]
pub(super) struct Link {
    /// Position of its schema.
    schema: usize,
    /// Names and values of properties, sorted. A file has hundreds of thousands of records, which are all in memory.
    properties: Vec<(&'static str, Box<str>)>,
}

impl Link {
    /// The values of a property, sorted.
    pub(super) fn values(&self, property: &str) -> impl Iterator<Item = &str> {
        self.properties.iter().filter(move |(name, _)| *name == property).map(|(_, value)| &**value)
    }

    /// The first value of the first of these properties that has one.
    pub(super) fn first(&self, properties: &[&str]) -> Option<&str> {
        properties.iter().find_map(|it| self.values(it).next())
    }

    /// The value of a property that has exactly one.
    pub(super) fn single(&self, property: &str) -> Option<&str> {
        let mut values = self.values(property);
        values.next().filter(|_| values.next().is_none())
    }
}

/// A record from the view of an entry.
pub(super) struct Joined<'a> {
    pub(super) schema: &'static str,
    pub(super) link: &'a Link,
    /// For a relation: the property that points to the other entries, and what they are to this one.
    pub(super) other: Option<(&'static str, RelationKind)>,
    /// Whether the stated role is the role of this entry.
    pub(super) has_role: bool,
}

/// All records that are joined to entries.
#[derive(Default)]
pub(super) struct Links {
    all: Vec<Link>,
    /// Positions of the records by their identifier, for each schema.
    by_id: HashMap<&'static str, HashMap<Box<str>, usize>>,
    /// Positions of the records of an entry.
    of_entry: HashMap<Box<str>, Vec<usize>>,
}

impl Links {
    /// Keeps the record, if it is joined to entries. Records with the same identifier are merged.
    pub(super) fn add(&mut self, record: &Record) -> bool {
        let Some(at) = SCHEMAS.iter().position(|it| it.name == record.schema) else { return false };
        let schema = &SCHEMAS[at];
        let of_schema = self.by_id.entry(schema.name).or_default();
        let position = *of_schema.entry(record.id.as_str().into()).or_insert(self.all.len());
        if position == self.all.len() {
            self.all.push(Link { schema: at, properties: Vec::new() });
        }
        let properties = &mut self.all[position].properties;
        for name in schema.ends.iter().map(|it| it.property).chain(schema.kept.iter().copied()) {
            properties.extend(record.values(name).map(|it| (name, it.into_boxed_str())));
        }
        let caption = record.caption.as_deref().filter(|_| schema.kept.contains(&"name"));
        properties.extend(caption.map(|it| ("caption", it.into())));
        properties.sort_unstable();
        properties.dedup();
        properties.shrink_to_fit();
        true
    }

    /// Whether records of this schema are joined to entries.
    pub(super) fn is_link(&self, schema: &str) -> bool {
        SCHEMAS.iter().any(|it| it.name == schema)
    }

    /// Finds the entries of all records. To be called when all records are known.
    pub(super) fn connect(&mut self) {
        for (position, link) in self.all.iter().enumerate() {
            let ends = SCHEMAS[link.schema].ends.iter();
            for entry in ends.flat_map(|it| link.values(it.property)) {
                let of_entry = self.of_entry.entry(entry.into()).or_default();
                // A record can point to the same entry with two properties.
                if of_entry.last() != Some(&position) {
                    of_entry.push(position);
                }
            }
        }
    }

    /// The record of this schema with this identifier.
    pub(super) fn get(&self, schema: &str, id: &str) -> Option<&Link> {
        self.all.get(*self.by_id.get(schema)?.get(id)?)
    }

    /// The records of an entry, with one item for each property that points to it.
    pub(super) fn of<'a>(&'a self, entry: &'a str) -> impl Iterator<Item = Joined<'a>> {
        let links = self.of_entry.get(entry).into_iter().flatten().map(|it| &self.all[*it]);
        links.flat_map(move |link| {
            let schema = &SCHEMAS[link.schema];
            let points_here = move |end: &&End| link.values(end.property).any(|it| it == entry);
            let joined = move |end: &'static End| Joined {
                schema: schema.name,
                link,
                other: end.other,
                has_role: end.has_role,
            };
            schema.ends.iter().filter(points_here).map(joined)
        })
    }
}
