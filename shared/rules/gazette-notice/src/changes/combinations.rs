//! Mergers, demergers and asset transfers: their direction, the other company and the amounts.
//!
//! Source: art. 21, 51 and 73 of the Merger Act; art. 130 to 138 of the Commercial Register Ordinance.

use super::{
    AssetTransfer, Change, Combination, Party,
    concepts::{self, Concept, Concept::*, Concepts, Found},
    parties::{first_number, parties, party_without_number},
};
use crate::{Decimal, amount, words::strip_any_prefix};

/// One change for each company with a register number in the text. Without any number, one for the only company to which assets
/// go. `labelled` is the kind that the label states.
pub(super) fn combinations(labelled: Option<Concept>, text: &str) -> Vec<Change> {
    let found = concepts::find(text);
    let mut all = Concepts::of(&found);
    if let Some(label) = labelled {
        all = all.with(label);
    }
    let direction = direction(text, &found);
    let Some(combination) = combination(all, direction) else { return Vec::new() };
    let transfer = transfer(text);
    let change = |party| Change::Combination { combination, party, transfer: transfer.clone() };
    let mut parties = parties(text);
    // A transfer to a company whose number the text does not state.
    let is_transfer = all.has_any(&[Transfer, Demerger, SplitUp, SpinOff]);
    if parties.is_empty() && is_transfer && direction == Some(Direction::Out) {
        parties.extend(party_without_number(text));
    }
    parties.into_iter().map(change).collect()
}

/// Whether assets come to the company of the notice, or leave it.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    In,
    Out,
}

/// The direction by the first word that states one: `Übernahme der Aktiven der …`, `gehen auf … über`.
fn direction(text: &str, found: &[Found]) -> Option<Direction> {
    if let Some(stated) = direction_of_party(text) {
        return Some(stated);
    }
    if gives_to_company(text) {
        return Some(Direction::In);
    }
    let Some(first) = found.iter().find(|it| matches!(it.concept, Receives | Gives)) else {
        return direction_of_participle(text, found);
    };
    if transfers_to_company(text, found, first.start, &text[first.start..first.end]) {
        return Some(Direction::In);
    }
    // `Die Gesellschaft hat die Aktiven der … übernommen` is active, `werden von … übernommen` passive.
    let before = &text[..first.start];
    let is_active = text[first.start..first.end].eq_ignore_ascii_case("übernommen")
        && (before.contains(" hat ") || before.contains(" haben "))
        && !text[first.end..].starts_with(" worden");
    match first.concept {
        Receives if takes_over(text, found, first) => Some(Direction::Out),
        Receives => Some(Direction::In),
        _ if is_active => Some(Direction::In),
        _ => Some(Direction::Out),
    }
}

/// Whether the company of the notice is the receiver: `auf die Gesellschaft`, `à la société`, and no name follows.
fn gives_to_company(text: &str) -> bool {
    const RECEIVER: [&str; 4] =
        [" auf die Gesellschaft", " an die Gesellschaft", " à la société", " alla società"];
    #[rustfmt::skip]
    const NEXT: [&str; 12] = [
        ",", ";", ".", " über", " attivi", " gli ", " Aktiven", " selon ", " gemäss ", " secondo ", " gegen ", " pour ",
    ];
    const ARTICLES: [&str; 5] = [" des ", " les ", " ses ", " un ", " une "];
    let ends = |rest: &str| {
        // `à la société des actifs`, but not `à la société des Eaux SA`
        let object = strip_any_prefix(rest, &ARTICLES);
        rest.is_empty()
            || NEXT.iter().any(|it| rest.starts_with(it))
            || object.is_some_and(|it| it.starts_with(char::is_lowercase))
    };
    let mut found = RECEIVER.iter().flat_map(|it| text.match_indices(it));
    found.any(|(at, it)| ends(&text[at + it.len()..]))
}

/// The direction of a transfer in the past: `La société a transféré … à Modèle SA`, `è trasferita alla Modello SA`.
fn direction_of_participle(text: &str, found: &[Found]) -> Option<Direction> {
    #[rustfmt::skip]
    const TRANSFERRED: [&str; 12] = [
        "a transféré ", "a cédé ", "ha trasferito ", "ha ceduto ", "est transféré", "a été transféré", "è trasferit", "è stata trasferita", "è stato trasferito", "viene trasferit",
        "vengono trasferit", "sono stati trasferiti",
    ];
    let (at, verb) = TRANSFERRED.iter().filter_map(|it| Some((text.find(it)?, *it))).min()?;
    match transfers_to_company(text, found, at, verb) {
        true => Some(Direction::In),
        false => Some(Direction::Out),
    }
}

/// What the text calls the other company: `Modèle Holding SA, à Fribourg (CHE-…), société absorbante`.
fn direction_of_party(text: &str) -> Option<Direction> {
    #[rustfmt::skip]
    const OTHER_TAKES: [&str; 9] = [
        "société absorbante", "société reprenante", "société incorporante", "società incorporante", "società assuntrice", "übernehmende Gesellschaft",
        "übernehmender Gesellschaft", "übernehmender Rechtsträger", "übernehmendem Rechtsträger",
    ];
    #[rustfmt::skip]
    const OTHER_GIVES: [&str; 8] = [
        "société absorbée", "société transférante", "società incorporata", "società trasferente", "übertragende Gesellschaft", "übertragender Gesellschaft",
        "übertragender Rechtsträger", "übertragendem Rechtsträger",
    ];
    let party = first_number(text)?;
    let after = party + text[party..].find(')')? + 1;
    let rest = text[after..].trim_start_matches([',', ' ']);
    let before = ["als ", "en tant que ", "quale ", "comme ", "la ", "die "];
    let rest = strip_any_prefix(rest, &before).unwrap_or(rest);
    let is = |words: &[&str]| strip_any_prefix(rest, words).is_some();
    match (is(&OTHER_TAKES), is(&OTHER_GIVES)) {
        (true, _) => Some(Direction::Out),
        (_, true) => Some(Direction::In),
        _ => None,
    }
}

/// Whether another company is the subject at the start of a sentence and takes over: `Modèle SA (CHE-…) absorbe la société`.
fn takes_over(text: &str, found: &[Found], verb: &Found) -> bool {
    #[rustfmt::skip]
    const VERBS: [&str; 11] = [
        "übernimmt", "absorbe", "a absorbé", "reprend", "a repris", "riprende", "ha ripreso", "assume", "ha assorbito", "ha incorporato", "incorpora ",
    ];
    const ARTICLES: [&str; 6] = ["Die ", "Der ", "La ", "la ", "L'", "l'"];
    let before = &text[..verb.start];
    let is_active = VERBS.iter().any(|it| text[verb.start..verb.end].eq_ignore_ascii_case(it));
    let names_company =
        || found.iter().any(|it| it.concept == Concept::Company && it.start < verb.start);
    let is_subject = |it: &Party| {
        strip_any_prefix(text, &ARTICLES).unwrap_or(text).starts_with(&it.name)
            || text.starts_with(&it.name)
    };
    is_active && parties(before).first().is_some_and(is_subject) && !names_company()
}

/// Whether another company is the subject of an active verb at this place: `Modèle SA (CHE-…) transfère à la société …`.
fn transfers_to_company(text: &str, found: &[Found], at: usize, verb: &str) -> bool {
    #[rustfmt::skip]
    const VERBS: [&str; 7] = [
        "transfère", "überträgt", "trasferisce", "a transféré", "a cédé", "ha trasferito", "ha ceduto",
    ];
    let is_active = VERBS.iter().any(|it| verb.trim_end().eq_ignore_ascii_case(it));
    let Some(number) = first_number(&text[..at]) else { return false };
    // `Das Einzelunternehmen Bau Muster, in Aarau (CHE-…)`: what the other company is stands before its name.
    let is_kind = |it: &Found| {
        let word = text[it.start..].split(' ').next().unwrap_or_default();
        let next = text[it.start + word.len()..].trim_start();
        it.start < number && next.starts_with(char::is_uppercase)
    };
    let is_company = |it: &&Found| it.concept == Concept::Company && it.start < at;
    is_active && found.iter().filter(is_company).all(is_kind)
}

fn combination(all: Concepts, direction: Option<Direction>) -> Option<Combination> {
    use Direction::{In, Out};
    if all.has_any(&[SplitUp, SpinOff, Demerger]) {
        return Some(match direction {
            Some(In) => Combination::ReceivesByDemerger,
            Some(Out) if all.has(SplitUp) => Combination::SplitsUp,
            Some(Out) if all.has(SpinOff) => Combination::SpinsOff,
            _ => Combination::Demerger,
        });
    }
    if all.has(Transfer) {
        return Some(match direction {
            Some(In) => Combination::ReceivesAssets,
            Some(Out) => Combination::TransfersAssets,
            None => Combination::AssetTransfer,
        });
    }
    if all.has(Combining) {
        return Some(match direction {
            Some(Out) => Combination::IsTakenOverBy,
            _ => Combination::Combines,
        });
    }
    all.has(Merger).then_some(match direction {
        Some(Out) => Combination::IsTakenOverBy,
        Some(In) => Combination::TakesOver,
        // A company that a merger dissolves is taken over.
        None if all.has(Dissolution) => Combination::IsTakenOverBy,
        None => Combination::Merger,
    })
}

#[rustfmt::skip]
const ASSETS: [&str; 9] = [
    "Aktiven", "Aktive ", "Vermögenswerte", "actifs", "Actifs", "actif ", "attivi", "Attivi", "attivo ",
];

#[rustfmt::skip]
const LIABILITIES: [&str; 8] = [
    "Passiven", "Fremdkapital", "Verbindlichkeiten", "passifs", "Passifs", "passif ", "passivi", "Passivi",
];

#[rustfmt::skip]
const CONSIDERATION: [&str; 9] = [
    "Gegenleistung", "Contre-prestation", "contre-prestation", "Contreprestation", "contreprestation",
    "Controprestazione", "controprestazione", "Kaufpreis", "prix de vente",
];

/// The amounts that a combination states. `None` if it states none.
pub(super) fn transfer(text: &str) -> Option<AssetTransfer> {
    let (assets, liabilities, consideration) =
        (stated(text, &ASSETS), stated(text, &LIABILITIES), stated(text, &CONSIDERATION));
    let currency = assets.as_ref().or(liabilities.as_ref()).or(consideration.as_ref());
    let currency = currency.map(|(currency, _)| currency.clone())?;
    // One currency for all amounts: an amount in another one is left out.
    let of = |it: Option<(String, Decimal)>| it.filter(|(it, _)| *it == currency).map(|it| it.1);
    Some(AssetTransfer {
        assets: of(assets),
        liabilities: of(liabilities),
        consideration: of(consideration),
        currency: currency.clone(),
    })
}

/// The amount after one of the words: `Aktiven von CHF 1'200'000.00`. No other of the words may be between them.
fn stated(text: &str, words: &[&str]) -> Option<(String, Decimal)> {
    const CURRENCIES: [&str; 5] = ["CHF ", "Fr. ", "EUR ", "USD ", "GBP "];
    const MAX_DISTANCE: usize = 60;
    let all = || ASSETS.iter().chain(&LIABILITIES).chain(&CONSIDERATION);
    words.iter().flat_map(|word| text.match_indices(word)).find_map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let rest = &rest[..rest.floor_char_boundary(MAX_DISTANCE)];
        let (start, _) = CURRENCIES.iter().filter_map(|it| Some((rest.find(it)?, it))).min()?;
        let is_direct = !all().any(|it| rest[..start].contains(it));
        // The number may be longer than the distance.
        let (currency, number) = amount(&text[at + word.len() + start..])?;
        is_direct.then_some((currency?, number))
    })
}
