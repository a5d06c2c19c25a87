//! Local stand-ins for services that the tests and the local server use: SQS, Stripe and an identity provider.

pub mod identity_provider;
pub mod sqs;
pub mod stripe;
