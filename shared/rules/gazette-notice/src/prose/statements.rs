//! What a clause says about its persons.

use super::{
    clause_content::ClauseContent,
    clauses::Clause,
    details,
    mentions::Case,
    naming::{Named, all},
    pieces,
    reading::{Effect, Reading},
    shares, signatures,
    unsure::is_unsure,
    vocabulary::{Meaning, Part},
};
use crate::{
    entry::Draft,
    roles::{self, Role},
    singular::singular,
    words::{FUNCTION, LEAVING, SIGNATURE, starts_with_any},
};

impl<'a> Reading<'a, '_> {
    pub(super) fn read_replaced(&mut self, clause: &Clause, named: &[Named]) {
        let leaves = LEAVING.occur_in(self.sentence.slice(clause.range.start, clause.range.end));
        let appointed = match &self.effect {
            Some(Effect::Appointed(draft)) => draft.function(),
            _ => None,
        };
        let auditor = appointed.filter(|it| is_auditor(it));
        for person in named {
            // A company has one auditor, so that the former one leaves.
            if leaves || auditor.is_some() {
                self.persons.leave(person.id, auditor.as_deref());
            }
        }
    }

    /// Reads what is no longer so, beside what the clause before says: `et non plus B`, `nicht mehr Präsident, sondern …`.
    pub(super) fn read_no_longer(
        &mut self,
        content: &ClauseContent<'a>,
        named: &[Named],
        about: Option<usize>,
    ) {
        let office = content.office().map(|it| singular(&it));
        if named.is_empty() {
            let about = about.map(|it| self.id(it).into_iter().collect::<Vec<_>>());
            for id in about.unwrap_or_else(|| self.subjects.clone()) {
                self.persons.lose(id, office.as_deref());
            }
            return;
        }
        let appointed = match &self.effect {
            Some(Effect::Appointed(draft)) => draft.function().map(|it| singular(&it)),
            _ => None,
        };
        // Without an office, it is a signature that ends: whether the person leaves is not known.
        let Some(office) = office.or(appointed) else { return };
        for person in named {
            self.persons.leave(person.id, Some(&office));
        }
    }

    pub(super) fn read_statement(
        &mut self,
        clause: &Clause,
        content: &ClauseContent<'a>,
        named: &[Named],
        is_main: bool,
    ) {
        let of_clause: Vec<usize> =
            named.iter().filter(|it| it.case == Case::Plain).map(|it| it.id).collect();
        if is_unsure(self.sentence, clause, content) {
            self.unsure += 1;
            if !named.is_empty() {
                self.subjects = if of_clause.is_empty() { all(named) } else { of_clause };
            }
            // `n'est plus seul gérant`: whether the person leaves follows from other statements.
            let office = content.office().filter(|_| content.is_negated).map(|it| singular(&it));
            for id in self.subjects.clone().into_iter().filter(|_| office.is_some()) {
                self.persons.lose(id, office.as_deref());
            }
            self.effect = None;
            return;
        }
        // `pour 5 parts cédées par A`
        if let Some(at) = content.sold_by {
            let is_seller = |it: &&Named| it.start > at && matches!(it.case, Case::By | Case::Of);
            for seller in named.iter().filter(is_seller) {
                self.persons.keep(seller.id, None);
            }
        }
        // `infolge Abtretung durch A`
        let is_sale = |it: usize| {
            self.sentence.is(it, Part::Nominal(Meaning::Cedes)) && clause.finite.is_some()
        };
        if clause.tokens().any(is_sale) {
            for seller in named.iter().filter(|it| it.case == Case::By) {
                self.persons.keep(seller.id, None);
            }
        }
        let is_verbless = clause.finite.is_none() && !content.is_nominal;
        if is_verbless && is_main && !content.meanings.iter().any(is_verbal) {
            return self.read_without_verb(content, named);
        }
        let mut subjects =
            if of_clause.is_empty() { self.subjects.clone() } else { of_clause.clone() };
        let is_normal = named.first().is_some_and(|it| !it.is_after_verb);
        if is_main && is_normal && !self.pending.is_empty() {
            subjects.splice(0..0, self.pending.drain(..));
        }
        self.is_list_open = !is_normal && !named.is_empty();
        // `le domicile de A est désormais à Nyon`
        let is_detail = content.has(Meaning::Resides) || content.has(Meaning::Originates);
        let described = if of_clause.is_empty() && is_detail && !named.is_empty() {
            all(named)
        } else {
            subjects.clone()
        };
        let before = self.effect.take();
        if shares::read(self, clause, content, named)
            || details::read(self, clause, content, named, &described)
        {
            // Read completely.
        } else if content.has(Meaning::Was)
            && let Some(office) = self.auditor_of(&all(named), before.as_ref())
        {
            // `Revisionsstelle ist neu X; bisher war dies Y`
            self.leave(&all(named), Some(office), None);
        } else if content.has(Meaning::Replaces) && named.iter().any(|it| it.case == Case::By) {
            self.replace(content, named, &subjects);
        } else if content.has(Meaning::Ends)
            && content.has(Meaning::Replaces)
            && content.common.draft.signature.is_some()
        {
            // `la signature collective de A est supprimée et remplacée par la signature individuelle`
            let holders = if named.is_empty() { subjects.clone() } else { all(named) };
            self.appoint(&holders, &signature_of(content), named);
        } else if content.has(Meaning::Ends) {
            let auditor = self.auditor_of(&all(named), before.as_ref());
            match auditor.filter(|_| !named.is_empty() && !content.has_office()) {
                Some(office) => self.leave(&all(named), Some(office), None),
                None => self.end(content, named, &subjects),
            }
        } else if content.is_negated
            || (content.has(Meaning::Leaves)
                && !content.has(Meaning::Keeps)
                && !content.has(Meaning::Appoints))
        {
            let persons = if of_clause.is_empty() { all(named) } else { subjects.clone() };
            let persons = if persons.is_empty() { subjects.clone() } else { persons };
            let office = content.office().map(|it| singular(&without_negations(&it)));
            let office = office.or_else(|| self.auditor_of(&persons, before.as_ref()));
            // `der Geschäftsführer A hat sein Amt niedergelegt`
            let is_office = |it: usize| {
                matches!(
                    self.sentence.word(it),
                    "Amt" | "Mandat" | "mandat" | "fonctions" | "charge" | "carica" | "mandato"
                )
            };
            let named_before = persons.first().filter(|_| clause.tokens().any(is_office));
            let office = office.or_else(|| self.persons.office(*named_before?));
            // `n'a plus la signature`
            let signature = content.common.draft.signature.clone();
            let signature = signature.filter(|_| office.is_none() && content.is_negated);
            // `bleibt Präsident, zeichnet jedoch nicht mehr`
            let ends_signing =
                content.is_negated && content.has(Meaning::Signs) && office.is_none();
            self.leave(&persons, office, None);
            for id in persons.iter().filter(|_| signature.is_some() || ends_signing) {
                self.persons.end_signature(*id, self.ended(None));
            }
        } else if content.has(Meaning::Grants) {
            let holders: Vec<usize> = if named.is_empty() { subjects.clone() } else { all(named) };
            if content.common.draft.signature.is_some() || self.has_signature(&holders) {
                self.appoint(&holders, &content.common.draft, named);
            }
        } else if content.meanings == [Meaning::Has] && content.common.draft.signature.is_some() {
            // `A et B ont la signature collective à deux`
            self.appoint(&subjects, &signature_of(content), named);
        } else if content.has(Meaning::Keeps) || (content.is_still && content.has(Meaning::Is)) {
            self.keep(&subjects, &content.common.draft);
        } else if content.has(Meaning::Signs) {
            self.sign(content, named, &of_clause, &subjects);
        } else if content.has(Meaning::Is) && self.sign_each(content, named) {
            // Read completely.
        } else if content.has(Meaning::Appoints) || content.has(Meaning::Is) {
            // Who takes the place of somebody gets the same office.
            let former =
                self.subjects.first().filter(|_| content.takes_place && !content.has_office());
            let office = former.and_then(|it| self.persons.office(*it));
            self.elect(content, named, &of_clause, &subjects);
            for id in subjects.iter().filter(|_| content.adds) {
                self.persons.retain_office(*id);
            }
            for person in named.iter().filter(|it| it.own.is_none()) {
                if let Some(office) = &office {
                    self.persons.appoint(person.id, Some(&singular(office)));
                }
            }
        }
        if !of_clause.is_empty() || !named.is_empty() && is_main {
            self.subjects = if of_clause.is_empty() { all(named) } else { subjects };
        }
        if is_main && !of_clause.is_empty() {
            self.pending.clear();
        }
    }

    /// Whether the words beside one of these persons state a signature.
    fn has_signature(&mut self, persons: &[usize]) -> bool {
        let states = |it: &usize| self.persons.draft(*it).is_some_and(|it| it.signature.is_some());
        persons.iter().any(states)
    }

    /// Reads `A zeichnet einzeln`.
    fn sign(
        &mut self,
        content: &ClauseContent<'a>,
        named: &[Named],
        of_clause: &[usize],
        subjects: &[usize],
    ) {
        // `A signe individuellement, B collectivement à deux`: each signs as the words after the name say.
        let is_split = of_clause.len() > 1
            && named.iter().any(|it| it.is_after_verb)
            && named.iter().any(|it| !it.is_after_verb && it.case == Case::Plain);
        if is_split {
            let plain: Vec<&Named> = named.iter().filter(|it| it.case == Case::Plain).collect();
            let verb_side = plain.iter().filter(|it| !it.is_after_verb).map(|it| it.id).collect();
            let first_after = plain.iter().find(|it| it.is_after_verb).map_or(0, |it| it.start);
            let mut groups: Vec<(Vec<usize>, usize, usize)> = vec![(verb_side, 0, first_after)];
            let after: Vec<&&Named> = plain.iter().filter(|it| it.is_after_verb).collect();
            for (at, person) in after.iter().enumerate() {
                let end = after.get(at + 1).map_or(usize::MAX, |it| it.start);
                groups.push((vec![person.id], person.start, end));
            }
            for (persons, from, to) in groups {
                let pieces: Vec<_> = content
                    .pieces
                    .iter()
                    .copied()
                    .filter(|it| (from..to).contains(&it.at))
                    .collect();
                let mut draft = pieces::common(&pieces).draft;
                draft.clear_function();
                draft.signature = draft.signature.or_else(|| signatures::manner(&pieces));
                if draft.signature.is_some() || self.has_signature(&persons) {
                    self.appoint(&persons, &draft, &[]);
                }
            }
            return;
        }
        let mut holders =
            if of_clause.is_empty() && !named.is_empty() { all(named) } else { subjects.to_vec() };
        let mut common = content.common.draft.clone();
        // `le président et la secrétaire signent collectivement à deux`
        let starts_with_office = |verb: usize| {
            let first = content.pieces.first().filter(|it| it.at < verb);
            first.is_some_and(|it| {
                FUNCTION.occur_in(it.text)
                    && (self.sentence.is(it.at, Part::Article)
                        || starts_with_any(it.text, &["l'", "l’", "L'", "L’"]))
            })
        };
        let is_of_holders = named.is_empty() && content.finite.is_some_and(starts_with_office);
        if let Some(offices) = common.function().filter(|_| is_of_holders && !content.refers_back) {
            common.clear_function();
            holders = self.persons.holders_of(&offices);
        }
        if common.signature.is_none() {
            common.signature = signatures::manner(&content.pieces);
            // `zeichnet als Geschäftsführer einzeln`
            if let (Some(manner), Some(office)) = (&common.signature, common.function())
                && let Some(office) = office.strip_suffix(manner.as_str())
            {
                common.set_function(office.trim());
            }
            // `zu zweien mit einem Mitglied des Verwaltungsrates` names whom the person signs with.
            let is_within = |it: String| {
                common.signature.as_ref().is_some_and(|signature| signature.contains(&it))
            };
            if common.function().is_some_and(is_within) {
                common.clear_function();
            }
        }
        if common.signature.is_some() || (self.has_signature(&holders) && self.is_list_open) {
            self.appoint(&holders, &common, named);
        }
    }

    /// Reads `est engagée par la signature individuelle de A et par la signature collective à deux de B et de C`: each
    /// signature is that of the persons after it. Returns false if the clause states fewer than two signatures.
    fn sign_each(&mut self, content: &ClauseContent<'a>, named: &[Named]) -> bool {
        let signatures: Vec<_> =
            content.pieces.iter().copied().filter(|it| SIGNATURE.occur_in(it.text)).collect();
        let holders: Vec<Vec<usize>> = signatures
            .iter()
            .enumerate()
            .map(|(at, piece)| {
                let end = signatures.get(at + 1).map_or(usize::MAX, |it| it.at);
                let own = named.iter().filter(|it| (piece.at..end).contains(&it.start));
                own.map(|it| it.id).collect()
            })
            .collect();
        let is_of_each = named.iter().all(|it| it.case == Case::Of)
            && holders.iter().all(|it| !it.is_empty())
            && holders.iter().map(Vec::len).sum::<usize>() == named.len();
        if signatures.len() < 2 || !is_of_each {
            return false;
        }
        for (piece, holders) in signatures.iter().zip(&holders) {
            let mut draft = pieces::common(&[*piece]).draft;
            draft.clear_function();
            if draft.signature.is_some() {
                self.appoint(holders, &draft, &[]);
            }
        }
        true
    }

    /// The office of a firm that leaves in the sentence that appoints an auditor: the former auditor.
    fn auditor_of(&mut self, persons: &[usize], before: Option<&Effect>) -> Option<String> {
        let Some(Effect::Appointed(draft)) = before else { return None };
        let office = draft.function().filter(|it| is_auditor(it));
        let are_firms =
            persons.iter().all(|it| self.persons.draft(*it).is_some_and(|it| it.is_entity()));
        office.filter(|_| are_firms)
    }

    /// Reads `X ist Präsident` and `Zum Präsidenten wurde X gewählt`.
    fn elect(
        &mut self,
        content: &ClauseContent<'a>,
        named: &[Named],
        of_clause: &[usize],
        subjects: &[usize],
    ) {
        let common = &content.common.draft;
        let has_office = common.has_function() || common.signature.is_some() || common.has_quota();
        if self.elect_each(content, named) {
            return;
        }
        // `Nomination de X comme administrateur`
        if content.is_nominal {
            let elected: Vec<usize> = named
                .iter()
                .filter(|it| it.case != Case::By && (has_office || it.own.is_some()))
                .map(|it| it.id)
                .collect();
            return self.appoint(&elected, common, named);
        }
        let has_own = named.iter().any(|it| it.own.is_some() && it.is_after_verb);
        // `le conseil se compose de A, président, de B, secrétaire, …`
        let consists = COMPOSED.iter().any(|it| self.sentence.text.contains(it));
        // `neu ist A, von Bern, in Thun, Präsident`
        let is_news = content.starts_with_adverb && content.has(Meaning::Is);
        let is_stated =
            has_office || ((content.has(Meaning::Appoints) || consists || is_news) && has_own);
        if !is_stated {
            return;
        }
        // `La gérance est assurée par X`
        let first = named.first().filter(|it| it.is_after_verb);
        let are_members = consists && first.is_some_and(|it| it.case == Case::Of);
        let is_of_body = (of_clause.is_empty() && !named.is_empty()) || are_members;
        let persons = if is_of_body {
            let is_holder = |it: &&Named| {
                matches!(it.case, Case::By | Case::To) || common.signature.is_some() || consists
            };
            named.iter().filter(is_holder).map(|it| it.id).collect()
        } else {
            subjects.to_vec()
        };
        let describes = content.pieces.iter().any(|it| {
            starts_with_any(it.text, &["eine ", "ein ", "une ", "un ", "una ", "uno "])
                && common.signature.is_none()
        });
        if !describes || content.has(Meaning::Appoints) {
            self.appoint(&persons, common, named);
        }
    }

    /// Reads `Gewählt wurden A als Präsident und B als Aktuarin`: each person gets the office after the name. Returns false if
    /// not every person has one.
    fn elect_each(&mut self, content: &ClauseContent<'a>, named: &[Named]) -> bool {
        const AS: [&str; 8] = [
            "als ",
            "zum ",
            "zur ",
            "comme ",
            "en qualité ",
            "quale ",
            "in qualità ",
            "en tant que ",
        ];
        let plain: Vec<&Named> = named.iter().filter(|it| it.case == Case::Plain).collect();
        let offices: Vec<Draft> = plain
            .iter()
            .enumerate()
            .filter_map(|(at, person)| {
                let end = plain.get(at + 1).map_or(usize::MAX, |it| it.start);
                let own: Vec<_> = content
                    .pieces
                    .iter()
                    .copied()
                    .filter(|it| (person.start..end).contains(&it.at))
                    .filter(|it| starts_with_any(it.text, &AS))
                    .collect();
                let draft = pieces::common(&own).draft;
                draft.has_function().then_some(draft)
            })
            .collect();
        if plain.len() < 2 || offices.len() != plain.len() {
            return false;
        }
        for (person, office) in plain.iter().zip(&offices) {
            self.appoint(&[person.id], office, &[]);
        }
        true
    }

    fn read_without_verb(&mut self, content: &ClauseContent<'a>, named: &[Named]) {
        let common = &content.common.draft;
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
            && content
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

    /// Reads a sentence without any verb, about persons with a place: `A, de X, à Y, directeur, avec signature individuelle`.
    pub(super) fn read_sentence_without_verb(&mut self) {
        let sentence = self.sentence;
        let is_plain = sentence.parts.iter().all(|it| {
            !matches!(
                it,
                Some(
                    Part::Finite(_)
                        | Part::Nominal(_)
                        | Part::Negation
                        | Part::Relative
                        | Part::Means(
                            Meaning::Leaves | Meaning::Ends | Meaning::Cedes | Meaning::Acquires
                        )
                )
            )
        });
        let starts_with_name = self.mentions.first().is_some_and(|it| it.lead == 0);
        if !is_plain || !starts_with_name || LEAVING.occur_in(sentence.text) {
            return;
        }
        for id in self.pending.drain(..) {
            let states = |it: &mut Draft| it.has_place() && it.has_statement();
            if self.persons.draft(id).is_some_and(states) {
                self.persons.appoint(id, None);
            }
        }
    }

    /// Reads `A è sostituito da B`: B gets the office of A.
    fn replace(&mut self, content: &ClauseContent<'a>, named: &[Named], former: &[usize]) {
        let office = former.first().and_then(|it| self.persons.office(*it));
        // `L'organe de révision, A SA, est remplacé par B SA`
        let auditor = content.office().filter(|it| office.is_none() && is_auditor(it));
        self.leave(former, auditor.as_deref().map(singular), None);
        let office = office.or(auditor);
        for person in named.iter().filter(|it| it.case == Case::By) {
            let mut common = Draft::default();
            if let Some(office) = person.own.as_deref().map(singular).or_else(|| office.clone()) {
                common.set_function(&office);
            }
            self.appoint(&[person.id], &common, &[]);
        }
    }
}

fn is_auditor(office: &str) -> bool {
    roles::office(office).is_some_and(|it| it.role == Role::Auditor)
}

/// The signature that a clause states, without an office.
fn signature_of(content: &ClauseContent<'_>) -> Draft {
    Draft::default().with_signature(content.common.draft.signature.clone().unwrap_or_default())
}

/// How a text says who the members of a body are.
const COMPOSED: [&str; 13] = [
    " se compose de ",
    " se compose d'",
    " composé de ",
    " composé d'",
    " composée de ",
    " composée d'",
    " si compone ",
    " composto ",
    " composta ",
    " formato da ",
    " formata da ",
    " zusammen aus ",
    " zusammen: ",
];

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
