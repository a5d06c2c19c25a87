//! The workers of the local server. Pollers hand them their jobs, as Lambda does in the cloud.

use std::{future::Future, path::Path, pin::pin, thread, time::Duration};

use components::Components;
use domain::lists::List;
use jobs::{DeliveryJob, ExportJob, IndexJob, ListJob, Message, Queue, ScheduleJob};
use objects::Objects;
use queue_worker::Worker;
use screening_lists::ScreeningLists;

use crate::{CommandError, register::lists, template::function};

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

/// Interval between two checks which exports are due for the sweep. In the cloud, a schedule in `template.yaml` sends the job every
/// minute.
const EXPORT_INTERVAL: Duration = Duration::from_secs(5);

/// Interval between two checks whether all companies must be compared with a list again. In the cloud, a schedule in
/// `template.yaml` sends the job every hour.
const SCREENING_INTERVAL: Duration = Duration::from_secs(5);

/// What the workers use: `components`, and here lists of any size and a folder for the temporary files of generations.
pub fn components(components: Components, folder: &Path) -> Components {
    let objects: Objects = components.get();
    let screening = screening_updates::Worker {
        lists: ScreeningLists::checked_every(objects.clone(), Duration::ZERO),
        minimum: lists::minimum,
        ..components.get()
    };
    let indexer = indexer::Worker::new(components.get(), objects, folder);
    components.with(screening).with(indexer)
}

/// Runs the jobs of the queues until `shutdown` completes. Uses a separate thread, because in the cloud the workers are separate
/// processes. To add a worker, add it to the list.
pub fn start(
    components: &Components,
    shutdown: impl Future<Output = ()> + Clone + Send + 'static,
) -> Result<(), CommandError> {
    let components = components.clone();
    let failed = |it| CommandError::new("the workers", it);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(failed)?;
    let run = move || {
        let (it, end) = (&components, || shutdown.clone());
        runtime.block_on(async {
            tokio::join!(
                worker::<bulk_export::Worker>(it, end()),
                worker::<delivery::Worker>(it, end()),
                worker::<dossiers::Worker>(it, end()),
                worker::<indexer::Worker>(it, end()),
                worker::<ingest::Worker>(it, end()),
                worker::<mail_feedback::Worker>(it, end()),
                worker::<notification_mails::Worker>(it, end()),
                worker::<saved_searches::Worker>(it, end()),
                worker::<scheduler::Worker>(it, end()),
                worker::<screening_updates::Worker>(it, end()),
                worker::<webhooks::Worker>(it, end()),
                schedule(it, DeliveryJob::NotifyWatchers, DELIVERY_INTERVAL, end()),
                schedule(it, ExportJob::Sweep, EXPORT_INTERVAL, end()),
                schedule(
                    it,
                    ListJob::ScreenRegister { lists: List::ALL.to_vec() },
                    SCREENING_INTERVAL,
                    end()
                ),
                schedule(it, IndexJob::PublishChanges, GENERATION_INTERVAL, end()),
                schedule(it, ScheduleJob::SendDue, SCHEDULE_INTERVAL, end()),
                schedule(it, ScheduleJob::SendDueWebhooks, WEBHOOK_INTERVAL, end()),
                schedule(it, ScheduleJob::Erase, ERASURE_INTERVAL, end()),
            )
        })
    };
    let thread = thread::Builder::new().name("workers".to_owned());
    thread.spawn(run).map_err(failed)?;
    Ok(())
}

/// Runs the jobs of a worker.
async fn worker<W: Worker>(components: &Components, shutdown: impl Future<Output = ()> + Clone) {
    queue_worker::run::<W>(components, function(W::NAME), shutdown).await;
}

/// Sends a job at an interval, as a schedule does in the cloud, until `shutdown` completes.
async fn schedule<T: Message>(
    components: &Components,
    job: T,
    interval: Duration,
    shutdown: impl Future<Output = ()>,
) {
    let queue: Queue<T> = components.get();
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use deployment::Deployment;

    use super::*;

    /// What a worker says of itself in the code.
    fn described<W: Worker>() -> (&'static str, &'static str, usize) {
        (W::NAME, W::Job::VARIABLE, W::PARALLEL)
    }

    #[test]
    fn workers_agree_with_their_declarations() {
        let workers = [
            described::<bulk_export::Worker>(),
            described::<delivery::Worker>(),
            described::<dossiers::Worker>(),
            described::<indexer::Worker>(),
            described::<ingest::Worker>(),
            described::<mail_feedback::Worker>(),
            described::<notification_mails::Worker>(),
            described::<saved_searches::Worker>(),
            described::<scheduler::Worker>(),
            described::<screening_updates::Worker>(),
            described::<webhooks::Worker>(),
        ];
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let declared = Deployment::read(&root).expect("declarations").workers;
        assert_eq!(declared.len(), workers.len());
        for (function, (name, variable, parallel)) in declared.iter().zip(workers) {
            let queue = function.declaration.queue.as_ref().expect("a queue");
            assert_eq!(function.name, name);
            assert_eq!(format!("{}_QUEUE", queue.name.to_ascii_uppercase()), variable, "{name}");
            assert!(queue.concurrency as usize >= parallel, "{name}");
        }
    }
}
