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

use std::{collections::HashSet, io, path::Path};

use domain::{
    Uid,
    persons::{Officer, Person, Role},
    search::persons::PersonQuery,
};
use uuid::Uuid;

pub use self::builder::{Builder, Summary};
use self::{
    schema::{
        COMPANIES, Index, Key, Number, ROLES, Record, Roles, RolesIndex, roles_schema, schema,
    },
    summary::likeness,
};
use crate::{Error, codes, columns::Lists, segment};

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
    /// The roles of the persons, in the same order.
    roles: RolesIndex,
    /// Companies with a current role of the person.
    companies: Lists,
}

/// Maximum number of persons returned as possibly the same.
const ALIKE_AT_MOST: usize = 20;

/// In a filter, typos are allowed only if nobody matches without.
const ANYBODY: u64 = 1;

impl Persons {
    /// Opens the files that [`Builder::finish`] wrote; see
    /// [`Companies::open`](crate::companies::Companies::open).
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let (index, companies) = segment::open(directory, &schema(), |segment| {
            Ok((Index::of(segment)?, segment::lists(segment, COMPANIES)?))
        })?;
        let roles = RolesIndex::open(&directory.join(ROLES), &roles_schema())?;
        if roles.count != index.count {
            let source = "the roles are those of other persons".into();
            return Err(Error::Unreadable { directory: directory.to_owned(), source });
        }
        Ok(Self { index, roles, companies })
    }

    /// Number of persons, without firms that hold a role.
    pub fn person_count(&self) -> u64 {
        self.first_entity().into()
    }

    /// One page of the persons that match the query.
    pub fn search(&self, query: &PersonQuery) -> Result<PersonHits, Error> {
        let found = self.find(query)?;
        let total = found.all.count();
        let places = query.page.places(query.page_size, total);
        let page = self.page(query, &found, places);
        Ok(PersonHits { persons: self.hits(page.into_iter())?, total })
    }

    /// The person with this id, current or former.
    pub fn person(&self, id: Uuid) -> Result<Option<PersonRecord>, Error> {
        Ok(self.document(id)?.map(|it| self.record(it)).transpose()?)
    }

    /// Ids of other persons with the same name and place of origin, or nationality if the origin is not known.
    /// They may be the same person with another or no known residence. At most 20, most relevant first.
    pub fn possibly_same(&self, id: Uuid) -> Result<Vec<Uuid>, Error> {
        let Some(document) = self.document(id)? else { return Ok(Vec::new()) };
        let Some(likeness) = likeness(&self.summary(document)?.person) else {
            return Ok(Vec::new());
        };
        let mut alike = self.index.keyed(Key::Likeness, [likeness])?;
        alike.remove(document);
        let first = alike.iter().take(ALIKE_AT_MOST);
        Ok(first.map(|it| Ok(self.hit(it)?.id)).collect::<io::Result<_>>()?)
    }

    /// Persons and firms with a current role in the company, most relevant first.
    pub fn of_company(&self, uid: Uid) -> Result<Vec<PersonHit>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        self.hits(officers.iter())
    }

    /// As [`Self::of_company`], with all current roles of each.
    pub fn officers(&self, uid: Uid) -> Result<Vec<Officer>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        let officer = |it| Ok(self.record(it)?.into_officer());
        Ok(officers.iter().map(officer).collect::<io::Result<_>>()?)
    }

    /// The companies in which a person or firm with this name has a current role. Typos are allowed if nobody
    /// matches without. A blank name finds none.
    pub fn companies_with_person(&self, name: &str) -> Result<HashSet<Uid>, Error> {
        let found = self.named(name, &self.index.every(), ANYBODY)?.all;
        Ok(found.iter().flat_map(|it| self.companies_of_document(it)).collect())
    }

    fn companies_of_document(&self, document: u32) -> impl Iterator<Item = Uid> {
        let uid = |it| u32::try_from(it).ok().and_then(Uid::from_number);
        self.companies.get(document).filter_map(uid)
    }

    fn first_entity(&self) -> u32 {
        self.index.column(Number::IsEntity).first_that(|it| it > 0)
    }

    fn document(&self, id: Uuid) -> io::Result<Option<u32>> {
        for document in self.index.keyed(Key::ById, [codes::id(id)])?.iter() {
            if self.summary(document)?.ids.contains(&id) {
                return Ok(Some(document));
            }
        }
        Ok(None)
    }

    fn summary(&self, document: u32) -> io::Result<summary::Summary> {
        self.index.records.get(document, Record::Summary)
    }

    fn hits(&self, documents: impl Iterator<Item = u32>) -> Result<Vec<PersonHit>, Error> {
        Ok(documents.map(|it| self.hit(it)).collect::<io::Result<_>>()?)
    }

    fn hit(&self, document: u32) -> io::Result<PersonHit> {
        let summary::Summary { ids, person, confidence, roles, current } =
            self.summary(document)?;
        Ok(PersonHit {
            id: ids.first().copied().unwrap_or_default(),
            person,
            confidence,
            role_count: roles,
            current_role_count: current,
        })
    }

    fn record(&self, document: u32) -> io::Result<PersonRecord> {
        let summary::Summary { ids, person, confidence, .. } = self.summary(document)?;
        let roles = self.roles.records.get(document, Roles::Roles)?;
        Ok(PersonRecord {
            id: ids.first().copied().unwrap_or_default(),
            ids,
            person,
            confidence,
            roles,
        })
    }
}
