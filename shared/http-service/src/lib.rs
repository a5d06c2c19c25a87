//! Everything that all endpoints share: the path of a request from the network to its handler and back.
//!
//! Order of the steps, outermost first: request id, panics, CORS, routing; then for the operation that
//! matched: authentication, authorization, rate limit, body, idempotency, handler, `ETag`, refund; on the
//! way out: rate limit headers, problem bodies, and one log line. A handler contains only its own logic.
//!
//! | Module | Contents |
//! |---|---|
//! | [`operation`] | what a route declares, and how a function lists its routes |
//! | [`middleware`] | the steps of one request around its handler |
//! | [`authentication`] | from an API key to a caller |
//! | [`meter`] | counting requests against the rate limits |
//! | [`idempotency`] | `Idempotency-Key` |
//! | [`extract`] | reading and validating path, query, body and caller |
//! | [`company`] | loading the company in a path |
//! | [`paging`] | the `Link` header to the next page |
//! | [`openapi`] | generating the OpenAPI document |
//! | [`service`] | the outermost layers; running on Lambda or locally |

pub mod authentication;
pub mod client_address;
pub mod clock;
pub mod company;
mod conditional;
pub mod extract;
pub mod idempotency;
pub mod meter;
pub mod middleware;
pub mod openapi;
pub mod operation;
pub mod paging;
mod request_body;
pub mod service;

pub use client_address::ClientAddress;
pub use clock::Clock;
pub use company::{AsOf, company_as_of, known_company, known_company_with_history};
pub use extract::{CompanyPath, Json, NoParameters, Path, Query, ResourceId, Tenant};
pub use idempotency::ContainsSecret;
pub use middleware::Middleware;
pub use operation::{
    Access, Annotations, Api, Description, Handler, Operation, Routes, reads, writes,
};
pub use paging::Paginator;
pub use service::{serve, service};
// Used by the macro `handler!`.
#[doc(hidden)]
pub use {axum, pastey, utoipa_axum};
