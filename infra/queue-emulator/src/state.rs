//! All queues, and how one is found.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

use crate::{moves::MoveTask, queue::Queue, refusal::Refusal};

/// The region in every queue's ARN.
pub const REGION: &str = "eu-central-2";
/// The account in every queue's ARN and address.
pub const ACCOUNT: &str = "000000000000";

/// The queues of one account in one region. Clones are the same queues.
#[derive(Clone, Default)]
pub struct Queues {
    state: Arc<Mutex<State>>,
}

pub(crate) struct State {
    pub(crate) queues: BTreeMap<String, Queue>,
    pub(crate) moves: Vec<MoveTask>,
    pub(crate) ending: bool,
    /// Milliseconds since 1970, when it was this instant.
    epoch: (u64, Instant),
}

impl Default for State {
    fn default() -> Self {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            queues: BTreeMap::new(),
            moves: Vec::new(),
            ending: false,
            epoch: (since_1970.as_millis() as u64, Instant::now()),
        }
    }
}

impl Queues {
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets every waiting receive answer now, and later ones at once.
    pub(crate) fn end_waiting(&self) {
        let mut state = self.lock();
        state.ending = true;
        state.queues.values().for_each(|it| it.changed.notify_waiters());
    }
}

impl State {
    /// Now, in milliseconds since 1970; moves with tokio's clock.
    pub(crate) fn milliseconds(&self) -> u64 {
        let (milliseconds, then) = self.epoch;
        milliseconds + then.elapsed().as_millis() as u64
    }

    /// The queue at this address, with whatever time has done to it meanwhile.
    pub(crate) fn at(&mut self, url: &str) -> Result<&mut Queue, Refusal> {
        if url.is_empty() {
            return Err(Refusal::missing("QueueUrl"));
        }
        let now = self.milliseconds();
        let name = url.rsplit('/').next().unwrap_or_default();
        let queue = self.queues.get_mut(name).ok_or_else(Refusal::no_such_queue)?;
        queue.settle(now);
        Ok(queue)
    }

    /// The queue with this ARN.
    pub(crate) fn named_by(&mut self, arn: &str) -> Option<&mut Queue> {
        let name = arn.rsplit(':').next().unwrap_or_default();
        self.queues.get_mut(name).filter(|it| it.arn() == arn)
    }
}

/// Where clients reach a queue, on whatever address they reached us.
pub fn url(origin: &str, name: &str) -> String {
    format!("{origin}/{ACCOUNT}/{name}")
}
