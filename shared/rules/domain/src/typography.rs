//! The typography that every text of the service keeps, in all of its languages. For the tests of the crates that have texts.
//!
//! French follows the texts of the Swiss Confederation, which have no space before `:` and `;`, nor within `«»`.

use crate::Language;

/// What is wrong with the typography of a text. `None`: nothing.
pub fn misprint(text: &str) -> Option<&'static str> {
    let mut before = None;
    for letter in text.chars() {
        let is_after_space = before.is_some_and(char::is_whitespace);
        match letter {
            '\'' => return Some("the apostrophe is ’"),
            '"' => return Some("a quotation mark is straight"),
            'ß' => return Some("ß is ss in Switzerland"),
            ':' | ';' | '!' | '?' | '»' if is_after_space => return Some("a space before a sign"),
            ' ' if is_after_space => return Some("two spaces"),
            it if it.is_whitespace() && before == Some('«') => return Some("a space after «"),
            _ => before = Some(letter),
        }
    }
    text.contains("...").then_some("the ellipsis is …")
}

/// Whether a term begins as it does within a sentence: with a small letter, unless it begins with a German noun or a proper name.
pub fn is_within_sentence(language: Language, term: &str) -> bool {
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let mut words = term.split(' ');
    let first = words.next().unwrap_or_default();
    if !is_capital(first) {
        return true;
    }
    // A noun before another noun would be an adjective.
    let is_adjective = words.next().is_some_and(is_capital) && !first.ends_with([',', '-']);
    let is_no_noun = ["Kein", "Keine", "Nur", "Ohne"].contains(&first);
    language == Language::De && !is_adjective && !is_no_noun
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found() {
        for fault in [
            "l'été",
            "en suite : rien",
            "« oui",
            "oui\u{a0}»",
            "Strasse ß",
            "a  b",
            "a...",
            "\"a\"",
        ] {
            assert!(misprint(fault).is_some(), "{fault}");
        }
        assert_eq!(misprint("l’été: «oui»; 12.5 %, 10:30 …"), None);
    }

    #[test]
    fn german_nouns_are_told_from_other_words() {
        for (language, term, expected) in [
            (Language::De, "provisorische Nachlassstundung", true),
            (Language::De, "Provisorische Nachlassstundung", false),
            (Language::De, "Ohne Unterschrift", false),
            (Language::De, "Fusion, Übernahme von", true),
            (Language::Fr, "fusion", true),
            (Language::Fr, "Fusion", false),
        ] {
            assert_eq!(is_within_sentence(language, term), expected, "{term}");
        }
    }
}
