//! Mergers, demergers and asset transfers: their direction and the other company.

use super::{Change, Combination, CompanyNumber, Party};
use crate::{
    punctuation,
    words::{starts_with_any, strip_any_prefix},
};

/// One change for each company with a register number in the text.
pub(super) fn combinations(combination: Combination, text: &str) -> Vec<Change> {
    let taken_over = [
        "übernommen",
        "aufgelöst",
        "reprise par",
        "est absorbée",
        "sont repris par",
        "ripresi da",
        "gehen auf",
        "passent à",
        "infolge Fusion auf",
    ];
    let combination = match combination {
        Combination::TakesOver if is_absorbed(text, &taken_over) => Combination::IsTakenOverBy,
        other => other,
    };
    let change = |party| Change::Combination { combination, party };
    parties(text).into_iter().map(change).collect()
}

/// Whether the company of the notice is the one taken over: `Die Aktiven und Passiven gehen auf … über`,
/// not `Übernahme der Aktiven und Passiven der …`.
fn is_absorbed(text: &str, taken_over: &[&str]) -> bool {
    !starts_with_any(text, &["Übernahme", "Reprise", "Ripresa", "Assunzione"])
        && taken_over.iter().any(|it| text.contains(it))
}

/// Every company of the text written as `Name, in Seat (CHE-…)`.
fn parties(text: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    let mut from = 0;
    for (open, close) in punctuation::bracket_groups(text) {
        let inner = text[open + 1..close].trim();
        let is_number = inner.starts_with("CH");
        if !is_number {
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
        // The name starts after the last of these words: `der` in `Übernahme der Aktiven und Passiven der Muster AG`.
        let words_before_name = [
            " der ",
            " von ",
            " durch ",
            " die ",
            " auf ",
            " de la société ",
            " de l'entreprise ",
            " de la ",
            " de ",
            " à ",
            " par ",
            " della ",
            " di ",
        ];
        let cut = words_before_name
            .iter()
            .filter_map(|it| Some(name.rfind(it)? + it.len()))
            .max()
            .unwrap_or(0);
        let name = name[cut..].trim().trim_matches(['"', '«', '»', ' ']);
        if !name.is_empty() {
            parties.push(Party { name: name.to_owned(), uid: CompanyNumber::parse(inner), seat });
        }
    }
    parties
}
