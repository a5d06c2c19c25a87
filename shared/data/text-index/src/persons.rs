//! The index of persons: roles in companies, and persons who are possibly the same.
//!
//! A document is one person with all roles, found under every id that publications prove to be the same
//! person. Totals are exact.

mod builder;
mod filters;
mod groups;
mod schema;
mod summary;
#[cfg(test)]
mod tests;

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use domain::{
    Uid,
    persons::{Officer, Person, PossiblySame, Role},
    search::persons::PersonQuery,
};
use futures_util::future::try_join;
use uuid::Uuid;

pub use self::builder::{Builder, Summary};
use self::{
    schema::{COMPANIES, Index, Key, Number, ROLES, SUMMARIES, schema},
    summary::{Summary as PersonSummary, likeness},
};
use crate::{Error, Storage, codes, columns::Lists, segment, stored::Stored};

/// A person in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonHit {
    pub id: Uuid,
    /// Description in the latest publication.
    pub person: Person,
    /// Lowest confidence of the mandates, 0 to 1.
    pub confidence: f64,
    /// Number of known roles.
    pub role_count: u64,
    /// Number of current roles.
    pub current_role_count: u64,
}

/// One page of a list, and the total number of matches.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonHits {
    pub persons: Vec<PersonHit>,
    pub total: u64,
}

/// A person with all its roles.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonRecord {
    /// The id whose roles began first.
    pub id: Uuid,
    /// All ids, `id` first.
    pub ids: Vec<Uuid>,
    /// Description in the latest publication.
    pub person: Person,
    /// Lowest confidence of the mandates, 0 to 1.
    pub confidence: f64,
    /// Current roles first, then newest first.
    pub roles: Vec<Role>,
}

impl PersonRecord {
    /// The person with current roles only.
    pub fn into_officer(self) -> Officer {
        Officer {
            id: self.id,
            name: self.person.full_name(),
            is_entity: self.person.is_entity(),
            uid: self.person.uid,
            roles: self.roles.into_iter().filter(|it| it.mandate.is_current()).collect(),
        }
    }
}

/// The persons of one generation. Cheap to open; safe to use from many threads.
pub struct Persons {
    index: Index,
    summaries: Stored<PersonSummary>,
    /// The roles of each person.
    roles: Stored<Vec<Role>>,
    /// Companies with a current role of the person.
    companies: Lists,
}

/// Maximum number of persons returned as possibly the same.
const MAX_ALIKE: usize = 20;

/// In a filter, typos are allowed only if fewer persons than this match without them.
const ONE_MATCH: u64 = 1;

impl Persons {
    /// Opens the files that [`Builder::finish`] wrote; see
    /// [`Companies::open`](crate::companies::Companies::open). Persons and their roles are read from `storage`.
    pub fn open(directory: &Path, storage: &(impl Storage + ?Sized)) -> Result<Self, Error> {
        let (index, companies) = segment::open(directory, &schema(), |segment| {
            Ok((Index::of(segment)?, segment::lists(segment, COMPANIES)?))
        })?;
        let summaries = Stored::open(directory, SUMMARIES, storage, index.count)?;
        let roles = Stored::open(directory, ROLES, storage, index.count)?;
        Ok(Self { index, summaries, roles, companies })
    }

    /// Number of persons, without firms that hold a role.
    pub fn person_count(&self) -> u64 {
        self.first_entity().into()
    }

    /// One page of the persons that match the query.
    pub async fn search(&self, query: &PersonQuery) -> Result<PersonHits, Error> {
        let found = self.find(query)?;
        let total = found.all.count();
        let places = query.page.places(query.page_size, total);
        let page = self.page(query, &found, places);
        Ok(PersonHits { persons: self.hits(page).await?, total })
    }

    /// The person with this id, current or former.
    pub async fn person(&self, id: Uuid) -> Result<Option<PersonRecord>, Error> {
        Ok(self.persons(&[id]).await?.remove(&id))
    }

    /// The persons with these ids, current or former. Unknown ids are left out.
    pub async fn persons(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, PersonRecord>, Error> {
        let known = self.known(ids).await?;
        let roles = self.roles.get(known.iter().map(|it| it.document)).await?;
        let person = |(known, roles): (Known, Vec<Role>)| (known.id, known.summary.with(roles));
        Ok(known.into_iter().zip(roles).map(person).collect())
    }

    /// For each of these ids, the first id of the person. Unknown ids are left out.
    pub async fn first_ids(&self, ids: &[Uuid]) -> Result<HashMap<Uuid, Uuid>, Error> {
        let known = self.known(ids).await?.into_iter();
        Ok(known.map(|it| (it.id, it.summary.id())).collect())
    }

    /// Other persons with the same name and place of origin, or nationality if the origin is not known. They may be the same
    /// person with another or no known residence. At most 20, most relevant first.
    pub async fn possibly_same(&self, id: Uuid) -> Result<Vec<PossiblySame>, Error> {
        let Some(known) = self.known(&[id]).await?.pop() else { return Ok(Vec::new()) };
        let Some(likeness) = likeness(&known.summary.person) else { return Ok(Vec::new()) };
        let mut alike = self.index.keyed(Key::Likeness, [likeness])?;
        alike.remove(known.document);
        let first = self.summaries.get(alike.iter().take(MAX_ALIKE)).await?;
        let person = &known.summary.person;
        Ok(first.iter().map(|it| PossiblySame::new(it.id(), person, &it.person)).collect())
    }

    /// Persons and firms with a current role in the company, most relevant first.
    pub async fn of_company(&self, uid: Uid) -> Result<Vec<PersonHit>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        self.hits(officers.iter()).await
    }

    /// As [`Self::of_company`], with all current roles of each.
    pub async fn officers(&self, uid: Uid) -> Result<Vec<Officer>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        let summaries = self.summaries.get(officers.iter());
        let (summaries, roles) = try_join(summaries, self.roles.get(officers.iter())).await?;
        let each = summaries.into_iter().zip(roles);
        Ok(each.map(|(summary, roles)| summary.with(roles).into_officer()).collect())
    }

    /// The companies in which a person or firm with this name has a current role. Typos are allowed if none
    /// matches without them. A blank name finds none.
    pub fn companies_with_person(&self, name: &str) -> Result<HashSet<Uid>, Error> {
        let found = self.named(name, &self.index.every(), ONE_MATCH)?.all;
        Ok(found.iter().flat_map(|it| self.companies_of_document(it)).collect())
    }

    fn companies_of_document(&self, document: u32) -> impl Iterator<Item = Uid> {
        let uid = |it| u32::try_from(it).ok().and_then(Uid::from_number);
        self.companies.get(document).filter_map(uid)
    }

    fn first_entity(&self) -> u32 {
        self.index.column(Number::IsEntity).first_that(|it| it > 0)
    }

    /// The persons with these ids. Several persons may have the same key, so the ids of each are compared.
    async fn known(&self, ids: &[Uuid]) -> Result<Vec<Known>, Error> {
        let mut candidates = Vec::with_capacity(ids.len());
        for &id in ids {
            let found = self.index.keyed(Key::ById, [codes::id(id)])?;
            candidates.extend(found.iter().map(|document| (id, document)));
        }
        let summaries = self.summaries.get(candidates.iter().map(|it| it.1)).await?;
        let known = candidates.into_iter().zip(summaries);
        let known = known.map(|((id, document), summary)| Known { id, document, summary });
        Ok(known.filter(|it| it.summary.ids.contains(&it.id)).collect())
    }

    async fn hits(
        &self,
        documents: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<PersonHit>, Error> {
        Ok(self.summaries.get(documents).await?.into_iter().map(Into::into).collect())
    }
}

/// A person that was asked for by an id.
struct Known {
    id: Uuid,
    document: u32,
    summary: PersonSummary,
}

impl PersonSummary {
    /// The id that identifies the person.
    fn id(&self) -> Uuid {
        self.ids.first().copied().unwrap_or_default()
    }

    fn with(self, roles: Vec<Role>) -> PersonRecord {
        let id = self.id();
        let Self { ids, person, confidence, .. } = self;
        PersonRecord { id, ids, person, confidence, roles }
    }
}

impl From<PersonSummary> for PersonHit {
    fn from(it: PersonSummary) -> Self {
        Self {
            id: it.id(),
            person: it.person,
            confidence: it.confidence,
            role_count: it.roles,
            current_role_count: it.current,
        }
    }
}
