//! What is kept of a tenure. To see the index, read this file.

use tantivy::schema::Schema;

use crate::layout::{Layout, NoFields, Opened, fields};

fields! {
/// The numbers of a tenure. The documents stand group by group, in each the longest first: of those
/// that last the longest today is the longest on any day.
///
/// | Number       | What it is                                                               |
/// |--------------|--------------------------------------------------------------------------|
/// | `Group`      | see [`Group`]                                                            |
/// | `Appointed`  | the day on which it began, 0001-01-01 = 1; 0 where that is not known     |
/// | `Days`       | how many days it lasted, and one; 0 where it lasts or that is not known  |
/// | `Canton`     | the place of the two letters in the alphabet, from 1; 0 if not known     |
Number: Column from 0;
    Group, Appointed, Days, Canton,
}

fields! {
/// | Record   | What it is               |
/// |----------|--------------------------|
/// | `Row`    | the whole row, as JSON   |
Record: Record from Number::END;
    Row,
}

pub(crate) type Index = Opened<Number, NoFields, NoFields>;

pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Record>().build()
}

/// Tenures whose length is known in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Lasts, and grows.
    Lasting = 1,
    Ended,
    /// Lasts, since nobody knows when.
    LastingSinceEver,
    /// Ended, and nobody knows when it began.
    EndedSinceEver,
}

impl Group {
    pub(crate) fn of(tenure: &domain::auditors::Tenure) -> Self {
        match (tenure.appointed_at, tenure.is_current()) {
            (Some(_), true) => Self::Lasting,
            (Some(_), false) => Self::Ended,
            (None, true) => Self::LastingSinceEver,
            (None, false) => Self::EndedSinceEver,
        }
    }
}
