//! The fields of the index of changes.

use tantivy::schema::Schema;

use crate::{
    layout::{Layout, NoFields, fields},
    opened::Opened,
};

fields! {
/// The numbers of a change, 0 if not known. `codes.rs` defines them.
///
/// | Number         | What it is                                                        |
/// |----------------|-------------------------------------------------------------------|
/// | `Sequence`     | sequence number in the change feed                                |
/// | `Kind`         | position of the kind in `ChangeKind`, from 1                      |
/// | `Canton`       | position of the canton in alphabetical order, from 1              |
/// | `Date`         | publication date, 0001-01-01 = 1; never increases with documents  |
/// | `LegalEvent`   | position of the legal event in `LegalEvent`, from 1               |
/// | `Replaced`     | 1 if a later change replaces it                                   |
/// | `InFeedOrder`  | row n: the document of the n-th event of the feed, from 0         |
/// | `SortedIds`    | row n: the first four bytes of the n-th id, in the order of ids   |
/// | `InIdOrder`    | row n: the document of that id                                    |
/// | `InNameOrder`  | row n: the document of the n-th change, sorted by company name    |
///
/// The ids are columns, because a key of its own for each event would take five times as many bytes.
Number: Column from 0;
    Sequence, Kind, Canton, Date, LegalEvent, Replaced, InFeedOrder, SortedIds, InIdOrder, InNameOrder,
}

fields! {
/// | Key      | What it is                   |
/// |----------|------------------------------|
/// | `ByUid`  | the company number           |
Key: Key from Number::END;
    ByUid,
}

/// Folder of the records: the whole events.
pub(crate) const EVENTS: &str = "events";

pub(crate) type Index = Opened<Number, Key, NoFields>;

pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Key>().build()
}
