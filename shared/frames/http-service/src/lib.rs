//! Everything that all endpoints share: the path of a request from the network to its handler and back.
//!
//! Order of the steps, outermost first: request id, panics, CORS, routing; then for the operation that
//! matched: authentication, authorization, rate limit, body, idempotency, audit log, handler, `ETag`, refund; on the
//! way out: rate limit headers, problem bodies, and one log line. A handler contains only its own logic.
//!
//! | Module | Contents |
//! |---|---|
//! | [`operation`] | what a route declares, and how a function lists its routes |
//! | [`middleware`] | the steps of one request around its handler |
//! | `state` | what these steps share |
//! | [`authentication`] | from an API key or a session token to a caller |
//! | [`sessions`] | verifying session tokens |
//! | [`id_tokens`], [`providers`] | verifying ID tokens of the identity providers of teams |
//! | [`trusted_proxy`] | the client's address behind the operator's proxy |
//! | [`meter`] | counting requests against the rate limits |
//! | [`refused_requests`] | limiting requests that are refused before they are counted |
//! | [`screening_subjects`] | counting the subjects of screenings |
//! | [`refusal_log`] | fewer log lines in a flood of refused requests |
//! | [`idempotency`] | `Idempotency-Key` |
//! | [`audit`] | the audit log |
//! | `labels` | names of codes in the language of the caller |
//! | [`extract`] | reading and validating path, query, body and caller |
//! | [`company`] | loading the company in a path |
//! | `feed_cursor` | cursors of the change feed |
//! | [`paging`] | the `Link` header to the next page |
//! | [`short_limits`] | limits on single expensive requests, beside the rate groups |
//! | [`openapi`] | generating the OpenAPI document |
//! | [`streaming`] | answers larger than a buffered answer of Lambda |
//! | [`service`] | the outermost layers; running on Lambda or locally |

mod accept;
pub mod audit;
pub mod authentication;
pub mod client_address;
mod conditional;
pub mod cors;
mod domains;
pub mod extract;
mod feed_cursor;
pub mod id_tokens;
pub mod idempotency;
mod key_memory;
mod labels;
pub mod meter;
pub mod middleware;
pub mod openapi;
pub mod operation;
pub mod paging;
mod proofs;
pub mod providers;
pub mod refusal_log;
pub mod refused_requests;
mod request_body;
pub mod screening_subjects;
pub mod service;
pub mod sessions;
pub mod short_limits;
mod state;
pub mod streaming;
pub mod trusted_proxy;

pub use accept::accepts;
pub use audit::AuditContext;
pub use client_address::ClientAddress;
pub use conditional::entity_tag;
pub use extract::{
    Answered, AnsweredQuery, CompanyPath, Filtered, IndustryPath, Items, Json, JsonOrForm, Name,
    NoParameters, Path, PreferredLanguage, Query, ResourceId, Tenant, Text, Upload,
    preferred_language,
};
pub use feed_cursor::{FeedCursor, MalformedCursor};
pub use idempotency::ContainsSecret;
pub use key_memory::ApiKeySecret;
pub use operation::{
    Access, Annotations, Api, BodyType, Description, Handler, Operation, Routes, manages, reads,
    writes,
};
pub use paging::{Link, MAX_PAGE_BYTES, Offset, OffsetQuery, Paginator, Selection, fitting};
pub use proofs::{AsOf, AsOfWithProofs, Proof};
pub use providers::Providers;
pub use screening_subjects::ScreeningSubjects;
pub use service::{ServeError, serve, service};
pub use state::Middleware;
pub use trusted_proxy::TrustedProxy;
// Used by the macro `handler!`.
#[doc(hidden)]
pub use {axum, pastey, utoipa_axum};
