//! What the sources state about the owners and officers of one company.

use std::collections::{BTreeMap, BTreeSet};

use ::ownership::{
    Form, Link, LinkKind, Party, Profile, has_undisclosed_holders,
    links::{exchange, register},
};
use domain::{
    Company, Event, History, Lei, Provenance, Status, Uid,
    legal_forms::FOREIGN_BRANCH,
    persons::{Mandate, SigningAuthority},
    relationships::{CompanyRelation, Relation, relations_of},
    text,
};
use facts::{Fact, latest_disclosures};

use super::group::{ReportAbroad, ReportedGroup, named_entities, reported_group};

/// Current mandates that are read of a company. Few companies have more.
pub(super) const MAX_MANDATES: usize = 400;

/// A company on one day, and what else was read about its owners.
#[derive(Debug)]
pub struct OwnedCompany {
    pub company: Company,
    pub history: History,
    /// Facts of GLEIF up to the day.
    pub group: Vec<Fact>,
    /// Disclosures of shareholders up to the day.
    pub disclosures: Vec<Fact>,
    /// Source of the care-of line of the address, if there is one.
    pub care_of: Option<Provenance>,
}

/// An office in a company.
#[derive(Clone, Debug)]
pub struct OfficeInCompany {
    pub person: Party,
    pub company: Uid,
    pub role: String,
    pub signing_authority: Option<SigningAuthority>,
}

/// The links to the owners and officers of a company, and what is known about the parties.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) links: Vec<Link>,
    /// Of the company itself and of those that the links name.
    pub(super) profiles: BTreeMap<Party, Profile>,
    pub(super) offices: Vec<OfficeInCompany>,
    pub(super) abroad: Vec<ReportAbroad>,
}

impl OwnedCompany {
    /// What the sources state. `uid_of`: the Swiss company with a legal entity identifier.
    pub(super) fn stated(&self, uid_of: &impl Fn(Lei) -> Option<Uid>) -> Stated {
        let company = &self.company;
        let this = Party::Company(company.uid);
        let mandates: Vec<Mandate> = self.history.current_mandates().cloned().collect();
        let group = reported_group(company, &self.group, uid_of);
        let mut stated = Stated::default();
        stated.add_mandates(company, &mandates);
        stated.add_relations(self.relations(&group));
        stated.add_disclosures(company.uid, &self.disclosures, &mandates);
        stated.add_profile(this, self.profile(&group));
        for (party, name) in group.names {
            stated.add_name(party, name);
        }
        for (party, country) in group.countries {
            stated.profiles.entry(party).or_default().country.get_or_insert(country);
        }
        stated.abroad = group.abroad;
        stated.links.extend(group.links);
        // Of a company abroad, no register here names the holders.
        if company.legal_form_code.as_deref() == Some(FOREIGN_BRANCH) {
            let is_head = |it: &&Link| it.owned == this && it.kind == LinkKind::HeadOffice;
            for head in stated.links.iter().filter(is_head) {
                stated.profiles.entry(head.owner).or_default().has_undisclosed_holders = true;
            }
        }
        // A company that was absorbed is a part of the other one. Its former holders own nothing of it any more.
        if self.is_absorbed() {
            stated.links.retain(|it| {
                it.owned != this || it.kind == LinkKind::Merger || !it.kind.is_ownership()
            });
        }
        stated
    }

    /// The legal entities that GLEIF names as parents or head office.
    pub(super) fn named_entities(&self) -> BTreeSet<Lei> {
        named_entities(&self.company, &self.group)
    }

    /// Whether the register states partners or a proprietor of this legal form. Also if the form is not known.
    pub(super) fn can_have_partners(&self) -> bool {
        const WITH_PARTNERS: [&str; 6] = ["0101", "0103", "0104", "0105", "0107", "0114"];
        self.company.legal_form_code.as_deref().is_none_or(|it| WITH_PARTNERS.contains(&it))
    }

    /// Whether the company was deleted after a merger.
    fn is_absorbed(&self) -> bool {
        let absorbed = relations_of(&self.company, &[]);
        self.company.status == Some(Status::Cancelled)
            && absorbed.iter().any(|it| it.relation == Relation::Acquirer)
    }

    /// Head office and acquirers, with the name that the record states for them.
    fn relations(&self, group: &ReportedGroup) -> Vec<(Link, String)> {
        let company = &self.company;
        let events = self.history.events.iter().map(|it| it.event.clone());
        let events: Vec<Event> = events.collect();
        let counts = |it: &CompanyRelation| match it.relation {
            // A head office abroad has no number in the register. GLEIF identifies it.
            Relation::HeadOffice => it.uid.is_some() || !group.names_head_office,
            // A merger that is only announced has no effect yet.
            Relation::Acquirer => company.status == Some(Status::Cancelled),
            _ => false,
        };
        let relations = relations_of(company, &[]).into_iter().filter(counts);
        let links = relations.flat_map(|mut relation| {
            relation.date_merger(company.uid, &events);
            relation.source = relation.source.or_else(|| Some(self.source()));
            let name = relation.name.clone();
            let links = register::of_relations(company.uid, &[relation]);
            links.into_iter().map(move |it| (it, name.clone()))
        });
        links.collect()
    }

    fn profile(&self, group: &ReportedGroup) -> Profile {
        let company = &self.company;
        let code = company.legal_form_code.as_deref().unwrap_or_default();
        Profile {
            name: company.name.clone(),
            form: Form::of_code(code),
            has_undisclosed_holders: has_undisclosed_holders(code),
            lei: company.lei,
            country: None,
            has_industry: Some(company.industry.is_some()),
            domiciliary: company
                .address_care_of
                .as_ref()
                .map(|_| self.care_of.clone().unwrap_or_else(|| self.source())),
            mass_domicile: None,
            exceptions: group.exceptions.clone(),
        }
    }

    /// The source of the register's part of the record.
    pub(super) fn source(&self) -> Provenance {
        let source = self.company.register_source().cloned();
        source.unwrap_or_else(|| self.company.unreferenced_source())
    }
}

impl Stated {
    fn add_profile(&mut self, party: Party, profile: Profile) {
        self.profiles.insert(party, profile);
    }

    /// The name of a party, unless it is known already.
    fn add_name(&mut self, party: Party, name: String) {
        self.profiles.entry(party).or_insert_with(|| Profile { name, ..Profile::default() });
    }

    fn add_mandates(&mut self, company: &Company, mandates: &[Mandate]) {
        for mandate in mandates {
            let links = register::of_mandates(company, std::slice::from_ref(mandate));
            let Some(party) = links.first().map(|it| it.owner) else { continue };
            self.add_name(party, mandate.person.full_name());
            if let Some(profile) = self.profiles.get_mut(&party).filter(|_| party.is_person()) {
                profile.country.clone_from(&mandate.person.nationality_iso);
            }
            self.offices.push(OfficeInCompany {
                person: party,
                company: company.uid,
                role: mandate.role.clone(),
                signing_authority: mandate.signing_authority,
            });
            self.links.extend(links);
        }
    }

    fn add_relations(&mut self, relations: Vec<(Link, String)>) {
        for (link, name) in relations {
            self.add_name(link.owner, name);
            self.links.push(link);
        }
    }

    /// Adds the holders of disclosures. A holder with the name of exactly one director is that person: the register says that it is a
    /// natural person, which the disclosure does not. Any other holder remains of unknown nature.
    ///
    /// Of what a director disclosed alone, under names that are written differently, the newest counts, and nothing if a group with the
    /// director disclosed a holding later: it contains the former. A later disclosure of a director does not end that of a group.
    fn add_disclosures(&mut self, listed: Uid, facts: &[Fact], mandates: &[Mandate]) {
        let mut disclosures = latest_disclosures(facts);
        disclosures.sort_by_key(|(it, fact)| (it.published, it.transaction, &fact.fingerprint));
        let director = |name: &String| director_named(mandates, name);
        let mut of_directors: BTreeMap<Party, Link> = BTreeMap::new();
        for (disclosure, fact) in disclosures {
            let Some((holder, name)) = exchange::unidentified_holder(listed, disclosure) else {
                continue;
            };
            let source = fact.provenance();
            let link = |holder| exchange::of_shareholding(listed, holder, disclosure, &source);
            let names = exchange::holders(disclosure);
            // A group that fell below a threshold has ended, and its members may go on alone.
            let has_ended = disclosure.below_threshold.is_some_and(|it| it > 0.0);
            let directors: Vec<Party> = names.iter().filter_map(director).collect();
            if let ([_], [director]) = (names, directors.as_slice()) {
                self.add_name(*director, name);
                let link = link(*director);
                let confidence = link.confidence.min(SAME_NAME_CONFIDENCE);
                of_directors.insert(*director, Link { confidence, ..link });
                continue;
            }
            if !has_ended {
                of_directors.retain(|it, _| !directors.contains(it));
            }
            self.add_name(holder, name);
            self.links.push(link(holder));
        }
        self.links.extend(of_directors.into_values());
    }
}

/// Confidence that a holder of shares is the director of the same name.
const SAME_NAME_CONFIDENCE: f64 = 0.7;

/// The only natural person with this name on the board or in the management, in any order of first names and surname. A
/// disclosure may add the place of residence after a comma. Nobody if not all mandates were read: there may be another one.
fn director_named(mandates: &[Mandate], name: &str) -> Option<Party> {
    let is_director = |it: &&Mandate| it.leads();
    // The first mandates that are read are those of directors: a listed company has no partners who manage it.
    if mandates.iter().filter(is_director).count() > MAX_MANDATES {
        return None;
    }
    let words = |name: &str| {
        let folded = text::fold(name);
        folded.split_whitespace().map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let name = words(name.split(',').next().unwrap_or_default());
    let has_name = |it: &&Mandate| name.len() > 1 && words(&it.person.full_name()) == name;
    let of_name = mandates.iter().filter(is_director).filter(has_name);
    let persons: BTreeSet<Party> =
        of_name.map(register::holder).filter(|it| it.is_person()).collect();
    match persons.len() {
        1 => persons.into_iter().next(),
        _ => None,
    }
}
