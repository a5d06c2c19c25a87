use std::{
    path::PathBuf,
    sync::{Arc, RwLock},
    time::{Duration, Instant},
};

use objects::Objects;
use tokio::sync::Mutex;

use crate::{Error, Generation, Manifest, Unavailable, index::Source, manifest};

/// How old what a process knows of `current` may get before it looks again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The generation that this process serves, and the way to the next one.
#[derive(Clone)]
pub struct Generations {
    source: Source,
    state: Arc<State>,
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
    /// The generation that did not pass its checks: it is not downloaded over and over.
    refused: Option<String>,
}

impl Generations {
    /// `below` is a folder for downloads, on Lambda `/tmp`.
    pub fn new(objects: Objects, below: impl Into<PathBuf>) -> Self {
        Self { source: Source { objects, below: below.into() }, state: Arc::default() }
    }

    /// The generations of the bucket that the environment names, below the temporary folder.
    pub fn from_env(objects: Objects) -> Self {
        Self::new(objects, std::env::temp_dir())
    }

    /// The generation to answer a request from; 503 while there is none.
    pub async fn serving(&self) -> Result<Arc<Generation>, Unavailable> {
        self.current().await.map_err(Unavailable)
    }

    /// The generation that is served. The first call looks for it; later ones never wait: a newer one
    /// is looked for beside the request, and served when what this one has open has passed its checks
    /// there and is open too.
    pub async fn current(&self) -> Result<Arc<Generation>, Error> {
        let (generation, looked) = {
            let open = self.open();
            (open.generation.clone(), open.looked)
        };
        let Some(generation) = generation else { return self.refresh().await };
        if looked.is_none_or(|it| it.elapsed() >= LOOK_AGAIN_AFTER) {
            self.with_open(|open| open.looked = Some(Instant::now()));
            let reader = self.clone();
            tokio::spawn(async move {
                if let Err(failure) = reader.look(false).await {
                    tracing::error!(%failure, "the newer generation was not taken over; the old one stays");
                }
            });
        }
        Ok(generation)
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
        let is_refused = !even_if_refused && refused.as_ref() == Some(&id);
        if let Some(known) = known.as_ref().filter(|it| is_served(it) || is_refused) {
            self.with_open(|open| open.looked = Some(Instant::now()));
            return Ok(known.clone());
        }
        let generation = match self.next(&id, known.as_deref()).await {
            Ok(generation) => Arc::new(generation),
            Err(failure) => {
                if failure.is_damage() {
                    self.with_open(|open| open.refused = Some(id));
                }
                return Err(failure);
            }
        };
        self.with_open(|open| {
            open.generation = Some(generation.clone());
            open.looked = Some(Instant::now());
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
