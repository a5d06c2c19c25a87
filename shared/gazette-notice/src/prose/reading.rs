//! What each clause says about its persons.

use super::{
    clauses::{Clause, Link},
    details,
    mentions::{Case, Mention},
    parts::Sentence,
    persons::Persons,
    pieces::{self, Piece, Shared},
    said::{Said, said},
    shares,
    vocabulary::{Meaning, Part},
};
use crate::{
    SignatureKind,
    brackets::read_brackets,
    clause,
    entry::{Draft, may_be_copied},
    punctuation,
    roles::{self, Role},
    signature,
    singular::singular,
    words::{FUNCTION, LEAVING, SIGNATURE, starts_with_any},
};

/// What happens to further persons of a list.
#[derive(Clone, Debug)]
enum Effect {
    Appointed(Box<Draft>),
    Left { office: Option<String>, signature: Option<String> },
}

/// Reads the clauses of one sentence.
pub(super) struct Reading<'a, 's> {
    pub(super) sentence: &'s Sentence<'a>,
    pub(super) mentions: &'s [Mention<'a>],
    pub(super) persons: &'s mut Persons,
    /// Number of entries of lists before the sentence.
    position: usize,
    /// The persons that the next clause is about if it names none.
    pub(super) subjects: Vec<usize>,
    /// Persons named without a verb so far.
    pending: Vec<usize>,
    /// All persons of the sentence that got an office or a signature.
    appointed: Vec<usize>,
    /// The person of each mention.
    ids: Vec<Option<usize>>,
    effect: Option<Effect>,
    /// Whether the last clause named its persons after the verb.
    is_list_open: bool,
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
                    self.apply_shared(&shared, &named);
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

    /// The persons named in a clause, with their cases and whether they follow the verb.
    fn named(&mut self, clause: &Clause) -> (Vec<Named>, Option<Shared>) {
        let mut named = Vec::new();
        let mut shared = None;
        let mut office: Option<(&str, bool)> = None;
        for mention in &clause.mentions {
            let (draft, common) = self.draft_of(*mention);
            shared = common.or(shared);
            let own = draft.function();
            let id = self.persons.add(draft, self.position);
            self.ids[*mention] = Some(id);
            let mention = &self.mentions[*mention];
            let is_after_verb = clause.finite.is_none_or(|it| it < mention.name.start);
            // `les trois gérants A, B et C`
            let is_other_side =
                named.last().is_some_and(|it: &Named| it.is_after_verb != is_after_verb);
            if mention.office.is_some() || is_other_side || (mention.has_place && !is_after_verb) {
                office = mention.office.map(|it| (it, mention.is_definite));
            }
            if let Some((text, is_definite)) = office {
                self.persons.name_office(id, Some(&singular(text)), is_definite);
            }
            if mention.has_left {
                self.persons.leave(id, mention.office.map(singular).as_deref());
                continue;
            }
            if is_after_verb || !self.is_elected(mention) {
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
        // `A et B, associés gérants, détiennent …`
        if let [earlier @ .., last] = named.as_slice()
            && let Some(plural) = last.own.as_ref().filter(|it| singular(it) != **it)
            && !last.is_after_verb
        {
            let office = singular(plural);
            for person in earlier.iter().filter(|it| it.own.is_none() && it.case == Case::Plain) {
                self.persons.name_office(person.id, Some(&office), false);
            }
            self.persons.name_office(last.id, Some(&office), false);
        }
        (named, shared)
    }

    /// Whether the clauses of a person say that it is elected: `X, nommé président, et Y sont membres`.
    fn is_elected(&self, mention: &Mention<'_>) -> bool {
        (mention.name.end..mention.end)
            .any(|it| self.sentence.is(it, Part::Means(Meaning::Appoints)))
    }

    fn id(&mut self, mention: usize) -> Option<usize> {
        self.ids.get(mention).copied().flatten()
    }

    /// The person of a mention as its own clauses describe it, and what they say about all persons.
    fn draft_of(&self, mention: usize) -> (Draft, Option<Shared>) {
        let mention = &self.mentions[mention];
        let name = self.sentence.slice(mention.name.start, mention.name.end);
        let rest = self.sentence.slice(mention.name.end, mention.end);
        let brackets = read_brackets(rest);
        let mut shared = None;
        let mut draft = Draft::of_name(punctuation::split_clauses(name), &[name, rest].join(" "));
        let mut are_shared = false;
        for text in punctuation::split_clauses(&brackets.text) {
            // `maintenant à Nyon`
            let plain = pieces::strip_adverbs(text);
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

    fn read_replaced(&mut self, clause: &Clause, named: &[Named]) {
        let leaves = LEAVING.occur_in(self.sentence.slice(clause.range.start, clause.range.end));
        let appointed = match &self.effect {
            Some(Effect::Appointed(draft)) => draft.function(),
            _ => None,
        };
        let is_auditor = |it: &str| roles::office(it).is_some_and(|it| it.role == Role::Auditor);
        let auditor = appointed.filter(|it| is_auditor(it));
        for person in named {
            // A company has one auditor, so that the former one leaves.
            if leaves || auditor.is_some() {
                self.persons.leave(person.id, auditor.as_deref());
            }
        }
    }

    fn read_statement(&mut self, clause: &Clause, said: &Said<'a>, named: &[Named], is_main: bool) {
        let is_verbless = clause.finite.is_none() && !said.is_nominal;
        if is_verbless && is_main && !said.meanings.iter().any(is_verbal) {
            return self.read_without_verb(said, named);
        }
        let of_clause: Vec<usize> =
            named.iter().filter(|it| it.case == Case::Plain).map(|it| it.id).collect();
        let mut subjects =
            if of_clause.is_empty() { self.subjects.clone() } else { of_clause.clone() };
        let is_normal = named.first().is_some_and(|it| !it.is_after_verb);
        if is_main && is_normal && !self.pending.is_empty() {
            subjects.splice(0..0, self.pending.drain(..));
        }
        self.is_list_open = !is_normal && !named.is_empty();
        let before = self.effect.take();
        if shares::read(self, clause, said, named)
            || details::read(self, clause, said, named, &subjects)
        {
            // Read completely.
        } else if said.has(Meaning::Replaces) && named.iter().any(|it| it.case == Case::By) {
            self.replace(named, &subjects);
        } else if said.has(Meaning::Ends) {
            self.end(said, named, &subjects);
        } else if said.is_negated
            || (said.has(Meaning::Leaves)
                && !said.has(Meaning::Keeps)
                && !said.has(Meaning::Appoints))
        {
            let persons = if of_clause.is_empty() { all(named) } else { subjects.clone() };
            let persons = if persons.is_empty() { subjects.clone() } else { persons };
            let office = said.office().map(|it| singular(&without_negations(&it)));
            let office = office.or_else(|| self.auditor_of(&persons, before.as_ref()));
            self.leave(&persons, office, None);
        } else if said.has(Meaning::Grants) {
            let holders: Vec<usize> = if named.is_empty() { subjects.clone() } else { all(named) };
            if said.common.draft.signature.is_some() {
                self.appoint(&holders, &said.common.draft, named);
            }
        } else if said.has(Meaning::Keeps) || (said.is_still && said.has(Meaning::Is)) {
            self.keep(&subjects, &said.common.draft);
        } else if said.has(Meaning::Signs) {
            let holders = if of_clause.is_empty() && !named.is_empty() {
                all(named)
            } else {
                subjects.clone()
            };
            let mut common = said.common.draft.clone();
            if common.signature.is_none() {
                common.signature = manner_of_signing(&said.pieces);
            }
            let has_own = holders
                .iter()
                .any(|it| self.persons.draft(*it).is_some_and(|it| it.signature.is_some()));
            if common.signature.is_some() || (has_own && self.is_list_open) {
                self.appoint(&holders, &common, named);
            }
        } else if said.has(Meaning::Appoints) || said.has(Meaning::Is) {
            self.elect(said, named, &of_clause, &subjects);
        }
        if !of_clause.is_empty() || !named.is_empty() && is_main {
            self.subjects = if of_clause.is_empty() { all(named) } else { subjects };
        }
        if is_main && !of_clause.is_empty() {
            self.pending.clear();
        }
    }

    /// The office of a firm that leaves in the sentence that appoints an auditor: the former auditor.
    fn auditor_of(&mut self, persons: &[usize], before: Option<&Effect>) -> Option<String> {
        let Some(Effect::Appointed(draft)) = before else { return None };
        let office = draft
            .function()
            .filter(|it| roles::office(it).is_some_and(|it| it.role == Role::Auditor));
        let are_firms =
            persons.iter().all(|it| self.persons.draft(*it).is_some_and(|it| it.is_entity()));
        office.filter(|_| are_firms)
    }

    /// Reads `X ist Präsident` and `Zum Präsidenten wurde X gewählt`.
    fn elect(&mut self, said: &Said<'a>, named: &[Named], of_clause: &[usize], subjects: &[usize]) {
        let common = &said.common.draft;
        let has_office = common.has_function() || common.signature.is_some() || common.has_quota();
        // `Nomination de X comme administrateur`
        if said.is_nominal {
            let elected: Vec<usize> = named
                .iter()
                .filter(|it| it.case != Case::By && (has_office || it.own.is_some()))
                .map(|it| it.id)
                .collect();
            return self.appoint(&elected, common, named);
        }
        let has_own = named.iter().any(|it| it.own.is_some() && it.is_after_verb);
        let is_stated = has_office || (said.has(Meaning::Appoints) && has_own);
        if !is_stated {
            return;
        }
        // `La gérance est assurée par X`
        let is_of_body = of_clause.is_empty() && !named.is_empty();
        let persons = if is_of_body {
            let is_holder =
                |it: &&Named| matches!(it.case, Case::By | Case::To) || common.signature.is_some();
            named.iter().filter(is_holder).map(|it| it.id).collect()
        } else {
            subjects.to_vec()
        };
        let describes = said.pieces.iter().any(|it| {
            starts_with_any(it.text, &["eine ", "ein ", "une ", "un ", "una ", "uno "])
                && common.signature.is_none()
        });
        if !describes || said.has(Meaning::Appoints) {
            self.appoint(&persons, common, named);
        }
    }

    fn read_without_verb(&mut self, said: &Said<'a>, named: &[Named]) {
        let common = &said.common.draft;
        if named.is_empty() {
            // `…; Kollektivunterschrift zu zweien`
            if let Some(Effect::Appointed(_)) = &self.effect {
                for id in self.subjects.clone() {
                    if let Some(draft) =
                        self.persons.draft(id).filter(|_| common.signature.is_some())
                    {
                        draft.fill_signature(common);
                    }
                }
            }
            return;
        }
        let ids = all(named);
        let is_led = common.signature.is_some()
            && said
                .pieces
                .first()
                .is_some_and(|it| SIGNATURE.occur_in(it.text) && it.at < named[0].start);
        match self.effect.clone().filter(|_| self.is_list_open || is_led) {
            Some(Effect::Left { office, signature }) => {
                let signature = if is_led { common.signature.clone() } else { signature };
                self.leave(&ids, office, signature);
            }
            Some(Effect::Appointed(draft)) => {
                let mut draft = if is_led { Draft::default() } else { *draft };
                draft.take_statements(common);
                self.appoint(&ids, &draft, named);
            }
            None if is_led => self.appoint(&ids, common, named),
            None => {
                self.pending.extend(ids);
            }
        }
    }

    /// Reads `A è sostituito da B`: B gets the office of A.
    fn replace(&mut self, named: &[Named], former: &[usize]) {
        let office = former.first().and_then(|it| self.persons.office(*it));
        let by = named.iter().filter(|it| it.case == Case::By).map(|it| it.id).collect::<Vec<_>>();
        self.leave(former, None, None);
        let mut common = Draft::default();
        if let Some(office) = office {
            common.set_function(&office);
        }
        self.appoint(&by, &common, &[]);
    }

    /// The signature of persons ends, or they are deleted.
    fn end(&mut self, said: &Said<'a>, named: &[Named], subjects: &[usize]) {
        let signature = said.pieces.iter().find_map(|it| {
            let text = format!("{} ", pieces::strip_introduction(it.text));
            signature::leading_length(&text).map(|end| text[..end].trim().to_owned())
        });
        let is_own = named.is_empty();
        if is_own {
            // `sa signature est radiée` follows what the person loses or keeps; alone it says that the signature ends.
            let known = signature
                .filter(|it| signature::kind(it).is_some_and(|it| it != SignatureKind::Other));
            for id in subjects {
                self.persons.end_signature(*id, known.as_deref());
            }
            return;
        }
        let office = said.office().filter(|_| signature.is_none());
        self.leave(&all(named), office.map(|it| singular(&it)), signature);
    }

    fn leave(&mut self, persons: &[usize], office: Option<String>, signature: Option<String>) {
        let length =
            office.as_deref().map_or(0, str::len) + signature.as_deref().map_or(0, str::len);
        if length * persons.len() > crate::entry::MAX_LENGTH {
            return;
        }
        for id in persons {
            self.persons.leave(*id, office.as_deref());
            if let (Some(signature), Some(draft)) = (&signature, self.persons.draft(*id))
                && draft.signature.is_none()
            {
                draft.signature = Some(signature.clone());
            }
        }
        self.effect = Some(Effect::Left { office, signature });
    }

    pub(super) fn keep(&mut self, persons: &[usize], common: &Draft) {
        let office = common.function().map(|it| singular(&it));
        if !self.may_copy(common, persons.len()) {
            return;
        }
        for id in persons {
            self.persons.keep(*id, office.as_deref());
            if let Some(draft) = self.persons.draft(*id) {
                draft.take_statements(common);
            }
        }
    }

    fn appoint(&mut self, persons: &[usize], common: &Draft, named: &[Named]) {
        if !self.may_copy(common, persons.len()) {
            return;
        }
        let office = common.function().map(|it| singular(&it));
        let trailing = self.trailing_signature(named);
        let common = &match trailing {
            Some(signature) if common.signature.is_none() => common.with_signature(signature),
            _ => common.clone(),
        };
        for id in persons {
            // Who is elected to another office beside the verb keeps that one.
            let is_elected = named.iter().any(|it| it.id == *id && !it.is_after_verb)
                && self.persons.is_appointed_to_office(*id)
                && self.appointed.iter().all(|it| it != id);
            let own = named.iter().find(|it| it.id == *id && it.is_after_verb);
            let own = own.and_then(|it| it.own.as_deref()).map(singular);
            let stated = own.as_deref().or(office.as_deref()).filter(|_| !is_elected);
            self.persons.appoint(*id, stated);
            if common.was_entered {
                self.persons.keep(*id, None);
            }
            if let Some(draft) = self.persons.draft(*id) {
                draft.take_statements(common);
            }
        }
        self.appointed.extend(persons);
        self.effect = Some(Effect::Appointed(Box::new(common.clone())));
    }

    /// The signature after the last of several persons: `Sont nommés gérants: A, …, et B, …, avec signature individuelle`.
    fn trailing_signature(&mut self, named: &[Named]) -> Option<String> {
        let [earlier @ .., last] = named else { return None };
        let is_list = !earlier.is_empty() && named.iter().all(|it| it.is_after_verb);
        let without = earlier
            .iter()
            .all(|it| self.persons.draft(it.id).is_some_and(|it| it.signature.is_none()));
        let signature = self.persons.draft(last.id)?.signature.clone();
        signature.filter(|it| is_list && without && may_be_copied(it, named.len()))
    }

    /// Whether the statements are short enough to be copied to this number of persons.
    fn may_copy(&self, common: &Draft, persons: usize) -> bool {
        let texts = [common.function(), common.signature.clone(), common.before.clone()];
        texts.into_iter().flatten().all(|it| may_be_copied(&it, persons))
    }

    fn apply_shared(&mut self, shared: &Shared, named: &[Named]) {
        let of_clause = all(named);
        let mut persons = if of_clause.len() > 1 { of_clause } else { self.appointed.clone() };
        persons.dedup();
        if shared.is_about_two {
            persons.drain(..persons.len().saturating_sub(2));
        }
        if !self.may_copy(&shared.draft, persons.len()) {
            return;
        }
        let office = shared.draft.function().map(|it| singular(&it));
        for id in persons {
            self.persons.add_missing_office(id, office.as_deref());
            if let Some(draft) = self.persons.draft(id) {
                draft.add_details(shared.draft.clone());
            }
        }
    }
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
    own: Option<String>,
}

fn all(named: &[Named]) -> Vec<usize> {
    named.iter().map(|it| it.id).collect()
}

/// Whether the word can be the predicate of a clause without a conjugated verb: `nommé administrateur: …`.
fn is_verbal(meaning: &Meaning) -> bool {
    !matches!(
        meaning,
        Meaning::Resides
            | Meaning::Originates
            | Meaning::IsNamed
            | Meaning::Cedes
            | Meaning::Acquires
    )
}

/// `associé et gérant` for `associé ni gérant`.
fn without_negations(office: &str) -> String {
    office
        .replace(" ni ", " et ")
        .replace(" né ", " e ")
        .replace(" noch ", " und ")
        .replace("weder ", "")
}

/// How somebody signs, in words that only mean a signature beside `zeichnet`: `einzeln`, `à deux`.
fn manner_of_signing(pieces: &[Piece<'_>]) -> Option<String> {
    #[rustfmt::skip]
    const MANNERS: [&str; 11] = [
        "einzeln", "kollektiv", "gemeinsam", "zu zweien", "seul", "conjointement", "à deux", "singolarmente", "congiuntamente", "da solo", "a due",
    ];
    pieces.iter().find_map(|piece| {
        let start = MANNERS.iter().filter_map(|it| piece.text.find(it)).min()?;
        Some(piece.text[start..].to_owned())
    })
}
