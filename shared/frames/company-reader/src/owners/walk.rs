//! Reads the companies above a company, level by level.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use ::ownership::{Link, MassDomicile, MaxDepth, Party, Profile};
use ::risk::SHARED_ADDRESS;
use domain::{Source, Uid};
use futures_util::{StreamExt, TryStreamExt, future::try_join_all, stream};
use generations::{Generation, Unavailable};
use jiff::civil::Date;
use problem_details::Problem;
use store::Wanted;
use text_index::{companies::Companies, persons::Persons};
use uuid::Uuid;

use super::{
    group::ReportAbroad,
    stated::{MAX_MANDATES, OfficeInCompany, OwnedCompany},
};
use crate::subject::{Subject, facts_until};

/// Maximum number of companies that a request about one company reads.
pub const MAX_COMPANIES: usize = 100;

/// Number of facts after which a request folds no further past state of a company. A company has about twenty facts, and
/// a few banks have thousands. The companies that the request is about do not count.
pub(super) const MAX_PAST_FACTS: usize = 10_000;

/// Number of reads that run at once.
const PARALLEL_READS: usize = 8;

/// One mandate more shows that there are more.
const HISTORY: Wanted = Wanted { board: MAX_MANDATES + 1, former: 0, events: 0, mergers: true };

/// Everything that is above some companies.
#[derive(Debug, Default)]
pub struct Above {
    pub links: Vec<Link>,
    pub profiles: BTreeMap<Party, Profile>,
    pub companies: BTreeMap<Uid, OwnedCompany>,
    pub offices: Vec<OfficeInCompany>,
    /// Companies whose owners were not read, because there are too many companies or facts, and entities abroad whose reports were not
    /// read completely.
    pub unread: BTreeSet<Party>,
    /// Companies of which only some partners were read, because there are too many.
    pub partly_read: BTreeSet<Party>,
    /// Companies that are named as owners, but are not in the register, or were not on the day.
    pub unregistered: BTreeSet<Uid>,
}

/// Reads companies as of one day, or as they are now.
pub struct Reader<'a> {
    pub sources: &'a crate::Sources,
    pub companies: &'a Companies,
    pub persons: &'a Persons,
    pub as_of: Option<Date>,
    /// A company that was read already, on the same day. It is not folded again.
    pub known: Option<&'a Subject>,
}

/// Companies that were read, and those that were not because the request has folded too many facts.
#[derive(Default)]
struct Read {
    companies: Vec<OwnedCompany>,
    unread: Vec<Uid>,
    /// Number of facts of the past states that were folded.
    past_facts: usize,
}

/// What entities abroad reported about their parents. The records of several companies repeat it, and not all are of the same day: the
/// newest counts.
#[derive(Default)]
struct ReportsAbroad(BTreeMap<Party, ReportAbroad>);

impl ReportsAbroad {
    fn add(&mut self, report: ReportAbroad) {
        match self.0.entry(report.entity) {
            Entry::Vacant(it) => {
                it.insert(report);
            }
            Entry::Occupied(mut it)
                if (it.get().date, !it.get().is_incomplete)
                    < (report.date, !report.is_incomplete) =>
            {
                it.insert(report);
            }
            Entry::Occupied(_) => {}
        }
    }

    fn add_to(self, above: &mut Above) {
        for (entity, report) in self.0 {
            above.links.extend(report.links);
            above.profiles.entry(entity).or_default().exceptions = report.exceptions;
            if report.is_incomplete {
                above.unread.insert(entity);
            }
        }
    }
}

impl<'a> Reader<'a> {
    pub async fn new(
        sources: &'a crate::Sources,
        generation: &'a Generation,
        as_of: Option<Date>,
    ) -> Result<Self, Problem> {
        let (companies, persons) = (generation.companies().await?, generation.persons().await?);
        Ok(Self { sources, companies, persons, as_of, known: None })
    }

    /// Reads these companies and their owners, up to `max_depth` levels and at most `limit` companies. Unknown companies
    /// are left out.
    pub async fn above(
        &self,
        roots: impl IntoIterator<Item = Uid>,
        max_depth: MaxDepth,
        limit: usize,
    ) -> Result<Above, Problem> {
        let mut above = Above::default();
        let mut abroad = ReportsAbroad::default();
        let mut level: BTreeSet<Uid> = roots.into_iter().collect();
        let mut facts_of_owners = 0;
        // The companies of the last level are read too: only so it is known whether they have further owners.
        for depth in 0..=max_depth.get() {
            let room = limit.saturating_sub(above.companies.len());
            let uids: Vec<Uid> = level.iter().copied().take(room).collect();
            above.unread.extend(level.iter().skip(room).map(|it| Party::Company(*it)));
            if uids.is_empty() {
                break;
            }
            let max_facts = MAX_PAST_FACTS.saturating_sub(facts_of_owners);
            let Read { companies, unread, past_facts } = self.read(&uids, max_facts).await?;
            above.unread.extend(unread.iter().map(|it| Party::Company(*it)));
            if depth > 0 {
                facts_of_owners += past_facts;
            }
            let mut next = BTreeSet::new();
            for company in companies {
                next.extend(self.add(&mut above, &mut abroad, company).await?);
            }
            let is_missing =
                |it: &&Uid| !above.companies.contains_key(*it) && !unread.contains(*it);
            let missing: Vec<Uid> = uids.iter().filter(is_missing).copied().collect();
            above.unregistered.extend(missing);
            next.retain(|it| {
                !above.companies.contains_key(it)
                    && !above.unregistered.contains(it)
                    && !above.unread.contains(&Party::Company(*it))
            });
            level = next;
        }
        abroad.add_to(&mut above);
        Ok(above)
    }

    /// Adds what the sources state about a company. Returns the companies that own it.
    async fn add(
        &self,
        above: &mut Above,
        abroad: &mut ReportsAbroad,
        company: OwnedCompany,
    ) -> Result<Vec<Uid>, Problem> {
        let mut uids = BTreeMap::new();
        for lei in company.named_entities() {
            // The most relevant one, if several companies have the identifier.
            let known = self.companies.with_lei(lei)?.first().copied();
            uids.extend(known.map(|uid| (lei, uid)));
        }
        let mut stated = company.stated(&|lei| uids.get(&lei).copied());
        let this = Party::Company(company.company.uid);
        if let Some(profile) = stated.profiles.get_mut(&this) {
            profile.mass_domicile = self.mass_domicile(&company)?;
        }
        // A person can have several ids, for example after a move that a publication states.
        let owners = stated.links.iter().map(|it| it.owner);
        let officers = stated.offices.iter().map(|it| it.person);
        let parties = owners.chain(officers).chain(stated.profiles.keys().copied());
        let persons = parties.filter_map(|it| match it {
            Party::Person(id) => Some(id),
            _ => None,
        });
        let persons: BTreeSet<Uuid> = persons.collect();
        let persons: Vec<Uuid> = persons.into_iter().collect();
        let first_ids = self.persons.first_ids(&persons).await.map_err(Unavailable::from)?;
        let first = |party: Party| match party {
            Party::Person(id) => Party::Person(first_ids.get(&id).copied().unwrap_or(id)),
            _ => party,
        };
        for link in &mut stated.links {
            link.owner = first(link.owner);
        }
        for office in &mut stated.offices {
            office.person = first(office.person);
        }
        for (party, profile) in stated.profiles {
            let party = first(party);
            if party == Party::Company(company.company.uid) {
                // Its own record describes a company better than others do.
                above.profiles.insert(party, profile);
                continue;
            }
            let known = above.profiles.entry(party).or_default();
            if known.name.is_empty() {
                known.name = profile.name;
            }
            known.country = known.country.take().or(profile.country);
        }
        // The history as of a day is read as a whole.
        let is_cut = self.as_of.is_none()
            && company.history.current_mandates().count() > MAX_MANDATES
            && company.can_have_partners();
        if is_cut {
            above.partly_read.insert(Party::Company(company.company.uid));
        }
        let of_abroad = stated.abroad.iter().flat_map(|it| &it.links);
        let owners = stated.links.iter().chain(of_abroad).filter(|it| it.kind.is_ownership());
        let owners = owners.filter_map(|it| match it.owner {
            Party::Company(uid) => Some(uid),
            _ => None,
        });
        let owners: Vec<Uid> = owners.collect();
        stated.abroad.into_iter().for_each(|it| abroad.add(it));
        above.links.extend(stated.links);
        above.offices.extend(stated.offices);
        above.companies.insert(company.company.uid, company);
        Ok(owners)
    }

    /// Evidence that many other companies share the address of a company. The index knows the addresses of today only.
    fn mass_domicile(&self, company: &OwnedCompany) -> Result<Option<MassDomicile>, Problem> {
        if self.as_of.is_some() {
            return Ok(None);
        }
        let companies = self.companies.others_at_address(company.company.uid)?;
        let many = companies.filter(|it| *it >= SHARED_ADDRESS);
        Ok(many.map(|companies| MassDomicile { companies, source: company.source() }))
    }

    /// Reads these companies. Of past states, no further one after `max_facts` facts.
    async fn read(&self, uids: &[Uid], max_facts: usize) -> Result<Read, Problem> {
        let read = match self.as_of {
            None => Read { companies: self.read_current(uids).await?, ..Read::default() },
            Some(day) => self.read_past(uids, day, max_facts).await?,
        };
        let with_facts = read.companies.into_iter().map(|it| self.with_facts(it));
        let companies = stream::iter(with_facts).buffered(PARALLEL_READS).try_collect().await?;
        Ok(Read { companies, ..read })
    }

    async fn read_current(&self, uids: &[Uid]) -> Result<Vec<OwnedCompany>, Problem> {
        let found = self.sources.registry.companies_with(uids, HISTORY).await?;
        let companies = found.into_iter().map(|(company, history)| OwnedCompany {
            company,
            history,
            group: Vec::new(),
            disclosures: Vec::new(),
            care_of: None,
        });
        Ok(companies.collect())
    }

    async fn read_past(&self, uids: &[Uid], day: Date, max_facts: usize) -> Result<Read, Problem> {
        let mut read = Read::default();
        for together in uids.chunks(PARALLEL_READS) {
            if read.past_facts >= max_facts {
                read.unread.extend(together);
                continue;
            }
            let past = try_join_all(together.iter().map(|uid| self.past(*uid, day))).await?;
            for (past, facts) in past {
                read.past_facts += facts;
                read.companies.extend(past.map(|past| OwnedCompany {
                    care_of: past.proofs.get("addressCareOf").cloned(),
                    company: past.company,
                    history: past.history,
                    group: Vec::new(),
                    disclosures: Vec::new(),
                }));
            }
        }
        Ok(read)
    }

    /// A company on a day, and the number of facts from which it was folded. `None` if no source shows that it was in the
    /// register.
    async fn past(&self, uid: Uid, day: Date) -> Result<(Option<Subject>, usize), Problem> {
        if let Some(known) = self.known.filter(|it| it.company.uid == uid) {
            return Ok((Some(known.clone()), 0));
        }
        let facts = self.sources.registry.parsed_facts(uid).await?;
        let Some(facts) = facts else { return Ok((None, 0)) };
        Ok((facts.as_of(day).map(Subject::from), facts.count()))
    }

    /// Adds the facts that the record does not contain.
    async fn with_facts(&self, company: OwnedCompany) -> Result<OwnedCompany, Problem> {
        let uid = company.company.uid;
        let group = match company.company.lei {
            Some(_) => facts_until(self.sources, uid, Source::Gleif, self.as_of).await?,
            None => Vec::new(),
        };
        let disclosures = match company.company.legal_form_code.as_deref() {
            // Only shares of corporations are listed.
            None | Some("0105" | "0106") => {
                facts_until(self.sources, uid, Source::Six, self.as_of).await?
            }
            Some(_) => Vec::new(),
        };
        Ok(OwnedCompany { group, disclosures, ..company })
    }
}

#[cfg(test)]
mod tests {
    use ::ownership::{LinkKind, Share, UnknownShare};
    use domain::Provenance;
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_newest_report_of_an_entity_abroad_counts_as_a_whole() {
        let [entity, first, second] =
            ["549300AAAAAAAAAAAA08", "5493001KJTIIGC8Y1R12", "549300TRUWO2CD2G5692"]
                .map(|it| Party::Foreign(it.parse().expect("valid")));
        let report = |owners: &[Party], day: i8, is_incomplete: bool| {
            let source = Provenance {
                source: "gleif".into(),
                reference: None,
                date: Some(date(2026, 3, 9)),
            };
            let link = |owner: &Party| Link {
                owner: *owner,
                owned: entity,
                kind: LinkKind::Consolidation,
                share: Share::Unknown(UnknownShare::NotStated),
                since: None,
                source: source.clone(),
                confidence: 1.0,
            };
            ReportAbroad {
                entity,
                date: Some(date(2026, 3, day)),
                links: owners.iter().map(link).collect(),
                exceptions: Vec::new(),
                is_incomplete,
            }
        };
        let reports =
            [report(&[first], 2, true), report(&[first, second], 3, false), report(&[], 1, true)];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let (mut above, mut abroad) = (Above::default(), ReportsAbroad::default());
            order.into_iter().for_each(|it| abroad.add(reports[it].clone()));
            abroad.add_to(&mut above);
            assert_eq!(above.links, reports[1].links);
            assert!(above.unread.is_empty() && above.profiles.contains_key(&entity));
        }
    }
}
