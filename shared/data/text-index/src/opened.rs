//! An open index with typed fields.

use std::{io, marker::PhantomData, path::Path};

use tantivy::schema::Schema;

use crate::{
    Error, columns::Column, documents::Documents, layout::Fields, postings::Terms, segment,
};

/// An open index with its columns, keys and terms.
pub(crate) struct Opened<N, K, T> {
    pub(crate) count: u32,
    columns: Vec<Column>,
    keys: Vec<Terms>,
    terms: Vec<Terms>,
    fields: PhantomData<(N, K, T)>,
}

impl<N: Fields, K: Fields, T: Fields> Opened<N, K, T> {
    pub(crate) fn open(directory: &Path, schema: &Schema) -> Result<Self, Error> {
        segment::open(directory, schema, Self::of)
    }

    pub(crate) fn of(segment: &tantivy::SegmentReader) -> tantivy::Result<Self> {
        let columns = N::ALL.iter().map(|it| segment::column(segment, &it.name()));
        let keys = K::ALL.iter().map(|it| segment::terms(segment, it.field()));
        let terms = T::ALL.iter().map(|it| segment::terms(segment, it.field()));
        Ok(Self {
            count: segment.max_doc(),
            columns: columns.collect::<Result<_, _>>()?,
            keys: keys.collect::<Result<_, _>>()?,
            terms: terms.collect::<Result<_, _>>()?,
            fields: PhantomData,
        })
    }

    pub(crate) fn column(&self, number: N) -> &Column {
        &self.columns[number.position()]
    }

    pub(crate) fn terms(&self, term: T) -> &Terms {
        &self.terms[term.position()]
    }

    /// The documents with at least one of these keys.
    pub(crate) fn keyed(
        &self,
        key: K,
        wanted: impl IntoIterator<Item = u64>,
    ) -> io::Result<Documents> {
        let mut found = self.none();
        for it in wanted {
            self.keys[key.position()].add(it.to_be_bytes(), &mut found)?;
        }
        Ok(found)
    }

    pub(crate) fn none(&self) -> Documents {
        Documents::none(self.count)
    }

    pub(crate) fn every(&self) -> Documents {
        Documents::from_range(0..self.count, self.count)
    }
}
