//! How the index is made.

use std::{collections::HashMap, ops::Range, path::Path};

use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    Role,
    groups::Groups,
    schema::{ROLES, Roles, roles_schema, schema},
    summary::{self as person, Relevance, place},
};
use crate::{Error, layout::Fields, segment};

/// Takes every role once, in any order, and writes the index of those who have them.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
    groups: Groups,
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Firms that hold an office among them.
    pub persons: u64,
    pub roles: u64,
    /// All files together.
    pub bytes: u64,
}

/// A role as JSON, and whose it is.
struct Row {
    id: Uuid,
    group: u32,
    json: Box<[u8]>,
}

/// A person among the others.
struct Entry {
    relevance: Relevance,
    name_rank: u64,
    /// Where its roles are.
    rows: Range<usize>,
}

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the role: what its JSON takes, about 500 bytes.
    #[expect(clippy::expect_used, reason = "a role always serialises")]
    pub fn push(&mut self, role: &Role) {
        let json = serde_json::to_vec(role).expect("plain data").into();
        self.rows.push(Row { id: role.mandate.person_id, group: 0, json });
    }

    /// Says that two ids are one human, because a notice does. What is said of three or more adds
    /// up, in any order.
    pub fn same(&mut self, one: Uuid, other: Uuid) {
        self.groups.unite(one, other);
    }

    /// Writes the index into an empty directory, which is made if there is none.
    ///
    /// The roles are read twice, to find everybody's place and to write everybody there: what is
    /// indexed of all would not fit beside them.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        let members = self.group();
        let mut entries = self.entries(&members);
        rank_names(&mut entries);
        entries.sort_unstable_by(|one, other| one.relevance.cmp(&other.relevance));

        let rows = &self.rows;
        let persons = entries.iter().filter_map(|it| {
            let of_one = &rows[it.rows.clone()];
            let roles = read(of_one);
            let summary = person::Summary::new(ids(of_one, &members), &roles)?;
            Some(summary.document(&roles, it.name_rank))
        });
        let bytes = segment::write(directory, schema(), persons)?;
        let roles = entries.iter().map(|it| roles_document(&rows[it.rows.clone()]));
        let more_bytes = segment::write(&directory.join(ROLES), roles_schema(), roles)?;
        Ok(Summary {
            persons: entries.len() as u64,
            roles: rows.len() as u64,
            bytes: bytes + more_bytes,
        })
    }

    /// Brings the roles of each group together, and answers the ids of those that have several.
    fn group(&mut self) -> HashMap<u32, Vec<Uuid>> {
        for row in &mut self.rows {
            row.group = self.groups.group(row.id);
        }
        self.rows.sort_unstable_by_key(|it| (it.group, it.id));
        std::mem::take(&mut self.groups).members()
    }

    /// Everybody, after the roles of each are in their order.
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

/// All ids of the person whose roles these are.
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

/// The roles, in their order from now on. The outcome must not depend on the order of pushing, so
/// the JSON decides between equals.
fn sort(rows: &mut [Row]) -> Vec<Role> {
    let mut sorted: Vec<(Role, Box<[u8]>)> = read(rows)
        .into_iter()
        .zip(rows.iter_mut().map(|it| std::mem::take(&mut it.json)))
        .collect();
    sorted.sort_by(|(one, one_json), (other, other_json)| {
        place(one).cmp(&place(other)).then_with(|| one_json.cmp(other_json))
    });
    let put_back = |(row, (role, json)): (&mut Row, (Role, Box<[u8]>))| {
        row.json = json;
        role
    };
    rows.iter_mut().zip(sorted).map(put_back).collect()
}

fn roles_document(rows: &[Row]) -> TantivyDocument {
    let roles: Vec<&[u8]> = rows.iter().map(|it| &*it.json).collect();
    let json = [b"[", roles.join(&b","[..]).as_slice(), b"]"].concat();
    let mut document = TantivyDocument::default();
    document.add_bytes(Roles::Roles.field(), &json);
    document
}

/// Gives every name its place among all names, from 1; equal names share one. A name without a
/// letter or digit has none.
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
