//! What matters first: the state of the company, warnings and the level of its risk.

use std::{cmp::Ordering, collections::BTreeMap};

use domain::{
    ChangeKind, Provenance, Status,
    persons::Mandate,
    wording::{self, say},
};
use risk::{Direction, Evidence, RiskLevel, Sign};

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed},
    terms,
};

impl RowWriter<'_> {
    pub(super) fn overview(&self, rows: &mut Rows) {
        self.registration(rows);
        self.status(rows);
        self.warnings(rows);
        self.level(rows);
    }

    /// Whether the register has deleted the company.
    pub(super) fn is_deleted(&self) -> bool {
        self.facts.company.status == Some(Status::Cancelled)
    }

    /// The officers and owners whose entries ended when the register deleted the company.
    pub(super) fn entered_until_deletion(&self) -> impl Iterator<Item = &Mandate> {
        let history = self.facts.history;
        let deletions = move || {
            let events = history.events.iter().map(|it| &it.event);
            events.filter(|it| it.kind == ChangeKind::Deletion).map(|it| it.date)
        };
        let last = deletions().max().filter(|_| self.is_deleted());
        history.mandates.iter().filter(move |it| last.is_some() && it.until == last)
    }

    fn registration(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        let (name, uid) = (clean(&company.name), company.uid);
        let form = company.legal_form_code.as_deref();
        let form = form.and_then(|it| terms::legal_form(language, it));
        let seat = company.legal_seat.as_deref().map(clean);
        let text = match (form, &seat) {
            (Some(form), Some(seat)) => say!(
                language,
                "{name} ({uid}) hat die Rechtsform {form} und den Sitz in {seat}.",
                "{name} ({uid}) a la forme juridique {form} et son siège à {seat}.",
                "{name} ({uid}) ha la forma giuridica {form} e la sede a {seat}.",
                "{name} ({uid}) has the legal form {form} and its seat in {seat}.",
            ),
            (Some(form), None) => say!(
                language,
                "{name} ({uid}) hat die Rechtsform {form}.",
                "{name} ({uid}) a la forme juridique {form}.",
                "{name} ({uid}) ha la forma giuridica {form}.",
                "{name} ({uid}) has the legal form {form}.",
            ),
            (None, Some(seat)) => say!(
                language,
                "{name} ({uid}) hat den Sitz in {seat}.",
                "{name} ({uid}) a son siège à {seat}.",
                "{name} ({uid}) ha la sede a {seat}.",
                "{name} ({uid}) has its seat in {seat}.",
            ),
            (None, None) => say!(
                language,
                "{name} trägt die Unternehmensnummer {uid}.",
                "{name} porte le numéro d’entreprise {uid}.",
                "{name} porta il numero d’impresa {uid}.",
                "{name} has the company number {uid}.",
            ),
        };
        let names = [name].into_iter().chain(seat);
        rows.add(Section::Overview, text, names, &self.source_of("name"));
    }

    fn status(&self, rows: &mut Rows) {
        let (language, company) = (self.language, self.facts.company);
        let history = self.facts.history;
        let Some(status) = company.status else { return };
        let sentence = terms::status(language, status);
        let text = match (status, company.status_reason) {
            // An active company is not active because of its moratorium.
            (Status::Active, Some(reason)) => {
                let reason = terms::status_reason_of(language, reason, history);
                say!(
                    language,
                    "{sentence}; vermerkt ist: {reason}.",
                    "{sentence}; le registre mentionne: {reason}.",
                    "{sentence}; il registro menziona: {reason}.",
                    "{sentence}; the register notes: {reason}.",
                )
            }
            (_, Some(reason)) => {
                let reason = terms::status_reason_of(language, reason, history);
                say!(
                    language,
                    "{sentence}; der Grund ist: {reason}.",
                    "{sentence}; le motif est: {reason}.",
                    "{sentence}; il motivo è: {reason}.",
                    "{sentence}; the reason is: {reason}.",
                )
            }
            (_, None) => format!("{sentence}."),
        };
        rows.add(Section::Overview, text, [], &self.source_of("status"));
    }

    /// The grave signs among the evidence of the risk, one row for each.
    fn warnings(&self, rows: &mut Rows) {
        let language = self.language;
        let evidence = self.facts.risk.factors.iter().flat_map(|it| &it.evidence);
        let adverse = evidence.filter(|it| it.direction == Direction::Adverse);
        let mut of_sign: BTreeMap<Sign, Vec<&Evidence>> = BTreeMap::new();
        for evidence in adverse.filter(|it| is_warning(it.sign)) {
            of_sign.entry(evidence.sign).or_default().push(evidence);
        }
        // The notice of a state that lasts says nothing more.
        if of_sign.keys().any(|it| is_lasting_end(*it)) {
            of_sign.retain(|sign, _| !matches!(sign, Sign::InsolvencyEvent | Sign::DefectEvent));
        }
        for (sign, evidence) in &of_sign {
            let what = format!("{}{}", self.observed(*sign, evidence), self.years(*sign, evidence));
            let times = match evidence.len() {
                1 => String::new(),
                times => format!(" ({})", wording::number(language, times as u64)),
            };
            let text = say!(
                language,
                "Warnung{times}: {what}.",
                "Avertissement{times}: {what}.",
                "Avvertimento{times}: {what}.",
                "Warning{times}: {what}.",
            );
            let Some(first) = evidence.first() else { continue };
            let source = Provenance {
                source: first.source.clone(),
                reference: first.reference.clone(),
                date: first.observed_at,
            };
            rows.add(Section::Overview, text, [], &source);
        }
        // A high level without one of them follows from several lesser signs, which it names.
        if of_sign.is_empty() && self.facts.risk.risk_level < RiskLevel::High {
            let text = say!(
                language,
                "Die Quellen zeigen keines der schweren Warnzeichen, nach denen gesucht wurde.",
                "Les sources ne montrent aucun des signes d’alerte graves qui ont été recherchés.",
                "Le fonti non mostrano alcuno dei gravi segnali d’allarme che sono stati cercati.",
                "The sources show none of the grave warning signs that were looked for.",
            );
            rows.add(Section::Overview, text, [], &computed(self.facts.day));
        }
    }

    fn level(&self, rows: &mut Rows) {
        let (language, risk) = (self.language, self.facts.risk);
        if risk.risk_level == RiskLevel::Unknown {
            let text = say!(
                language,
                "Über das Unternehmen ist zu wenig bekannt, um eine Risikostufe zu nennen.",
                "On en sait trop peu sur l’entreprise pour indiquer un niveau de risque.",
                "Dell’impresa si sa troppo poco per indicare un livello di rischio.",
                "Too little is known about the company to state a risk level.",
            );
            rows.add(Section::Overview, text, [], &computed(risk.as_of));
            return;
        }
        let level = terms::risk_level(language, risk.risk_level);
        let score = format!("{:.3}", risk.score);
        let text = say!(
            language,
            "Die Methode mit neun Faktoren ergibt den Risikowert {score} und damit die Stufe {level}.",
            "La méthode à neuf facteurs donne le score de risque {score}, soit le niveau {level}.",
            "Il metodo a nove fattori dà il valore di rischio {score}, ossia il livello {level}.",
            "The method with nine factors gives the risk score {score}, which is the level {level}.",
        );
        rows.add(Section::Overview, text, [], &computed(risk.as_of));
        if risk.risk_level < RiskLevel::High {
            return;
        }
        let mut raised: Vec<_> =
            risk.factors.iter().filter(|it| it.change() == Ordering::Greater).collect();
        raised.sort_by(|one, other| {
            other.log_odds_contribution.total_cmp(&one.log_odds_contribution)
        });
        let names: Vec<&str> =
            raised.iter().take(3).map(|it| terms::factor(language, it.factor)).collect();
        // Some names contain "and".
        let factors = names.join("; ");
        let text = say!(
            language,
            "Was ihn am meisten erhöht: {factors}.",
            "Ce qui l’augmente le plus: {factors}.",
            "Ciò che lo aumenta di più: {factors}.",
            "What raises it most: {factors}.",
        );
        rows.add(Section::Overview, text, [], &computed(risk.as_of));
    }
}

/// Whether a state is one that a notice has begun.
fn is_lasting_end(sign: Sign) -> bool {
    matches!(sign, Sign::Insolvent | Sign::Moratorium | Sign::DissolvedForDefect)
}

/// Whether a sign is said before everything else: it may end the company, names a list or a country of the law, or hides who
/// owns or directs the company. What many sound companies show is none of them.
fn is_warning(sign: Sign) -> bool {
    match sign {
        Sign::Insolvent
        | Sign::Moratorium
        | Sign::DissolvedForDefect
        | Sign::DissolvedByCourt
        | Sign::InsolvencyEvent
        | Sign::DefectEvent
        | Sign::ReEntered
        | Sign::Sanctioned
        | Sign::SanctionedOfficer
        | Sign::Warned
        | Sign::PoliticallyExposed
        | Sign::AssociateOfExposed
        | Sign::PossibleSanction
        | Sign::PossibleWarning
        | Sign::PossibleExposure
        | Sign::OwnerFromCallForAction
        | Sign::OfficerFromCallForAction
        | Sign::OwnerFromIncreasedMonitoring
        | Sign::CircularOwnership
        | Sign::ContradictoryShares
        | Sign::WithheldParent
        | Sign::AuditorLeft
        | Sign::NoBoard
        | Sign::SharedAddress => true,
        Sign::Pyramid
        | Sign::CareOfAddress
        | Sign::OwnerAtSharedAddress
        | Sign::OwnersVisible
        | Sign::OfficerFromIncreasedMonitoring
        | Sign::Hospitality
        | Sign::ExposedIndustry
        | Sign::Supervised
        | Sign::OptedOut
        | Sign::AuditorEnded
        | Sign::LongTenure
        | Sign::Audited
        | Sign::Departure
        | Sign::ManyMandates
        | Sign::StableBoard
        | Sign::Moved
        | Sign::StableAddress
        | Sign::LeastCapital
        | Sign::CapitalReduced
        | Sign::CapitalIncreased
        | Sign::Ending
        | Sign::ShelfCompany
        | Sign::Young
        | Sign::LongStanding => false,
    }
}
