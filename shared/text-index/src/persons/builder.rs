//! Builds the index.

use std::{collections::HashMap, ops::Range, path::Path};

use uuid::Uuid;

use super::{
    Role,
    groups::Groups,
    schema::{ROLES, SUMMARIES, schema},
    summary::{self as person, Relevance, sort_key},
};
use crate::{Error, segment, stored};

/// Collects roles, each once and in any order, and writes the index of the persons.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
    groups: Groups,
}

/// Summary of a written index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Number of persons, including firms that hold a role.
    pub persons: u64,
    pub roles: u64,
    /// Total size of the files in bytes.
    pub bytes: u64,
}

/// A role as JSON, and the group of its person.
struct Row {
    id: Uuid,
    group: u32,
    json: Box<[u8]>,
}

/// A person with its roles.
struct Entry {
    relevance: Relevance,
    name_rank: u64,
    /// Position of its roles.
    rows: Range<usize>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a role. Keeps its JSON in memory, about 500 bytes.
    #[expect(clippy::expect_used, reason = "a role always serialises")]
    pub fn push(&mut self, role: &Role) {
        let json = serde_json::to_vec(role).expect("plain data").into();
        self.rows.push(Row { id: role.mandate.person_id, group: 0, json });
    }

    /// Declares that two ids belong to the same person. Declarations are transitive and may come in any order.
    pub fn same(&mut self, one: Uuid, other: Uuid) {
        self.groups.unite(one, other);
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    ///
    /// Reads the roles twice, first to sort the persons, then to write them, because the index data of all
    /// persons would not fit in memory next to the roles.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        let members = self.group();
        let mut entries = self.entries(&members);
        rank_names(&mut entries);
        entries.sort_unstable_by(|one, other| one.relevance.cmp(&other.relevance));

        segment::create(directory)?;
        let failed = |it| Error::unwritable(directory, it);
        let create = |it: &str| stored::Writer::create(&directory.join(it)).map_err(failed);
        let (mut summaries, mut all_roles) = (create(SUMMARIES)?, create(ROLES)?);
        let rows = &self.rows;
        let mut stored = Ok(());
        let persons = entries.iter().filter_map(|it| {
            let of_one = &rows[it.rows.clone()];
            let roles = read(of_one);
            let summary = person::Summary::new(ids(of_one, &members), &roles)?;
            if stored.is_ok() {
                stored = summaries.push(&summary).and_then(|()| all_roles.push_json(&json(of_one)));
            }
            Some(summary.document(&roles, it.name_rank))
        });
        let mut bytes = segment::write(directory, schema(), persons)?;
        stored.map_err(failed)?;
        for records in [summaries, all_roles] {
            bytes += records.finish().map_err(failed)?;
        }
        Ok(Summary { persons: entries.len() as u64, roles: rows.len() as u64, bytes })
    }

    /// Sorts the roles by group. Returns the ids of groups with several ids.
    fn group(&mut self) -> HashMap<u32, Vec<Uuid>> {
        for row in &mut self.rows {
            row.group = self.groups.group(row.id);
        }
        self.rows.sort_unstable_by_key(|it| (it.group, it.id));
        std::mem::take(&mut self.groups).members()
    }

    /// Sorts the roles of each person and returns the persons.
    fn entries(&mut self, members: &HashMap<u32, Vec<Uuid>>) -> Vec<Entry> {
        let mut end = 0;
        let of_one_person = self.rows.chunk_by_mut(|one, other| one.group == other.group);
        of_one_person
            .filter_map(|rows| {
                let start = end;
                end += rows.len();
                let relevance = person::Summary::new(ids(rows, members), &sort(rows))?.relevance();
                Some(Entry { relevance, name_rank: 0, rows: start..end })
            })
            .collect()
    }
}

/// All ids of the person with these roles.
fn ids(rows: &[Row], members: &HashMap<u32, Vec<Uuid>>) -> Vec<Uuid> {
    let first = rows.first();
    let several = first.and_then(|it| members.get(&it.group)).cloned();
    several.unwrap_or_else(|| first.map(|it| it.id).into_iter().collect())
}

#[expect(clippy::expect_used, reason = "what was written is read")]
fn read(rows: &[Row]) -> Vec<Role> {
    let role = |it: &Row| serde_json::from_slice(&it.json).expect("a role");
    rows.iter().map(role).collect()
}

/// Sorts the rows and returns their roles. Equal roles are ordered by their JSON, so that the result does not
/// depend on the order of insertion.
fn sort(rows: &mut [Row]) -> Vec<Role> {
    let mut sorted: Vec<(Role, Box<[u8]>)> = read(rows)
        .into_iter()
        .zip(rows.iter_mut().map(|it| std::mem::take(&mut it.json)))
        .collect();
    sorted.sort_by(|(one, one_json), (other, other_json)| {
        sort_key(one).cmp(&sort_key(other)).then_with(|| one_json.cmp(other_json))
    });
    let put_back = |(row, (role, json)): (&mut Row, (Role, Box<[u8]>))| {
        row.json = json;
        role
    };
    rows.iter_mut().zip(sorted).map(put_back).collect()
}

/// The roles as one list.
fn json(rows: &[Row]) -> Vec<u8> {
    let roles: Vec<&[u8]> = rows.iter().map(|it| &*it.json).collect();
    [b"[", roles.join(&b","[..]).as_slice(), b"]"].concat()
}

/// Numbers the names in alphabetical order, from 1; equal names share a number. Names without letters and
/// digits get none.
fn rank_names(entries: &mut [Entry]) {
    fn name(entry: &Entry) -> &str {
        &entry.relevance.3
    }
    entries.sort_unstable_by(|one, other| name(one).cmp(name(other)));
    let named = entries.partition_point(|it| name(it).is_empty());
    let equal = entries[named..].chunk_by_mut(|one, other| name(one) == name(other));
    for (rank, equal) in (1..).zip(equal) {
        equal.iter_mut().for_each(|it| it.name_rank = rank);
    }
}
