//! An index that finds the subjects that may match, so that few of a list must be compared.

use crate::{keys::keys, prepared::Prepared};

/// The number of candidates of a query, those that share the rarest keys first.
pub const MOST_CANDIDATES: usize = 300;

/// The number of entries that a query reads. Keys that are rarer are read first, so that frequent ones cannot take long.
const MOST_ENTRIES: usize = 40_000;

/// An index of subjects by their [`keys`]. Immutable; 4 bytes for each key of a subject, and 8 for each different key.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// The different keys in ascending order.
    keys: Box<[u32]>,
    /// Where the subjects of each key start in `subjects`; one more than there are keys.
    starts: Box<[u32]>,
    subjects: Box<[u32]>,
    count: u32,
}

impl Candidates {
    /// Builds the index. The id of a subject is its position.
    pub fn new<'a>(subjects: impl IntoIterator<Item = &'a Prepared>) -> Self {
        let mut entries: Vec<u64> = Vec::new();
        let mut count = 0;
        for subject in subjects {
            entries.extend(keys(subject).map(|key| u64::from(key) << 32 | u64::from(count)));
            count += 1;
        }
        entries.sort_unstable();
        let (mut keys, mut starts) = (Vec::new(), Vec::new());
        for (at, entry) in (0..).zip(&entries) {
            let key = (entry >> 32) as u32;
            if keys.last() != Some(&key) {
                keys.push(key);
                starts.push(at);
            }
        }
        starts.push(entries.len() as u32);
        let subjects = entries.iter().map(|entry| *entry as u32).collect();
        Self { keys: keys.into(), starts: starts.into(), subjects, count }
    }

    /// The ids of at most [`MOST_CANDIDATES`] subjects that may match, the most probable first.
    pub fn find(&self, query: &Prepared) -> Vec<u32> {
        let mut lists: Vec<&[u32]> = keys(query).filter_map(|key| self.subjects_of(key)).collect();
        lists.sort_by_key(|it| it.len());
        let mut weights = vec![0_u16; self.count as usize];
        let mut found = Vec::new();
        let mut entries = 0;
        for list in lists {
            entries += list.len();
            if entries > MOST_ENTRIES && !found.is_empty() {
                break;
            }
            // The square of the rarity in bits, because one rare key says more than several frequent ones.
            let bits = (self.count as f32 / list.len() as f32).log2();
            let weight = (bits * bits * 4.0) as u16 + 1;
            for &subject in list {
                let sum = &mut weights[subject as usize];
                if *sum == 0 {
                    found.push(subject);
                }
                *sum = sum.saturating_add(weight);
            }
        }
        let order = |it: &u32| (std::cmp::Reverse(weights[*it as usize]), *it);
        if found.len() > MOST_CANDIDATES {
            found.select_nth_unstable_by_key(MOST_CANDIDATES, order);
            found.truncate(MOST_CANDIDATES);
        }
        found.sort_unstable_by_key(order);
        found
    }

    fn subjects_of(&self, key: u32) -> Option<&[u32]> {
        let at = self.keys.binary_search(&key).ok()?;
        self.subjects.get(self.starts[at] as usize..self.starts[at + 1] as usize)
    }
}
