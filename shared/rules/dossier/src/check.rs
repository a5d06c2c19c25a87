//! Checks the draft of a writer against the rows that it cites, whoever wrote it.
//!
//! A line of a draft begins a section (`# board`) or is a sentence that ends with tags. A sentence stays if
//!
//! 1. each of its tags names a row that the writer got, and there is at least one (`sentence`);
//! 2. each of its numbers and dates is in a cited row (`figures`);
//! 3. each name in it is in a cited row, in the same order of words (`names`);
//! 4. it says nothing grave, and denies nothing, that the cited rows do not, and its words are theirs or carry no content (`claims`);
//! 5. if it cites several rows of evidence, each of its clauses holds against one of them, so that facts of two rows do not become a
//!    third one (`clauses`);
//! 6. it cites evidence, or says what an obligation says in the same words;
//! 7. it contains no address, markup or quotation;
//! 8. it does not contradict the record or the history, whatever it cites (`record`).
//!
//! If one of several sentences on a line has no tag, the whole line is dropped: the rest may mean something else without it.
//! Doubt drops a sentence: a dossier may say less, but nothing that its sources do not say.
//!
//! The check compares words, and does not understand them. It does not see who does what to whom inside of one row (a row with
//! two persons and two shares), nor words of up to four letters. Years count as such only after words
//! such as `in` and `since`; after those, a quantity of four digits that equals a year of the row passes.

mod claims;
mod clauses;
mod figures;
mod names;
mod record;
mod sentence;
mod vocabulary;

use std::collections::HashSet;

use auth::Language;
use domain::text;
use teams::dossier::CitationKind;

use self::{figures::Figures, sentence::sentences};
pub(crate) use self::{record::Record, sentence::Sentence};
use crate::row::{Row, Section};

/// Maximum length of a sentence in characters: longer than that of any row.
const MAX_SENTENCE: usize = 1_200;
/// Maximum number of sentences. Dossiers have at most about 200 rows.
const MAX_SENTENCES: usize = 400;

/// The sentences of a draft that hold, each with its section, and the number of those that do not.
pub(crate) fn check(
    draft: &str,
    rows: &[&Row],
    language: Language,
) -> (Vec<(Section, Sentence)>, u32) {
    let mut names: Vec<&str> = rows.iter().flat_map(|it| &it.names).map(String::as_str).collect();
    // The longest first: a name can be a part of another.
    names.sort_by_key(|it| std::cmp::Reverse(it.len()));
    names.dedup();
    let mut kept: Vec<(Section, Sentence)> = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let (mut section, mut dropped) = (None, 0);
    for line in draft.lines().map(str::trim).filter(|it| !it.is_empty()) {
        if let Some(heading) = line.strip_prefix('#') {
            section = Section::ALL.into_iter().find(|it| it.key() == heading.trim());
            dropped += u32::from(section.is_none());
            continue;
        }
        let Some(found) = sentences(line, &names) else {
            dropped += 1;
            continue;
        };
        let is_whole = found.iter().all(|it| !it.ids.is_empty());
        for sentence in found {
            let holds = is_whole
                && kept.len() < MAX_SENTENCES
                && seen.insert(text::fold(&sentence.text))
                && holds(&sentence, rows, language);
            match section.filter(|_| holds) {
                Some(section) => kept.push((section, sentence)),
                None => dropped += 1,
            }
        }
    }
    (kept, dropped)
}

/// Whether a sentence holds against the rows that it cites.
fn holds(sentence: &Sentence, rows: &[&Row], language: Language) -> bool {
    let mut cited: Vec<&Row> = Vec::new();
    for id in &sentence.ids {
        let known = cited.len();
        // A provision has a row for each addressee.
        cited.extend(rows.iter().filter(|it| it.id == *id));
        if cited.len() == known {
            return false;
        }
    }
    let said = sentence.text.as_str();
    // What a row says in the same words holds.
    if sentence.ids.len() == 1 && cited.iter().any(|it| it.clause() == said) {
        return true;
    }
    // What an obligation says is not about the company, except in its own words.
    cited.iter().any(|it| it.kind == CitationKind::Evidence)
        && !said.is_empty()
        && said.chars().count() <= MAX_SENTENCE
        && !has_markup(said)
        && Figures::of(said, language).are_in(&Figures::of_rows(&cited, language))
        && names::are_in(said, &cited, language)
        && claims::are_in(said, &cited, language)
        && are_clauses_of_one_row(said, &cited, language)
}

/// Whether each clause of a sentence holds against one row of evidence, with the obligations that are cited. Together, the rows
/// could say what none of them says.
fn are_clauses_of_one_row(said: &str, cited: &[&Row], language: Language) -> bool {
    let (evidence, obligations): (Vec<&Row>, Vec<&Row>) =
        cited.iter().partition(|it| it.kind == CitationKind::Evidence);
    let is_of = |clause: &str, row: &Row| {
        let rows: Vec<&Row> = std::iter::once(row).chain(obligations.iter().copied()).collect();
        Figures::of(clause, language).are_in(&Figures::of_rows(&rows, language))
            && names::are_in(clause, &rows, language)
            && claims::are_in(clause, &rows, language)
    };
    let holds = |clause: &String| evidence.iter().any(|it| is_of(clause, it));
    evidence.len() < 2 || clauses::clauses(said).iter().all(holds)
}

/// Whether a sentence contains an address, markup or a quotation.
fn has_markup(said: &str) -> bool {
    let signs =
        ['<', '>', '`', '*', '_', '|', '\\', '{', '}', '@', '«', '»', '“', '”', '„', '"', '‹', '›'];
    let lower = said.to_lowercase();
    said.contains(signs) || ["http", "www.", "://"].iter().any(|it| lower.contains(it))
}
