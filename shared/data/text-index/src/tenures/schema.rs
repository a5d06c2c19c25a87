//! The fields of the index of tenures.

use tantivy::schema::Schema;

use crate::{
    layout::{Layout, NoFields, fields},
    opened::Opened,
};

fields! {
/// The numbers of a tenure. Documents are sorted by group, then longest first. The order of current tenures is
/// the same on every date.
///
/// | Number       | What it is                                                               |
/// |--------------|--------------------------------------------------------------------------|
/// | `Group`      | see [`Group`]                                                            |
/// | `Appointed`  | start date, 0001-01-01 = 1; 0 if not known                               |
/// | `Days`       | length in days plus 1; 0 if current or not known                         |
/// | `Canton`     | position of the canton in alphabetical order, from 1; 0 if not known     |
Number: Column from 0;
    Group, Appointed, Days, Canton,
}

/// Folder of the records: the whole rows.
pub(crate) const ROWS: &str = "rows";

pub(crate) type Index = Opened<Number, NoFields, NoFields>;

pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().build()
}

/// Groups of tenures by what is known of their length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Current, with a known start. Its length grows.
    Lasting = 1,
    Ended,
    /// Current, with an unknown start.
    LastingSinceEver,
    /// Ended, with an unknown start.
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
