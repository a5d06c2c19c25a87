//! Officers and signatories.

use std::collections::BTreeMap;

use domain::{
    persons::{Mandate, RoleCategory},
    terms::{capitalised, offices},
    wording::{self, say},
};
use jiff::civil::Date;

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed, cut},
    terms,
};

/// Maximum length of a published role in characters.
const ROLE: usize = 120;

impl RowWriter<'_> {
    pub(super) fn board(&self, rows: &mut Rows) {
        let language = self.language;
        let legal_form = self.facts.company.legal_form_code.as_deref();
        let mandates = self.facts.history.board();
        if mandates.is_empty() && self.is_deleted() {
            return self.former_board(rows);
        }
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
        let all = wording::number(language, mandates.len() as u64);
        let mut of_category: BTreeMap<RoleCategory, u64> = BTreeMap::new();
        // Who has several offices counts in each.
        for category in mandates.iter().flat_map(|it| it.categories()) {
            *of_category.entry(category).or_default() += 1;
        }
        let counts = of_category.into_iter().map(|(category, count)| {
            let organ = capitalised(language.of(offices::heading(category, legal_form)));
            format!("{organ}: {}", wording::number(language, count))
        });
        let counts = counts.collect::<Vec<_>>().join("; ");
        let text = say!(
            language,
            "Geltende Einträge von Organen und Zeichnungsberechtigten: {all} ({counts}).",
            "Inscriptions en vigueur d’organes et de signataires: {all} ({counts}).",
            "Iscrizioni in vigore di organi e firmatari: {all} ({counts}).",
            "Current entries of officers and signatories: {all} ({counts}).",
        );
        rows.add(Section::Board, text, [], &computed(self.facts.day));
        let shown = self.at_level([0, 15, 60]);
        for mandate in mandates.iter().take(shown) {
            self.mandate(rows, mandate);
        }
        // The summary lists nobody.
        if !self.is_summary() {
            let what = [
                "Hier nicht aufgeführte Einträge",
                "Inscriptions non énumérées ici",
                "Iscrizioni non elencate qui",
                "Entries not listed here",
            ];
            self.left_out(rows, Section::Board, [mandates.len(), shown], what);
        }
    }

    /// That a deleted company has no officers any more, and who they were in the end.
    fn former_board(&self, rows: &mut Rows) {
        let language = self.language;
        let text = say!(
            language,
            "Das Unternehmen ist gelöscht; Einträge von Organen und Zeichnungsberechtigten gelten nicht mehr.",
            "L’entreprise est radiée; les inscriptions d’organes et de signataires ne sont plus en vigueur.",
            "L’impresa è cancellata; le iscrizioni di organi e firmatari non sono più in vigore.",
            "The company is deleted; entries of officers and signatories are not in force any more.",
        );
        rows.add(Section::Board, text, [], &computed(self.facts.day));
        let legal_form = self.facts.company.legal_form_code.as_deref();
        let last: Vec<&Mandate> = self.entered_until_deletion().collect();
        let Some(source) = last.first().map(|it| &it.source) else { return };
        let mut names: Vec<String> = Vec::new();
        let entries = last.iter().map(|it| {
            let name = clean(&it.person.full_name());
            let role = cut(&offices::in_words(language, it, legal_form), ROLE);
            names.extend([name.clone(), role.clone()]);
            format!("{name} ({role})")
        });
        let entries: Vec<String> = entries.collect();
        let until = terms::until_deletion(language, last.len());
        let entries = wording::shortened(language, &entries, self.at_level([3, 15, 60]));
        rows.add(Section::Board, format!("{until}: {entries}."), names, source);
    }

    fn mandate(&self, rows: &mut Rows, mandate: &Mandate) {
        let language = self.language;
        let mut name = clean(&mandate.person.full_name());
        if let Some(residence) = mandate.person.residence.as_deref().map(clean) {
            name = format!("{name} ({residence})");
        }
        let role = self.role(mandate);
        let signing = mandate.signing_authority.and_then(|it| terms::signing(language, it));
        let signing = match signing {
            Some(signing) => say!(
                language,
                ", mit {signing}",
                ", avec {signing}",
                ", con {signing}",
                ", with {signing}",
            ),
            None => String::new(),
        };
        let mut names = vec![name.clone()];
        // A full stop in a published role ends no sentence.
        names.extend(role.contains('.').then(|| role.clone()));
        let role_since = mandate.role_since();
        // A day after the signature is that since which the person signs so.
        let signs_since =
            mandate.signature_since().filter(|it| !signing.is_empty() && Some(*it) != role_since);
        let signs = signs_since.map_or_else(String::new, |it| self.since(it));
        let entered = mandate.since.filter(|it| role_since != Some(*it));
        let days = [role_since, signs_since, entered].into_iter().flatten();
        names.extend(days.map(|it| {
            let day = self.facts.history.journal_date(it).unwrap_or(it);
            wording::date(language, day)
        }));
        let entered = entered.map_or_else(String::new, |it| {
            let since = self.since(it);
            say!(
                language,
                "; im Register{since}",
                "; au registre{since}",
                "; nel registro{since}",
                "; in the register{since}",
            )
        });
        // Of an office that began earlier, the latest change began only its form: a presidency, for example.
        let changed = role_since.filter(|_| mandate.other_categories.is_empty());
        let changed = changed.filter(|_| mandate.office_since(mandate.category).is_none());
        let changed = changed.map_or_else(String::new, |it| {
            let since = self.since(it);
            say!(
                language,
                "; in dieser Funktion{since}",
                "; dans cette fonction{since}",
                "; in questa funzione{since}",
                "; in this capacity{since}",
            )
        });
        let text = say!(
            language,
            "{name} ist eingetragen als {role}{signing}{signs}{entered}{changed}.",
            "{name} figure au registre comme {role}{signing}{signs}{entered}{changed}.",
            "{name} figura nel registro come {role}{signing}{signs}{entered}{changed}.",
            "{name} is entered as {role}{signing}{signs}{entered}{changed}.",
        );
        rows.add(Section::Board, text, names, &mandate.source);
    }

    /// The offices, with the day since which somebody has the new ones among them: who becomes a liquidator was often in office
    /// before.
    fn role(&self, mandate: &Mandate) -> String {
        let language = self.language;
        let legal_form = self.facts.company.legal_form_code.as_deref();
        let begin = |category| mandate.office_since(category);
        let said = |since: Option<Date>| since.map_or_else(String::new, |it| self.since(it));
        let since = begin(mandate.category);
        if mandate.categories().all(|it| begin(it) == since) {
            let since = said(since);
            let role = cut(&offices::in_words(language, mandate, legal_form), ROLE);
            return format!("{role}{since}");
        }
        let named = offices::offices(language, mandate, legal_form);
        let offices = named
            .into_iter()
            .zip(mandate.categories())
            .map(|(office, category)| format!("{office}{}", said(begin(category))));
        wording::list(language, &offices.collect::<Vec<_>>())
    }

    /// Since when something is so that was published on a day: the day of the journal, or else that it is the day of publication.
    fn since(&self, published: Date) -> String {
        let (language, history) = (self.language, self.facts.history);
        let Some(day) = history.journal_date(published) else {
            return format!(" {}", wording::published(language, published));
        };
        let day = wording::date(language, day);
        say!(language, " seit {day}", " depuis le {day}", " dal {day}", " since {day}")
    }
}
