//! Deduplication: a message with the deduplication id of an earlier message of the queue, or of its message
//! group, is accepted, but not delivered. A queue remembers an id for five minutes, even if the message has been
//! deleted.

use std::{
    collections::{HashMap, VecDeque},
    time::Duration,
};

use tokio::time::Instant;
use uuid::Uuid;

const INTERVAL: Duration = Duration::from_secs(300);

/// The messages of the last five minutes.
#[derive(Default)]
pub(crate) struct Deduplication {
    sent: HashMap<Key, Sent>,
    /// The keys and when they expire, oldest first.
    expiries: VecDeque<(Instant, Key)>,
}

/// Messages with the same key are duplicates of each other.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// The message group, if the queue deduplicates each group separately.
    pub(crate) group: Option<String>,
    /// The deduplication id.
    pub(crate) id: String,
}

/// How SQS identifies a message that was sent. A duplicate gets the values of the first message.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) message_id: Uuid,
    pub(crate) sequence_number: u64,
}

impl Deduplication {
    /// The earlier message with this key.
    pub(crate) fn find(&mut self, key: &Key) -> Option<&Sent> {
        let now = Instant::now();
        while self.expiries.front().is_some_and(|(expiry, _)| *expiry <= now) {
            if let Some((_, expired)) = self.expiries.pop_front() {
                self.sent.remove(&expired);
            }
        }
        self.sent.get(key)
    }

    pub(crate) fn insert(&mut self, key: Key, sent: Sent) {
        self.expiries.push_back((Instant::now() + INTERVAL, key.clone()));
        self.sent.insert(key, sent);
    }
}
