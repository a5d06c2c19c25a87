//! Moving dead letters back. Here a task is done when it is answered, however slow it was asked to
//! be; so there is never one to cancel.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    message::Draft,
    queue::Message,
    refusal::Refusal,
    state::{Queues, State},
};

/// A task that has ended.
pub(crate) struct MoveTask {
    source: String,
    destination: Option<String>,
    started: u64,
    moved: u64,
    to_move: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Start {
    source_arn: String,
    destination_arn: Option<String>,
    max_number_of_messages_per_second: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct List {
    source_arn: String,
    max_results: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Cancel {
    #[expect(dead_code, reason = "it must be there, and never names a running task")]
    task_handle: String,
}

impl Queues {
    /// Moves the visible messages of a dead-letter queue: to the destination, or each to the queue
    /// that gave it up. They arrive as new messages.
    pub(crate) fn start_move(&self, request: Start) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let Start { source_arn: source, destination_arn: destination, .. } = request;
        if let Some(rate) =
            request.max_number_of_messages_per_second.filter(|it| !(1..=500).contains(it))
        {
            let reason = "Must be between 1 and 500, if provided.";
            return Err(Refusal::value("MaxNumberOfMessagesPerSecond", rate, reason));
        }
        state.must_exist(&source, "SourceArn")?;
        if let Some(destination) = &destination {
            state.must_exist(destination, "DestinationArn")?;
        }
        if state.sources_of(&source).next().is_none() {
            let message = "Source queue must be configured as a Dead Letter Queue.";
            return Err(Refusal::new("InvalidParameterValueException", message));
        }
        let started = state.milliseconds();
        let letters = state.named_by(&source).map(|it| {
            it.settle(started);
            it.take_visible()
        });
        let letters = letters.unwrap_or_default();
        let (mut moved, to_move) = (0, letters.len() as u64);
        for letter in letters {
            let goal = destination.clone().or_else(|| letter.source.clone());
            let goal = goal.filter(|it| state.named_by(it).is_some());
            match goal.and_then(|it| state.named_by(&it)) {
                Some(queue) => {
                    queue.push(anew(letter, started), Duration::ZERO);
                    moved += 1;
                }
                // Nobody knows where it came from: it stays.
                None => {
                    if let Some(queue) = state.named_by(&source) {
                        queue.push(letter, Duration::ZERO);
                    }
                }
            }
        }
        state.moves.push(MoveTask { source, destination, started, moved, to_move });
        Ok(json!({ "TaskHandle": Uuid::new_v4().to_string() }))
    }

    /// The latest tasks of a queue, the newest first.
    pub(crate) fn list_moves(&self, request: List) -> Result<Value, Refusal> {
        let mut state = self.lock();
        state.must_exist(&request.source_arn, "SourceArn")?;
        let of_source = state.moves.iter().rev().filter(|it| it.source == request.source_arn);
        let latest = of_source.take(request.max_results.unwrap_or(1));
        Ok(json!({ "Results": latest.map(describe).collect::<Vec<_>>() }))
    }

    pub(crate) fn cancel_move(&self, _: Cancel) -> Result<Value, Refusal> {
        let message = "Task does not exist or has ended.";
        Err(Refusal::new("ResourceNotFoundException", message))
    }
}

impl State {
    fn must_exist(&mut self, arn: &str, member: &str) -> Result<(), Refusal> {
        if self.named_by(arn).is_some() {
            return Ok(());
        }
        let message =
            format!("The resource that you specified for the {member} parameter doesn't exist.");
        Err(Refusal::new("ResourceNotFoundException", message))
    }
}

fn anew(letter: Message, now: u64) -> Message {
    let draft = Draft {
        message_body: letter.body,
        delay_seconds: None,
        message_attributes: letter.attributes,
        message_system_attributes: letter.system_attributes,
    };
    Message::new(draft, now)
}

fn describe(task: &MoveTask) -> Value {
    let complete = task.moved == task.to_move;
    let mut described = json!({
        "Status": if complete { "COMPLETED" } else { "FAILED" },
        "SourceArn": task.source,
        "ApproximateNumberOfMessagesMoved": task.moved,
        "ApproximateNumberOfMessagesToMove": task.to_move,
        "StartedTimestamp": task.started,
    });
    if let Some(destination) = &task.destination {
        described["DestinationArn"] = json!(destination);
    }
    if !complete {
        described["FailureReason"] = json!("CouldNotDetermineMessageSource");
    }
    described
}
