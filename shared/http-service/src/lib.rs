//! What every endpoint shares: the way of a request from the wire to its handler and back.
//!
//! Outermost first: request id, panics, CORS, routing; then, for the operation that was found,
//! caller, unlock, meter, body, idempotency, handler, ETag, give-back; and on the way out the rate
//! headers and the bodies of problems. A handler says only what is its own.
//!
//! | Read this | To learn |
//! |---|---|
//! | [`operation`] | what a route declares, and how a function lists its routes |
//! | [`edge`] | the way of one request through caller, unlock and meter |
//! | [`caller`] | how a key becomes a caller |
//! | [`openapi`] | what of all this the description says |
//! | [`meter`] | how units are taken, given back and reported |
//! | [`company`] | the company that a path names |
//! | [`extract`] | how parameters and bodies are read and refused |
//! | [`paging`] | how an answer leads to its next page |
//! | [`service`] | the outermost layers, and where it runs |

pub mod caller;
pub mod clock;
pub mod company;
pub mod edge;
pub mod extract;
pub mod idempotency;
pub mod meter;
pub mod openapi;
pub mod operation;
pub mod paging;
pub mod service;

pub use caller::{ClientAddress, Tenant};
pub use clock::Clock;
pub use company::{AsOf, company_until, known_company, known_company_with_history};
pub use edge::Frame;
pub use extract::{CompanyPath, Json, NoParameters, Path, Query, Resource};
pub use idempotency::HoldsSecret;
pub use operation::{
    Access, Annotations, Api, Description, Handler, Operation, Routes, reads, writes,
};
pub use paging::Asked;
// What `handler!` names.
pub use service::{serve, service};
#[doc(hidden)]
pub use {axum, pastey, utoipa_axum};
