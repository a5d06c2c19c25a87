//! The fields of an index.

use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};

/// Kinds of fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// One number per document, read by document.
    Column,
    /// Any number of numbers per document, for finding documents.
    Key,
    /// Any number of folded texts per document, for finding documents.
    Term,
}

/// The fields of one kind. Variant names are the field names in the files.
pub(crate) trait Fields: Copy + 'static {
    const KIND: Kind;
    const ALL: &'static [Self];

    fn name(self) -> String;

    /// Position among the fields of its kind.
    fn position(self) -> usize;

    fn field(self) -> Field;
}

/// Declares the fields of one kind. `from` is the position of the first one in the schema.
macro_rules! fields {
    ($(#[$doc:meta])* $fields:ident: $kind:ident from $first:expr; $($name:ident),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum $fields {
            $($name),+
        }

        impl $fields {
            /// Position in the schema after these fields.
            #[allow(dead_code, reason = "nothing follows the last")]
            pub(crate) const END: u32 = $first + <Self as $crate::layout::Fields>::ALL.len() as u32;
        }

        impl $crate::layout::Fields for $fields {
            const KIND: $crate::layout::Kind = $crate::layout::Kind::$kind;
            const ALL: &'static [Self] = &[$(Self::$name),+];

            fn name(self) -> String {
                format!("{self:?}")
            }

            fn position(self) -> usize {
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

    fn position(self) -> usize {
        match self {}
    }

    fn field(self) -> Field {
        match self {}
    }
}

/// Builds a schema.
#[derive(Default)]
pub(crate) struct Layout(SchemaBuilder);

impl Layout {
    /// Appends the fields of one kind.
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
                    // No frequencies and positions: results are ranked by document order.
                    let terms = TextFieldIndexing::default()
                        .set_tokenizer("raw")
                        .set_index_option(IndexRecordOption::Basic)
                        .set_fieldnorms(false);
                    let options = TextOptions::default().set_indexing_options(terms);
                    self.0.add_text_field(&name, options);
                }
            }
        }
        self
    }

    /// Appends a column with any number of numbers per document.
    pub(crate) fn with_list(mut self, name: &str) -> Self {
        self.0.add_u64_field(name, NumericOptions::default().set_fast());
        self
    }

    pub(crate) fn build(self) -> Schema {
        self.0.build()
    }
}
