//! How a word sounds: its consonants, in classes that languages and transliterations confuse.
//!
//! Used where spellings cannot be compared (Arabic and Hebrew leave out vowels), as weak evidence, and for the keys
//! of candidates.

/// Up to eight classes of consonants, the first in the lowest byte. 0 for a word without letters.
pub(crate) fn sound(word: &[u8]) -> u64 {
    let mut classes = Classes::default();
    let mut at = 0;
    while at < word.len() {
        let (class, length) = class(word, at);
        // A double letter counts once.
        if at == 0 || word[at] != word[at - 1] || class == b'A' {
            classes.push(class);
        }
        at += length;
    }
    classes.packed
}

/// The number of classes.
pub(crate) fn length(sound: u64) -> u32 {
    (64 - sound.leading_zeros()).div_ceil(8)
}

/// The classes without a first vowel and without `v` after the first consonant, which Hebrew and Arabic also write for
/// vowels.
pub(crate) fn without_vowels(sound: u64) -> u64 {
    let mut classes = Classes::default();
    for (at, class) in sound.to_le_bytes().into_iter().enumerate() {
        let is_vowel = class == b'A' || (class == b'F' && at > 0);
        classes.push(if is_vowel { 0 } else { class });
    }
    classes.packed
}

#[derive(Default)]
struct Classes {
    packed: u64,
    length: u32,
}

impl Classes {
    fn push(&mut self, class: u8) {
        if class != 0 && self.length < 8 {
            self.packed |= u64::from(class) << (8 * self.length);
            self.length += 1;
        }
    }
}

/// The class of the letters at a position (0: silent) and how many letters it takes.
fn class(word: &[u8], at: usize) -> (u8, usize) {
    let rest = &word[at..];
    match rest {
        [b't' | b'd', b's', b'c', b'h', ..] | [b's', b'h', b'c', b'h', ..] => return (b'C', 4),
        [b's', b'c', b'h', ..] => return (b'S', 3),
        [b't', b'c', b'h', ..] => return (b'C', 3),
        [b'c' | b'z' | b'x', b'h', ..] | [b'd', b'j' | b'z', ..] | [b'c', b'z', ..] => {
            return (b'C', 2);
        }
        [b's', b'h' | b'z', ..] | [b't', b's' | b'z', ..] | [b'd', b's', ..] => return (b'S', 2),
        [b'p', b'h', ..] => return (b'F', 2),
        [b'k' | b'g', b'h', ..] | [b'c', b'k', ..] => return (b'K', 2),
        [b't' | b'd', b'h', ..] => return (b'T', 2),
        _ => {}
    }
    let class = match rest[0] {
        b'a' | b'e' | b'i' | b'o' | b'u' => u8::from(at == 0) * b'A',
        b'y' => u8::from(at == 0) * b'A',
        b'w' => u8::from(at == 0) * b'F',
        b'h' => 0,
        b'b' | b'p' => b'P',
        b'd' | b't' => b'T',
        b'c' if matches!(rest.get(1), Some(b'e' | b'i' | b'y')) => b'S',
        b'x' if at == 0 => b'S',
        b'c' | b'k' | b'q' | b'g' | b'x' => b'K',
        b'j' => b'C',
        b's' | b'z' => b'S',
        b'f' | b'v' => b'F',
        other => other.to_ascii_uppercase(),
    };
    (class, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_sound_are_equal() {
        for (one, other) in [
            ("muhammad", "mhmd"),
            ("zedong", "tsetung"),
            ("xi", "shi"),
            ("keller", "keler"),
            ("walid", "wlyd"),
        ] {
            assert_eq!(sound(one.as_bytes()), sound(other.as_bytes()), "{one} {other}");
        }
        assert_ne!(sound(b"chen"), sound(b"chiang"));
        assert_eq!(length(sound(b"keller")), 3);
        assert_eq!(length(sound(b"")), 0);
    }
}
