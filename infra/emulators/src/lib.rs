//! Local stand-ins for services that the tests and the local server use: S3, SQS, Stripe and an identity provider.

pub mod identity_provider;
pub mod s3;
pub mod sqs;
pub mod stripe;
