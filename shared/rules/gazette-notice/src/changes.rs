//! The changes that a notice states about the company itself.

use std::collections::BTreeSet;

use super::{
    headings,
    markup::PlainText,
    sentence::Sentence,
    words::{AUDITOR, starts_with_any},
};
use existence::Context;

mod combinations;
mod company;
mod concepts;
mod consolidated;
mod decisions;
mod equity;
mod existence;
mod firm_names;
mod formalities;
mod holders;
mod labels;
mod parties;
mod proceedings;
mod prose;
mod reference;
mod statements;

pub(super) use reference::previous;
pub use statements::{
    AssetTransfer, CapitalKind, Change, Combination, DeletionCause, Party, PossibleCapital,
    Reference, ShareMeasure, Step,
};

/// All changes that the notice states.
pub(super) fn changes(plain: &PlainText, sentences: &[Sentence<'_>]) -> Vec<Change> {
    let mut found = Vec::new();
    let mut context = Context {
        is_branch: sentences.first().is_some_and(|it| is_header(it.text) && names_branch(it.text)),
        is_first: true,
        ..Context::default()
    };
    for (at, sentence) in sentences.iter().enumerate() {
        if prose::is_correction(sentence.label) {
            found.push(Change::Correction);
        }
        let is_free = sentence.label.is_empty() || is_remark(sentence.label);
        equity::read(sentence.label, sentence.text, is_free, &mut found);
        let labelled = labels::inner_capital(sentence.label, sentence.text).or_else(|| {
            labels::label(sentence.label).map(|it| (it, sentence.label, sentence.text))
        });
        match labelled {
            Some((label, name, text)) => labels::read_labelled(label, name, text, &mut found),
            None if sentence.label.is_empty() => {
                if at == 0 {
                    read_first_sentence(sentence.text, &mut found);
                }
                prose::read_sentence(sentence.text, &mut context, &mut found);
            }
            None if is_remark(sentence.label) => {
                let text = format!("{}: {}", sentence.label, sentence.text);
                prose::read_existence(&text, &mut context, &mut found);
                prose::read_formalities(sentence.text, &mut found);
            }
            // `La société s'est scindée: elle a transféré …`, `Die Gesellschaft spaltet sich: …`
            None if (crate::prose::has_verb(sentence.label)
                || ["se scinde", "si scinde", "spaltet"]
                    .iter()
                    .any(|it| sentence.label.contains(it)))
                && headings::heading(sentence.label).is_none() =>
            {
                let text = format!("{}: {}", sentence.label, sentence.text);
                prose::read_existence(&text, &mut context, &mut found);
            }
            None if AUDITOR.occur_in(sentence.label) => {
                prose::read_waiver(sentence.text, &mut found);
            }
            None => {}
        }
        context.is_first = false;
    }
    // Old notices mark the new name and seat, which may be in prose.
    if let Some(to) = &plain.new_name
        && !found.iter().any(|it| matches!(it, Change::Name { .. }))
    {
        found.push(Change::Name { to: to.clone() });
    }
    if let Some(to) = &plain.new_seat
        && !found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }))
    {
        found.push(Change::Seat { to: Some(to.clone()), from: plain.seat.clone() });
    }
    // `Die Gesellschaft hat ihren Sitz nach Chur verlegt.` Without a deletion, this is the office of the new seat.
    let has_left = |it: &Change| {
        matches!(
            it,
            Change::Departure { .. } | Change::Deletion { .. } | Change::Seat { to: Some(_), .. }
        )
    };
    if let Some(to) = context.new_seat.take()
        && !found.iter().any(has_left)
    {
        found.push(Change::Seat { to: Some(to), from: None });
    }
    merge_seat_changes(&mut found);
    let leaves = |it: &Change| matches!(it, Change::Departure { .. } | Change::Deletion { .. });
    let is_move = |it: &Change| matches!(it, Change::Seat { to: Some(_), from: Some(_) });
    let has_former_seat = found.iter().any(is_move);
    for change in &mut found {
        if let Change::ReEntry { in_liquidation, .. } = change {
            *in_liquidation |= sentences.first().is_some_and(|it| names_liquidation(it.text))
                || sentences.iter().any(|it| existence::is_in_liquidation(it.text));
        }
    }
    // First what is quick: few notices state a move.
    if found.iter().any(|it| matches!(it, Change::Seat { .. }))
        && !found.iter().any(leaves)
        && (sentences.iter().any(|it| existence::names_former_register(it.text))
            || (has_former_seat && restates_company(sentences)))
    {
        found.push(Change::MovedIn);
    }
    keep_first_formalities(&mut found);
    consolidated::consolidate(&mut found);
    // A conversion may be stated twice: as `Umwandlung` and as `Rechtsform neu`.
    let mut legal_forms = 0;
    found.retain(|it| {
        legal_forms += usize::from(matches!(it, Change::LegalForm { .. }));
        legal_forms < 2 || !matches!(it, Change::LegalForm { .. })
    });
    found
}

/// Whether a label says that the notice corrects an earlier one.
pub(super) fn is_correction(label: &str) -> bool {
    prose::is_correction(label)
}

/// Whether the text is the label of a new address inside a sentence.
pub(super) fn is_new_address(text: &str) -> bool {
    labels::is_new_address(text)
}

/// Whether the text starts with the label of a change and its colon.
pub(super) fn starts_with_label(text: &str) -> bool {
    let window = &text[..text.floor_char_boundary(90)];
    window.split_once(':').is_some_and(|(label, _)| labels::label(label).is_some())
}

/// Whether a first sentence introduces the company: `Muster AG, in Bern, CHE-… (SHAB Nr. …)`.
pub(super) fn is_header(text: &str) -> bool {
    ["(SHAB ", "(FOSC ", "(FUSC ", ", CHE-", ", CH-"].iter().any(|it| text.contains(it))
}

fn names_branch(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.contains("zweigniederlassung") || lower.contains("succursale")
}

/// Whether a label introduces a remark about the company: `Bemerkungen neu`, `Konkurs`. Other labels are about
/// persons, the purpose or the statutes.
fn is_remark(label: &str) -> bool {
    #[rustfmt::skip]
    const REMARKS: [&str; 37] = [
        "bemerkung", "besondere", "weitere tatsache", "auflösung", "konkurs", "liquidation", "löschung", "nachlass",
        "rechtsdomizil", "domizil", "zweigniederlassung", "neue zweigniederlassung", "wiedereintragung", "widerruf",
        "observation", "remarque", "faits", "autres faits", "dissolution", "faillite", "radiation", "sursis",
        "réinscription", "osservazion", "annotazion", "scioglimento", "fallimento", "cancellazione", "moratoria",
        "reiscrizione", "succursale", "nouvelle succursale", "nuova succursale", "sitzverlegung", "transfert du siège",
        "trasferimento della sede", "nota",
    ];
    starts_with_any(label, &REMARKS) && headings::heading(label).is_none()
}

/// Whether a notice states all that the register contains about the company: the purpose and the organ of publication, neither
/// of them as new. The office of a new seat in another canton does.
fn restates_company(sentences: &[Sentence<'_>]) -> bool {
    let has_label = |labels: &[&str]| sentences.iter().any(|it| labels.contains(&it.label));
    has_label(&["Zweck", "But", "Scopo"])
        && has_label(&[
            "Publikationsorgan",
            "Publikationsorgane",
            "Organe de publication",
            "Organes de publication",
            "Organo di pubblicazione",
            "Organi di pubblicazione",
        ])
}

/// Whether the name of the company in the first sentence says that it is in liquidation: `Muster AG in Liquidation, in Bern`.
fn names_liquidation(header: &str) -> bool {
    let before_number = header.split(", CH").next().unwrap_or_default();
    let name = before_number.split(" (").next().unwrap_or_default().to_lowercase();
    ["in liquidation", "en liquidation", "in liquidazione"].iter().any(|it| {
        name.find(it).is_some_and(|at| {
            let rest = &name[at + it.len()..];
            rest.is_empty() || rest.starts_with([',', ' '])
        })
    })
}

/// Reads the former seat from the first sentence: `Muster AG, bisher in Bern`.
fn read_first_sentence(text: &str, found: &mut Vec<Change>) {
    let former_seat = [
        "bisher in ",
        "Sitz: [bisher: ",
        "précédemment à ",
        "jusqu'ici à ",
        "finora in ",
        "finora a ",
    ];
    if let Some(from) = former_seat.iter().find_map(|it| Some(&text[text.find(it)? + it.len()..])) {
        let end = from.find([',', ']', '(']).unwrap_or(from.len());
        let from = from[..end].trim();
        found.push(Change::Seat { to: None, from: (!from.is_empty()).then(|| from.to_owned()) });
    }
}

/// Removes corrections and dates of the articles that were stated before, and articles without a date next to one with a
/// date.
fn keep_first_formalities(found: &mut Vec<Change>) {
    let is_dated = |it: &Change| matches!(it, Change::Statutes { on: Some(_) });
    let has_date = found.iter().any(is_dated);
    let (mut days, mut corrections) = (BTreeSet::new(), 0);
    found.retain(|it| match it {
        Change::Statutes { on } => days.insert(*on) && (on.is_some() || !has_date),
        Change::Correction => {
            corrections += 1;
            corrections == 1
        }
        _ => true,
    });
}

/// Merges the former seat of the first sentence into the change that states the new seat.
fn merge_seat_changes(found: &mut Vec<Change>) {
    let former = found.iter().find_map(|it| match it {
        Change::Seat { to: None, from } => Some(from.clone()),
        _ => None,
    });
    let Some(former) = former else { return };
    let has_new_seat = found.iter().any(|it| matches!(it, Change::Seat { to: Some(_), .. }));
    if !has_new_seat {
        return;
    }
    found.retain(|it| !matches!(it, Change::Seat { to: None, .. }));
    let seat = found.iter_mut().find_map(|it| match it {
        Change::Seat { from, .. } => Some(from),
        _ => None,
    });
    if let Some(from) = seat {
        *from = from.take().or(former);
    }
}
