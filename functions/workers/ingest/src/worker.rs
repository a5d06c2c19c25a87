//! What each job does.
//!
//! A job may run twice or crash at any point. Facts are stored before the next job is sent, so that nothing is
//! skipped, and storing them again changes nothing.

mod error;

use domain::Uid;
use fetch::{Fetched, Fetcher};
use generations::Generations;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use jobs::{IndexJob, IngestJob, Queue};
use objects::Objects;
use sources::{Batch, Page, description};
use statements::Source;
use store::Registry;

use crate::{
    Error, File,
    account::account,
    incoming, ingest_file,
    locations::{self, Saved},
    not_understood, quarantine, relationships, resolve,
};

pub use error::JobError;

/// Number of facts of a file that one job stores. DynamoDB takes some hundred a second, and a job may run for
/// fifteen minutes.
const FACTS_PER_JOB: usize = 20_000;
/// Number of quarantined records that one job lists. A message may have 256 KB.
const RECORDS_PER_JOB: usize = 1_000;

/// The dependencies of the jobs.
pub struct Worker {
    pub registry: Registry,
    pub objects: Objects,
    pub generations: Generations,
    pub fetcher: Fetcher,
    pub jobs: Queue<IngestJob>,
    pub index_jobs: Queue<IndexJob>,
}

impl Worker {
    /// Reads the configuration from the environment. If the secret of the commercial register cannot be
    /// read, its jobs fail and the other sources work.
    pub async fn from_env() -> Self {
        let aws = aws_environment::load().await;
        let mut settings = fetch::Settings::from_env();
        if let Some(secret) = &settings.zefix_secret {
            match account(&aws, secret).await {
                Ok(account) => settings.zefix = Some(account),
                Err(error) => {
                    tracing::error!(
                        error = errors::chain(&error),
                        "the account of the commercial register cannot be read"
                    );
                }
            }
        }
        let objects = Objects::from_env(objects::client(&aws));
        let queues = jobs::client(&aws);
        Self {
            registry: Registry::from_env(store::client(&aws)),
            generations: Generations::from_env(objects.clone()),
            objects,
            fetcher: Fetcher::new(settings),
            jobs: Queue::from_env(queues.clone()),
            index_jobs: Queue::from_env(queues),
        }
    }

    /// Runs a job. A failure is also saved in the status of its source.
    pub async fn handle(&self, job: IngestJob) -> Result<(), JobError> {
        let (source, result) = match job {
            IngestJob::FetchSources { sources } => return self.fetch_sources(&sources).await,
            IngestJob::FetchLocalities => return self.fetch_localities().await,
            IngestJob::UpdateLocations { after } => return self.update_locations(after).await,
            IngestJob::FetchPage { page } => (page.source(), self.fetch_page(page).await),
            IngestJob::ImportFile { source, key, offset, accept_shrunk } => {
                (source, self.import_file(source, key, offset, accept_shrunk).await)
            }
            IngestJob::Reprocess { source } => (source, self.reprocess(source).await),
            IngestJob::ReprocessFile { source, key, records } => {
                (source, self.reprocess_file(source, &key, &records).await)
            }
            IngestJob::FetchRelationships { accept_shrunk } => {
                (Source::Gleif, self.fetch_relationships(accept_shrunk).await)
            }
        };
        if let Err(error) = &result {
            let save = |it: &mut store::SourceStatus| it.last_failure = Some(error.public_reason());
            // The caller gets the failure of the job, not the failure to save it.
            if let Err(error) = self.registry.update_source_status(source, save).await {
                tracing::warn!(%source, error = errors::chain(&error), "the failure of a job was not saved");
            }
        }
        result
    }

    async fn fetch_sources(&self, sources: &[Source]) -> Result<(), JobError> {
        let mut jobs = Vec::new();
        for source in sources {
            let status = self.registry.source_status(*source).await.map_err(Error::from)?;
            let pages =
                self.fetcher.settings().first_pages(*source, status.newest_publication, today());
            jobs.extend(pages.into_iter().map(|page| IngestJob::FetchPage { page }));
        }
        Ok(self.jobs.send_all(&jobs).await?)
    }

    async fn fetch_page(&self, page: Page) -> Result<(), JobError> {
        let source = page.source();
        let Fetched { bytes, day, next } = self.fetcher.fetch(&page).await?;
        if !bytes.is_empty() {
            // The original bytes are saved, so that an improved reader can read them again.
            let key = incoming::key(source, today(), &bytes);
            self.objects.put(&key, bytes.clone()).await.map_err(Error::from)?;
            let batch = self.read(source, &bytes).await?.dated(day.or(Some(today())));
            self.ingest(File { source, batch, key: Some(key), accept_shrunk: false }).await?;
        }
        let mut next: Vec<IngestJob> =
            next.into_iter().map(|page| IngestJob::FetchPage { page }).collect();
        if next.is_empty() && source == Source::Gleif {
            next.push(IngestJob::FetchRelationships { accept_shrunk: false });
        }
        self.send_next(source, next).await
    }

    /// Collects the relationships and securities of the known companies in one file of the bucket, and
    /// sends a job to import it.
    async fn fetch_relationships(&self, accept_shrunk: bool) -> Result<(), JobError> {
        let source = Source::Gleif;
        let companies = relationships::companies(&self.objects).await?;
        if !companies.has_companies() {
            return self.send_next(source, Vec::new()).await;
        }
        let excerpt = self.fetcher.complete(companies).await?;
        let counts = excerpt.counts();
        if !accept_shrunk {
            relationships::check_counts(&self.objects, counts).await?;
        }
        let bytes = excerpt.to_bytes().map_err(Error::from)?;
        let key = incoming::key(source, today(), &bytes);
        self.objects.put(&key, bytes).await.map_err(Error::from)?;
        relationships::save_counts(&self.objects, counts).await?;
        let import = IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false };
        self.send_next(source, vec![import]).await
    }

    async fn import_file(
        &self,
        source: Source,
        key: String,
        offset: usize,
        accept_shrunk: bool,
    ) -> Result<(), JobError> {
        let bytes = self.objects.get(&key).await.map_err(Error::from)?;
        let bytes = bytes.ok_or_else(|| Error::from(objects::Error::Missing(key.clone())))?;
        let mut batch = self.read(source, &bytes).await?;
        if description(source).is_complete_list {
            batch = batch.dated(incoming::date(&key));
        }
        let (batch, next_offset) = part(source, batch, offset);
        let file = File { source, batch, key: Some(key.clone()), accept_shrunk };
        self.ingest(file).await?;
        let next =
            next_offset.map(|offset| IngestJob::ImportFile { source, key, offset, accept_shrunk });
        self.send_next(source, next.into_iter().collect()).await
    }

    async fn reprocess(&self, source: Source) -> Result<(), JobError> {
        not_understood::reprocess(&self.registry, &self.objects, source, now()).await?;
        let files = quarantine::files(&self.objects, source).await?;
        let jobs = files.into_iter().flat_map(|(key, records)| {
            let chunks: Vec<Vec<String>> =
                records.chunks(RECORDS_PER_JOB).map(<[String]>::to_vec).collect();
            let job = move |records| IngestJob::ReprocessFile { source, key: key.clone(), records };
            chunks.into_iter().map(job)
        });
        self.send_next(source, jobs.collect()).await
    }

    async fn reprocess_file(
        &self,
        source: Source,
        key: &str,
        records: &[String],
    ) -> Result<(), JobError> {
        let (registry, objects) = (&self.registry, &self.objects);
        let generations = &self.generations;
        quarantine::reprocess_file(registry, objects, generations, source, key, records, now())
            .await?;
        self.send_next(source, Vec::new()).await
    }

    /// The directory changes a few times a year. The records are updated only if it has changed.
    async fn fetch_localities(&self) -> Result<(), JobError> {
        let table = self.fetcher.localities().await?;
        match locations::save(&self.objects, &table, today()).await? {
            Saved::Newest => {
                Ok(self.jobs.send(&IngestJob::UpdateLocations { after: None }).await?)
            }
            Saved::AlreadyKnown => Ok(()),
        }
    }

    async fn update_locations(&self, after: Option<Uid>) -> Result<(), JobError> {
        let last = locations::update(&self.registry, &self.objects, after).await?;
        match last {
            Some(_) => Ok(self.jobs.send(&IngestJob::UpdateLocations { after: last }).await?),
            None => self.request_generation().await,
        }
    }

    async fn read(&self, source: Source, bytes: &[u8]) -> Result<Batch, JobError> {
        let read = resolve::read(source, bytes).map_err(Error::from)?;
        Ok(read.resolve_in(&self.generations, &self.registry).await?)
    }

    async fn ingest(&self, file: File) -> Result<(), JobError> {
        let source = file.source;
        let report = ingest_file(&self.registry, &self.objects, file, now()).await?;
        tracing::info!(%source, ?report, "ingested");
        Ok(())
    }

    /// Sends the next jobs of a source. After the last job, requests a generation, even if this run stored
    /// nothing new: an earlier run may have stored facts and crashed before its request. News are read
    /// from the table and need no generation.
    async fn send_next(&self, source: Source, next: Vec<IngestJob>) -> Result<(), JobError> {
        if !next.is_empty() {
            self.jobs.send_all(&next).await?;
        } else if source != Source::News {
            self.request_generation().await?;
        }
        Ok(())
    }

    async fn request_generation(&self) -> Result<(), JobError> {
        let publish = IndexJob::Publish { requested_at: now() };
        Ok(self.index_jobs.send(&publish).await?)
    }
}

/// The facts of a file that one job stores, and the offset for the next job.
///
/// Two kinds of files are not split. A complete list: withdrawals are found by comparing all of it. A file
/// whose records identify companies by name: the same record may resolve differently in the next job, so
/// that offsets would not match.
fn part(source: Source, batch: Batch, offset: usize) -> (Batch, Option<usize>) {
    let next = offset + FACTS_PER_JOB;
    let description = description(source);
    if description.is_complete_list || description.has_mentions() {
        return (batch, None);
    }
    let has_more = next < batch.statements.len();
    let statements = batch.statements.into_iter().skip(offset).take(FACTS_PER_JOB).collect();
    // The first job puts the rejected records into the quarantine.
    let rejected = if offset == 0 { batch.rejected } else { Vec::new() };
    (Batch { statements, rejected }, has_more.then_some(next))
}

#[expect(clippy::disallowed_methods, reason = "the worker passes the time to everything it calls")]
fn now() -> Timestamp {
    Timestamp::now()
}

fn today() -> Date {
    now().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use domain::Uid;
    use sources::Rejected;
    use statements::CompanyStatement;

    use super::*;

    const RECORD: &[u8] =
        br#"{"name": "Muster AG", "uid": "CHE600000012", "canton": "ZH", "status": "ACTIVE"}"#;

    fn batch(count: usize) -> Batch {
        let mut read = sources::read(Source::Zefix, RECORD).expect("json").statements;
        let statement = read.remove(0);
        let numbered = |number: usize| {
            let uid = format!("CHE{:09}", 100_000_000 + number).parse().expect("a number");
            CompanyStatement { uid, ..statement.clone() }
        };
        let rejected = Rejected { record: "?".to_owned(), reason: "unreadable".to_owned() };
        Batch { statements: (0..count).map(numbered).collect(), rejected: vec![rejected] }
    }

    #[test]
    fn long_file_is_split_and_each_fact_is_in_one_part() {
        let all = 2 * FACTS_PER_JOB + 1;
        let (mut next, mut stored, mut rejected) = (Some(0), Vec::new(), 0);
        while let Some(offset) = next {
            let (part, following) = part(Source::Zefix, batch(all), offset);
            assert!(part.statements.len() <= FACTS_PER_JOB);
            stored.extend(part.statements.into_iter().map(|it| it.uid));
            rejected += part.rejected.len();
            next = following;
        }
        assert_eq!(
            stored,
            batch(all).statements.into_iter().map(|it| it.uid).collect::<Vec<Uid>>()
        );
        assert_eq!(rejected, 1);
    }

    #[test]
    fn file_with_exactly_the_maximum_is_one_job() {
        assert_eq!(part(Source::Zefix, batch(FACTS_PER_JOB), 0).1, None);
    }

    #[test]
    fn complete_lists_and_files_with_names_are_not_split() {
        for source in [Source::Finma, Source::News, Source::Six, Source::Reports] {
            let (part, next) = part(source, batch(FACTS_PER_JOB + 1), 0);
            assert_eq!((part.statements.len(), next), (FACTS_PER_JOB + 1, None), "{source}");
        }
    }
}
