//! Records that belong to entries: sanctions, offices, documents, addresses, relations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    properties: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Link {
    /// The values of a property, sorted.
    pub(super) fn values(&self, property: &str) -> impl Iterator<Item = &String> {
        self.properties.get(property).into_iter().flatten()
    }

    /// The first value of the first of these properties that has one.
    pub(super) fn first(&self, properties: &[&str]) -> Option<&String> {
        properties.iter().find_map(|it| self.values(it).next())
    }

    /// The value of a property that has exactly one.
    pub(super) fn single(&self, property: &str) -> Option<&String> {
        let mut values = self.values(property);
        values.next().filter(|_| values.next().is_none())
    }
}

/// A record from the view of an entry.
pub(super) struct Joined<'a> {
    pub(super) schema: &'static str,
    pub(super) link: &'a Link,
    /// For a relation: the identifiers of the other entries, and what they are to this one.
    pub(super) others: Option<(BTreeSet<&'a str>, RelationKind)>,
    /// Whether the stated role is the role of this entry.
    pub(super) has_role: bool,
}

/// All records that are joined to entries.
#[derive(Default)]
pub(super) struct Links {
    /// By schema and identifier.
    records: HashMap<&'static str, HashMap<String, Link>>,
    /// Schemas and identifiers of the records of an entry.
    of_entry: HashMap<String, BTreeSet<(usize, String)>>,
}

impl Links {
    /// Keeps the record, if it is joined to entries. Records with the same identifier are merged.
    pub(super) fn add(&mut self, record: &Record) -> bool {
        let Some(schema) = SCHEMAS.iter().find(|it| it.name == record.schema) else { return false };
        let link =
            self.records.entry(schema.name).or_default().entry(record.id.clone()).or_default();
        for property in schema.ends.iter().map(|it| it.property).chain(schema.kept.iter().copied())
        {
            let values: Vec<String> = record.values(property).collect();
            if !values.is_empty() {
                link.properties.entry(property).or_default().extend(values);
            }
        }
        let caption = record.caption.clone().filter(|_| schema.kept.contains(&"name"));
        if let Some(caption) = caption {
            link.properties.entry("caption").or_default().insert(caption);
        }
        true
    }

    /// Whether records of this schema are joined to entries.
    pub(super) fn is_link(&self, schema: &str) -> bool {
        SCHEMAS.iter().any(|it| it.name == schema)
    }

    /// Finds the entries of all records. To be called when all records are known.
    pub(super) fn connect(&mut self) {
        for (at, schema) in SCHEMAS.iter().enumerate() {
            for (id, link) in self.records.get(schema.name).into_iter().flatten() {
                for entry in schema.ends.iter().flat_map(|it| link.values(it.property)) {
                    let of_entry = self.of_entry.entry(entry.clone()).or_default();
                    of_entry.insert((at, id.clone()));
                }
            }
        }
    }

    /// The record of this schema with this identifier.
    pub(super) fn get(&self, schema: &str, id: &str) -> Option<&Link> {
        self.records.get(schema)?.get(id)
    }

    /// The records of an entry, with one item for each property that points to it.
    pub(super) fn of<'a>(&'a self, entry: &'a str) -> impl Iterator<Item = Joined<'a>> {
        let records = self.of_entry.get(entry).into_iter().flatten();
        records.flat_map(move |(at, id)| {
            let schema = &SCHEMAS[*at];
            let link = self.get(schema.name, id);
            let points_here = move |end: &&End| {
                link.is_some_and(|it| it.values(end.property).any(|it| it == entry))
            };
            schema.ends.iter().filter(points_here).filter_map(move |end| {
                let link = link?;
                let others = end.other.map(|(property, kind)| {
                    (link.values(property).map(String::as_str).collect(), kind)
                });
                Some(Joined { schema: schema.name, link, others, has_role: end.has_role })
            })
        })
    }
}
