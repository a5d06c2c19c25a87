//! Parsed facts of companies, to answer several questions about the past of one company.

use std::{fmt, sync::Arc};

use domain::Uid;
use facts::ParsedFacts;
use moka::future::Cache;

use crate::Error;

/// Maximum size of the facts in the cache, in bytes of JSON. Parsed, they take about as much memory.
const MAX_BYTES: u64 = 32_000_000;

/// Parsed facts by company and revision of its history. Bounded in bytes; the least used ones leave.
#[derive(Clone)]
pub(crate) struct ParsedFactsCache(Cache<(Uid, usize), (u32, Arc<ParsedFacts>)>);

impl Default for ParsedFactsCache {
    fn default() -> Self {
        let cache = Cache::builder().max_capacity(MAX_BYTES).weigher(|_, (size, _)| *size);
        Self(cache.build())
    }
}

impl fmt::Debug for ParsedFactsCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParsedFactsCache")
    }
}

impl ParsedFactsCache {
    /// The facts of a company at a revision of its history. If they are not in the cache, `read` reads them, and
    /// their size in bytes. Concurrent requests share one read.
    pub(super) async fn get_or_read(
        &self,
        uid: Uid,
        revision: usize,
        read: impl Future<Output = Result<(ParsedFacts, usize), Error>>,
    ) -> Result<Arc<ParsedFacts>, Error> {
        let read = async {
            let (parsed, size) = read.await?;
            Ok((u32::try_from(size).unwrap_or(u32::MAX), Arc::new(parsed)))
        };
        let found = Box::pin(self.0.try_get_with((uid, revision), read)).await;
        found.map(|(_, parsed)| parsed).map_err(of_one_request)
    }
}

/// The error of one of the requests that share it.
fn of_one_request(shared: Arc<Error>) -> Error {
    match &*shared {
        Error::Unavailable(_) => Error::Unavailable(Box::new(shared)),
        Error::Shape(_) => Error::Shape(Box::new(shared)),
        Error::Unwritable(_) => Error::Unwritable(Box::new(shared)),
        Error::Changed => Error::Changed,
    }
}
