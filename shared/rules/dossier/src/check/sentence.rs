//! Splits a line into sentences and their tags.

use domain::wording::MONTHS;

/// A sentence without its tags and its full stop.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// Ids in its tags, each once, in their order.
    pub(crate) ids: Vec<String>,
}

/// Begins the characters that stand for tags while a line is split. Drafts with characters of this range are malformed.
const MARK: u32 = 0xE000;
/// Maximum number of tags on a line.
const MAX_TAGS: usize = 200;

/// Abbreviations after which a full stop ends nothing.
const ABBREVIATIONS: &[&str] = &[
    "abs", "al", "art", "ca", "cf", "co", "corp", "cpv", "dr", "ecc", "etc", "geb", "inc", "lic",
    "lit", "ltd", "mag", "med", "mio", "mrd", "nr", "no", "para", "prof", "resp", "rev", "st",
    "ste", "str", "usw", "vgl", "bzw",
];

/// The sentences of a line. `None` if it contains a broken tag or other square brackets.
pub(super) fn sentences(line: &str, names: &[&str]) -> Option<Vec<Sentence>> {
    if line.chars().any(|it| (MARK..=0xF8FF).contains(&u32::from(it)) || it.is_control()) {
        return None;
    }
    let (marked, ids) = with_marks(line)?;
    let protected = protected(&marked, names);
    let characters: Vec<(usize, char)> = marked.char_indices().collect();
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        let (position, character) = characters[at];
        at += 1;
        if !ends(character) || protected.iter().any(|it| it.contains(&position)) {
            continue;
        }
        let rest = &marked[position + character.len_utf8()..];
        if !is_boundary(&marked[..position], character, rest) {
            continue;
        }
        // Tags after the full stop belong to the sentence before it.
        let mut end = position + character.len_utf8();
        let mut ahead = at;
        while let Some((next, following)) = characters.get(ahead).copied() {
            ahead += 1;
            if is_mark(following) || ends(following) {
                end = next + following.len_utf8();
                at = ahead;
            } else if !following.is_whitespace() {
                break;
            }
        }
        sentences.push(sentence(&marked[start..end], &ids));
        start = end;
    }
    sentences.push(sentence(&marked[start..], &ids));
    sentences.retain(|it| !it.text.is_empty() || !it.ids.is_empty());
    Some(sentences)
}

fn is_mark(character: char) -> bool {
    (MARK..=0xF8FF).contains(&u32::from(character))
}

fn ends(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…' | '。')
}

/// The line with a mark for each tag, and the ids of the tags.
fn with_marks(line: &str) -> Option<(String, Vec<String>)> {
    let mut marked = String::new();
    let mut ids: Vec<String> = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find("[[obl:") {
        marked.push_str(&rest[..at]);
        let tag = &rest[at + "[[obl:".len()..];
        let end = tag.find("]]")?;
        let id = &tag[..end];
        let is_id = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
        if id.is_empty() || id.len() > 64 || !id.chars().all(is_id) || ids.len() == MAX_TAGS {
            return None;
        }
        marked.push(char::from_u32(MARK + u32::try_from(ids.len()).ok()?)?);
        ids.push(id.to_owned());
        rest = &tag[end + 2..];
    }
    marked.push_str(rest);
    // In every width: what looks like a tag must not stay in a text.
    (!marked.contains(['[', ']', '［', '］', '⟦', '⟧', '【', '】'])).then_some((marked, ids))
}

/// Where names are: a full stop in them ends nothing.
fn protected(marked: &str, names: &[&str]) -> Vec<std::ops::Range<usize>> {
    let of_name = |name: &&str| -> Vec<std::ops::Range<usize>> {
        marked.match_indices(*name).map(|(at, name)| at..at + name.len()).collect()
    };
    names.iter().filter(|it| it.contains(ends)).flat_map(of_name).collect()
}

/// Whether a sentence ends at a sign, given what is before and after it.
fn is_boundary(before: &str, sign: char, rest: &str) -> bool {
    let next = rest.chars().next();
    if next.is_some_and(|it| !it.is_whitespace() && !is_mark(it) && !ends(it)) {
        // A decimal point, an abbreviation with inner points, a number of a company.
        return false;
    }
    if sign != '.' {
        return true;
    }
    let word =
        |it: &str| it.chars().rev().take_while(|it| it.is_alphanumeric()).collect::<Vec<_>>();
    let word: String = word(before).into_iter().rev().collect();
    let following = rest.trim_start();
    if following.is_empty() || following.chars().all(|it| is_mark(it) || it.is_whitespace()) {
        return true;
    }
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let next_word = following.split(|it: char| !it.is_alphabetic()).next().unwrap_or_default();
    let is_day = !word.is_empty()
        && word.chars().all(|it| it.is_ascii_digit())
        && MONTHS.iter().flatten().any(|it| it.eq_ignore_ascii_case(next_word));
    !is_initial && !is_day && !ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

fn sentence(marked: &str, all: &[String]) -> Sentence {
    let mut text = String::new();
    let mut ids: Vec<String> = Vec::new();
    for character in marked.chars() {
        if is_mark(character) {
            let id = usize::try_from(u32::from(character) - MARK).ok().and_then(|it| all.get(it));
            ids.extend(id.filter(|it| !ids.contains(it)).cloned().into_iter().collect::<Vec<_>>());
        } else if character.is_whitespace() {
            if !text.ends_with(' ') {
                text.push(' ');
            }
        } else {
            text.push(character);
        }
    }
    // The space that was before a tag in the middle.
    for sign in [",", ";", ":"] {
        text = text.replace(&format!(" {sign}"), sign);
    }
    // One full stop is set again; what else ends a sentence becomes one.
    let text = text.trim();
    let text = match text.strip_suffix('.') {
        Some(clause) => clause.trim_end(),
        None => text.trim_end_matches(['!', '?', '…', '。', ' ']),
    };
    let text = text.trim_end_matches(['.', ' ']).to_owned();
    Sentence { text: text.trim().to_owned(), ids }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<(String, Vec<String>)> {
        let names = ["Muster & Co. Treuhand AG", "Société Exemple S.A."];
        let sentences = sentences(line, &names).expect("well-formed");
        sentences.into_iter().map(|it| (it.text, it.ids)).collect()
    }

    #[test]
    fn tags_belong_to_the_sentence_that_they_end() {
        let ids = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            split("One [[obl:ev-1]][[obl:co-727]]. Two. [[obl:ev-2]] Three"),
            [
                ("One".into(), ids(&["ev-1", "co-727"])),
                ("Two".into(), ids(&["ev-2"])),
                ("Three".into(), ids(&[])),
            ]
        );
    }

    #[test]
    fn points_in_names_dates_numbers_and_abbreviations_end_nothing() {
        for line in [
            "Muster & Co. Treuhand AG ist aktiv [[obl:ev-1]].",
            "Société Exemple S.A. Vevey [[obl:ev-1]].",
            "Seit dem 3. Mai 2001 gilt Art. 727 Abs. 1 OR [[obl:ev-1]].",
            "CHE-101.049.653 hat 12.5 % [[obl:ev-1]].",
        ] {
            assert_eq!(split(line).len(), 1, "{line}");
        }
        assert_eq!(split("Er ist aktiv. Das stimmt [[obl:ev-1]].").len(), 2);
    }

    #[test]
    fn broken_tags_and_other_brackets_are_malformed() {
        for line in [
            "One [[obl:ev-1]",
            "One [[obl:EV 1]].",
            "One [[obl:]].",
            "One [1] [[obl:ev-1]].",
            "One ［［obl:ev-1］］.",
            "One \u{e000}.",
        ] {
            assert_eq!(sentences(line, &[]), None, "{line}");
        }
    }
}
