//! Searching companies by name.
//!
//! Every word of the search must match a word of one of the company's names: current, former or translated.
//! Different words may match different names. `names.rs` of the crate describes how a word matches.
//!
//! - Legal forms are ignored, so that `Nestlé AG` finds `Nestlé S.A.`, unless the search has no other words.
//! - Words for "and" between two others are ignored, because names contain them, `&` or `+`.
//! - Typos are allowed if fewer than [`FEW`] companies match without. Filters do not influence this.
//! - Places count in all their languages.
//! - A company number, LEI or ISIN finds its company only.
//! - If no name has all words, those after the last comma may be the municipality of the seat.
//! - A blank search finds all companies. A search without letters and digits finds none. Words after the
//!   first [`MAX_WORDS`] are ignored.
//!
//! `ranking.rs` describes the order.

use std::io;

use domain::{Isin, Lei, Uid, text::without_and};

use super::{
    Companies,
    schema::{Key, Term},
};
use crate::{
    documents::Documents,
    names::{MAX_WORDS, Names},
    words::{bare, folded, without_legal_form},
};

/// Typos are allowed if fewer companies match without.
const FEW: u64 = 5;

/// The companies that match a search.
pub(crate) struct Named {
    pub(crate) all: Documents,
    /// The search to rank them by. `None`: they are ranked by relevance.
    pub(crate) search: Option<Search>,
}

/// A search by words.
pub(crate) struct Search {
    /// The folded search.
    pub(crate) text: String,
    /// The words without legal forms.
    pub(crate) words: String,
    /// The companies that match without typos.
    pub(crate) as_written: Documents,
}

impl Companies {
    /// The companies that match the search. All companies without a search.
    pub(crate) fn named(&self, search: Option<&str>) -> io::Result<Named> {
        let unranked = |all| Named { all, search: None };
        match search.map(str::trim) {
            None | Some("") => Ok(unranked(self.every())),
            Some(search) => match search.parse() {
                Ok(uid) => Ok(unranked(self.numbered(&[uid])?)),
                Err(_) => match self.with_identifier(search)? {
                    Some(found) => Ok(unranked(found)),
                    None => self.with_name_or_seat(search),
                },
            },
        }
    }

    /// `None`: the search is neither a LEI nor an ISIN.
    fn with_identifier(&self, search: &str) -> io::Result<Option<Documents>> {
        let plain = search.replace([' ', '-'], "");
        Ok(if let Ok(lei) = plain.parse::<Lei>() {
            Some(self.identified("lei", lei.as_str())?)
        } else if let Ok(isin) = plain.parse::<Isin>() {
            Some(self.identified("isin", isin.as_str())?)
        } else {
            None
        })
    }

    /// If no name has all words, those after the last comma may be the municipality of the seat.
    fn with_name_or_seat(&self, search: &str) -> io::Result<Named> {
        let mut named = self.with_name_like(folded(search))?;
        let is_found = named.search.as_ref().is_some_and(|it| it.as_written.count() > 0);
        let Some((name, seat)) = search.rsplit_once(',').filter(|_| !is_found) else {
            return Ok(named);
        };
        let seated = self.seated_in([folded(seat).as_str()])?;
        if seated.count() > 0 {
            named = self.with_name_like(folded(name))?;
            named.all.intersect(&seated);
            if let Some(search) = &mut named.search {
                search.as_written.intersect(&seated);
            }
        }
        Ok(named)
    }

    /// The companies with these company numbers.
    pub(crate) fn numbered(&self, uids: &[Uid]) -> io::Result<Documents> {
        self.index.keyed(Key::ByUid, uids.iter().map(|it| it.number().into()))
    }

    fn with_name_like(&self, text: String) -> io::Result<Named> {
        let all_words: Vec<&str> = text.split_ascii_whitespace().collect();
        if all_words.is_empty() {
            return Ok(Named { all: self.none(), search: None });
        }
        let all_words = without_legal_form(&all_words);
        let words = &all_words[..all_words.len().min(MAX_WORDS)];
        let names = Names {
            words: self.terms(Term::Word),
            beginnings: self.terms(Term::WordBeginning),
            among: &self.every(),
            in_all_languages: true,
        };
        let mut as_written = names.as_written(words)?;
        // The bare name has no spaces and matches names written as one word or several.
        self.terms(Term::BareName).add(bare(&text), &mut as_written)?;
        self.terms(Term::BareOtherName).add(bare(&text), &mut as_written)?;
        let fewer = without_and(words);
        as_written.unite(&names.as_written(&fewer)?);
        let all = names.forgiving(&fewer, &as_written, FEW)?;
        let words = all_words.join(" ");
        Ok(Named { all, search: Some(Search { text, words, as_written }) })
    }
}
