//! Results that take long, kept in the bucket: each is computed once, however many processes are asked for it.
//!
//! Invariants: what is kept is only read if it is whole. A bucket that does not answer costs time, and nothing else. A process that
//! dies while it computes is replaced by another one after 30 seconds.
//!
//! The key of a result contains all that decides its bytes, also the version of the program, so that nothing is ever replaced;
//! lifecycle rules of the bucket delete what is old.

mod industries;

use std::{pin::pin, time::Duration};

use bytes::Bytes;
use components::{Clock, Component, Components};
use jiff::{Timestamp, civil::Date};
use objects::{Error, Objects};
use problem_details::Problem;
use sha2::{Digest, Sha256};
use tokio::time::{Instant, sleep, timeout};

pub use industries::IndustryReports;

/// What is computed in this time is not kept: to read it would take as long.
const QUICK: Duration = Duration::from_millis(250);
/// How long a caller waits for another process that computes the same.
const PATIENCE: Duration = Duration::from_secs(25);
/// Time between two questions whether the other process is ready.
const BETWEEN: Duration = Duration::from_millis(250);
/// The longest life of a request. After it, its announcement means nothing.
const LIFE: Duration = Duration::from_secs(30);
/// Length of the SHA-256 before the bytes of a result.
const DIGEST: usize = 32;

/// The results in the bucket.
#[derive(Clone, Debug)]
pub struct KeptResults {
    objects: Objects,
    clock: Clock,
    /// The version of the function.
    version: String,
    quick: Duration,
    patience: Duration,
}

impl Component for KeptResults {
    fn open(components: &Components) -> Self {
        let version = components.setting("AWS_LAMBDA_FUNCTION_VERSION");
        Self {
            objects: components.get(),
            clock: components.get(),
            version: version.unwrap_or_else(|| "local".to_owned()),
            quick: QUICK,
            patience: PATIENCE,
        }
    }
}

/// Why there is no result.
#[derive(Debug)]
pub enum Failure<E> {
    /// Another process has been computing it for longer than a caller can wait.
    Busy,
    /// It could not be computed.
    Computing(E),
}

impl<E: Into<Problem>> From<Failure<E>> for Problem {
    fn from(failure: Failure<E>) -> Self {
        match failure {
            Failure::Busy => Self::new(
                &problem_details::SERVICE_UNAVAILABLE,
                "the same result is being computed for another request; try again later",
            ),
            Failure::Computing(failure) => failure.into(),
        }
    }
}

impl KeptResults {
    /// Keeps also what is computed at once.
    #[must_use]
    pub const fn keeping_everything(mut self) -> Self {
        self.quick = Duration::ZERO;
        self
    }

    /// Lets a caller wait so long for another process, instead of 25 seconds.
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The key of what follows from a generation and a day, and from what its name says. A lifecycle rule deletes it after two days.
    pub fn key(&self, generation: &str, day: Date, name: &str) -> String {
        format!("analyses/{generation}/{day}/{}/{name}", self.version)
    }

    /// The result with this key: the kept one, or else the computed one, which is kept if that took long. If another process is
    /// computing it, this one waits.
    ///
    /// # Errors
    /// That of the computation, which is not kept, or [`Failure::Busy`].
    pub async fn of<E>(
        &self,
        key: &str,
        computation: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Bytes, Failure<E>> {
        if let Some(kept) = self.read(key).await {
            return Ok(kept);
        }
        let mut computation = pin!(computation);
        if !self.quick.is_zero()
            && let Ok(quick) = timeout(self.quick, &mut computation).await
        {
            return quick.map_err(Failure::Computing);
        }
        let until = Instant::now() + self.patience;
        loop {
            let announced = match self.announce(key).await {
                Ok(announced) => announced,
                Err(failure) => {
                    warn(key, &failure);
                    return computation.await.map_err(Failure::Computing);
                }
            };
            // The other process may have finished before the announcement.
            if let Some(kept) = self.read(key).await {
                if announced {
                    self.withdraw(key).await;
                }
                return Ok(kept);
            }
            if announced {
                break;
            }
            if Instant::now() >= until {
                return Err(Failure::Busy);
            }
            sleep(BETWEEN).await;
        }
        let computed = computation.await;
        if let Ok(result) = &computed {
            self.keep(key, result).await;
        }
        self.withdraw(key).await;
        computed.map_err(Failure::Computing)
    }

    /// A result that is kept. `None` if there is none, or if it is damaged.
    pub async fn read(&self, key: &str) -> Option<Bytes> {
        let object = match self.objects.get(key).await {
            Ok(object) => object?,
            Err(failure) => {
                warn(key, &failure);
                return None;
            }
        };
        let whole = object
            .split_at_checked(DIGEST)
            .is_some_and(|(digest, result)| Sha256::digest(result).as_slice() == digest);
        if !whole {
            tracing::warn!(key, "a kept result is damaged");
            return None;
        }
        Some(object.slice(DIGEST..))
    }

    /// Keeps a result.
    pub async fn keep(&self, key: &str, result: &[u8]) {
        let mut object = Sha256::digest(result).to_vec();
        object.extend_from_slice(result);
        if let Err(failure) = self.objects.put(key, object).await {
            warn(key, &failure);
        }
    }

    /// Tells other processes that this one computes a result. Returns whether no other one has said so in the last 30 seconds.
    async fn announce(&self, key: &str) -> Result<bool, Error> {
        let (announcement, now) = (announcement(key), self.clock.now());
        let before = self.objects.get_tagged(&announcement).await?;
        let is_alive = |since: &[u8]| {
            let since = std::str::from_utf8(since).ok().and_then(|it| it.parse::<Timestamp>().ok());
            since.is_some_and(|it| now.duration_since(it).unsigned_abs() < LIFE)
        };
        match before {
            Some((since, _)) if is_alive(&since) => Ok(false),
            before => {
                let tag = before.map(|it| it.1);
                self.objects.put_if(&announcement, now.to_string(), tag.as_deref()).await
            }
        }
    }

    async fn withdraw(&self, key: &str) {
        if let Err(failure) = self.objects.delete(&announcement(key)).await {
            warn(key, &failure);
        }
    }
}

/// The key of the announcement that a result is being computed: an object with the time.
fn announcement(key: &str) -> String {
    format!("{key}.announced")
}

fn warn(key: &str, failure: &Error) {
    tracing::warn!(key, failure = errors::chain(failure), "results are not kept at the moment");
}
