//! All queues of the emulator.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

use crate::sqs::{
    address::{name_in_arn, name_in_url},
    error::Refusal,
    queue::Queue,
};

/// The queues of one account in one region. A clone refers to the same queues.
#[derive(Clone, Default)]
pub struct Queues {
    state: Arc<Mutex<State>>,
}

pub(crate) struct State {
    /// By name.
    pub(crate) queues: BTreeMap<String, Queue>,
    /// Whether the server shuts down, so that no request waits for messages.
    pub(crate) is_ending: bool,
    /// An instant, and its Unix time in milliseconds.
    epoch: (u64, Instant),
}

impl Default for State {
    fn default() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "read once; later times are measured from it"
        )]
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            queues: BTreeMap::new(),
            is_ending: false,
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

    /// Ends the waiting of all requests, now and in future.
    pub(crate) fn stop_waiting(&self) {
        let mut state = self.lock();
        state.is_ending = true;
        state.queues.values().for_each(|it| it.changed.notify_waiters());
    }
}

impl State {
    /// The current Unix time in milliseconds. Follows tokio's clock.
    pub(crate) fn now(&self) -> u64 {
        let (milliseconds, instant) = self.epoch;
        milliseconds + instant.elapsed().as_millis() as u64
    }

    /// The queue with this URL, brought up to date.
    pub(crate) fn at(&mut self, url: &str) -> Result<&mut Queue, Refusal> {
        if url.is_empty() {
            return Err(Refusal::missing("QueueUrl"));
        }
        let now = self.now();
        let queue = self.queues.get_mut(name_in_url(url)).ok_or_else(Refusal::no_such_queue)?;
        queue.update(now);
        Ok(queue)
    }

    /// The queue with this ARN.
    pub(crate) fn with_arn(&mut self, arn: &str) -> Option<&mut Queue> {
        self.queues.get_mut(name_in_arn(arn)?)
    }
}
