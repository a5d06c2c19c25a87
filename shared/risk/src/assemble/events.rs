//! Events of the history that are facts of the risk.

use std::collections::BTreeMap;

use domain::{Amount, ChangeKind, Event, History, changes::LegalEvent};
use jiff::{ToSpan, civil::Date};

use crate::Dated;

fn all(history: &History) -> impl Iterator<Item = &Event> {
    history.events.iter().map(|it| &it.event)
}

fn dated(event: &Event, summary: String) -> Dated {
    Dated { on: event.date, summary, source: event.source.clone() }
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
    let summary = |it: &Event| match it.kind {
        ChangeKind::SeatChange => "The seat moved.",
        _ => "The address changed.",
    };
    moves.into_values().map(|it| dated(it, summary(it).to_owned())).collect()
}

/// Reductions and increases of the nominal capital in francs.
pub(super) fn capital_changes(history: &History) -> (Vec<Dated>, Vec<Dated>) {
    let (mut reductions, mut increases) = (Vec::new(), Vec::new());
    let amount = |text: &Option<String>| text.as_deref()?.parse::<Amount>().ok();
    for event in all(history).filter(|it| it.field.as_deref() == Some("shareCapital")) {
        let (Some(old), Some(new)) = (amount(&event.old_value), amount(&event.new_value)) else {
            continue;
        };
        if new < old {
            let summary = format!("The capital was reduced from CHF {old} to CHF {new}.");
            reductions.push(dated(event, summary));
        } else if new > old {
            let summary = format!("The capital was increased from CHF {old} to CHF {new}.");
            increases.push(dated(event, summary));
        }
    }
    (reductions, increases)
}

/// Every legal event.
pub(super) fn legal_events(history: &History) -> Vec<(LegalEvent, Dated)> {
    let event = |it: &Event| {
        let legal = it.legal_event?;
        Some((legal, dated(it, legal.meaning().to_owned())))
    };
    all(history).filter_map(event).collect()
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
        let summary = "Name, purpose and officers changed on one day.".to_owned();
        is_sale.then(|| dated(events[0], summary))
    };
    days.into_values().filter_map(sale).collect()
}
