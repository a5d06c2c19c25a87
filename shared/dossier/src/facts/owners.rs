//! Who owns and controls the company, and what is missing.

use domain::Provenance;
use ownership::{BeneficialOwner, FallbackCause, Party, Reason};

use super::Telling;
use crate::{
    row::{Rows, Section, clean, computed},
    words::{list, percent, say},
};

/// Maximum number of entities that a sentence names.
const NAMES: usize = 3;

impl Telling<'_> {
    pub(super) fn owners(&self, rows: &mut Rows) {
        let resolution = self.facts.resolution;
        let owners = &resolution.beneficial_owners;
        let is_fallback = |it: &Reason| matches!(it, Reason::StatutoryFallback { .. });
        let (named, fallback): (Vec<_>, Vec<_>) =
            owners.iter().partition(|it| !it.reasons.iter().all(is_fallback));
        if named.is_empty() {
            self.no_owner(rows, &fallback);
        }
        for owner in named.iter().take(self.at_level([3, 10, 25])) {
            self.owner(rows, owner);
        }
        self.parents(rows);
        self.unattributed(rows);
        self.circles(rows);
    }

    fn name(&self, party: Party) -> String {
        clean(&self.facts.structure.name(party))
    }

    /// The statement that links an owner with what it owns.
    fn source(&self, owner: Party, owned: Party) -> Provenance {
        let mut links = self.facts.structure.links_to(owned).filter(|it| it.owner == owner);
        links.next().map_or_else(|| computed(self.facts.day), |it| it.source.clone())
    }

    fn owner(&self, rows: &mut Rows, owner: &BeneficialOwner) {
        let language = self.language;
        let name = self.name(owner.person);
        let entity = owner.path.get(1).copied().unwrap_or(self.facts.structure.root());
        let mut whys = Vec::new();
        for reason in &owner.reasons {
            let why = match reason {
                Reason::Ownership => {
                    let share = percent(owner.ownership.fraction());
                    say!(
                        language,
                        "über alle Stufen {share} des Kapitals",
                        "{share} du capital à travers tous les niveaux",
                        "{share} del capitale attraverso tutti i livelli",
                        "{share} of the capital over all levels",
                    )
                }
                Reason::Votes(votes) | Reason::ControlledVotes(votes) => {
                    let share = percent(votes.fraction());
                    say!(
                        language,
                        "{share} der Stimmen",
                        "{share} des voix",
                        "{share} dei voti",
                        "{share} of the votes",
                    )
                }
                Reason::Control(_) => {
                    say!(language, "die Kontrolle", "le contrôle", "il controllo", "the control",)
                }
                Reason::StatutoryFallback { .. } => continue,
            };
            whys.push(why);
        }
        let why = list(language, &whys);
        let text = say!(
            language,
            "{name} gilt als wirtschaftlich berechtigt und hat {why}.",
            "{name} compte comme ayant droit économique et détient {why}.",
            "{name} vale come avente economicamente diritto e detiene {why}.",
            "{name} counts as a beneficial owner and has {why}.",
        );
        rows.add(Section::Owners, text, [name], &self.source(owner.person, entity));
    }

    fn no_owner(&self, rows: &mut Rows, fallback: &[&BeneficialOwner]) {
        let language = self.language;
        let causes = fallback.iter().flat_map(|it| &it.reasons).filter_map(|it| match it {
            Reason::StatutoryFallback { cause, .. } => Some(*cause),
            _ => None,
        });
        let text = match causes.into_iter().next() {
            Some(FallbackCause::NoOwnersByLaw) => say!(
                language,
                "Die Rechtsform kennt keine Eigentümer.",
                "La forme juridique ne connaît pas de propriétaires.",
                "La forma giuridica non conosce proprietari.",
                "The legal form has no owners.",
            ),
            Some(FallbackCause::NoShareReachesTheThreshold) => say!(
                language,
                "Alle Eigentümer sind bekannt; keiner erreicht die Schwelle einer wirtschaftlich berechtigten Person.",
                "Tous les propriétaires sont connus; aucun n'atteint le seuil d'un ayant droit économique.",
                "Tutti i proprietari sono noti; nessuno raggiunge la soglia di un avente economicamente diritto.",
                "All owners are known; none of them reaches the threshold of a beneficial owner.",
            ),
            Some(FallbackCause::NoOwnerFound) | None => say!(
                language,
                "Die öffentlichen Quellen nennen keine wirtschaftlich berechtigte Person.",
                "Les sources publiques ne nomment aucun ayant droit économique.",
                "Le fonti pubbliche non nominano alcun avente economicamente diritto.",
                "The public sources name no beneficial owner.",
            ),
        };
        rows.add(Section::Owners, text, [], &computed(self.facts.day));
        let names: Vec<String> = fallback
            .iter()
            .take(self.at_level([NAMES, 10, 25]))
            .map(|it| self.name(it.person))
            .collect();
        if names.is_empty() {
            return;
        }
        let persons = list(language, &names);
        let text = say!(
            language,
            "Ersatzweise gelten nach dem Gesetz als kontrollierende Personen: {persons}.",
            "À titre subsidiaire, la loi considère comme personnes exerçant le contrôle: {persons}.",
            "In via sussidiaria, la legge considera persone che esercitano il controllo: {persons}.",
            "In their place, the law names the persons who direct the company: {persons}.",
        );
        rows.add(Section::Owners, text, names, &computed(self.facts.day));
    }

    fn parents(&self, rows: &mut Rows) {
        let (language, resolution) = (self.language, self.facts.resolution);
        let mut parents = resolution.controllers.iter().filter(|it| {
            it.is_ultimate && matches!(it.party, Party::Company(_) | Party::Foreign(_))
        });
        let Some(parent) = parents.next() else { return };
        let name = self.name(parent.party);
        let text = say!(
            language,
            "Oberste bekannte Muttergesellschaft ist {name}.",
            "La société mère ultime connue est {name}.",
            "La società madre ultima nota è {name}.",
            "The ultimate known parent is {name}.",
        );
        let owned = parent.steps.first().map_or(self.facts.structure.root(), |it| it.company);
        rows.add(Section::Owners, text, [name], &self.source(parent.party, owned));
    }

    fn unattributed(&self, rows: &mut Rows) {
        let (language, resolution) = (self.language, self.facts.resolution);
        if resolution.unattributed.is_empty() {
            return;
        }
        let share = percent(resolution.unattributed_percentage.fraction());
        let names: Vec<String> =
            resolution.unattributed.iter().take(NAMES).map(|it| self.name(it.party)).collect();
        let entities = list(language, &names);
        let text = say!(
            language,
            "Von {share} des Kapitals sind die letzten Eigentümer nicht bekannt; die Kette endet bei: {entities}.",
            "Les derniers propriétaires de {share} du capital ne sont pas connus; la chaîne s'arrête à: {entities}.",
            "Gli ultimi proprietari di {share} del capitale non sono noti; la catena termina a: {entities}.",
            "The last owners of {share} of the capital are not known; the chain ends at: {entities}.",
        );
        rows.add(Section::Owners, text, names, &computed(self.facts.day));
    }

    fn circles(&self, rows: &mut Rows) {
        let language = self.language;
        if self.facts.resolution.is_circular() {
            let text = say!(
                language,
                "In der Kette der Eigentümer besitzen sich Gesellschaften gegenseitig.",
                "Dans la chaîne des propriétaires, des sociétés se détiennent mutuellement.",
                "Nella catena dei proprietari vi sono società che si detengono a vicenda.",
                "In the chain of owners, companies own each other.",
            );
            rows.add(Section::Owners, text, [], &computed(self.facts.day));
        }
        if !self.facts.structure.cut_off().is_empty() {
            let text = say!(
                language,
                "Die Kette der Eigentümer wurde nicht bis zum Ende verfolgt.",
                "La chaîne des propriétaires n'a pas été suivie jusqu'à son terme.",
                "La catena dei proprietari non è stata seguita fino alla fine.",
                "The chain of owners was not followed to its end.",
            );
            rows.add(Section::Owners, text, [], &computed(self.facts.day));
        }
    }
}
