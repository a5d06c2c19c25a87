//! Names in a text.
//!
//! A name is a sequence of words with capital letters. Each must be in one cited row, with the same words in the same order, so that
//! first names and family names of two people do not become a third one. Words that are no names are in a vocabulary; in German,
//! where every noun has a capital letter, a noun that is neither there nor in a row drops the sentence.

use auth::Language;
use domain::text;

use super::vocabulary;
use crate::row::Row;

/// Small words inside of names.
const PARTICLES: &[&str] =
    &["von", "van", "der", "de", "del", "della", "di", "du", "des", "la", "le", "zu", "da", "&"];

/// Whether all names of a text are in the rows.
pub(super) fn are_in(said: &str, rows: &[&Row], language: Language) -> bool {
    let rows: Vec<String> = rows.iter().map(|it| format!(" {} ", text::fold(&it.text))).collect();
    let is_known = |name: &str| {
        let name = text::fold(name);
        name.is_empty() || rows.iter().any(|it| it.contains(&format!(" {name} ")))
    };
    names(said, language).iter().all(|it| is_known(it))
}

/// The words of a text that may be names, those that follow each other together.
fn names(said: &str, language: Language) -> Vec<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let mut names: Vec<String> = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut end = |run: &mut Vec<&str>| {
        while run.last().is_some_and(|it| PARTICLES.contains(it)) {
            run.pop();
        }
        if !run.is_empty() {
            names.push(run.join(" "));
        }
        run.clear();
    };
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '&');
        let is_separated = word.starts_with(['(', '«', '“', '"']);
        if is_separated {
            end(&mut run);
        }
        let is_name = is_capitalised(bare) && !is_vocabulary(bare, at == 0, language);
        if is_name || (!run.is_empty() && PARTICLES.contains(&bare)) {
            run.push(bare);
        } else {
            end(&mut run);
        }
        if word.ends_with([',', ';', ':', ')', '»', '”', '"']) {
            end(&mut run);
        }
    }
    end(&mut run);
    names
}

/// Whether a word has a capital letter anywhere: also `iPhone` and `d'Or` are names.
fn is_capitalised(word: &str) -> bool {
    word.chars().any(char::is_uppercase)
}

/// Whether a word is no name. A word that begins the sentence has a capital letter in any case.
fn is_vocabulary(word: &str, is_first: bool, language: Language) -> bool {
    let after = word.rsplit(['\'', '’']).next().unwrap_or(word);
    let folded = text::fold(after);
    vocabulary::nouns(language).contains(&folded)
        || (is_first && vocabulary::starters(language).contains(&folded))
}

#[cfg(test)]
mod tests {
    use domain::Provenance;
    use teams::dossier::CitationKind;

    use super::*;
    use crate::row::Section;

    fn holds(said: &str, row: &str, language: Language) -> bool {
        let row = Row {
            id: "ev-1".into(),
            kind: CitationKind::Evidence,
            section: Section::Board,
            text: row.into(),
            names: Vec::new(),
            source: Provenance { source: "shab".into(), reference: None, date: None },
            cells: None,
            is_quotation: false,
        };
        are_in(said, &[&row], language)
    }

    #[test]
    fn a_name_must_be_in_the_row_as_a_whole() {
        let row = "Anna Muster und Peter von Keller sind bei der Beispiel AG eingetragen.";
        for said in [
            "Anna Muster ist eingetragen",
            "Die Gesellschaft heisst Beispiel AG",
            "Peter von Keller",
        ] {
            assert!(holds(said, row, Language::De), "{said}");
        }
        for said in [
            "Anna Keller ist eingetragen",
            "Hans Meier ist eingetragen",
            "Die Phantasie GmbH ist beteiligt",
            "Anna Muster und Phantasie sind eingetragen",
            "Peter Muster",
        ] {
            assert!(!holds(said, row, Language::De), "{said}");
        }
    }

    #[test]
    fn one_word_of_a_name_is_a_name_too() {
        assert!(!holds(
            "the company belongs to Phantasie",
            "The company has no owner.",
            Language::En
        ));
        assert!(!holds("la société Phantasie", "La société existe.", Language::Fr));
        assert!(!holds("Phantasie owns it", "The company has no owner.", Language::En));
        assert!(holds("The company exists", "It exists.", Language::En));
    }
}
