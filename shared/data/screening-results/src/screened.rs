use std::{collections::HashMap, sync::Arc};

use domain::{Company, Lei, Uid, lists::List};
use jiff::Timestamp;
use objects::Objects;
use published::Error;

use crate::{
    CompanyHit, Published, ScreenedCompany,
    files::{HITS, NUMBERS, from_lines, numbers},
};

/// The result of a list.
#[derive(Debug)]
pub(crate) struct ListResult {
    pub(crate) published: Published,
    /// The companies that were compared.
    pub(crate) numbers: Vec<u32>,
    /// Those with hits or parents.
    pub(crate) listed: HashMap<Uid, ScreenedCompany>,
}

impl ListResult {
    pub(crate) async fn read(objects: &Objects, published: Published) -> Result<Self, Error> {
        let numbers = numbers(&published.file(objects, NUMBERS, &published.numbers_sha256).await?);
        let lines = published.file(objects, HITS, &published.hits_sha256).await?;
        let listed: Vec<ScreenedCompany> = from_lines(&published.key(objects, HITS), &lines)?;
        let listed = listed.into_iter().map(|it| (it.uid, it)).collect();
        Ok(Self { published, numbers, listed })
    }

    /// The hits of a company. `None`: it was not compared with the list.
    fn of(&self, uid: Uid) -> Option<&[CompanyHit]> {
        self.numbers.binary_search(&uid.number()).ok()?;
        Some(self.listed.get(&uid).map(|it| it.hits.as_slice()).unwrap_or_default())
    }

    /// Whether a parent of a company was compared together with it.
    fn has_compared_parent(&self, uid: Uid, parent: Lei) -> bool {
        self.listed.get(&uid).is_some_and(|it| it.parents.contains(&parent))
    }
}

/// The current results of all lists whose hits can be a risk.
#[derive(Clone, Debug, Default)]
pub struct ScreenedCompanies(pub(crate) Vec<Arc<ListResult>>);

/// A hit with the list that it is on.
#[derive(Clone, Copy, Debug)]
pub struct FoundHit<'a> {
    /// Which version of which list was searched.
    pub published: &'a Published,
    /// The hit.
    pub hit: &'a CompanyHit,
}

impl ScreenedCompanies {
    /// Sets `sanctionsHit` and `lastScreenedAt` of a company. They stay absent if it was compared with no list of sanctions.
    pub fn fill(&self, company: &mut Company) {
        let mut screened: Option<(bool, Timestamp)> = None;
        let lists = self.0.iter().filter(|it| states_sanctions(it.published.list));
        for list in lists {
            let Some(hits) = list.of(company.uid) else { continue };
            let is_hit = hits.iter().any(|it| it.is_sanction_of_company(list.published.list));
            let (known, at) = screened.unwrap_or_default();
            screened = Some((known || is_hit, at.max(list.published.screened_at)));
        }
        company.sanctions_hit = screened.map(|it| it.0);
        company.last_screened_at = screened.map(|it| it.1);
    }

    /// As [`ScreenedCompanies::fill`], for several companies.
    pub fn fill_all<'a>(&self, companies: impl IntoIterator<Item = &'a mut Company>) {
        companies.into_iter().for_each(|it| self.fill(it));
    }

    /// The hits of a company, its officers and parents on all lists. `None`: it was compared with none.
    pub fn hits(&self, uid: Uid) -> Option<Vec<FoundHit<'_>>> {
        let mut found: Option<Vec<FoundHit<'_>>> = None;
        for list in &self.0 {
            let Some(hits) = list.of(uid) else { continue };
            let hits = hits.iter().map(|hit| FoundHit { published: &list.published, hit });
            found.get_or_insert_default().extend(hits);
        }
        found
    }

    /// Whether a parent was compared with all lists with which its company was, at least one. Not if the record names the parent
    /// only since.
    pub fn has_compared_parent(&self, uid: Uid, parent: Lei) -> bool {
        let mut lists = self.0.iter().filter(|it| it.of(uid).is_some()).peekable();
        lists.peek().is_some() && lists.all(|it| it.has_compared_parent(uid, parent))
    }

    /// Whether a company was compared with a list of sanctions, and not only with others.
    pub fn has_searched_sanctions(&self, uid: Uid) -> bool {
        let mut lists = self.0.iter().filter(|it| states_sanctions(it.published.list));
        lists.any(|it| it.of(uid).is_some())
    }

    /// Whether no result is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn states_sanctions(list: List) -> bool {
    matches!(list, List::Seco | List::Opensanctions)
}
