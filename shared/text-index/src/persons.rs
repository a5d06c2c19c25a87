//! The index of the persons: who holds which office, and who is possibly the same.
//!
//! A document is a person with all its roles, under every id that a notice proves to be one human.
//! Every total is exact.

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
    /// As the latest publication describes it.
    pub person: Person,
    /// The least of its mandates', 0 to 1.
    pub confidence: f64,
    /// How many roles are known.
    pub role_count: u64,
    /// How many of them last.
    pub current_role_count: u64,
}

/// One page of a list, and how long the whole list is.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonHits {
    pub persons: Vec<PersonHit>,
    pub total: u64,
}

/// A person with all its roles.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonRecord {
    /// Of its ids the one whose roles began first.
    pub id: Uuid,
    /// All of them, that one first.
    pub ids: Vec<Uuid>,
    /// As the latest publication describes it.
    pub person: Person,
    /// The least of its mandates', 0 to 1.
    pub confidence: f64,
    /// Those that last first, then the newest.
    pub roles: Vec<Role>,
}

impl PersonRecord {
    /// The person with the roles that last.
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

/// The persons of one generation. Cheap to open; asked from many threads at once.
pub struct Persons {
    index: Index,
    /// The same persons in the same order.
    roles: RolesIndex,
    /// The companies in which a role lasts.
    companies: Lists,
}

/// How many persons are named as possibly the same.
const ALIKE_AT_MOST: usize = 20;

/// Where nobody matches as written, typos are forgiven in a filter.
const ANYBODY: u64 = 1;

impl Persons {
    /// Maps the files that [`Builder::finish`] has written; see
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

    /// How many people there are; firms that hold an office are not counted.
    pub fn person_count(&self) -> u64 {
        self.first_entity().into()
    }

    /// The page of the list that the query asks for.
    pub fn search(&self, query: &PersonQuery) -> Result<PersonHits, Error> {
        let found = self.find(query)?;
        let total = found.all.count();
        let places = query.page.places(query.page_size, total);
        let first = self.first(query, &found, places.end);
        Ok(PersonHits { persons: self.hits(first.into_iter().skip(places.start))?, total })
    }

    /// The person who has or had this id.
    pub fn person(&self, id: Uuid) -> Result<Option<PersonRecord>, Error> {
        Ok(self.document(id)?.map(|it| self.record(it)).transpose()?)
    }

    /// Other people of the same name and origin, or else nationality, who go by another id, because
    /// they live elsewhere or nothing says where. At most twenty, the most relevant first.
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

    /// Those who have a role in the company today, firms among them, the most relevant first.
    pub fn of_company(&self, uid: Uid) -> Result<Vec<PersonHit>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        self.hits(officers.iter())
    }

    /// The same with all their roles of today.
    pub fn officers(&self, uid: Uid) -> Result<Vec<Officer>, Error> {
        let officers = self.index.keyed(Key::InCompany, [uid.number().into()])?;
        let officer = |it| Ok(self.record(it)?.into_officer());
        Ok(officers.iter().map(officer).collect::<io::Result<_>>()?)
    }

    /// The companies in which somebody with such a name has a role today, a person or a firm. Typos
    /// are forgiven where nobody matches as written; a blank name finds none.
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
