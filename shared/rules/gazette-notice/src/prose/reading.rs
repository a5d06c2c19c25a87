//! What each clause says about its persons.

use super::{
    clause_content::{ClauseContent, read_clause},
    clauses::{Clause, Link},
    mentions::{Case, Mention},
    parts::Sentence,
    persons::Persons,
    vocabulary::{ALL, Meaning},
};
use crate::{
    entry::Draft,
    words::{LEAVING, starts_with_any},
};

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
    /// The persons who got an office or a signature in the sentence before.
    pub(super) appointed_before: Vec<usize>,
    /// Persons named without a verb so far.
    pub(super) pending: Vec<usize>,
    /// All persons of the sentence that got an office or a signature.
    pub(super) appointed: Vec<usize>,
    /// The person of each mention.
    pub(super) ids: Vec<Option<usize>>,
    pub(super) effect: Option<Effect>,
    /// Whether the last clause named its persons after the verb.
    pub(super) is_list_open: bool,
    /// Number of clauses that are left out because they are not sure.
    pub(super) unsure: u32,
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
            appointed_before: Vec::new(),
            pending: Vec::new(),
            appointed: Vec::new(),
            ids,
            effect: None,
            is_list_open: false,
            unsure: 0,
        }
    }

    pub(super) fn read(&mut self, clause: &Clause, is_first: bool) {
        let content = read_clause(self.sentence, self.mentions, clause);
        if content.has(Meaning::Succeeds) {
            return self.read_successor(clause, &content);
        }
        let (named, shared) = self.named(clause, &content.former_names);
        match clause.link {
            Link::NoLonger(about) => self.read_no_longer(&content, &named, about),
            Link::Replaced => self.read_replaced(clause, &named),
            Link::Relative(mention) => {
                let subjects = self.id(mention).into_iter().collect::<Vec<_>>();
                let before = std::mem::replace(&mut self.subjects, subjects);
                self.read_statement(clause, &content, &named, false);
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
                    if is_first && !self.appointed_before.is_empty() {
                        all.clone_from(&self.appointed_before);
                    }
                    all.drain(..all.len().saturating_sub(2));
                    self.subjects = all;
                } else if is_first
                    && named.is_empty()
                    && content.refers_back
                    && self.appointed_before.len() > 1
                    && self.starts_with_all(clause)
                {
                    self.subjects.clone_from(&self.appointed_before);
                }
                // A new sentence is about the same persons only if it says so.
                if is_first && !content.refers_back {
                    self.subjects.clear();
                }
                self.read_statement(clause, &content, &named, true);
                self.apply_to_each(&content.common.each, &named);
                for shared in shared.into_iter().chain(content.common.shared.clone()) {
                    let moves = content.has(Meaning::Cedes) || content.has(Meaning::Acquires);
                    if !(moves && shared.draft.has_quota()) {
                        self.apply_shared(&shared, &named);
                    }
                }
            }
        }
    }

    /// Reads `B succède à A comme président`: B gets the office that the clause names. What becomes of A is not stated, except
    /// where the clause says that A has left.
    fn read_successor(&mut self, clause: &Clause, content: &ClauseContent<'a>) {
        let (named, _) = self.named(clause, &content.former_names);
        // `Lui succède comme gérante B`
        let is_dative = |it: usize| {
            matches!(self.sentence.word(it), "Lui" | "lui" | "Ihm" | "ihm" | "Ihr" | "Gli" | "gli")
        };
        if let [new] = named.as_slice()
            && new.case == Case::Plain
            && clause.tokens().take(3).any(is_dative)
            && !(content.is_negated || content.is_denied)
        {
            let mut common = content.common.draft.clone();
            if let Some(office) = new.own.as_deref().filter(|_| !common.has_function()) {
                common.set_function(office);
            }
            if common.has_function() {
                self.appoint(&[new.id], &common, &[]);
            }
            return;
        }
        let [new, former] = named.as_slice() else { return };
        let is_clear = new.case == Case::Plain && !new.is_after_verb && former.is_after_verb;
        let office = content.office().filter(|_| is_clear && former.own.is_none());
        if office.is_none() || content.is_negated || content.is_denied {
            return;
        }
        let (new, former) = (new.id, former.id);
        self.appoint(&[new], &content.common.draft, &[]);
        if LEAVING.occur_in(self.sentence.slice(clause.range.start, clause.range.end)) {
            self.persons.leave(former, office.as_deref());
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

    /// Whether a clause starts with a word for all persons, or with a pronoun for several: `Tous signent …`, `Sie zeichnen …`.
    fn starts_with_all(&self, clause: &Clause) -> bool {
        let first = clause.tokens().next();
        let text = first.map_or("", |it| &self.sentence.text[self.sentence.tokens[it].start..]);
        const SEVERAL: [&str; 5] = ["Ils ", "Elles ", "Sie zeichnen ", "Essi ", "Firmano "];
        starts_with_any(text, ALL) || starts_with_any(text, &SEVERAL)
    }

    /// States that the persons of the sentence were registered before.
    pub(super) fn keep_all(&mut self) {
        let plain = self.mentions.iter().zip(&self.ids).filter(|(it, _)| it.case == Case::Plain);
        for id in plain.filter_map(|(_, id)| *id).collect::<Vec<_>>() {
            self.persons.keep(id, None);
        }
    }

    /// The person of a mention.
    pub(super) fn id(&self, mention: usize) -> Option<usize> {
        self.ids.get(mention).copied().flatten()
    }
}
