//! The service as a client meets it: requests in, answers out, nothing mocked but the cloud.

mod api_keys;
mod architecture;
mod bad_input;
mod classification;
mod companies;
mod compare;
mod fingerprint;
mod generations;
mod idempotency;
mod ingest;
mod lambda;
mod logs;
mod media;
mod metering;
mod news;
mod objects;
mod openapi;
mod reports;
mod storage;
mod surface;
mod tables;
