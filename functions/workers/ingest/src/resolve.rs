//! Which company a record means that does not number it.
//!
//! A record may name several ways to its company, the surest first; the first that leads somewhere is
//! taken. Where none does, the record goes to the quarantine with what it names, and can be read again
//! when its company is known.

use std::{collections::HashMap, sync::Arc};

use domain::{
    Company, Status, Uid,
    search::{CompanyQuery, PageSize},
    text,
};
use generations::{Generation, Generations};
use sources::{Batch, Mention, Pending, Source, Unreadable};
use store::Registry;

/// The eCH-0097 codes of branches, which bear their company's name.
const BRANCHES: [&str; 2] = ["0111", "0151"];

/// A file that has been read.
#[derive(Debug)]
pub enum Read {
    /// Its records number their companies.
    Numbered(Batch),
    /// Its records name companies otherwise too.
    Naming(Pending),
}

/// Reads a file of a source, as [`sources::read`] does, and leaves open whom its records mean.
pub fn read(source: Source, bytes: &[u8]) -> Result<Read, Unreadable> {
    match source {
        Source::Six => sources::six::read(bytes).map(Read::Naming),
        Source::News => sources::news::read(bytes).map(Read::Naming),
        Source::Reports => sources::reports::read(bytes).map(Read::Naming),
        _ => sources::read(source, bytes).map(Read::Numbered),
    }
}

impl Read {
    /// Whether companies have to be looked up.
    pub fn is_naming(&self) -> bool {
        matches!(self, Self::Naming(_))
    }

    /// The facts of the companies that `find` finds; the other records are rejected with the reason.
    /// Whatever is named several times is looked up once.
    pub async fn resolved<E>(
        self,
        find: impl AsyncFn(&Mention) -> Result<Option<Uid>, E>,
    ) -> Result<Batch, E> {
        let pending = match self {
            Self::Numbered(batch) => return Ok(batch),
            Self::Naming(pending) => pending,
        };
        let mut found: HashMap<Mention, Uid> = HashMap::new();
        for mention in pending.mentions() {
            // A number needs no looking up.
            if !matches!(mention, Mention::Uid(_))
                && let Some(uid) = find(mention).await?
            {
                found.insert(mention.clone(), uid);
            }
        }
        Ok(pending.resolved(|mention| found.get(mention).copied()))
    }
}

impl Read {
    /// The facts of the companies that the register has; the generation is opened only where companies
    /// have to be looked up.
    pub async fn resolved_in(
        self,
        generations: &Generations,
        registry: &Registry,
    ) -> Result<Batch, LookupError> {
        let generation = match self.is_naming() {
            true => generation(generations).await?,
            false => None,
        };
        self.resolved(async |it: &Mention| company(generation.as_deref(), registry, it).await).await
    }
}

/// The generation to look companies up in; `None` before the first.
async fn generation(
    generations: &Generations,
) -> Result<Option<Arc<Generation>>, generations::Error> {
    match generations.current().await {
        Ok(generation) => Ok(Some(generation)),
        Err(generations::Error::None) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Why a company could not be looked up.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Generation(#[from] generations::Error),
    #[error(transparent)]
    Index(#[from] text_index::Error),
}

/// The company that a mention names: by identifier or by the name that it bears in the register today,
/// and only if no other does. `None` too while there is no generation to look in.
async fn company(
    generation: Option<&Generation>,
    registry: &Registry,
    mention: &Mention,
) -> Result<Option<Uid>, LookupError> {
    let Some(generation) = generation else { return Ok(None) };
    let query = match mention {
        Mention::Uid(uid) => return Ok(Some(*uid)),
        Mention::Lei(lei) => CompanyQuery { lei: Some(lei.to_string()), ..CompanyQuery::default() },
        Mention::Isin(isin) => {
            CompanyQuery { isin: Some(isin.to_string()), ..CompanyQuery::default() }
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
        Mention::Name(name) => bearer(name, &registry.companies(&uids).await?),
        _ => only(uids.iter()).copied(),
    })
}

/// The company that bears this name: of companies that last rather than of deleted ones, of
/// companies rather than of their branches; nobody where two are left.
fn bearer(name: &str, companies: &[Company]) -> Option<Uid> {
    let folded = text::fold(name);
    let names = |it: &Company| {
        let translations = it.translations.iter().flatten();
        translations.chain([&it.name]).any(|it| text::fold(it) == folded)
    };
    let bearers = companies.iter().filter(|it| names(it));
    let (gone, lasting): (Vec<_>, Vec<_>) =
        bearers.partition(|it| it.status == Some(Status::Cancelled));
    let some = if lasting.is_empty() { gone } else { lasting };
    let is_branch =
        |it: &&Company| it.legal_form_code.as_deref().is_some_and(|code| BRANCHES.contains(&code));
    let (branches, companies): (Vec<_>, Vec<_>) = some.into_iter().partition(is_branch);
    only(if companies.is_empty() { branches } else { companies }).map(|it| it.uid)
}

/// The only one; `None` of several too.
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
    fn a_name_means_the_only_company_that_bears_it() {
        let one = company(1, "Müller & Söhne AG");
        let found = |them: &[Company]| bearer("Mueller & Soehne AG", them);
        assert_eq!(found(&[one.clone(), company(2, "Müller AG")]), Some(one.uid));
        assert_eq!(found(&[company(2, "Müller & Söhne Immobilien AG")]), None);
        let other = company(3, "Mueller & Soehne AG");
        assert_eq!(found(&[one.clone(), other.clone()]), None, "two bear it");
        let gone = Company { status: Some(Status::Cancelled), ..other.clone() };
        assert_eq!(found(&[one.clone(), gone.clone()]), Some(one.uid));
        assert_eq!(found(std::slice::from_ref(&gone)), Some(gone.uid));
        let branch = Company { legal_form_code: Some("0151".to_owned()), ..other };
        assert_eq!(found(&[one.clone(), branch]), Some(one.uid));
    }

    #[test]
    fn only_one_is_the_only_one() {
        assert_eq!(only::<u8>([]), None);
        assert_eq!(only([1]), Some(1));
        assert_eq!(only([1, 2]), None);
    }
}
