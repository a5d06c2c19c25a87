//! The operations on queues.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    address::url,
    batch::is_name,
    error::Refusal,
    queue::{Counts, Queue},
    settings::Settings,
    state::{Queues, State},
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Named {
    #[serde(default)]
    queue_name: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct At {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
    #[serde(default)]
    attribute_names: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct List {
    #[serde(default)]
    queue_name_prefix: String,
    max_results: Option<usize>,
    next_token: Option<String>,
}

impl Queues {
    pub(crate) fn create_queue(&self, origin: &str, request: Named) -> Result<Value, Refusal> {
        let Named { queue_name: name, attributes } = request;
        let settings = Settings::default().with(attributes)?;
        let base_name = name.strip_suffix(".fifo");
        if base_name.is_none() && !settings.is_fifo() {
            let message = "This emulator has FIFO queues only.";
            return Err(Refusal::new("UnsupportedOperation", message));
        }
        let is_valid = name.len() <= 80 && base_name.is_some_and(is_name) && settings.is_fifo();
        if !is_valid {
            let message = "The name of a FIFO queue can only include alphanumeric characters, hyphens, \
                           or underscores, must end with .fifo suffix and be 1 to 80 in length";
            return Err(Refusal::new("InvalidParameterValueException", message));
        }
        let mut state = self.lock();
        state.check_redrive(&settings)?;
        let queue_url = url(origin, &name);
        if let Some(existing) = state.queues.get(&name) {
            if let Some(attribute) = existing.settings.first_difference(&settings) {
                let message = format!(
                    "A queue already exists with the same name and a different value for attribute \
                     {attribute}"
                );
                return Err(Refusal::new("QueueNameExists", message));
            }
        } else {
            let queue = Queue::new(name.clone(), settings, state.now());
            state.queues.insert(name, queue);
        }
        Ok(json!({ "QueueUrl": queue_url }))
    }

    pub(crate) fn queue_url(&self, origin: &str, request: Named) -> Result<Value, Refusal> {
        let name = request.queue_name;
        let exists = self.lock().queues.contains_key(&name);
        let queue_url = exists.then(|| url(origin, &name)).ok_or_else(Refusal::no_such_queue)?;
        Ok(json!({ "QueueUrl": queue_url }))
    }

    pub(crate) fn list_queues(&self, origin: &str, request: List) -> Result<Value, Refusal> {
        let state = self.lock();
        let after = request.next_token.unwrap_or_default();
        let names = state.queues.keys();
        let mut names =
            names.filter(|it| it.starts_with(&request.queue_name_prefix) && **it > after);
        let page: Vec<&String> =
            names.by_ref().take(request.max_results.unwrap_or(1_000)).collect();
        let urls: Vec<String> = page.iter().map(|it| url(origin, it)).collect();
        let mut answer = json!({ "QueueUrls": urls });
        if names.next().is_some() {
            answer["NextToken"] = json!(page.last());
        }
        Ok(answer)
    }

    /// The queues of which this queue is the dead-letter queue.
    pub(crate) fn sources_of(&self, origin: &str, request: At) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let arn = state.at(&request.queue_url)?.arn();
        let sources: Vec<String> = state.sources_of(&arn).map(|it| url(origin, &it.name)).collect();
        // In the SQS API, this member name is lower case.
        Ok(json!({ "queueUrls": sources }))
    }

    pub(crate) fn queue_attributes(&self, request: At) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let queue = state.at(&request.queue_url)?;
        let Counts { visible, in_flight, delayed } = queue.counts();
        let mut attributes = queue.settings.all();
        attributes.extend([
            ("ApproximateNumberOfMessages".to_owned(), visible.to_string()),
            ("ApproximateNumberOfMessagesDelayed".to_owned(), delayed.to_string()),
            ("ApproximateNumberOfMessagesNotVisible".to_owned(), in_flight.to_string()),
            ("CreatedTimestamp".to_owned(), (queue.created / 1_000).to_string()),
            ("LastModifiedTimestamp".to_owned(), (queue.modified / 1_000).to_string()),
            ("QueueArn".to_owned(), queue.arn()),
        ]);
        attributes
            .retain(|name, _| request.attribute_names.iter().any(|it| it == "All" || it == name));
        Ok(json!({ "Attributes": attributes }))
    }

    pub(crate) fn set_queue_attributes(&self, request: At) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let settings = state.at(&request.queue_url)?.settings.with(request.attributes)?;
        state.check_redrive(&settings)?;
        let now = state.now();
        let queue = state.at(&request.queue_url)?;
        (queue.settings, queue.modified) = (settings, now);
        Ok(Value::Null)
    }

    pub(crate) fn purge_queue(&self, request: At) -> Result<Value, Refusal> {
        self.lock().at(&request.queue_url)?.purge().map(|()| Value::Null)
    }

    pub(crate) fn delete_queue(&self, request: At) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let name = state.at(&request.queue_url)?.name.clone();
        if let Some(queue) = state.queues.remove(&name) {
            queue.changed.notify_waiters();
        }
        Ok(Value::Null)
    }
}

impl State {
    pub(crate) fn sources_of<'a>(&'a self, arn: &'a str) -> impl Iterator<Item = &'a Queue> {
        let target =
            move |it: &&Queue| it.settings.redrive.as_ref().is_some_and(|it| it.target == arn);
        self.queues.values().filter(target)
    }

    fn check_redrive(&mut self, settings: &Settings) -> Result<(), Refusal> {
        let Some(redrive) = &settings.redrive else { return Ok(()) };
        if self.with_arn(&redrive.target).is_some() {
            return Ok(());
        }
        Err(Refusal::invalid_value(
            "RedrivePolicy",
            &redrive.target,
            "Dead letter target does not exist.",
        ))
    }
}
