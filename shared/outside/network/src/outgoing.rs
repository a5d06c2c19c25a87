//! HTTP requests to addresses that customers give, such as identity providers.
//!
//! Invariants: a request goes to the public internet only, over TLS, to the address that was checked; no redirect is
//! followed; time and size of a response are limited.
//!
//! | Read this | To learn |
//! |---|---|
//! | `addresses` | which addresses are public |
//! | `client` | what a request must be like, and its limits |
//! | `transport` | which addresses are connected to; tests replace it |

mod addresses;
mod client;
mod transport;

pub use self::addresses::{Forbidden, is_public};
pub use self::client::{Limits, NotAnswered, OutgoingHttp};
