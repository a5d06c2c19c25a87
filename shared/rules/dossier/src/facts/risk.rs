//! The risk with its factors.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use domain::{
    Provenance,
    terms::legal_event,
    wording::{self, list, percent, say},
};
use risk::{Direction, Evidence, FactorBreakdown, Sign};

use super::RowWriter;
use crate::{
    row::{Rows, Section, computed},
    terms,
};

impl RowWriter<'_> {
    pub(super) fn risk(&self, rows: &mut Rows) {
        let (language, risk) = (self.language, self.facts.risk);
        let mut changed: Vec<&FactorBreakdown> =
            risk.factors.iter().filter(|it| it.evidence_applied).collect();
        // What weighs most comes first, in either direction.
        changed.sort_by(|one, other| {
            let weight = |it: &FactorBreakdown| it.log_odds_contribution.abs();
            weight(other).total_cmp(&weight(one)).then(one.factor.cmp(&other.factor))
        });
        let shown = self.at_level([3, 9, 9]);
        for factor in changed.iter().take(shown) {
            self.factor(rows, factor);
        }
        let what = [
            "Weitere Faktoren mit Hinweisen",
            "Autres facteurs avec des indices",
            "Altri fattori con indizi",
            "Other factors with evidence",
        ];
        self.left_out(rows, Section::Risk, [changed.len(), shown], what);
        let unchanged = risk.factors.iter().filter(|it| !it.evidence_applied);
        let names: Vec<&str> = unchanged.map(|it| terms::factor(language, it.factor)).collect();
        if !self.is_summary() && !names.is_empty() {
            // Some names contain "and".
            let factors = names.join("; ");
            let unchanged = terms::unchanged_factors(language, names.len());
            let text = format!("{unchanged}: {factors}.");
            rows.add(Section::Risk, text, [], &computed(risk.as_of));
        }
    }

    fn factor(&self, rows: &mut Rows, factor: &FactorBreakdown) {
        let language = self.language;
        let name = terms::factor(language, factor.factor);
        let (before, after) = (percent(factor.prior_mean), percent(factor.posterior_mean));
        let text = match factor.change() {
            Ordering::Greater => say!(
                language,
                "Der Faktor {name} steigt von {before} auf {after}.",
                "Le facteur {name} passe de {before} à {after} et augmente le risque.",
                "Il fattore {name} sale da {before} a {after}.",
                "The factor {name} rises from {before} to {after}.",
            ),
            Ordering::Less => say!(
                language,
                "Der Faktor {name} sinkt von {before} auf {after}.",
                "Le facteur {name} passe de {before} à {after} et diminue le risque.",
                "Il fattore {name} scende da {before} a {after}.",
                "The factor {name} falls from {before} to {after}.",
            ),
            Ordering::Equal => say!(
                language,
                "Der Faktor {name} bleibt bei {before}.",
                "Le facteur {name} reste à {before}.",
                "Il fattore {name} resta a {before}.",
                "The factor {name} stays at {before}.",
            ),
        };
        rows.add(Section::Risk, text, [], &computed(self.facts.risk.as_of));
        if self.at_level([0, 0, 1]) == 1 {
            self.observations(rows, factor);
        }
    }

    /// What the evidence of a sign shows, at the end of a sentence: the state or the event itself if the sign stands for several.
    pub(super) fn observed(&self, sign: Sign, evidence: &[&Evidence]) -> &'static str {
        let (language, reason) = (self.language, self.facts.company.status_reason);
        let state = match sign {
            Sign::Insolvent
            | Sign::Moratorium
            | Sign::DissolvedForDefect
            | Sign::DissolvedByCourt
            | Sign::Ending => reason,
            _ => None,
        };
        let event = |it: &Evidence| {
            let events = self.facts.history.events.iter().map(|it| &it.event);
            let mut of_evidence = events.filter(|event| {
                Some(event.date) == it.observed_at && event.source.reference == it.reference
            });
            of_evidence.find_map(|it| it.legal_event.filter(|it| Sign::of_event(*it) == Some(sign)))
        };
        let of_sign = || terms::sign(language, sign, self.is_deleted());
        match (state, evidence) {
            (Some(reason), _) => terms::status_reason_of(language, reason, self.facts.history),
            (None, [one]) => event(one).map_or_else(of_sign, |it| language.of(legal_event(it))),
            _ => of_sign(),
        }
    }

    /// In brackets, the years in which counted events were published: an event of long ago and a state since then are no contradiction.
    pub(super) fn years(&self, sign: Sign, evidence: &[&Evidence]) -> String {
        let language = self.language;
        let days = evidence.iter().filter_map(|it| it.observed_at);
        let years: BTreeSet<i16> = days.map(|it| it.year()).collect();
        let is_state = sign.half_life_days().is_none();
        if is_state || years.is_empty() {
            return String::new();
        }
        let years: Vec<String> = years.iter().map(i16::to_string).collect();
        let years = list(language, &years);
        say!(
            language,
            " (publiziert: {years})",
            " (publication: {years})",
            " (pubblicazione: {years})",
            " (published: {years})",
        )
    }

    /// One row for each sign of a factor, with the number of its observations.
    fn observations(&self, rows: &mut Rows, factor: &FactorBreakdown) {
        let language = self.language;
        let mut of_sign: BTreeMap<(Direction, Sign), Vec<&Evidence>> = BTreeMap::new();
        for evidence in &factor.evidence {
            of_sign.entry((evidence.direction, evidence.sign)).or_default().push(evidence);
        }
        for ((direction, sign), evidence) in of_sign {
            let what = format!("{}{}", self.observed(sign, &evidence), self.years(sign, &evidence));
            let times = wording::number(language, evidence.len() as u64);
            let observed = terms::observations(language, direction, evidence.len());
            let text = format!("{observed} ({times}): {what}.");
            let Some(first) = evidence.first() else { continue };
            let source = Provenance {
                source: first.source.clone(),
                reference: first.reference.clone(),
                date: first.observed_at,
            };
            rows.add(Section::Risk, text, [], &source);
        }
    }
}
