//! A selection of rows.

/// A set of rows of a table, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    words: Vec<u64>,
    len: usize,
}

impl Rows {
    /// The first `count` rows: all rows of a table with so many.
    pub fn all(count: u32) -> Self {
        (0..count).collect()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no row is selected.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a row is selected.
    pub fn contains(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|it| it >> (row % 64) & 1 == 1)
    }

    /// The rows, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words
            .iter()
            .zip(0_u32..)
            .flat_map(|(word, at)| Bits(*word).map(move |it| at * 64 + it))
    }

    /// Those of the rows that meet a condition.
    #[must_use]
    pub fn filter(&self, condition: impl Fn(u32) -> bool) -> Self {
        self.iter().filter(|it| condition(*it)).collect()
    }

    fn insert(&mut self, row: u32) {
        let word = row as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1 << (row % 64);
        self.len += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }
}

impl FromIterator<u32> for Rows {
    fn from_iter<I: IntoIterator<Item = u32>>(rows: I) -> Self {
        let mut selection = Self::default();
        for row in rows {
            selection.insert(row);
        }
        selection
    }
}

/// The positions of the bits of a word.
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let position = (self.0 != 0).then(|| self.0.trailing_zeros())?;
        self.0 &= self.0 - 1;
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn rows_are_a_sorted_set(rows in prop::collection::vec(0_u32..300, 0..200)) {
            let set: BTreeSet<u32> = rows.iter().copied().collect();
            let selection: Rows = rows.into_iter().collect();
            prop_assert!(selection.iter().eq(set.iter().copied()));
            prop_assert_eq!(selection.len(), set.len());
            prop_assert_eq!(selection.is_empty(), set.is_empty());
            prop_assert!((0..400).all(|it| selection.contains(it) == set.contains(&it)));
            let even = selection.filter(|it| it % 2 == 0);
            prop_assert!(even.iter().eq(set.into_iter().filter(|it| it % 2 == 0)));
        }
    }

    #[test]
    fn all_rows_of_an_empty_table_are_none() {
        assert!(Rows::all(0).is_empty());
        assert_eq!(Rows::all(65).iter().last(), Some(64));
    }
}
