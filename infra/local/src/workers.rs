//! The workers of the local server. Pollers hand them their jobs, as Lambda does in the cloud.

use std::{future::Future, path::Path, pin::pin, thread, time::Duration};

use company_reader::Sources;
use domain::lists::List;
use fetch::Fetcher;
use futures_util::future::join_all;
use generations::Generations;
use http_service::Clock;
use ingest::STORED_PER_JOB;
use jiff::Timestamp;
use jobs::{DeliveryJob, ExportJob, IndexJob, ListJob, Message, Queue, ScheduleJob};
use queue_worker::poll;
use screening_lists::{LastChanges, Retention, ScreeningLists};
use screening_results::CompanyScreenings;
use screening_updates::{BLOCKS_PER_PART, LastResult};

use crate::{CommandError, cloud::Cloud, functions::Site, register::lists, template::function};

/// Number of ingest jobs that run in parallel, each of another message group. As `MaximumConcurrency` in
/// `template.yaml`.
const PARALLEL_INGEST_JOBS: usize = 3;

/// Interval between two checks whether a generation is needed. In the cloud, a schedule in `template.yaml` sends the
/// job every hour.
const GENERATION_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between two checks what is due. In the cloud, a schedule in `template.yaml` sends the job every 15 minutes.
const SCHEDULE_INTERVAL: Duration = Duration::from_secs(5);

/// Interval between two checks whether the change feed has new events. In the cloud, a schedule in `template.yaml` sends
/// the job every five minutes.
const DELIVERY_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between two checks which webhooks have a delivery that is due. In the cloud, a schedule in `template.yaml` sends the
/// job every minute.
const WEBHOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Interval between two checks what erased users and teams have left. In the cloud, a schedule in `template.yaml` sends the job
/// every minute.
const ERASURE_INTERVAL: Duration = Duration::from_secs(5);

/// Number of webhooks whose deliveries are made in parallel. In the cloud, Lambda runs as many as there are.
const PARALLEL_WEBHOOKS: usize = 20;

/// Interval between two checks which exports are due for the sweep. In the cloud, a schedule in `template.yaml` sends the job every
/// minute.
const EXPORT_INTERVAL: Duration = Duration::from_secs(5);

/// Interval between two checks whether all companies must be compared with a list again. In the cloud, a schedule in
/// `template.yaml` sends the job every hour.
const SCREENING_INTERVAL: Duration = Duration::from_secs(5);

/// Number of exports that are written in parallel. In the cloud, `MaximumConcurrency` in `template.yaml` allows ten.
const PARALLEL_EXPORTS: usize = 2;

/// Number of dossiers that are written in parallel. As `MaximumConcurrency` in `template.yaml`.
const PARALLEL_DOSSIERS: usize = 2;

/// Number of jobs of the delivery that run in parallel: one of each kind.
const PARALLEL_NOTIFYING: usize = 2;

/// Number of jobs of the schedule that run in parallel: one of each kind.
const PARALLEL_SCHEDULES: usize = 3;

/// Number of searches that run in parallel. As `MaximumConcurrency` in `template.yaml`.
const PARALLEL_SEARCHES: usize = 5;

/// Number of teams whose mails are sent in parallel. As `MaximumConcurrency` in `template.yaml`.
const PARALLEL_MAILS: usize = 2;

/// The workers of one cloud.
pub struct Workers {
    delivery: delivery::Worker,
    feedback: mail_feedback::Worker,
    mails: notification_mails::Worker,
    ingest: ingest::Worker,
    indexer: indexer::Worker,
    scheduler: scheduler::Worker,
    searches: saved_searches::Worker,
    webhooks: webhooks::Worker,
    lists: screening_updates::Worker,
    exports: bulk_export::Worker,
    dossiers: dossiers::Worker,
}

impl Workers {
    /// `folder` is for the temporary files of generations.
    pub fn new(
        cloud: &Cloud,
        site: &Site,
        generations: &Generations,
        fetcher: Fetcher,
        folder: &Path,
    ) -> Self {
        let ingest = ingest::Worker {
            registry: cloud.registry.clone(),
            objects: cloud.objects.clone(),
            generations: generations.clone(),
            fetcher: fetcher.clone(),
            jobs: cloud.ingest_queue.clone(),
            stored_per_job: STORED_PER_JOB,
        };
        let indexer = indexer::Worker::new(cloud.registry.clone(), cloud.objects.clone(), folder);
        let scheduler = scheduler::Worker {
            tenants: cloud.tenants.clone(),
            searches: cloud.searches_queue.clone(),
            mails: cloud.mails_queue.clone(),
            webhooks: cloud.webhooks_queue.clone(),
            objects: cloud.objects.clone(),
        };
        let searches = saved_searches::Worker {
            tenants: cloud.tenants.clone(),
            registry: cloud.registry.clone(),
            generations: generations.clone(),
            mails: cloud.mails_queue.clone(),
            webhooks: cloud.webhooks_queue.clone(),
            public_url: site.public_url.as_str().into(),
        };
        let screened = CompanyScreenings::new(cloud.objects.clone());
        let delivery = delivery::Worker {
            registry: cloud.registry.clone(),
            tenants: cloud.tenants.clone(),
            mails: cloud.mails_queue.clone(),
            webhooks: cloud.webhooks_queue.clone(),
            jobs: cloud.delivery_queue.clone(),
            assessments: Sources {
                registry: cloud.registry.clone(),
                screened: screened.clone(),
                clock: Clock::system(),
            },
            generations: generations.clone(),
            public_url: site.public_url.as_str().into(),
        };
        let mails = notification_mails::Worker {
            tenants: cloud.tenants.clone(),
            outgoing: site.outgoing_mail(cloud),
            public_url: site.public_url.as_str().into(),
        };
        let feedback = mail_feedback::Worker {
            tenants: cloud.tenants.clone(),
            counters: cloud.counters.clone(),
        };
        let (registry, tenants) = (cloud.registry.clone(), cloud.tenants.clone());
        let (sender, url) = (site.webhooks.clone(), site.public_url.as_str());
        let counters = cloud.counters.clone();
        let webhooks = webhooks::Worker::new(registry, tenants, counters, sender, url);
        let lists = screening_updates::Worker {
            objects: cloud.objects.clone(),
            fetcher,
            jobs: cloud.lists_queue.clone(),
            tenants: cloud.tenants.clone(),
            registry: cloud.registry.clone(),
            last_changes: LastChanges::default(),
            last_result: LastResult::default(),
            lists: ScreeningLists::checked_every(cloud.objects.clone(), Duration::ZERO),
            retention: Retention::default(),
            mails: cloud.mails_queue.clone(),
            public_url: site.public_url.as_str().into(),
            minimum: lists::minimum,
            blocks_per_part: BLOCKS_PER_PART,
        };
        let exports = bulk_export::Worker {
            tenants: cloud.tenants.clone(),
            objects: cloud.objects.clone(),
            generations: generations.clone(),
            jobs: cloud.exports_queue.clone(),
            part: bulk_export::PART,
            rows_per_group: bulk_export::ROWS_PER_GROUP,
        };
        let dossiers = dossiers::Worker {
            registry: cloud.registry.clone(),
            generations: generations.clone(),
            screened,
            generator: site.generator(&cloud.tenants),
        };
        Self {
            delivery,
            feedback,
            mails,
            ingest,
            indexer,
            scheduler,
            searches,
            webhooks,
            lists,
            exports,
            dossiers,
        }
    }

    /// Runs the jobs of the queues until `shutdown` completes. Uses a separate thread, because in the cloud the
    /// workers are separate processes.
    pub fn start(
        self,
        cloud: &Cloud,
        shutdown: impl Future<Output = ()> + Clone + Send + 'static,
    ) -> Result<(), CommandError> {
        let Self {
            delivery,
            feedback,
            mails,
            ingest,
            indexer,
            scheduler,
            searches,
            webhooks,
            lists,
            exports,
            dossiers,
        } = self;
        let (lists_queue, exports_queue) = (cloud.lists_queue.clone(), cloud.exports_queue.clone());
        let dossiers_queue = cloud.dossiers_queue.clone();
        let feedback_queue = cloud.feedback_queue.clone();
        let (delivery_queue, mails_queue, webhooks_queue) =
            (cloud.delivery_queue.clone(), cloud.mails_queue.clone(), cloud.webhooks_queue.clone());
        let (ingest_queue, index_queue) = (cloud.ingest_queue.clone(), cloud.index_queue.clone());
        let (schedule_queue, searches_queue) =
            (cloud.schedule_queue.clone(), cloud.searches_queue.clone());
        let failed = |it| CommandError::new("the workers", it);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let run = move || {
            runtime.block_on(async {
                let ingesting = (0..PARALLEL_INGEST_JOBS).map(|_| {
                    let handle = async |job, id| ingest.handle(job, id).await;
                    poll(&ingest_queue, function("Ingest"), handle, shutdown.clone())
                });
                let searching = (0..PARALLEL_SEARCHES).map(|_| {
                    let handle = async |job, _| searches.handle(job, now()).await;
                    poll(&searches_queue, function("SavedSearches"), handle, shutdown.clone())
                });
                let mailing = (0..PARALLEL_MAILS).map(|_| {
                    let handle = async |job, _| mails.handle(job, now()).await;
                    poll(&mails_queue, function("NotificationMails"), handle, shutdown.clone())
                });
                let delivering = (0..PARALLEL_WEBHOOKS).map(|_| {
                    let handle = async |job, _| webhooks.handle(job, now()).await;
                    poll(&webhooks_queue, function("Webhooks"), handle, shutdown.clone())
                });
                let notifying = (0..PARALLEL_NOTIFYING).map(|_| {
                    poll(
                        &delivery_queue,
                        function("Deliverer"),
                        async |it, _| delivery.handle(it).await,
                        shutdown.clone(),
                    )
                });
                let exporting = (0..PARALLEL_EXPORTS).map(|_| {
                    let handle = async |job, _| exports.handle(job, now()).await;
                    poll(&exports_queue, function("BulkExport"), handle, shutdown.clone())
                });
                let writing = (0..PARALLEL_DOSSIERS).map(|_| {
                    let handle = async |job, _| dossiers.handle(job, now()).await;
                    poll(&dossiers_queue, function("Dossiers"), handle, shutdown.clone())
                });
                tokio::join!(
                    join_all(ingesting),
                    join_all(searching),
                    join_all(mailing),
                    join_all(delivering),
                    join_all(exporting),
                    join_all(writing),
                    join_all((0..PARALLEL_SCHEDULES).map(|_| {
                        let handle = async |job, _| scheduler.handle(job, now()).await;
                        poll(&schedule_queue, function("Scheduler"), handle, shutdown.clone())
                    })),
                    poll(
                        &feedback_queue,
                        function("MailFeedback"),
                        async |it, _| feedback.handle(it).await,
                        shutdown.clone()
                    ),
                    poll(
                        &lists_queue,
                        function("ScreeningUpdates"),
                        async |it, id| lists.handle(it, id, now()).await,
                        shutdown.clone()
                    ),
                    poll(
                        &index_queue,
                        function("Indexer"),
                        async |it, _| indexer.handle(it).await,
                        shutdown.clone()
                    ),
                    join_all(notifying),
                    schedule(
                        &delivery_queue,
                        DeliveryJob::NotifyWatchers,
                        DELIVERY_INTERVAL,
                        shutdown.clone()
                    ),
                    schedule(&exports_queue, ExportJob::Sweep, EXPORT_INTERVAL, shutdown.clone()),
                    schedule(
                        &lists_queue,
                        ListJob::ScreenRegister { lists: List::ALL.to_vec() },
                        SCREENING_INTERVAL,
                        shutdown.clone()
                    ),
                    schedule(
                        &index_queue,
                        IndexJob::PublishChanges,
                        GENERATION_INTERVAL,
                        shutdown.clone()
                    ),
                    schedule(
                        &schedule_queue,
                        ScheduleJob::SendDue,
                        SCHEDULE_INTERVAL,
                        shutdown.clone()
                    ),
                    schedule(
                        &schedule_queue,
                        ScheduleJob::SendDueWebhooks,
                        WEBHOOK_INTERVAL,
                        shutdown.clone()
                    ),
                    schedule(
                        &schedule_queue,
                        ScheduleJob::Erase,
                        ERASURE_INTERVAL,
                        shutdown.clone()
                    ),
                )
            })
        };
        let thread = thread::Builder::new().name("workers".to_owned());
        thread.spawn(run).map_err(failed)?;
        Ok(())
    }
}

/// Sends a job at an interval, as a schedule does in the cloud, until `shutdown` completes.
async fn schedule<T: Message>(
    queue: &Queue<T>,
    job: T,
    interval: Duration,
    shutdown: impl Future<Output = ()>,
) {
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => return,
            () = tokio::time::sleep(interval) => {}
        }
        if let Err(error) = queue.send(&job).await {
            tracing::warn!(error = errors::chain(&error), "a scheduled job was not sent");
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the time at which a job starts")]
fn now() -> Timestamp {
    Timestamp::now()
}
