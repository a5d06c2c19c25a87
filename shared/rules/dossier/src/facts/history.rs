//! What the gazette has published.

use domain::{
    Event,
    changes::LegalEvent,
    wording::{self, say},
};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed, cut},
    terms,
};

/// Maximum length of a value before or after a change in characters.
const VALUE: usize = 120;
/// Fields whose values are short. Purposes are texts that anybody can write.
const WITH_VALUES: [&str; 5] = ["name", "legalSeat", "shareCapital", "auditorName", "legalForm"];

impl RowWriter<'_> {
    pub(super) fn history(&self, rows: &mut Rows) {
        let language = self.language;
        let events: Vec<&Event> =
            self.facts.history.newest_events(false).map(|it| &it.event).collect();
        if events.is_empty() {
            let text = say!(
                language,
                "Den Quellen ist keine Publikation über das Unternehmen zu entnehmen.",
                "Les sources ne contiennent aucune publication sur l’entreprise.",
                "Le fonti non contengono alcuna pubblicazione sull’impresa.",
                "The sources contain no publication about the company.",
            );
            rows.add(Section::History, text, [], &computed(self.facts.day));
            return;
        }
        // What may end the company is always said.
        let shown: Vec<&Event> = match self.is_summary() {
            true => {
                let grave = events.iter().filter(|it| it.legal_event.is_some_and(is_grave));
                grave.take(2).copied().collect()
            }
            false => events.iter().take(self.at_level([0, 12, 40])).copied().collect(),
        };
        for event in &shown {
            self.event(rows, event);
        }
        let what = [
            "Hier nicht aufgeführte Ereignisse",
            "Événements non énumérés ici",
            "Eventi non elencati qui",
            "Events not listed here",
        ];
        self.left_out(rows, Section::History, [events.len(), shown.len()], what);
    }

    fn event(&self, rows: &mut Rows, event: &Event) {
        let language = self.language;
        let day = wording::date(language, event.date);
        let legal_form = self.facts.company.legal_form_code.as_deref();
        let kind = terms::event(language, event, legal_form);
        let mut names = vec![day.clone()];
        let details = self.details(event, &mut names);
        let text = say!(
            language,
            "Am {day} wurde publiziert: {kind}{details}.",
            "Publication du {day}: {kind}{details}.",
            "Pubblicazione del {day}: {kind}{details}.",
            "Published on {day}: {kind}{details}.",
        );
        rows.add(Section::History, text, names, &event.source);
    }

    /// Values before and after, or the person or firm concerned.
    fn details(&self, event: &Event, names: &mut Vec<String>) -> String {
        let language = self.language;
        let has_values = event.field.as_deref().is_some_and(|it| WITH_VALUES.contains(&it));
        if has_values {
            let value = |it: &str, at: usize| match (it.parse(), &event.currencies) {
                (Ok(amount), Some(currencies)) => {
                    format!("{} {}", currencies[at], wording::amount(language, amount))
                }
                _ => cut(it, VALUE),
            };
            let old = event.old_value.as_deref().map(|it| value(it, 0));
            let new = event.new_value.as_deref().map(|it| value(it, 1));
            names.extend(old.iter().chain(&new).cloned());
            match (old, new) {
                (Some(old), Some(new)) => {
                    return say!(
                        language,
                        " (vorher {old}, nachher {new})",
                        " (avant {old}, après {new})",
                        " (prima {old}, dopo {new})",
                        " (before {old}, after {new})",
                    );
                }
                (None, Some(new)) => {
                    return say!(
                        language,
                        " (neu {new})",
                        " (nouveau: {new})",
                        " (nuovo: {new})",
                        " (new: {new})",
                    );
                }
                (Some(old), None) => {
                    return say!(
                        language,
                        " (bisher {old})",
                        " (jusqu’ici: {old})",
                        " (finora: {old})",
                        " (until then {old})",
                    );
                }
                (None, None) => {}
            }
        }
        match &event.subject {
            Some(subject) => {
                let name = cut(&subject.name, VALUE);
                names.push(name.clone());
                match action(event) {
                    Some(action) => format!(" ({name}, {})", language.of(action)),
                    None => format!(" ({name})"),
                }
            }
            None => String::new(),
        }
    }
}

/// What happened to the person concerned, in four languages.
fn action(event: &Event) -> Option<[&'static str; 4]> {
    if event.field.as_deref() != Some("persons") {
        return None;
    }
    match (&event.old_value, &event.new_value) {
        (None, Some(_)) => Some(["neu", "inscription", "nuova iscrizione", "joined"]),
        (Some(_), None) => Some(["ausgeschieden", "radiation", "cancellazione", "left"]),
        (Some(_), Some(_)) => Some(["geändert", "modification", "modifica", "changed"]),
        (None, None) => None,
    }
}

fn is_grave(event: LegalEvent) -> bool {
    use domain::changes::Severity;
    event.severity() >= Severity::High
}
