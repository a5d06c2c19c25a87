//! Fetches files from the public sources, for [`sources::read`].
//!
//! Invariant: the only crate that sends HTTP requests to the sources. The crate `sources` builds the
//! requests and finds the next page in a response; this crate sends them.
//!
//! | Read this | To learn |
//! |---|---|
//! | `fetcher` | how a page is fetched |
//! | `account` | the operator's account for the commercial register |
//! | `settings` | settings of the operator |
//! | `client` | timeouts, retries, redirects |
//! | `host_limiter` | one request at a time per host, with a pause after each |
//! | `transport` | the HTTP client; tests replace it |

mod account;
mod archive;
mod client;
mod error;
mod fetcher;
mod host_limiter;
mod settings;
#[cfg(test)]
mod tests;
mod transport;

pub use account::{Account, AccountError, RegisterAccount};
pub use error::Error;
pub use fetcher::Fetcher;
pub use settings::Settings;
pub use sources::{Fetched, Page};
