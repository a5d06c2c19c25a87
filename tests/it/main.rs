//! The service as a client meets it: requests in, answers out, nothing mocked but the cloud.

mod api_keys;
mod architecture;
mod auditors;
mod bad_input;
mod companies;
mod generations;
mod graph;
mod history;
mod idempotency;
mod ingest;
mod lambda;
mod logs;
mod metering;
mod notices;
mod objects;
mod openapi;
mod persons;
mod relationships;
mod storage;
mod surface;
mod tables;
