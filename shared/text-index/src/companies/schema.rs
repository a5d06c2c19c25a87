//! What is kept of a company. To see the index, read this file.
//!
//! A company is a row of numbers and a bag of terms; its record is not here. The names of the
//! members are the names of the fields in the files.

use tantivy::schema::Schema;

use crate::layout::{Fields, Layout, Opened, fields};

fields! {
/// The numbers of a company, 0 where nothing is known. How they are made: `codes.rs`.
///
/// | Number            | What it is                                               |
/// |-------------------|----------------------------------------------------------|
/// | `Uid`             | the nine digits                                          |
/// | `NameRank`        | the place of the folded name among all, from 1           |
/// | `Status`          | 1 active, 2 being cancelled, 3 cancelled                 |
/// | `Canton`          | the place of the two letters in the alphabet, from 1     |
/// | `LegalForm`       | the place in `LEGAL_FORMS`, from 1                       |
/// | `Capital`         | ten-thousandths, and one unit, so that 0 francs is known |
/// | `Currency`        | the place in `CURRENCIES`, from 1                        |
/// | `Auditor`         | the place of the category in `AuditorCategory`, from 1   |
/// | `HasAuditor`      | 1 yes                                                    |
/// | `Founding`        | a day, counted from 0001-01-01 = 1                       |
/// | `Registration`    | a day                                                    |
/// | `Founded`         | the day of founding, or else of registration             |
/// | `Updated`         | seconds since 1970, and one                              |
/// | `Noga`            | six digits to the base of eleven, 0 for a missing digit  |
/// | `Employees`       | the number, and one                                      |
/// | `Quality`         | ten-thousandths, and one hundred                         |
/// | `HasLei`          | 1 yes                                                    |
/// | `Enriched`        | 1 yes                                                    |
/// | `FinmaRegulated`  | 1 yes                                                    |
/// | `Changes`         | how many changes of it are known                         |
Number: Column from 0;
    Uid, NameRank, Status, Canton, LegalForm, Capital, Currency, Auditor, HasAuditor, Founding,
    Registration, Founded, Updated, Noga, Employees, Quality, HasLei, Enriched, FinmaRegulated,
    Changes,
}

impl Number {
    pub(crate) const COUNT: usize = Self::ALL.len();
}

fields! {
/// The company numbers that a company is found by.
///
/// | Key              | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `ByUid`          | its own                                                             |
/// | `RelatedTo`      | those of its affiliations, save its auditor's                       |
Key: Key from Number::END;
    ByUid, RelatedTo,
}

fields! {
/// The terms of a company, all folded.
///
/// | Term             | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `Name`           | the whole name; its place among all terms is `NameRank` − 1         |
/// | `BareName`       | the name without legal form and spaces                              |
/// | `OtherName`      | a whole old name or translation                                     |
/// | `BareOtherName`  | an old name or translation without legal form and spaces            |
/// | `Word`           | a word of any of the names; initials in a row also as one word      |
/// | `WordBeginning`  | the first letter, two and three letters of every word               |
/// | `Identifier`     | `lei:`, `duns:`, `isin:` or `parent:` (the direct parent's LEI) and |
/// |                  | the identifier in plain letters                                     |
Term: Term from Key::END;
    Name, BareName, OtherName, BareOtherName, Word, WordBeginning, Identifier,
}

fields! {
/// The places of the companies that are not deleted, in the order of `places.rs`: the *n*-th numbers
/// are those of the *n*-th place, not of the *n*-th company. 0 after the last place.
///
/// | Place            | What it is                                                          |
/// |------------------|---------------------------------------------------------------------|
/// | `Occupant`       | the document of the company there, and one                          |
/// | `Latitude`       | millionths of a degree north of the south pole, and one             |
/// | `Longitude`      | millionths of a degree east of 180° west, and one                   |
Place: Column from Term::END;
    Occupant, Latitude, Longitude,
}

pub(crate) type Index = Opened<Number, Key, Term>;

/// The numbers first, then the keys, the terms and the places, each in the order of its table.
pub(crate) fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Key>().with::<Term>().with::<Place>().build()
}
