//! Searching companies by name.
//!
//! Every word of the search must match a word of one of the company's names: current, former or translated.
//! Different words may match different names. `names.rs` of the crate describes how a word matches.
//!
//! - Legal forms are ignored, so that `Nestlé AG` finds `Nestlé S.A.`, unless the search has no other words.
//! - Words for "and" between two others are ignored, because names contain them, `&` or `+`.
//! - `Fondation` and `Stiftung`, `Co` and `Cie` are one word.
//! - Typos are allowed if fewer than [`FEW`] companies match without. Filters do not influence this.
//! - Places count in all their languages, unless their names have other meanings.
//! - A company number finds its company only; so does a LEI, an ISIN or a number of before 2014 that a company has.
//! - What follows the last comma may be the municipality of the seat, also after its postal code, or its canton. Names that
//!   have all words come first.
//! - If no company matches, states, legal forms, words for a branch and words before a former name are left out, and a place may
//!   follow a whole name without a comma (`readings.rs`).
//! - A blank search finds all companies. A search without letters and digits finds none. Words after the
//!   first [`MAX_WORDS`] are ignored.
//!
//! `ranking.rs` describes the order.

use std::io;

use domain::{Isin, Lei, Uid, additions::translations, company::chid, text::without_and};

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
    /// The searches to rank them by, the most likely one first. Without any, they are ranked by relevance.
    pub(crate) searches: Vec<Search>,
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
        let unranked = |all| Named { all, searches: Vec::new() };
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

    /// `None`: no company has the search as LEI, ISIN or number of before 2014. Names can have the form of one, with the right check digit.
    fn with_identifier(&self, search: &str) -> io::Result<Option<Documents>> {
        let plain = search.replace([' ', '-'], "");
        let found = if let Ok(lei) = plain.parse::<Lei>() {
            self.identified("lei", lei.as_str())?
        } else if let Ok(isin) = plain.parse::<Isin>() {
            self.identified("isin", isin.as_str())?
        } else if let Some(chid) = chid(search) {
            self.identified("chid", &chid)?
        } else {
            return Ok(None);
        };
        Ok((found.count() > 0).then_some(found))
    }

    fn with_name_or_seat(&self, search: &str) -> io::Result<Named> {
        let every = self.every();
        let names = self.names(&every);
        let mut text = folded(search);
        let mut searches = vec![self.as_written(text.clone(), &names)?];
        // What all but the first search is limited to.
        let mut within = None;
        if let Some((name, seat)) = search.rsplit_once(',') {
            let in_seat = self.located_in(&folded(seat))?;
            if in_seat.count() > 0 {
                text = folded(name);
                let mut of_name = self.as_written(text.clone(), &names)?;
                of_name.as_written.intersect(&in_seat);
                searches.push(of_name);
                within = Some(in_seat);
            }
        }
        let mut spelled = searches.len() - 1;
        if searches.iter().all(|it| it.as_written.count() == 0) {
            spelled = searches.len();
            let (readings, branches) = self.readings(&text, &names)?;
            searches.extend(readings);
            for limit in [&within, &branches].into_iter().flatten() {
                searches[spelled..].iter_mut().for_each(|it| it.as_written.intersect(limit));
            }
            within = within.or(branches);
        }
        let mut all = self.none();
        searches.iter().for_each(|it| all.unite(&it.as_written));
        // With typos, what follows the comma is only the seat, and a place without a comma is a word of the name.
        if let Some(spelled) = searches.get(spelled).filter(|it| !it.words.is_empty()) {
            let words = spelled.words.split(' ').take(MAX_WORDS).collect::<Vec<_>>();
            let mut forgiven = names.forgiving(&without_and(&words), &all, FEW)?;
            if let Some(within) = &within {
                forgiven.intersect(within);
            }
            all.unite(&forgiven);
        }
        Ok(Named { all, searches })
    }

    /// The companies with these company numbers.
    pub(crate) fn numbered(&self, uids: &[Uid]) -> io::Result<Documents> {
        self.index.keyed(Key::ByUid, uids.iter().map(|it| it.number().into()))
    }

    /// The companies that match the folded search without typos.
    pub(crate) fn as_written(&self, text: String, names: &Names<'_>) -> io::Result<Search> {
        let all_words: Vec<&str> = text.split_ascii_whitespace().collect();
        let all_words = without_legal_form(&all_words);
        let words = &all_words[..all_words.len().min(MAX_WORDS)];
        let mut as_written = self.none();
        if !words.is_empty() {
            as_written = names.as_written(words)?;
            // The bare name has no spaces and matches names written as one word or several.
            self.terms(Term::BareName).add(bare(&text), &mut as_written)?;
            self.terms(Term::BareOtherName).add(bare(&text), &mut as_written)?;
            let words = without_and(words);
            as_written.unite(&names.as_written(&words)?);
            // One word alone is searched as it is written.
            for (at, word) in words.iter().enumerate().filter(|_| words.len() > 1) {
                for translated in translations(word) {
                    let mut words = words.clone();
                    words[at] = translated;
                    as_written.unite(&names.as_written(&words)?);
                }
            }
        }
        let words = all_words.join(" ");
        Ok(Search { text, words, as_written })
    }

    fn names<'a>(&'a self, among: &'a Documents) -> Names<'a> {
        Names {
            words: self.terms(Term::Word),
            beginnings: self.terms(Term::WordBeginning),
            among,
            in_all_languages: true,
        }
    }
}
