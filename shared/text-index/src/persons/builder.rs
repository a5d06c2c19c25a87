//! How the index is made.

use std::path::Path;

use uuid::Uuid;

use super::{Role, draft::Draft, groups::Groups, schema::schema};
use crate::{Error, segment};

/// Takes every role once, in any order, and writes the index of those who have them.
#[derive(Default)]
pub struct Builder {
    roles: Vec<(Uuid, Box<[u8]>)>,
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

impl Builder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the role: what its JSON takes, about 500 bytes.
    #[expect(clippy::expect_used, reason = "a role always serialises")]
    pub fn push(&mut self, role: &Role) {
        let json = serde_json::to_vec(role).expect("plain data");
        self.roles.push((role.mandate.person_id, json.into()));
    }

    /// Says that two ids are one human, because a notice does. What is said of three or more adds
    /// up, in any order.
    pub fn same(&mut self, one: Uuid, other: Uuid) {
        self.groups.unite(one, other);
    }

    /// Writes the index into an empty directory, which is made if there is none.
    pub fn finish(mut self, directory: &Path) -> Result<Summary, Error> {
        let roles = self.roles.len() as u64;
        let mut persons = self.persons();
        persons.sort_unstable_by(|one, other| one.relevance().cmp(&other.relevance()));
        let ranks = ranks(&persons);
        let count = persons.len() as u64;
        let documents = persons.into_iter().zip(ranks).map(|(it, rank)| it.document(rank));
        let bytes = segment::write(directory, schema(), documents)?;
        Ok(Summary { persons: count, roles, bytes })
    }

    /// The roles of one group are those of one person.
    fn persons(&mut self) -> Vec<Draft> {
        let groups = &mut self.groups;
        let roles = std::mem::take(&mut self.roles).into_iter();
        let mut roles: Vec<_> =
            roles.map(|(id, json)| (groups.group(id), id, Some(json))).collect();
        roles.sort_unstable_by_key(|(group, id, _)| (*group, *id));
        let members = groups.members();
        let of_one_person = roles.chunk_by_mut(|(one, ..), (other, ..)| one == other);
        of_one_person
            .filter_map(|roles| {
                let (group, id, _) = roles.first()?;
                let ids = members.get(group).cloned().unwrap_or_else(|| vec![*id]);
                Draft::new(ids, roles.iter_mut().filter_map(|(.., json)| json.take()).collect())
            })
            .collect()
    }
}

/// The place of every name among all names, from 1; equal names share one. 0 for a name without a
/// letter or digit.
fn ranks(persons: &[Draft]) -> Vec<u64> {
    let mut by_name: Vec<usize> = (0..persons.len()).collect();
    by_name.sort_unstable_by_key(|it| &persons[*it].sorted_as);
    let mut ranks = vec![0; persons.len()];
    let named = by_name.into_iter().filter(|it| !persons[*it].sorted_as.is_empty());
    let named: Vec<usize> = named.collect();
    let equal = named.chunk_by(|one, next| persons[*one].sorted_as == persons[*next].sorted_as);
    for (rank, equal) in (1..).zip(equal) {
        equal.iter().for_each(|it| ranks[*it] = rank);
    }
    ranks
}
