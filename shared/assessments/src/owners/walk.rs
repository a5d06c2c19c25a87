//! Reads the companies above a company, level by level.

use std::collections::{BTreeMap, BTreeSet};

use ::ownership::{Link, MaxDepth, Party, Profile, Structure};
use domain::Uid;
use facts::Fact;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use problem_details::Problem;
use statements::Source;
use store::{Registry, Wanted};
use text_index::{companies::Companies, persons::Persons};
use uuid::Uuid;

use super::stated::{OfficeInCompany, OwnedCompany};

/// Maximum number of companies that a request about one company reads.
pub const MAX_COMPANIES: usize = 100;

/// Number of reads that run at once.
const PARALLEL_READS: usize = 8;

/// Current mandates that are read of a company. Few companies have more.
const MAX_MANDATES: usize = 400;

const HISTORY: Wanted = Wanted { board: MAX_MANDATES, former: 0, events: 0, mergers: true };

/// Everything that is above some companies.
#[derive(Debug, Default)]
pub struct Above {
    pub links: Vec<Link>,
    pub profiles: BTreeMap<Party, Profile>,
    pub companies: BTreeMap<Uid, OwnedCompany>,
    pub offices: Vec<OfficeInCompany>,
    /// Companies whose owners were not read, or not all of them, because there are too many.
    pub unread: BTreeSet<Party>,
    /// Companies that are named as owners, but are not in the register, or were not on the day.
    pub unregistered: BTreeSet<Uid>,
}

impl Above {
    /// The part that is above one company.
    pub fn structure(&self, uid: Uid, max_depth: MaxDepth) -> Structure {
        let (links, profiles) = (self.links.clone(), self.profiles.clone());
        let root = Party::Company(uid);
        let structure = Structure::above(root, links, profiles, max_depth);
        structure.with_unread_owners(self.unread.iter().copied())
    }
}

/// Reads companies as of one day, or as they are now.
pub struct Reader<'a> {
    pub registry: &'a Registry,
    pub companies: &'a Companies,
    pub persons: &'a Persons,
    pub as_of: Option<Date>,
}

impl<'a> Reader<'a> {
    /// Reads these companies and their owners, up to `max_depth` levels and at most `limit` companies. Unknown companies
    /// are left out.
    pub async fn above(
        &self,
        roots: impl IntoIterator<Item = Uid>,
        max_depth: MaxDepth,
        limit: usize,
    ) -> Result<Above, Problem> {
        let mut above = Above::default();
        let mut level: BTreeSet<Uid> = roots.into_iter().collect();
        // The companies of the last level are read too: only so it is known whether they have further owners.
        for _ in 0..=max_depth.get() {
            let room = limit.saturating_sub(above.companies.len());
            let uids: Vec<Uid> = level.iter().copied().take(room).collect();
            above.unread.extend(level.iter().skip(room).map(|it| Party::Company(*it)));
            if uids.is_empty() {
                break;
            }
            let read = self.read(&uids).await?;
            let mut next = BTreeSet::new();
            for company in read {
                next.extend(self.add(&mut above, company)?);
            }
            let missing = uids.iter().filter(|it| !above.companies.contains_key(*it));
            above.unregistered.extend(missing.collect::<Vec<_>>());
            next.retain(|it| {
                !above.companies.contains_key(it)
                    && !above.unregistered.contains(it)
                    && !above.unread.contains(&Party::Company(*it))
            });
            level = next;
        }
        Ok(above)
    }

    /// Adds what the sources state about a company. Returns the companies that own it.
    fn add(&self, above: &mut Above, company: OwnedCompany) -> Result<Vec<Uid>, Problem> {
        let mut uids = BTreeMap::new();
        for lei in company.named_entities() {
            // The most relevant one, if several companies have the identifier.
            let known = self.companies.with_lei(lei)?.first().copied();
            uids.extend(known.map(|uid| (lei, uid)));
        }
        let mut stated = company.stated(&|lei| uids.get(&lei).copied());
        for link in &mut stated.links {
            link.owner = self.main_id(link.owner)?;
        }
        for office in &mut stated.offices {
            office.person = self.main_id(office.person)?;
        }
        for (party, profile) in stated.profiles {
            let party = self.main_id(party)?;
            if party == Party::Company(company.company.uid) {
                // Its own record describes a company better than others do.
                above.profiles.insert(party, profile);
            } else {
                above.profiles.entry(party).or_insert(profile);
            }
        }
        if company.history.current_mandates().count() >= MAX_MANDATES {
            above.unread.insert(Party::Company(company.company.uid));
        }
        let owners = stated.links.iter().filter(|it| it.kind.is_ownership());
        let owners = owners.filter_map(|it| match it.owner {
            Party::Company(uid) => Some(uid),
            _ => None,
        });
        let owners: Vec<Uid> = owners.collect();
        above.links.extend(stated.links);
        above.offices.extend(stated.offices);
        above.companies.insert(company.company.uid, company);
        Ok(owners)
    }

    /// A person can have several ids, for example after a move that a publication states.
    fn main_id(&self, party: Party) -> Result<Party, Problem> {
        let main = |id: Uuid| Ok::<_, Problem>(self.persons.person(id)?.map_or(id, |it| it.id));
        match party {
            Party::Person(id) => main(id).map(Party::Person),
            _ => Ok(party),
        }
    }

    async fn read(&self, uids: &[Uid]) -> Result<Vec<OwnedCompany>, Problem> {
        let companies = match self.as_of {
            None => self.read_current(uids).await?,
            Some(day) => self.read_past(uids, day).await?,
        };
        let with_facts = companies.into_iter().map(|it| self.with_facts(it));
        stream::iter(with_facts).buffered(PARALLEL_READS).try_collect().await
    }

    async fn read_current(&self, uids: &[Uid]) -> Result<Vec<OwnedCompany>, Problem> {
        let found = self.registry.companies_with(uids, HISTORY).await?;
        let companies = found.into_iter().map(|(company, history)| OwnedCompany {
            company,
            history,
            group: Vec::new(),
            disclosures: Vec::new(),
            care_of: None,
        });
        Ok(companies.collect())
    }

    async fn read_past(&self, uids: &[Uid], day: Date) -> Result<Vec<OwnedCompany>, Problem> {
        let read = uids.iter().copied().map(|uid| async move {
            let past = self.registry.company_as_of(uid, day).await?;
            Ok::<_, Problem>(past.map(|past| OwnedCompany {
                care_of: past.proofs.get("addressCareOf").cloned(),
                company: past.company,
                history: past.history,
                group: Vec::new(),
                disclosures: Vec::new(),
            }))
        });
        let read: Vec<Option<OwnedCompany>> =
            stream::iter(read).buffered(PARALLEL_READS).try_collect().await?;
        Ok(read.into_iter().flatten().collect())
    }

    /// Adds the facts that the record does not contain.
    async fn with_facts(&self, company: OwnedCompany) -> Result<OwnedCompany, Problem> {
        let uid = company.company.uid;
        let group = match company.company.lei {
            Some(_) => self.facts(uid, Source::Gleif).await?,
            None => Vec::new(),
        };
        let disclosures = match company.company.legal_form_code.as_deref() {
            // Only shares of corporations are listed.
            None | Some("0105" | "0106") => self.facts(uid, Source::Six).await?,
            Some(_) => Vec::new(),
        };
        Ok(OwnedCompany { group, disclosures, ..company })
    }

    async fn facts(&self, uid: Uid, source: Source) -> Result<Vec<Fact>, Problem> {
        let mut facts = self.registry.facts_of(uid, source).await?;
        if let Some(day) = self.as_of {
            facts.retain(|it| it.published.is_some_and(|published| published <= day));
        }
        Ok(facts)
    }
}
