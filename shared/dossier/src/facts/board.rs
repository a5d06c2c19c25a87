//! Officers and signatories.

use domain::persons::{Mandate, RoleCategory};

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed},
    terms,
    words::{self, say},
};

impl RowWriter<'_> {
    pub(super) fn board(&self, rows: &mut Rows) {
        let language = self.language;
        let mandates = self.facts.history.board();
        let of = |category| {
            mandates.iter().filter(|it| it.categories().any(|it| it == category)).count() as u64
        };
        if mandates.is_empty() {
            let text = say!(
                language,
                "Die Quellen nennen keine Organe und Zeichnungsberechtigten.",
                "Les sources ne nomment aucun organe ni aucune personne autorisée à signer.",
                "Le fonti non nominano alcun organo né alcuna persona autorizzata a firmare.",
                "The sources name no officers or signatories.",
            );
            rows.add(Section::Board, text, [], &computed(self.facts.day));
            return;
        }
        let all = words::number(language, mandates.len() as u64);
        let board = words::number(language, of(RoleCategory::Board));
        let management = words::number(language, of(RoleCategory::Management));
        let text = say!(
            language,
            "Geltende Einträge von Organen und Zeichnungsberechtigten: {all}, davon {board} im obersten Leitungsorgan und \
             {management} in der Geschäftsleitung.",
            "Inscriptions en vigueur d'organes et de signataires: {all}, dont {board} dans l'organe de direction suprême et \
             {management} dans la direction.",
            "Iscrizioni in vigore di organi e firmatari: {all}, di cui {board} nell'organo superiore di direzione e {management} \
             nella direzione.",
            "Current entries of officers and signatories: {all}, of which {board} on the board and {management} in the \
             management.",
        );
        rows.add(Section::Board, text, [], &computed(self.facts.day));
        let shown = self.at_level([0, 15, 60]);
        for mandate in mandates.iter().take(shown) {
            self.mandate(rows, mandate);
        }
        if !self.is_summary() && mandates.len() > shown {
            let more = words::number(language, (mandates.len() - shown) as u64);
            let text = say!(
                language,
                "Weitere {more} Einträge sind hier nicht aufgeführt.",
                "{more} autres inscriptions ne sont pas énumérées ici.",
                "Altre {more} iscrizioni non sono elencate qui.",
                "A further {more} entries are not listed here.",
            );
            rows.add(Section::Board, text, [], &computed(self.facts.day));
        }
    }

    fn mandate(&self, rows: &mut Rows, mandate: &Mandate) {
        let language = self.language;
        let mut name = clean(&mandate.person.full_name());
        if let Some(residence) = mandate.person.residence.as_deref().map(clean) {
            name = format!("{name} ({residence})");
        }
        let roles: Vec<String> = mandate.categories().map(|it| terms::role(language, it)).collect();
        let role = words::list(language, &roles);
        let signing = mandate.signing_authority.and_then(|it| terms::signing(language, it));
        let signing = match signing {
            Some(signing) => say!(
                language,
                " mit {signing}",
                " avec {signing}",
                " con {signing}",
                " with {signing}",
            ),
            None => String::new(),
        };
        let mut names = vec![name.clone()];
        let since = match mandate.since {
            Some(day) => {
                let day = words::date(language, day);
                names.push(day.clone());
                say!(language, ", seit {day}", ", depuis le {day}", ", dal {day}", ", since {day}")
            }
            None => String::new(),
        };
        let text = say!(
            language,
            "{name} ist eingetragen als {role}{signing}{since}.",
            "{name} figure au registre comme {role}{signing}{since}.",
            "{name} figura nel registro come {role}{signing}{since}.",
            "{name} is entered as {role}{signing}{since}.",
        );
        rows.add(Section::Board, text, names, &mandate.source);
    }
}
