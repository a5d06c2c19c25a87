//! Which audit the law requires, and who audits.

use domain::{
    auditors::Tenure,
    wording::{self, say},
};
use obligations::{Basis, FactName, RegimeKind, waiver_for_later_years};

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed},
    terms,
};

impl RowWriter<'_> {
    pub(super) fn audit(&self, rows: &mut Rows) {
        let (language, regime) = (self.language, self.facts.regime);
        let is_exempt = regime.reasons.iter().any(|it| it.fact == FactName::AuditWaiver);
        let waived_after = waiver_for_later_years(self.facts.company, self.facts.history)
            .map(|it| wording::date(language, it));
        let sentence = match (regime.kind, &waived_after) {
            (RegimeKind::Limited, Some(day)) => say!(
                language,
                "Das Unternehmen untersteht im laufenden Geschäftsjahr vermutlich noch der eingeschränkten Revision, auf die es für die Geschäftsjahre verzichtet hat, die nach dem {day} beginnen",
                "L’entreprise est présumée encore soumise, pour l’exercice en cours, au contrôle restreint, auquel elle a renoncé pour les exercices qui commencent après le {day}",
                "L’impresa è presumibilmente ancora soggetta, nell’esercizio in corso, alla revisione limitata, alla quale ha rinunciato per gli esercizi che iniziano dopo il {day}",
                "The company probably still has to have a limited audit of the current financial year; it has waived that of financial years that begin after {day}",
            ),
            (RegimeKind::OptingOut, Some(day)) => say!(
                language,
                "Das Unternehmen hat für die Geschäftsjahre, die nach dem {day} beginnen, auf die eingeschränkte Revision verzichtet",
                "L’entreprise a renoncé au contrôle restreint pour les exercices qui commencent après le {day}",
                "L’impresa ha rinunciato alla revisione limitata per gli esercizi che iniziano dopo il {day}",
                "The company has waived the limited audit of financial years that begin after {day}",
            ),
            (RegimeKind::Unknown, _) if regime.basis == Basis::Stated => {
                terms::pension_foundation(language).to_owned()
            }
            (RegimeKind::None, _) if is_exempt => terms::exempt_foundation(language).to_owned(),
            (RegimeKind::Ordinary, _) if regime.basis == Basis::Assumed => {
                terms::assumed_ordinary(language).to_owned()
            }
            (kind, _) => terms::regime(language, kind).to_owned(),
        };
        let text = match (regime.basis, regime.kind) {
            (Basis::Assumed, RegimeKind::OptingOut) => say!(
                language,
                "{sentence}; ob das Gesetz trotzdem eine ordentliche Revision verlangt, zeigen die Quellen nicht.",
                "{sentence}; les sources ne montrent pas si la loi exige malgré cela un contrôle ordinaire.",
                "{sentence}; le fonti non mostrano se la legge esiga nondimeno una revisione ordinaria.",
                "{sentence}; the sources do not show whether the law requires an ordinary audit in spite of that.",
            ),
            (Basis::Assumed, _) => say!(
                language,
                "{sentence}; dies ist eine Annahme, weil die Quellen nicht alles zeigen, was darüber entscheidet.",
                "{sentence}; c’est une hypothèse, car les sources ne montrent pas tout ce qui est déterminant.",
                "{sentence}; è un’ipotesi, perché le fonti non mostrano tutto ciò che è determinante.",
                "{sentence}; this is an assumption, because the sources do not show everything that decides about it.",
            ),
            _ => format!("{sentence}."),
        };
        rows.add(Section::Audit, text, waived_after, &computed(self.facts.day));
        let current = self.facts.history.current_tenure();
        match current {
            Some(tenure) => self.current_auditor(rows, tenure),
            None => self.auditor_of_record(rows),
        }
        let former = self.facts.history.tenures.iter().rev().filter(|it| it.resigned_at.is_some());
        let shown = self.at_level([0, 1, 10]);
        for tenure in former.clone().take(shown) {
            self.former_auditor(rows, tenure);
        }
        let what = [
            "Weitere frühere Revisionsstellen",
            "Autres anciens organes de révision",
            "Altri precedenti uffici di revisione",
            "Other former auditors",
        ];
        self.left_out(rows, Section::Audit, [former.count(), shown], what);
    }

    fn current_auditor(&self, rows: &mut Rows, tenure: &Tenure) {
        let language = self.language;
        let name = clean(&tenure.auditor_name);
        let mut names = vec![name.clone()];
        let text = match tenure.appointed_at {
            Some(published) => match self.facts.history.journal_date(published) {
                Some(day) => {
                    let day = wording::date(language, day);
                    names.push(day.clone());
                    say!(
                        language,
                        "Revisionsstelle ist seit dem {day} {name}.",
                        "L’organe de révision est depuis le {day} {name}.",
                        "L’ufficio di revisione è dal {day} {name}.",
                        "The auditor since {day} is {name}.",
                    )
                }
                None => {
                    names.push(wording::date(language, published));
                    let published = wording::published(language, published);
                    say!(
                        language,
                        "Revisionsstelle ist {name} {published}.",
                        "L’organe de révision est {name} {published}.",
                        "L’ufficio di revisione è {name} {published}.",
                        "The auditor is {name} {published}.",
                    )
                }
            },
            None => say!(
                language,
                "Revisionsstelle ist {name}.",
                "L’organe de révision est {name}.",
                "L’ufficio di revisione è {name}.",
                "The auditor is {name}.",
            ),
        };
        rows.add(Section::Audit, text, names, &tenure.source);
    }

    fn auditor_of_record(&self, rows: &mut Rows) {
        let language = self.language;
        match self.facts.company.auditor_name.as_deref().map(clean) {
            Some(name) => {
                let text = say!(
                    language,
                    "Das Register nennt als Revisionsstelle {name}.",
                    "Le registre nomme comme organe de révision {name}.",
                    "Il registro nomina come ufficio di revisione {name}.",
                    "The register names as auditor {name}.",
                );
                rows.add(Section::Audit, text, [name], &self.source_of("auditorName"));
            }
            None => {
                let text = say!(
                    language,
                    "Die Quellen nennen keine Revisionsstelle.",
                    "Les sources ne nomment aucun organe de révision.",
                    "Le fonti non nominano alcun ufficio di revisione.",
                    "The sources name no auditor.",
                );
                rows.add(Section::Audit, text, [], &computed(self.facts.day));
            }
        }
    }

    fn former_auditor(&self, rows: &mut Rows, tenure: &Tenure) {
        let language = self.language;
        let name = clean(&tenure.auditor_name);
        let Some(published) = tenure.resigned_at else { return };
        let journal_date = self.facts.history.journal_date(published);
        let end = wording::date(language, journal_date.unwrap_or(published));
        let text = match journal_date {
            Some(_) => say!(
                language,
                "Das Mandat der früheren Revisionsstelle {name} endete am {end}.",
                "Le mandat de l’ancien organe de révision {name} a pris fin le {end}.",
                "Il mandato del precedente ufficio di revisione {name} è terminato il {end}.",
                "The mandate of the former auditor {name} ended on {end}.",
            ),
            None => say!(
                language,
                "Das Ende des Mandats der früheren Revisionsstelle {name} wurde am {end} publiziert.",
                "La fin du mandat de l’ancien organe de révision {name} a été publiée le {end}.",
                "La fine del mandato del precedente ufficio di revisione {name} è stata pubblicata il {end}.",
                "The end of the mandate of the former auditor {name} was published on {end}.",
            ),
        };
        rows.add(Section::Audit, text, [name, end], &tenure.source);
    }
}
