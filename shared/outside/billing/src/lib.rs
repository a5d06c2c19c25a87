//! Payments: pages at which a team subscribes, the state of subscriptions, and the events that the provider sends. The
//! provider is Stripe; only this crate knows its HTTP API.
//!
//! Invariant: no error and no log contains a secret, or a text of the provider's answers.
//!
//! | Module | Contents |
//! |---|---|
//! | [`provider`] | [`PaymentProvider`]: the operations |
//! | [`settings`] | what the operator configures |
//! | `client` | sending requests |
//! | [`signature`] | verifying that an event is from the provider |
//! | [`event`] | what an event is about |
//! | `subscription` | from the provider's form of a subscription to ours |

mod client;
pub mod event;
pub mod provider;
pub mod settings;
pub mod signature;
mod subscription;

pub use client::{PaymentError, VERSION};
pub use event::Event;
pub use provider::{Checkout, EventError, Page, PaymentProvider};
pub use settings::{InvalidSettings, KeySource, Keys, Prices, Settings};
pub use signature::InvalidSignature;
pub use subscription::ReportedSubscription;
