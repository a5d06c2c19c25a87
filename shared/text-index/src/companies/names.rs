//! What a search finds.
//!
//! Every word has to be a word of one of the company's names, current, old or translated; words of
//! different names of one company may answer one search together. The last word may be unfinished.
//! Two words may be written as one, in the search or in the name, and initials too.
//!
//! - A legal form in the search excludes nobody, so that `Nestlé AG` finds `Nestlé S.A.`; of a
//!   search that is nothing else it is a word like others.
//! - Where fewer than [`FEW`] companies match as written, typos are forgiven, in whole words: see
//!   [`typos_forgiven`]. Filters have no part in that, so that they only narrow.
//! - A company number finds its company and nothing else.
//! - A blank search is none. One without letters and digits finds nothing. Of one of more than
//!   [`MOST_WORDS`] words the rest is not looked at.
//!
//! Which of them come first: `ranking.rs`.

use std::{cmp::Reverse, io};

use domain::Uid;

use super::{
    Companies,
    schema::{LONGEST_BEGINNING, Term},
    words::{bare, folded, joined_ends, typos_forgiven, without_legal_form},
};
use crate::documents::Documents;

/// Where fewer companies match as written, typos are forgiven.
const FEW: u64 = 5;

/// How many words of a search are looked at.
const MOST_WORDS: usize = 16;

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
        let mut found = self.none();
        for uid in uids {
            self.by_uid.add(u64::from(uid.number()).to_be_bytes(), &mut found)?;
        }
        Ok(found)
    }

    fn with_name_like(&self, text: String) -> io::Result<Named> {
        let all_words: Vec<&str> = text.split_ascii_whitespace().collect();
        if all_words.is_empty() {
            return Ok(Named { all: self.none(), search: None });
        }
        let all_words = without_legal_form(&all_words);
        let words = &all_words[..all_words.len().min(MOST_WORDS)];
        let mut as_written = self.with_words(words)?;
        // Written together or apart, the bare name is one.
        self.terms(Term::BareName).add(bare(&text), &mut as_written)?;
        self.terms(Term::BareOtherName).add(bare(&text), &mut as_written)?;
        let all = match as_written.count() {
            few @ 0..FEW => self.with_typos(words, &as_written, few)?,
            _ => as_written.clone(),
        };
        let words = all_words.join(" ");
        Ok(Named { all, search: Some(Search { text, words, as_written }) })
    }

    /// The companies that have every word as it is written.
    fn with_words(&self, words: &[&str]) -> io::Result<Documents> {
        // What has the last word, the last two, and so on.
        let mut with_last: Vec<Documents> = Vec::with_capacity(words.len());
        for first in (0..words.len()).rev() {
            let mut found = self.none();
            for end in [first + 1].into_iter().chain(joined_ends(words, first)) {
                let mut with_word = self.none();
                self.add_word(&words[first..end].concat(), end == words.len(), &mut with_word)?;
                if end < words.len() {
                    with_word.intersect(&with_last[words.len() - end - 1]);
                }
                found.unite(&with_word);
            }
            with_last.push(found);
        }
        Ok(with_last.pop().unwrap_or_else(|| self.every()))
    }

    /// The companies that have every word, perhaps with typos, besides the few that have them as
    /// written.
    fn with_typos(
        &self,
        words: &[&str],
        as_written: &Documents,
        few: u64,
    ) -> io::Result<Documents> {
        let last = words.len() - 1;
        let mut in_order: Vec<(usize, &str)> = words.iter().copied().enumerate().collect();
        // What is quick to look up and leaves little over comes first.
        in_order.sort_by_key(|(_, word)| (typos_forgiven(word), Reverse(word.len())));
        let mut found = self.every();
        for (at, word) in in_order {
            let mut with_word = self.none();
            self.add_word(word, at == last, &mut with_word)?;
            self.terms(Term::Word).add_similar(word, typos_forgiven(word), &mut with_word)?;
            found.intersect(&with_word);
            found.unite(as_written);
            // Nobody is left but those who have every word as written.
            if found.count() == few {
                break;
            }
        }
        Ok(found)
    }

    fn add_word(&self, word: &str, unfinished: bool, to: &mut Documents) -> io::Result<()> {
        if !unfinished {
            self.terms(Term::Word).add(word, to)
        } else if word.len() <= LONGEST_BEGINNING {
            self.terms(Term::WordBeginning).add(word, to)
        } else {
            self.terms(Term::Word).add_beginning(word, to)
        }
    }
}
