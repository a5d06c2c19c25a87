use std::{
    path::PathBuf,
    sync::{Arc, RwLock},
    time::Duration,
};

use objects::Objects;
use tokio::{sync::Mutex, time::Instant};

use crate::{Error, Generation, Manifest, Unavailable, index::Source, manifest};

/// How old what a process knows of `current` may get before it looks again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);
/// How long a generation is left alone for which this machine had no room, say: it is downloaded anew when it
/// is tried again.
const TRY_AGAIN_AFTER: Duration = Duration::from_mins(15);

/// How long a request waits for a newer generation on Lambda, which stops the process between requests: what is
/// downloaded beside them would never arrive where there are few.
const PATIENCE_ON_LAMBDA: Duration = Duration::from_secs(10);
/// How long it waits at most to learn whether there is one, which takes one small object of the bucket.
const GLANCE: Duration = Duration::from_millis(250);

/// The generation that this process serves, and the way to the next one.
#[derive(Clone)]
pub struct Generations {
    source: Source,
    state: Arc<State>,
    patience: Duration,
}

#[derive(Default)]
struct State {
    open: RwLock<Open>,
    refreshing: Mutex<()>,
}

#[derive(Default)]
struct Open {
    generation: Option<Arc<Generation>>,
    looked: Option<Instant>,
    /// Whether there is a newer one to be taken over.
    is_behind: bool,
    /// The generation that could not be opened: it is not downloaded over and over.
    refused: Option<Refused>,
}

#[derive(Clone)]
struct Refused {
    id: String,
    /// Damage stays.
    until: Option<Instant>,
}

impl Refused {
    /// What is remembered of a failure; nothing where only the bucket did not answer.
    fn because(failure: &Error, id: String) -> Option<Self> {
        match failure {
            Error::File(_) | Error::Objects(objects::Error::File(_)) => {
                Some(Self { id, until: Some(Instant::now() + TRY_AGAIN_AFTER) })
            }
            _ => failure.is_damage().then_some(Self { id, until: None }),
        }
    }

    fn is(&self, id: &str) -> bool {
        self.id == id && self.until.is_none_or(|it| Instant::now() < it)
    }
}

impl Generations {
    /// `below` is a folder for downloads, on Lambda `/tmp`.
    pub fn new(objects: Objects, below: impl Into<PathBuf>) -> Self {
        let source = Source { objects, below: below.into() };
        Self { source, state: Arc::default(), patience: Duration::ZERO }
    }

    /// The generations of the bucket that the environment names, below the temporary folder. A request waits for
    /// a newer one that is known to be there, some seconds at most.
    pub fn from_env(objects: Objects) -> Self {
        Self::new(objects, std::env::temp_dir()).with_patience(PATIENCE_ON_LAMBDA)
    }

    /// The same for processes that rest between requests: a request waits so long for a newer generation that is
    /// known to be there.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The generation to answer a request from; 503 while there is none.
    pub async fn serving(&self) -> Result<Arc<Generation>, Unavailable> {
        self.current().await.map_err(Unavailable)
    }

    /// The generation that is served. The first call looks for it; later ones wait no longer than they have
    /// patience: a newer one is looked for beside the request, and served when what this one has open has passed
    /// its checks there and is open too.
    pub async fn current(&self) -> Result<Arc<Generation>, Error> {
        let (generation, looked, is_behind) = {
            let open = self.open();
            (open.generation.clone(), open.looked, open.is_behind)
        };
        let Some(generation) = generation else { return self.refresh().await };
        let is_due = looked.is_none_or(|it| it.elapsed() >= LOOK_AGAIN_AFTER);
        let looking = is_due.then(|| {
            self.with_open(|open| open.looked = Some(Instant::now()));
            let reader = self.clone();
            tokio::spawn(async move {
                if let Err(failure) = reader.look(false).await {
                    tracing::error!(
                        failure = errors::chain(&failure),
                        "the newer generation was not taken over; the old one stays"
                    );
                }
            })
        });
        let patience = if is_behind { self.patience } else { self.patience.min(GLANCE) };
        if patience.is_zero() || (looking.is_none() && !is_behind) {
            return Ok(generation);
        }
        let taken_over = async {
            match looking {
                Some(looking) => drop(looking.await),
                // Whoever looks holds this until it is done.
                None => drop(self.state.refreshing.lock().await),
            }
        };
        let _may_take_longer = tokio::time::timeout(patience, taken_over).await;
        Ok(self.open().generation.clone().unwrap_or(generation))
    }

    /// Takes the published generation over, if it is another than the one that is served.
    pub async fn refresh(&self) -> Result<Arc<Generation>, Error> {
        self.look(true).await
    }

    async fn look(&self, even_if_refused: bool) -> Result<Arc<Generation>, Error> {
        let _one_at_a_time = self.state.refreshing.lock().await;
        let id = manifest::current(&self.source.objects).await?.ok_or(Error::None)?;
        let (known, refused) = {
            let open = self.open();
            (open.generation.clone(), open.refused.clone())
        };
        let is_served = |it: &&Arc<Generation>| it.manifest.id == id;
        let is_refused = !even_if_refused && refused.is_some_and(|it| it.is(&id));
        if let Some(known) = known.as_ref().filter(|it| is_served(it) || is_refused) {
            self.with_open(|open| {
                open.looked = Some(Instant::now());
                open.is_behind = false;
            });
            return Ok(known.clone());
        }
        self.with_open(|open| open.is_behind = true);
        let generation = match self.next(&id, known.as_deref()).await {
            Ok(generation) => Arc::new(generation),
            Err(failure) => {
                if let Some(refused) = Refused::because(&failure, id) {
                    self.with_open(|open| {
                        open.refused = Some(refused);
                        open.is_behind = false;
                    });
                }
                return Err(failure);
            }
        };
        self.with_open(|open| {
            open.generation = Some(generation.clone());
            open.looked = Some(Instant::now());
            open.is_behind = false;
            open.refused = None;
        });
        tracing::info!(generation = generation.manifest.id, "generation taken over");
        Ok(generation)
    }

    /// The generation with this id, so far open as the one before: no request waits for an index that
    /// was open before.
    async fn next(&self, id: &str, before: Option<&Generation>) -> Result<Generation, Error> {
        let manifest = Manifest::read(&self.source.objects, id).await?;
        manifest.check_paths()?;
        let generation = Generation::new(manifest, self.source.clone());
        if let Some(before) = before {
            generation.open_what_is_open_in(before).await?;
        }
        Ok(generation)
    }

    fn open(&self) -> std::sync::RwLockReadGuard<'_, Open> {
        self.state.open.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn with_open(&self, change: impl FnOnce(&mut Open)) {
        change(&mut self.state.open.write().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn what_this_machine_has_no_room_for_is_left_alone_for_a_while_and_what_is_damaged_for_good() {
        let refused = |it: &Error| Refused::because(it, "a".to_owned());
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for failure in [Error::File(full()), Error::Objects(objects::Error::File(full()))] {
            let full = refused(&failure).expect("refused");
            assert!(full.is("a") && !full.is("b"));
            let later = Refused { until: Some(Instant::now()), ..full };
            assert!(!later.is("a"));
        }
        let torn = Error::Torn { generation: "a".to_owned(), reason: "shorter".to_owned() };
        assert!(refused(&torn).is_some_and(|it| it.is("a") && it.until.is_none()));
        let silent = objects::Error::Unavailable("no answer".into());
        assert!(refused(&Error::Objects(silent)).is_none());
    }
}
