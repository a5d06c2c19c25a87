use std::collections::HashSet;

use analytics::{Needs, Rows};
use columns::{CHUNKS, Columns, Tables};
use domain::{
    Uid,
    search::{CompanyQuery, changes::ChangeQuery},
};
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use text_index::{
    changes::{ChangeHits, Changes},
    companies::{Companies, Hits},
    persons::Persons,
    tenures::Tenures,
};
use tokio::sync::OnceCell;

use crate::{
    Error, HISTORIES, Manifest, RECORDS, Records,
    index::{OnDemand, Source},
};

/// Folder of the columns within a generation.
pub const COLUMNS: &str = "columns";

/// One snapshot of the register. Each index is downloaded and opened on first use, once per process.
pub struct Generation {
    pub manifest: Manifest,
    source: Source,
    companies: OnDemand<Companies>,
    changes: OnDemand<Changes>,
    persons: OnDemand<Persons>,
    tenures: OnDemand<Tenures>,
    records: OnceCell<Records>,
    columns: OnceCell<Columns>,
}

impl Generation {
    /// A generation without open indexes.
    pub(crate) fn new(manifest: Manifest, source: Source) -> Self {
        Self {
            manifest,
            source,
            companies: OnDemand::default(),
            changes: OnDemand::default(),
            persons: OnDemand::default(),
            tenures: OnDemand::default(),
            records: OnceCell::new(),
            columns: OnceCell::new(),
        }
    }

    pub async fn companies(&self) -> Result<&Companies, Unavailable> {
        self.companies.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn changes(&self) -> Result<&Changes, Unavailable> {
        self.changes.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn persons(&self) -> Result<&Persons, Unavailable> {
        self.persons.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn tenures(&self) -> Result<&Tenures, Unavailable> {
        self.tenures.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    /// The full records. Only their table is kept in memory.
    pub async fn records(&self) -> Result<&Records, Unavailable> {
        self.records.get_or_try_init(|| self.lines_of(RECORDS)).await.map_err(Unavailable)
    }

    /// The tables with these columns. The rows of companies are the documents of the index of companies. A column is
    /// fetched on first use, once per process.
    pub async fn columns(&self, needs: &Needs) -> Result<Tables, Unavailable> {
        self.tables(needs).await.map_err(Unavailable)
    }

    async fn tables(&self, needs: &Needs) -> Result<Tables, Error> {
        let columns = self.columns.get_or_try_init(|| self.open_columns()).await?;
        Ok(columns.get(needs).await?)
    }

    async fn open_columns(&self) -> Result<Columns, Error> {
        let (objects, path) = (&self.source.objects, format!("{COLUMNS}/{CHUNKS}"));
        let location = self.source.location();
        let missing = || {
            let key = location.key(&self.manifest.id, &path);
            published::Error::damaged(&key, "it does not exist")
        };
        let chunks = self.manifest.described(objects, &path).await?.ok_or_else(missing)?;
        let folder = location.key(&self.manifest.id, COLUMNS);
        Ok(Columns::new(objects.clone(), folder, chunks))
    }

    /// The histories of its companies, in blocks of the same companies as [`Generation::records`]. Only their table is read.
    pub async fn histories(&self) -> Result<Records, Unavailable> {
        self.lines_of(HISTORIES).await.map_err(Unavailable)
    }

    /// The lines in a folder, without which the generation is invalid.
    async fn lines_of(&self, folder: &str) -> Result<Records, Error> {
        let lines = Records::open(&self.source.objects, &self.manifest, folder).await?;
        let folder = self.source.location().key(&self.manifest.id, folder);
        Ok(lines.ok_or_else(|| published::Error::damaged(&folder, "it does not exist"))?)
    }

    /// One page of the companies that match the query. `tagged` are the companies with one of its tags.
    pub async fn search_companies(
        &self,
        query: &CompanyQuery,
        tagged: Option<HashSet<Uid>>,
    ) -> Result<Hits, Unavailable> {
        let among = self.among(query, tagged).await?;
        let hits = self.companies().await?.search_among(query, among.as_ref());
        hits.map_err(Unavailable::from)
    }

    /// Number of companies that match the query, and all of them, active and large ones first. `None` instead of the
    /// companies if they are more than `max`.
    pub async fn all_companies(
        &self,
        query: &CompanyQuery,
        tagged: Option<HashSet<Uid>>,
        max: usize,
    ) -> Result<(u64, Option<Vec<Uid>>), Unavailable> {
        let among = self.among(query, tagged).await?;
        let all = self.companies().await?.all_among(query, among.as_ref(), max);
        all.map_err(Unavailable::from)
    }

    /// The rows of columns with the companies that match the query.
    pub async fn selection(
        &self,
        query: &CompanyQuery,
        tagged: Option<HashSet<Uid>>,
    ) -> Result<Rows, Unavailable> {
        let among = self.among(query, tagged).await?;
        let rows = self.companies().await?.selection(query, among.as_ref());
        Ok(rows.map_err(Unavailable::from)?.into_iter().collect())
    }

    /// One page of the changes that match the query.
    pub async fn search_changes(&self, query: &ChangeQuery) -> Result<ChangeHits, Unavailable> {
        let among = match query.companies() {
            Some(wanted) => {
                let companies = self.companies().await?;
                Some(companies.uids_of(&companies.selection(&wanted, None)?))
            }
            None => None,
        };
        Ok(self.changes().await?.search(query, among.as_deref()).await?)
    }

    /// The companies among which the query searches. `None`: all.
    async fn among(
        &self,
        query: &CompanyQuery,
        tagged: Option<HashSet<Uid>>,
    ) -> Result<Option<HashSet<Uid>>, Unavailable> {
        let with_person = match &query.board_member_search {
            Some(name) => {
                let companies = self.persons().await?.companies_with_person(name);
                Some(companies.map_err(Unavailable::from)?)
            }
            None => None,
        };
        Ok(match (tagged, with_person) {
            (Some(tagged), Some(with_person)) => Some(&tagged & &with_person),
            (tagged, with_person) => tagged.or(with_person),
        })
    }

    /// Opens all indexes.
    pub async fn open_all(&self) -> Result<(), Error> {
        self.companies().await?;
        self.changes().await?;
        self.persons().await?;
        self.tenures().await?;
        Ok(())
    }

    /// Opens the indexes that are open in another generation, and fetches the columns that were needed there, including what is
    /// opened there meanwhile.
    pub(crate) async fn open_what_is_open_in(&self, other: &Self) -> Result<(), Error> {
        let (manifest, source) = (&self.manifest, &self.source);
        while self.companies.follow(&other.companies, manifest, source).await?
            || self.changes.follow(&other.changes, manifest, source).await?
            || self.persons.follow(&other.persons, manifest, source).await?
            || self.tenures.follow(&other.tenures, manifest, source).await?
            || self.follow_columns(other).await?
        {}
        Ok(())
    }

    /// Fetches the columns that were needed in another generation. Returns whether one was missing.
    async fn follow_columns(&self, other: &Self) -> Result<bool, Error> {
        let Some(needed) = other.columns.get().map(Columns::needed) else { return Ok(false) };
        let is_missing = self.columns.get().is_none_or(|it| !it.has(&needed));
        if is_missing {
            self.tables(&needed).await?;
        }
        Ok(is_missing)
    }

    /// The response header with the id of the generation.
    pub fn header(&self) -> [(&'static str, String); 1] {
        [("x-data-generation", self.manifest.id.clone())]
    }
}

/// The register cannot be searched at the moment.
///
/// It does not implement `Error`, so that `?` in a handler turns it into a 503. Other callers convert it into
/// [`Error`].
#[derive(Debug)]
pub struct Unavailable(pub(crate) Error);

impl Unavailable {
    /// Whether no generation has been published yet.
    pub fn is_before_the_first(&self) -> bool {
        matches!(self.0, Error::None)
    }
}

impl From<Unavailable> for Problem {
    /// Logs the cause, which may name internal resources, and returns a 503 without it.
    fn from(Unavailable(failure): Unavailable) -> Self {
        tracing::error!(failure = errors::chain(&failure), "generation unavailable");
        Self::new(&SERVICE_UNAVAILABLE, "the register cannot be searched at the moment")
    }
}

/// A search that has failed, or records that could not be read.
impl From<text_index::Error> for Unavailable {
    fn from(failure: text_index::Error) -> Self {
        Self(failure.into())
    }
}

impl From<Error> for Unavailable {
    fn from(failure: Error) -> Self {
        Self(failure)
    }
}

impl From<Unavailable> for Error {
    fn from(Unavailable(failure): Unavailable) -> Self {
        failure
    }
}
