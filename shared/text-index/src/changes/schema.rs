//! The fields of the index of changes.

use tantivy::schema::Schema;

use crate::{
    layout::{Layout, fields},
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
/// | `Replaced`     | 1 if a later change replaces it                                   |
/// | `InFeedOrder`  | row n: the document of the n-th event of the feed, from 0         |
/// | `SortedIds`    | row n: the first four bytes of the n-th id, in the order of ids   |
/// | `InIdOrder`    | row n: the document of that id                                    |
///
/// The ids are columns, because a key of its own for each event would take five times as many bytes.
Number: Column from 0;
    Sequence, Kind, Canton, Date, Replaced, InFeedOrder, SortedIds, InIdOrder,
}

fields! {
/// | Key      | What it is                   |
/// |----------|------------------------------|
/// | `ByUid`  | the company number           |
Key: Key from Number::END;
    ByUid,
}

fields! {
/// The terms of a change: the folded company name as written in the publication.
///
/// | Term             | What it is                                                |
/// |------------------|-----------------------------------------------------------|
/// | `BareName`       | the name without legal form and spaces                    |
/// | `Word`           | a word of the name; adjacent initials also as one word    |
/// | `WordBeginning`  | the first one, two and three letters of every word        |
Term: Term from Key::END;
    BareName, Word, WordBeginning,
}

/// Folder of the records: the whole events.
pub(crate) const EVENTS: &str = "events";

pub(crate) type Index = Opened<Number, Key, Term>;

pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Key>().with::<Term>().build()
}
