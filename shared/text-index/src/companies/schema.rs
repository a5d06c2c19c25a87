//! What is kept of a company. To see the index, read this file.
//!
//! A company is a row of numbers and a bag of terms; its record is not here. The names of the
//! members are the names of the fields in the files.

use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};

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
/// | `Latitude`        | millionths of a degree north of the south pole, and one  |
/// | `Longitude`       | millionths of a degree east of 180° west, and one        |
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Uid,
    NameRank,
    Status,
    Canton,
    LegalForm,
    Capital,
    Currency,
    Auditor,
    HasAuditor,
    Founding,
    Registration,
    Founded,
    Updated,
    Noga,
    Employees,
    Quality,
    HasLei,
    Enriched,
    FinmaRegulated,
    Latitude,
    Longitude,
}

impl Number {
    pub(crate) const COUNT: usize = Self::ALL.len();

    #[rustfmt::skip]
    pub(crate) const ALL: [Self; 21] = [
        Self::Uid, Self::NameRank, Self::Status, Self::Canton, Self::LegalForm, Self::Capital,
        Self::Currency, Self::Auditor, Self::HasAuditor, Self::Founding, Self::Registration,
        Self::Founded, Self::Updated, Self::Noga, Self::Employees, Self::Quality, Self::HasLei,
        Self::Enriched, Self::FinmaRegulated, Self::Latitude, Self::Longitude,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    pub(crate) fn field(self) -> Field {
        Field::from_field_id(self as u32)
    }
}

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
/// | `Identifier`     | `lei:`, `duns:` or `isin:` and the identifier in plain letters      |
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Term {
    Name,
    BareName,
    OtherName,
    BareOtherName,
    Word,
    WordBeginning,
    Identifier,
}

impl Term {
    pub(crate) const ALL: [Self; 7] = [
        Self::Name,
        Self::BareName,
        Self::OtherName,
        Self::BareOtherName,
        Self::Word,
        Self::WordBeginning,
        Self::Identifier,
    ];

    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    pub(crate) fn field(self) -> Field {
        Field::from_field_id(Number::COUNT as u32 + self as u32)
    }
}

/// The longest beginning of a word that is a term of its own; longer ones are ranges of words.
pub(crate) const LONGEST_BEGINNING: usize = 3;

/// The numbers first, then the terms, each in the order of its table.
pub(crate) fn schema() -> Schema {
    let mut schema = Schema::builder();
    for number in Number::ALL {
        let column = NumericOptions::default().set_fast();
        // A company is looked up by its number only.
        let options = if number == Number::Uid { column.set_indexed() } else { column };
        schema.add_u64_field(&number.name(), options);
    }
    for term in Term::ALL {
        // Neither frequencies nor positions: the order of the documents says what comes first.
        let terms = TextFieldIndexing::default()
            .set_tokenizer("raw")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        schema.add_text_field(&term.name(), TextOptions::default().set_indexing_options(terms));
    }
    schema.build()
}
