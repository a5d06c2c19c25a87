//! What is kept of a change. To see the index, read this file.

use tantivy::schema::Schema;

use crate::layout::{Layout, Opened, fields};

fields! {
/// The numbers of a change, 0 where nothing is known. How they are made: `codes.rs`.
///
/// | Number         | What it is                                                        |
/// |----------------|-------------------------------------------------------------------|
/// | `Sequence`     | sequence number in the change feed                                |
/// | `Kind`         | position of the kind in `ChangeKind`, from 1                      |
/// | `Canton`       | position of the canton in alphabetical order, from 1              |
/// | `Date`         | publication date, 0001-01-01 = 1; never increases with documents  |
/// | `Replaced`     | 1 if a later change replaces it                                   |
/// | `InFeedOrder`  | row n: the document of the n-th event of the feed, from 0         |
Number: Column from 0;
    Sequence, Kind, Canton, Date, Replaced, InFeedOrder,
}

fields! {
/// | Key      | What it is                  |
/// |----------|-----------------------------|
/// | `ById`   | the beginning of its id     |
/// | `ByUid`  | the number of its company   |
Key: Key from Number::END;
    ById, ByUid,
}

fields! {
/// The terms of a change, all of the company's name as the publication writes it, folded.
///
/// | Term             | What it is                                                |
/// |------------------|-----------------------------------------------------------|
/// | `BareName`       | the name without legal form and spaces                    |
/// | `Word`           | a word of the name; initials in a row also as one word    |
/// | `WordBeginning`  | the first letter, two and three letters of every word     |
Term: Term from Key::END;
    BareName, Word, WordBeginning,
}

fields! {
/// | Record   | What it is                 |
/// |----------|----------------------------|
/// | `Event`  | the whole event, as JSON   |
Record: Record from Term::END;
    Event,
}

pub(crate) type Index = Opened<Number, Key, Term>;

pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Key>().with::<Term>().with::<Record>().build()
}
