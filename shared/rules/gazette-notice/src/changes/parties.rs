//! The other companies of mergers, demergers and asset transfers.

use super::Party;
use crate::{
    CompanyNumber, punctuation,
    words::{is_legal_form, strip_any_prefix},
};

/// Every company of the text written as `Name, in Seat (CHE-…)`.
pub(super) fn parties(text: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    let mut from = 0;
    for (open, close) in punctuation::bracket_groups(text) {
        let inner = text[open + 1..close].trim();
        if !starts_with_number(inner) {
            continue;
        }
        let before = text[from..open].trim();
        from = close + 1;
        let clauses = punctuation::split_clauses(before);
        let seat = clauses
            .last()
            .and_then(|it| strip_any_prefix(it, &["in ", "à ", "a "]))
            .map(str::to_owned);
        let name = match (&seat, clauses.as_slice()) {
            (Some(_), [.., name, _]) => *name,
            (_, [.., name]) => *name,
            _ => continue,
        };
        let cut = start_of_name(name);
        let is_start = name.as_ptr() == text.as_ptr() && cut == 0;
        let name = without_article(name[cut..].trim(), is_start);
        let name = name.trim_matches(['"', '«', '»', ' ']);
        // `Muster AG (CHE-…), in Bern`
        let after = text[close + 1..].strip_prefix(", ").unwrap_or_default();
        let after = strip_any_prefix(after, &["in ", "à ", "a "]);
        let after = after.map(|it| it.split([',', ';', ' ']).next().unwrap_or_default());
        let seat = seat
            .or_else(|| after.filter(|it| it.starts_with(char::is_uppercase)).map(str::to_owned));
        if !name.is_empty() {
            parties.push(Party { name: name.to_owned(), uid: CompanyNumber::parse(inner), seat });
        }
    }
    parties
}

/// Whether the text in brackets is a company number, not an amount: `CHE-123.456.789`, `CH-020.3.000.000-0`, but not `CHF 100'000`.
fn starts_with_number(inner: &str) -> bool {
    inner.starts_with("CH") && !inner.starts_with("CHF")
}

/// Where the bracket of the first company number is.
pub(super) fn first_number(text: &str) -> Option<usize> {
    text.match_indices("(CH").map(|it| it.0).find(|at| starts_with_number(&text[at + 1..]))
}

/// A name without the article before it: `la Prova SA`. With a capital letter, an article can be a part of the name, except in
/// German at the start of the sentence (`is_start`). So can a noun such as `das Einzelunternehmen`.
fn without_article(name: &str, is_start: bool) -> &str {
    #[rustfmt::skip]
    const ARTICLES: [&str; 18] = [
        "die ", "der ", "das ", "dem ", "la ", "le ", "l'", "il ", "lo ", "della ", "dello ", "dell'", "dalla ", "dall'", "alla ", "all'", "à la ", "de la ",
    ];
    #[rustfmt::skip]
    const KINDS: [&str; 10] = [
        "Einzelunternehmen ", "Einzelunternehmens ", "Einzelfirma ", "Firma ", "entreprise individuelle ", "raison individuelle ", "ditta individuale ",
        "impresa individuale ", "société ", "società ",
    ];
    let starts_name = |it: &&str| it.starts_with(char::is_uppercase);
    let found = ARTICLES.iter().find_map(|it| name.strip_prefix(it));
    let german = || ["Die ", "Der ", "Das "].iter().find_map(|it| name.strip_prefix(it));
    let found = found.or_else(|| is_start.then(german).flatten());
    let kind = |it: &str| strip_any_prefix(it, &KINDS).filter(starts_name).map(str::len);
    let rest = found.unwrap_or(name);
    let rest = kind(rest).map_or(rest, |length| &rest[rest.len() - length..]);
    if starts_name(&rest) { rest } else { name }
}

/// The only company of a text without register numbers, found by its legal form: `transfère à Modèle SA, à Sion, des actifs`.
/// `None` if the text names none, or several.
pub(super) fn party_without_number(text: &str) -> Option<Party> {
    let mut found: Option<Party> = None;
    let mut from = 0;
    for (at, word) in words_of(text) {
        let plain = word.trim_end_matches([',', ';', ':', '.']);
        if is_legal_form(plain) {
            let end = at + plain.len();
            let clause = &text[from..end];
            let start = start_of_name(clause);
            let name = clause[start..].trim();
            // Not the subject: `Die Muster AG überträgt`, `La Société transfère`.
            let is_receiver = ends_with_lead_to_receiver(&text[..from + start]);
            let is_name = is_receiver
                && name.len() > plain.len()
                && name.starts_with(char::is_uppercase)
                && !name.contains("CHF ");
            let is_same = found.as_ref().is_some_and(|it| it.name == name);
            if found.is_some() && !is_same {
                return None;
            }
            let after = text[end..].strip_prefix(", ").unwrap_or_default();
            let seat = strip_any_prefix(after, &["in ", "à ", "a "]);
            let seat = seat.map(|it| it.split([',', ';']).next().unwrap_or_default().trim());
            let seat = seat.filter(|it| it.starts_with(char::is_uppercase));
            if is_name && !is_same {
                let (name, seat) = (name.to_owned(), seat.map(str::to_owned));
                found = Some(Party { name, uid: None, seat });
            }
        }
        if plain.len() < word.len() {
            from = at + word.len();
        }
    }
    found
}

/// Whether the words before a name say that the company receives something.
fn ends_with_lead_to_receiver(before: &str) -> bool {
    #[rustfmt::skip]
    const LEADS: [&str; 20] = [
        " à", " à la", " à la société", " à la nouvelle société", " auf", " auf die", " auf die neue", " an", " an die", " auf den", " nouvellement constituée",
        " neu gegründete", " neu zu gründende", " di nuova costituzione", " an den", " alla", " alla società", " a", " ad", " all'",
    ];
    let before = before.trim_end().to_lowercase();
    LEADS.iter().any(|it| before.ends_with(it))
}

/// The words of a text with their offsets.
fn words_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(' ').map(move |it| (it.as_ptr() as usize - text.as_ptr() as usize, it))
}

/// Where the name of a company starts in a clause that ends with it: after the last of the words that lead to a name, `der` in
/// `Übernahme der Aktiven und Passiven der Muster AG`, unless that word is a part of the name, `de` in `par Fiduciaire de
/// Sion SA`.
fn start_of_name(clause: &str) -> usize {
    #[rustfmt::skip]
    const LEADS: [&str; 43] = [
        " eingetragene ", " eingetragenen ", " individuelle ", " individuale ", " filiale ", " société ", " società ", " constituée ", " costituita ", " an ", " der ", " von ", " durch ", " die ", " auf ", " de la société ", " de l'entreprise ", " de la ", " de ", " des ", " du ", " à ", " par ", " absorbé ", " repris ", " la ",
        " le ", " il ", " lo ", " assorbito ", " incorporato ", " ripreso ", " della ", " del ", " di ", " mit ", " avec ", " con ", " da ", " dalla ", " dal ", " alla ", " a ",
    ];
    // In French and Italian, only names have capital letters.
    #[rustfmt::skip]
    const WITHIN: [&str; 12] =
        [" de ", " de la ", " des ", " du ", " à ", " la ", " le ", " di ", " della ", " del ", " a ", " il "];
    #[rustfmt::skip]
    const NOUNS: [&str; 14] = [
        "Reprise", "Fusion", "Absorption", "Transfert", "Scission", "Actifs", "Actif", "Passifs", "Ripresa", "Fusione", "Assunzione", "Trasferimento", "Scissione", "Attivi",
    ];
    let mut starts: Vec<(usize, usize, &str)> = LEADS
        .iter()
        .flat_map(|lead| clause.match_indices(lead))
        .map(|(at, lead)| (at, at + lead.len(), lead))
        .filter(|(_, end, _)| !clause[*end..].starts_with(char::is_lowercase))
        .collect();
    starts.sort_by_key(|it| (it.1, std::cmp::Reverse(it.0)));
    while let Some((at, end, lead)) = starts.pop() {
        let before = clause[..at].rsplit(' ').next().unwrap_or_default();
        let is_name = before.starts_with(char::is_uppercase)
            && !starts_with_article(before)
            && !NOUNS.contains(&before);
        if !(WITHIN.contains(&lead) && is_name) {
            return end;
        }
        // The end of `de la` is that of `la` too.
        starts.retain(|it| it.1 < end);
    }
    0
}

/// `L'actif`
fn starts_with_article(word: &str) -> bool {
    ["L'", "L’", "D'", "D’"].iter().any(|it| word.starts_with(it))
}
