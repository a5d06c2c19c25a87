//! Entries under a heading, and the sentences between them.

use super::{
    Entry, EntryKind,
    chain::{Found, chain, is_person_or_firm, singular},
    entry::{Clause, Draft, LONGEST, bare, is_name},
    headings::{Heading, heading},
    names::Order,
    pieces, prose,
    sentences::Sentence,
    verbs,
    words::{SUPERVISOR, begins, names_a_firm},
};

/// No notice names as many: their text alone would not fit into the table. Entries behind the last of
/// them are not read, so that a text of nothing but names costs no more than another.
const MOST_ENTRIES: usize = 4_000;

/// Every entry of a notice, in order.
pub(super) fn entries(sentences: &[Sentence<'_>]) -> Vec<Entry> {
    let mut found: Vec<Found> = Vec::new();
    let mut list: Option<EntryKind> = None;
    for sentence in sentences {
        if found.len() >= MOST_ENTRIES {
            break;
        }
        if !sentence.label.is_empty() {
            list = labelled(sentence, &mut found);
        } else if let Some(kind) = list.filter(|_| is_list(sentence.text)) {
            people(sentence.text, kind, &mut found);
        } else {
            list = None;
            prose::read(sentence.text, &mut found);
        }
    }
    let names: Vec<String> = found
        .iter()
        .filter(|(_, it)| it.name.len() == 1 && !it.is_entity())
        .map(|(_, it)| it.whole_name())
        .collect();
    let order = Order::of(names.iter().map(String::as_str));
    found.into_iter().map(|(kind, draft)| draft.entry(kind, order)).collect()
}

/// Reads a labelled sentence; answers the list that goes on after it.
fn labelled(sentence: &Sentence<'_>, found: &mut Vec<Found>) -> Option<EntryKind> {
    match heading(sentence.label)? {
        Heading::People(kind) => {
            people(sentence.text, kind, found);
            Some(kind)
        }
        Heading::Organ(kind, function) => {
            let from = found.len();
            let may_be_bare = SUPERVISOR.are_in(function);
            read(sentence.text, kind, found, |it| {
                it.is_placed() || may_be_bare || it.signature.is_some() || is_person_or_firm(it)
            });
            let function = singular(function);
            for (_, draft) in found[from..].iter_mut().filter(|(_, it)| !it.has_function()) {
                draft.set_function(&function);
            }
            None
        }
        Heading::Power(kind, power) => {
            let from = found.len();
            read(sentence.text, kind, found, |it| it.is_placed() || is_person_or_firm(it));
            for (_, draft) in found[from..].iter_mut().filter(|(_, it)| it.signature.is_none()) {
                draft.signature = Some(power.to_owned());
            }
            None
        }
    }
}

fn people(text: &str, kind: EntryKind, found: &mut Vec<Found>) {
    read(text, kind, found, |it| it.is_placed() || it.signature.is_some() || it.has_function());
}

/// Reads the items of a list; those that are not wanted are no entries.
fn read(text: &str, kind: EntryKind, found: &mut Vec<Found>, is_wanted: impl Fn(&Draft) -> bool) {
    let from = found.len();
    for item in pieces::items(text).into_iter().filter(|it| it.len() <= LONGEST) {
        if found.len() >= MOST_ENTRIES {
            break;
        }
        let bare = bare(item);
        for draft in chain(&bare, found, from) {
            if is_wanted(&draft)
                && draft.name.first().is_some_and(|it| is_name(it) || names_a_firm(it))
            {
                found.push((kind, draft));
            }
        }
    }
}

/// Whether a sentence after the first still belongs to the list: the offices of Fribourg end every
/// entry with a full stop.
fn is_list(text: &str) -> bool {
    #[rustfmt::skip]
    const ARTICLES: [&str; 22] = [
        "die ", "der ", "das ", "le ", "la ", "les ", "l'", "il ", "lo ", "gli ", "mit ",
        "gemäss ", "unter ", "bei ", "laut ", "selon ", "par ", "suite ", "con ", "per ", "[",
        "für ",
    ];
    if begins(text, &ARTICLES) {
        return false;
    }
    let first = pieces::items(text).first().copied().unwrap_or_default();
    let bare = bare(first);
    let clauses = pieces::clauses(&bare.text);
    let is_place = |it: &&str| Clause::of(it).is_place();
    clauses.len() > 1
        && clauses.len() <= 40
        && is_name(clauses[0])
        && clauses.iter().skip(1).take(5).any(is_place)
        && verbs::verb(&bare.text).is_none()
}
