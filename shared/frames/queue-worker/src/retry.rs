//! The delays of retries.

use std::time::Duration;

/// Seconds from a failed attempt to the next one: after the first attempt, the second, and so on.
const RETRY_SECONDS: [u64; 6] = [1, 5, 30, 120, 600, 1_800];

/// Number of receives after which a queue must move a message to its dead-letter queue (`maxReceiveCount`).
pub const MAX_RECEIVES: u32 = RETRY_SECONDS.len() as u32 + 1;

/// The delay before the next attempt, after a message was received `receives` times. Zero after the last
/// attempt, so that the message moves to the dead-letter queue and its group continues.
pub(crate) fn delay(receives: u32) -> Duration {
    let attempt = receives.saturating_sub(1) as usize;
    Duration::from_secs(RETRY_SECONDS.get(attempt).copied().unwrap_or(0))
}
