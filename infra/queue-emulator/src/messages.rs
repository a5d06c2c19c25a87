//! The operations on messages.

use std::{ops::RangeInclusive, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep_until};

use crate::{
    batch::Batch,
    message::{Draft, digest, digest_of_attributes},
    queue::{Message, Queue},
    refusal::Refusal,
    state::{Queues, State},
};

/// The messages of a batch may not be longer than this together.
const LONGEST_BATCH: usize = 1_048_576;
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
    #[serde(default)]
    message_attribute_names: Vec<String>,
}

/// What names a received message in a queue.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Received {
    #[serde(default)]
    queue_url: String,
    #[serde(flatten)]
    receipt: Receipt,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Receipt {
    #[serde(default)]
    receipt_handle: String,
    visibility_timeout: Option<u64>,
}

impl Queues {
    pub(crate) fn send(&self, request: Send) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let now = state.milliseconds();
        push(state.at(&request.queue_url)?, request.draft, now)
    }

    pub(crate) fn send_batch(&self, batch: Batch<Draft>) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let now = state.milliseconds();
        let queue = state.at(&batch.queue_url)?;
        batch.check()?;
        let size: usize = batch.entries.iter().map(|it| it.value.size()).sum();
        if size > LONGEST_BATCH {
            let message = format!(
                "Batch requests cannot be longer than {LONGEST_BATCH} bytes. \
                 You have sent {size} bytes."
            );
            return Err(Refusal::new("BatchRequestTooLong", message));
        }
        Ok(batch.answer(|draft| push(queue, draft, now)))
    }

    /// Waits for the first message as long as it was asked to, then answers what is there.
    pub(crate) async fn receive(&self, request: Receive) -> Result<Value, Refusal> {
        let begun = Instant::now();
        loop {
            let (changed, until) = {
                let mut state = self.lock();
                let received = state.receive(&request)?;
                let ending = state.ending;
                let queue = state.at(&request.queue_url)?;
                let default = queue.settings.number("ReceiveMessageWaitTimeSeconds");
                let wait = in_range(request.wait_time_seconds, default, 0..=20, "WaitTimeSeconds")?;
                let deadline = begun + Duration::from_secs(wait);
                if !received.is_empty() {
                    return Ok(json!({ "Messages": received }));
                }
                if ending || deadline <= Instant::now() {
                    return Ok(Value::Null);
                }
                // Made under the lock: whatever changes from here on is noticed.
                let changed = queue.changed.clone().notified_owned();
                (changed, queue.next_visible().map_or(deadline, |it| it.min(deadline)))
            };
            tokio::select! {
                () = changed => {}
                () = sleep_until(until) => {}
            }
        }
    }

    pub(crate) fn delete_message(&self, request: Received) -> Result<Value, Refusal> {
        delete(self.lock().at(&request.queue_url)?, &request.receipt)
    }

    pub(crate) fn delete_message_batch(&self, batch: Batch<Receipt>) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let queue = state.at(&batch.queue_url)?;
        batch.check()?;
        Ok(batch.answer(|receipt| delete(queue, &receipt)))
    }

    pub(crate) fn change_visibility(&self, request: Received) -> Result<Value, Refusal> {
        change(self.lock().at(&request.queue_url)?, &request.receipt)
    }

    pub(crate) fn change_visibility_batch(&self, batch: Batch<Receipt>) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let queue = state.at(&batch.queue_url)?;
        batch.check()?;
        Ok(batch.answer(|receipt| change(queue, &receipt)))
    }
}

impl State {
    /// The visible messages; those that were received too often move to the dead letters instead.
    fn receive(&mut self, request: &Receive) -> Result<Vec<Value>, Refusal> {
        let now = self.milliseconds();
        let queue = self.at(&request.queue_url)?;
        let (arn, redrive) = (queue.arn(), queue.settings.redrive.clone());
        let most = in_range(request.max_number_of_messages, 1, 1..=10, "MaxNumberOfMessages")?;
        let hidden = in_range(
            request.visibility_timeout,
            queue.settings.number("VisibilityTimeout"),
            VISIBILITY_TIMEOUT,
            "VisibilityTimeout",
        )?;
        // Where there is no queue of dead letters any more, messages stay.
        if let Some(redrive) = redrive
            && self.named_by(&redrive.target).is_some()
        {
            let exhausted =
                self.at(&request.queue_url)?.take_exhausted(redrive.most_receives, most as usize);
            for mut dead in exhausted {
                dead.source = Some(arn.clone());
                if let Some(queue) = self.named_by(&redrive.target) {
                    queue.push(dead, Duration::ZERO);
                }
            }
        }
        let queue = self.at(&request.queue_url)?;
        let received = queue.receive(most as usize, Duration::from_secs(hidden), now);
        Ok(received.into_iter().map(|(receipt, it)| describe(receipt, it, request)).collect())
    }
}

fn push(queue: &mut Queue, draft: Draft, now: u64) -> Result<Value, Refusal> {
    draft.check(queue.settings.number("MaximumMessageSize"))?;
    let delay = draft.delay_seconds.unwrap_or_else(|| queue.settings.number("DelaySeconds"));
    let message = Message::new(draft, now);
    let mut answer = Map::new();
    answer.insert("MessageId".to_owned(), message.id.to_string().into());
    answer.insert("MD5OfMessageBody".to_owned(), digest(&message.body).into());
    let digests = [
        ("MD5OfMessageAttributes", &message.attributes),
        ("MD5OfMessageSystemAttributes", &message.system_attributes),
    ];
    for (name, attributes) in digests {
        answer.extend(digest_of_attributes(attributes).map(|it| (name.to_owned(), it.into())));
    }
    queue.push(message, Duration::from_secs(delay));
    Ok(answer.into())
}

fn describe(receipt: String, message: &Message, request: &Receive) -> Value {
    let mut attributes = message.attributes.clone();
    attributes.retain(|name, _| request.message_attribute_names.iter().any(|it| matches(it, name)));
    let wanted = || request.attribute_names.iter().chain(&request.message_system_attribute_names);
    let trace = message.system_attributes.get("AWSTraceHeader");
    let system = [
        ("ApproximateFirstReceiveTimestamp", message.first_received.map(|it| it.to_string())),
        ("ApproximateReceiveCount", Some(message.receives.to_string())),
        ("AWSTraceHeader", trace.and_then(|it| it.string_value.clone())),
        ("DeadLetterQueueSourceArn", message.source.clone()),
        ("SenderId", Some("local".to_owned())),
        ("SentTimestamp", Some(message.sent.to_string())),
    ];
    let system = system
        .into_iter()
        .filter(|(name, _)| wanted().any(|it| it == "All" || it == name))
        .filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
    let system: Map<String, Value> = system.collect();
    let mut described = json!({
        "MessageId": message.id.to_string(),
        "ReceiptHandle": receipt,
        "Body": message.body,
        "MD5OfBody": digest(&message.body),
    });
    if !system.is_empty() {
        described["Attributes"] = system.into();
    }
    if let Some(digest) = digest_of_attributes(&attributes) {
        described["MD5OfMessageAttributes"] = digest.into();
        described["MessageAttributes"] = json!(attributes);
    }
    described
}

/// Whether a name is asked for: as it is, by its beginning (`trace.*`), or with all.
fn matches(wanted: &str, name: &str) -> bool {
    let prefix = wanted.strip_suffix(".*");
    wanted == "All" || wanted == name || prefix.is_some_and(|it| name.starts_with(it))
}

fn delete(queue: &mut Queue, receipt: &Receipt) -> Result<Value, Refusal> {
    queue.delete(&receipt.receipt_handle).map(|()| Value::Null)
}

fn change(queue: &mut Queue, receipt: &Receipt) -> Result<Value, Refusal> {
    let timeout =
        receipt.visibility_timeout.ok_or_else(|| Refusal::missing("VisibilityTimeout"))?;
    let timeout = in_range(Some(timeout), 0, VISIBILITY_TIMEOUT, "VisibilityTimeout")?;
    queue.change_visibility(&receipt.receipt_handle, Duration::from_secs(timeout))?;
    Ok(Value::Null)
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
            let (least, most) = range.into_inner();
            let reason = format!("Must be between {least} and {most}, if provided.");
            Err(Refusal::value(member, value, &reason))
        }
    }
}
