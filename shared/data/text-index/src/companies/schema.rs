//! The fields of the index of companies.
//!
//! A company has numbers and terms; its record is not stored. Variant names are the field names in the
//! files.

use tantivy::schema::Schema;

use crate::{
    layout::{Fields, Layout, fields},
    opened::Opened,
};

fields! {
/// The numbers of a company, 0 if not known. `codes.rs` defines them.
///
/// | Number            | What it is                                               |
/// |-------------------|----------------------------------------------------------|
/// | `Uid`             | the nine digits                                          |
/// | `NameRank`        | rank of the folded name by its bytes, from 1             |
/// | `Status`          | 1 active, 2 being cancelled, 3 cancelled                 |
/// | `Canton`          | position of the canton in alphabetical order, from 1     |
/// | `LegalForm`       | position in `LEGAL_FORMS`, from 1                        |
/// | `Capital`         | ten-thousandths plus one unit, so that 0 francs is not 0 |
/// | `Currency`        | position in `CURRENCIES`, from 1                         |
/// | `Auditor`         | position of the category in `AuditorCategory`, from 1    |
/// | `HasAuditor`      | 1 yes                                                    |
/// | `Founding`        | date, 0001-01-01 = 1                                     |
/// | `Registration`    | date                                                     |
/// | `Deletion`        | date                                                     |
/// | `Founded`         | date of founding, or of registration if not known        |
/// | `Updated`         | seconds since 1970, plus 1                               |
/// | `Noga`            | six digits in base 11, 0 for a missing digit             |
/// | `Employees`       | number of employees, plus 1                              |
/// | `Quality`         | ten-thousandths, plus 100                                |
/// | `HasLei`          | 1 yes                                                    |
/// | `Enriched`        | 1 yes                                                    |
/// | `FinmaRegulated`  | 1 yes                                                    |
/// | `Changes`         | number of known changes                                  |
/// | `StatusReason`    | position in `StatusReason`, from 1                       |
/// | `AtAddress`       | number of companies at its address, with itself          |
/// | `NameOrder`       | place of the name in alphabetical order, from 1          |
Number: Column from 0;
    Uid, NameRank, Status, Canton, LegalForm, Capital, Currency, Auditor, HasAuditor, Founding,
    Registration, Deletion, Founded, Updated, Noga, Employees, Quality, HasLei, Enriched, FinmaRegulated,
    Changes, StatusReason, AtAddress, NameOrder,
}

impl Number {
    pub(crate) const COUNT: usize = Self::ALL.len();
}

fields! {
/// The company numbers for finding a company.
///
/// | Key              | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `ByUid`          | its own number                                                      |
/// | `RelatedTo`      | numbers of related companies, without its auditor                   |
Key: Key from Number::END;
    ByUid, RelatedTo,
}

fields! {
/// The terms of a company, all folded.
///
/// | Term             | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `Name`           | the whole name; its position among all terms is `NameRank` − 1      |
/// | `BareName`       | the name without legal form and spaces                              |
/// | `OtherName`      | a whole former name or translation                                  |
/// | `BareOtherName`  | a former name or translation without legal form and spaces          |
/// | `Word`           | a word of any name; adjacent initials also as one word              |
/// | `WordBeginning`  | the first one, two and three letters of every word                  |
/// | `Seat`           | name of the municipality of the seat                                |
/// | `AuditedBy`      | company number of the current auditor in digits, or its name        |
/// | `Identifier`     | `lei:`, `duns:`, `isin:` or `parent:` (the direct parent's LEI) and |
/// |                  | the identifier in plain letters                                     |
Term: Term from Key::END;
    Name, BareName, OtherName, BareOtherName, Word, WordBeginning, Seat, AuditedBy, Identifier,
}

fields! {
/// The places of the companies that are not deleted, in tree order (`places.rs`): row n holds the n-th place,
/// not the place of the n-th company. 0 after the last place.
///
/// | Place            | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `Occupant`       | document of the company at this place, plus 1                       |
/// | `Latitude`       | millionths of a degree north of the south pole, plus 1              |
/// | `Longitude`      | millionths of a degree east of 180° west, plus 1                    |
Place: Column from Term::END;
    Occupant, Latitude, Longitude,
}

pub(crate) type Index = Opened<Number, Key, Term>;

/// Numbers, then keys, terms and places, each in the order of its table.
pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Key>().with::<Term>().with::<Place>().build()
}
