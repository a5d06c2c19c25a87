//! The other companies of mergers, demergers and asset transfers.

use super::Party;
use crate::{CompanyNumber, punctuation, words::strip_any_prefix};

/// Every company of the text written as `Name, in Seat (CHE-…)`.
pub(super) fn parties(text: &str) -> Vec<Party> {
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
            " absorbé ",
            " assorbito ",
            " incorporato ",
            " della ",
            " di ",
            " mit ",
            " avec ",
            " con ",
            " da ",
            " dalla ",
            " alla ",
            " a ",
        ];
        let cut = words_before_name
            .iter()
            .filter_map(|it| Some(name.rfind(it)? + it.len()))
            .filter(|it| !name[*it..].starts_with(char::is_lowercase))
            .max()
            .unwrap_or(0);
        let name = name[cut..].trim().trim_matches(['"', '«', '»', ' ']);
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
