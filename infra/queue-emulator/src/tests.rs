//! What a client of AWS's SDK sees, over HTTP. Time is paused: it jumps to the next moment that
//! somebody waits for, so that an hour passes at once.

mod batches;
mod dead_letters;
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
    types::{Message, MessageSystemAttributeName, QueueAttributeName},
};
use tokio::{net::TcpListener, time::sleep};

use super::{Queues, REGION, serve};

/// A client of queues of its own. The client has no timeouts: paused time would jump to them.
async fn client() -> Client {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(listener, Queues::new(), std::future::pending()));
    client_of(&format!("http://{address}"))
}

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

/// A queue, as a test uses it.
struct TestQueue {
    client: Client,
    url: String,
}

impl TestQueue {
    async fn new() -> Self {
        Self::with(&client().await, "queue", &[]).await
    }

    async fn with(client: &Client, name: &str, attributes: &[(QueueAttributeName, &str)]) -> Self {
        let mut request = client.create_queue().queue_name(name);
        for (name, value) in attributes {
            request = request.attributes(name.clone(), *value);
        }
        let made = request.send().await.expect("a queue");
        Self { client: client.clone(), url: made.queue_url.expect("an address") }
    }

    async fn arn(&self) -> String {
        self.attribute(QueueAttributeName::QueueArn).await
    }

    async fn attribute(&self, name: QueueAttributeName) -> String {
        let request = self.client.get_queue_attributes().queue_url(&self.url);
        let answer = request.attribute_names(name.clone()).send().await.expect("attributes");
        answer.attributes.expect("some").remove(&name).expect("the attribute")
    }

    /// Visible, in flight, delayed.
    async fn counts(&self) -> [String; 3] {
        [
            self.attribute(QueueAttributeName::ApproximateNumberOfMessages).await,
            self.attribute(QueueAttributeName::ApproximateNumberOfMessagesNotVisible).await,
            self.attribute(QueueAttributeName::ApproximateNumberOfMessagesDelayed).await,
        ]
    }

    async fn send(&self, body: &str) -> String {
        let request = self.client.send_message().queue_url(&self.url).message_body(body);
        request.send().await.expect("sent").message_id.expect("an id")
    }

    /// What is visible now, at most ten.
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
            .message_system_attribute_names(MessageSystemAttributeName::All)
            .message_attribute_names("All");
        request.send().await.expect("received").messages.unwrap_or_default()
    }

    async fn receive_one(&self) -> Message {
        let mut received = self.receive().await;
        assert_eq!(received.len(), 1, "{received:?}");
        received.remove(0)
    }

    async fn delete(&self, message: &Message) {
        let request = self.client.delete_message().queue_url(&self.url);
        request.receipt_handle(receipt(message)).send().await.expect("answered");
    }

    async fn hide(&self, message: &Message, seconds: i32) -> Result<(), String> {
        let request = self.client.change_message_visibility().queue_url(&self.url);
        let request = request.receipt_handle(receipt(message)).visibility_timeout(seconds);
        request.send().await.map(|_| ()).map_err(code)
    }
}

fn receipt(message: &Message) -> &str {
    message.receipt_handle().expect("a receipt handle")
}

fn bodies(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|it| it.body().expect("a body")).collect()
}

fn system(message: &Message, name: MessageSystemAttributeName) -> &str {
    message.attributes().and_then(|it| it.get(&name)).expect("the attribute")
}

/// The name by which a refusal is known.
fn code<E: ProvideErrorMetadata, R>(error: SdkError<E, R>) -> String {
    error.code().unwrap_or("none").to_owned()
}

async fn pass(seconds: u64) {
    sleep(Duration::from_secs(seconds)).await;
}
