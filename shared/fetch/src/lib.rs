//! Fetching: the public sources are asked over the network, politely, and answer with files that
//! [`sources::read`] takes.
//!
//! Invariant: the only crate that speaks HTTP to the sources. What is asked, and what comes after an
//! answer, is said in `sources` beside each format; here it is sent.
//!
//! | Read this | To learn |
//! |---|---|
//! | `fetcher` | what is fetched, page by page |
//! | `settings` | what an operator has to bring, and what is asked for on a day |
//! | `client` | timeouts, what is tried again, where a redirect may lead |
//! | `host_limiter` | one request at a time for one host, and a pause behind it |
//! | `transport` | the network itself; tests put something else in its place |

mod archive;
mod client;
mod error;
mod fetcher;
mod host_limiter;
mod settings;
#[cfg(test)]
mod tests;
mod transport;

pub use error::Error;
pub use fetcher::{Fetched, Fetcher};
pub use settings::{Account, Settings};
pub use sources::Page;
