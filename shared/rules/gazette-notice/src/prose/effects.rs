//! What the statements of a clause change for each person.

use super::{
    clause_content::ClauseContent,
    naming::{Named, all},
    persons::Ended,
    pieces::{self, Shared},
    reading::{Effect, Reading},
};
use crate::{
    SignatureKind,
    entry::{Draft, may_be_copied},
    roles, signature,
    singular::singular,
};

impl<'a> Reading<'a, '_> {
    /// The signature of persons ends, or they are deleted.
    pub(super) fn end(&mut self, content: &ClauseContent<'a>, named: &[Named], subjects: &[usize]) {
        let signature = content.pieces.iter().find_map(|it| {
            let text = format!("{} ", pieces::strip_introduction(it.text));
            signature::leading_length(&text).map(|end| text[..end].trim().to_owned())
        });
        let is_own = named.is_empty();
        if is_own {
            // `sa signature est radiée` follows what the person loses or keeps; alone it says that the signature ends.
            let known = signature
                .filter(|it| signature::kind(it).is_some_and(|it| it != SignatureKind::Other));
            for id in subjects {
                self.persons.end_signature(*id, self.ended(known.clone()));
            }
            return;
        }
        let office = content.office().filter(|_| signature.is_none());
        // `i poteri di A`, `la firma di A`: the text does not describe the signature.
        for person in named.iter().filter(|_| office.is_none() && signature.is_none()) {
            self.persons.end_signature(person.id, self.ended(None));
        }
        self.leave(&all(named), office.map(|it| singular(&it)), signature);
    }

    /// A signature that ends, in the language of the sentence.
    pub(super) fn ended(&self, signature: Option<String>) -> Ended {
        let lower = self.sentence.text.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
        let none = if has(&["unterschrift", "prokura", "zeichn"]) {
            "ohne Zeichnungsberechtigung"
        } else if has(&["signature", "procuration", "pouvoirs"]) {
            "sans signature"
        } else {
            "senza diritto di firma"
        };
        Ended { signature, none }
    }

    pub(super) fn leave(
        &mut self,
        persons: &[usize],
        office: Option<String>,
        signature: Option<String>,
    ) {
        let length =
            office.as_deref().map_or(0, str::len) + signature.as_deref().map_or(0, str::len);
        if length * persons.len() > crate::entry::MAX_LENGTH {
            return;
        }
        let body = office.as_deref().filter(|it| self.is_body(it));
        for id in persons {
            match body {
                Some(body) => self.persons.leave_body(*id, body),
                None => self.persons.leave(*id, office.as_deref()),
            }
            if signature.is_some() {
                self.persons.end_signature(*id, self.ended(signature.clone()));
            }
        }
        self.effect = Some(Effect::Left { office, signature });
    }

    /// Whether the text names a body that somebody leaves, and no office in it: `ist aus dem Vorstand ausgetreten`. A
    /// `Verwaltungsrat` can also be a member.
    fn is_body(&self, office: &str) -> bool {
        #[rustfmt::skip]
        const BODIES: [&str; 19] = [
            "vorstand", "verwaltung", "geschäftsführung", "geschäftsleitung", "direktion", "conseil d'administration", "conseil d’administration",
            "conseil de fondation", "conseil", "comité", "administration", "direction", "gérance", "consiglio d'amministrazione",
            "consiglio d’amministrazione", "consiglio di amministrazione", "consiglio di fondazione", "comitato", "gerenza",
        ];
        const COUNCILS: [&str; 4] =
            ["verwaltungsrat", "verwaltungsrates", "stiftungsrat", "stiftungsrates"];
        let lower = office.to_lowercase();
        let follows_article = |it: usize| {
            self.sentence.word(it).to_lowercase() == lower
                && matches!(self.sentence.word(it.wrapping_sub(1)), "dem" | "Dem" | "im" | "des")
        };
        BODIES.contains(&lower.as_str())
            || (COUNCILS.contains(&lower.as_str())
                && (0..self.sentence.tokens.len()).any(follows_article))
    }

    pub(super) fn keep(&mut self, persons: &[usize], common: &Draft) {
        let office = common.function().map(|it| singular(&it));
        if !self.may_copy(common, persons.len()) {
            return;
        }
        for id in persons {
            self.persons.keep(*id, office.as_deref());
            if common.signature.is_some() {
                self.persons.retain_signature(*id);
            }
            if let Some(draft) = self.persons.draft(*id) {
                draft.take_statements(common);
            }
        }
    }

    pub(super) fn appoint(&mut self, persons: &[usize], common: &Draft, named: &[Named]) {
        if !self.may_copy(common, persons.len()) {
            return;
        }
        let office = common.function().map(|it| singular(&it));
        let each = common.function().and_then(|it| one_each(&it, persons.len()));
        let trailing = self.trailing_signature(named);
        let common = &match trailing {
            Some(signature) if common.signature.is_none() => common.with_signature(signature),
            _ => common.clone(),
        };
        for (at, id) in persons.iter().enumerate() {
            let office =
                each.as_ref().map_or(office.as_deref(), |it| it.get(at).map(String::as_str));
            // Who is elected to another office beside the verb keeps that one.
            let is_elected = named.iter().any(|it| it.id == *id && !it.is_after_verb)
                && self.persons.is_appointed_to_office(*id)
                && self.appointed.iter().all(|it| it != id);
            let own = named.iter().find(|it| it.id == *id && it.is_after_verb);
            let own = own.and_then(|it| it.own.as_deref()).map(singular);
            // `Sont nommés administrateurs: A, président, et B`
            let membership = office.filter(|it| {
                roles::is_membership(it)
                    && own.as_deref().is_some_and(roles::is_office_of_member)
                    && !is_elected
            });
            if membership.is_some() {
                self.persons.appoint(*id, membership);
            }
            let stated = own.as_deref().or(office).filter(|_| !is_elected);
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

    /// States what a clause says of the first and the second of two persons.
    pub(super) fn apply_to_each(&mut self, each: &[Draft], named: &[Named]) {
        if each.len() != named.len() {
            return;
        }
        for (person, own) in named.iter().zip(each) {
            if let Some(draft) = self.persons.draft(person.id) {
                draft.take_statements(own);
            }
        }
    }

    pub(super) fn apply_shared(&mut self, shared: &Shared, named: &[Named]) {
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

/// The office of each of several persons, if the text names as many that one person has: `A et B sont élus présidente et
/// secrétaire`.
fn one_each(offices: &str, persons: usize) -> Option<Vec<String>> {
    let commas = offices.replace(" et ", ", ").replace(" und ", ", ").replace(" e ", ", ");
    let parts: Vec<String> = commas.split(", ").map(str::to_owned).collect();
    let are_of_one = parts.iter().all(|it| roles::is_office_of_member(it) && singular(it) == *it);
    (persons > 1 && parts.len() == persons && are_of_one).then_some(parts)
}
