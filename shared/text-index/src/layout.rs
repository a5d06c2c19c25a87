//! The fields of an index, and an index that is open.

use std::{io, marker::PhantomData, path::Path};

use tantivy::schema::{
    BytesOptions, Field, IndexRecordOption, NumericOptions, STORED, Schema, SchemaBuilder,
    TextFieldIndexing, TextOptions,
};

use crate::{
    Error,
    columns::Column,
    documents::Documents,
    postings::Terms,
    segment::{self, Records},
};

/// What fields are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// One number for every document, read by document.
    Column,
    /// Numbers under which a document is found, as many as it has.
    Key,
    /// Folded texts under which a document is found, as many as it has.
    Term,
    /// What is kept as it is.
    Record,
}

/// The fields of one kind. Their names are the names in the files, their places those of the schema.
pub(crate) trait Fields: Copy + 'static {
    const KIND: Kind;
    const ALL: &'static [Self];

    fn name(self) -> String;

    /// The place among those of its kind.
    fn place(self) -> usize;

    fn field(self) -> Field;
}

/// Declares the fields of one kind, which follow the ones before in the schema.
macro_rules! fields {
    ($(#[$doc:meta])* $fields:ident: $kind:ident from $first:expr; $($name:ident),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum $fields {
            $($name),+
        }

        impl $fields {
            /// The place in the schema of what follows.
            #[allow(dead_code, reason = "nothing follows the last")]
            pub(crate) const END: u32 = $first + <Self as $crate::layout::Fields>::ALL.len() as u32;
        }

        impl $crate::layout::Fields for $fields {
            const KIND: $crate::layout::Kind = $crate::layout::Kind::$kind;
            const ALL: &'static [Self] = &[$(Self::$name),+];

            fn name(self) -> String {
                format!("{self:?}")
            }

            fn place(self) -> usize {
                self as usize
            }

            fn field(self) -> tantivy::schema::Field {
                tantivy::schema::Field::from_field_id($first + self as u32)
            }
        }
    };
}
pub(crate) use fields;

/// No fields of a kind.
#[derive(Clone, Copy)]
pub(crate) enum NoFields {}

impl Fields for NoFields {
    const KIND: Kind = Kind::Term;
    const ALL: &'static [Self] = &[];

    fn name(self) -> String {
        match self {}
    }

    fn place(self) -> usize {
        match self {}
    }

    fn field(self) -> Field {
        match self {}
    }
}

/// A schema in the making.
#[derive(Default)]
pub(crate) struct Layout(SchemaBuilder);

impl Layout {
    /// The fields of one kind come next.
    pub(crate) fn with<F: Fields>(mut self) -> Self {
        for it in F::ALL {
            let name = it.name();
            match F::KIND {
                Kind::Column => {
                    self.0.add_u64_field(&name, NumericOptions::default().set_fast());
                }
                Kind::Key => {
                    self.0.add_u64_field(&name, NumericOptions::default().set_indexed());
                }
                Kind::Term => {
                    // Neither frequencies nor positions: the order of the documents says what
                    // comes first.
                    let terms = TextFieldIndexing::default()
                        .set_tokenizer("raw")
                        .set_index_option(IndexRecordOption::Basic)
                        .set_fieldnorms(false);
                    let options = TextOptions::default().set_indexing_options(terms);
                    self.0.add_text_field(&name, options);
                }
                Kind::Record => {
                    self.0.add_bytes_field(&name, BytesOptions::from(STORED));
                }
            }
        }
        self
    }

    /// A column of as many numbers a document as it has.
    pub(crate) fn with_list(mut self, name: &str) -> Self {
        self.0.add_u64_field(name, NumericOptions::default().set_fast());
        self
    }

    pub(crate) fn build(self) -> Schema {
        self.0.build()
    }
}

/// An index that is open: its columns, keys and terms, and what it has kept.
pub(crate) struct Opened<N, K, T> {
    pub(crate) count: u32,
    pub(crate) records: Records,
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
            records: Records::of(segment)?,
            columns: columns.collect::<Result<_, _>>()?,
            keys: keys.collect::<Result<_, _>>()?,
            terms: terms.collect::<Result<_, _>>()?,
            fields: PhantomData,
        })
    }

    pub(crate) fn column(&self, number: N) -> &Column {
        &self.columns[number.place()]
    }

    pub(crate) fn terms(&self, term: T) -> &Terms {
        &self.terms[term.place()]
    }

    /// The documents with any of these keys.
    pub(crate) fn keyed(
        &self,
        key: K,
        wanted: impl IntoIterator<Item = u64>,
    ) -> io::Result<Documents> {
        let mut found = self.none();
        for it in wanted {
            self.keys[key.place()].add(it.to_be_bytes(), &mut found)?;
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
