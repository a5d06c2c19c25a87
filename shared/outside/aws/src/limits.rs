//! How long clients wait for AWS.

use std::time::Duration;

use aws_config::{SdkConfig, timeout::TimeoutConfig};

/// How long a connection may take. The same for all clients, because clients with other times would open connections of their
/// own.
pub(crate) const CONNECT: Duration = Duration::from_secs(1);

/// How long a client waits for an answer. An attempt that takes longer is repeated as after a lost answer, while the operation has
/// time left.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// One attempt, until the head of the answer.
    pub attempt: Duration,
    /// All attempts and the pauses between them.
    pub operation: Duration,
}

impl Limits {
    pub const fn of_seconds(attempt: u64, operation: u64) -> Self {
        Self { attempt: Duration::from_secs(attempt), operation: Duration::from_secs(operation) }
    }

    /// The environment for clients with these limits.
    pub fn of(self, environment: &SdkConfig) -> SdkConfig {
        let timeouts = self.at_least(environment.timeout_config());
        environment.to_builder().timeout_config(timeouts).build()
    }

    /// These limits, or `present` where it waits longer: emulators on a busy machine need time.
    pub fn at_least(self, present: Option<&TimeoutConfig>) -> TimeoutConfig {
        let longer =
            |limit: Duration, present: Option<Duration>| limit.max(present.unwrap_or_default());
        TimeoutConfig::builder()
            .connect_timeout(CONNECT)
            .operation_attempt_timeout(longer(
                self.attempt,
                present.and_then(TimeoutConfig::operation_attempt_timeout),
            ))
            .operation_timeout(longer(
                self.operation,
                present.and_then(TimeoutConfig::operation_timeout),
            ))
            .build()
    }
}
