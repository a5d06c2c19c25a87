//! Groups of ids that belong to the same person.

use std::collections::HashMap;

use uuid::Uuid;

/// Groups of ids that publications prove to be the same person (union-find).
#[derive(Default)]
pub(crate) struct Groups {
    ids: Vec<Uuid>,
    indexes: HashMap<Uuid, u32>,
    /// Position of the parent of each id. The first id of a group is its own parent.
    parents: Vec<u32>,
}

impl Groups {
    pub(crate) fn unite(&mut self, one: Uuid, other: Uuid) {
        let (one, other) = (self.index(one), self.index(other));
        let (one, other) = (self.first(one), self.first(other));
        // The earlier id leads. The groups do not depend on the order of the evidence.
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// Number of the group of an id.
    pub(crate) fn group(&mut self, id: Uuid) -> u32 {
        let index = self.index(id);
        self.first(index)
    }

    /// Ids by group number, for groups with several ids.
    pub(crate) fn members(&mut self) -> HashMap<u32, Vec<Uuid>> {
        let mut members: HashMap<u32, Vec<Uuid>> = HashMap::new();
        for index in 0..self.ids.len() as u32 {
            let first = self.first(index);
            if first != index {
                members.entry(first).or_default().push(self.ids[index as usize]);
            }
        }
        for (first, members) in &mut members {
            members.push(self.ids[*first as usize]);
        }
        members
    }

    fn index(&mut self, id: Uuid) -> u32 {
        let next = self.ids.len() as u32;
        let index = *self.indexes.entry(id).or_insert(next);
        if index == next {
            self.ids.push(id);
            self.parents.push(next);
        }
        index
    }

    fn first(&mut self, index: u32) -> u32 {
        let mut at = index;
        while self.parents[at as usize] != at {
            // Path halving shortens later lookups.
            let parent = self.parents[at as usize];
            self.parents[at as usize] = self.parents[parent as usize];
            at = self.parents[at as usize];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ids_linked_directly_or_indirectly_form_one_group(
            pairs in proptest::collection::vec((0u128..12, 0u128..12), 0..12),
        ) {
            let mut groups = Groups::default();
            for (one, other) in &pairs {
                groups.unite(Uuid::from_u128(*one), Uuid::from_u128(*other));
            }
            for from in 0..12 {
                let mut reached = std::collections::BTreeSet::from([from]);
                for _ in 0..12 {
                    for (one, other) in &pairs {
                        if reached.contains(one) || reached.contains(other) {
                            reached.extend([*one, *other]);
                        }
                    }
                }
                let mut group = |it| groups.group(Uuid::from_u128(it));
                let together: Vec<u128> = (0..12).filter(|it| group(*it) == group(from)).collect();
                prop_assert!(reached.into_iter().eq(together));
            }
        }
    }
}
