//! Receiving messages. In the cloud, Lambda receives and deletes; locally, `queue-worker` does.

use std::{collections::HashMap, time::Duration};

use aws_sdk_sqs::{config::timeout::TimeoutConfig, types::MessageSystemAttributeName};

use crate::{Error, Message, Queue};

/// How long a receive waits for a message, in seconds. The maximum of SQS.
const WAIT_SECONDS: i32 = 20;
/// How long the answer may take.
const LIMIT: Duration = Duration::from_secs(WAIT_SECONDS as u64 + 10);

/// A received message.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    /// Identifies this delivery. Valid until the message is received again.
    pub receipt_handle: String,
    pub body: String,
    /// The system attributes by their SQS names, such as `ApproximateReceiveCount`.
    pub attributes: HashMap<String, String>,
}

impl<T: Message> Queue<T> {
    /// Receives one message. Waits up to 20 seconds for it.
    ///
    /// One at a time, because the visibility timeout starts for all received messages at once.
    pub async fn receive(&self) -> Result<Option<Delivery>, Error> {
        let request = self
            .client
            .receive_message()
            .queue_url(&self.url)
            .max_number_of_messages(1)
            .wait_time_seconds(WAIT_SECONDS)
            .message_system_attribute_names(MessageSystemAttributeName::All);
        let limit =
            TimeoutConfig::builder().operation_attempt_timeout(LIMIT).operation_timeout(LIMIT);
        let patient = aws_sdk_sqs::Config::builder().timeout_config(limit.build());
        let answer = request.customize().config_override(patient).send().await;
        let messages = answer.map_err(Error::new)?.messages.unwrap_or_default();
        Ok(messages.into_iter().next().map(Delivery::from))
    }

    /// Deletes a message that has been processed.
    pub async fn delete(&self, receipt_handle: &str) -> Result<(), Error> {
        let request = self.client.delete_message().queue_url(&self.url);
        request.receipt_handle(receipt_handle).send().await.map_err(Error::new)?;
        Ok(())
    }

    /// Lets a message that failed be received again after `delay`, instead of after its whole visibility
    /// timeout. The next messages of its group wait for it.
    pub async fn retry_after(&self, receipt_handle: &str, delay: Duration) -> Result<(), Error> {
        let seconds = i32::try_from(delay.as_secs()).unwrap_or(i32::MAX);
        let request = self.client.change_message_visibility().queue_url(&self.url);
        let request = request.receipt_handle(receipt_handle).visibility_timeout(seconds);
        request.send().await.map_err(Error::new)?;
        Ok(())
    }
}

impl From<aws_sdk_sqs::types::Message> for Delivery {
    fn from(message: aws_sdk_sqs::types::Message) -> Self {
        let attributes = message.attributes.unwrap_or_default();
        Self {
            id: message.message_id.unwrap_or_default(),
            receipt_handle: message.receipt_handle.unwrap_or_default(),
            body: message.body.unwrap_or_default(),
            attributes: attributes.into_iter().map(|(name, it)| (name.to_string(), it)).collect(),
        }
    }
}
