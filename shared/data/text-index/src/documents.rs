//! Sets of documents with one bit per document: 100 kB for 790,000 companies. Set operations take
//! microseconds.

use std::ops::Range;

/// A set of documents of one index, iterated in document order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Documents {
    words: Vec<u64>,
    /// Number of documents in the index.
    of: u32,
}

/// Number of documents per word of the bit set.
pub(crate) const WORD: u32 = u64::BITS;

impl Documents {
    pub(crate) fn none(of: u32) -> Self {
        Self { words: vec![0; of.div_ceil(WORD) as usize], of }
    }

    /// The empty set for the same index.
    pub(crate) fn emptied(&self) -> Self {
        Self::none(self.of)
    }

    /// The documents in this range.
    pub(crate) fn from_range(range: Range<u32>, of: u32) -> Self {
        let up_to = |end: u32| {
            let mut set = Self::none(of);
            let (whole, rest) = ((end / WORD) as usize, end % WORD);
            set.words[..whole].fill(u64::MAX);
            if rest > 0 {
                set.words[whole] = (1 << rest) - 1;
            }
            set
        };
        let mut set = up_to(range.end.min(of));
        set.subtract(&up_to(range.start.min(of)));
        set
    }

    /// Adds a document. Ignores documents that the index does not have.
    pub(crate) fn insert(&mut self, document: u32) {
        if document < self.of {
            self.words[(document / WORD) as usize] |= 1 << (document % WORD);
        }
    }

    pub(crate) fn remove(&mut self, document: u32) {
        if document < self.of {
            self.words[(document / WORD) as usize] &= !(1 << (document % WORD));
        }
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    pub(crate) fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    pub(crate) fn count(&self) -> u64 {
        self.words.iter().map(|it| u64::from(it.count_ones())).sum()
    }

    /// The documents in order, most relevant first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..)
            .step_by(WORD as usize)
            .zip(&self.words)
            .flat_map(|(first, word)| ones(*word).map(move |it| first + it))
    }

    /// The bits of the set, `WORD` documents each.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }
}

/// Positions of the set bits, lowest first.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        place
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(of: u32, documents: &BTreeSet<u32>) -> Documents {
        let mut set = Documents::none(of);
        documents.iter().for_each(|it| set.insert(*it));
        set
    }

    #[test]
    fn range_contains_the_documents_between_its_bounds() {
        for of in [0, 1, 63, 64, 65, 130] {
            for (start, end) in [(0, of), (0, 64), (1, 65), (63, 64), (64, 64), (3, 500)] {
                let range = Documents::from_range(start..end, of);
                assert!(range.iter().eq(start.min(of)..end.min(of)), "{start}..{end} of {of}");
            }
        }
    }

    #[test]
    fn documents_beyond_the_index_are_ignored() {
        let mut none = Documents::none(65);
        none.insert(65);
        none.insert(u32::MAX);
        none.remove(65);
        assert_eq!(none.count(), 0);
    }

    proptest! {
        #[test]
        fn set_operations_match_those_of_a_btree_set(
            one in proptest::collection::btree_set(0u32..200, 0..40),
            other in proptest::collection::btree_set(0u32..200, 0..40),
        ) {
            let both = |change: fn(&mut Documents, &Documents)| {
                let mut changed = set(200, &one);
                change(&mut changed, &set(200, &other));
                changed.iter().collect::<BTreeSet<_>>()
            };
            prop_assert_eq!(both(Documents::unite), &one | &other);
            prop_assert_eq!(both(Documents::intersect), &one & &other);
            prop_assert_eq!(both(Documents::subtract), &one - &other);
            prop_assert_eq!(set(200, &one).count(), one.len() as u64);
            prop_assert!(set(200, &one).iter().eq(one.iter().copied()));
        }
    }
}
