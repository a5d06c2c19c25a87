//! What each clause says about its persons.

use super::{
    clauses::{Clause, Link},
    mentions::{Case, Mention},
    parts::Sentence,
    persons::Persons,
    said::said,
    vocabulary::Meaning,
};
use crate::{entry::Draft, words::starts_with_any};

/// What happens to further persons of a list.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    Appointed(Box<Draft>),
    Left { office: Option<String>, signature: Option<String> },
}

/// Reads the clauses of one sentence.
pub(super) struct Reading<'a, 's> {
    pub(super) sentence: &'s Sentence<'a>,
    pub(super) mentions: &'s [Mention<'a>],
    pub(super) persons: &'s mut Persons,
    /// Number of entries of lists before the sentence.
    pub(super) position: usize,
    /// The persons that the next clause is about if it names none.
    pub(super) subjects: Vec<usize>,
    /// Persons named without a verb so far.
    pub(super) pending: Vec<usize>,
    /// All persons of the sentence that got an office or a signature.
    pub(super) appointed: Vec<usize>,
    /// The person of each mention.
    pub(super) ids: Vec<Option<usize>>,
    pub(super) effect: Option<Effect>,
    /// Whether the last clause named its persons after the verb.
    pub(super) is_list_open: bool,
}

impl<'a, 's> Reading<'a, 's> {
    pub(super) fn new(
        sentence: &'s Sentence<'a>,
        mentions: &'s [Mention<'a>],
        persons: &'s mut Persons,
        position: usize,
        subjects: Vec<usize>,
    ) -> Self {
        let ids = vec![None; mentions.len()];
        Self {
            sentence,
            mentions,
            persons,
            position,
            subjects,
            pending: Vec::new(),
            appointed: Vec::new(),
            ids,
            effect: None,
            is_list_open: false,
        }
    }

    pub(super) fn read(&mut self, clause: &Clause, is_first: bool) {
        let said = said(self.sentence, self.mentions, clause);
        // Who follows whom is not read: the words about the predecessor would be read as the successor's.
        if said.has(Meaning::Succeeds) {
            return;
        }
        let (named, shared) = self.named(clause);
        match clause.link {
            Link::NoLonger(about) => self.read_no_longer(&said, &named, about),
            Link::Replaced => self.read_replaced(clause, &named),
            Link::Relative(mention) => {
                let subjects = self.id(mention).into_iter().collect::<Vec<_>>();
                let before = std::mem::replace(&mut self.subjects, subjects);
                self.read_statement(clause, &said, &named, false);
                self.subjects = before;
            }
            Link::Main => {
                if let Some(latest) = self.latter(clause) {
                    self.subjects = vec![latest];
                } else if named.is_empty() && !is_first && self.is_plural(clause) {
                    let mut before: Vec<usize> = self
                        .mentions
                        .iter()
                        .zip(&self.ids)
                        .filter(|(it, _)| {
                            it.name.end <= clause.range.start && it.case == Case::Plain
                        })
                        .filter_map(|(_, id)| *id)
                        .collect();
                    before.dedup();
                    before.retain(|it| !self.persons.has_left(*it));
                    if before.len() > 1 {
                        self.subjects = before;
                    }
                } else if named.is_empty() && self.is_about_all(clause) {
                    let mut all: Vec<usize> = self.ids.iter().filter_map(|it| *it).collect();
                    all.drain(..all.len().saturating_sub(2));
                    self.subjects = all;
                }
                // A new sentence is about the same persons only if it says so.
                if is_first && !said.refers_back {
                    self.subjects.clear();
                }
                self.read_statement(clause, &said, &named, true);
                for shared in shared.into_iter().chain(said.common.shared.clone()) {
                    let moves = said.has(Meaning::Cedes) || said.has(Meaning::Acquires);
                    if !(moves && shared.draft.has_quota()) {
                        self.apply_shared(&shared, &named);
                    }
                }
            }
        }
    }

    /// The person that `dieser` or `celui-ci` at the start of a clause stands for: the one named last.
    fn latter(&self, clause: &Clause) -> Option<usize> {
        #[rustfmt::skip]
        const LATTER: [&str; 11] = [
            "dieser", "diese", "letzterer", "letztere", "celui-ci", "celle-ci", "quest'ultimo", "quest'ultima", "quest’ultimo", "quest’ultima", "dernier",
        ];
        let is_latter = clause.tokens().take(4).any(|it| LATTER.contains(&self.sentence.word(it)));
        let mentions = self.mentions.iter().zip(&self.ids);
        let before = mentions.filter(|(it, _)| it.name.end <= clause.range.start);
        before.filter_map(|(_, id)| *id).next_back().filter(|_| is_latter)
    }

    /// Whether a clause starts with a pronoun for several persons: `ils signent …`.
    fn is_plural(&self, clause: &Clause) -> bool {
        let first = clause.tokens().find(|it| self.sentence.tokens[*it].is_word());
        first.is_some_and(|at| match self.sentence.word(at) {
            "ils" | "elles" | "essi" | "esse" | "ceux-ci" | "celles-ci" => true,
            "sie" => self.sentence.is_finite(at + 1) && self.sentence.word(at + 1).ends_with("en"),
            _ => false,
        })
    }

    /// Whether a clause without a name starts with a word for the two persons before: `tous deux sont gérants`.
    fn is_about_all(&self, clause: &Clause) -> bool {
        let first = clause.tokens().find(|it| self.sentence.tokens[*it].is_word());
        let text = first.map_or("", |it| &self.sentence.text[self.sentence.tokens[it].start..]);
        starts_with_any(
            text,
            &[
                "beide ",
                "tous deux ",
                "toutes deux ",
                "entrambi ",
                "entrambe ",
                "ambedue ",
                "les deux ",
            ],
        )
    }

    /// The person of a mention.
    pub(super) fn id(&self, mention: usize) -> Option<usize> {
        self.ids.get(mention).copied().flatten()
    }
}
