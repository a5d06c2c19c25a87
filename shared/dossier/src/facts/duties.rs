//! Provisions that apply to the company, or to others because of it.

use obligations::{Addressee, Answer, Applied, AppliedTo, CATALOGUE};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed},
    terms,
    words::{self, list, say},
};

impl RowWriter<'_> {
    pub(super) fn duties(&self, rows: &mut Rows) {
        let (language, scope) = (self.language, self.facts.scope);
        let certain = scope.applied.iter().filter(|it| it.is_certain());
        let all = words::number(language, certain.clone().count() as u64);
        let own = words::number(language, certain.filter(is_of_company).count() as u64);
        let unclear = scope.applied.iter().filter(|it| !it.is_certain()).count();
        let unclear = words::number(language, unclear as u64);
        let text = say!(
            language,
            "Vom Katalog der Bestimmungen gelten {all} mit Bezug zum Unternehmen, davon {own} für das Unternehmen selbst; bei \
             {unclear} weiteren ist es offen.",
            "Du catalogue des dispositions, {all} s'appliquent en rapport avec l'entreprise, dont {own} à l'entreprise \
             elle-même; pour {unclear} autres, la question est ouverte.",
            "Del catalogo delle disposizioni, {all} si applicano in relazione all'impresa, di cui {own} all'impresa stessa; per \
             altre {unclear} la questione è aperta.",
            "Of the catalogue of provisions, {all} apply to the company or to others because of it, {own} of them to the company itself; for \
             {unclear} others this is open.",
        );
        rows.add(Section::Duties, text, [], &computed(self.facts.day));
        let shown = self.at_level([5, 30, 60]);
        let is_shown = |it: &&Applied| self.at_level([0, 0, 1]) == 1 || is_of_company(it);
        // What is certain comes first, in the order of the catalogue.
        let (certain, unclear): (Vec<_>, Vec<_>) =
            scope.applied.iter().filter(is_shown).partition(|it| it.is_certain());
        for applied in certain.into_iter().chain(unclear).take(shown) {
            self.duty(rows, applied);
        }
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
                "Pour {to}, {article} {law} s'applique: {topic}.",
                "Per {to} vale {article} {law}: {topic}.",
                "For {to}, {article} {law} applies: {topic}.",
            ),
            false => say!(
                language,
                "Ob für {to} {article} {law} gilt, zeigen die Quellen nicht: {topic}.",
                "Les sources ne montrent pas si {article} {law} s'applique pour {to}: {topic}.",
                "Le fonti non mostrano se per {to} vale {article} {law}: {topic}.",
                "The sources do not show whether {article} {law} applies for {to}: {topic}.",
            ),
        };
        let url = regulation.and_then(|it| it.source_url.as_deref());
        rows.obligation(&obligation.id, text, &obligation.regulation, url);
    }
}

/// Whether it applies to the company itself, or may apply to it and to nobody with certainty.
fn is_of_company(applied: &&Applied) -> bool {
    let counts = |it: &AppliedTo| it.answer == Answer::Yes || !applied.is_certain();
    applied.to.iter().any(|it| it.addressee == Addressee::Company && counts(it))
}
