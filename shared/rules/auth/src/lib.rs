//! API keys, users, sessions, ID tokens and the keys of webhooks: their formats, how secrets and tokens are hashed, signed
//! and verified, and the caller that a verified credential identifies.
//!
//! Invariant: this crate does no I/O and reads no clock, and its secrets cannot be printed by `Debug` or `Display`.

mod api_key;
mod caller;
mod email;
mod entitlement;
mod id_token;
mod identity_provider;
mod key_memory;
mod one_time_token;
mod rights;
mod sealed;
mod secret;
mod session;
mod team_id;
mod user;
mod webhook_key;

pub use api_key::{ApiKey, KeyId, MalformedKey};
pub use caller::{
    AuthMethod, Caller, Credential, Delegation, Owner, Principal, PrincipalKind, ProvenKey, Refusal,
};
pub use domain::Language;
pub use email::{Email, NotAnEmail};
pub use entitlement::{Creator, Entitlement};
pub use id_token::{
    Expected, Identity, InvalidIdToken, MalformedIdToken, PresentedIdToken, VerifiedIdToken,
};
pub use identity_provider::{
    Accounts, ClientAuthentication, InvalidMetadata, MAX_ISSUER_LENGTH, NotKeys, ProviderChoice,
    ProviderId, ProviderKeys, ProviderMetadata, ProviderSignIn, SubjectId, code_challenge,
};
pub use key_memory::{KeyMemory, RememberedKey};
pub use one_time_token::{MalformedToken, OneTimeToken, TokenHash};
pub use rights::{AnsweredFor, Author, Authority, KeyAuthor, Rights};
pub use sealed::{NotOpened, SealedSecret, SealingKeys};
pub use secret::{Fingerprint, FingerprintKey, HashedSecret, HashingFailed, Secret};
pub use session::{
    InvalidSessionToken, InvalidSigningKey, MalformedSessionToken, NotSigned, PresentedToken,
    SESSION_DURATION, Session, SessionClaims, SigningKey, VerificationKey,
};
pub use team_id::TeamId;
pub use user::{Member, User};
pub use webhook_key::{SignatureScheme, WebhookKey, WebhookSecret};
