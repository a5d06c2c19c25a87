use std::time::Duration;

use access::Environment;
use auth::TeamId;
use company_reader::{Sources, dossier::brief};
use components::Clock;
use dossier_generation::{Attempt, End, Generator, NotWritten, Read};
use generations::Generations;
use jiff::Timestamp;
use jobs::{DossierJob, JobId};
use problem_details::Problem;
use screening_results::CompanyScreenings;
use store::{Registry, TeamKey};
use tokio::time::Instant;
use uuid::Uuid;

/// How long a worker may write a dossier: less than its function may run. A model has more time here than in a request.
const LIMIT: Duration = Duration::from_secs(100);

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub registry: Registry,
        pub generations: Generations,
        /// What the screening lists say about companies.
        pub screened: CompanyScreenings,
        pub generator: Generator,
    }
}

/// Why a dossier was not written. The job is repeated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    NotWritten(#[from] NotWritten<Problem>),
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A request writes it at the moment. If its process dies, the next attempt writes the dossier.
    #[error("another process writes the dossier")]
    Busy,
}

impl queue_worker::Worker for Worker {
    type Job = DossierJob;
    type Error = Error;
    const NAME: &str = "dossiers";
    const PARALLEL: usize = 2;

    async fn work(&self, job: DossierJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: DossierJob, now: Timestamp) -> Result<(), Error> {
        let DossierJob::Write { team, environment, dossier } = job;
        let Ok(id) = dossier.parse() else { return Ok(()) };
        if self.generator.tenants.is_erased(&team).await? {
            return Ok(());
        }
        let started = Instant::now();
        let clock = Clock::from_fn(move || now + started.elapsed());
        let (registry, screened) = (self.registry.clone(), self.screened.clone());
        let sources = Sources { registry, screened, clock: clock.clone() };
        let clock = || clock.now();
        let attempt = Attempt { dossier: id, token: Uuid::new_v4(), clock, limit: LIMIT };
        let read = async |dossier: teams::Dossier| {
            let generation = self.generations.serving().await?;
            let brief = brief(&sources, &generation, &dossier.request).await?;
            Ok::<_, Problem>(Read { brief, generation: generation.manifest.id.clone() })
        };
        match self.generator.write(&team_key(team, environment), attempt, read).await? {
            End::Busy => Err(Error::Busy),
            End::Ended(dossier) => {
                tracing::info!(dossier = %dossier.id, attempts = dossier.attempts, "dossier ended");
                Ok(())
            }
            End::Gone => Ok(()),
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the job was sent for a dossier that the team has requested"
)]
fn team_key(team: TeamId, environment: Environment) -> TeamKey {
    TeamKey::as_operator(team, environment)
}
