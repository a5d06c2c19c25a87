//! The index of the names of companies as written in publications. Most companies are published several times with the same
//! name; an index of words with an entry for each change would be three times as large.

use std::{io, path::Path};

use domain::text::without_and;
use tantivy::{TantivyDocument, schema::Schema};

use crate::{
    Error,
    documents::Documents,
    layout::{Fields, Layout, NoFields, fields},
    names::{MAX_WORDS, Names, beginnings},
    opened::Opened,
    segment,
    words::{bare, folded, indexed, without_legal_form},
};

/// Folder of the index of names.
pub(crate) const NAMES: &str = "names";

/// Typos are allowed only if nothing matches without: lists are sorted by date, so inexact matches could
/// hide exact ones.
const ENOUGH: u64 = 1;

fields! {
/// | Number         | What it is                                                           |
/// |----------------|----------------------------------------------------------------------|
/// | `FirstChange`  | the position of its first change among all changes, sorted by name   |
Number: Column from 0;
    FirstChange,
}

fields! {
/// The terms of a folded name.
///
/// | Term             | What it is                                                |
/// |------------------|-----------------------------------------------------------|
/// | `BareName`       | the name without legal form and spaces                    |
/// | `Word`           | a word of the name; adjacent initials also as one word    |
/// | `WordBeginning`  | the first one, two and three letters of every word        |
Term: Term from Number::END;
    BareName, Word, WordBeginning,
}

fn schema() -> Schema {
    Layout::default().with::<Number>().with::<Term>().build()
}

/// The open index. Its documents are the names in alphabetical order.
pub(crate) struct CompanyNames(Opened<Number, NoFields, Term>);

impl CompanyNames {
    pub(crate) fn open(directory: &Path) -> Result<Self, Error> {
        Opened::open(&directory.join(NAMES), &schema()).map(Self)
    }

    /// The names that match the search, with the rules of the search for companies.
    pub(crate) fn find(&self, search: &str) -> io::Result<Documents> {
        let Self(index) = self;
        let text = folded(search);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if words.is_empty() {
            return Ok(index.none());
        }
        let words = without_legal_form(&words);
        let words = &words[..words.len().min(MAX_WORDS)];
        let names = Names {
            words: index.terms(Term::Word),
            beginnings: index.terms(Term::WordBeginning),
            among: &index.every(),
            in_all_languages: true,
        };
        let mut as_written = names.as_written(words)?;
        index.terms(Term::BareName).add(bare(&text), &mut as_written)?;
        let fewer = without_and(words);
        as_written.unite(&names.as_written(&fewer)?);
        names.forgiving(&fewer, &as_written, ENOUGH)
    }

    /// Calls `show` with the positions of the changes with one of these names, among `count` changes that are sorted by name.
    pub(crate) fn changes(&self, names: &Documents, count: u32, mut show: impl FnMut(u32)) {
        let first = self.0.column(Number::FirstChange);
        first.for_each(names, |name, start| {
            let end = match name + 1 < self.0.count {
                true => first.get(name + 1) as u32,
                false => count,
            };
            (start as u32..end).for_each(&mut show);
        });
    }
}

/// Writes the index of these folded names, which are sorted, each with the position of its first change. Returns the total
/// size of its files in bytes.
pub(crate) fn write<'a>(
    directory: &Path,
    names: impl Iterator<Item = (&'a str, u32)>,
) -> Result<u64, Error> {
    let directory = directory.join(NAMES);
    segment::create(&directory)?;
    segment::write(&directory, schema(), names.map(|(name, first)| Ok(document(name, first))))
}

fn document(name: &str, first_change: u32) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_u64(Number::FirstChange.field(), first_change.into());
    let mut words = indexed(name);
    words.sort_unstable();
    words.dedup();
    for word in &words {
        beginnings(word).for_each(|it| document.add_text(Term::WordBeginning.field(), it));
        document.add_text(Term::Word.field(), word);
    }
    let bare = bare(name);
    if !bare.is_empty() {
        document.add_text(Term::BareName.field(), bare);
    }
    document
}
