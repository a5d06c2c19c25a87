//! Creates the tables and queues of `template.yaml` in an emulator.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    TimeToLiveSpecification, TimeToLiveStatus,
};
use aws_sdk_sqs::types::QueueAttributeName;
use store::table::{EXPIRES, PARTITION, SORT};

use super::QUEUES;
use crate::{CommandError, template};

/// Visibility timeout of every queue, in seconds: the longest in `template.yaml`.
const VISIBILITY_TIMEOUT: u32 = 1_800;
/// The attributes of a queue that deduplicates and limits the throughput of each message group separately.
const BY_GROUP: [(QueueAttributeName, &str); 2] = [
    (QueueAttributeName::DeduplicationScope, "messageGroup"),
    (QueueAttributeName::FifoThroughputLimit, "perMessageGroupId"),
];

/// Creates the queues, each with a dead-letter queue named `…-dead-letters.fifo`. `names` are those of
/// [`QUEUES`] in this emulator, without `.fifo`. Returns the URLs of the queues.
pub(super) async fn create_queues(
    client: &aws_sdk_sqs::Client,
    names: &[String; QUEUES.len()],
) -> Result<[String; QUEUES.len()], CommandError> {
    let mut urls = [const { String::new() }; QUEUES.len()];
    for ((queue, name), url) in QUEUES.iter().zip(names).zip(&mut urls) {
        let letters = client.create_queue().queue_name(format!("{name}-dead-letters.fifo"));
        let letters = letters.attributes(QueueAttributeName::FifoQueue, "true");
        let letters = letters.send().await.map_err(failed)?.queue_url.unwrap_or_default();
        let arn = client.get_queue_attributes().queue_url(letters);
        let arn = arn.attribute_names(QueueAttributeName::QueueArn).send().await.map_err(failed)?;
        let arn = arn.attributes.and_then(|it| it.get(&QueueAttributeName::QueueArn).cloned());
        let redrive = serde_json::json!({
            "deadLetterTargetArn": arn,
            "maxReceiveCount": queue_worker::MAX_RECEIVES,
        });
        let mut request = client
            .create_queue()
            .queue_name(format!("{name}.fifo"))
            .attributes(QueueAttributeName::FifoQueue, "true")
            .attributes(QueueAttributeName::ContentBasedDeduplication, "true")
            .attributes(QueueAttributeName::VisibilityTimeout, VISIBILITY_TIMEOUT.to_string())
            .attributes(QueueAttributeName::RedrivePolicy, redrive.to_string());
        let resource = format!("{}Queue", deployment::resource_of(queue));
        let deployed = template::resource(&resource, "AWS::SQS::Queue");
        for (attribute, value) in BY_GROUP {
            if deployed.contains(&format!("{}: {value}", attribute.as_str())) {
                request = request.attributes(attribute, value);
            }
        }
        *url = request.send().await.map_err(failed)?.queue_url.unwrap_or_default();
    }
    Ok(urls)
}

/// Creates the tables that do not exist yet.
pub(super) async fn create_tables(
    client: &aws_sdk_dynamodb::Client,
    names: &[String; 3],
) -> Result<(), CommandError> {
    let existing = client.list_tables().send().await.map_err(failed)?.table_names;
    let existing = existing.unwrap_or_default();
    for name in names.iter().filter(|it| !existing.contains(it)) {
        let mut table =
            client.create_table().table_name(name).billing_mode(BillingMode::PayPerRequest);
        for (attribute, kind) in [(PARTITION, KeyType::Hash), (SORT, KeyType::Range)] {
            let key = KeySchemaElement::builder().attribute_name(attribute).key_type(kind);
            let definition = AttributeDefinition::builder()
                .attribute_name(attribute)
                .attribute_type(ScalarAttributeType::S);
            table = table
                .key_schema(key.build().map_err(failed)?)
                .attribute_definitions(definition.build().map_err(failed)?);
        }
        table.send().await.map_err(failed)?;
    }
    Ok(())
}

/// Turns on time to live for each table.
pub(super) async fn enable_expiry(
    client: &aws_sdk_dynamodb::Client,
    names: &[String; 3],
) -> Result<(), CommandError> {
    for name in names {
        let current =
            client.describe_time_to_live().table_name(name).send().await.map_err(failed)?;
        let status = current.time_to_live_description.and_then(|it| it.time_to_live_status);
        // DynamoDB rejects the request if time to live is already enabled.
        if status == Some(TimeToLiveStatus::Enabled) {
            continue;
        }
        let expiry = TimeToLiveSpecification::builder().attribute_name(EXPIRES).enabled(true);
        let expiry = expiry.build().map_err(failed)?;
        let request = client.update_time_to_live().table_name(name);
        request.time_to_live_specification(expiry).send().await.map_err(failed)?;
    }
    Ok(())
}

pub(super) fn failed(cause: impl std::error::Error + 'static) -> CommandError {
    CommandError::new("cannot create the tables, the bucket and the queues", cause)
}
