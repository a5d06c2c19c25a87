//! How often words occur in a list of names.

use rustc_hash::FxHashMap;

use crate::words::{normalised, split};

/// The words of a list of names and how many names contain them. Replaces the built-in estimates of how rare a word is.
#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    names: u32,
    words: FxHashMap<Box<str>, u32>,
}

impl Frequencies {
    /// Counts the words of names.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut frequencies = Self::default();
        for name in names {
            let words = split(normalised(name));
            frequencies.names += 1;
            for word in &words.words {
                *frequencies.words.entry(words.letters_of(word).into()).or_default() += 1;
            }
        }
        frequencies
    }

    /// The rarity of a word in bits: log2 of how many names there are for each that contains it. `None` if there are
    /// fewer than 1,000 names, from which nothing follows.
    pub(crate) fn bits(&self, word: &str) -> Option<f32> {
        if self.names < 1000 {
            return None;
        }
        let containing = self.words.get(word).copied().unwrap_or(1);
        Some((self.names as f32 / containing as f32).log2().clamp(2.0, 14.0))
    }
}
