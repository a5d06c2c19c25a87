//! Events of the history that are facts of the risk.

use std::collections::BTreeMap;

use domain::{
    Amount, ChangeKind, Event, History, Language,
    changes::LegalEvent,
    terms::{self, capitalised},
    wording::{self, Translations, say},
};
use jiff::{ToSpan, civil::Date};

use crate::Dated;

fn all(history: &History) -> impl Iterator<Item = &Event> {
    history.events.iter().map(|it| &it.event)
}

fn dated(event: &Event, said: impl Fn(Language) -> String) -> Dated {
    Dated { on: event.date, summary: Translations::of(said), source: event.source.clone() }
}

/// Changes of address or seat. Both in one publication are one move.
pub(super) fn moves(history: &History) -> Vec<Dated> {
    let mut moves: BTreeMap<Date, &Event> = BTreeMap::new();
    for event in all(history) {
        match event.kind {
            ChangeKind::SeatChange => {
                moves.insert(event.date, event);
            }
            ChangeKind::AddressChange => {
                moves.entry(event.date).or_insert(event);
            }
            _ => {}
        }
    }
    let said = |it: &Event| {
        let is_of_seat = it.kind == ChangeKind::SeatChange;
        move |language| match is_of_seat {
            true => say!(
                language,
                "Der Sitz wurde verlegt.",
                "Le siège a été transféré.",
                "La sede è stata trasferita.",
                "The seat moved.",
            ),
            false => say!(
                language,
                "Die Adresse wurde geändert.",
                "L’adresse a changé.",
                "L’indirizzo è cambiato.",
                "The address changed.",
            ),
        }
    };
    moves.into_values().map(|it| dated(it, said(it))).collect()
}

/// Reductions and increases of the nominal capital in one currency.
pub(super) fn capital_changes(history: &History) -> (Vec<Dated>, Vec<Dated>) {
    let (mut reductions, mut increases) = (Vec::new(), Vec::new());
    let amount = |text: &Option<String>| text.as_deref()?.parse::<Amount>().ok();
    for event in all(history).filter(|it| it.field.as_deref() == Some("shareCapital")) {
        let (Some(old), Some(new)) = (amount(&event.old_value), amount(&event.new_value)) else {
            continue;
        };
        // Amounts of two currencies cannot be compared.
        let currency = event.currencies.as_ref().filter(|[before, after]| before == after);
        let Some([currency, _]) = currency else { continue };
        let shown = move |language| [old, new].map(|it| wording::amount(language, it));
        if new < old {
            reductions.push(dated(event, |language| {
                let [old, new] = shown(language);
                say!(
                    language,
                    "Das Kapital wurde von {currency} {old} auf {currency} {new} herabgesetzt.",
                    "Le capital a été réduit de {currency} {old} à {currency} {new}.",
                    "Il capitale è stato ridotto da {currency} {old} a {currency} {new}.",
                    "The capital was reduced from {currency} {old} to {currency} {new}.",
                )
            }));
        } else if new > old {
            increases.push(dated(event, |language| {
                let [old, new] = shown(language);
                say!(
                    language,
                    "Das Kapital wurde von {currency} {old} auf {currency} {new} erhöht.",
                    "Le capital a été augmenté de {currency} {old} à {currency} {new}.",
                    "Il capitale è stato aumentato da {currency} {old} a {currency} {new}.",
                    "The capital was increased from {currency} {old} to {currency} {new}.",
                )
            }));
        }
    }
    (reductions, increases)
}

/// Every legal event.
pub(super) fn legal_events(history: &History) -> Vec<(LegalEvent, Dated)> {
    let event = |it: &Event| {
        let legal = it.legal_event?;
        Some((legal, dated(it, |language| of_event(language, legal))))
    };
    all(history).filter_map(event).collect()
}

/// What happened: in English one sentence, in the other languages the term of the law.
fn of_event(language: Language, event: LegalEvent) -> String {
    match language {
        Language::En => event.meaning().to_owned(),
        _ => format!("{}.", capitalised(language.of(terms::legal_event(event)))),
    }
}

/// Days on which name, purpose and officers changed, at least a year after the entry. Without the day of the entry none.
pub(super) fn sales_of_shell(history: &History, registered: Option<Date>) -> Vec<Dated> {
    let Some(first) = registered.and_then(|it| it.checked_add(1.year()).ok()) else {
        return Vec::new();
    };
    let mut days: BTreeMap<Date, Vec<&Event>> = BTreeMap::new();
    for event in all(history).filter(|it| it.date >= first) {
        days.entry(event.date).or_default().push(event);
    }
    let sale = |events: Vec<&Event>| {
        let has = |kind| events.iter().any(|it| it.kind == kind);
        let is_sale = has(ChangeKind::NameChange)
            && has(ChangeKind::PurposeChange)
            && has(ChangeKind::BoardChange);
        is_sale.then(|| {
            dated(events[0], |language| {
                say!(
                    language,
                    "Firma, Zweck und Organe wurden am selben Tag geändert.",
                    "La raison sociale, le but et les organes ont changé le même jour.",
                    "La ditta, lo scopo e gli organi sono cambiati lo stesso giorno.",
                    "Name, purpose and officers changed on one day.",
                )
            })
        })
    };
    days.into_values().filter_map(sale).collect()
}
