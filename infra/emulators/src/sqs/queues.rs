//! The operations on queues.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::sqs::{
    address::url,
    batch::is_name,
    error::Refusal,
    queue::{Counts, Queue},
    settings::Settings,
    state::{Queues, State},
};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Create {
    #[serde(default)]
    queue_name: String,
    #[serde(default)]
    attributes: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetAttributes {
    #[serde(default)]
    queue_url: String,
    #[serde(default)]
    attribute_names: Vec<String>,
}

impl Queues {
    pub(crate) fn create_queue(&self, origin: &str, request: Create) -> Result<Value, Refusal> {
        let Create { queue_name: name, attributes } = request;
        let settings = Settings::new(attributes)?;
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
            state.queues.insert(name.clone(), Queue::new(name, settings));
        }
        Ok(json!({ "QueueUrl": queue_url }))
    }

    pub(crate) fn queue_attributes(&self, request: GetAttributes) -> Result<Value, Refusal> {
        let mut state = self.lock();
        let queue = state.at(&request.queue_url)?;
        let Counts { visible, in_flight, delayed } = queue.counts();
        let mut attributes = queue.settings.all();
        attributes.extend([
            ("ApproximateNumberOfMessages".to_owned(), visible.to_string()),
            ("ApproximateNumberOfMessagesDelayed".to_owned(), delayed.to_string()),
            ("ApproximateNumberOfMessagesNotVisible".to_owned(), in_flight.to_string()),
            ("QueueArn".to_owned(), queue.arn()),
        ]);
        attributes
            .retain(|name, _| request.attribute_names.iter().any(|it| it == "All" || it == name));
        Ok(json!({ "Attributes": attributes }))
    }
}

impl State {
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
