//! What a search finds.
//!
//! Every word has to be a word of one of the company's names, current, old or translated; words of
//! different names of one company may answer one search together. How a word matches: `names.rs`
//! of the crate.
//!
//! - A legal form in the search excludes nobody, so that `Nestlé AG` finds `Nestlé S.A.`; of a
//!   search that is nothing else it is a word like others.
//! - Where fewer than [`FEW`] companies match as written, typos are forgiven. Filters have no part
//!   in that, so that they only narrow.
//! - A company number finds its company and nothing else.
//! - A blank search is none. One without letters and digits finds nothing. Of one of more than
//!   [`MOST_WORDS`] words the rest is not looked at.
//!
//! Which of them come first: `ranking.rs`.

use std::io;

use domain::Uid;

use super::{
    Companies,
    schema::{Key, Term},
};
use crate::{
    documents::Documents,
    names::{MOST_WORDS, Names},
    words::{bare, folded, without_legal_form},
};

/// Where fewer companies match as written, typos are forgiven.
const FEW: u64 = 5;

/// The companies that a search finds.
pub(crate) struct Named {
    pub(crate) all: Documents,
    /// What they are ranked by; `None` where they stand in the order of relevance.
    pub(crate) search: Option<Search>,
}

/// A search for words.
pub(crate) struct Search {
    /// As it is, folded.
    pub(crate) text: String,
    /// Without legal forms.
    pub(crate) words: String,
    /// Those that match without typos.
    pub(crate) as_written: Documents,
}

impl Companies {
    /// The companies with such a name; every company where nothing is searched.
    pub(crate) fn named(&self, search: Option<&str>) -> io::Result<Named> {
        let unranked = |all| Named { all, search: None };
        match search.map(str::trim) {
            None | Some("") => Ok(unranked(self.every())),
            Some(search) => match search.parse() {
                Ok(uid) => Ok(unranked(self.numbered(&[uid])?)),
                Err(_) => self.with_name_like(folded(search)),
            },
        }
    }

    /// The companies with these numbers.
    pub(crate) fn numbered(&self, uids: &[Uid]) -> io::Result<Documents> {
        self.index.keyed(Key::ByUid, uids.iter().map(|it| it.number().into()))
    }

    fn with_name_like(&self, text: String) -> io::Result<Named> {
        let all_words: Vec<&str> = text.split_ascii_whitespace().collect();
        if all_words.is_empty() {
            return Ok(Named { all: self.none(), search: None });
        }
        let all_words = without_legal_form(&all_words);
        let words = &all_words[..all_words.len().min(MOST_WORDS)];
        let names = Names {
            words: self.terms(Term::Word),
            beginnings: self.terms(Term::WordBeginning),
            among: &self.every(),
        };
        let mut as_written = names.as_written(words)?;
        // Written together or apart, the bare name is one.
        self.terms(Term::BareName).add(bare(&text), &mut as_written)?;
        self.terms(Term::BareOtherName).add(bare(&text), &mut as_written)?;
        let all = names.forgiving(words, &as_written, FEW)?;
        let words = all_words.join(" ");
        Ok(Named { all, search: Some(Search { text, words, as_written }) })
    }
}
