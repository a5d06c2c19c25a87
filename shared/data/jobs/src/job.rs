//! Every job that is sent, by queue. The sender and the worker share these types.

mod delivery;
mod dossiers;
mod exports;
mod feedback;
mod index;
mod ingest;
mod lists;
mod mails;
mod schedule;
mod searches;
mod webhooks;

use serde::{Serialize, de::DeserializeOwned};

pub use self::{
    delivery::DeliveryJob, dossiers::DossierJob, exports::ExportJob, feedback::FeedbackJob,
    index::IndexJob, ingest::IngestJob, lists::ListJob, mails::MailJob, schedule::ScheduleJob,
    searches::SearchJob, webhooks::WebhookJob,
};

/// The type of message that a queue carries. Each worker has its own queue and its own type, so that it
/// cannot receive a job that it does not know.
pub trait Message: Clone + Serialize + DeserializeOwned + 'static {
    /// The environment variable that holds the queue's URL.
    const VARIABLE: &'static str;

    /// The message group. The jobs of one group run one after another, in the order in which they were
    /// sent; different groups run in parallel.
    fn group(&self) -> &str;

    /// The same for messages that are the same job. `None`: each message that is sent is a job of its own.
    fn deduplication_id(&self) -> Option<String> {
        None
    }
}
