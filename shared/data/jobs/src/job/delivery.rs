//! The jobs that notify the teams that watch a company.

use domain::Uid;
use serde::{Deserialize, Serialize};

use super::Message;

/// A job for the `delivery` worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "snake_case")]
pub enum DeliveryJob {
    /// Notify the teams that watch the companies of new events in the change feed. Safe to run twice, because the id of
    /// a notification is derived from team and event. The schedule in `template.yaml` sends this job.
    NotifyWatchers,
    /// Notify the teams that watch a company if its risk level on the day of a publication is another one than on the day before.
    /// `NotifyWatchers` sends this job. Safe to run twice, because the id of a notification is derived from team, company, day and
    /// levels.
    CompareRisk {
        company: Uid,
        /// Sequence number of a change of that day.
        change: u64,
    },
}

impl Message for DeliveryJob {
    const VARIABLE: &'static str = "DELIVERY_QUEUE";

    /// One group for each kind of job: a second worker would only repeat the work of the first, and risks do not delay the
    /// notifications of changes.
    fn group(&self) -> &str {
        match self {
            Self::NotifyWatchers => "delivery",
            Self::CompareRisk { .. } => "risk",
        }
    }
}
