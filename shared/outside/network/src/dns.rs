//! Looks up TXT records, with which a team verifies that a domain is its own.
//!
//! Invariant: a name without records and a name server that does not answer are different answers, because only the first one says
//! something about the domain.

use std::{fmt, sync::Arc, time::Duration};

use components::{Component, Components};
use futures_util::future::BoxFuture;
use hickory_resolver::{
    TokioResolver,
    net::NetError,
    proto::rr::{Name, RData, RecordType},
};
use tokio::sync::OnceCell;

/// Maximum time of a look-up.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Time to wait for one answer of a name server.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of texts that are read. A name has a few.
const MAX_TEXTS: usize = 100;

/// The name servers did not answer, or said that they cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name servers did not answer: {0}")]
pub struct NotAnswered(pub String);

type Answer = Result<Vec<String>, NotAnswered>;

/// Looks up names: with the name servers of the machine, or as a test says.
#[derive(Clone)]
pub struct Dns(Arc<Source>);

enum Source {
    /// The resolver is built when it is first needed: most processes look up no name.
    System(Box<OnceCell<TokioResolver>>),
    Function(Box<dyn Fn(&str) -> Answer + Send + Sync>),
}

impl fmt::Debug for Dns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Dns(…)")
    }
}

/// Asks the name servers of the machine.
impl Component for Dns {
    fn open(_: &Components) -> Self {
        Self::system()
    }
}

impl Dns {
    /// Asks the name servers of the machine (`/etc/resolv.conf`).
    pub fn system() -> Self {
        Self(Arc::new(Source::System(Box::default())))
    }

    /// Answers with the result of a function. Only for tests and examples.
    pub fn from_fn(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Self {
        Self(Arc::new(Source::Function(Box::new(answer))))
    }

    /// The texts of the TXT records of a name. Empty: the name does not exist, or has no such records.
    pub fn texts<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            match &*self.0 {
                Source::Function(answer) => answer(name),
                Source::System(resolver) => {
                    let lookup = tokio::time::timeout(TIMEOUT, look_up(resolver, name)).await;
                    lookup.unwrap_or_else(|it| Err(NotAnswered(it.to_string())))
                }
            }
        })
    }
}

async fn look_up(resolver: &OnceCell<TokioResolver>, name: &str) -> Answer {
    let failed = |it: NetError| NotAnswered(it.to_string());
    let build = async || {
        let mut builder = TokioResolver::builder_tokio()?;
        let options = builder.options_mut();
        options.timeout = ANSWER_TIMEOUT;
        // A record that was just published must be seen. The name servers of the machine cache too.
        options.cache_size = 0;
        builder.build()
    };
    let resolver = resolver.get_or_try_init(build).await.map_err(failed)?;
    // With a final dot, so that the search domains of the machine are not tried.
    let name = Name::from_ascii(format!("{name}.")).map_err(|it| NotAnswered(it.to_string()))?;
    let found = match resolver.lookup(name, RecordType::TXT).await {
        Ok(found) => found,
        Err(failure) if failure.is_no_records_found() => return Ok(Vec::new()),
        Err(failure) => return Err(failed(failure)),
    };
    let texts = found.answers().iter().filter_map(|record| match &record.data {
        // A record has texts of at most 255 bytes, which belong together.
        RData::TXT(it) => Some(it.txt_data.concat()),
        _ => None,
    });
    let texts = texts.map(|it| String::from_utf8_lossy(&it).into_owned());
    Ok(texts.take(MAX_TEXTS).collect())
}

#[cfg(test)]
mod tests;
