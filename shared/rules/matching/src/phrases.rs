//! Phrases of one or several words, found by their first word.

use rustc_hash::FxHashMap;

use crate::words::{normalised, split};

/// The number of words of the longest phrase that is looked for.
const MAX_WORDS: usize = 6;

/// Phrases and what they mean.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    meanings: FxHashMap<String, T>,
    /// The number of words of the longest phrase that starts with a word.
    longest: FxHashMap<String, u8>,
}

impl<T: Copy + Default> Phrases<T> {
    pub(crate) fn new() -> Self {
        Self { meanings: FxHashMap::default(), longest: FxHashMap::default() }
    }

    /// The meaning of a phrase in any spelling, for a change.
    pub(crate) fn entry(&mut self, phrase: &str) -> &mut T {
        let words = split(normalised(phrase));
        let words: Vec<&str> = words.words.iter().map(|it| words.letters_of(it)).collect();
        let first = words.first().copied().unwrap_or_default();
        let longest = self.longest.entry(first.to_owned()).or_default();
        *longest = (words.len().min(MAX_WORDS) as u8).max(*longest);
        self.meanings.entry(words.join(" ")).or_default()
    }

    /// All phrases and their meanings.
    pub(crate) fn phrases(&self) -> impl Iterator<Item = (&str, T)> {
        self.meanings.iter().map(|(phrase, meaning)| (&**phrase, *meaning))
    }

    /// The meaning of a phrase, words in folded form separated by spaces.
    pub(crate) fn meaning(&self, phrase: &str) -> T {
        self.meanings.get(phrase).copied().unwrap_or_default()
    }

    /// The number of words of the longest phrase that starts with this word. 0: none does.
    pub(crate) fn longest_from(&self, word: &str) -> usize {
        self.longest.get(word).copied().unwrap_or_default().into()
    }
}
