//! Events about the articles of association, and about corrections of earlier publications.

use domain::ChangeKind;
use gazette_notice::Change;

use super::EventBuilder;

impl EventBuilder<'_> {
    /// Adds one event for each day on which the articles changed, and one for a correction. A registration states the
    /// first articles, which are no change.
    pub(super) fn add_formalities(&mut self) {
        let publication = self.publication;
        for change in self.changes().to_vec() {
            match change {
                Change::Statutes { on } if !publication.is_registration => {
                    // The register publishes what was resolved before.
                    let on = on.filter(|it| *it <= publication.date);
                    let day = on.map(|it| it.to_string());
                    self.add(ChangeKind::StatutesChange, Some("statutes"), None, day);
                    if let Some(last) = self.events.last_mut() {
                        last.decision_date = on;
                    }
                }
                Change::Correction => self.add(ChangeKind::Correction, None, None, None),
                _ => {}
            }
        }
    }
}
