//! Deduplication: a message with the deduplication id of an earlier message is accepted, but not delivered.
//! A queue remembers an id for five minutes, even if the message has been deleted.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use tokio::time::Instant;
use uuid::Uuid;

const INTERVAL: Duration = Duration::from_secs(300);

/// The deduplication ids of the last five minutes.
#[derive(Default)]
pub(crate) struct Deduplication {
    sent: HashMap<String, Sent>,
    /// The ids and when they expire, oldest first.
    expiries: VecDeque<(Instant, String)>,
}

/// How SQS identifies a message that was sent. A duplicate gets the values of the first message.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) message_id: Uuid,
    pub(crate) sequence_number: u64,
}

impl Deduplication {
    /// The earlier message with this deduplication id.
    pub(crate) fn find(&mut self, id: &str) -> Option<&Sent> {
        let now = Instant::now();
        while self.expiries.front().is_some_and(|(expiry, _)| *expiry <= now) {
            if let Some((_, expired)) = self.expiries.pop_front() {
                self.sent.remove(&expired);
            }
        }
        self.sent.get(id)
    }

    pub(crate) fn insert(&mut self, id: String, sent: Sent) {
        self.expiries.push_back((Instant::now() + INTERVAL, id.clone()));
        self.sent.insert(id, sent);
    }
}
