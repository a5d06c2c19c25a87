//! Groups of ids that belong to the same person.

use std::collections::HashMap;

use uuid::Uuid;

/// Groups of ids that publications prove to be the same person (union-find).
#[derive(Default)]
pub(crate) struct Groups {
    ids: Vec<Uuid>,
    places: HashMap<Uuid, u32>,
    /// Position of the parent of each id. The first id of a group is its own parent.
    parents: Vec<u32>,
}

impl Groups {
    pub(crate) fn unite(&mut self, one: Uuid, other: Uuid) {
        let (one, other) = (self.place(one), self.place(other));
        let (one, other) = (self.first(one), self.first(other));
        // The earlier id leads. The groups do not depend on the order of the evidence.
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// Number of the group of an id.
    pub(crate) fn group(&mut self, id: Uuid) -> u32 {
        let place = self.place(id);
        self.first(place)
    }

    /// Ids by group number, for groups with several ids.
    pub(crate) fn members(&mut self) -> HashMap<u32, Vec<Uuid>> {
        let mut members: HashMap<u32, Vec<Uuid>> = HashMap::new();
        for place in 0..self.ids.len() as u32 {
            let first = self.first(place);
            if first != place {
                members.entry(first).or_default().push(self.ids[place as usize]);
            }
        }
        for (first, members) in &mut members {
            members.push(self.ids[*first as usize]);
        }
        members
    }

    fn place(&mut self, id: Uuid) -> u32 {
        let next = self.ids.len() as u32;
        let place = *self.places.entry(id).or_insert(next);
        if place == next {
            self.ids.push(id);
            self.parents.push(next);
        }
        place
    }

    fn first(&mut self, place: u32) -> u32 {
        let mut at = place;
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
