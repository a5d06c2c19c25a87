//! Provisions that apply to the company, or to others because of it.

use obligations::{Addressee, Answer, Applied, CATALOGUE, Obligation, Scope};
use teams::DossierLevel;

use domain::{
    terms::capitalised,
    wording::{self, say},
};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed},
    terms,
};

/// Maximum number of duties that a summary lists.
const SUMMARY: usize = 5;

/// That a provision applies to somebody, or that the sources do not show whether it does.
#[derive(Clone, Copy)]
struct Duty {
    obligation: &'static Obligation,
    addressee: Addressee,
    is_certain: bool,
}

impl Duty {
    fn is_of_company(&self) -> bool {
        self.addressee == Addressee::Company
    }
}

/// The duties of each addressee. What is certain for one says nothing about another: each has its own.
fn duties(scope: &Scope) -> Vec<Duty> {
    let mut duties: Vec<Duty> = Vec::new();
    for Applied { obligation, to, .. } in &scope.applied {
        let first = duties.len();
        for applied in to {
            let (addressee, is_certain) = (applied.addressee, applied.answer == Answer::Yes);
            match duties[first..].iter_mut().find(|it| it.addressee == addressee) {
                Some(known) => known.is_certain |= is_certain,
                None => duties.push(Duty { obligation, addressee, is_certain }),
            }
        }
    }
    duties
}

impl RowWriter<'_> {
    pub(super) fn duties(&self, rows: &mut Rows) {
        let all = duties(self.facts.scope);
        // Of the company first; what is certain before the rest; in the order of the catalogue.
        let mut listed = all.clone();
        listed.retain(|it| self.level == DossierLevel::Detailed || it.is_of_company());
        listed.sort_by_key(|it| (!it.is_of_company(), !it.is_certain));
        // Beyond the summary, every one of them: what is left out would seem not to apply.
        if self.is_summary() {
            listed.truncate(SUMMARY);
        }
        self.counted_duties(rows, &all, listed.len());
        for duty in listed {
            self.duty(rows, duty);
        }
    }

    /// How many duties the company has, how many provisions are about others, and how many lines the table has.
    fn counted_duties(&self, rows: &mut Rows, all: &[Duty], listed: usize) {
        let language = self.language;
        let number = |it: usize| wording::number(language, it as u64);
        let own = |is_certain| {
            let own = all.iter().filter(|it| it.is_of_company() && it.is_certain == is_certain);
            number(own.count())
        };
        let (applying, open) = (own(true), own(false));
        let others = all.iter().filter(|it| !it.is_of_company());
        let mut others: Vec<&str> = others.map(|it| it.obligation.id.as_str()).collect();
        others.dedup();
        let (others, listed) = (number(others.len()), number(listed));
        let text = match all {
            [] => say!(
                language,
                "Keine Bestimmung des Katalogs gilt für das Unternehmen.",
                "Aucune disposition du catalogue ne s’applique à l’entreprise.",
                "Nessuna disposizione del catalogo si applica all’impresa.",
                "No provision of the catalogue applies to the company.",
            ),
            _ => say!(
                language,
                "Bestimmungen des Katalogs für das Unternehmen: geltend {applying}, offen {open}; mit Bezug zum Unternehmen für \
                 andere geltend oder offen: {others}; Zeilen der Tabelle: {listed}.",
                "Dispositions du catalogue pour l’entreprise: applicables {applying}, incertaines {open}; en rapport avec \
                 l’entreprise, applicables ou incertaines pour d’autres: {others}; lignes du tableau: {listed}.",
                "Disposizioni del catalogo per l’impresa: applicabili {applying}, incerte {open}; in relazione all’impresa, \
                 applicabili o incerte per altri: {others}; righe della tabella: {listed}.",
                "Provisions of the catalogue for the company: applicable {applying}, uncertain {open}; applicable or uncertain for \
                 others because of the company: {others}; lines of the table: {listed}.",
            ),
        };
        rows.add(Section::Duties, text, [], &computed(self.facts.day));
    }

    fn duty(&self, rows: &mut Rows, Duty { obligation, addressee, is_certain }: Duty) {
        let language = self.language;
        let regulation = CATALOGUE.regulation(&obligation.regulation);
        let article = terms::article(language, &obligation.article);
        let law = terms::regulation(language, &obligation.regulation);
        let topic = terms::topic(language, obligation);
        let to = terms::addressee(language, addressee);
        let text = match is_certain {
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
        let applies = terms::applies(language, is_certain).to_owned();
        let cells = [provision, capitalised(&topic), capitalised(to), applies];
        rows.obligation(&obligation.id, text, cells, &obligation.regulation, url);
    }
}
