//! A hash for lists of words. The default hash resists chosen keys, which a list that never changes does not need, and takes
//! longer than all other work on a short word.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasherDefault, Hasher},
};

/// A fixed list of words.
pub(super) type WordSet = HashSet<&'static str, BuildHasherDefault<WordHasher>>;

/// A value for each word of a fixed list.
pub(super) type WordMap<T> = HashMap<&'static str, T, BuildHasherDefault<WordHasher>>;

/// FNV-1a.
pub(super) struct WordHasher(u64);

impl Default for WordHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
