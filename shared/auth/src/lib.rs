//! From a credential to a caller: the form of an API key, and how its secret is kept and checked.
//!
//! Invariant: looks nothing up, stores nothing, and no secret of this crate can be printed.

mod api_key;
mod caller;
mod secret;

pub use api_key::{ApiKey, KeyId, MalformedKey};
pub use caller::{Caller, Credential, Refusal, TeamId};
pub use secret::{Fingerprint, FingerprintKey, HashedSecret, HashingFailed, Secret};
