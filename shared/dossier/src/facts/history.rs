//! What the gazette has published.

use domain::{Event, changes::LegalEvent};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed, cut},
    terms,
    words::{self, say},
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
        let shown = self.at_level([0, 12, 40]);
        if self.is_summary() {
            // What may end the company is always said.
            let grave = events.iter().filter(|it| it.legal_event.is_some_and(is_grave));
            for event in grave.take(2) {
                self.event(rows, event);
            }
            return;
        }
        if events.is_empty() {
            let text = say!(
                language,
                "Den Quellen ist keine Publikation über das Unternehmen zu entnehmen.",
                "Les sources ne contiennent aucune publication sur l'entreprise.",
                "Le fonti non contengono alcuna pubblicazione sull'impresa.",
                "The sources contain no publication about the company.",
            );
            rows.add(Section::History, text, [], &computed(self.facts.day));
            return;
        }
        for event in events.into_iter().take(shown) {
            self.event(rows, event);
        }
    }

    fn event(&self, rows: &mut Rows, event: &Event) {
        let language = self.language;
        let day = words::date(language, event.date);
        let kind = terms::change(language, event.kind);
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
            let old = event.old_value.as_deref().map(|it| cut(it, VALUE));
            let new = event.new_value.as_deref().map(|it| cut(it, VALUE));
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
                (None, Some(new)) => return format!(" ({new})"),
                _ => {}
            }
        }
        match &event.subject {
            Some(subject) => {
                let name = cut(&subject.name, VALUE);
                names.push(name.clone());
                format!(" ({name})")
            }
            None => String::new(),
        }
    }
}

fn is_grave(event: LegalEvent) -> bool {
    use domain::changes::Severity;
    event.severity() >= Severity::High
}
