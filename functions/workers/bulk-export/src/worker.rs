//! What each job does.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use access::{Environment, Scope};
use auth::{Delegation, TeamId};
use futures_util::TryStreamExt;
use generations::{Batch, Generation, Generations};
use jiff::Timestamp;
use jobs::{ExportJob, JobId, Queue};
use objects::Objects;
use queue_worker::Threads;
use spreadsheet::ROWS_PER_GROUP;
use store::{TeamKey, Tenants};
use teams::{
    Export,
    export::{ExportedFile, LEASE, Started},
};
use tokio::{
    sync::mpsc::{Sender, channel},
    time::Instant,
};
use uuid::Uuid;

use crate::{
    Error, PART,
    file::File,
    profiles,
    rows::{Rows, rows},
    upload::{Part, upload},
};

/// A worker stops after this time, less than its function may run.
const TIME_LIMIT: Duration = Duration::from_mins(13);
/// Interval at which a worker extends its lease and stores its progress: a quarter of the lease, so that three failures in a row
/// do not end it.
const PROGRESS: Duration = Duration::from_secs(LEASE.as_secs().unsigned_abs() / 4);
/// Time until it does so first: most exports take seconds.
const FIRST_PROGRESS: Duration = Duration::from_secs(2);

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub objects: Objects,
        pub generations: Generations,
        pub jobs: Queue<ExportJob>,
        /// Size of the parts in which an object is uploaded, at least [`objects::MIN_PART`].
        pub part: usize = PART,
        /// Number of rows of a row group of Parquet.
        pub rows_per_group: usize = ROWS_PER_GROUP,
    }
}

impl queue_worker::Worker for Worker {
    type Job = ExportJob;
    type Error = Error;
    const NAME: &str = "bulk-export";
    /// A part is uploaded while the next one is written.
    const THREADS: Threads = Threads::Number(2);
    const PARALLEL: usize = 2;

    async fn work(&self, job: ExportJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: ExportJob, now: Timestamp) -> Result<(), Error> {
        match job {
            ExportJob::Sweep => self.sweep(now).await,
            ExportJob::Run { team, environment, export, again: _ } => {
                if self.tenants.is_erased(&team).await? {
                    return Ok(());
                }
                let Ok(id) = export.parse() else { return Ok(()) };
                let run = Run {
                    worker: self,
                    team: team_key(team, environment),
                    id,
                    token: Uuid::new_v4(),
                    started_at: now,
                    started: Instant::now(),
                    processed: AtomicU64::new(0),
                };
                // On the heap: an unoptimised build needs more than half of a thread's stack for it.
                Box::pin(run.run()).await
            }
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the job was sent for an export that the team has created"
)]
fn team_key(team: TeamId, environment: Environment) -> TeamKey {
    TeamKey::as_operator(team, environment)
}

/// Start of the keys of the objects of an export.
pub(crate) fn prefix(team: &TeamKey, id: Uuid) -> String {
    format!("exports/{}/{}/{id}/", team.team(), team.environment())
}

/// One attempt to write the file of an export.
struct Run<'a> {
    worker: &'a Worker,
    team: TeamKey,
    id: Uuid,
    /// Identifies this worker in the lease, and its object.
    token: Uuid,
    started_at: Timestamp,
    started: Instant,
    /// Number of rows that are written.
    processed: AtomicU64,
}

impl Run<'_> {
    /// The time in whole milliseconds, the precision of all times that the API returns.
    fn now(&self) -> Timestamp {
        let now = self.started_at + self.started.elapsed();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    fn key(&self) -> String {
        format!("{}{}", prefix(&self.team, self.id), self.token)
    }

    async fn run(&self) -> Result<(), Error> {
        let mut started = Started::Busy;
        let start = |export: &Export| {
            started = export.started(self.token, self.now());
            match &started {
                Started::Leased(export) | Started::Ended(export) => Some((**export).clone()),
                Started::Busy => None,
            }
        };
        let stored = self.worker.tenants.change_export(&self.team, self.id, start).await?;
        let Started::Leased(export) = started else {
            // Ended, or being written: if its worker is killed, the sweep sends another job. Or deleted.
            return Ok(());
        };
        if stored.is_none() {
            return Ok(());
        }
        let written = match tokio::time::timeout(TIME_LIMIT, self.write_if_allowed(*export)).await {
            Ok(written) => written,
            Err(_) => Err(Error::TooSlow(TIME_LIMIT.as_secs() / 60)),
        };
        match written {
            Ok(file) => self.complete(file).await,
            Err(failure) => self.release(failure).await,
        }
    }

    /// Writes the file if those who have requested it may do so, before and after.
    async fn write_if_allowed(&self, export: Export) -> Result<ExportedFile, Error> {
        let delegation = export.delegation();
        self.check_rights(&delegation).await?;
        let file = self.write(export).await?;
        self.check_rights(&delegation).await?;
        Ok(file)
    }

    async fn check_rights(&self, delegation: &Delegation) -> Result<(), Error> {
        let rights = self.worker.tenants.rights_of(&self.team, delegation, self.now());
        match rights.await?.may(Scope::Write) {
            true => Ok(()),
            false => Err(Error::NotAllowed),
        }
    }

    /// Writes the file, and extends the lease meanwhile.
    async fn write(&self, export: Export) -> Result<ExportedFile, Error> {
        let (generation, export) = self.generation(export).await?;
        let rows = rows(&export, generation).await?;
        let total = rows.total;
        self.extend(total).await?;
        let key = self.key();
        let (to, parts) = channel(1);
        let write = self.produce(&export, rows, to);
        let upload = upload(&self.worker.objects, &key, parts);
        let written = async { tokio::try_join!(write, upload) };
        let size = tokio::select! {
            written = written => written?.1,
            lost = self.keep_lease(total) => return Err(lost),
        };
        Ok(ExportedFile { key, size, rows: total })
    }

    /// The generation of the export. If it is not kept any more, the current one, which is then stored with the export: no row
    /// has been published yet.
    async fn generation(&self, export: Export) -> Result<(Arc<Generation>, Export), Error> {
        // First: what is opened for the current generation serves the next export, too. A failure matters only if it is needed.
        let current = self.worker.generations.refresh().await;
        if let Some(generation) = self.worker.generations.with_id(&export.generation).await? {
            return Ok((generation, export));
        }
        let current = current?;
        let id = current.manifest.id.clone();
        let change = |it: &Export| it.with_generation(self.token, &id);
        let changed = self.worker.tenants.change_export(&self.team, self.id, change).await?;
        Ok((current, changed.ok_or(Error::LeaseLost)?))
    }

    /// Writes the rows, and sends the bytes of the file in parts.
    async fn produce(&self, export: &Export, rows: Rows, to: Sender<Part>) -> Result<(), Error> {
        let Rows { generation, total, mut batches, columns, profile } = rows;
        let manifest = &generation.manifest;
        let as_of = Some(manifest.built_at);
        let Worker { part, rows_per_group, .. } = *self.worker;
        let mut file =
            File::new(export.format, columns, &manifest.id, as_of, rows_per_group, part)?;
        let mut written = 0;
        while written < total
            && let Some((batch, histories)) = batches.try_next().await?
        {
            let mut histories = histories.iter().flat_map(Batch::records);
            for record in batch.records().take(left(total - written)) {
                match profile {
                    None => file.push(&record?)?,
                    // Written one by one: their timelines together may be larger than the memory.
                    Some(wanted) => {
                        let history = histories.next().transpose()?;
                        let line =
                            profiles::line(&record?, history.as_ref(), manifest.built_at, wanted)?;
                        file.push_line(&line)?;
                        self.processed.store(written + 1, Ordering::Relaxed);
                        send_full(&mut file, &to).await?;
                    }
                }
                written += 1;
            }
            self.processed.store(written, Ordering::Relaxed);
            send_full(&mut file, &to).await?;
        }
        if written != total {
            return Err(match profile {
                // The generation for which the companies were checked is not kept any more.
                Some(_) => Error::Invalid(format!(
                    "The generation `{}` of the register has {written} of the {total} companies.",
                    manifest.id
                )),
                None => Error::Incomplete { found: written, expected: total },
            });
        }
        let (full, last) = file.finish()?;
        for bytes in full {
            send(&to, bytes, false).await?;
        }
        send(&to, last, true).await
    }

    /// Extends the lease at growing intervals, until it is lost.
    async fn keep_lease(&self, total: u64) -> Error {
        let mut interval = FIRST_PROGRESS;
        loop {
            tokio::time::sleep(interval).await;
            interval = (interval * 2).min(PROGRESS);
            match self.extend(total).await {
                Ok(()) => {}
                // The lease still holds for a while.
                Err(Error::Store(failure)) => {
                    let failure = errors::chain(&failure);
                    tracing::warn!(export = %self.id, failure, "the lease was not extended");
                }
                Err(failure) => return failure,
            }
        }
    }

    async fn extend(&self, total: u64) -> Result<(), Error> {
        let progress = (self.processed.load(Ordering::Relaxed), Some(total));
        let extend = |it: &Export| it.extended(self.token, progress, self.now());
        let extended = self.worker.tenants.change_export(&self.team, self.id, extend).await?;
        extended.map(drop).ok_or(Error::LeaseLost)
    }

    /// From now on, the file can be read. What other workers have left is deleted.
    async fn complete(&self, file: ExportedFile) -> Result<(), Error> {
        let complete = |it: &Export| it.completed(self.token, &file, self.now());
        let completed = self.worker.tenants.change_export(&self.team, self.id, complete).await;
        let completed = match completed {
            Ok(Some(export)) => export,
            Ok(None) => return self.release(Error::LeaseLost).await,
            // It may be completed: the object must stay. The next worker finds out.
            Err(failure) => return Err(failure.into()),
        };
        tracing::info!(
            export = %self.id,
            rows = file.rows,
            bytes = file.size,
            attempt = completed.attempts,
            milliseconds = self.started.elapsed().as_millis() as u64,
            "export completed"
        );
        if let Err(failure) = self.worker.clean(&self.team, &completed).await {
            let failure = errors::chain(&failure);
            tracing::warn!(export = %self.id, failure, "leftovers stay until the sweep");
        }
        Ok(())
    }

    /// After a failure: deletes what was written, and lets the next worker start at once. After the last attempt, the export
    /// fails with the reason.
    async fn release(&self, failure: Error) -> Result<(), Error> {
        let reason = failure.reason();
        let change = |it: &Export| {
            let released = it.released(self.token, &reason)?;
            let end = match failure.is_final() {
                true => Some(reason.clone()),
                false => released.reason_to_give_up(self.now()),
            };
            Some(match end {
                Some(reason) => released.failed(&reason, self.now()),
                None => released,
            })
        };
        let changed = self.worker.tenants.change_export(&self.team, self.id, change).await?;
        let known = match changed {
            Some(export) => Some(export),
            None => self.worker.tenants.export(&self.team, self.id).await?,
        };
        self.worker.discard(&self.team, self.id, &self.key()).await?;
        match known {
            // It ends here, or another worker continues. The queue need not deliver the job again.
            Some(export) if export.has_ended() || export.is_leased(self.now()) => {
                let failure = errors::chain(&failure);
                tracing::warn!(export = %self.id, failure, "export ended or continued elsewhere");
                Ok(())
            }
            Some(_) => Err(failure),
            // It was deleted.
            None => Ok(()),
        }
    }
}

fn left(rows: u64) -> usize {
    usize::try_from(rows).unwrap_or(usize::MAX)
}

/// Sends the parts that are full.
async fn send_full(file: &mut File, to: &Sender<Part>) -> Result<(), Error> {
    while let Some(bytes) = file.take() {
        send(to, bytes, false).await?;
    }
    Ok(())
}

async fn send(to: &Sender<Part>, bytes: Vec<u8>, is_last: bool) -> Result<(), Error> {
    // The upload has failed, and says why.
    to.send(Part { bytes: bytes.into(), is_last }).await.map_err(|_| Error::LeaseLost)
}
