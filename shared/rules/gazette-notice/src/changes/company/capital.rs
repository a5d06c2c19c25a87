//! Changes of the capital in prose: increased, reduced, or paid in.

use std::borrow::Cow;

use crate::{
    Decimal, amount,
    changes::{CapitalKind, Change},
    words::starts_with_any,
};

#[rustfmt::skip]
const CAPITALS: [(&str, CapitalKind); 9] = [
    ("artizipationskapital", CapitalKind::Participation), ("capital-participation", CapitalKind::Participation),
    ("capitale di partecipazione", CapitalKind::Participation), ("ktienkapital", CapitalKind::Shares), ("capital-actions", CapitalKind::Shares),
    ("capitale azionario", CapitalKind::Shares), ("tammkapital", CapitalKind::Quotas), ("capital social", CapitalKind::Quotas),
    ("capitale sociale", CapitalKind::Quotas),
];

/// Reads `Das Aktienkapital wurde von CHF 100'000 auf CHF 200'000 erhöht` and `Le capital social est désormais de CHF 20'000`.
pub(super) fn capital(text: &str) -> Option<Change> {
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
