//! One entry, assembled from its clauses: name, origin, domicile, function, signature, quota.

use super::{
    CompanyNumber, Nationality, ShareChange, SignatureKind,
    brackets::WithoutBrackets,
    clause::{AND, Clause, Part, is_name},
    nations, roles, signature,
    words::{
        BEFORE_QUOTA, BEFORE_SIGNATURE, FUNCTION, QUOTA, find_signature, starts_with_any,
        strip_any_prefix,
    },
};

mod finished;
mod merging;

/// An entry while it is read: its clauses are classified, but the order of surname and given name is
/// not known yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// The clauses of the name: one, or surname and given names.
    pub(super) name: Vec<String>,
    pub(super) origin: Option<String>,
    pub(super) nationality: Option<Nationality>,
    pub(super) domicile: Option<String>,
    functions: Vec<String>,
    pub(super) signature: Option<String>,
    quota: Option<String>,
    /// The shares that the text says the person had.
    former_quota: Option<String>,
    pub(super) share_change: Option<ShareChange>,
    /// An office that ends although the person stays.
    pub(super) ended_function: Option<String>,
    pub(super) is_successor: bool,
    pub(super) before: Option<String>,
    /// Whether the text says that the person or firm was entered before.
    pub(super) was_entered: bool,
    uid: Option<CompanyNumber>,
    ch_id: Option<String>,
    pub(super) raw: String,
    /// Whether the text states only what changes.
    pub(super) is_partial: bool,
    /// Whether a function follows the signature of another one.
    has_second_function: bool,
}

/// Maximum length of an entry or of a sentence about persons, in bytes. Longer texts, such as the
/// company's purpose, state no entries.
pub(super) const MAX_LENGTH: usize = 4_000;

/// Whether a text is short enough to be copied to this number of entries.
///
/// Without this limit, the output could grow with the square of the input.
pub(super) fn may_be_copied(text: &str, entries: usize) -> bool {
    text.len() * entries <= 2 * MAX_LENGTH
}

/// First words of a clause that restricts the signature before it.
#[rustfmt::skip]
const RESTRICTIONS: [&str; 32] = [
    "beschränkt", "eingeschränkt", "jedoch", "nicht ", "aber ", "nur ", "ausgenommen", "mit ",
    "ohne ", "für ", "je ", "und ", "oder ", "limité", "restreint", "toutefois", "mais ", "sauf ",
    "à l'exception", "uniquement", "seulement", "avec ", "sans ", "pour ", "et ", "ou ", "limitat",
    "ma ", "tranne", "eccetto", "con ", "o ",
];

/// Country letters that Geneva writes after a place abroad: `à Munich, D`.
#[rustfmt::skip]
const COUNTRY_LETTERS: [&str; 14] =
    [
    "D", "F", "I", "A", "FL", "GB", "USA", "NL", "B", "L", "E", "P", "UK", "US",
];

impl Draft {
    /// Assembles an entry from all of its clauses.
    pub(super) fn from_clauses(parts: &[Part<'_>]) -> Self {
        let raw = parts.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(", ");
        let mut draft = Self { raw, ..Self::default() };
        // The first clause is always a name, even one such as `von Muster`.
        let after_first = || parts.iter().skip(1).map(|(_, class)| *class);
        let names = 1 + match after_first().position(Clause::is_place) {
            Some(place) => place,
            None => after_first().take_while(|it| continues_name(*it)).count(),
        };
        // Between the origin and the domicile, a clause that is no function is one more origin.
        let domicile = parts.iter().position(|(_, it)| matches!(it, Clause::Domicile(_)));
        for (at, (clause, class)) in parts.iter().enumerate() {
            match class {
                _ if at < names => draft.name.push((*clause).to_owned()),
                Clause::Other(text)
                    if domicile.is_some_and(|it| at < it) && draft.may_continue_origin(text) =>
                {
                    append(&mut draft.origin, text);
                }
                class => draft.add(*class),
            }
        }
        draft.finish();
        draft
    }

    /// Replaces what clauses state anew: the functions, the shares, the signature and the places, each where they state one. What
    /// was stated before becomes the former details.
    pub(super) fn restate(&mut self, clauses: Vec<&str>) {
        let mut new = Self::default();
        for clause in clauses {
            new.add(Clause::of(clause));
        }
        new.finish();
        let former = [self.function(), self.quota.clone(), self.signature.clone()];
        let former: Vec<String> = former.into_iter().flatten().collect();
        self.before = self.before.take().or_else(|| Some(former.join(", ")));
        self.was_entered = true;
        if new.has_function() {
            self.functions = new.functions;
        }
        self.quota = new.quota.or(self.quota.take());
        self.signature = new.signature.or(self.signature.take());
        self.domicile = new.domicile.or(self.domicile.take());
        if new.origin.is_some() || new.nationality.is_some() {
            (self.origin, self.nationality) = (new.origin, new.nationality);
        }
    }

    /// A person or firm without any details yet.
    pub(super) fn of_name(name: Vec<&str>, raw: &str) -> Self {
        let name = name.into_iter().map(str::to_owned).collect();
        Self { name, raw: raw.trim().to_owned(), ..Self::default() }
    }

    /// Adds a clause after the name.
    pub(super) fn add_of_person(&mut self, text: &str) {
        match Clause::of(text) {
            // Between the origin and the domicile, a clause that is no function is one more origin.
            Clause::Other(text) if self.may_continue_origin(text) && is_name(text) => {
                append(&mut self.origin, text);
            }
            class => self.add(class),
        }
    }

    /// Completes an entry after all of its clauses: a place abroad, and clauses that are no function.
    pub(super) fn complete(&mut self) {
        self.finish();
        self.functions.retain(|it| FUNCTION.occur_in(it));
    }

    /// Adds an office, a signature, shares, or several of them in one clause: `associé pour 20 parts`.
    pub(super) fn add_statement(&mut self, text: &str) {
        // `individuellement en qualité de gérant`
        #[rustfmt::skip]
        const AS: [&str; 7] = [
            " en qualité de ", " en qualité d'", " en qualité d’", " en tant que ", " in qualità di ", " quale ", " als ",
        ];
        let office = AS.iter().find_map(|it| text.split_once(it)).filter(|(signature, office)| {
            find_signature(signature).is_some()
                && FUNCTION.occur_in(office)
                && find_signature(office).is_none()
        });
        if let Some((signature, office)) = office {
            self.add(Clause::of(signature.trim()));
            self.functions.push(office.trim().to_owned());
            return;
        }
        // `président et directeur avec signature individuelle` after another office
        if let Some((at, _)) = find_signature(text)
            && FUNCTION.occur_in(text.split(' ').next().unwrap_or_default())
            && let Some(cut) = before_signature(text, at)
            && !QUOTA.occur_in(text)
        {
            self.functions.push(text[..cut].trim().to_owned());
            self.add(Clause::of(text[cut..].trim()));
            return;
        }
        let has_number = |it: &str| {
            it.trim_start()
                .split(' ')
                .nth(1)
                .is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
        };
        let cut = BEFORE_QUOTA
            .find_last(text)
            .filter(|it| !QUOTA.occur_in(text) && has_number(&text[*it..]));
        match cut {
            Some(cut) => {
                self.add(Clause::of(&text[..cut]));
                append(&mut self.quota, text[cut..].trim());
            }
            None => self.add(Clause::of(text)),
        }
    }

    /// Whether it states a function, a signature or shares.
    pub(super) fn has_statement(&self) -> bool {
        self.has_function() || self.signature.is_some() || self.quota.is_some()
    }

    pub(super) fn quota_text(&self) -> Option<&str> {
        self.quota.as_deref()
    }

    pub(super) fn has_quota(&self) -> bool {
        self.quota.is_some()
    }

    pub(super) fn set_quota(&mut self, quota: &str) {
        self.quota = Some(quota.to_owned());
    }

    /// What the text states about the shares is what the person had until now.
    pub(super) fn make_quota_former(&mut self) {
        self.former_quota = self.quota.take().or(self.former_quota.take());
    }

    pub(super) fn set_former_quota(&mut self, quota: &str) {
        self.former_quota = Some(quota.to_owned());
    }

    pub(super) fn former_quota(&self) -> Option<&str> {
        self.former_quota.as_deref()
    }

    pub(super) fn clear_function(&mut self) {
        self.functions.clear();
    }

    fn may_continue_origin(&self, text: &str) -> bool {
        self.origin.is_some() && self.domicile.is_none() && !FUNCTION.occur_in(text)
    }

    /// Adds a clause that is not part of the name.
    pub(super) fn add(&mut self, clause: Clause<'_>) {
        let clause = match clause {
            Clause::Signature(text) => Clause::Signature(without_no_longer(text)),
            Clause::Other(text) => Clause::Other(without_entered(without_no_longer(text))),
            other => other,
        };
        const FORMER_PREFIXES: [&str; 8] = [
            "già ",
            "anciennement ",
            "bisher ",
            "jusqu'ici ",
            "jusqu’ici ",
            "jusqu'à présent ",
            "précédemment ",
            "finora ",
        ];
        match clause {
            Clause::Signature(text) | Clause::Quota(text) | Clause::Other(text)
                if starts_with_any(text, &FORMER_PREFIXES) =>
            {
                self.was_entered = true;
                let before = strip_any_prefix(text, &FORMER_PREFIXES).unwrap_or_default();
                self.before = self.before.take().or_else(|| Some(before.to_owned()));
            }
            Clause::Citizenship(text) => {
                // `von Kerns und schwedische Staatsangehörige`
                let (origin, text) = origin_and_citizenship(text);
                origin.iter().for_each(|it| append(&mut self.origin, it));
                let country = nations::country_of_citizen(text).map(str::to_owned);
                self.nationality = Some(Nationality { text: text.to_owned(), country });
            }
            Clause::Origin(place) => match nations::country_named(place) {
                Some(country) => {
                    let text = place.to_owned();
                    self.nationality =
                        Some(Nationality { text, country: Some(country.to_owned()) });
                }
                None => append(&mut self.origin, place),
            },
            Clause::OriginAndDomicile(place) => {
                append(&mut self.origin, place);
                self.domicile = Some(place.to_owned());
            }
            Clause::Domicile(place) => self.add_domicile(place),
            Clause::Signature(text) => self.add_signature(text),
            Clause::Quota(text) => self.add_quota(text),
            Clause::Other(text) => self.add_other(text),
        }
    }

    /// Adds the domicile. The comma before a function is sometimes missing: `in Affoltern a.A.
    /// Mitglied`.
    fn add_domicile(&mut self, place: &str) {
        let function = FUNCTION.find_first(place).and_then(|(at, _)| place[..at].rfind(' '));
        match function {
            Some(at) if self.domicile.is_none() => {
                self.domicile = Some(place[..at].to_owned());
                self.functions.push(place[at + 1..].to_owned());
            }
            _ if self.domicile.is_some() => self.add_other(place),
            _ => self.domicile = Some(place.to_owned()),
        }
    }

    fn add_signature(&mut self, text: &str) {
        let Some((at, _)) = find_signature(text) else { return };
        if let Some((quota_at, _)) = QUOTA.find_first(text) {
            // Quota and signature share a clause, in either order: `pour 20 parts de CHF 100 avec
            // signature individuelle`.
            let cut = if quota_at < at {
                before_signature(text, at)
            } else {
                BEFORE_QUOTA.find_last(&text[..quota_at])
            };
            // `mit je 10 Stammanteilen und Einzelunterschrift`
            let and = || {
                let ands = [" und ", " et ", " e ", " sowie "];
                let between = &text[quota_at..at.max(quota_at)];
                ands.iter().filter_map(|it| between.rfind(it)).max().map(|it| quota_at + it)
            };
            if let Some(cut) = cut.filter(|it| *it > 0).or_else(and) {
                let (first, second) = (text[..cut].trim(), text[cut..].trim());
                let and = [" und", " et", " e", " sowie"];
                let first = and.iter().find_map(|it| first.strip_suffix(it)).unwrap_or(first);
                let second = strip_any_prefix(second, AND).unwrap_or(second);
                self.add(Clause::of(first));
                self.add(Clause::of(second));
                return;
            }
        }
        let text = match self.signature {
            Some(_) => self.take_second_function(text, at),
            None => text,
        };
        if let Some(signature) = &mut self.signature {
            // `Gesellschafterin, ohne Zeichnungsberechtigung, Geschäftsführerin, mit Einzelunterschrift`
            let is_none = |it: &str| signature::kind(it) == Some(SignatureKind::None);
            match (self.has_second_function, is_none(signature), is_none(text)) {
                (true, true, false) => text.clone_into(signature),
                (true, false, true) => {}
                _ => {
                    signature.push_str(", ");
                    signature.push_str(text);
                }
            }
            return;
        }
        // Usually the whole clause is the signature. If no function precedes it, the words before
        // the signature are the function: `Mitglied mit Einzelunterschrift`.
        let cut = before_signature(text, at)
            .filter(|_| !self.functions.iter().any(|it| FUNCTION.occur_in(it)));
        // `Direktorin kollektiv zu zweien`
        let beside = || {
            let start = text[..at].rfind(' ').map_or(0, |it| it + 1);
            let function = text[..start].trim_end();
            let last = function.rsplit(' ').next().unwrap_or_default();
            let is_office = self.functions.is_empty()
                && FUNCTION.occur_in(last)
                && last.starts_with(char::is_alphabetic);
            is_office.then_some(start)
        };
        let (function, signature) = text.split_at(cut.or_else(beside).unwrap_or(0));
        if !function.trim().is_empty() {
            self.functions.push(function.trim().to_owned());
        }
        let signature = signature.trim();
        let verbs = ["zeichnet ", "zeichnen ", "signe ", "signent "];
        let signature = strip_any_prefix(signature, &verbs).unwrap_or(signature);
        self.signature = Some(signature.to_owned());
    }

    /// Takes the function before the signature at this place, which is that of another function: `und Geschäftsführer mit
    /// Einzelunterschrift`. Returns the rest of the clause.
    fn take_second_function<'a>(&mut self, text: &'a str, at: usize) -> &'a str {
        let Some(cut) = before_signature(text, at) else { return text };
        let function = strip_any_prefix(&text[..cut], AND).unwrap_or(&text[..cut]).trim();
        if function.split(' ').count() > 4 || roles::office(function).is_none() {
            return text;
        }
        self.functions.push(function.to_owned());
        self.has_second_function = true;
        text[cut..].trim()
    }

    fn add_quota(&mut self, text: &str) {
        let at = QUOTA.find_first(text).map_or(0, |(at, _)| at);
        // `Gesellschafter mit einer Stammeinlage von CHF 10'000`.
        let cut = BEFORE_QUOTA
            .find_last(&text[..at])
            .filter(|it| FUNCTION.occur_in(&text[..*it]))
            .unwrap_or(0);
        let (function, quota) = text.split_at(cut);
        if !function.trim().is_empty() {
            self.functions.push(function.trim().to_owned());
        }
        // `con 10 quote da CHF 1'000.00 e gerente`
        let and = [" und ", " et ", " e "]
            .iter()
            .filter_map(|it| Some((quota.find(it)?, it.len())))
            .min();
        match and
            .filter(|(at, _)| FUNCTION.occur_in(&quota[*at..]) && !QUOTA.occur_in(&quota[*at..]))
        {
            Some((at, length)) => {
                append(&mut self.quota, quota[..at].trim());
                self.functions.push(quota[at + length..].trim().to_owned());
            }
            None => append(&mut self.quota, quota.trim()),
        }
    }

    fn add_other(&mut self, text: &str) {
        let is_continuation = starts_with_any(text, AND);
        match &mut self.signature {
            // `mit Kollektivprokura zu zweien, beschränkt auf den Hauptsitz`.
            Some(signature)
                if !(FUNCTION.occur_in(text) && (self.functions.is_empty() || is_continuation)) =>
            {
                if starts_with_any(text, &RESTRICTIONS) {
                    signature.push_str(", ");
                    signature.push_str(text);
                } else if text.split(' ').count() <= 4 && roles::office(text).is_some() {
                    self.functions.push(text.to_owned());
                    self.has_second_function = true;
                }
            }
            _ => self.functions.push(text.to_owned()),
        }
    }

    /// Moves the parts of a place abroad from the functions to the domicile.
    ///
    /// This needs the whole entry: `in Osaka, Japan, Gesellschafter` has only one function.
    fn finish(&mut self) {
        let is_function = |it: &String| FUNCTION.occur_in(it);
        let mut place_parts = self.functions.iter().position(is_function).unwrap_or(0);
        let is_country = |it: &String| {
            nations::country_named(it).is_some() || COUNTRY_LETTERS.contains(&it.as_str())
        };
        if place_parts == 0 && self.functions.first().is_some_and(is_country) {
            place_parts = 1;
        }
        if self.domicile.is_some() {
            for place in self.functions.drain(..place_parts) {
                append(&mut self.domicile, &place);
            }
        }
    }

    pub(super) fn has_place(&self) -> bool {
        self.origin.is_some() || self.nationality.is_some() || self.domicile.is_some()
    }

    pub(super) fn has_function(&self) -> bool {
        !self.functions.is_empty()
    }

    pub(super) fn function(&self) -> Option<String> {
        let mut function = self.functions.first()?.clone();
        for next in &self.functions[1..] {
            function.push_str(if starts_with_any(next, AND) { " " } else { ", " });
            function.push_str(next);
        }
        Some(function)
    }

    pub(super) fn set_function(&mut self, function: &str) {
        self.functions = vec![function.to_owned()];
    }

    pub(super) fn full_name(&self) -> String {
        self.name.join(", ")
    }

    /// Applies the content of the brackets of its item.
    ///
    /// `entries` is the number of entries in the item.
    pub(super) fn apply_brackets(&mut self, item: &WithoutBrackets<'_>, entries: usize) {
        let before = item.before.as_deref().filter(|it| may_be_copied(it, entries));
        self.before = self.before.take().or_else(|| before.map(str::to_owned));
        self.was_entered |= item.was_entered;
        self.uid = item.uid;
        self.ch_id = item.ch_id.clone();
    }
}

/// The function without the word that says that it is entered already: `administrateur inscrit, nommé liquidateur`.
fn without_entered(text: &str) -> &str {
    const ENTERED: [&str; 5] = [" inscrit", " inscrite", " eingetragen", " iscritto", " iscritta"];
    let shorter = ENTERED.iter().find_map(|it| text.strip_suffix(it));
    shorter.filter(|it| FUNCTION.occur_in(it)).unwrap_or(text)
}

/// A place of origin before a citizenship in the same clause, without its preposition, and the citizenship.
fn origin_and_citizenship(text: &str) -> (Option<&str>, &str) {
    let halves = [" und ", " et ", " e ", " sowie "].iter().find_map(|it| text.split_once(it));
    let Some((place, citizenship)) = halves else { return (None, text) };
    match (Clause::of(place), Clause::of(citizenship)) {
        (Clause::Origin(place), Clause::Citizenship(_))
            if nations::country_named(place).is_none() =>
        {
            (Some(place), citizenship)
        }
        _ => (None, text),
    }
}

/// The text before words such as `und nicht mehr`: what follows is no longer so.
fn without_no_longer(text: &str) -> &str {
    const NO_LONGER: [&str; 3] = [" und nicht mehr ", " et non plus ", " e non più "];
    NO_LONGER.iter().find_map(|it| text.find(it)).map_or(text, |end| &text[..end])
}

/// Whether a clause after the first is part of the name of an entry without a place: `Muster, Hans`.
fn continues_name(clause: Clause<'_>) -> bool {
    match clause {
        Clause::Other(text) => is_name(text) && !FUNCTION.occur_in(text) && !text.contains(' '),
        _ => false,
    }
}

fn append(list: &mut Option<String>, item: &str) {
    match list {
        Some(list) => {
            list.push_str(", ");
            list.push_str(item);
        }
        None => *list = Some(item.to_owned()),
    }
}

/// Where the words that lead to the signature at this place start. The preposition may be part of the match: `con firma`.
fn before_signature(text: &str, signature: usize) -> Option<usize> {
    BEFORE_SIGNATURE.find_last(&text[..text.floor_char_boundary(signature + 5)])
}
