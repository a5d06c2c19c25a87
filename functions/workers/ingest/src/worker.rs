//! What becomes of each job of the queue.
//!
//! A job may come twice, or die anywhere: facts are stored before the next job is sent, so that nothing
//! is passed over, and storing them again changes nothing.

use domain::Uid;
use fetch::{Fetched, Fetcher};
use generations::Generations;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use jobs::{IndexJob, IngestJob, Queue};
use objects::Objects;
use sources::{Batch, Page, Source};
use store::Registry;

use crate::{
    Error, File,
    account::account,
    aside, groups,
    places::{self, Kept},
    resolve, take_in,
};

/// How many facts of a file one job stores: some hundred a second on DynamoDB, and fifteen minutes at
/// most.
const FACTS_A_JOB: usize = 20_000;
/// How many records of the quarantine one job names: a message holds 256 KB.
const RECORDS_A_JOB: usize = 1_000;

/// What the jobs work with.
pub struct Worker {
    pub registry: Registry,
    pub objects: Objects,
    pub generations: Generations,
    pub fetcher: Fetcher,
    pub jobs: Queue<IngestJob>,
    pub index_jobs: Queue<IndexJob>,
}

/// Why a job was not done, and comes again.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    #[error(transparent)]
    Ingest(#[from] Error),
    #[error(transparent)]
    Fetch(#[from] fetch::Error),
    #[error(transparent)]
    Lookup(#[from] resolve::LookupError),
    #[error(transparent)]
    NotSent(#[from] jobs::NotSent),
}

impl NotDone {
    /// What clients are told: of sources and files all, of what is behind the service nothing. The log
    /// has the cause.
    fn told(&self) -> String {
        match self {
            Self::Fetch(_)
            | Self::Ingest(
                Error::Unreadable(_)
                | Error::Shrunk { .. }
                | Error::ShrunkGroups { .. }
                | Error::Objects(objects::Error::Missing(_)),
            ) => self.to_string(),
            _ => "the registry, the bucket or a queue did not answer".to_owned(),
        }
    }
}

impl Worker {
    /// The worker that the environment describes. Where it names a secret that cannot be read, the register is not
    /// asked, and its jobs say so; the other sources are.
    pub async fn from_env() -> Self {
        let aws = aws_environment::load().await;
        let mut settings = fetch::Settings::from_env();
        if let Some(secret) = &settings.zefix_secret {
            match account(&aws, secret).await {
                Ok(account) => settings.zefix = Some(account),
                Err(unknown) => {
                    tracing::error!(unknown = errors::chain(&unknown), "the account is not known")
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

    /// Does a job. Why it could not be done stands in the state of its source too.
    pub async fn handle(&self, job: IngestJob) -> Result<(), NotDone> {
        let (source, done) = match job {
            IngestJob::Look { sources } => return self.look(&sources).await,
            IngestJob::ReadAgain { source } => (source, self.read_again(source).await),
            IngestJob::ReadFileAgain { source, key, records } => {
                (source, self.read_file_again(source, &key, &records).await)
            }
            IngestJob::Groups { accept_shrunk } => {
                (Source::Gleif, self.groups(accept_shrunk).await)
            }
            IngestJob::Localities => return self.localities().await,
            IngestJob::Locate { behind } => return self.locate(behind).await,
            IngestJob::Fetch { page } => (page.source(), self.fetch(page).await),
            IngestJob::File { source, key, from, accept_shrunk } => {
                (source, self.file(source, key, from, accept_shrunk).await)
            }
        };
        if let Err(failure) = &done {
            let noted = |it: &mut store::SourceStatus| it.last_failure = Some(failure.told());
            // The failure itself matters more than its note.
            if let Err(failure) = self.registry.update_source_status(source, noted).await {
                tracing::warn!(%source, failure = errors::chain(&failure), "a failure was not noted");
            }
        }
        done
    }

    async fn look(&self, sources: &[Source]) -> Result<(), NotDone> {
        let mut fetches = Vec::new();
        for source in sources {
            let status = self.registry.source_status(*source).await.map_err(Error::from)?;
            let pages = self.fetcher.settings().first(*source, status.newest_publication, today());
            fetches.extend(pages.into_iter().map(|page| IngestJob::Fetch { page }));
        }
        Ok(self.jobs.send_all(&fetches).await?)
    }

    async fn fetch(&self, page: Page) -> Result<(), NotDone> {
        let source = page.source();
        let Fetched { bytes, day, next } = self.fetcher.fetch(&page).await?;
        if !bytes.is_empty() {
            // As it came, so that it can be read again when we read better.
            let key = aside::file_key(source, today(), &bytes);
            self.objects.put(&key, bytes.clone()).await.map_err(Error::from)?;
            let batch = self.read(source, &bytes).await?.dated(day.or(Some(today())));
            self.take_in(File { source, batch, key: Some(key), accept_shrunk: false }).await?;
        }
        let mut next: Vec<IngestJob> =
            next.into_iter().map(|page| IngestJob::Fetch { page }).collect();
        if next.is_empty() && source == Source::Gleif {
            next.push(IngestJob::Groups { accept_shrunk: false });
        }
        self.go_on(source, next).await
    }

    /// Gathers the groups of the companies in a file, and has it read like any other.
    async fn groups(&self, accept_shrunk: bool) -> Result<(), NotDone> {
        let source = Source::Gleif;
        let companies = groups::companies(&self.objects).await?;
        if !companies.has_companies() {
            return self.go_on(source, Vec::new()).await;
        }
        let groups = self.fetcher.groups(companies).await?;
        let counts = groups.counts();
        if !accept_shrunk {
            groups::check(&self.objects, counts).await?;
        }
        let bytes = groups.written().map_err(Error::from)?;
        let key = aside::file_key(source, today(), &bytes);
        self.objects.put(&key, bytes).await.map_err(Error::from)?;
        groups::keep(&self.objects, counts).await?;
        let file = IngestJob::File { source, key, from: 0, accept_shrunk: false };
        self.go_on(source, vec![file]).await
    }

    async fn file(
        &self,
        source: Source,
        key: String,
        from: usize,
        accept_shrunk: bool,
    ) -> Result<(), NotDone> {
        let bytes = self.objects.get(&key).await.map_err(Error::from)?;
        let bytes = bytes.ok_or_else(|| Error::from(objects::Error::Missing(key.clone())))?;
        let mut batch = self.read(source, &bytes).await?;
        if source.is_whole_list() {
            batch = batch.dated(aside::day(&key));
        }
        let (batch, next) = part(source, batch, from);
        let file = File { source, batch, key: Some(key.clone()), accept_shrunk };
        self.take_in(file).await?;
        let next = next.map(|from| IngestJob::File { source, key, from, accept_shrunk });
        self.go_on(source, next.into_iter().collect()).await
    }

    async fn read_again(&self, source: Source) -> Result<(), NotDone> {
        let now = Timestamp::now();
        aside::understand_again(&self.registry, &self.objects, source, now).await?;
        let files = aside::files(&self.objects, source).await?;
        let jobs = files.into_iter().flat_map(|(key, records)| {
            let chunks: Vec<Vec<String>> =
                records.chunks(RECORDS_A_JOB).map(<[String]>::to_vec).collect();
            let job = move |records| IngestJob::ReadFileAgain { source, key: key.clone(), records };
            chunks.into_iter().map(job)
        });
        self.go_on(source, jobs.collect()).await
    }

    async fn read_file_again(
        &self,
        source: Source,
        key: &str,
        records: &[String],
    ) -> Result<(), NotDone> {
        let (registry, objects) = (&self.registry, &self.objects);
        let (generations, now) = (&self.generations, Timestamp::now());
        aside::read_again(registry, objects, generations, source, key, records, now).await?;
        self.go_on(source, Vec::new()).await
    }

    /// Records are completed again only by a directory that says something new: it comes out a few times
    /// a year.
    async fn localities(&self) -> Result<(), NotDone> {
        let table = self.fetcher.localities().await?;
        match places::keep(&self.objects, &table, today()).await? {
            Kept::Newest => Ok(self.jobs.send(&IngestJob::Locate { behind: None }).await?),
            Kept::Known => Ok(()),
        }
    }

    async fn locate(&self, behind: Option<Uid>) -> Result<(), NotDone> {
        let last = places::locate(&self.registry, &self.objects, behind).await?;
        match last {
            Some(_) => Ok(self.jobs.send(&IngestJob::Locate { behind: last }).await?),
            None => {
                let publish = IndexJob::Publish { asked_at: Timestamp::now() };
                Ok(self.index_jobs.send(&publish).await?)
            }
        }
    }

    async fn read(&self, source: Source, bytes: &[u8]) -> Result<Batch, NotDone> {
        let read = resolve::read(source, bytes).map_err(Error::from)?;
        Ok(read.resolved_in(&self.generations, &self.registry).await?)
    }

    async fn take_in(&self, file: File) -> Result<(), NotDone> {
        let source = file.source;
        let report = take_in(&self.registry, &self.objects, file, Timestamp::now()).await?;
        tracing::info!(%source, ?report, "ingested");
        Ok(())
    }

    /// Sends what follows; after the last, a generation is asked for: even if this run stored nothing
    /// new, for one that died may have. News are read from the table: no generation holds any.
    async fn go_on(&self, source: Source, next: Vec<IngestJob>) -> Result<(), NotDone> {
        if !next.is_empty() {
            self.jobs.send_all(&next).await?;
        } else if source != Source::News {
            self.index_jobs.send(&IndexJob::Publish { asked_at: Timestamp::now() }).await?;
        }
        Ok(())
    }
}

/// What one job stores of a file, and where the next one begins.
///
/// A whole list is not divided: what it leaves out is judged by all of it. Neither is a source that
/// names companies: which of its records are facts depends on who is known, and may change in between.
fn part(source: Source, batch: Batch, from: usize) -> (Batch, Option<usize>) {
    let next = from + FACTS_A_JOB;
    if source.is_whole_list() || source.names_companies() {
        return (batch, None);
    }
    let more = next < batch.facts.len();
    let facts = batch.facts.into_iter().skip(from).take(FACTS_A_JOB).collect();
    // What cannot be read is put aside by the first job.
    let rejected = if from == 0 { batch.rejected } else { Vec::new() };
    (Batch { facts, rejected }, more.then_some(next))
}

fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use sources::{Fact, Rejected};

    use super::*;

    const RECORD: &[u8] =
        br#"{"name": "Muster AG", "uid": "CHE600000012", "canton": "ZH", "status": "ACTIVE"}"#;

    fn batch(facts: usize) -> Batch {
        let Batch { facts: mut read, .. } = sources::read(Source::Zefix, RECORD).expect("json");
        let fact = read.remove(0);
        let numbered = |number: usize| Fact { fingerprint: number.to_string(), ..fact.clone() };
        let rejected = Rejected { record: "?".to_owned(), reason: "unreadable".to_owned() };
        Batch { facts: (0..facts).map(numbered).collect(), rejected: vec![rejected] }
    }

    #[test]
    fn a_long_file_is_stored_in_parts_each_fact_in_one() {
        let all = 2 * FACTS_A_JOB + 1;
        let (mut from, mut stored, mut rejected) = (Some(0), Vec::new(), 0);
        while let Some(begin) = from {
            let (part, next) = part(Source::Zefix, batch(all), begin);
            assert!(part.facts.len() <= FACTS_A_JOB);
            stored.extend(part.facts.into_iter().map(|it| it.fingerprint));
            rejected += part.rejected.len();
            from = next;
        }
        assert_eq!(
            stored,
            batch(all).facts.into_iter().map(|it| it.fingerprint).collect::<Vec<_>>()
        );
        assert_eq!(rejected, 1);
    }

    #[test]
    fn clients_are_told_of_files_and_not_of_what_is_behind_the_service() {
        let missing = Error::from(objects::Error::Missing("incoming/a.json".into()));
        assert_eq!(NotDone::from(missing).told(), "there is no object `incoming/a.json`");
        let denied = objects::Error::Unavailable("arn:aws:sts::1:assumed-role/ingest".into());
        let denied = NotDone::from(Error::from(denied));
        assert_eq!(denied.told(), "the registry, the bucket or a queue did not answer");
    }

    #[test]
    fn a_file_of_exactly_as_many_is_one_job() {
        assert_eq!(part(Source::Zefix, batch(FACTS_A_JOB), 0).1, None);
    }

    #[test]
    fn what_has_to_be_seen_whole_is_not_divided() {
        for source in [Source::Finma, Source::News, Source::Six, Source::Reports] {
            let (part, next) = part(source, batch(FACTS_A_JOB + 1), 0);
            assert_eq!((part.facts.len(), next), (FACTS_A_JOB + 1, None), "{source}");
        }
    }
}
