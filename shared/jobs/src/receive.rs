//! The receiving end. On AWS, Lambda does this; locally `queue-worker` does.

use std::collections::HashMap;

use aws_sdk_sqs::types::{DeleteMessageBatchRequestEntry, MessageSystemAttributeName};

use crate::{Error, Message, Queue, unavailable};

/// The most that one request receives or deletes.
const MOST: usize = 10;
/// The longest that a receive can wait, in seconds.
const LONGEST_WAIT: i32 = 20;

/// A message as the queue delivered it.
#[derive(Clone, Debug)]
pub struct Delivery {
    pub id: String,
    /// What deletes it, as long as it is not delivered again.
    pub receipt: String,
    pub body: String,
    /// How often it was received, when it was sent, and the like, by the names of AWS.
    pub attributes: HashMap<String, String>,
}

impl<T: Message> Queue<T> {
    /// Up to ten messages; waits up to 20 seconds for the first.
    pub async fn receive(&self) -> Result<Vec<Delivery>, Error> {
        let request = self
            .client
            .receive_message()
            .queue_url(&self.url)
            .max_number_of_messages(MOST as i32)
            .wait_time_seconds(LONGEST_WAIT)
            .message_system_attribute_names(MessageSystemAttributeName::All);
        let messages = request.send().await.map_err(unavailable)?.messages.unwrap_or_default();
        Ok(messages.into_iter().map(Delivery::from).collect())
    }

    /// Deletes what was done, by the receipts of its deliveries.
    pub async fn delete(&self, receipts: &[String]) -> Result<(), Error> {
        let mut left = 0;
        for some in receipts.chunks(MOST) {
            let mut request = self.client.delete_message_batch().queue_url(&self.url);
            for (place, receipt) in some.iter().enumerate() {
                let builder = DeleteMessageBatchRequestEntry::builder();
                let entry = builder.id(place.to_string()).receipt_handle(receipt).build();
                request = request.entries(entry.map_err(unavailable)?);
            }
            left += request.send().await.map_err(unavailable)?.failed().len();
        }
        if left == 0 { Ok(()) } else { Err(Error::NotDeleted(left)) }
    }
}

impl From<aws_sdk_sqs::types::Message> for Delivery {
    fn from(message: aws_sdk_sqs::types::Message) -> Self {
        let attributes = message.attributes.unwrap_or_default();
        Self {
            id: message.message_id.unwrap_or_default(),
            receipt: message.receipt_handle.unwrap_or_default(),
            body: message.body.unwrap_or_default(),
            attributes: attributes.into_iter().map(|(name, it)| (name.to_string(), it)).collect(),
        }
    }
}
