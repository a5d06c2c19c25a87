//! Normalises names and searches to folded words.

use domain::text::{LIQUIDATION, fold};

/// Maximum length of a name or a search in characters; the rest is ignored.
const LONGEST_TEXT: usize = 1_000;

/// Folds a name and limits its length.
pub(crate) fn folded(name: &str) -> String {
    let start = name.char_indices().nth(LONGEST_TEXT).map_or(name, |(end, _)| &name[..end]);
    let mut words = fold(start);
    // Folding may turn one character into several ASCII letters.
    words.truncate(LONGEST_TEXT);
    words.truncate(words.trim_end().len());
    words
}

/// Legal forms of one word, at any position in a name.
const LEGAL_FORMS: [&str; 17] = [
    "ag",
    "aktiengesellschaft",
    "gmbh",
    "inc",
    "kg",
    "klg",
    "kmag",
    "kmg",
    "limited",
    "llc",
    "ltd",
    "plc",
    "sa",
    "sagl",
    "sarl",
    "snc",
    "sicav",
];

/// Legal forms of several words, at the end of a name.
const ENDINGS: [&[&str]; 12] = [
    &["s", "a"],
    &["s", "a", "r", "l"],
    &["s", "ar", "l"],
    &["s", "a", "g", "l"],
    &["s", "n", "c"],
    &["ltd", "liab", "co"],
    &["limited", "liability", "company"],
    &["gesellschaft", "mit", "beschrankter", "haftung"],
    &["societe", "anonyme"],
    &["societe", "a", "responsabilite", "limitee"],
    &["societa", "anonima"],
    &["societa", "a", "garanzia", "limitata"],
];

/// The words without legal forms and liquidation marks, in any language. All words if nothing else would be
/// left.
pub(crate) fn without_legal_form<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut rest = words;
    while let Some(shorter) = without_ending(rest) {
        rest = shorter;
    }
    let bare: Vec<&str> = rest.iter().copied().filter(|it| !LEGAL_FORMS.contains(it)).collect();
    if bare.is_empty() { words.to_vec() } else { bare }
}

fn without_ending<'w, 'a>(words: &'w [&'a str]) -> Option<&'w [&'a str]> {
    let without = |ending: &[&str]| {
        let (rest, end) = words.split_at_checked(words.len().checked_sub(ending.len())?)?;
        // `A.S.A.` is a name, `Muster S.A.` has a legal form.
        let letters = ending[0].len() == 1;
        let before = rest.last().is_some_and(|it| !letters || it.len() > 1);
        (end == ending && before).then_some(rest)
    };
    let one_word = |words: &'w [&'a str]| match words {
        [rest @ .., last] if !rest.is_empty() && LEGAL_FORMS.contains(last) => Some(rest),
        _ => None,
    };
    let endings = LIQUIDATION.iter().chain(&ENDINGS);
    endings.copied().find_map(without).or_else(|| one_word(words))
}

/// A folded name without legal form and spaces: the same for `Gotthard-Bahn AG` and `Gotthardbahn SA`.
pub(crate) fn bare(name: &str) -> String {
    let words: Vec<&str> = name.split_ascii_whitespace().collect();
    without_legal_form(&words).concat()
}

/// The words to index for a folded name: its words, and adjacent initials joined, so that `ABC Treuhand`
/// finds `A.B.C. Treuhand`.
pub(crate) fn indexed(name: &str) -> Vec<String> {
    let words: Vec<&str> = name.split_ascii_whitespace().collect();
    let joined = initials(&words).map(|it| it.concat());
    joined.chain(words.iter().map(|it| (*it).to_owned())).collect()
}

/// The sequences of two or more single letters.
fn initials<'w, 'a>(words: &'w [&'a str]) -> impl Iterator<Item = &'w [&'a str]> {
    words.chunk_by(|one, next| one.len() == 1 && next.len() == 1).filter(|it| it.len() > 1)
}

/// Ends of the word sequences starting at `first` that may be written as one word: two words, or any number
/// of initials.
pub(crate) fn joined_ends(words: &[&str], first: usize) -> impl Iterator<Item = usize> {
    let two = first + 2;
    let letters = words[first..].iter().take_while(|it| it.len() == 1).count();
    let all = first + letters;
    [(two <= words.len()).then_some(two), (all > two).then_some(all)].into_iter().flatten()
}

/// Number of typos allowed in a folded word. None in words with digits: another number is another name.
pub(crate) fn typos_forgiven(word: &str) -> u8 {
    /// Longer words make the typo search expensive and are not real words.
    const LONGEST_WORD: usize = 40;
    match word.bytes().filter(u8::is_ascii_lowercase).count() {
        _ if word.len() > LONGEST_WORD => 0,
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_name_is_the_same_in_all_languages() {
        for (name, expected) in [
            ("ABB SA", "abb"),
            ("Nestlé S.A.", "nestle"),
            ("Nestlé AG", "nestle"),
            ("Muster S.à r.l.", "muster"),
            ("Muster Sàrl en liquidation", "muster"),
            ("Muster GmbH in Liquidation", "muster"),
            ("Muster Sagl in liquidazione", "muster"),
            ("Muster Ltd liab. Co", "muster"),
            ("AG für Fruchthandel", "furfruchthandel"),
            ("Gotthard-Bahn AG", "gotthardbahn"),
            ("AG", "ag"),
            ("S.A.", "sa"),
            ("In Liquidation", "inliquidation"),
            ("A.S.A.", "asa"),
            ("", ""),
        ] {
            assert_eq!(bare(&folded(name)), expected, "{name}");
        }
    }

    #[test]
    fn initials_are_indexed_as_one_word_too() {
        assert_eq!(
            indexed("a b c treuhand f h"),
            ["abc", "fh", "a", "b", "c", "treuhand", "f", "h"]
        );
        assert_eq!(indexed("f hoffmann"), ["f", "hoffmann"]);
        let ends = |words: &[&str]| joined_ends(words, 0).collect::<Vec<_>>();
        assert_eq!(ends(&["a", "b", "c", "treuhand"]), [2, 3]);
        assert_eq!(ends(&["gotthard", "bahn"]), [2]);
        assert_eq!(ends(&["gotthard"]), Vec::<usize>::new());
    }

    #[test]
    fn long_names_are_truncated() {
        let long = folded(&"ж ".repeat(10_000));
        assert!(long.len() <= LONGEST_TEXT && !long.ends_with(' '), "{}", long.len());
    }

    #[test]
    fn number_of_letters_decides_how_many_typos_are_allowed() {
        let forgiven =
            ["abb", "abba", "nestled", "nestledd", "2024", "hall2024"].map(typos_forgiven);
        assert_eq!(forgiven, [0, 1, 1, 2, 0, 1]);
    }
}
