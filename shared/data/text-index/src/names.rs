//! Matching the words of a search with the words of documents.
//!
//! Every word of the search must match a word of the document. The last word may be incomplete. Two words,
//! or several initials, may be joined in the search or in the document. If too few documents match
//! exactly, whole words may contain typos: see [`typos_forgiven`].

use std::{cmp::Reverse, io};

use domain::places;

use crate::{
    documents::Documents,
    postings::Terms,
    words::{joined_ends, typos_forgiven},
};

/// Maximum length of prefixes that are indexed as terms. Longer prefixes are looked up as ranges of words.
pub(crate) const LONGEST_BEGINNING: usize = 3;

/// Maximum number of words of a search; the rest is ignored.
pub(crate) const MAX_WORDS: usize = 16;

/// Maximum number of words of the name of a place.
pub(crate) const LONGEST_PLACE: usize = 4;

/// The terms for matching words.
pub(crate) struct Names<'a> {
    /// The words of the documents.
    pub(crate) words: &'a Terms,
    /// See [`beginnings`].
    pub(crate) beginnings: &'a Terms,
    /// The documents to search.
    pub(crate) among: &'a Documents,
    /// Whether the name of a place stands for its names in other languages.
    pub(crate) in_all_languages: bool,
}

/// The short prefixes of a word that are indexed as terms.
pub(crate) fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    (1..=word.len().min(LONGEST_BEGINNING)).map(|length| &word[..length])
}

impl Names<'_> {
    /// The documents that match every word without typos; the last word may be incomplete. Without words, all
    /// documents.
    pub(crate) fn as_written(&self, words: &[&str]) -> io::Result<Documents> {
        self.with_words(words, true)
    }

    /// The documents that match every word without typos, the last one completely.
    pub(crate) fn with_whole_words(&self, words: &[&str]) -> io::Result<Documents> {
        self.with_words(words, false)
    }

    fn with_words(&self, words: &[&str], unfinished: bool) -> io::Result<Documents> {
        // The documents that match the last word, the last two words, and so on.
        let mut with_last: Vec<Documents> = Vec::with_capacity(words.len());
        for first in (0..words.len()).rev() {
            let mut found = self.among.emptied();
            for end in [first + 1].into_iter().chain(joined_ends(words, first)) {
                let mut with_word = self.among.emptied();
                let unfinished = unfinished && end == words.len();
                self.add_word(&words[first..end].concat(), unfinished, &mut with_word)?;
                if end < words.len() {
                    with_word.intersect(&with_last[words.len() - end - 1]);
                }
                found.unite(&with_word);
            }
            // Places of several words; those of one word are in `add_word`.
            for end in (first + 2..=words.len()).take(LONGEST_PLACE - 1) {
                let mut at_place = self.among.emptied();
                self.add_place(&words[first..end].join(" "), &mut at_place)?;
                if end < words.len() {
                    at_place.intersect(&with_last[words.len() - end - 1]);
                }
                found.unite(&at_place);
            }
            with_last.push(found);
        }
        let mut found = with_last.pop().unwrap_or_else(|| self.among.clone());
        found.intersect(self.among);
        Ok(found)
    }

    /// The documents that match every word. Typos are allowed if fewer than `enough` documents match without.
    pub(crate) fn forgiving(
        &self,
        words: &[&str],
        as_written: &Documents,
        enough: u64,
    ) -> io::Result<Documents> {
        let few = as_written.count();
        if few >= enough {
            return Ok(as_written.clone());
        }
        let mut in_order: Vec<(usize, &str)> = words.iter().copied().enumerate().collect();
        // Fast and selective lookups first.
        in_order.sort_by_key(|(_, word)| (typos_forgiven(word), Reverse(word.len())));
        let mut found = self.among.clone();
        for (at, word) in in_order {
            let mut with_word = self.among.emptied();
            self.add_word(word, at + 1 == words.len(), &mut with_word)?;
            self.words.add_similar(word, typos_forgiven(word), &mut with_word)?;
            found.intersect(&with_word);
            found.unite(as_written);
            // Only documents that match every word without typos are left.
            if found.count() == few {
                break;
            }
        }
        Ok(found)
    }

    fn add_word(&self, word: &str, unfinished: bool, to: &mut Documents) -> io::Result<()> {
        self.add_place(word, to)?;
        if !unfinished {
            self.words.add(word, to)
        } else if word.len() <= LONGEST_BEGINNING {
            self.beginnings.add(word, to)
        } else {
            self.words.add_beginning(word, to)
        }
    }
    /// Adds the documents with all words of another name of this place.
    fn add_place(&self, name: &str, to: &mut Documents) -> io::Result<()> {
        if !self.in_all_languages {
            return Ok(());
        }
        for other in places::other_names_in_text(name) {
            let mut found = self.among.clone();
            for word in other.split(' ') {
                let mut with_word = self.among.emptied();
                self.words.add(word, &mut with_word)?;
                found.intersect(&with_word);
            }
            to.unite(&found);
        }
        Ok(())
    }
}
