//! Who owns and controls the company, and what is missing.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use domain::{
    Provenance,
    company::StatusReason,
    terms::reasons_for_no_parent,
    wording::{in_number, list, percent, say, shortened},
};
use ownership::{
    BeneficialOwner, Criteria, FallbackCause, Form, Link, LinkKind, Party, Percent, Reason,
};

use super::RowWriter;
use crate::{
    row::{Rows, Section, clean, computed},
    terms,
};

/// Maximum number of entities that a sentence names.
const NAMES: usize = 3;

impl RowWriter<'_> {
    pub(super) fn owners(&self, rows: &mut Rows) {
        let (structure, resolution) = (self.facts.structure, self.facts.resolution);
        let root = structure.root();
        let could_have_owners = structure.is_absorbed() || structure.form(root).can_have_owners();
        if self.is_deleted() && could_have_owners {
            return self.former_owners(rows);
        }
        let owners = &resolution.beneficial_owners;
        let is_fallback = |it: &Reason| matches!(it, Reason::StatutoryFallback { .. });
        let named: Vec<_> =
            owners.iter().filter(|it| !it.reasons.iter().all(is_fallback)).collect();
        // Beside other owners, a foundation or association may hold a part: its directors are named too.
        self.directed(rows, owners, named.is_empty());
        let shown = self.at_level([3, 10, 25]);
        for owner in named.iter().take(shown) {
            self.owner(rows, owner);
        }
        let what = [
            "Weitere wirtschaftlich berechtigte Personen",
            "Autres ayants droit économiques",
            "Altri aventi economicamente diritto",
            "Other beneficial owners",
        ];
        self.left_out(rows, Section::Owners, [named.len(), shown], what);
        self.parents(rows);
        self.unattributed(rows);
        self.circles(rows);
    }

    /// That a deleted company has no owners any more, and which ones the register named in the end.
    fn former_owners(&self, rows: &mut Rows) {
        let language = self.language;
        let text = say!(
            language,
            "Das Unternehmen ist gelöscht und hat keine Eigentümer mehr.",
            "L’entreprise est radiée et n’a plus de propriétaires.",
            "L’impresa è cancellata e non ha più proprietari.",
            "The company is deleted and has no owners any more.",
        );
        rows.add(Section::Owners, text, [], &computed(self.facts.day));
        self.successor(rows);
        let owners = || self.entered_until_deletion().filter(|it| it.owns());
        let Some(source) = owners().next().map(|it| &it.source) else { return };
        let names: Vec<String> = owners().map(|it| clean(&it.person.full_name())).collect();
        let owners = shortened(language, &names, self.at_level([NAMES, 10, 25]));
        let entered = terms::owners_until_deletion(language, names.len());
        rows.add(Section::Owners, format!("{entered}: {owners}."), names, source);
    }

    /// The company that took this one over, which is no owner of it: the merger dissolved it (art. 3 para. 2 of the Merger Act).
    fn successor(&self, rows: &mut Rows) {
        let structure = self.facts.structure;
        let mut links = structure.links_to(structure.root());
        let Some(merger) = links.find(|it| it.kind == LinkKind::Merger) else { return };
        let name = self.name(merger.owner);
        let text = say!(
            self.language,
            "{name} hat es durch eine Fusion übernommen.",
            "{name} l’a reprise par une fusion.",
            "{name} l’ha ripresa mediante una fusione.",
            "{name} took it over in a merger.",
        );
        rows.add(Section::Owners, text, [name], &merger.source);
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
                Reason::Ownership => self.held(owner.person, owner.ownership),
                Reason::Votes(votes) | Reason::ControlledVotes(votes) => {
                    self.over_all_levels(owner.person, *votes, self.votes(*votes))
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
        let source = self.source(owner.person, entity);
        rows.add(Section::Owners, text, [name.clone()], &source);
        if self.facts.structure.is_identified_by_name(owner.person, entity) {
            let text = say!(
                language,
                "Offengelegt wurden Stimmrechte, zu denen auch Rechte zum Kauf von Aktien gehören können; wer der Inhaber ist, folgt nur aus dem Namen {name} im Verwaltungsrat oder in der Geschäftsleitung.",
                "Ce sont des droits de vote qui ont été déclarés, ce qui peut comprendre des droits d’acquérir des actions; l’identité du détenteur ne résulte que du nom {name} au conseil ou à la direction.",
                "Sono stati comunicati diritti di voto, che possono comprendere diritti di acquistare azioni; l’identità del detentore risulta solo dal nome {name} nel consiglio o nella direzione.",
                "What was disclosed are voting rights, which may contain rights to buy shares; who the holder is follows only from the name {name} on the board or in the management.",
            );
            rows.add(Section::Owners, text, [name], &source);
        }
    }

    /// The part that somebody has: over all levels, unless it is what the holder has directly.
    fn held(&self, holder: Party, held: Percent) -> String {
        let share = self.part(held.fraction());
        self.over_all_levels(holder, held, share)
    }

    fn votes(&self, share: Percent) -> String {
        let share = percent(share.fraction());
        say!(
            self.language,
            "{share} der Stimmen",
            "{share} des voix",
            "{share} dei voti",
            "{share} of the votes",
        )
    }

    /// What somebody has, with the words that it is so over all levels, unless it is what the holder has directly.
    fn over_all_levels(&self, holder: Party, held: Percent, share: String) -> String {
        let structure = self.facts.structure;
        if structure.is_direct(holder, structure.root(), held) {
            return share;
        }
        say!(
            self.language,
            "über alle Stufen {share}",
            "{share} à travers tous les niveaux",
            "{share} attraverso tutti i livelli",
            "{share} over all levels",
        )
    }

    /// Why persons are named who are no beneficial owners, and these persons by the entity that they direct. `has_no_owner`: nobody
    /// else is named.
    fn directed(&self, rows: &mut Rows, owners: &[BeneficialOwner], has_no_owner: bool) {
        let root = self.facts.structure.root();
        let last = self.facts.structure.legal_entity();
        let mut of_entity: BTreeMap<Party, (FallbackCause, Vec<Party>)> = BTreeMap::new();
        for owner in owners {
            for reason in &owner.reasons {
                if let Reason::StatutoryFallback { entity, cause, .. } = reason {
                    let (_, persons) = of_entity.entry(*entity).or_insert((*cause, Vec::new()));
                    persons.push(owner.person);
                }
            }
        }
        if of_entity.is_empty() && has_no_owner {
            let cause = FallbackCause::of(self.facts.structure, self.facts.resolution);
            of_entity.insert(last, (cause, Vec::new()));
        }
        for (entity, (cause, persons)) in of_entity {
            match cause {
                _ if entity == root => self.cause(rows, cause),
                FallbackCause::NoOwnersByLaw => {
                    self.owner_without_owners(rows, entity, terms::no_owners(self.language));
                }
                FallbackCause::MembersNotRegistered => {
                    let members = terms::unregistered_members(self.language);
                    self.owner_without_owners(rows, entity, members);
                }
                // A head office, or the company that took this one over.
                _ if self.is_unknown(entity) => self.unknown_owner(rows, entity),
                _ => {
                    self.owner_with_unknown_owners(rows, entity);
                    self.cause(rows, cause);
                }
            }
            self.directors(rows, entity, &persons);
        }
    }

    /// Whether this is the head office of the company, or the one that took it over, of which no source names owners or officers.
    fn is_unknown(&self, entity: Party) -> bool {
        let structure = self.facts.structure;
        entity != structure.root()
            && entity == structure.legal_entity()
            && structure.links_to(entity).next().is_none()
    }

    /// Names the owner of the company, and says that nothing more is known about it.
    fn unknown_owner(&self, rows: &mut Rows, entity: Party) {
        let (language, name) = (self.language, self.name(entity));
        let text = match self.facts.structure.is_branch() {
            true => say!(
                language,
                "Die Zweigniederlassung gehört zu {name}; deren Eigentümer und Leitung sind nicht bekannt.",
                "La succursale appartient à {name}; ses propriétaires et sa direction ne sont pas connus.",
                "La succursale appartiene a {name}; i suoi proprietari e la sua direzione non sono noti.",
                "The branch belongs to {name}; its owners and its management are not known.",
            ),
            false => say!(
                language,
                "Das Unternehmen gehört zu {name}; deren Eigentümer und Leitung sind nicht bekannt.",
                "L’entreprise appartient à {name}; ses propriétaires et sa direction ne sont pas connus.",
                "L’impresa appartiene a {name}; i suoi proprietari e la sua direzione non sono noti.",
                "The company belongs to {name}; its owners and its management are not known.",
            ),
        };
        rows.add(Section::Owners, text, [name], &self.source(entity, self.facts.structure.root()));
    }

    /// A part of the capital, or of a company that has none of its own: a branch, a sole proprietorship, a partnership.
    fn part(&self, fraction: f64) -> String {
        let (language, share) = (self.language, percent(fraction));
        match self.facts.structure.has_capital() {
            true => say!(
                language,
                "{share} des Kapitals",
                "{share} du capital",
                "{share} del capitale",
                "{share} of the capital",
            ),
            false => say!(
                language,
                "{share} des Unternehmens",
                "{share} de l’entreprise",
                "{share} dell’impresa",
                "{share} of the company",
            ),
        }
    }

    /// What an owner without known owners has of the company, and why they are not known.
    fn owner_without_owners(&self, rows: &mut Rows, entity: Party, no_owners: &str) {
        let (language, resolution) = (self.language, self.facts.resolution);
        let name = self.name(entity);
        let held = resolution.holders.iter().find(|it| it.party == entity);
        let share = held.filter(|it| it.capital.get() > 0.0);
        let share = share.map(|it| self.held(entity, it.capital));
        let controls = resolution.controllers.iter().any(|it| it.party == entity);
        let text = match (share, controls) {
            (Some(share), false) => say!(
                language,
                "{name} hält {share} und {no_owners}.",
                "{name} détient {share} et {no_owners}.",
                "{name} detiene {share} e {no_owners}.",
                "{name} holds {share} and {no_owners}.",
            ),
            (Some(share), true) => say!(
                language,
                "{name} hält {share}, kontrolliert damit das Unternehmen und {no_owners}.",
                "{name} détient {share}, contrôle ainsi l’entreprise et {no_owners}.",
                "{name} detiene {share}, controlla così l’impresa e {no_owners}.",
                "{name} holds {share}, controls the company and {no_owners}.",
            ),
            (None, true) => say!(
                language,
                "{name} kontrolliert das Unternehmen und {no_owners}.",
                "{name} contrôle l’entreprise et {no_owners}.",
                "{name} controlla l’impresa e {no_owners}.",
                "{name} controls the company and {no_owners}.",
            ),
            (None, false) => say!(
                language,
                "{name} hält einen Anteil unbekannter Höhe am Unternehmen und {no_owners}.",
                "{name} détient une part d’importance inconnue de l’entreprise et {no_owners}.",
                "{name} detiene una quota di entità sconosciuta dell’impresa e {no_owners}.",
                "{name} holds a share of unknown size in the company and {no_owners}.",
            ),
        };
        rows.add(Section::Owners, text, [name], &computed(self.facts.day));
    }

    fn owner_with_unknown_owners(&self, rows: &mut Rows, entity: Party) {
        let name = self.name(entity);
        let text = say!(
            self.language,
            "Das Unternehmen gehört zu {name}.",
            "L’entreprise appartient à {name}.",
            "L’impresa appartiene a {name}.",
            "The company belongs to {name}.",
        );
        rows.add(Section::Owners, text, [name], &self.source(entity, self.facts.structure.root()));
    }

    fn cause(&self, rows: &mut Rows, cause: FallbackCause) {
        let language = self.language;
        let disclosed = match cause {
            FallbackCause::NoOwnerFound => self.disclosed(rows),
            _ => false,
        };
        let text = match cause {
            FallbackCause::NoOwnersByLaw => format!("{}.", terms::form_without_owners(language)),
            FallbackCause::MembersNotRegistered => {
                format!("{}.", terms::members_not_registered(language))
            }
            FallbackCause::NoShareReachesTheThreshold => say!(
                language,
                "Alle Eigentümer sind bekannt; keiner erreicht die Schwelle einer wirtschaftlich berechtigten Person.",
                "Tous les propriétaires sont connus; aucun n’atteint le seuil d’un ayant droit économique.",
                "Tutti i proprietari sono noti; nessuno raggiunge la soglia di un avente economicamente diritto.",
                "All owners are known; none of them reaches the threshold of a beneficial owner.",
            ),
            FallbackCause::EndsWithoutOwners => {
                let last = self.facts.resolution.without_owners.len();
                format!("{}.", terms::ends_without_owners(language, last))
            }
            FallbackCause::SharesNotKnown => self.division().unwrap_or_else(|| {
                say!(
                    language,
                    "Nicht alle Anteile der bekannten Eigentümer sind bekannt.",
                    "Les parts des propriétaires connus ne sont pas toutes connues.",
                    "Non tutte le quote dei proprietari noti sono note.",
                    "Not all shares of the known owners are known.",
                )
            }),
            FallbackCause::NoOwnerFound if disclosed => say!(
                language,
                "Die öffentlichen Quellen nennen keine weitere wirtschaftlich berechtigte Person.",
                "Les sources publiques ne nomment aucun autre ayant droit économique.",
                "Le fonti pubbliche non nominano alcun altro avente economicamente diritto.",
                "The public sources name no other beneficial owner.",
            ),
            FallbackCause::NoOwnerFound => format!("{}.", terms::no_beneficial_owner(language)),
        };
        rows.add(Section::Owners, text, [], &computed(self.facts.day));
    }

    /// The holders whom disclosures to the exchange name, with what they hold. Whether one may be a beneficial owner: whoever holds
    /// less than 25 % is none (AMLA 2a para. 3).
    fn disclosed(&self, rows: &mut Rows) -> bool {
        let language = self.language;
        let structure = self.facts.structure;
        let links = structure.links_to(structure.root());
        let mut holders: Vec<&Link> = links
            .filter(|it| {
                it.kind == LinkKind::VotingRights || matches!(it.owner, Party::Unidentified(_))
            })
            .collect();
        let Some(source) = holders.first().map(|it| it.source.clone()) else { return false };
        holders.sort_by_key(|it| Reverse(it.share.known()));
        let names: Vec<String> = holders.iter().map(|it| self.name(it.owner)).collect();
        let mut held: Vec<String> = holders
            .iter()
            .zip(&names)
            .map(|(link, name)| match link.share.known() {
                Some(share) => format!("{name} ({})", self.votes(share)),
                None => name.clone(),
            })
            .collect();
        held.dedup();
        let count = held.len();
        let held = shortened(language, &held, self.at_level([NAMES, 10, 25]));
        let disclosed = terms::disclosed_holders(language, count);
        rows.add(Section::Owners, format!("{disclosed}: {held}."), names, &source);
        let threshold = Criteria::default().ownership;
        let is_candidate = |it: &&&Link| {
            matches!(it.owner, Party::Unidentified(_)) && it.share.known() >= Some(threshold)
        };
        let candidates: Vec<String> =
            holders.iter().filter(is_candidate).map(|it| self.name(it.owner)).collect();
        if candidates.is_empty() {
            return false;
        }
        let named = shortened(language, &candidates, self.at_level([NAMES, 10, 25]));
        let disclosed = terms::disclosed_candidates(language, candidates.len());
        rows.add(Section::Owners, format!("{disclosed}: {named}."), candidates, &source);
        true
    }

    /// The persons who direct an entity, and are named in place of beneficial owners.
    fn directors(&self, rows: &mut Rows, entity: Party, persons: &[Party]) {
        if persons.is_empty() {
            return;
        }
        let language = self.language;
        let mut names: Vec<String> = persons.iter().map(|it| self.name(*it)).collect();
        let persons = shortened(language, &names, self.at_level([NAMES, 10, 25]));
        let name = self.name(entity);
        let direct = in_number(
            language,
            names.len() as u64,
            [
                ["Leitung", "direction", "direzione", "this person directs"],
                ["Leitung", "direction", "direzione", "they direct"],
            ],
        );
        let is_bankrupt = entity == self.facts.structure.root()
            && self.facts.company.status_reason == Some(StatusReason::Bankruptcy);
        let text = match is_bankrupt {
            // DEBA 204, 240.
            true => say!(
                language,
                "Stattdessen genannt, als eingetragene Leitung von {name}, an deren Stelle die Konkursverwaltung handelt: {persons}.",
                "À défaut, indication de la direction inscrite ({name}), à la place de laquelle agit l’administration de la faillite: {persons}.",
                "In mancanza, indicazione della direzione iscritta ({name}), al posto della quale agisce l’amministrazione del fallimento: {persons}.",
                "Named instead, as entered to direct {name}, in whose place the bankruptcy administration acts: {persons}.",
            ),
            false => say!(
                language,
                "Stattdessen genannt, als {direct} von {name}: {persons}.",
                "À défaut, indication de la {direct} ({name}): {persons}.",
                "In mancanza, indicazione della {direct} ({name}): {persons}.",
                "Named instead, because {direct} {name}: {persons}.",
            ),
        };
        names.push(name);
        rows.add(Section::Owners, text, names, &computed(self.facts.day));
    }

    fn parents(&self, rows: &mut Rows) {
        let language = self.language;
        let Some(parent) = self.facts.ultimate_parent else { return self.no_parent(rows) };
        let name = self.name(parent);
        let structure = self.facts.structure;
        // A branch is a part of its head office (CO 931), which is no parent but may have one.
        let text = match (structure.is_branch(), structure.legal_entity() == parent) {
            (true, true) => say!(
                language,
                "Hauptsitz ist {name}.",
                "L’établissement principal est {name}.",
                "La sede principale è {name}.",
                "The head office is {name}.",
            ),
            (true, false) => say!(
                language,
                "Oberste bekannte Muttergesellschaft des Hauptsitzes ist {name}.",
                "La société mère ultime connue de l’établissement principal est {name}.",
                "La società madre ultima nota della sede principale è {name}.",
                "The ultimate known parent of the head office is {name}.",
            ),
            (false, _) => say!(
                language,
                "Oberste bekannte Muttergesellschaft ist {name}.",
                "La société mère ultime connue est {name}.",
                "La società madre ultima nota è {name}.",
                "The ultimate known parent is {name}.",
            ),
        };
        let mut controllers = self.facts.resolution.controllers.iter();
        let steps = controllers.find(|it| it.party == parent).map(|it| &it.steps);
        let first = steps.and_then(|it| it.first());
        let owned = first.map_or(self.facts.structure.root(), |it| it.company);
        rows.add(Section::Owners, text, [name], &self.source(parent, owned));
    }

    /// The reasons that the company reported for naming no parent.
    fn no_parent(&self, rows: &mut Rows) {
        let reported = self.facts.company.parent_exceptions.iter().flat_map(|it| &it.reasons);
        let reasons: BTreeSet<&str> = reported.map(String::as_str).collect();
        if reasons.is_empty() || self.is_summary() {
            return;
        }
        let language = self.language;
        let reasons = reasons_for_no_parent(language, &Vec::from_iter(reasons));
        let reasons = clean(&reasons);
        let text = say!(
            language,
            "Eine Muttergesellschaft hat das Unternehmen GLEIF nicht gemeldet, mit der Begründung: {reasons}.",
            "L’entreprise n’a pas déclaré de société mère à la GLEIF, avec la justification suivante: {reasons}.",
            "L’impresa non ha comunicato alla GLEIF alcuna società madre, con la motivazione seguente: {reasons}.",
            "The company has reported no parent to GLEIF, for the following reason: {reasons}.",
        );
        rows.add(Section::Owners, text, [], &self.source_of("parentExceptions"));
    }

    /// That the owners are known and their shares are not. `None` if owners are not known.
    fn division(&self) -> Option<String> {
        let (language, structure) = (self.language, self.facts.structure);
        let divided = self.facts.resolution.divided_unknowingly(structure)?;
        let share = percent(self.facts.resolution.unattributed_percentage.fraction());
        Some(match (structure.has_capital(), structure.owners_of(divided).len()) {
            (true, 1) => say!(
                language,
                "Welchen Teil von {share} des Kapitals der einzige bekannte Eigentümer hält, ist nicht bekannt.",
                "La partie de {share} du capital que détient le seul propriétaire connu n’est pas connue.",
                "La parte di {share} del capitale detenuta dall’unico proprietario noto non è nota.",
                "What part of {share} of the capital the only known owner holds is not known.",
            ),
            (false, 1) => say!(
                language,
                "Welchen Anteil der einzige bekannte Eigentümer hält, ist nicht bekannt.",
                "La part que détient le seul propriétaire connu n’est pas connue.",
                "La quota detenuta dall’unico proprietario noto non è nota.",
                "What share the only known owner holds is not known.",
            ),
            (true, _) => say!(
                language,
                "Wie sich {share} des Kapitals auf die bekannten Eigentümer verteilen, ist nicht bekannt.",
                "La répartition de {share} du capital entre les propriétaires connus n’est pas connue.",
                "La ripartizione di {share} del capitale tra i proprietari noti non è nota.",
                "How {share} of the capital is divided among the known owners is not known.",
            ),
            (false, _) => say!(
                language,
                "Wie sich die Anteile auf die bekannten Eigentümer verteilen, ist nicht bekannt.",
                "La répartition des parts entre les propriétaires connus n’est pas connue.",
                "La ripartizione delle quote tra i proprietari noti non è nota.",
                "How the shares are divided among the known owners is not known.",
            ),
        })
    }

    fn unattributed(&self, rows: &mut Rows) {
        let (structure, resolution) = (self.facts.structure, self.facts.resolution);
        let root = structure.root();
        let text = match (resolution.unattributed.as_slice(), self.division()) {
            ([], _) => return,
            // Said already, as the reason for naming other persons.
            ([only], None) if self.is_unknown(only.party) => return,
            ([only], None) if only.party == root && structure.form(root) == Form::Cooperative => {
                return;
            }
            (_, Some(division)) if rows.rows.iter().any(|it| it.text == division) => return,
            (_, Some(division)) => division,
            ([only], None) if only.party == root && structure.form(root) == Form::Part => say!(
                self.language,
                "Wem das Unternehmen gehört, ist nicht bekannt.",
                "On ne sait pas à qui appartient l’entreprise.",
                "Non è noto a chi appartiene l’impresa.",
                "To whom the company belongs is not known.",
            ),
            (_, None) => return self.unknown_last_owners(rows),
        };
        rows.add(Section::Owners, text, [], &computed(self.facts.day));
    }

    fn unknown_last_owners(&self, rows: &mut Rows) {
        let (language, structure) = (self.language, self.facts.structure);
        let resolution = self.facts.resolution;
        let share = self.part(resolution.unattributed_percentage.fraction());
        // That the chain ends at the company itself says nothing more.
        let ends = resolution.unattributed.iter().filter(|it| it.party != structure.root());
        let names: Vec<String> = ends.map(|it| self.name(it.party)).collect();
        let entities = shortened(language, &names, NAMES);
        let at = match names.is_empty() {
            true => String::new(),
            false => say!(
                language,
                "; die Kette endet bei: {entities}",
                "; la chaîne s’arrête à: {entities}",
                "; la catena termina a: {entities}",
                "; the chain ends at: {entities}",
            ),
        };
        let text = say!(
            language,
            "Von {share} sind die letzten Eigentümer nicht bekannt{at}.",
            "Les derniers propriétaires de {share} ne sont pas connus{at}.",
            "Gli ultimi proprietari di {share} non sono noti{at}.",
            "The last owners of {share} are not known{at}.",
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
                "La chaîne des propriétaires n’a pas été suivie jusqu’à son terme.",
                "La catena dei proprietari non è stata seguita fino alla fine.",
                "The chain of owners was not followed to its end.",
            );
            rows.add(Section::Owners, text, [], &computed(self.facts.day));
        }
    }
}
