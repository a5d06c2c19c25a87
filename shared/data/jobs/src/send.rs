//! Sending messages in batches, with retries of the entries that the queue did not accept.

use std::{fmt, time::Duration};

use aws_sdk_sqs::{
    error::{ProvideErrorMetadata, SdkError},
    operation::send_message_batch::{SendMessageBatchError, SendMessageBatchOutput},
    types::SendMessageBatchRequestEntry,
};
use futures_util::{StreamExt, stream};
use uuid::Uuid;

use crate::{JobId, Message, Queue};

/// Maximum number of entries of a batch.
const MAX_ENTRIES: usize = 10;
/// Maximum total size of a batch, in bytes.
const MAX_SIZE: usize = 1024 * 1024;
/// Number of batches that are sent in parallel.
const PARALLEL_BATCHES: usize = 4;
/// Number of attempts for each batch. Each attempt sends only the remaining entries, after a pause that is
/// twice as long as the previous one.
const ATTEMPTS: u32 = 5;
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// Some messages were not sent, or it is unknown whether they were. All others were sent.
#[derive(Debug, thiserror::Error)]
#[error("{} of {total} messages were not sent: {}", unsent.len(), Listed(unsent))]
pub struct NotSent {
    /// Number of messages that should have been sent.
    pub total: usize,
    /// The messages that were not sent, by index.
    pub unsent: Vec<Unsent>,
}

/// A message that was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsent {
    /// Index of the message in the list of messages to be sent, from 0.
    pub index: usize,
    pub reason: String,
}

/// An entry of a batch.
struct Entry {
    index: usize,
    body: String,
    group: String,
    /// If an answer is lost and the entry is sent again, the queue recognises the id and delivers the message
    /// once.
    deduplication_id: String,
}

/// Why an entry was not accepted.
struct Refusal {
    reason: String,
    /// Whether the next attempt would fail too.
    is_permanent: bool,
}

impl<T: Message> Queue<T> {
    /// Sends a message. If an answer was lost, the message may have been sent despite the error.
    pub async fn send(&self, message: &T) -> Result<(), NotSent> {
        self.send_all(std::slice::from_ref(message)).await
    }

    /// Sends as many of the messages as possible. Two equal messages are two jobs, unless their deduplication id is the
    /// same.
    pub async fn send_all(&self, messages: &[T]) -> Result<(), NotSent> {
        let id = |it: &T| it.deduplication_id().unwrap_or_else(|| Uuid::new_v4().to_string());
        self.send_with_ids(messages, |_| messages.iter().map(id).collect()).await
    }

    /// Sends as many of the successors of a job as possible. If the job runs again and sends them again, they are
    /// the same jobs ([`JobId`]).
    pub async fn send_successors(&self, of: &JobId, messages: &[T]) -> Result<(), NotSent> {
        let ids = |bodies: &[String]| of.successors(bodies).iter().map(JobId::to_string).collect();
        self.send_with_ids(messages, ids).await
    }

    /// `ids` returns the deduplication ids of the messages with these bodies.
    async fn send_with_ids(
        &self,
        messages: &[T],
        ids: impl FnOnce(&[String]) -> Vec<String>,
    ) -> Result<(), NotSent> {
        let mut unsent = Vec::new();
        let mut entries = Vec::new();
        let bodies: Vec<_> = messages.iter().map(serde_json::to_string).collect();
        let texts = bodies.iter().map(|it| it.as_ref().cloned().unwrap_or_default());
        let ids = ids(&texts.collect::<Vec<String>>());
        let bodies = messages.iter().zip(bodies).zip(ids);
        for (index, ((message, body), deduplication_id)) in bodies.enumerate() {
            match body {
                Ok(body) if body.len() <= MAX_SIZE => {
                    let group = message.group().to_owned();
                    entries.push(Entry { index, body, group, deduplication_id });
                }
                Ok(body) => {
                    let size = body.len();
                    let reason = format!("{size} bytes are more than {MAX_SIZE}");
                    unsent.push(Unsent { index, reason });
                }
                Err(error) => unsent.push(Unsent { index, reason: error.to_string() }),
            }
        }
        let batches = stream::iter(batches(entries)).map(|it| self.send_batch(it));
        let failed: Vec<Vec<Unsent>> = batches.buffer_unordered(PARALLEL_BATCHES).collect().await;
        unsent.extend(failed.into_iter().flatten());
        if unsent.is_empty() {
            return Ok(());
        }
        unsent.sort_by_key(|it| it.index);
        Err(NotSent { total: messages.len(), unsent })
    }

    async fn send_batch(&self, mut batch: Vec<Entry>) -> Vec<Unsent> {
        let mut unsent = Vec::new();
        for attempt in 1.. {
            let mut remaining = Vec::new();
            for (entry, refusal) in self.attempt(batch).await {
                if refusal.is_permanent || attempt == ATTEMPTS {
                    unsent.push(Unsent { index: entry.index, reason: refusal.reason });
                } else {
                    remaining.push(entry);
                }
            }
            if remaining.is_empty() {
                break;
            }
            batch = remaining;
            tokio::time::sleep(FIRST_PAUSE * 2_u32.pow(attempt - 1)).await;
        }
        unsent
    }

    /// Sends a batch once. Returns the entries that were not accepted, each with the reason.
    async fn attempt(&self, batch: Vec<Entry>) -> Vec<(Entry, Refusal)> {
        let mut request = self.client.send_message_batch().queue_url(&self.url);
        for (position, entry) in batch.iter().enumerate() {
            let built = SendMessageBatchRequestEntry::builder()
                .id(position.to_string())
                .message_body(&entry.body)
                .message_group_id(&entry.group)
                .message_deduplication_id(&entry.deduplication_id)
                .build();
            #[expect(clippy::expect_used, reason = "the required members, id and body, are set")]
            let built = built.expect("a complete entry");
            request = request.entries(built);
        }
        let answer = request.send().await;
        let entries = batch.into_iter().enumerate();
        let refused = entries.filter_map(|(position, it)| Some((it, refusal(&answer, position)?)));
        refused.collect()
    }
}

/// Why the entry at this position was not accepted. `None` if it was accepted.
fn refusal(
    answer: &Result<SendMessageBatchOutput, SdkError<SendMessageBatchError>>,
    position: usize,
) -> Option<Refusal> {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let reason = errors::chain(error);
            return Some(Refusal { reason, is_permanent: is_permanent(error) });
        }
    };
    let id = position.to_string();
    if answer.successful().iter().any(|it| it.id() == id) {
        return None;
    }
    let failed = answer.failed().iter().find(|it| it.id() == id);
    Some(Refusal {
        reason: failed.map_or_else(
            || "the answer does not mention it".to_owned(),
            |it| format!("{}: {}", it.code(), it.message().unwrap_or_default()),
        ),
        is_permanent: failed.is_some_and(|it| it.sender_fault()),
    })
}

/// Whether the request itself is wrong, so that it would fail again. Throttling is temporary.
fn is_permanent(error: &SdkError<SendMessageBatchError>) -> bool {
    match error {
        SdkError::ConstructionFailure(_) => true,
        SdkError::ServiceError(it) => {
            let throttled = it.err().code().is_some_and(|it| it.contains("Throttl"));
            it.raw().status().is_client_error() && !throttled
        }
        _ => false,
    }
}

/// Divides entries into batches of at most the maximum number and size. Keeps their order.
fn batches(entries: Vec<Entry>) -> Vec<Vec<Entry>> {
    let mut batches: Vec<Vec<Entry>> = Vec::new();
    let mut size = 0;
    for entry in entries {
        let added = entry.body.len();
        match batches.last_mut() {
            Some(last) if last.len() < MAX_ENTRIES && size + added <= MAX_SIZE => {
                size += added;
                last.push(entry);
            }
            _ => {
                size = added;
                batches.push(vec![entry]);
            }
        }
    }
    batches
}

/// Lists the first few messages only, so that a log line stays short.
struct Listed<'a>(&'a [Unsent]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        for (position, Unsent { index, reason }) in self.0.iter().take(SHOWN).enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}number {index} ({reason})")?;
        }
        if self.0.len() > SHOWN { f.write_str(", …") } else { Ok(()) }
    }
}
