//! Words of scripts that leave out vowels, compared with Latin ones letter by letter: `ברקוביץ`, `Berkovich`.
//!
//! Each letter has the forms that languages write for it (`alphabets.tsv`). A Latin word spells one of such a script if it
//! consists of forms of the letters, in their order, with vowels after them.

use smallvec::SmallVec;

use crate::alphabets::forms;

/// The number of Latin letters of a word that are compared: the bits of a set of positions.
const MAX_LETTERS: usize = 63;

/// The number of vowels that one letter may have after it.
const MAX_VOWELS: usize = 3;

/// Whether a Latin word spells a word of a script without vowels, or several joined ones.
pub(crate) fn spells(written: &str, latin: &[u8]) -> bool {
    let mut letters: SmallVec<[u8; 32]> = SmallVec::new();
    for letter in latin {
        // A double letter is one of the script.
        if letters.last() != Some(letter) || is_vowel(*letter) {
            letters.push(*letter);
        }
    }
    if letters.len() > MAX_LETTERS {
        return false;
    }
    let mut reached: u64 = 1;
    let mut rest = written;
    while let Some(letter) = rest.chars().next() {
        // The Arabic article, also after `li-`: it may be missing, or assimilated to the next letter.
        let article = ["ال", "لل"].iter().find(|it| rest.len() > 8 && rest.starts_with(**it));
        let starts =
            rest.len() == written.len() || written[..written.len() - rest.len()].ends_with(' ');
        if let Some(article) = article.filter(|_| starts) {
            if *article == "لل" {
                reached |= after(&letters, reached, b"l");
            }
            reached = with_vowels(&letters, reached);
            reached |= after(&letters, reached, b"l");
            rest = &rest[article.len()..];
            continue;
        }
        rest = &rest[letter.len_utf8()..];
        let forms = forms(letter);
        if forms.is_empty() {
            continue;
        }
        let mut next = 0;
        for form in forms {
            next |= match *form {
                "-" => reached,
                "+" => with_vowels(&letters, after_vowel(&letters, reached)),
                form => {
                    let found = after(&letters, reached, form.as_bytes());
                    // A last vowel has a letter, but for the silent one of French forms.
                    if rest.is_empty() { found } else { with_vowels(&letters, found) }
                }
            };
        }
        reached = next;
        if reached == 0 {
            return false;
        }
    }
    // Silent: `Sarah`, `Rachide`.
    let end = letters.len();
    let silent = usize::from(letters.ends_with(b"h") || letters.ends_with(b"e"));
    reached & (1 << end | 1 << (end - silent)) != 0
}

/// The positions after a form, of those from which the letters are that form.
fn after(letters: &[u8], from: u64, form: &[u8]) -> u64 {
    positions(from)
        .filter(|at| letters[*at..].starts_with(form))
        .fold(0, |found, at| found | 1 << (at + form.len()))
}

/// Positions, and those after some vowels.
fn with_vowels(letters: &[u8], from: u64) -> u64 {
    let mut found = from;
    for _ in 0..MAX_VOWELS {
        found |= after_vowel(letters, found);
    }
    found
}

/// The positions after one vowel.
fn after_vowel(letters: &[u8], from: u64) -> u64 {
    let vowels = positions(from).filter(|at| letters.get(*at).is_some_and(|it| is_vowel(*it)));
    vowels.fold(0, |found, at| found | 1 << (at + 1))
}

fn positions(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            at
        })
    })
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_forms_spell_words_without_vowels() {
        for (written, latin) in [
            ("מנדלסון", "mendelson"),
            ("פינקלשטיין", "finkelstein"),
            ("חנוך", "chanoch"),
            ("חנוך", "hanoch"),
            ("רבקה", "rivkah"),
            ("ذو الفقار", "zulfiqar"),
            ("نور الدين", "nureddin"),
            ("ضیا", "zia"),
            ("قزوینی", "ghazvini"),
            ("الشيخ", "cheikh"),
            ("للنقل", "lilnaql"),
        ] {
            assert!(spells(written, latin.as_bytes()), "{written} {latin}");
        }
        for (written, latin) in
            [("חנוך", "nachum"), ("رشيد", "arshad"), ("سمير", "samira"), ("دار", "dr")]
        {
            assert!(!spells(written, latin.as_bytes()), "{written} {latin}");
        }
    }
}
