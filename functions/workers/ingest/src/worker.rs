//! What each job does.
//!
//! A job may run twice or crash at any point. Facts are stored before the next job is sent, so that nothing is
//! skipped, and storing them again changes nothing. A job that sends its next jobs twice does not double them
//! ([`JobId`]).

use domain::Source;
use fetch::{Fetched, Fetcher};
use generations::Generations;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use jobs::{IngestJob, JobId, Queue};
use objects::Objects;
use queue_worker::Threads;
use sources::{Batch, Page, description};
use store::Registry;

use crate::{
    CannotSplit, Error, File, JobError, erased,
    incoming::{self, Content},
    ingest_file,
    locations::{self, Progress},
    not_understood, quarantine, relationships, reprocess_file, resolve,
    split::split,
};

/// Number of facts or records that one job stores. DynamoDB takes some hundred a second, and a job may run for fifteen minutes.
pub const STORED_PER_JOB: usize = 20_000;
/// Number of quarantined records that one job lists. A message may have 256 KB.
const RECORDS_PER_JOB: usize = 1_000;

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub registry: Registry,
        pub objects: Objects,
        pub generations: Generations,
        pub fetcher: Fetcher,
        pub jobs: Queue<IngestJob>,
        /// Number of facts of a file, or of records with a location, that a job stores before it sends the next: [`STORED_PER_JOB`].
        pub stored_per_job: usize = STORED_PER_JOB,
    }
}

impl queue_worker::Worker for Worker {
    type Job = IngestJob;
    type Error = JobError;
    const NAME: &str = "ingest";
    const THREADS: Threads = Threads::Cores;
    const PARALLEL: usize = 3;

    async fn work(&self, job: IngestJob, id: JobId, _: Timestamp) -> Result<(), JobError> {
        self.handle(job, id).await
    }
}

impl Worker {
    /// Runs a job and sends the next jobs. A failure is also saved in the status of its source.
    pub async fn handle(&self, job: IngestJob, id: JobId) -> Result<(), JobError> {
        let run = async {
            // On the heap: an unoptimised build needs more than half of a thread's stack for the largest job.
            let next = Box::pin(self.run(job)).await?;
            if !next.is_empty() {
                self.jobs.send_successors(&id, &next).await?;
            }
            Ok(())
        };
        match id.is_successor() {
            true => self.registry.run_once(id.as_str(), run, now).await,
            // A root is sent by a schedule or an operator, once for each time that it should run.
            false => run.await,
        }
    }

    /// Runs a job. Returns the next jobs.
    async fn run(&self, job: IngestJob) -> Result<Vec<IngestJob>, JobError> {
        let (source, result) = match job {
            IngestJob::FetchSources { sources } => return self.fetch_sources(&sources).await,
            IngestJob::FetchLocalities => return self.fetch_localities().await,
            IngestJob::UpdateLocations { after, directory } => {
                return self.update_locations(Progress { after, directory }).await;
            }
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
            self.save_failure(source, error).await;
        }
        result
    }

    /// Saves the reason for a failure in the status of its source.
    async fn save_failure(&self, source: Source, failure: &JobError) {
        let save = |it: &mut store::SourceStatus| it.last_failure = Some(failure.public_reason());
        // The caller has the failure of the job, which matters more than the failure to save it.
        if let Err(error) = self.registry.update_source_status(source, save).await {
            tracing::warn!(%source, error = errors::chain(&error), "the failure of a job was not saved");
        }
    }

    async fn fetch_sources(&self, sources: &[Source]) -> Result<Vec<IngestJob>, JobError> {
        let mut jobs = Vec::new();
        for &source in sources {
            match self.first_pages(source).await {
                Ok(pages) => {
                    jobs.extend(pages.into_iter().map(|page| IngestJob::FetchPage { page }));
                }
                // Only this source needs the file. The next run looks for it again.
                Err(error @ JobError::Ingest(Error::Objects(objects::Error::Missing(_)))) => {
                    tracing::error!(%source, error = errors::chain(&error), "a source was not fetched");
                    self.save_failure(source, &error).await;
                }
                Err(error) => return Err(error),
            }
        }
        self.report_stale_sources().await?;
        Ok(jobs)
    }

    /// The first pages of a fetch today. Files of the bucket that the settings name are read each time.
    async fn first_pages(&self, source: Source) -> Result<Vec<Page>, JobError> {
        let status = self.registry.source_status(source).await?;
        let mut settings = self.fetcher.settings().clone();
        if let Some(addresses) = settings.addresses_mut(source) {
            *addresses = self.listed(addresses).await?;
        }
        Ok(settings.first_pages(source, status.newest_publication, today()))
    }

    /// The addresses, with those that a file of the bucket lists in its place: a setting of a function may be short only.
    async fn listed(&self, addresses: &[String]) -> Result<Vec<String>, Error> {
        let mut listed = Vec::new();
        for address in addresses {
            let Some(key) = address.strip_prefix("s3:") else {
                listed.push(address.clone());
                continue;
            };
            let file = self.objects.get(key).await?;
            let file = file.ok_or_else(|| objects::Error::Missing(key.to_owned()))?;
            listed.extend(String::from_utf8_lossy(&file).split_whitespace().map(str::to_owned));
        }
        Ok(listed)
    }

    /// Logs stale sources; an alarm watches the metric. The job of each schedule looks at all sources, because a schedule that
    /// sends no job raises no error of its own.
    async fn report_stale_sources(&self) -> Result<(), JobError> {
        for source in Source::ALL {
            let status = self.registry.source_status(source).await?;
            let completed = status.last_completed_at;
            if let Some(completed) = completed.filter(|it| description(source).is_stale(*it, now()))
            {
                tracing::error!(
                    metric = "StaleSource",
                    %source,
                    %completed,
                    "a source has had no completed run for more than twice its interval"
                );
            }
        }
        Ok(())
    }

    async fn fetch_page(&self, page: Page) -> Result<Vec<IngestJob>, JobError> {
        let source = page.source();
        let Fetched { bytes, day, next } = self.fetcher.fetch(&page).await?;
        if !bytes.is_empty() {
            // The original bytes are saved, so that an improved reader can read them again.
            let erasures = self.registry.erasures().await.map_err(Error::from)?;
            let mut key = None;
            if let Some(storable) = erased::storable(&erasures, &bytes) {
                let new = incoming::key(source, today(), &storable);
                self.objects.put(&new, storable.into_owned()).await.map_err(Error::from)?;
                key = Some(new);
            }
            let batch = self.read(source, &bytes).await?.dated(day.or(Some(today())));
            self.ingest(File { source, batch, key, accept_shrunk: false }).await?;
        }
        let mut next: Vec<IngestJob> =
            next.into_iter().map(|page| IngestJob::FetchPage { page }).collect();
        if next.is_empty() && description(source).has_relationship_files {
            next.push(IngestJob::FetchRelationships { accept_shrunk: false });
        }
        Ok(next)
    }

    /// Collects the relationships and securities of the known companies in one file of the bucket. The next
    /// job imports it.
    async fn fetch_relationships(&self, accept_shrunk: bool) -> Result<Vec<IngestJob>, JobError> {
        let source = Source::Gleif;
        let companies = relationships::companies(&self.objects).await?;
        if !companies.has_companies() {
            return Ok(Vec::new());
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
        Ok(vec![IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false }])
    }

    async fn import_file(
        &self,
        source: Source,
        key: String,
        offset: usize,
        accept_shrunk: bool,
    ) -> Result<Vec<IngestJob>, JobError> {
        let content = incoming::read(&self.objects, &key).await?;
        let bytes = match content {
            Some(Content::Whole(bytes)) => bytes,
            Some(Content::Large { size }) => return self.split_file(source, key, size).await,
            None => return Err(Error::from(objects::Error::Missing(key)).into()),
        };
        let read = resolve::read(source, &bytes).map_err(Error::from)?;
        let is_whole = description(source).is_complete_list() || !read.is_identified();
        let mut batch = read.resolve_in(&self.generations, &self.registry).await?;
        if description(source).is_complete_list() {
            batch = batch.dated(incoming::date(&key));
        }
        let (batch, next_offset) =
            if is_whole { (batch, None) } else { part(batch, offset, self.stored_per_job) };
        let file = File { source, batch, key: Some(key.clone()), accept_shrunk };
        self.ingest(file).await?;
        if next_offset.is_none() {
            let erasures = self.registry.erasures().await.map_err(Error::from)?;
            erased::clean(&self.objects, &erasures, &key).await?;
        }
        let next =
            next_offset.map(|offset| IngestJob::ImportFile { source, key, offset, accept_shrunk });
        Ok(next.into_iter().collect())
    }

    /// The jobs that import the parts of a large file.
    async fn split_file(
        &self,
        source: Source,
        key: String,
        size: u64,
    ) -> Result<Vec<IngestJob>, JobError> {
        if description(source).is_complete_list() {
            let reason = CannotSplit::CompleteList;
            return Err(Error::TooLarge { key, size, reason }.into());
        }
        let parts = split(&self.objects, source, (&key, size), today()).await?;
        tracing::info!(%source, key, size, parts = parts.len(), "a large file was split");
        let import = |key| IngestJob::ImportFile { source, key, offset: 0, accept_shrunk: false };
        Ok(parts.into_iter().map(import).collect())
    }

    async fn reprocess(&self, source: Source) -> Result<Vec<IngestJob>, JobError> {
        not_understood::reprocess(&self.registry, &self.objects, source, now()).await?;
        let files = quarantine::files(&self.objects, source).await?;
        let jobs = files.into_iter().flat_map(|(key, records)| {
            let chunks: Vec<Vec<String>> =
                records.chunks(RECORDS_PER_JOB).map(<[String]>::to_vec).collect();
            let job = move |records| IngestJob::ReprocessFile { source, key: key.clone(), records };
            chunks.into_iter().map(job)
        });
        Ok(jobs.collect())
    }

    async fn reprocess_file(
        &self,
        source: Source,
        key: &str,
        records: &[String],
    ) -> Result<Vec<IngestJob>, JobError> {
        let (registry, objects) = (&self.registry, &self.objects);
        let generations = &self.generations;
        reprocess_file(registry, objects, generations, source, key, records, now()).await?;
        Ok(Vec::new())
    }

    /// The directory changes a few times a year. The records are updated only if it has changed.
    async fn fetch_localities(&self) -> Result<Vec<IngestJob>, JobError> {
        let table = self.fetcher.localities().await?;
        locations::save(&self.objects, &table, today()).await?;
        // Not only if it was saved now: an earlier job may have been killed before it sent the update.
        Ok(match locations::is_update_needed(&self.objects).await? {
            true => vec![IngestJob::UpdateLocations { after: None, directory: None }],
            false => Vec::new(),
        })
    }

    async fn update_locations(&self, progress: Progress) -> Result<Vec<IngestJob>, JobError> {
        let (registry, objects) = (&self.registry, &self.objects);
        let limit = self.stored_per_job;
        let next = locations::update(registry, objects, progress, limit, now()).await?;
        let next = next
            .map(|Progress { after, directory }| IngestJob::UpdateLocations { after, directory });
        Ok(next.into_iter().collect())
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
}

/// The facts of a file that one job stores, and the offset for the next job.
///
/// Two kinds of files are not split. A complete list: withdrawals are found by comparing all of it. A file
/// whose records identify companies by name or LEI: the same record may resolve differently in the next job, so
/// that offsets would not match.
fn part(batch: Batch, offset: usize, limit: usize) -> (Batch, Option<usize>) {
    let next = offset + limit;
    let has_more = next < batch.statements.len();
    let statements = batch.statements.into_iter().skip(offset).take(limit).collect();
    // The first job puts the rejected records into the quarantine.
    let rejected = if offset == 0 { batch.rejected } else { Vec::new() };
    (Batch { statements, rejected, ..batch }, has_more.then_some(next))
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
    use domain::{Uid, statements::CompanyStatement};
    use sources::Rejected;

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
        let rejected = Rejected::new("?".to_owned(), "unreadable".to_owned());
        Batch {
            statements: (0..count).map(numbered).collect(),
            rejected: vec![rejected],
            ..Batch::default()
        }
    }

    #[test]
    fn long_file_is_split_and_each_fact_is_in_one_part() {
        let (limit, all) = (3, 7);
        let (mut next, mut stored, mut rejected) = (Some(0), Vec::new(), 0);
        while let Some(offset) = next {
            let (part, following) = part(batch(all), offset, limit);
            assert!(part.statements.len() <= limit);
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
        assert_eq!(part(batch(3), 0, 3).1, None);
    }
}
