//! Entries in prose, the style of Geneva, Vaud, Neuchâtel, Ticino and older notices of Fribourg.
//!
//! The order of the words does not matter. A sentence is split into tokens, the persons in it are found (`mentions`), and
//! each clause with a conjugated verb (`clauses`) says something about its persons (`reading`, `naming`, `statements`): they
//! get, keep or lose an office, a signature (`signatures`) or shares (`shares`, `share_phrases`), or a detail changes
//! (`details`). What a clause says is no longer so is a clause of its own (`contrasts`). `effects` notes what follows for each
//! person, and what all clauses of the notice say about a person makes one entry (`persons`).

use super::{
    entry::MAX_LENGTH,
    item::FoundEntry,
    words::{ABOUT_PERSONS, AUDITOR, FUNCTION, NAME_OF_COMPANY, SIGNATURE, names_new_auditor},
};

mod clause_content;
mod clauses;
mod contrasts;
mod corrections;
mod details;
mod effects;
mod former_names;
mod mentions;
mod name_spans;
mod naming;
mod parts;
mod persons;
mod pieces;
mod places;
mod reading;
mod share_phrases;
mod shares;
mod signatures;
mod statements;
mod tokens;
mod unsure;
mod vocabulary;

use corrections::Annulment;
use parts::Sentence;
use persons::Persons;
use reading::Reading;

/// What the heading of a notice contains: the company's number, and a reference to the previous notice or that there is none.
const HEADING: [&str; 8] = [
    ", CHE-",
    ", CH-",
    "(SHAB ",
    "(FOSC ",
    "(FUSC ",
    "(Neueintragung)",
    "(Nouvelle inscription)",
    "(Nuova iscrizione)",
];

/// The prose of a notice, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct Prose {
    persons: Persons,
    /// The persons of the last clause.
    subjects: Vec<usize>,
    /// The persons who got an office or a signature in the last sentence about persons.
    appointed: Vec<usize>,
    /// Whether the first sentence was read.
    is_begun: bool,
    /// Whether a sentence other than the heading names a person or firm.
    pub(super) names_persons: bool,
    /// Number of clauses that are left out because they are not sure.
    pub(super) unsure: u32,
}

impl Prose {
    /// Reads one sentence. `position` is the number of entries of lists before it.
    pub(super) fn read_sentence(&mut self, text: &str, position: usize) {
        self.read(text, position, false);
    }

    /// Reads one item of a list of the holders of an office.
    pub(super) fn read_holders(&mut self, text: &str, office: &str, position: usize) {
        let earlier = self.persons.len();
        self.read(text, position, false);
        self.persons.hold_office_from(earlier, office);
    }

    /// Reads one sentence that corrects an earlier notice: its persons are registered already.
    pub(super) fn read_correction(&mut self, text: &str, position: usize) {
        if text.len() > MAX_LENGTH {
            return;
        }
        let earlier = self.persons.len();
        let (text, denied) = corrections::without_denied(text);
        self.read(&text, position, true);
        if let Some(name) = denied {
            let is_sure = self.persons.correct_name(earlier, &name);
            self.unsure += u32::from(!is_sure);
        }
    }

    fn read(&mut self, text: &str, position: usize, is_correction: bool) {
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let is_about_persons =
            SIGNATURE.occur_in(text) || FUNCTION.occur_in(text) || ABOUT_PERSONS.occur_in(text);
        // `Sa raison sociale devient Les Glycines Sàrl`: the name is not that of a person.
        let is_name_of_company = NAME_OF_COMPANY.occur_in(text)
            && ![&SIGNATURE, &ABOUT_PERSONS, &AUDITOR].iter().any(|it| it.occur_in(text));
        // `L'inscription de A est annulée`
        let is_about_persons = is_about_persons || is_correction || text.contains("annul");
        if text.len() > MAX_LENGTH || !is_about_persons || is_name_of_company {
            return;
        }
        if let Some(Annulment { named, part }) = corrections::annulment(text) {
            self.end_all(&text[named], position);
            let rest = [&text[..part.start], &text[part.end..]].concat();
            return self.read(&rest, position, is_correction);
        }
        let names_new_auditor = names_new_auditor(text);
        let earlier = self.persons.len();
        let sentence = Sentence::new(text);
        let mut mentions = mentions::mentions(&sentence);
        self.names_persons |= !mentions.is_empty() && (!is_first || !is_heading(text));
        let clauses = clauses::clauses(&sentence, &mut mentions);
        let subjects = std::mem::take(&mut self.subjects);
        let mut reading = Reading::new(&sentence, &mentions, &mut self.persons, position, subjects);
        reading.appointed_before = std::mem::take(&mut self.appointed);
        for (at, clause) in clauses.iter().enumerate() {
            reading.read(clause, at == 0);
        }
        if !is_first || !is_heading(text) {
            reading.read_sentence_without_verb();
        }
        if is_correction && !is_heading(text) {
            reading.keep_all();
        }
        self.unsure += reading.unsure;
        self.appointed = reading.appointed;
        self.subjects = reading.subjects;
        if names_new_auditor {
            self.persons.succeed_from(earlier);
        }
    }

    /// The entries of the persons in a text end.
    fn end_all(&mut self, text: &str, position: usize) {
        let sentence = Sentence::new(text);
        let mentions = mentions::mentions(&sentence);
        self.names_persons |= !mentions.is_empty();
        let subjects = Vec::new();
        Reading::new(&sentence, &mentions, &mut self.persons, position, subjects).end_all();
    }

    /// Number of persons and firms so far.
    pub(super) fn len(&self) -> usize {
        self.persons.len()
    }

    /// The entries of the lists and of the prose, in the order of the text.
    pub(super) fn into_entries(self, lists: Vec<FoundEntry>) -> Vec<FoundEntry> {
        self.persons.into_entries(lists)
    }
}

/// Whether a first sentence names the company of the notice: `Exemple SA, à Sion, CHE-123.456.789 (FOSC du 10.04.2026, p. 1)`.
fn is_heading(text: &str) -> bool {
    HEADING.iter().any(|it| text.contains(it))
}

/// Whether the text has a conjugated verb outside brackets.
pub(super) fn has_verb(text: &str) -> bool {
    let sentence = Sentence::new(text);
    (0..sentence.tokens.len()).any(|it| sentence.is_finite(it))
}

/// Whether the text has a conjugated verb that says what becomes of a person. `signe individuellement` says what is.
pub(super) fn tells_change(text: &str) -> bool {
    let sentence = Sentence::new(text);
    use vocabulary::{Meaning, Part};
    let meaning = |at: usize| sentence.parts.get(at).copied().flatten();
    let tells = |at: usize| match meaning(at) {
        Some(Part::Finite(it)) => matches!(
            it,
            Meaning::Is
                | Meaning::Appoints
                | Meaning::Keeps
                | Meaning::Leaves
                | Meaning::Ends
                | Meaning::IsNamed
        ),
        // `a démissionné`; `démissionnaire` alone describes somebody.
        Some(Part::Means(Meaning::Leaves)) => {
            at > 0 && meaning(at - 1) == Some(Part::Finite(Meaning::Has))
        }
        _ => false,
    };
    (0..sentence.parts.len()).any(tells)
}

/// Whether a label is the start of a sentence: `Sont nommés administrateurs`.
pub(super) fn is_clause(label: &str) -> bool {
    let sentence = Sentence::new(label);
    use vocabulary::{Meaning, Part};
    let is_verb = |it: &Option<Part>| {
        matches!(
            it,
            Some(
                Part::Finite(_)
                    | Part::Means(_)
                    | Part::Nominal(Meaning::Appoints | Meaning::Leaves)
            )
        )
    };
    sentence.parts.iter().any(is_verb)
}
