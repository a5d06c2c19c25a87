//! Finding the company of a record that has no UID.
//!
//! A record may identify its company in several ways, the most reliable one first. The first that leads to
//! exactly one company is used. If none does, the record goes to the quarantine and can be read again when its
//! company is registered.

use std::{collections::HashMap, sync::Arc};

use domain::{
    Company, Source, Status, Uid,
    legal_forms::BRANCHES,
    search::{CompanyQuery, PageSize},
    text,
};
use generations::{Generation, Generations};
use sources::{Batch, Mention, Pending, Reader, Unreadable, description};
use store::Registry;

/// A file whose records have been read.
#[derive(Debug)]
pub enum Read {
    /// All records have the UID of their company.
    Resolved(Batch),
    /// Some records identify their company by LEI, ISIN or name.
    Pending(Pending),
}

/// Reads a file of a source as [`sources::read`] does, but does not look up companies yet.
pub fn read(source: Source, bytes: &[u8]) -> Result<Read, Unreadable> {
    match description(source).reader {
        Reader::Identified(read) => read(bytes).map(Read::Resolved),
        Reader::Mentioned(read) => read(bytes).map(Read::Pending),
    }
}

impl Read {
    /// Whether no company has to be looked up.
    pub fn is_identified(&self) -> bool {
        match self {
            Self::Resolved(_) => true,
            Self::Pending(pending) => !pending.has_lookups(),
        }
    }

    /// The facts of the companies that `find` finds. The other records are rejected with a reason. `find`
    /// is called once for each distinct mention.
    pub async fn resolve<E>(
        self,
        find: impl AsyncFn(&Mention) -> Result<Option<Uid>, E>,
    ) -> Result<Batch, E> {
        let pending = match self {
            Self::Resolved(batch) => return Ok(batch),
            Self::Pending(pending) => pending,
        };
        let mut found: HashMap<Mention, Uid> = HashMap::new();
        for mention in pending.mentions() {
            // A UID needs no lookup.
            if !matches!(mention, Mention::Uid(_))
                && let Some(uid) = find(mention).await?
            {
                found.insert(mention.clone(), uid);
            }
        }
        Ok(pending.resolve(|mention| found.get(mention).copied()))
    }

    /// The facts of the companies in the registry. Opens the current generation only if a lookup is needed.
    pub async fn resolve_in(
        self,
        generations: &Generations,
        registry: &Registry,
    ) -> Result<Batch, LookupError> {
        let generation = match &self {
            Self::Pending(pending) if pending.has_lookups() => current(generations).await?,
            _ => None,
        };
        self.resolve(async |it: &Mention| company(generation.as_deref(), registry, it).await).await
    }
}

/// The current generation, or `None` if none has been published yet.
async fn current(generations: &Generations) -> Result<Option<Arc<Generation>>, generations::Error> {
    match generations.current().await {
        Ok(generation) => Ok(Some(generation)),
        Err(generations::Error::None) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Why a lookup failed.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error(transparent)]
    Index(#[from] text_index::Error),
}

/// The company that a mention identifies: by LEI, ISIN or its current name in the register. `None` if several
/// companies match, or if there is no generation yet.
async fn company(
    generation: Option<&Generation>,
    registry: &Registry,
    mention: &Mention,
) -> Result<Option<Uid>, LookupError> {
    let Some(generation) = generation else { return Ok(None) };
    let query = match mention {
        Mention::Uid(uid) => return Ok(Some(*uid)),
        Mention::Lei(lei) => CompanyQuery { lei: Some((*lei).into()), ..CompanyQuery::default() },
        Mention::Isin(isin) => {
            CompanyQuery { isin: Some((*isin).into()), ..CompanyQuery::default() }
        }
        Mention::Name(name) => CompanyQuery {
            search: Some(name.clone()),
            page_size: PageSize::FULL,
            ..CompanyQuery::default()
        },
    };
    let companies = generation.companies().await.map_err(generations::Error::from)?;
    let uids = companies.search(&query)?.uids;
    Ok(match mention {
        Mention::Name(name) => named(name, &registry.companies(&uids).await?),
        _ => only(uids.iter()).copied(),
    })
}

/// The company with this name. Existing companies are preferred to deleted ones, and companies to their
/// branches. `None` if several companies remain.
fn named(name: &str, companies: &[Company]) -> Option<Uid> {
    let folded = text::fold(name);
    let has_name = |it: &&Company| {
        let translations = it.translations.iter().flatten();
        translations.chain([&it.name]).any(|it| text::fold(it) == folded)
    };
    let (deleted, existing): (Vec<_>, Vec<_>) =
        companies.iter().filter(has_name).partition(|it| it.status == Some(Status::Cancelled));
    let candidates = if existing.is_empty() { deleted } else { existing };
    let is_branch =
        |it: &&Company| it.legal_form_code.as_deref().is_some_and(|code| BRANCHES.contains(&code));
    let (branches, companies): (Vec<_>, Vec<_>) = candidates.into_iter().partition(is_branch);
    only(if companies.is_empty() { branches } else { companies }).map(|it| it.uid)
}

/// The item if there is exactly one.
fn only<T>(items: impl IntoIterator<Item = T>) -> Option<T> {
    let mut items = items.into_iter();
    items.next().filter(|_| items.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn company(number: u32, name: &str) -> Company {
        let uid = format!("CHE-600.000.{number:03}").parse().expect("well-formed");
        let mut company = Company::new(uid, name);
        company.status = Some(Status::Active);
        company
    }

    #[test]
    fn name_resolves_to_the_only_company_with_that_name() {
        let one = company(1, "Müller & Söhne AG");
        let found = |companies: &[Company]| named("Mueller & Soehne AG", companies);
        assert_eq!(found(&[one.clone(), company(2, "Müller AG")]), Some(one.uid));
        assert_eq!(found(&[company(2, "Müller & Söhne Immobilien AG")]), None);
        let other = company(3, "Mueller & Soehne AG");
        assert_eq!(found(&[one.clone(), other.clone()]), None, "two companies have the name");
        let deleted = Company { status: Some(Status::Cancelled), ..other.clone() };
        assert_eq!(found(&[one.clone(), deleted.clone()]), Some(one.uid));
        assert_eq!(found(std::slice::from_ref(&deleted)), Some(deleted.uid));
        let branch = Company { legal_form_code: Some("0151".to_owned()), ..other };
        assert_eq!(found(&[one.clone(), branch]), Some(one.uid));
    }

    #[test]
    fn only_returns_an_item_that_is_alone() {
        assert_eq!(only::<u8>([]), None);
        assert_eq!(only([1]), Some(1));
        assert_eq!(only([1, 2]), None);
    }
}
