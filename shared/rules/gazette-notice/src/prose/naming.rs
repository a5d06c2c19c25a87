//! The persons of a clause, as it names and describes them.

use super::{
    clauses::Clause,
    former_names::FormerNamePair,
    mentions::{Case, Mention},
    pieces::{self, Shared},
    reading::Reading,
    vocabulary::{Meaning, Part, states_holder},
};
use crate::{
    brackets::read_brackets,
    clause::{self, AND},
    entry::Draft,
    punctuation,
    singular::singular,
    words::{FUNCTION, starts_with_any, strip_any_prefix},
};

/// Whether the word is or contains an article in the singular. German articles are also those of the plural.
fn has_singular_article(word: &str) -> bool {
    #[rustfmt::skip]
    const ARTICLES: [&str; 11] = ["il", "lo", "la", "le", "del", "della", "dal", "dalla", "al", "du", "au"];
    #[rustfmt::skip]
    const ELIDED: [&str; 8] = ["l'", "l’", "dell'", "dell’", "all'", "all’", "dall'", "dall’"];
    ARTICLES.contains(&word.to_lowercase().as_str()) || starts_with_any(word, &ELIDED)
}

/// Whether a clause about a person starts with a word for the time before the notice.
fn says_former(text: &str) -> bool {
    #[rustfmt::skip]
    const FORMER: [&str; 9] = [
        "bisher ", "bislang ", "früher ", "jusqu'ici ", "jusqu’ici ", "anciennement ", "précédemment ", "finora ", "già ",
    ];
    starts_with_any(text, &FORMER)
}

/// A person as a clause names it.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: usize,
    pub(super) case: Case,
    /// The first token of the name.
    pub(super) start: usize,
    pub(super) is_after_verb: bool,
    /// The office in the clauses of the person itself.
    pub(super) own: Option<String>,
}

pub(super) fn all(named: &[Named]) -> Vec<usize> {
    named.iter().map(|it| it.id).collect()
}

impl<'a> Reading<'a, '_> {
    /// The persons named in a clause, with their cases and whether they follow the verb.
    pub(super) fn named(
        &mut self,
        clause: &Clause,
        former_names: &[FormerNamePair],
    ) -> (Vec<Named>, Option<Shared>) {
        let mut named = Vec::new();
        let mut shared = None;
        let mut office: Option<(&str, bool)> = None;
        // Whether the article says that the office is that of one person.
        let mut is_single = false;
        for mention in &clause.mentions {
            if self.mentions[*mention].case == Case::With {
                // `avec l'administratrice B, nommée secrétaire`
                let (draft, _) = self.draft_of(*mention, false);
                if let Some(own) =
                    draft.function().filter(|_| self.is_elected(&self.mentions[*mention]))
                {
                    let id = self.persons.add(draft, self.position);
                    self.persons.appoint(id, Some(&singular(&own)));
                }
                continue;
            }
            let (draft, common) = self.draft_of(*mention, clause.finite.is_none());
            shared = common.or(shared);
            let own = draft.function();
            let id = self.persons.add(draft, self.position);
            self.ids[*mention] = Some(id);
            let mention = &self.mentions[*mention];
            let is_after_verb = clause.finite.is_none_or(|it| it < mention.name.start);
            // `les trois gérants A, B et C`
            let is_other_side =
                named.last().is_some_and(|it: &Named| it.is_after_verb != is_after_verb);
            // `al socio A, e 25 a B`
            let has_own_case = matches!(mention.case, Case::To | Case::By | Case::Of);
            if mention.office.is_some()
                || is_other_side
                || has_own_case
                || (mention.has_place && !is_after_verb)
            {
                office = mention.office.map(|it| (it, mention.is_definite));
            }
            // `il presidente A e B, segretaria`: only A is president.
            if mention.office.is_none() && is_single {
                office = None;
            }
            is_single = office.is_some_and(|(text, _)| singular(text) == text)
                && (mention.lead.saturating_sub(1)..mention.name.start)
                    .any(|it| has_singular_article(self.sentence.word(it)));
            if let Some((text, is_definite)) = office {
                self.persons.name_office(id, Some(&singular(text)), is_definite);
            }
            if mention.is_former {
                self.persons.make_office_former(id);
            }
            if mention.has_left {
                self.persons.leave(id, mention.office.map(singular).as_deref());
                continue;
            }
            // `A est radié et B, de Sion, nommée présidente`
            let follows_subject = named.iter().any(|it: &Named| !it.is_after_verb)
                && mention.case == Case::Plain
                && self.is_elected(mention)
                && own.is_some();
            if is_after_verb && follows_subject {
                self.persons.appoint(id, own.as_deref().map(singular).as_deref());
                continue;
            }
            // `par A, administrateur, nommé liquidateur`
            let is_agent = mention.case == Case::By;
            if (is_after_verb && !is_agent) || !self.is_elected(mention) {
                // The verb of the clause decides.
            } else if let Some(own) = &own {
                self.persons.appoint(id, Some(&singular(own)));
            }
            named.push(Named {
                id,
                case: mention.case,
                start: mention.name.start,
                is_after_verb: clause.finite.is_none_or(|it| it < mention.name.start),
                own: own.or_else(|| mention.office.filter(|_| !mention.is_definite).map(singular)),
            });
        }
        self.apply_former_names(clause, former_names, &mut named);
        // `A et B, associés gérants, détiennent …`
        if let [earlier @ .., last] = named.as_slice()
            && let Some(plural) = last.own.as_ref().filter(|it| singular(it) != **it)
            && (!last.is_after_verb || clause.finite.is_none())
        {
            let office = singular(plural);
            let is_holder = |it: &Named| {
                it.case == Case::Plain || (clause.finite.is_none() && it.case == Case::Of)
            };
            for person in earlier.iter().filter(|it| it.own.is_none() && is_holder(it)) {
                self.persons.name_office(person.id, Some(&office), false);
            }
            self.persons.name_office(last.id, Some(&office), false);
        }
        (named, shared)
    }

    /// The entry of all persons of the sentence ends.
    pub(super) fn end_all(&mut self) {
        for mention in 0..self.mentions.len() {
            let office = self.mentions[mention].office.map(singular);
            let (draft, _) = self.draft_of(mention, false);
            let id = self.persons.add(draft, self.position);
            self.persons.leave(id, office.as_deref());
        }
    }

    /// Reads a new or former name beside a name: `A, désormais B, …`, `B, bisher A, …`.
    fn apply_former_names(
        &mut self,
        clause: &Clause,
        former_names: &[FormerNamePair],
        named: &mut Vec<Named>,
    ) {
        for pair in former_names {
            let [first_mention, second_mention] = pair.mentions;
            let (Some(first), Some(second)) = (self.id(first_mention), self.id(second_mention))
            else {
                continue;
            };
            if first == second {
                continue;
            }
            let (old, new) = if pair.is_second_former { (second, first) } else { (first, second) };
            self.persons.rename(old, new);
            named.retain(|it| it.id != old);
            if let Some(person) = named.iter_mut().find(|it| it.id == new) {
                person.case = Case::Plain;
                person.is_after_verb =
                    clause.finite.is_none_or(|it| it < self.mentions[first_mention].name.start);
            }
        }
    }

    /// Whether the clauses of a person say that it is elected: `X, nommé président, et Y sont membres`.
    fn is_elected(&self, mention: &Mention<'_>) -> bool {
        (mention.name.end..mention.end)
            .any(|it| self.sentence.is(it, Part::Means(Meaning::Appoints)))
    }

    /// The person of a mention as its own clauses describe it, and what they say about all persons.
    fn draft_of(&self, mention: usize, has_no_verb: bool) -> (Draft, Option<Shared>) {
        let mention = &self.mentions[mention];
        let name = self.sentence.slice(mention.name.start, mention.name.end);
        let rest = self.sentence.slice(mention.name.end, mention.end);
        let brackets = read_brackets(rest);
        let mut shared = None;
        let mut draft = Draft::of_name(punctuation::split_clauses(name), &[name, rest].join(" "));
        let mut are_shared = false;
        // `erwirbt von A 10 Stammanteile`
        let is_joined = !brackets.text.trim_start().starts_with(',');
        for (at, text) in punctuation::split_clauses(&brackets.text).into_iter().enumerate() {
            let is_bare = text.starts_with(|it: char| it.is_ascii_digit());
            if at == 0 && is_joined && is_bare && pieces::is_number_of_shares(text) {
                continue;
            }
            // `maintenant à Nyon`
            let plain = pieces::strip_adverbs(text).trim_end_matches(" wohnhaft");
            let joined = pieces::without_inner_adverb(plain);
            let plain = joined.as_deref().unwrap_or(plain);
            let is_place = clause::Clause::of(plain).is_place();
            if let Some(it) = pieces::shared(text) {
                are_shared = it.draft.has_place();
                shared = Some(it);
                continue;
            }
            if let Some(shared) = shared.as_mut().filter(|_| are_shared && is_place) {
                shared.draft.add(clause::Clause::of(plain));
                continue;
            }
            // `à A, de Sion, et 20 parts à B`
            if strip_any_prefix(plain, AND).is_some_and(pieces::is_number_of_shares) {
                continue;
            }
            // `titulaire de 15 parts` is read with the verb.
            if states_holder(plain) {
                // `désormais titulaire de 20 parts`
                let is_new = plain.len() < text.len() && !says_former(text);
                if has_no_verb || is_new {
                    draft.set_quota(plain);
                } else {
                    draft.set_former_quota(plain);
                }
                continue;
            }
            draft.was_entered |= is_place && plain.len() < text.len();
            match pieces::statement(text).filter(|_| !is_place) {
                Some(statement) => draft.add_of_person(statement),
                // A decision of a body is no office: `durch Beschluss des Verwaltungsrates`.
                None if !is_place && FUNCTION.occur_in(text) => {}
                None => draft.add_of_person(plain),
            }
        }
        draft.complete();
        draft.apply_brackets(&brackets, 1);
        (draft, shared)
    }
}
