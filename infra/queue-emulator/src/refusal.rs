//! What SQS answers instead, under the names by which the SDKs know it.

use std::fmt;

/// A refused request, or a refused entry of a batch. Always the sender's fault: there is no other.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    shape: &'static str,
    message: String,
}

impl Refusal {
    /// One of the service's own, by its name in the API reference.
    pub(crate) fn new(shape: &'static str, message: impl Into<String>) -> Self {
        Self { shape, message: message.into() }
    }

    pub(crate) fn no_such_queue() -> Self {
        Self::new("QueueDoesNotExist", "The specified queue does not exist.")
    }

    pub(crate) fn missing(member: &str) -> Self {
        let message = format!("The request must contain the parameter {member}.");
        Self::new("MissingRequiredParameterException", message)
    }

    /// A value out of its range.
    pub(crate) fn value(member: &str, value: impl fmt::Display, reason: &str) -> Self {
        let message = format!("Value {value} for parameter {member} is invalid. Reason: {reason}");
        Self::new("InvalidParameterValueException", message)
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The name in `__type`.
    pub(crate) fn kind(&self) -> String {
        let common = self.shape.ends_with("Exception") && self.shape != "ResourceNotFoundException";
        let namespace = if common { "com.amazon.coral.service" } else { "com.amazonaws.sqs" };
        format!("{namespace}#{}", self.shape)
    }

    /// The name from the time of the query protocol, which SDKs and entries of a batch still use.
    pub(crate) fn code(&self) -> &'static str {
        match self.shape {
            "QueueDoesNotExist" => "AWS.SimpleQueueService.NonExistentQueue",
            "QueueNameExists" => "QueueAlreadyExists",
            "MessageNotInflight" => "AWS.SimpleQueueService.MessageNotInflight",
            "EmptyBatchRequest" => "AWS.SimpleQueueService.EmptyBatchRequest",
            "TooManyEntriesInBatchRequest" => "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            "BatchEntryIdsNotDistinct" => "AWS.SimpleQueueService.BatchEntryIdsNotDistinct",
            "InvalidBatchEntryId" => "AWS.SimpleQueueService.InvalidBatchEntryId",
            "BatchRequestTooLong" => "AWS.SimpleQueueService.BatchRequestTooLong",
            "PurgeQueueInProgress" => "AWS.SimpleQueueService.PurgeQueueInProgress",
            "UnsupportedOperation" => "AWS.SimpleQueueService.UnsupportedOperation",
            "InvalidParameterValueException" => "InvalidParameterValue",
            "MissingRequiredParameterException" => "MissingParameter",
            "UnknownOperationException" => "InvalidAction",
            same => same,
        }
    }
}
