//! Columns: numbers by document, read in blocks.

use std::sync::Arc;

use tantivy::columnar::{ColumnValues, EmptyColumnValues};

use crate::{
    codes::Codes,
    documents::{Documents, WORD, ones},
};

/// One number per document. 0 means "not known".
#[derive(Clone)]
pub(crate) struct Column {
    values: Arc<dyn ColumnValues<u64>>,
}

/// Any number of numbers per document.
pub(crate) struct Lists {
    /// `None` if no document has any.
    column: Option<tantivy::columnar::Column<u64>>,
}

impl Lists {
    pub(crate) fn new(column: Option<tantivy::columnar::Column<u64>>) -> Self {
        Self { column }
    }

    pub(crate) fn get(&self, document: u32) -> impl Iterator<Item = u64> {
        self.column.iter().flat_map(move |it| it.values_for_doc(document))
    }
}

/// Number of documents read at once.
const RUN: usize = 1024;

/// Minimum number of wanted documents in a run for which reading the whole run is faster.
const WORTH_A_RUN: u32 = 128;

impl Column {
    pub(crate) fn new(values: Arc<dyn ColumnValues<u64>>) -> Self {
        Self { values }
    }

    pub(crate) fn empty() -> Self {
        Self::new(Arc::new(EmptyColumnValues))
    }

    pub(crate) fn get(&self, document: u32) -> u64 {
        self.values.get_val(document)
    }

    /// Whether the number is 0 for all documents.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.max_value() == 0
    }

    /// The first document whose number satisfies a condition which all later documents satisfy too; the
    /// number of documents if there is none.
    pub(crate) fn first_that(&self, is: impl Fn(u64) -> bool) -> u32 {
        first_position(self.values.num_vals(), |it| is(self.get(it)))
    }

    /// Keeps the documents whose number is one of these codes. Without codes, keeps all.
    pub(crate) fn retain_any(&self, documents: &mut Documents, wanted: Codes) {
        if !wanted.is_empty() {
            self.retain(documents, |it| wanted.contains(it));
        }
    }

    /// Keeps the documents whose number satisfies a condition.
    pub(crate) fn retain(&self, documents: &mut Documents, wanted: impl Fn(u64) -> bool) {
        let mut run = [0; RUN];
        for (words, start) in documents.words_mut().chunks_mut(RUN / WORD as usize).zip(starts()) {
            if self.read_if_worth(words, start, &mut run) {
                for (word, values) in words.iter_mut().zip(run.chunks(WORD as usize)) {
                    let bits =
                        values.iter().rev().fold(0, |bits, it| bits << 1 | u64::from(wanted(*it)));
                    *word &= bits;
                }
                continue;
            }
            for (word, first) in words.iter_mut().zip((start..).step_by(WORD as usize)) {
                for place in ones(*word) {
                    if !wanted(self.get(first + place)) {
                        *word &= !(1 << place);
                    }
                }
            }
        }
    }

    /// Calls `show` with every document of a set and its number, in document order.
    pub(crate) fn for_each(&self, documents: &Documents, mut show: impl FnMut(u32, u64)) {
        let mut run = [0; RUN];
        for (words, start) in documents.words().chunks(RUN / WORD as usize).zip(starts()) {
            let as_a_whole = self.read_if_worth(words, start, &mut run);
            for (word, first) in words.iter().zip((start..).step_by(WORD as usize)) {
                for place in ones(*word) {
                    let document = first + place;
                    let value = if as_a_whole {
                        run[(document - start) as usize]
                    } else {
                        self.get(document)
                    };
                    show(document, value);
                }
            }
        }
    }

    /// Reads the whole run from `start` if enough of its documents are wanted. Returns whether it did.
    fn read_if_worth(&self, wanted: &[u64], start: u32, run: &mut [u64; RUN]) -> bool {
        if wanted.iter().map(|it| it.count_ones()).sum::<u32>() < WORTH_A_RUN {
            return false;
        }
        let length = RUN.min((self.values.num_vals() - start) as usize);
        self.values.get_range(u64::from(start), &mut run[..length]);
        true
    }
}

/// The first position below `count` that satisfies a condition which all later positions satisfy too;
/// `count` if there is none.
pub(crate) fn first_position(count: u32, is: impl Fn(u32) -> bool) -> u32 {
    let (mut before, mut from) = (0, count);
    while before < from {
        let middle = before + (from - before) / 2;
        if is(middle) {
            from = middle;
        } else {
            before = middle + 1;
        }
    }
    from
}

/// First document of each run.
fn starts() -> impl Iterator<Item = u32> {
    (0..).step_by(RUN)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::columnar::column_values::VecColumn;

    use super::*;

    proptest! {
        #[test]
        fn first_that_finds_the_boundary_in_a_sorted_column(
            mut values in proptest::collection::vec(0u64..10, 0..50),
            least in 0u64..12,
        ) {
            values.sort_unstable();
            let column = Column::new(Arc::new(VecColumn::from(values.clone())));
            let first = values.partition_point(|it| *it < least) as u32;
            prop_assert_eq!(column.first_that(|it| it >= least), first);
        }

        #[test]
        fn reading_in_runs_equals_reading_one_by_one(
            values in proptest::collection::vec(0u64..10, 0..3000),
            every in 1usize..30,
            least in 0u64..10,
        ) {
            let column = Column::new(Arc::new(VecColumn::from(values.clone())));
            let mut documents = Documents::none(values.len() as u32);
            (0..values.len()).step_by(every).for_each(|it| documents.insert(it as u32));

            let mut shown = Vec::new();
            column.for_each(&documents, |document, value| shown.push((document, value)));
            let expected: Vec<_> = documents.iter().map(|it| (it, values[it as usize])).collect();
            prop_assert_eq!(&shown, &expected);

            let mut any = documents.clone();
            column.retain_any(&mut any, [least, 3].into_iter().collect());
            let few = expected.iter().filter(|it| it.1 == least || it.1 == 3).map(|it| it.0);
            prop_assert!(any.iter().eq(few));
            column.retain_any(&mut any, Codes::default());
            prop_assert!(any.iter().all(|it| [least, 3].contains(&values[it as usize])));

            column.retain(&mut documents, |it| it >= least);
            prop_assert!(documents.iter().eq(expected.iter().filter(|it| it.1 >= least).map(|it| it.0)));
        }
    }
}
