//! Builds the index.

use std::{collections::HashMap, ops::Range, path::Path};

use domain::collation::NameKey;
use tantivy::TantivyDocument;
use uuid::Uuid;

use super::{
    Role,
    groups::Groups,
    schema::{ROLES, SUMMARIES, schema},
    summary::{self as person, Relevance, sort_key},
};
use crate::{
    Error, segment,
    spool::{Place, Spool, Spooled},
    stored,
};

/// Collects roles, each once and in any order, and writes the index of the persons.
#[derive(Default)]
pub struct Builder {
    rows: Vec<Row>,
    roles: Spool,
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

/// What is in memory of a role until all are known.
struct Row {
    id: Uuid,
    /// The group of its person.
    group: u32,
    role: Place,
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

    /// Adds a role. Keeps about 40 bytes in memory.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, role: &Role) -> Result<(), Error> {
        let id = role.mandate.person_id;
        self.rows.push(Row { id, group: 0, role: self.roles.push(role)? });
        Ok(())
    }

    /// Declares that two ids belong to the same person. Declarations are transitive and may come in any order.
    pub fn same(&mut self, one: Uuid, other: Uuid) {
        self.groups.unite(one, other);
    }

    /// Writes the index into an empty directory, which is created if it does not exist.
    ///
    /// Reads the roles twice, first to sort the persons, then to write them, because the index data of all
    /// persons would not fit in memory.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        let members = self.group();
        let spooled = std::mem::take(&mut self.roles).finish()?;
        let mut entries = self.entries(&members, &spooled)?;
        rank_names(&mut entries);
        entries.sort_unstable_by(|one, other| one.relevance.cmp(&other.relevance));

        segment::create(directory)?;
        let failed = |it| Error::unwritable(directory, it);
        let create = |it: &str| stored::Writer::create(&directory.join(it)).map_err(failed);
        let (mut summaries, mut all_roles) = (create(SUMMARIES)?, create(ROLES)?);
        let rows = &self.rows;
        let mut write = |it: &Entry| -> Result<Option<TantivyDocument>, Error> {
            let of_one = &rows[it.rows.clone()];
            let (roles, json): (Vec<_>, Vec<_>) = read(of_one, &spooled)?.into_iter().unzip();
            let Some(summary) = person::Summary::new(ids(of_one, &members), &roles) else {
                return Ok(None);
            };
            summaries.push(&summary).map_err(failed)?;
            all_roles.push_json(&list(&json)).map_err(failed)?;
            Ok(Some(summary.document(&roles, it.name_rank)))
        };
        let persons = entries.iter().filter_map(|it| write(it).transpose());
        let mut bytes = segment::write(directory, schema(), persons)?;
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
    fn entries(
        &mut self,
        members: &HashMap<u32, Vec<Uuid>>,
        spooled: &Spooled,
    ) -> Result<Vec<Entry>, Error> {
        let mut end = 0;
        let mut entries = Vec::new();
        for rows in self.rows.chunk_by_mut(|one, other| one.group == other.group) {
            let start = end;
            end += rows.len();
            let roles = sort(rows, spooled)?;
            if let Some(summary) = person::Summary::new(ids(rows, members), &roles) {
                let relevance = summary.relevance();
                entries.push(Entry { relevance, name_rank: 0, rows: start..end });
            }
        }
        Ok(entries)
    }
}

/// All ids of the person with these roles.
fn ids(rows: &[Row], members: &HashMap<u32, Vec<Uuid>>) -> Vec<Uuid> {
    let first = rows.first();
    let several = first.and_then(|it| members.get(&it.group)).cloned();
    several.unwrap_or_else(|| first.map(|it| it.id).into_iter().collect())
}

/// The roles of these rows, each with its JSON.
fn read(rows: &[Row], spooled: &Spooled) -> Result<Vec<(Role, Vec<u8>)>, Error> {
    #[expect(clippy::expect_used, reason = "what was written is read")]
    let role = |json: &[u8]| serde_json::from_slice(json).expect("a role");
    let read = |it: &Row| spooled.get(it.role).map(|json| (role(&json), json));
    rows.iter().map(read).collect()
}

/// Sorts the rows and returns their roles. Equal roles are ordered by their JSON, so that the result does not
/// depend on the order of insertion.
fn sort(rows: &mut [Row], spooled: &Spooled) -> Result<Vec<Role>, Error> {
    let places: Vec<Place> = rows.iter().map(|it| it.role).collect();
    let mut sorted: Vec<_> = read(rows, spooled)?.into_iter().zip(places).collect();
    sorted.sort_by(|((one, one_json), _), ((other, other_json), _)| {
        sort_key(one).cmp(&sort_key(other)).then_with(|| one_json.cmp(other_json))
    });
    let put_back = |(row, ((role, _), place)): (&mut Row, ((Role, Vec<u8>), Place))| {
        row.role = place;
        role
    };
    Ok(rows.iter_mut().zip(sorted).map(put_back).collect())
}

/// The roles as one list.
fn list(roles: &[Vec<u8>]) -> Vec<u8> {
    [b"[", roles.join(&b","[..]).as_slice(), b"]"].concat()
}

/// Numbers the names in alphabetical order, from 1; equal names share a number. Names without letters and
/// digits get none.
fn rank_names(entries: &mut [Entry]) {
    fn name(entry: &Entry) -> &NameKey {
        &entry.relevance.3
    }
    entries.sort_unstable_by(|one, other| name(one).cmp(name(other)));
    let named = entries.partition_point(|it| name(it).is_empty());
    let equal = entries[named..].chunk_by_mut(|one, other| name(one) == name(other));
    for (rank, equal) in (1..).zip(equal) {
        equal.iter_mut().for_each(|it| it.name_rank = rank);
    }
}
