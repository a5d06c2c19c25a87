//! Events about the articles of association, shares and contributions in kind, and about corrections of earlier publications.

use domain::{ChangeKind, changes::LegalEvent};
use gazette_notice::{Change, PossibleCapital, ShareMeasure};

use super::EventBuilder;

impl EventBuilder<'_> {
    /// Adds one event for each day on which the articles changed, one for each statement about shares or contributions in
    /// kind, and one for a correction. A registration states the first articles, which are no change.
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
                Change::Shares { measure } => self.add_share_measure(measure),
                Change::PossibleCapital { capital, ended } => {
                    self.add_possible_capital(capital, ended);
                }
                Change::Contribution { terms } => {
                    self.add(ChangeKind::CapitalChange, Some("contribution"), None, Some(terms));
                    self.add_legal_event(LegalEvent::Contribution, None);
                }
                _ => {}
            }
        }
    }

    fn add_share_measure(&mut self, measure: ShareMeasure) {
        let company = &self.publication.company_name;
        let (event, what) = match measure {
            ShareMeasure::BearerToRegistered => (
                LegalEvent::BearerSharesConverted,
                "The bearer shares of {} become registered shares",
            ),
            ShareMeasure::RegisteredToBearer => (
                LegalEvent::BearerSharesCreated,
                "The registered shares of {} become bearer shares",
            ),
            ShareMeasure::Split => (LegalEvent::SharesSplit, "The shares of {} are split"),
            ShareMeasure::Consolidated => {
                (LegalEvent::SharesConsolidated, "The shares of {} are consolidated")
            }
        };
        let summary = what.replacen("{}", company, 1);
        self.push(ChangeKind::CapitalChange, Some("shares"), None, None, summary, None);
        self.add_legal_event(event, None);
    }

    fn add_possible_capital(&mut self, capital: PossibleCapital, ended: bool) {
        let company = &self.publication.company_name;
        let (begins, ends, what) = match capital {
            PossibleCapital::Band => {
                (LegalEvent::CapitalBand, LegalEvent::CapitalBandEnded, "capital band")
            }
            PossibleCapital::Authorised => {
                (LegalEvent::CapitalBand, LegalEvent::CapitalBandEnded, "authorised capital")
            }
            PossibleCapital::Conditional => (
                LegalEvent::ConditionalCapital,
                LegalEvent::ConditionalCapitalEnded,
                "conditional capital",
            ),
        };
        let verb = if ended { "ends" } else { "is introduced or changed" };
        let summary = format!("The {what} of {company} {verb}");
        self.push(ChangeKind::CapitalChange, Some("possibleCapital"), None, None, summary, None);
        self.add_legal_event(if ended { ends } else { begins }, None);
    }
}
