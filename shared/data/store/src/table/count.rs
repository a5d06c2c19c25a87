//! Counters: conditional increments, each sent once.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::update_item::UpdateItemError,
    types::{AttributeValue, ReturnValue},
};

use super::{COUNT, EXPIRES, Table, attributes, items::if_condition_held};
use crate::{Error, keys::Key};

/// The attribute that counts the decrements of [`Table::count_down`].
const REFUNDED: &str = "refunded";

/// Result of a conditional increment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Counted.
    Now {
        /// The new value: what was counted, less what was refunded.
        taken: u32,
        /// What was counted, refunded or not. Never shrinks.
        ever: u32,
    },
    /// Not counted: the limit was already reached.
    Full,
}

/// Why an increment has no result.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The counter was certainly not incremented: the request did not reach the table or was refused.
    #[error("the counter was not reached or refused the request")]
    NotCounted(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The counter may have been incremented: the answer did not arrive.
    #[error("no answer from the counter")]
    AnswerLost(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Table {
    /// Adds `units` to a counter if the sum is at most `limit`, in one round trip and exactly under any
    /// concurrency. Never retried: a repeated write would count twice.
    pub(crate) async fn count_below(
        &self,
        key: Key,
        units: u32,
        limit: u32,
        expires: i64,
    ) -> Result<Counted, CountError> {
        let Some(highest) = limit.checked_sub(units) else { return Ok(Counted::Full) };
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .update_expression("ADD #count :units SET #expires = :expires")
            .condition_expression("attribute_not_exists(#count) OR #count <= :highest")
            .expression_attribute_names("#count", COUNT)
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":units", AttributeValue::N(units.to_string()))
            .expression_attribute_values(":highest", AttributeValue::N(highest.to_string()))
            .expression_attribute_values(":expires", AttributeValue::N(expires.to_string()))
            // All attributes: the number of refunds is not written here.
            .return_values(ReturnValue::AllNew);
        match request.customize().config_override(sent_once()).send().await {
            Ok(answer) => {
                let value = |name| answer.attributes()?.get(name).and_then(number);
                let counted = |taken: u32| {
                    let ever = taken.saturating_add(value(REFUNDED).unwrap_or(0));
                    Counted::Now { taken, ever }
                };
                value(COUNT).map(counted).ok_or_else(|| CountError::AnswerLost("no count".into()))
            }
            Err(SdkError::ServiceError(error))
                if matches!(error.err(), UpdateItemError::ConditionalCheckFailedException(_)) =>
            {
                Ok(Counted::Full)
            }
            Err(error) => Err(count_error(error)),
        }
    }

    /// Subtracts `units` from a counter that has them, if then at most `limit` were subtracted. Returns the new
    /// value; `None` if nothing was subtracted.
    pub(crate) async fn count_down(
        &self,
        key: Key,
        units: u32,
        limit: u32,
    ) -> Result<Option<u32>, Error> {
        let Some(highest) = limit.checked_sub(units) else { return Ok(None) };
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(attributes(&key)))
            .update_expression("ADD #count :minus, #refunded :units")
            .condition_expression(
                "#count >= :units AND (attribute_not_exists(#refunded) OR #refunded <= :highest)",
            )
            .expression_attribute_names("#count", COUNT)
            .expression_attribute_names("#refunded", REFUNDED)
            .expression_attribute_values(":minus", AttributeValue::N(format!("-{units}")))
            .expression_attribute_values(":units", AttributeValue::N(units.to_string()))
            .expression_attribute_values(":highest", AttributeValue::N(highest.to_string()))
            .return_values(ReturnValue::UpdatedNew);
        let answer = request.customize().config_override(sent_once()).send().await;
        let answer = if_condition_held(answer)?;
        Ok(answer.and_then(|it| it.attributes().and_then(|it| it.get(COUNT)).and_then(number)))
    }

    /// The values of these counters, in the order of `keys`; 0 for a counter that does not exist.
    pub(crate) async fn counts(&self, keys: Vec<Key>) -> Result<Vec<u32>, Error> {
        let found: Vec<CountItem> = self.get_all(keys.clone()).await?;
        let count_of = |key: &Key| {
            let item = found.iter().find(|it| it.partition == key.partition);
            item.map_or(0, |it| it.count)
        };
        Ok(keys.iter().map(count_of).collect())
    }
}

#[derive(serde::Deserialize)]
struct CountItem {
    #[serde(rename = "pk")]
    partition: String,
    count: u32,
}

/// How long a counter may take, because a request waits for it.
const COUNTER: Duration = Duration::from_secs(2);

/// No retry: the first attempt may have counted, so it has all the time.
fn sent_once() -> aws_sdk_dynamodb::config::Builder {
    let timeouts = aws_sdk_dynamodb::config::timeout::TimeoutConfig::builder()
        .operation_attempt_timeout(COUNTER)
        .operation_timeout(COUNTER);
    aws_sdk_dynamodb::Config::builder()
        .retry_config(aws_sdk_dynamodb::config::retry::RetryConfig::disabled())
        .timeout_config(timeouts.build())
}

/// Distinguishes an increment that certainly did not happen from one that may have happened.
fn count_error(error: SdkError<UpdateItemError>) -> CountError {
    let refused = match &error {
        SdkError::ConstructionFailure(_) => true,
        // Throttled, denied or malformed: not carried out. A server error may follow a write.
        SdkError::ServiceError(refusal) => refusal.raw().status().is_client_error(),
        // Without a connection nothing was sent. The connector names the failed step only in the text of
        // its causes.
        SdkError::DispatchFailure(failure) => failure
            .as_connector_error()
            .is_some_and(|it| errors::chain(it).contains("tcp connect error")),
        _ => false,
    };
    let cause = Box::new(error);
    if refused { CountError::NotCounted(cause) } else { CountError::AnswerLost(cause) }
}

fn number(value: &AttributeValue) -> Option<u32> {
    value.as_n().ok()?.parse().ok()
}
