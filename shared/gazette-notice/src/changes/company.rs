//! Changes of the capital, the name, the seat, the address and the purpose in prose.

use std::borrow::Cow;

use super::{CapitalKind, Change, firm_names::without_translations};
use crate::{
    Decimal, amount,
    words::{ABOUT_COMPANY, starts_with_any},
};

/// Adds what a sentence says about the capital, the name, the seat, the address or the purpose of the company.
pub(super) fn read(text: &str, found: &mut Vec<Change>) {
    // Fast path: these sentences name what changes.
    if !ABOUT_COMPANY.occur_in(text) {
        return;
    }
    // Sentences in the form of a label can also list the new shares.
    if text.len() <= 600 || text.starts_with("Capital") {
        found.extend(capital(text).or_else(|| named(text)));
        found.extend(seat(text));
        let address = address(text).or_else(|| address_of_seat(text));
        found.extend(address.or_else(|| address_after_noun(text)));
    }
    found.extend(purpose(text));
}

#[rustfmt::skip]
const CAPITALS: [(&str, CapitalKind); 9] = [
    ("artizipationskapital", CapitalKind::Participation), ("capital-participation", CapitalKind::Participation),
    ("capitale di partecipazione", CapitalKind::Participation), ("ktienkapital", CapitalKind::Shares), ("capital-actions", CapitalKind::Shares),
    ("capitale azionario", CapitalKind::Shares), ("tammkapital", CapitalKind::Quotas), ("capital social", CapitalKind::Quotas),
    ("capitale sociale", CapitalKind::Quotas),
];

/// Reads `Das Aktienkapital wurde von CHF 100'000 auf CHF 200'000 erhöht` and `Le capital social est désormais de CHF 20'000`.
fn capital(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const STATES: [&str; 10] = [
        " beträgt neu ", " beträgt nun ", " est désormais de ", " est maintenant de ", " s'élève désormais à ", " se monte désormais à ", " è ora di ",
        " ammonta ora a ", " è attualmente di ", " ist neu ",
    ];
    #[rustfmt::skip]
    const POSSIBLE: [&str; 14] = [
        "bedingte aktienkapital", "bedingtes aktienkapital", "bedingten aktienkapital", "genehmigte aktienkapital", "genehmigtes aktienkapital",
        "genehmigten aktienkapital", "capital-actions conditionnel", "capital-actions autorisé", "capital social conditionnel", "capital social autorisé",
        "capitale azionario condizionale", "capitale azionario autorizzato", "capitale sociale condizionale", "capitale sociale autorizzato",
    ];
    let named = |lower: &str| CAPITALS.iter().find(|(noun, _)| lower.contains(noun)).copied();
    let lower = text.to_lowercase();
    let is_plain = starts_with_any(text, &["Capital porté ", "Capital ramené ", "Capital réduit "]);
    if !is_plain {
        named(&lower)?;
    }
    // What the capital may become: `Das bedingte Aktienkapital wurde auf CHF 50'000 erhöht`.
    let possible = POSSIBLE.iter().fold(lower, |it, possible| it.replace(possible, ""));
    let kind = match named(&possible) {
        Some((_, kind)) => kind,
        None if is_plain => CapitalKind::Quotas,
        None => return None,
    };
    let kind = if is_paid_in(text) { paid(kind) } else { kind };
    // `erhöht und vollständig liberiert` only describes the capital.
    let is_about_payment = text.contains("libération")
        || text.match_indices("iberier").any(|(at, _)| {
            !["vollständig l", "voll l", "ganz l"].iter().any(|it| text[..at].ends_with(it))
        });
    let nominal = || {
        let current = without_nominal_values(text);
        let stated = || amount_after(&current, &STATES).map(|(currency, to)| (currency, to, None));
        let (currency, to, from) = changed(&current, &text.to_lowercase()).or_else(stated)?;
        Some(Change::Capital { capital: kind, currency: Some(currency), to, from })
    };
    let change = (!is_about_payment).then(nominal).flatten().or_else(|| paid_up(text, kind));
    // No capital stays at zero: the law demands an increase at once (art. 653r of the Code of Obligations).
    change.filter(|it| !matches!(it, Change::Capital { to, .. } if to.ten_thousandths() == 0))
}

/// The currency, the new and the former amount of a capital that is increased or reduced. `lower` also has the nominal values of
/// shares, which `text` may lack.
fn changed(text: &str, lower: &str) -> Option<(String, Decimal, Option<Decimal>)> {
    #[rustfmt::skip]
    const REDUCED: [&str; 11] = [
        "herabgesetzt", "herabsetzung", "reduziert", "reduktion", "rédui", "réduction", "ramené", "diminu", "ridott", "ridu", "abbassa",
    ];
    #[rustfmt::skip]
    const INCREASED: [&str; 9] =
        ["erhöh", "augment", "porté à", "porté de", "porté simultanément", "élevé", "aument", "portato a", "portato da"];
    const TO: [&str; 3] = [" auf ", " à ", " a "];
    const FROM: [&str; 3] = [" von ", " de ", " da "];
    let has = |words: &[&str]| words.iter().any(|it| lower.contains(it));
    let (is_reduced, is_increased) = (has(&REDUCED), has(&INCREASED));
    if !is_reduced && !is_increased {
        return None;
    }
    let new = || amounts_after(text, &TO).filter(|(at, _)| !is_price(&text[..*at]));
    let from = amount_after(text, &FROM).map(|(_, it)| it);
    // A reduction and an increase on the same day: the last amount is in force. A first pair `de … à …` names the former one.
    if is_reduced && is_increased {
        let (_, (currency, to)) = new().max_by_key(|(at, _)| *at)?;
        let (start, _) = new().min_by_key(|(at, _)| *at)?;
        let is_pair = |at: usize| at < start && start - at <= 40 && !text[at..start].contains(',');
        let from = amounts_after(text, &FROM).filter(|(at, _)| is_pair(*at));
        let from = from.max_by_key(|(at, _)| *at).map(|(_, (_, it))| it);
        return Some((currency, to, from.filter(|it| *it != to)));
    }
    // A nominal value that is left is lower than the capital.
    let (currency, to) = match names_nominal_value(lower) {
        true => new().max_by_key(|(_, (_, it))| it.ten_thousandths())?.1,
        false => new().next()?.1,
    };
    // `augmenté de CHF 50'000 pour être porté à CHF 150'000`: the first amount is added.
    let is_sum = [" porté à ", " portare a ", " portato a ", " um CHF "];
    let is_difference = is_sum.iter().any(|it| text.contains(it));
    let is_former = |it: &Decimal| match (it.ten_thousandths() > to.ten_thousandths(), is_reduced) {
        _ if *it == to => false,
        (is_higher, is_reduced) => is_higher == is_reduced,
    };
    Some((currency, to, from.filter(|it| is_former(it) && !is_difference)))
}

/// Whether the words before `à` name shares, so that their price follows: `100 actions nominatives à CHF 1'000`.
fn is_price(before: &str) -> bool {
    let mut words = before.rsplit(' ').take(3);
    words.any(|it| ["actions", "azioni", "parts", "quote"].contains(&it))
}

const NOMINAL: [&str; 4] = ["nennwert", "nominalwert", "valeur nominale", "valore nominale"];

fn names_nominal_value(lower: &str) -> bool {
    NOMINAL.iter().any(|it| lower.contains(it))
}

/// The text without the former and the new nominal value of a share: `des Nennwertes jeder Aktie von CHF 1'000 auf CHF 500`,
/// `réduction de CHF 500 de la valeur nominale`. After a comma or another noun, the amounts are those of the capital.
fn without_nominal_values(text: &str) -> Cow<'_, str> {
    #[rustfmt::skip]
    const VALUES: [&str; 9] = [
        "Nennwertes ", "Nennwerts ", "Nennwert ", "Nominalwertes ", "Nominalwerts ", "Nominalwert ", "valeur nominale ", "valore nominale ", "valeur nominale, ",
    ];
    #[rustfmt::skip]
    const BEFORE_AMOUNT: [&str; 12] =
        [" von", " um", " auf", " zu", " de", " à", " da", " di", " a", " bisher", " jusqu'ici", " finora"];
    #[rustfmt::skip]
    const CHANGES: [&str; 9] =
        ["herabsetz", "redu", "erhöh", "änder", "rédu", "augment", "ridu", "aument", "modifi"];
    let Some((at, noun)) = VALUES.iter().filter_map(|it| Some((text.find(it)?, *it))).min() else {
        return Cow::Borrowed(text);
    };
    // `réduction de CHF 500 de la valeur nominale`
    let before = text[..at].trim_end_matches("de la ").trim_end_matches("del ");
    if before.len() < at
        && let Some(start) =
            [" de ", " di "].iter().filter_map(|it| before.trim_end().rfind(it)).max()
        && amount(&before[start + 4..]).is_some_and(|(currency, _)| currency.is_some())
        && before[start + 4..].trim_end().split(' ').count() == 2
    {
        return Cow::Owned(format!("{} {}", &text[..start], &text[at..]));
    }
    let after = at + noun.len();
    // The first amount, with the preposition before it.
    let end = text[after..].find([',', ';']).map_or(text.len(), |it| after + it);
    let number = ["CHF ", "Fr. ", "EUR ", "USD "];
    let first = number.iter().filter_map(|it| text[after..].find(it)).min().map(|it| after + it);
    let Some(first) = first.filter(|it| *it < end) else { return Cow::Borrowed(text) };
    let between = text[after..first].to_lowercase();
    if CAPITALS.iter().any(|(capital, _)| between.contains(capital)) {
        return Cow::Borrowed(text);
    }
    // `zum Nennwert von CHF 1'000` is one amount, `Herabsetzung des Nennwertes von CHF 1'000 auf CHF 500` are two.
    let near = text[text.floor_char_boundary(at.saturating_sub(40))..at].to_lowercase();
    let mut has_second = at < 15 || CHANGES.iter().any(|it| near.contains(it));
    let mut rest = &text[first..];
    loop {
        // An amount is a currency and a number.
        let words = rest.match_indices(' ').nth(1).map_or(rest.len(), |(at, _)| at);
        let length = rest[..words].find([',', ';']).unwrap_or(words);
        rest = &rest[length..];
        let next = rest.trim_start();
        let is_new = ["auf CHF ", "à CHF ", "a CHF ", "auf Fr. ", "à Fr. ", "a Fr. "];
        let Some(to) = is_new.iter().find(|it| next.starts_with(*it)).filter(|_| has_second) else {
            break;
        };
        has_second = false;
        rest = &next[to.len() - 4..];
    }
    let mut lead = text[..first].trim_end();
    while let Some(it) = BEFORE_AMOUNT.iter().find_map(|it| lead.strip_suffix(*it)) {
        lead = it;
    }
    Cow::Owned(format!("{lead} {}", rest.trim_start()))
}

/// Whether a sentence names the paid-in part of the capital: `Capital-actions libéré porté de …`. `entièrement libéré` describes
/// the whole capital.
fn is_paid_in(text: &str) -> bool {
    let before = |it: &&str| text.find(*it).map(|at| text[..at].trim_end());
    let verbs = [" porté de ", " ramené de ", " réduit de ", " est ", " a été "];
    let mut before = verbs.iter().filter_map(before);
    before.any(|it| it.ends_with(" libéré") && !it.ends_with("ement libéré"))
}

fn paid(kind: CapitalKind) -> CapitalKind {
    match kind {
        CapitalKind::Participation => CapitalKind::PaidParticipation,
        _ => CapitalKind::Paid,
    }
}

/// Reads what is paid in: `Le capital-actions de CHF 100'000 est maintenant entièrement libéré`, `libéré à concurrence de CHF
/// 50'000 (jusqu'ici CHF 20'000)`.
fn paid_up(text: &str, kind: CapitalKind) -> Option<Change> {
    #[rustfmt::skip]
    const PART: [&str; 8] = [
        "libéré à concurrence de ", "libéré à hauteur de ", "liberato nella misura di ", "liberato a concorrenza di ", "liberato per ",
        "im Umfang von ", "liberiert mit ", "liberiert im Betrag von ",
    ];
    #[rustfmt::skip]
    const WHOLE: [&str; 9] = [
        "entièrement libéré", "intégralement libéré", "totalement libéré", "interamente liberato", "integralmente liberato", "vollständig liberiert",
        "voll liberiert", "ganz liberiert", "vollumfänglich liberiert",
    ];
    #[rustfmt::skip]
    const NOW: [&str; 9] =
        [" maintenant ", " désormais ", " dorénavant ", " ora ", " nun ", " neu ", " nunmehr ", " adesso ", " à présent "];
    const FORMER: [&str; 6] =
        ["jusqu'ici ", "précédemment ", "auparavant ", "bisher ", "finora ", "in precedenza "];
    // Fast path.
    if !["libér", "iberiert", "liberat"].iter().any(|it| text.contains(it)) {
        return None;
    }
    let of_part = amount_after(text, &PART);
    let is_whole =
        || WHOLE.iter().any(|it| text.contains(it)) && NOW.iter().any(|it| text.contains(it));
    let of_whole = || {
        let mut amounts = amounts_after(text, &[" de ", " von ", " di "]).map(|(_, it)| it);
        let only = amounts.next()?;
        amounts.next().is_none().then_some(only)
    };
    let (currency, to) = match of_part {
        Some(part) => part,
        None if is_whole() => of_whole()?,
        None => return None,
    };
    let from = amount_after(text, &FORMER).map(|(_, it)| it).filter(|it| *it != to);
    Some(Change::Capital { capital: paid(kind), currency: Some(currency), to, from })
}

/// The amounts directly after one of the words, with their places. Those after the first word come first.
fn amounts_after(text: &str, words: &[&str]) -> impl Iterator<Item = (usize, (String, Decimal))> {
    words.iter().flat_map(|it| text.match_indices(it)).filter_map(|(at, word)| {
        let (currency, number) = amount(&text[at + word.len()..])?;
        Some((at, (currency?, number)))
    })
}

/// The amount directly after one of the words.
fn amount_after(text: &str, words: &[&str]) -> Option<(String, Decimal)> {
    amounts_after(text, words).next().map(|(_, it)| it)
}

/// Reads `Die Gesellschaft führt neu die Firma Muster AG` and `La raison sociale est désormais Modèle SA`.
fn named(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 45] = [
        "nouvelle raison sociale est ", "nouvelle raison de commerce est ", "neue Firma lautet ", "raison de commerce est désormais ", "raison de commerce est maintenant ", "raison de commerce devient ", "raison individuelle est désormais ", "a modifié sa raison de commerce en ",
        "Die Firma lautet neu ", "Die Firma lautet nun ", "Die Firma lautet nunmehr ", "Firma der Gesellschaft lautet neu ", "führt neu die Firma ",
        "ändert ihre Firma in ", "hat ihre Firma geändert in ", "hat ihre Firma in ", "hat ihren Namen in ", "hat den Namen geändert in ", "Die Firma wurde geändert in ",
        "Die Firma wird geändert in ", "firmiert neu als ", "firmiert neu unter ", "firmiert neu ", "Die Gesellschaft heisst neu ", "Die Genossenschaft heisst neu ",
        "Der Verein heisst neu ", "Die Stiftung heisst neu ", "raison sociale est désormais ", "raison sociale est maintenant ", "raison sociale, qui est désormais",
        "raison sociale est modifiée en ", "a modifié sa raison sociale en ", "a changé sa raison sociale en ", "porte désormais la raison sociale ",
        "prend la raison sociale ", "a pris la raison sociale ", "adopte la raison sociale ", "a adopté la raison sociale ", "ragione sociale è ora ",
        "nuova ragione sociale è ", "ragione sociale è modificata in ", "ragione sociale diventa ", "ha modificato la ragione sociale in ",
        "ha modificato la propria ragione sociale in ", "ha assunto la ragione sociale ",
    ];
    #[rustfmt::skip]
    const DITTA: [&str; 4] =
        ["La ditta è ora ", "La ditta è modificata in ", "ha modificato la ditta in ", "La ditta diventa "];
    let name = after_any(text, &FORMULAS).or_else(|| after_any(text, &DITTA))?;
    let name = name.trim_matches(['"', '«', '»', ' ', ':']);
    let name = [" geändert", " umbenannt", " abgeändert"]
        .iter()
        .find_map(|it| name.strip_suffix(it))
        .unwrap_or(name);
    let name = without_translations(name.split(';').next().unwrap_or_default());
    name.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit())
        .then(|| Change::Name { to: name.to_owned() })
}

/// Reads `Le siège est désormais à Nyon`. Moves are read with the company's existence.
fn seat(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 20] = [
        "siège de la société est désormais à ", "siège de la société est maintenant à ", "siège de l'association est désormais à ", "siège de la fondation est désormais à ",
        "sede della società è ora a ", "Sitz der Gesellschaft ist neu in ",
        "Sitz ist neu in ", "Sitz ist neu ", "Sitz befindet sich neu in ", "Sitz ist nun in ", "hat ihren Sitz neu in ", "siège est désormais à ",
        "siège est maintenant à ", "a désormais son siège à ", "nouveau siège est à ", "sede è ora a ", "nuova sede è a ", "ha ora la sede a ",
        "ha ora sede a ", "sede è ora in ",
    ];
    let place = after_any(text, &FORMULAS)?;
    let place = place.split([',', ';', '(']).next().unwrap_or_default().trim();
    let is_place = place.starts_with(char::is_uppercase) && place.len() <= 60;
    is_place.then(|| Change::Seat { to: Some(place.to_owned()), from: None })
}

/// Words between a formula and an address.
#[rustfmt::skip]
const TO_ADDRESS: [&str; 16] = [
    "à la ", "à l'", "à ", "an der ", "an die ", "am ", "an den ", "an ", "in der ", "in die ", "in ", "bei ", "alla ", "a ", "au ", "all'",
];

/// Reads `Die neue Adresse lautet Seestrasse 1, 3600 Thun`.
fn address(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 64] = [
        "a désormais ses bureaux ", "a maintenant ses bureaux ", "a ses bureaux désormais ", "a transféré ses locaux ", "a transféré son domicile ", "Bureaux transférés ",
        "Locaux transférés ", "Geschäftsadresse lautet neu ", "Geschäftsadresse lautet nun ", "Die Adresse lautet nun ", "Neue Adresse ist ",
        "Uffici trasferiti ",
        "bureaux se trouvent désormais ", "société est désormais domiciliée ", "association est désormais domiciliée ", "fondation est désormais domiciliée ",
        "adresse du siège est désormais ", "adresse de la société est désormais ", "à sa nouvelle adresse, ", "Gesellschaft befindet sich neu ", "Gesellschaft ist neu ",
        "Geschäftsräume befinden sich neu ", "propri uffici in ", "nuovo indirizzo della società è ",
        "domicile légal est désormais ", "Das Domizil lautet neu ", "Das Domizil befindet sich neu ", "Das Domizil ist neu ", "Das Domizil wurde ", "Rechtsdomizil befindet sich neu ",
        "ihr Domizil neu ", "ihr Rechtsdomizil neu ", "ihre Adresse neu ", "Die Adresse lautet neu ", "Die neue Adresse lautet ",
        "Das neue Domizil lautet ", "Das neue Domizil ist ", "L'adresse est désormais ", "L'adresse est maintenant ", "La nouvelle adresse est ",
        "L'adresse a été transférée ", "L'adresse est transférée ", "a transféré son adresse ", "transfère son adresse ", "a désormais son adresse ",
        "a maintenant son adresse ", "Les bureaux sont transférés ", "bureaux ont été transférés ", "a transféré ses bureaux ", "L'indirizzo è ora ",
        "Il nuovo indirizzo è ", "Il recapito è ora ", "recapito della società è ora ", "Il nuovo recapito è ", "Il recapito è stato trasferito ",
        "ha ora il proprio recapito ", "ha ora recapito ", "ha trasferito il recapito ", "ha trasferito il proprio recapito ", "ha ora il recapito ", "ihr Domizil ", "recapito della società è ", "recapito dell'associazione è ", "ihre Adresse ",
    ];
    let address = after_any(text, &FORMULAS)?.trim_start_matches([':', ' ']);
    let address = TO_ADDRESS.iter().find_map(|it| address.strip_prefix(it)).unwrap_or(address);
    let address = [", verlegt", " verlegt", ", transferiert", ", domiziliert", " domiziliert"]
        .iter()
        .find_map(|it| address.strip_suffix(it))
        .unwrap_or(address);
    let is_address =
        address.contains(|it: char| it.is_ascii_digit()) || address.starts_with(char::is_uppercase);
    is_address.then(|| Change::Address { to: address.to_owned() })
}

/// The address in a sentence about the seat: `Le siège est transféré à Nyon, rue du Lac 5, 1260 Nyon`.
fn address_of_seat(text: &str) -> Option<Change> {
    const SEATS: [&str; 4] = ["Sitz", "siège", "Siège", "sede"];
    #[rustfmt::skip]
    const MOVES: [&str; 8] = ["verlegt", "transf", "trasfer", " désormais ", " maintenant ", " neu ", " ora ", " nun "];
    let moves =
        SEATS.iter().any(|it| text.contains(it)) && MOVES.iter().any(|it| text.contains(it));
    let comma = moves.then(|| comma_before_zip(text))??;
    let from = text[..comma].rfind(", ").map(|it| it + 2)?;
    let street = &text[from..comma];
    let after_preposition = TO_ADDRESS.iter().filter_map(|it| {
        let at = street.rfind(&format!(" {it}"))? + 1 + it.len();
        street[at..].starts_with(char::is_uppercase).then_some(at)
    });
    let is_clause = street.starts_with(char::is_lowercase) && street.split(' ').count() > 4;
    let skipped = if is_clause { after_preposition.min()? } else { 0 };
    let town = &text[comma + 2..];
    let end = town.find([',', ';']).unwrap_or(town.len());
    let end = town[..end].find(" verlegt").unwrap_or(end);
    let to = text[from + skipped..comma + 2 + end].trim();
    street.contains(|it: char| it.is_ascii_digit()).then(|| Change::Address { to: to.to_owned() })
}

/// The address after its noun, in any wording: `il nuovo recapito è Via Nassa 5, 6900 Lugano`, `adresse: rue du Lac 5, 1260
/// Nyon`. Only with a post code.
fn address_after_noun(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const NOUNS: [&str; 8] = ["Adresse", "adresse", "Domizil", "domizil", "domicile", "recapito", "Recapito", "indirizzo"];
    #[rustfmt::skip]
    const NEW: [&str; 16] = [
        "neu ", "Neu", "neue", "nun", "lautet", "verlegt", "désormais", "maintenant", "nouvel", "Nouvel", "transf", "nuov", "Nuov", " ora ", "trasfer", "devient",
    ];
    #[rustfmt::skip]
    const LEADS: [&str; 24] = [
        ": ", " ist ", " lautet ", " est ", " è ", " neu ", " nun ", " nunmehr ", " désormais ", " maintenant ", " ora ", " devient ", " à ", " à la ", " à l'", " au ", " an der ",
        " an die ", " am ", " an ", " in ", " in der ", " alla ", " a ",
    ];
    text.split("; ").find_map(|part| {
        let (noun_at, noun) = NOUNS.iter().find_map(|it| Some((part.find(it)?, *it)))?;
        let is_label = part[noun_at + noun.len()..].starts_with(':');
        let is_new = is_label || NEW.iter().any(|it| part.contains(it));
        // Where the liquidators or a person can be reached is not the address of the company.
        let is_other = ["iquid", "omicilié", "itulaire"].iter().any(|it| part.contains(it));
        if !is_new || is_other {
            return None;
        }
        let after = noun_at + noun.len();
        let comma = after + comma_before_zip(&part[after..])?;
        let street = &part[after..comma];
        let starts = LEADS.iter().filter_map(|it| Some(street.rfind(it)? + it.len()));
        let street = street[starts.max()?..].trim();
        let is_street = street.ends_with(|it: char| it.is_ascii_digit() || it.is_ascii_lowercase())
            && street.contains(|it: char| it.is_ascii_digit())
            && street.starts_with(char::is_alphabetic);
        let town = &part[comma + 2..];
        let town = &town[..town.find([',', '(']).unwrap_or(town.len())].trim_end_matches('.');
        is_street.then(|| Change::Address { to: format!("{street}, {town}") })
    })
}

/// The first comma that a post code and a town follow.
fn comma_before_zip(text: &str) -> Option<usize> {
    let mut commas = text.match_indices(", ").map(|it| it.0);
    commas.find(|at| starts_with_zip(&text[at + 2..]))
}

/// Whether the text starts with a post code and a town: `1260 Nyon`.
fn starts_with_zip(text: &str) -> bool {
    let (zip, town) = text.split_once(' ').unwrap_or_default();
    zip.len() == 4
        && zip.bytes().all(|it| it.is_ascii_digit())
        && town.starts_with(char::is_uppercase)
}

/// Reads `Die Gesellschaft bezweckt neu den Handel mit Weinen`.
fn purpose(text: &str) -> Option<Change> {
    #[rustfmt::skip]
    const FORMULAS: [&str; 11] = [
        "bezweckt neu ", "bezweckt nun ", "bezweckt nunmehr ", "a désormais pour but ", "a maintenant pour but ", "but de la société est désormais ",
        "but est désormais ", "ha ora per scopo ", "ha ora lo scopo ", "scopo della società è ora ", "scopo è ora ",
    ];
    let purpose = after_any(text, &FORMULAS)?.trim_start_matches([':', ' ']);
    (!purpose.is_empty()).then(|| Change::Purpose { to: purpose.to_owned() })
}

fn after_any<'a>(text: &'a str, formulas: &[&str]) -> Option<&'a str> {
    let straight = |it: &&str| text.find(*it).map(|at| at + it.len());
    formulas.iter().find_map(straight).map(|at| text[at..].trim())
}
