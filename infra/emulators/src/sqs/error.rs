//! Error answers, under the names by which the SDKs know them.

use std::fmt;

/// Why a request, or an entry of a batch, is refused. The client is always at fault.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    shape: &'static str,
    message: String,
}

impl Refusal {
    /// `shape` is the name of the error in the API reference.
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

    pub(crate) fn invalid_value(member: &str, value: impl fmt::Display, reason: &str) -> Self {
        let message = format!("Value {value} for parameter {member} is invalid. Reason: {reason}");
        Self::new("InvalidParameterValueException", message)
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The value of `__type` in the answer.
    pub(crate) fn kind(&self) -> String {
        let is_common = self.shape.ends_with("Exception");
        let namespace = if is_common { "com.amazon.coral.service" } else { "com.amazonaws.sqs" };
        format!("{namespace}#{}", self.shape)
    }

    /// The name in the older query protocol. SDKs and the failed entries of a batch still use it.
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
            "UnsupportedOperation" => "AWS.SimpleQueueService.UnsupportedOperation",
            "InvalidParameterValueException" => "InvalidParameterValue",
            "MissingRequiredParameterException" => "MissingParameter",
            "UnknownOperationException" => "InvalidAction",
            same => same,
        }
    }
}
