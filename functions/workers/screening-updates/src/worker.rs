//! What each job does.

use bytes::Bytes;
use components::PublicUrl;
use domain::lists::{List, Minimum};
use fetch::Fetcher;
use jiff::Timestamp;
use jobs::{JobId, ListJob, MailJob, Queue};
use objects::Objects;
use queue_worker::Threads;
use screening_lists::{LastChanges, Retention, ScreeningLists};
use screening_results::{LastResult, Run};
use store::{Registry, Tenants};

use crate::{
    BLOCKS_PER_PART, Error,
    import::{import, store_file},
    update::{Part, Update},
};

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub objects: Objects,
        pub fetcher: Fetcher,
        pub jobs: Queue<ListJob>,
        pub tenants: Tenants,
        /// The watched companies and their officers.
        pub registry: Registry,
        /// The lists, to screen subjects again.
        pub lists: ScreeningLists,
        /// What the last update has changed.
        pub last_changes: LastChanges = LastChanges::default(),
        /// What the lists said about all companies before.
        pub last_result: LastResult = LastResult::default(),
        pub retention: Retention,
        pub mails: Queue<MailJob>,
        /// Address of the API: the `source` of CloudEvents.
        pub public_url: PublicUrl,
        /// The size below which a list is refused: [`List::minimum`], or a smaller one for invented lists.
        pub minimum: fn(List) -> Minimum = List::minimum,
        /// Number of blocks of names that a job compares: [`BLOCKS_PER_PART`].
        pub blocks_per_part: usize = BLOCKS_PER_PART,
    }
}

impl queue_worker::Worker for Worker {
    type Job = ListJob;
    type Error = Error;
    const NAME: &str = "screening-updates";
    const THREADS: Threads = Threads::Cores;

    async fn work(&self, job: ListJob, id: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, id, now).await
    }
}

impl Worker {
    /// Runs a job and sends the next ones. A job that was sent twice and is done does nothing.
    pub async fn handle(&self, job: ListJob, id: JobId, now: Timestamp) -> Result<(), Error> {
        let run = async {
            // On the heap: an unoptimised build needs more than half of a thread's stack for the largest job.
            let next = Box::pin(self.run(job, now)).await?;
            if !next.is_empty() {
                self.jobs.send_successors(&id, &next).await?;
            }
            Ok(())
        };
        match id.is_successor() {
            true => self.registry.run_once(id.as_str(), run, || now).await,
            false => run.await,
        }
    }

    /// Runs a job. Returns the next ones.
    async fn run(&self, job: ListJob, now: Timestamp) -> Result<Vec<ListJob>, Error> {
        let published = match job {
            ListJob::FetchLists { lists } => {
                return Ok(lists.into_iter().map(|list| ListJob::FetchList { list }).collect());
            }
            ListJob::ScreenRegister { lists } => {
                return Ok(lists.into_iter().map(|list| ListJob::ScreenList { list }).collect());
            }
            ListJob::ScreenList { list } => {
                return self.screening_parts(list, now).await;
            }
            ListJob::ScreenPart { list, version, generation, before, part } => {
                let run = Run { list, version, generation };
                self.screen_part(run, before, part, now).await?;
                return Ok(Vec::new());
            }
            ListJob::RescreenSubjects { list, version, before, shard, after } => {
                let part = Part::Subjects { shard, after };
                return self.rescreen(Update { list, version, before }, part, now).await;
            }
            ListJob::RescreenCompanies { list, version, before, shard, after } => {
                let part = Part::Companies { shard, after };
                return self.rescreen(Update { list, version, before }, part, now).await;
            }
            ListJob::RescreenSubject { list, version, before, subject } => {
                self.rescreen_subject(&Update { list, version, before }, &subject, now).await?;
                return Ok(Vec::new());
            }
            ListJob::RescreenCompany { list, version, before, company } => {
                self.rescreen_company(&Update { list, version, before }, &company, now).await?;
                return Ok(Vec::new());
            }
            ListJob::FetchList { list } => {
                let Some((format, bytes)) = self.fetcher.list(list).await? else {
                    tracing::info!(%list, "not configured, so not fetched");
                    return Ok(Vec::new());
                };
                let bytes = Bytes::from(bytes);
                // Stored before it is read, so that nothing is lost if it cannot be read.
                store_file(&self.objects, list, bytes.clone()).await?;
                let minimum = Some((self.minimum)(list));
                import(&self.objects, format, bytes, minimum, now).await?;
                list
            }
            ListJob::ImportList { format, key, accept_shrunk } => {
                let bytes = self.objects.get(&key).await?;
                let bytes = bytes.ok_or(objects::Error::Missing(key))?;
                let minimum = (!accept_shrunk).then(|| (self.minimum)(format.list()));
                import(&self.objects, format, bytes, minimum, now).await?;
                format.list()
            }
        };
        Ok(self.first_part(published).await?.into_iter().collect())
    }
}
