use std::ops::Range;

use crate::{columns::Column, documents::Documents};

/// Collects the `wanted` smallest of many entries, sorted.
///
/// Memory grows with the number of wanted entries, time with the number of offered ones.
pub(crate) struct Best<T> {
    wanted: usize,
    entries: Vec<T>,
    /// Upper bound: only smaller entries are kept. Known once enough entries were offered.
    bar: Option<T>,
}

impl<T: Ord + Copy> Best<T> {
    pub(crate) fn new(wanted: usize) -> Self {
        Self { wanted, entries: Vec::new(), bar: None }
    }

    pub(crate) fn offer(&mut self, entry: T) {
        if self.wanted == 0 || self.bar.is_some_and(|bar| entry >= bar) {
            return;
        }
        self.entries.push(entry);
        if self.entries.len() >= self.wanted.saturating_mul(2) {
            let (_, last, _) = self.entries.select_nth_unstable(self.wanted - 1);
            self.bar = Some(*last);
            self.entries.truncate(self.wanted);
        }
    }

    /// Upper bound: entries that are not smaller are not kept. `None` while there is no bound.
    pub(crate) fn bar(&self) -> Option<T> {
        self.bar
    }

    pub(crate) fn into_sorted(self) -> Vec<T> {
        self.into_sorted_from(0)
    }

    /// The entries from this position on, sorted.
    pub(crate) fn into_sorted_from(mut self, start: usize) -> Vec<T> {
        // Only these entries are sorted: for a deep page, sorting all would take most of the time.
        let count = self.wanted.saturating_sub(start);
        if (1..self.entries.len()).contains(&start) {
            self.entries.select_nth_unstable(start);
        }
        self.entries.drain(..start.min(self.entries.len()));
        if count < self.entries.len() {
            self.entries.select_nth_unstable(count);
            self.entries.truncate(count);
        }
        self.entries.sort_unstable();
        self.entries
    }
}

/// These places of the documents, sorted by their number in a column, then by document. Documents whose
/// number is not known come last in both directions.
pub(crate) fn sorted_by(
    column: &Column,
    documents: &Documents,
    descending: bool,
    places: Range<usize>,
) -> Vec<u32> {
    let key = |value: u64| match value {
        0 => u64::MAX,
        known if descending => u64::MAX - known,
        known => known,
    };
    let mut best = Best::new(places.end);
    column.for_each(documents, |document, value| best.offer((key(value), document)));
    best.into_sorted_from(places.start).into_iter().map(|(_, document)| document).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keeps_the_smallest_entries_in_order(
            entries in proptest::collection::vec(0u32..50, 0..100),
            wanted in 0usize..120,
            start in 0usize..120,
        ) {
            let mut best = Best::new(wanted);
            entries.iter().for_each(|it| best.offer(*it));
            let mut sorted = entries;
            sorted.sort_unstable();
            sorted.truncate(wanted);
            sorted.drain(..start.min(sorted.len()));
            prop_assert_eq!(best.into_sorted_from(start), sorted);
        }
    }
}
