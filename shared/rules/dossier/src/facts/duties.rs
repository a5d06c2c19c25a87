//! Provisions that apply to the company, or to others because of it.

use obligations::{Addressee, Answer, Applied, AppliedTo, CATALOGUE};
use teams::DossierLevel;

use domain::wording::{self, list, say};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed},
    terms,
};

impl RowWriter<'_> {
    pub(super) fn duties(&self, rows: &mut Rows) {
        let scope = self.facts.scope;
        let certain = scope.applied.iter().filter(|it| it.is_certain());
        let (all, own) = (certain.clone().count(), certain.filter(is_of_company).count());
        let unclear = scope.applied.iter().filter(|it| !it.is_certain()).count();
        // Of the company first; what is certain before the rest; in the order of the catalogue.
        let mut listed: Vec<&Applied> = scope.applied.iter().collect();
        listed.retain(|it| self.level == DossierLevel::Detailed || is_of_company(it));
        listed.sort_by_key(|it| (!is_of_company(it), !it.is_certain()));
        listed.truncate(self.at_level([5, 30, 60]));
        self.counted_duties(rows, [all, own, unclear, listed.len()]);
        for applied in listed {
            self.duty(rows, applied);
        }
    }

    /// How many provisions apply, and how many of them the table lists.
    fn counted_duties(&self, rows: &mut Rows, counts: [usize; 4]) {
        let language = self.language;
        let [all, own, unclear, listed] = counts.map(|it| wording::number(language, it as u64));
        let text = match counts {
            [0, _, 0, _] => say!(
                language,
                "Keine Bestimmung des Katalogs gilt für das Unternehmen.",
                "Aucune disposition du catalogue ne s’applique à l’entreprise.",
                "Nessuna disposizione del catalogo si applica all’impresa.",
                "No provision of the catalogue applies to the company.",
            ),
            _ => say!(
                language,
                "Bestimmungen des Katalogs mit Bezug zum Unternehmen: {all}, davon für das Unternehmen selbst: {own}; offen: \
                 {unclear}; in der Tabelle: {listed}.",
                "Dispositions du catalogue en rapport avec l’entreprise: {all}, dont applicables à l’entreprise elle-même: {own}; \
                 incertaines: {unclear}; dans le tableau: {listed}.",
                "Disposizioni del catalogo in relazione all’impresa: {all}, di cui applicabili all’impresa stessa: {own}; incerte: \
                 {unclear}; nella tabella: {listed}.",
                "Provisions of the catalogue that concern the company: {all}, of which for the company itself: {own}; uncertain: \
                 {unclear}; in the table: {listed}.",
            ),
        };
        rows.add(Section::Duties, text, [], &computed(self.facts.day));
    }

    fn duty(&self, rows: &mut Rows, applied: &Applied) {
        let language = self.language;
        let obligation = applied.obligation;
        let regulation = CATALOGUE.regulation(&obligation.regulation);
        let article = terms::article(language, &obligation.article);
        let law = terms::regulation(language, &obligation.regulation);
        let topic = terms::topic(language, obligation);
        let mut to: Vec<String> = Vec::new();
        // Those for whom it is open are not named together with those for whom it is certain.
        let wanted = if applied.is_certain() { Answer::Yes } else { Answer::Unknown };
        let addressees = applied.to.iter().filter(|it| it.answer == wanted);
        for addressee in addressees.map(|it| terms::addressee(language, it.addressee)) {
            if !to.iter().any(|it| it == addressee) {
                to.push(addressee.to_owned());
            }
        }
        let to = list(language, &to);
        let text = match applied.is_certain() {
            true => say!(
                language,
                "Für {to} gilt {article} {law}: {topic}.",
                "Pour {to}, {article} {law} s’applique: {topic}.",
                "Per {to} vale {article} {law}: {topic}.",
                "For {to}, {article} {law} applies: {topic}.",
            ),
            false => say!(
                language,
                "Ob für {to} {article} {law} gilt, zeigen die Quellen nicht: {topic}.",
                "Les sources ne montrent pas si {article} {law} s’applique pour {to}: {topic}.",
                "Le fonti non mostrano se per {to} vale {article} {law}: {topic}.",
                "The sources do not show whether {article} {law} applies for {to}: {topic}.",
            ),
        };
        let url = regulation.and_then(|it| it.source_url.as_deref());
        let provision = format!("{article} {law}");
        let applies = terms::applies(language, applied.is_certain()).to_owned();
        let cells = [provision, capitalised(&topic), capitalised(&to), applies];
        rows.obligation(&obligation.id, text, cells, &obligation.regulation, url);
    }
}

/// The text with a capital first letter.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// Whether it applies to the company itself, or may apply to it and to nobody with certainty.
fn is_of_company(applied: &&Applied) -> bool {
    let counts = |it: &AppliedTo| it.answer == Answer::Yes || !applied.is_certain();
    applied.to.iter().any(|it| it.addressee == Addressee::Company && counts(it))
}
