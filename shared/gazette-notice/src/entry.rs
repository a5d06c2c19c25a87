//! One entry, clause by clause: name, origin, domicile, function, signature, share.

use std::borrow::Cow;

use domain::Uid;

use super::{
    Entry, EntryKind, Nationality, Subject,
    names::{self, Order, is_particle},
    nations, pieces, powers, quota, roles,
    words::{
        BEFORE, CITIZEN, FUNCTION, HOLDING, QUOTA, SIGNATURE, SUPERVISOR, WITH, after_any, begins,
        names_a_firm,
    },
};

/// An entry whose clauses are sorted, before it is known in which order its names stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) name: Vec<String>,
    pub(super) origin: Option<String>,
    pub(super) nationality: Option<Nationality>,
    pub(super) domicile: Option<String>,
    functions: Vec<String>,
    pub(super) signature: Option<String>,
    quota: Option<String>,
    pub(super) before: Option<String>,
    /// Said to have been entered before, though not how.
    pub(super) is_known: bool,
    uid: Option<Uid>,
    ch_id: Option<String>,
    pub(super) raw: String,
}

/// No entry is longer, and no sentence about persons; the sentences of a purpose are.
pub(super) const LONGEST: usize = 4_000;

/// Whether what is said of so many entries at once is short enough to be copied to each of them:
/// otherwise a text of some length could become one of its square.
pub(super) fn can_be_shared(said: &str, entries: usize) -> bool {
    said.len() * entries <= 2 * LONGEST
}

/// A clause as written, and what it is.
pub(super) type Part<'a> = (&'a str, Clause<'a>);

/// What a clause is, by its words alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clause<'a> {
    Origin(&'a str),
    Domicile(&'a str),
    /// `von und in Thun`.
    OriginAndDomicile(&'a str),
    Citizenship(&'a str),
    Power(&'a str),
    Share(&'a str),
    Other(&'a str),
}

impl<'a> Clause<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        #[rustfmt::skip]
        const BOTH: [&str; 9] = [
            "von und in ", "von und wohnhaft in ", "de et à ", "de et domicilié à ",
            "originaire de et à ", "d'et à ", "da e in ", "di e in ", "da ed in ",
        ];
        #[rustfmt::skip]
        const ORIGIN: [&str; 21] = [
            "von ", "aus ", "heimat: ", "heimatort: ", "heimatberechtigt in ", "bürger von ",
            "originaire de ", "originaire d'", "originaire du ", "originaire des ", "de la ",
            "de l'", "de ", "d'", "d’", "du ", "des ", "da ", "dal ", "dalla ", "di ",
        ];
        #[rustfmt::skip]
        const DOMICILE: [&str; 17] = [
            "in ", "wohnhaft in ", "wohnhaft ", "mit sitz in ", "domicilié à ", "domiciliée à ",
            "domicilié au ", "à la ", "à l'", "à ", "au ", "aux ", "a ", "ad ", "nel ",
            "domiciliato a ", "en ",
        ];
        if SIGNATURE.are_in(text) {
            return Self::Power(text);
        }
        if QUOTA.are_in(text) {
            return Self::Share(text);
        }
        if CITIZEN.are_in(text) {
            return Self::Citizenship(text);
        }
        let place = |prefixes| after_any(text, prefixes).filter(|it| is_name(it));
        if let Some(place) = place(&BOTH) {
            return Self::OriginAndDomicile(place);
        }
        if let Some(place) = place(&ORIGIN) {
            return Self::Origin(place);
        }
        match place(&DOMICILE).filter(|it| !begins(it, &["Liqui"])) {
            Some(place) => Self::Domicile(place),
            None => Self::Other(text),
        }
    }

    pub(super) fn is_origin(self) -> bool {
        matches!(self, Self::Origin(_) | Self::OriginAndDomicile(_) | Self::Citizenship(_))
    }

    pub(super) fn is_place(self) -> bool {
        self.is_origin() || matches!(self, Self::Domicile(_))
    }
}

/// Whether the text begins as a name does, or with an article that names begin with.
pub(super) fn is_name(text: &str) -> bool {
    let first = text.split([' ', '\'', '’']).next().unwrap_or_default();
    text.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit())
        || (is_particle(first) && text[first.len()..].trim_start().starts_with(char::is_uppercase))
        || begins(text, &["l'", "s-", "s'"])
}

/// An item without its brackets, and what these said.
pub(super) struct Bare<'a> {
    pub(super) text: Cow<'a, str>,
    before: Option<String>,
    is_known: bool,
    uid: Option<Uid>,
    ch_id: Option<String>,
}

/// Takes the brackets out of an item: numbers, earlier states, notes. Others belong to their clause.
pub(super) fn bare(item: &str) -> Bare<'_> {
    let mut bare =
        Bare { text: Cow::Borrowed(item), before: None, is_known: false, uid: None, ch_id: None };
    let text = pieces::without(item, |group| {
        let inner = group[1..group.len() - 1].trim();
        if inner.len() <= 40 {
            if let Ok(uid) = inner.parse() {
                bare.uid = Some(uid);
                return true;
            }
            if inner.starts_with("CH-") || inner.starts_with("CHE-") {
                bare.ch_id = Some(inner.to_owned());
                return true;
            }
        }
        if BEFORE.first_in(inner).is_some_and(|(at, _)| at <= 12) {
            let said = inner.split_once(':').map_or(inner, |(_, said)| said).trim();
            bare.is_known = true;
            // What follows an earlier state is a still earlier one.
            if group.starts_with('[') && !said.is_empty() && bare.before.is_none() {
                bare.before = Some(said.to_owned());
            }
            return true;
        }
        let is_note = begins(
            inner,
            &["neu", "nouveau", "nouvelle", "nuovo", "nuova", "inscrit", "déjà inscrit"],
        ) && inner.len() <= 20;
        group.starts_with('[') || is_note
    });
    // A bracket that is never closed ends with the item.
    bare.text = match text.find('[') {
        Some(at) if BEFORE.are_in(&text[at..]) => {
            let said = text[at + 1..].split_once(':').map_or("", |(_, said)| said).trim();
            bare.is_known = true;
            bare.before = bare.before.or_else(|| Some(said.to_owned()));
            Cow::Owned(text[..at].trim_end().to_owned())
        }
        _ => text,
    };
    bare
}

/// What begins a clause that belongs to the power before it.
#[rustfmt::skip]
const RESTRICTION: [&str; 32] = [
    "beschränkt", "eingeschränkt", "jedoch", "nicht ", "aber ", "nur ", "ausgenommen", "mit ",
    "ohne ", "für ", "je ", "und ", "oder ", "limité", "restreint", "toutefois", "mais ", "sauf ",
    "à l'exception", "uniquement", "seulement", "avec ", "sans ", "pour ", "et ", "ou ", "limitat",
    "ma ", "tranne", "eccetto", "con ", "o ",
];

/// The letters of foreign countries that Geneva writes behind a place: `à Munich, D`.
#[rustfmt::skip]
const COUNTRY_LETTERS: [&str; 14] =
    [
    "D", "F", "I", "A", "FL", "GB", "USA", "NL", "B", "L", "E", "P", "UK", "US",
];

/// What begins the next entry of a chain: `…, und Muster Hans, von …`.
#[rustfmt::skip]
pub(super) const AND: &[&str] =
    &[
    "und ", "sowie ", "et ", "ainsi que ", "e ", "ed ", "nonché ", "and ",
];

impl Draft {
    /// Sorts the clauses of one entry.
    pub(super) fn of(parts: &[Part<'_>]) -> Self {
        let raw = parts.iter().map(|(text, _)| *text).collect::<Vec<_>>().join(", ");
        let mut draft = Self { raw, ..Self::default() };
        // The first clause is a name, whatever it begins with: `von Muster, Peter`.
        let behind = || parts.iter().skip(1).map(|(_, class)| *class);
        let names = 1 + match behind().position(Clause::is_place) {
            Some(place) => place,
            None => behind().take_while(|it| continues_name(*it)).count(),
        };
        // Before the domicile, what is no function goes on naming origins.
        let domicile = parts.iter().position(|(_, it)| matches!(it, Clause::Domicile(_)));
        for (at, (clause, class)) in parts.iter().enumerate() {
            match class {
                _ if at < names => draft.name.push((*clause).to_owned()),
                Clause::Other(text)
                    if domicile.is_some_and(|it| at < it) && draft.is_origin_open(text) =>
                {
                    append(&mut draft.origin, text);
                }
                class => draft.take(*class),
            }
        }
        draft.settle();
        draft
    }

    fn is_origin_open(&self, text: &str) -> bool {
        self.origin.is_some() && self.domicile.is_none() && !FUNCTION.are_in(text)
    }

    /// Sorts one clause that is not the name's.
    pub(super) fn take(&mut self, clause: Clause<'_>) {
        const FORMER: [&str; 6] =
            ["bisher ", "jusqu'ici ", "jusqu’ici ", "jusqu'à présent ", "précédemment ", "finora "];
        match clause {
            Clause::Power(text) | Clause::Share(text) | Clause::Other(text)
                if begins(text, &FORMER) =>
            {
                self.is_known = true;
                let before = after_any(text, &FORMER).unwrap_or_default();
                self.before = self.before.take().or_else(|| Some(before.to_owned()));
            }
            Clause::Citizenship(text) => {
                let country = nations::of_citizen(text).map(str::to_owned);
                self.nationality = Some(Nationality { text: text.to_owned(), country });
            }
            Clause::Origin(place) => match nations::named(place) {
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
            Clause::Domicile(place) => self.take_domicile(place),
            Clause::Power(text) => self.take_power(text),
            Clause::Share(text) => self.take_share(text),
            Clause::Other(text) => self.take_other(text),
        }
    }

    /// `in Affoltern a.A. Mitglied`: the comma before a function is forgotten now and then.
    fn take_domicile(&mut self, place: &str) {
        let function = FUNCTION.first_in(place).and_then(|(at, _)| place[..at].rfind(' '));
        match function {
            Some(at) if self.domicile.is_none() => {
                self.domicile = Some(place[..at].to_owned());
                self.functions.push(place[at + 1..].to_owned());
            }
            _ if self.domicile.is_some() => self.take_other(place),
            _ => self.domicile = Some(place.to_owned()),
        }
    }

    fn take_power(&mut self, text: &str) {
        let Some((at, _)) = SIGNATURE.first_in(text) else { return };
        if let Some((share, _)) = QUOTA.first_in(text) {
            // `pour 20 parts de CHF 100 avec signature individuelle`, or the other way round.
            let cut = if share < at {
                WITH.last_in(&text[..at])
            } else {
                HOLDING.last_in(&text[..share])
            };
            if let Some(cut) = cut {
                let (one, other) = (text[..cut].trim(), text[cut..].trim());
                let other = after_any(other, AND).unwrap_or(other);
                self.take(Clause::of(one));
                self.take(Clause::of(other));
                return;
            }
        }
        if let Some(signature) = &mut self.signature {
            signature.push_str(", ");
            signature.push_str(text);
            return;
        }
        // The clause is the signature, as written. Only where it is the only clause, what stands
        // before the power is the function: `Mitglied mit Einzelunterschrift`.
        let cut = WITH.last_in(&text[..at]).filter(|_| self.functions.is_empty());
        let (function, power) = text.split_at(cut.unwrap_or(0));
        if !function.trim().is_empty() {
            self.functions.push(function.trim().to_owned());
        }
        let power = power.trim();
        let power =
            after_any(power, &["zeichnet ", "zeichnen ", "signe ", "signent "]).unwrap_or(power);
        self.signature = Some(power.to_owned());
    }

    fn take_share(&mut self, text: &str) {
        let at = QUOTA.first_in(text).map_or(0, |(at, _)| at);
        // `Gesellschafter mit einer Stammeinlage von CHF 10'000`.
        let cut =
            HOLDING.last_in(&text[..at]).filter(|it| FUNCTION.are_in(&text[..*it])).unwrap_or(0);
        let (function, share) = text.split_at(cut);
        if !function.trim().is_empty() {
            self.functions.push(function.trim().to_owned());
        }
        append(&mut self.quota, share.trim());
    }

    fn take_other(&mut self, text: &str) {
        let goes_on = begins(text, AND);
        match &mut self.signature {
            // `mit Kollektivprokura zu zweien, beschränkt auf den Hauptsitz`.
            Some(signature)
                if !(FUNCTION.are_in(text) && (self.functions.is_empty() || goes_on)) =>
            {
                if begins(text, &RESTRICTION) {
                    signature.push_str(", ");
                    signature.push_str(text);
                }
            }
            _ => self.functions.push(text.to_owned()),
        }
    }

    /// What only the whole entry tells: `in Osaka, Japan, Gesellschafter` has one function.
    fn settle(&mut self) {
        let is_function = |it: &String| FUNCTION.are_in(it);
        let mut foreign = self.functions.iter().position(is_function).unwrap_or(0);
        let is_country =
            |it: &String| nations::named(it).is_some() || COUNTRY_LETTERS.contains(&it.as_str());
        if foreign == 0 && self.functions.first().is_some_and(is_country) {
            foreign = 1;
        }
        if self.domicile.is_some() {
            for place in self.functions.drain(..foreign) {
                append(&mut self.domicile, &place);
            }
        }
    }

    pub(super) fn is_placed(&self) -> bool {
        self.origin.is_some() || self.nationality.is_some() || self.domicile.is_some()
    }

    pub(super) fn has_function(&self) -> bool {
        !self.functions.is_empty()
    }

    pub(super) fn function(&self) -> Option<String> {
        let mut function = self.functions.first()?.clone();
        for next in &self.functions[1..] {
            function.push_str(if begins(next, AND) { " " } else { ", " });
            function.push_str(next);
        }
        Some(function)
    }

    pub(super) fn set_function(&mut self, function: &str) {
        self.functions = vec![function.to_owned()];
    }

    /// Takes what another draft has and this one lacks.
    pub(super) fn complete(&mut self, other: &Self) {
        if self.signature.is_none() {
            self.signature.clone_from(&other.signature);
        }
        if self.quota.is_none() {
            self.quota.clone_from(&other.quota);
        }
        if !self.has_function()
            && let Some(function) = other.function()
        {
            self.set_function(&function);
        }
    }

    pub(super) fn whole_name(&self) -> String {
        self.name.join(", ")
    }

    /// Takes what the brackets of its item said, which has so many entries.
    pub(super) fn mark(&mut self, bare: &Bare<'_>, entries: usize) {
        let before = bare.before.as_deref().filter(|it| can_be_shared(it, entries));
        self.before = self.before.take().or_else(|| before.map(str::to_owned));
        self.is_known |= bare.is_known;
        self.uid = bare.uid;
        self.ch_id = bare.ch_id.clone();
    }

    /// A firm has a number, a legal form or no origin. An auditor without an origin is one, whatever
    /// the name, because a person's name alone cannot be told from a firm's.
    pub(super) fn is_entity(&self) -> bool {
        if self.uid.is_some() || self.ch_id.is_some() {
            return true;
        }
        if self.origin.is_some() || self.nationality.is_some() {
            return false;
        }
        let [first, rest @ ..] = self.name.as_slice() else { return false };
        let is_written_as_person =
            rest.first().is_some_and(|it| it.split(' ').any(super::given_names::is_given));
        let supervises = self.functions.iter().any(|it| SUPERVISOR.are_in(it));
        if names_a_firm(first) || rest.iter().any(|it| names_a_firm(it)) {
            return true;
        }
        supervises || (self.domicile.is_some() && !is_written_as_person)
    }

    pub(super) fn entry(self, kind: EntryKind, order: Order) -> Entry {
        let is_entity = self.is_entity();
        let function = self.function();
        let within = self.signature.as_deref().map_or("", before_power);
        let office = roles::office(&[function.as_deref().unwrap_or(""), within].join(" "));
        let subject = if is_entity {
            Subject::Entity { name: self.whole_name(), uid: self.uid, ch_id: self.ch_id }
        } else {
            let clauses: Vec<&str> = self.name.iter().map(String::as_str).collect();
            names::person(&clauses, order)
        };
        let kind = match kind {
            EntryKind::Entered if self.is_known => EntryKind::Changed,
            kind => kind,
        };
        Entry {
            kind,
            subject,
            origin: self.origin,
            nationality: self.nationality,
            domicile: self.domicile,
            role: office.map(|it| it.role),
            organ: office.and_then(|it| it.organ),
            function,
            signature_kind: self.signature.as_deref().and_then(powers::kind),
            signature: self.signature,
            quota: self.quota.as_deref().map(quota::quota),
            before: self.before,
            raw: self.raw,
        }
    }
}

/// What stands before the power in a clause that has another function: `Geschäftsführer mit
/// Einzelunterschrift`.
fn before_power(signature: &str) -> &str {
    let power = SIGNATURE.first_in(signature).map_or(0, |(at, _)| at);
    WITH.last_in(&signature[..power]).map_or("", |it| &signature[..it])
}

/// Whether a clause behind the first belongs to the name, in an entry without a place: `Muster, Hans`.
fn continues_name(clause: Clause<'_>) -> bool {
    match clause {
        Clause::Other(text) => is_name(text) && !FUNCTION.are_in(text) && !text.contains(' '),
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
