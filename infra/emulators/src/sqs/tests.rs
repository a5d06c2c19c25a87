//! The emulator as a client of the AWS SDK sees it, over HTTP. Time is paused and jumps to the next event, so
//! that an hour passes at once.

mod batches;
mod dead_letters;
mod fifo;
mod load;
mod messages;
mod queues;
mod waiting;

use std::time::Duration;

use aws_sdk_sqs::{
    Client,
    config::{
        BehaviorVersion, Credentials, Region, StalledStreamProtectionConfig, retry::RetryConfig,
        timeout::TimeoutConfig,
    },
    error::{ProvideErrorMetadata, SdkError},
    operation::send_message::{SendMessageOutput, builders::SendMessageFluentBuilder},
    types::{Message, MessageSystemAttributeName, QueueAttributeName},
};
use tokio::{net::TcpListener, time::sleep};
use uuid::Uuid;

use super::{Queues, REGION, serve};

/// A client of a new emulator. It has no timeouts: paused time would jump to them.
async fn client() -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, Queues::new(), std::future::pending()));
    client_of(&format!("http://{address}"))
}

#[expect(
    clippy::disallowed_methods,
    reason = "a client of the emulator with settings of this test"
)]
fn client_of(endpoint: &str) -> Client {
    let config = aws_sdk_sqs::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(REGION))
        .endpoint_url(endpoint)
        .retry_config(RetryConfig::disabled())
        .timeout_config(TimeoutConfig::disabled())
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .credentials_provider(Credentials::new("local", "local", None, None, "local"));
    Client::from_conf(config.build())
}

/// A FIFO queue.
struct TestQueue {
    client: Client,
    url: String,
}

impl TestQueue {
    async fn new() -> Self {
        Self::with(&client().await, "queue", &[]).await
    }

    /// A queue with this name (without `.fifo`) and these attributes.
    async fn with(client: &Client, name: &str, attributes: &[(QueueAttributeName, &str)]) -> Self {
        let request = client.create_queue().queue_name(format!("{name}.fifo"));
        let mut request = request.attributes(QueueAttributeName::FifoQueue, "true");
        for (name, value) in attributes {
            request = request.attributes(name.clone(), *value);
        }
        let created = request.send().await.expect("a queue");
        Self { client: client.clone(), url: created.queue_url.expect("a URL") }
    }

    async fn arn(&self) -> String {
        self.attribute(QueueAttributeName::QueueArn).await
    }

    async fn attribute(&self, name: QueueAttributeName) -> String {
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let answer = request.attribute_names(name.clone()).send().await.expect("attributes");
        answer.attributes.expect("some").remove(&name).expect("the attribute")
    }

    /// Number of visible messages, messages in flight and delayed messages.
    async fn counts(&self) -> [String; 3] {
        [
            self.attribute(QueueAttributeName::ApproximateNumberOfMessages).await,
            self.attribute(QueueAttributeName::ApproximateNumberOfMessagesNotVisible).await,
            self.attribute(QueueAttributeName::ApproximateNumberOfMessagesDelayed).await,
        ]
    }

    /// A request that sends a message with a new deduplication id.
    fn message(&self, group: &str, body: &str) -> SendMessageFluentBuilder {
        let request = self.client.send_message().queue_url(&self.url).message_body(body);
        request.message_group_id(group).message_deduplication_id(Uuid::new_v4().to_string())
    }

    async fn send_to(&self, group: &str, body: &str) -> SendMessageOutput {
        self.message(group, body).send().await.expect("sent")
    }

    /// Sends a message to the group `group`. Returns its id.
    async fn send(&self, body: &str) -> String {
        self.send_to("group", body).await.message_id.expect("an id")
    }

    /// The messages that can be received now, up to ten.
    async fn receive(&self) -> Vec<Message> {
        self.receive_within(0).await
    }

    async fn receive_within(&self, seconds: i32) -> Vec<Message> {
        let request = self
            .client
            .receive_message()
            .queue_url(&self.url)
            .max_number_of_messages(10)
            .wait_time_seconds(seconds)
            .message_system_attribute_names(MessageSystemAttributeName::All);
        request.send().await.expect("received").messages.unwrap_or_default()
    }

    async fn receive_one(&self) -> Message {
        let mut received = self.receive().await;
        assert_eq!(received.len(), 1, "{received:?}");
        received.remove(0)
    }

    async fn delete(&self, message: &Message) {
        let request = self.client.delete_message().queue_url(&self.url);
        request.receipt_handle(receipt_handle(message)).send().await.expect("deleted");
    }

    async fn change_visibility(&self, message: &Message, seconds: i32) -> Result<(), String> {
        let request = self.client.change_message_visibility().queue_url(&self.url);
        let request = request.receipt_handle(receipt_handle(message)).visibility_timeout(seconds);
        request.send().await.map(|_| ()).map_err(code)
    }
}

fn receipt_handle(message: &Message) -> &str {
    message.receipt_handle().expect("a receipt handle")
}

fn bodies(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|it| it.body().expect("a body")).collect()
}

fn system_attribute(message: &Message, name: MessageSystemAttributeName) -> &str {
    message.attributes().and_then(|it| it.get(&name)).expect("the attribute")
}

/// The error code of a refused request.
fn code<E: ProvideErrorMetadata, R>(error: SdkError<E, R>) -> String {
    error.code().unwrap_or("none").to_owned()
}

async fn pass(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
}
