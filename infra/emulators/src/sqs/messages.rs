//! The operations on messages.

use std::{ops::RangeInclusive, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until};

use crate::sqs::{
    batch::Batch,
    error::Refusal,
    message::{Draft, digest},
    queue::{self, Queue},
    state::{Queues, State},
};

const VISIBILITY_TIMEOUT: RangeInclusive<u64> = 0..=43_200;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Send {
    #[serde(default)]
    queue_url: String,
    #[serde(flatten)]
    draft: Draft,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Receive {
    #[serde(default)]
    queue_url: String,
    max_number_of_messages: Option<u64>,
    visibility_timeout: Option<u64>,
    wait_time_seconds: Option<u64>,
    #[serde(default)]
    attribute_names: Vec<String>,
    #[serde(default)]
    message_system_attribute_names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Delete {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    receipt_handle: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ChangeVisibility {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    receipt_handle: String,
    visibility_timeout: Option<u64>,
}

impl Queues {
    /// `trace` is the trace header of the request.
    pub(crate) fn send(&self, request: Send, trace: Option<&str>) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let now = state.now();
        send(state.at(&request.queue_url)?, request.draft, trace, now)
    }

    pub(crate) fn send_batch(&self, batch: Batch, trace: Option<&str>) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let now = state.now();
        let queue = state.at(&batch.queue_url)?;
        batch.check()?;
        Ok(batch.answer(|draft| send(queue, draft, trace, now)))
    }

    /// Waits for the first message up to the requested time. Returns the messages that are receivable then.
    pub(crate) async fn receive(&self, request: Receive) -> Result<Value, Refusal> {
        let started = Instant::now();
        loop {
            let (changed, until) = {
                let mut state = self.lock();
                let received = state.receive(&request)?;
                let is_ending = state.is_ending;
                let queue = state.at(&request.queue_url)?;
                let default = queue.settings.number("ReceiveMessageWaitTimeSeconds");
                let wait = in_range(request.wait_time_seconds, default, 0..=20, "WaitTimeSeconds")?;
                let deadline = started + Duration::from_secs(wait);
                if !received.is_empty() {
                    return Ok(json!({ "Messages": received }));
                }
                if is_ending || deadline <= Instant::now() {
                    return Ok(Value::Null);
                }
                // Created while the queue is locked, so that no change is missed.
                let changed = queue.changed.clone().notified_owned();
                (changed, queue.next_visible().map_or(deadline, |it| it.min(deadline)))
            };
            tokio::select! {
                () = changed => {}
                () = sleep_until(until) => {}
            }
        }
    }

    pub(crate) fn delete_message(&self, request: Delete) -> Result<Value, Refusal> {
        self.lock().at(&request.queue_url)?.delete(&request.receipt_handle)?;
        Ok(Value::Null)
    }

    pub(crate) fn change_visibility(&self, request: ChangeVisibility) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let queue = state.at(&request.queue_url)?;
        let timeout =
            request.visibility_timeout.ok_or_else(|| Refusal::missing("VisibilityTimeout"))?;
        let timeout = in_range(Some(timeout), 0, VISIBILITY_TIMEOUT, "VisibilityTimeout")?;
        queue.change_visibility(&request.receipt_handle, Duration::from_secs(timeout))?;
        Ok(Value::Null)
    }
}

impl State {
    /// Receives messages. Messages that have been received too often move to the dead-letter queue instead.
    fn receive(&mut self, request: &Receive) -> Result<Vec<Value>, Refusal> {
        let now = self.now();
        let queue = self.at(&request.queue_url)?;
        let (arn, redrive) = (queue.arn(), queue.settings.redrive.clone());
        let max = in_range(request.max_number_of_messages, 1, 1..=10, "MaxNumberOfMessages")?;
        let timeout = in_range(
            request.visibility_timeout,
            queue.settings.number("VisibilityTimeout"),
            VISIBILITY_TIMEOUT,
            "VisibilityTimeout",
        )?;
        if let Some(redrive) = redrive {
            for mut letter in queue.take_dead_letters(redrive.max_receives, max as usize) {
                letter.source = Some(arn.clone());
                if let Some(dead_letters) = self.with_arn(&redrive.target) {
                    dead_letters.push_dead_letter(letter);
                }
            }
        }
        let queue = self.at(&request.queue_url)?;
        let received = queue.receive(max as usize, Duration::from_secs(timeout), now);
        Ok(received.into_iter().map(|it| describe(it, request)).collect())
    }
}

fn send(queue: &mut Queue, draft: Draft, trace: Option<&str>, now: u64) -> Result<Value, Refusal> {
    draft.check(queue.settings.number("MaximumMessageSize"))?;
    let group = draft.group()?;
    let deduplication_id = draft.deduplication_id(queue.settings.deduplicates_by_content())?;
    let digest = digest(&draft.message_body);
    let trace = trace.map(str::to_owned);
    let sent = queue.send(draft.message_body, group, deduplication_id, trace, now);
    Ok(json!({
        "MD5OfMessageBody": digest,
        "MessageId": sent.message_id.to_string(),
        "SequenceNumber": sequence_number(sent.sequence_number),
    }))
}

/// A sequence number has 20 digits.
fn sequence_number(number: u64) -> String {
    format!("{number:020}")
}

fn describe(received: queue::Received<'_>, request: &Receive) -> Value {
    let queue::Received { receipt_handle, sequence_number: number, message } = received;
    let requested =
        || request.attribute_names.iter().chain(&request.message_system_attribute_names);
    let system = [
        ("AWSTraceHeader", message.trace.clone()),
        ("ApproximateFirstReceiveTimestamp", message.first_received.map(|it| it.to_string())),
        ("ApproximateReceiveCount", Some(message.receives.to_string())),
        ("DeadLetterQueueSourceArn", message.source.clone()),
        ("MessageDeduplicationId", Some(message.deduplication_id.clone())),
        ("MessageGroupId", Some(message.group.clone())),
        ("SenderId", Some("local".to_owned())),
        ("SentTimestamp", Some(message.sent.to_string())),
        ("SequenceNumber", Some(sequence_number(number))),
    ];
    let system = system
        .into_iter()
        .filter(|(name, _)| requested().any(|it| it == "All" || it == name))
        .filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
    let system: Map<String, Value> = system.collect();
    let mut described = json!({
        "MessageId": message.id.to_string(),
        "ReceiptHandle": receipt_handle,
        "Body": message.body,
        "MD5OfBody": digest(&message.body),
    });
    if !system.is_empty() {
        described["Attributes"] = system.into();
    }
    described
}

fn in_range(
    given: Option<u64>,
    default: u64,
    range: RangeInclusive<u64>,
    member: &str,
) -> Result<u64, Refusal> {
    match given.unwrap_or(default) {
        value if range.contains(&value) => Ok(value),
        value => {
            let (min, max) = range.into_inner();
            let reason = format!("Must be between {min} and {max}, if provided.");
            Err(Refusal::invalid_value(member, value, &reason))
        }
    }
}
