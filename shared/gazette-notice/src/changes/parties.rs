//! Mergers, demergers and transfers: which way they go, and the other company.

use super::{Change, Combination, Party};
use crate::{
    pieces,
    words::{after_any, begins},
};

/// The firms with a number in the text of a merger, demerger or transfer.
pub(super) fn combined(combination: Combination, text: &str) -> Vec<Change> {
    let taken = [
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
        Combination::TakesOver if is_absorbed(text, &taken) => Combination::IsTakenOverBy,
        other => other,
    };
    let change = |party| Change::Combination { combination, party };
    parties(text).into_iter().map(change).collect()
}

/// Whether the company goes: `Die Aktiven und Passiven gehen … über auf`, and not `Übernahme der …`.
fn is_absorbed(text: &str, taken: &[&str]) -> bool {
    !begins(text, &["Übernahme", "Reprise", "Ripresa", "Assunzione"])
        && taken.iter().any(|it| text.contains(it))
}

/// Every `Name, in Seat (CHE-…)` of a text.
fn parties(text: &str) -> Vec<Party> {
    let mut parties = Vec::new();
    let mut from = 0;
    for (open, close) in pieces::groups(text) {
        let inner = text[open + 1..close].trim();
        let numbered = inner.starts_with("CH");
        if !numbered {
            continue;
        }
        let before = text[from..open].trim();
        from = close + 1;
        let clauses = pieces::clauses(before);
        let seat =
            clauses.last().and_then(|it| after_any(it, &["in ", "à ", "a "])).map(str::to_owned);
        let name = match (&seat, clauses.as_slice()) {
            (Some(_), [.., name, _]) => *name,
            (_, [.., name]) => *name,
            _ => continue,
        };
        // What leads up to the name: `Übernahme der Aktiven und Passiven der`.
        let lead = [
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
        let cut = lead.iter().filter_map(|it| Some(name.rfind(it)? + it.len())).max().unwrap_or(0);
        let name = name[cut..].trim().trim_matches(['"', '«', '»', ' ']);
        if !name.is_empty() {
            parties.push(Party { name: name.to_owned(), uid: inner.parse().ok(), seat });
        }
    }
    parties
}
