//! News, which are quoted, and what the dossier does not contain.

use domain::{
    ChangeKind,
    wording::{self, say},
};

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed, cut},
    terms,
};

/// Maximum length of a quoted title in characters.
const TITLE: usize = 200;
/// Number of owners that are named as not searched.
const NAMED: usize = 5;
/// Maximum length of the name of a publisher in characters.
const PUBLISHER: usize = 80;

impl RowWriter<'_> {
    pub(super) fn news(&self, rows: &mut Rows) {
        let language = self.language;
        let shown = self.at_level([0, 5, 15]);
        for item in self.facts.news.iter().take(shown) {
            let day = wording::date(language, item.date);
            let title = cut(&item.title, TITLE);
            let publisher = item.publisher.as_deref().map(|it| cut(it, PUBLISHER));
            let text = match publisher {
                Some(publisher) => say!(
                    language,
                    "Am {day} veröffentlichte «{publisher}» eine Meldung mit dem Titel «{title}».",
                    "Le {day}, «{publisher}» a publié un article intitulé «{title}».",
                    "Il {day} «{publisher}» ha pubblicato un articolo dal titolo «{title}».",
                    "On {day}, «{publisher}» published an item with the title «{title}».",
                ),
                None => say!(
                    language,
                    "Am {day} erschien eine Meldung mit dem Titel «{title}».",
                    "Le {day} est paru un article intitulé «{title}».",
                    "Il {day} è apparso un articolo dal titolo «{title}».",
                    "On {day}, an item with the title «{title}» appeared.",
                ),
            };
            rows.quote(Section::News, text, &item.source);
        }
        if shown > 0 && self.facts.news.len() > shown {
            let text = say!(
                language,
                "Aufgeführt sind nur die neuesten Meldungen: {shown}.",
                "Seuls les articles les plus récents sont énumérés: {shown}.",
                "Sono elencate solo le notizie più recenti: {shown}.",
                "Only the newest items are listed: {shown}.",
            );
            rows.add(Section::News, text, [], &computed(self.facts.day));
        }
    }

    pub(super) fn limits(&self, rows: &mut Rows) {
        let language = self.language;
        let source = computed(self.facts.day);
        let text = say!(
            language,
            "Dieses Dossier beruht allein auf öffentlichen Quellen; Aktionäre nennen sie in der Regel nicht.",
            "Ce dossier repose uniquement sur des sources publiques; en règle générale, elles ne nomment pas les actionnaires.",
            "Questo dossier si basa unicamente su fonti pubbliche; di regola esse non nominano gli azionisti.",
            "This dossier rests on public sources alone; as a rule they do not name shareholders.",
        );
        rows.add(Section::Limits, text, [], &source);
        self.beginning(rows);
        let Some(not_searched) = self.facts.owners_not_searched else {
            let text = say!(
                language,
                "Sanktionslisten wurden für dieses Dossier nicht abgefragt.",
                "Les listes de sanctions n’ont pas été consultées pour ce dossier.",
                "Le liste di sanzioni non sono state consultate per questo dossier.",
                "Sanctions lists were not searched for this dossier.",
            );
            return rows.add(Section::Limits, text, [], &source);
        };
        let text = say!(
            language,
            "Sanktionslisten wurden nach dem Unternehmen, seinen Organen und seinen bekannten Eigentümern durchsucht.",
            "Les listes de sanctions ont été consultées pour l’entreprise, ses organes et ses propriétaires connus.",
            "Le liste di sanzioni sono state consultate per l’impresa, i suoi organi e i suoi proprietari noti.",
            "Sanctions lists were searched for the company, its officers and its known owners.",
        );
        rows.add(Section::Limits, text, [], &source);
        let named: Vec<String> = not_searched.iter().map(|it| clean(it)).collect();
        if named.is_empty() {
            return;
        }
        let owners = wording::shortened(language, &named, NAMED);
        let not_searched = terms::not_searched(language, named.len());
        rows.add(Section::Limits, format!("{not_searched}: {owners}."), named, &source);
    }

    /// Since when publications are known, unless they contain the first entry.
    fn beginning(&self, rows: &mut Rows) {
        let language = self.language;
        let mut events = self.facts.history.events.iter().map(|it| &it.event);
        let Some(first) = events.clone().map(|it| it.date).min() else { return };
        if events.any(|it| it.kind == ChangeKind::NewRegistration) {
            return;
        }
        let first = wording::date(language, first);
        let text = say!(
            language,
            "Die Publikationen beginnen am {first}; wer vorher eingetragen und seither nicht erwähnt wurde, fehlt.",
            "Les publications commencent le {first}; il manque qui a été inscrit auparavant sans être mentionné depuis.",
            "Le pubblicazioni iniziano il {first}; manca chi è stato iscritto prima e da allora non è stato menzionato.",
            "The publications begin on {first}; who was entered before and has not been mentioned since is missing.",
        );
        rows.add(Section::Limits, text, [first], &computed(self.facts.day));
    }
}
