//! API keys: their format, how their secrets are hashed and verified, and the caller that a verified
//! key identifies.
//!
//! Invariant: this crate does no I/O, and its secrets cannot be printed by `Debug` or `Display`.

mod api_key;
mod caller;
mod secret;

pub use api_key::{ApiKey, KeyId, MalformedKey};
pub use caller::{Caller, Credential, Refusal, TeamId};
pub use secret::{Fingerprint, FingerprintKey, HashedSecret, HashingFailed, Secret};
