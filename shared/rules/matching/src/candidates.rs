//! An index that finds the subjects that may match, so that few of a list must be compared.

use crate::{
    Kind,
    keys::{birth_keys, identifier_keys, indexed_keys, keys},
    prepared::Prepared,
};

/// Maximum number of candidates of a query, those that share the rarest keys first. Of 300,000 invented names, they contain
/// 99.7 % of the originals of changed names, and about 98 % of all that the matcher calls a match, also by chance.
pub const MAX_CANDIDATES: usize = 850;

/// The same for [`Candidates::find_probable`], of which the matches are among the first.
const MAX_PROBABLE: usize = 300;

/// The number of subjects of an index below which all candidates are probable enough: there are few of them.
const FEW_SUBJECTS: u32 = 10_000;

/// The part of the weight of a query that a candidate shares at least with it, so that one in a thousand of those that reach
/// the threshold has less. Measured with 150,000 invented entries and their perturbed names.
fn least_share(kind: Kind, threshold: f64) -> f32 {
    match (kind, threshold) {
        (_, 0.9..) => 0.08,
        (Kind::Organisation, 0.8..) => 0.06,
        _ => 0.0,
    }
}

/// Maximum number of entries that a query reads. Keys that are rarer are read first, so that frequent ones cannot take long.
const MAX_ENTRIES: usize = 80_000;

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
            let keys = indexed_keys(subject).into_iter();
            entries.extend(keys.map(|key| u64::from(key) << 32 | u64::from(count)));
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

    /// The ids of at most [`MAX_CANDIDATES`] subjects that may match, the most probable first.
    pub fn find(&self, query: &Prepared) -> Vec<u32> {
        if self.count == 0 {
            return Vec::new();
        }
        self.best(query, 0.0, MAX_CANDIDATES)
    }

    /// As [`Candidates::find`], without those that share so few rare keys that hardly any of them reaches `threshold`. For
    /// very many queries: several times fewer candidates, of which one in a thousand would reach it.
    pub fn find_probable(&self, query: &Prepared, threshold: f64) -> Vec<u32> {
        let share = least_share(query.kind, threshold);
        if share == 0.0 || self.count < FEW_SUBJECTS {
            return self.find(query);
        }
        self.best(query, share, MAX_PROBABLE)
    }

    /// At most `most` candidates that share at least this part of the weight of the query's keys, and those with an equal
    /// number, which come first, although they may share nothing else. Then come those who were born in the same year: of very
    /// many with one name, not all are compared.
    fn best(&self, query: &Prepared, share: f32, most: usize) -> Vec<u32> {
        let (mut found, weights, whole) = self.weighed(query);
        // Another name of the query may be the one that agrees.
        let least = share * whole / query.names.len().max(1) as f32;
        let by_number = self.sharing(&identifier_keys(query));
        let by_birth = self.sharing(&birth_keys(query));
        found.extend(by_number.iter().filter(|it| weights[**it as usize] == 0));
        found.retain(|it| {
            f32::from(weights[*it as usize]) >= least || by_number.binary_search(it).is_ok()
        });
        let is_in = |subjects: &[u32], it: &u32| subjects.binary_search(it).is_ok();
        let order = |it: &u32| {
            let weight = std::cmp::Reverse(weights[*it as usize]);
            (!is_in(&by_number, it), weight, !is_in(&by_birth, it), *it)
        };
        if found.len() > most {
            found.select_nth_unstable_by_key(most, order);
            found.truncate(most);
        }
        found.sort_unstable_by_key(order);
        found
    }

    /// Subjects with one of these keys, in ascending order.
    fn sharing(&self, keys: &[u32]) -> Vec<u32> {
        let mut subjects: Vec<u32> =
            keys.iter().filter_map(|it| self.subjects_of(*it)).flatten().copied().collect();
        subjects.sort_unstable();
        subjects.dedup();
        subjects
    }

    /// Subjects that share keys with the query; the weight of each subject; the weight of all keys of the query, of which those
    /// that no subject has count as those of one.
    fn weighed(&self, query: &Prepared) -> (Vec<u32>, Vec<u16>, f32) {
        let mut lists: Vec<&[u32]> = Vec::new();
        let mut unknown = 0;
        for key in keys(query) {
            match self.subjects_of(key) {
                Some(list) => lists.push(list),
                None => unknown += 1,
            }
        }
        lists.sort_by_key(|it| it.len());
        let weight_of = |subjects: usize| {
            // The square of the rarity in bits, because one rare key says more than several frequent ones.
            let bits = (self.count as f32 / subjects as f32).log2();
            ((bits * bits * 4.0) as u16).saturating_add(1)
        };
        let mut whole = f32::from(weight_of(1)) * unknown as f32;
        let mut weights = vec![0_u16; self.count as usize];
        let mut found = Vec::new();
        let mut entries = 0;
        for list in lists {
            entries += list.len();
            if entries > MAX_ENTRIES && !found.is_empty() {
                break;
            }
            let weight = weight_of(list.len());
            whole += f32::from(weight);
            for &subject in list {
                let sum = &mut weights[subject as usize];
                if *sum == 0 {
                    found.push(subject);
                }
                *sum = sum.saturating_add(weight);
            }
        }
        (found, weights, whole)
    }

    fn subjects_of(&self, key: u32) -> Option<&[u32]> {
        let at = self.keys.binary_search(&key).ok()?;
        self.subjects.get(self.starts[at] as usize..self.starts[at + 1] as usize)
    }
}
