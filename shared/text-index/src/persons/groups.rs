//! Which ids are one human.

use std::collections::HashMap;

use uuid::Uuid;

/// Ids that are united where a notice says that two are one (union-find).
#[derive(Default)]
pub(crate) struct Groups {
    ids: Vec<Uuid>,
    places: HashMap<Uuid, u32>,
    /// The way from a place to the first of its group, which is its own parent.
    parents: Vec<u32>,
}

impl Groups {
    pub(crate) fn unite(&mut self, one: Uuid, other: Uuid) {
        let (one, other) = (self.place(one), self.place(other));
        let (one, other) = (self.first(one), self.first(other));
        // Whichever came earlier leads: the order of the evidence does not matter for who belongs
        // to whom.
        self.parents[one.max(other) as usize] = one.min(other);
    }

    /// The number of the group that an id belongs to; its own where nothing unites it.
    pub(crate) fn group(&mut self, id: Uuid) -> u32 {
        let place = self.place(id);
        self.first(place)
    }

    /// The ids of every group of several, by its number.
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
            // Every second step is saved the next time.
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
        fn whoever_is_linked_over_any_way_is_one(
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
