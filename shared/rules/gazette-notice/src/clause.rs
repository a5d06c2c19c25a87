//! The clauses of an entry, classified by their words.

use super::{
    names::is_particle,
    nations::{is_foreign, is_unclear},
    words::{CITIZEN, QUOTA, find_signature, starts_with_any, strip_any_prefix, strip_prefix},
};

/// A clause as written, and its class.
pub(super) type Part<'a> = (&'a str, Clause<'a>);

/// The class of a clause, decided by its words alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Clause<'a> {
    /// `von Thun`; the place only.
    Origin(&'a str),
    /// `in Thun`; the place only.
    Domicile(&'a str),
    /// `von und in Thun`; the place only.
    OriginAndDomicile(&'a str),
    /// `deutscher Staatsangehöriger`.
    Citizenship(&'a str),
    /// A signing authority: `mit Einzelunterschrift`.
    Signature(&'a str),
    /// A share of the capital: `mit 20 Stammanteilen zu je CHF 1'000.00`.
    Quota(&'a str),
    /// A name, a function or a restriction of the signature before it.
    Other(&'a str),
}

impl<'a> Clause<'a> {
    /// Classifies the text.
    pub(super) fn of(text: &'a str) -> Self {
        #[rustfmt::skip]
        const ORIGIN_AND_DOMICILE: [&str; 9] = [
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
        const DOMICILE: [&str; 23] = [
            "in ", "wohnhaft in ", "wohnhaft ", "mit sitz in ", "domicilié à ", "domiciliée à ",
            "domicilié au ", "à la ", "à l'", "à ", "au ", "aux ", "a ", "ad ", "nel ",
            "domiciliato a ", "domiciliata a ", "domiciliati a ", "residente a ", "residente in ", "domiciliato in ", "domiciliata in ", "en ",
        ];
        const OF_OTHERS: [&str; 7] = [
            "nutzniess",
            "usufrui",
            "usufrutt",
            "pfandgläubig",
            "créancier gagiste",
            "créancière gagiste",
            "creditore pignor",
        ];
        let text = without_body(text);
        if find_signature(text).is_some() {
            return Self::Signature(without_still(text));
        }
        if QUOTA.occur_in(text) {
            // The usufruct or pledge of shares of somebody else.
            let lower = text.to_lowercase();
            let is_of_others = OF_OTHERS.iter().any(|it| lower.contains(it));
            return if is_of_others { Self::Other(text) } else { Self::Quota(text) };
        }
        if CITIZEN.occur_in(text) {
            return Self::Citizenship(text);
        }
        // The article of a place has a capital letter: `de La Sagne`.
        let has_article = |prefix: &str| {
            let start = prefix.trim_end().rfind(' ').map_or(prefix.len(), |it| it + 1);
            text.get(start..prefix.len()) == prefix.get(start..)
        };
        let place = |prefixes: &[&str]| {
            let strip = |it: &&str| strip_prefix(text, it).filter(|_| has_article(it));
            prefixes.iter().find_map(strip).filter(|it| is_name(it))
        };
        if let Some(place) = place(&ORIGIN_AND_DOMICILE) {
            return Self::OriginAndDomicile(place);
        }
        // Only before the name of a country: `aus der Türkei`, `degli Stati Uniti`.
        #[rustfmt::skip]
        const ORIGIN_ABROAD: [&str; 18] = [
            "aus dem ", "aus der ", "aus den ", "de l’", "del ", "della ", "dello ", "dell'", "dell’", "dei ", "degli ", "delle ", "dallo ", "dall'", "dall’", "dai ",
            "dagli ", "dalle ",
        ];
        // A name that several countries share: the person is a foreigner, but the country is not known.
        let origin = |place, is_unclear| match is_unclear {
            true => Self::Citizenship(text),
            false => Self::Origin(place),
        };
        if let Some(place) = place(&ORIGIN) {
            return origin(place, is_unclear(place));
        }
        if let Some(place) = place(&ORIGIN_ABROAD).filter(|it| is_foreign(it)) {
            return origin(place, is_unclear(place));
        }
        // `in Liquidation` is no place.
        match place(&DOMICILE).filter(|it| !starts_with_any(it, &["Liqui"])) {
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

/// An office or signature without the body that its holder is elected to: `Präsident in den Verwaltungsrat`.
fn without_body(text: &str) -> &str {
    #[rustfmt::skip]
    const BODIES: [&str; 9] = [
        " in den Verwaltungsrat", " in den Stiftungsrat", " in den Vorstand", " in die Geschäftsführung", " in die Geschäftsleitung", " in die Verwaltung",
        " au conseil d'administration", " au conseil de fondation", " nel consiglio di amministrazione",
    ];
    match BODIES.iter().find_map(|it| text.strip_suffix(it)) {
        Some(office) => office,
        // The body alone: `in den Verwaltungsrat`.
        None if BODIES[..6].iter().any(|it| it[1..] == *text) => {
            text.rsplit(' ').next().unwrap_or(text)
        }
        None => text,
    }
}

/// A signature without the words that say that it stays: `zeichnet weiterhin mit Einzelunterschrift`.
fn without_still(text: &str) -> &str {
    #[rustfmt::skip]
    const STILL: [&str; 14] = [
        "zeichnet weiterhin ", "zeichnen weiterhin ", "weiterhin ", "nach wie vor ", "unverändert ", "signe toujours ", "signent toujours ", "toujours ",
        "comme jusqu'ici ", "firma sempre ", "sempre ", "tuttora ", "ancora ", "come finora ",
    ];
    strip_any_prefix(text, &STILL).filter(|it| find_signature(it).is_some()).unwrap_or(text)
}

/// Whether the text starts like a name: with a capital letter, a digit, or a particle and a capital
/// letter.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit())
        || without_particles(text).is_some_and(|it| it.starts_with(char::is_uppercase))
        || starts_with_any(text, &["l'", "s-", "s'"])
}

/// The text after the particles that it starts with: `Bergh` of `van den Bergh`. `None` if it starts with none.
fn without_particles(text: &str) -> Option<&str> {
    // They start names only; elsewhere, `al` is an Italian preposition.
    const ARABIC: [&str; 3] = ["al", "ben", "ibn"];
    let mut rest = text;
    for _ in 0..3 {
        let first = rest.split([' ', '\'', '’']).next().unwrap_or_default();
        if !is_particle(first) && !ARABIC.contains(&first) {
            break;
        }
        rest = rest[first.len()..].trim_start();
    }
    (rest.len() < text.len()).then_some(rest)
}

/// Conjunctions before the next entry of an item: `…, und Muster Hans, von …`.
#[rustfmt::skip]
pub(super) const AND: &[&str] =
    &[
    "und ", "sowie ", "et ", "ainsi que ", "e ", "ed ", "nonché ", "and ",
];
