//! Which documents have the words of a search.
//!
//! Every word has to be one of the document's. The last word may be unfinished. Two words may be
//! written as one, in the search or in the document, and initials too. Where too few documents match
//! as written, typos are forgiven, in whole words: see [`typos_forgiven`].

use std::{cmp::Reverse, io};

use crate::{
    documents::Documents,
    postings::Terms,
    words::{joined_ends, typos_forgiven},
};

/// The longest beginning of a word that is a term of its own; longer ones are ranges of words.
pub(crate) const LONGEST_BEGINNING: usize = 3;

/// How many words of a search are looked at.
pub(crate) const MOST_WORDS: usize = 16;

/// The terms that words are found by.
pub(crate) struct Names<'a> {
    /// The words of the documents.
    pub(crate) words: &'a Terms,
    /// See [`beginnings`].
    pub(crate) beginnings: &'a Terms,
    /// Where names are searched at all.
    pub(crate) among: &'a Documents,
}

/// The short beginnings of a word, which are terms of their own.
pub(crate) fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    (1..=word.len().min(LONGEST_BEGINNING)).map(|length| &word[..length])
}

impl Names<'_> {
    /// The documents that have every word as it is written, the last one perhaps unfinished; every
    /// document where there is no word.
    pub(crate) fn as_written(&self, words: &[&str]) -> io::Result<Documents> {
        self.with_words(words, true)
    }

    /// The documents that have every word as it is written, the last one too.
    pub(crate) fn with_whole_words(&self, words: &[&str]) -> io::Result<Documents> {
        self.with_words(words, false)
    }

    fn with_words(&self, words: &[&str], unfinished: bool) -> io::Result<Documents> {
        // What has the last word, the last two, and so on.
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
            with_last.push(found);
        }
        let mut found = with_last.pop().unwrap_or_else(|| self.among.clone());
        found.intersect(self.among);
        Ok(found)
    }

    /// The documents that have every word, with typos where fewer than `enough` have them as written.
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
        // What is quick to look up and leaves little over comes first.
        in_order.sort_by_key(|(_, word)| (typos_forgiven(word), Reverse(word.len())));
        let mut found = self.among.clone();
        for (at, word) in in_order {
            let mut with_word = self.among.emptied();
            self.add_word(word, at + 1 == words.len(), &mut with_word)?;
            self.words.add_similar(word, typos_forgiven(word), &mut with_word)?;
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
            self.words.add(word, to)
        } else if word.len() <= LONGEST_BEGINNING {
            self.beginnings.add(word, to)
        } else {
            self.words.add_beginning(word, to)
        }
    }
}
