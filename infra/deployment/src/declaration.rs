//! What `deployment.toml` may say.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The two kinds of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Api,
    Worker,
}

impl Kind {
    /// The folder of its functions, from the root of the checkout.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Api => "functions/api",
            Self::Worker => "functions/workers",
        }
    }
}

/// What a function needs in a deployment.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Declaration {
    /// Who calls it, and what else it works with, for the table of functions.
    pub called_by: String,
    /// What it is for and what it guarantees, for the table of functions.
    pub purpose: String,
    /// The logical name of a worker, if it does not follow from its name.
    pub resource: Option<String>,
    pub memory: Memory,
    /// Size of its folder for temporary files, in MB. Lambda's default is 512.
    pub disk: Option<u32>,
    /// After so many seconds, it is ended. A worker needs it; a function of the API has that of `Globals`.
    pub timeout: Option<u32>,
    /// Whether a chain of its jobs may be long: something must bound it (`tests/it/job_chains.rs`).
    #[serde(default)]
    pub may_loop: bool,
    /// Whether the parameter `ReserveWorkers` reserves concurrency for it.
    #[serde(default)]
    pub reserves: bool,
    /// Whether its log says how much memory it has used.
    #[serde(default)]
    pub reports_memory: bool,
    /// The names of the queues to which it sends jobs. Their addresses are in its environment.
    #[serde(default)]
    pub sends: Vec<String>,
    /// Environment variables, each with the parameter or resource that it names. That of its own queue is not listed.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Environment variables that name a secret, which the function may read.
    #[serde(default)]
    pub secrets: BTreeMap<String, String>,
    /// What it may do, beside what follows from the rest: an object, and the operations on it. An object is `Registry`; `Bucket/prefix/*`;
    /// `Bucket if prefix/*` for lists of objects with this prefix; `Tenants if KEY#* USER#*` for items with these partitions; or `Tenants if
    /// count pk sk of KEY#*`, where only these attributes are changed.
    #[serde(default)]
    pub may: BTreeMap<String, String>,
    /// The queue of a worker.
    pub queue: Option<Queue>,
    /// What sends jobs to the queue of a worker regularly, by logical name.
    #[serde(default)]
    pub schedules: BTreeMap<String, Schedule>,
}

/// Memory in MB, or a parameter that states it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Memory {
    Megabytes(u32),
    Parameter(String),
}

/// The queue of a worker, and its alarms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// `searches` is the resource `SearchesQueue`, and `SEARCHES_QUEUE` in the environment.
    pub name: String,
    /// Logical name of the event source mapping. `SearchesJobs`, if it is not given.
    pub mapping: Option<String>,
    /// Number of jobs, each of another message group, that run at the same time. In small accounts: two.
    pub concurrency: u32,
    /// Whether it keeps the order in a message group.
    #[serde(default = "yes")]
    pub fifo: bool,
    /// Whether message groups neither share a limit of throughput nor ignore equal messages of each other.
    #[serde(default)]
    pub independent_groups: bool,
    /// Seconds for which it keeps a message. The default of SQS is four days.
    pub retention: Option<u32>,
    /// Whether the dead letters outlive the deployment.
    #[serde(default)]
    pub keeps_dead_letters: bool,
    /// What a dead letter means. The alarm says it.
    pub dead_letters: String,
    /// When a waiting job raises an alarm.
    pub waiting: Waiting,
}

/// For how long a job may wait.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiting {
    /// How the alarm calls a job.
    pub what: String,
    pub hours: u32,
}

/// What sends a job regularly.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// An expression of `EventBridge` Scheduler.
    pub when: String,
    pub timezone: Option<String>,
    /// The condition of the template under which it exists.
    pub condition: Option<String>,
    /// The message group. With the id of the execution, each message has one of its own.
    pub group: String,
    /// The job, in JSON.
    pub job: String,
}

/// What every function of the API has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EveryFunction {
    /// The partitions that `@caller` stands for.
    pub(crate) caller: String,
    pub(crate) may: BTreeMap<String, String>,
}

/// What is wrong with a member of a declaration.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) member: String,
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn new(member: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { member: member.into(), reason: reason.into() }
    }
}

impl Declaration {
    /// Whether its members fit together.
    pub(crate) fn check(&self, kind: Kind) -> Result<(), Refusal> {
        match (kind, &self.queue) {
            (Kind::Worker, None) => {
                return Err(Refusal::new("queue", "is missing: a worker has a queue"));
            }
            (Kind::Api, Some(_)) => {
                return Err(Refusal::new(
                    "queue",
                    "is not allowed: a function of the API has no queue",
                ));
            }
            _ => {}
        }
        if kind == Kind::Worker && self.timeout.is_none() {
            return Err(Refusal::new(
                "timeout",
                "is missing: the queue hides a job for twice this time",
            ));
        }
        let of_workers = [
            ("resource", self.resource.is_some()),
            ("schedules", !self.schedules.is_empty()),
            ("may_loop", self.may_loop),
            ("reserves", self.reserves),
        ];
        for (member, is_set) in of_workers {
            if is_set && kind == Kind::Api {
                return Err(Refusal::new(member, "is for workers only"));
            }
        }
        for (name, schedule) in &self.schedules {
            if let Err(error) = serde_json::from_str::<serde_json::Value>(&schedule.job) {
                return Err(Refusal::new(
                    format!("schedules.{name}.job"),
                    format!("is no JSON: {error}"),
                ));
            }
        }
        Ok(())
    }

    /// Whether it feeds its own queue, although a chain of its jobs may not be long.
    pub(crate) fn has_short_chains(&self) -> bool {
        let feeds_itself = self.queue.as_ref().is_some_and(|it| self.sends.contains(&it.name));
        feeds_itself && !self.may_loop
    }
}

impl Queue {
    /// The beginning of the logical names of its resources.
    pub(crate) fn resource(&self) -> String {
        crate::resource_of(&self.name)
    }

    /// Logical name of the event source mapping.
    pub(crate) fn mapping(&self) -> String {
        self.mapping.clone().unwrap_or_else(|| self.resource() + "Jobs")
    }
}

fn yes() -> bool {
    true
}
