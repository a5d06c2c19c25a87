use std::{
    path::PathBuf,
    sync::{Arc, RwLock},
    time::{Duration, Instant},
};

use objects::Objects;
use problem_details::{Problem, SERVICE_UNAVAILABLE};
use tempfile::TempDir;
use text_index::{changes::Changes, companies::Companies, persons::Persons, tenures::Tenures};
use tokio::sync::Mutex;

use crate::{
    Error, Manifest,
    manifest::{CURRENT, Current, file_key, manifest_key},
};

/// How old what a process knows of `current` may get before it looks again.
const LOOK_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// A generation that was checked and is open.
pub struct Generation {
    pub manifest: Manifest,
    pub companies: Companies,
    pub changes: Changes,
    pub persons: Persons,
    pub tenures: Tenures,
    // Removed with the last request that reads it.
    _directory: TempDir,
}

impl Generation {
    /// The header that names the generation behind an answer.
    pub fn header(&self) -> [(&'static str, String); 1] {
        [("x-data-generation", self.manifest.id.clone())]
    }
}

/// The generation that this process serves, and the way to the next one.
#[derive(Clone)]
pub struct Generations {
    objects: Objects,
    below: PathBuf,
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
        Self { objects, below: below.into(), state: Arc::default() }
    }

    /// The generations of the bucket that the environment names, below the temporary folder.
    pub fn from_env(objects: Objects) -> Self {
        Self::new(objects, std::env::temp_dir())
    }

    /// The generation to answer a request from; 503 while there is none. The cause is for the log:
    /// it may name what is behind the service.
    pub async fn serving(&self) -> Result<Arc<Generation>, Problem> {
        self.current().await.map_err(|failure| {
            tracing::error!(%failure, "there is no generation to answer from");
            Problem::new(&SERVICE_UNAVAILABLE, "the register cannot be searched at the moment")
        })
    }

    /// The generation that is open. The first call opens it; later ones never wait: a newer one
    /// is looked for beside the request, and served when it has passed its checks.
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
                    tracing::error!(%failure, "the newer generation was not opened; the old one stays");
                }
            });
        }
        Ok(generation)
    }

    /// Opens the published generation, if it is another than the one that is open.
    pub async fn refresh(&self) -> Result<Arc<Generation>, Error> {
        self.look(true).await
    }

    async fn look(&self, even_if_refused: bool) -> Result<Arc<Generation>, Error> {
        let _one_at_a_time = self.state.refreshing.lock().await;
        let Some(current) = self.objects.get(CURRENT).await? else { return Err(Error::None) };
        let Current { id } = serde_json::from_slice(&current).map_err(|it| Error::Torn {
            generation: "current.json".into(),
            reason: it.to_string(),
        })?;
        let (known, refused) = {
            let open = self.open();
            (open.generation.clone(), open.refused.clone())
        };
        let is_open = |it: &Arc<Generation>| it.manifest.id == id;
        let is_refused = !even_if_refused && refused.as_ref() == Some(&id);
        if let Some(known) = known.filter(|it| is_open(it) || is_refused) {
            self.with_open(|open| open.looked = Some(Instant::now()));
            return Ok(known);
        }
        let generation = match self.fetch(&id).await {
            Ok(generation) => Arc::new(generation),
            Err(failure) => {
                let is_damaged = matches!(
                    failure,
                    Error::Torn { .. }
                        | Error::Index(_)
                        | Error::Objects(
                            objects::Error::Missing(_) | objects::Error::Shorter { .. }
                        )
                );
                if is_damaged {
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
        tracing::info!(generation = generation.manifest.id, "generation opened");
        Ok(generation)
    }

    async fn fetch(&self, id: &str) -> Result<Generation, Error> {
        let torn = |reason: String| Error::Torn { generation: id.to_owned(), reason };
        let manifest = self.objects.get(&manifest_key(id)).await?;
        let manifest = manifest.ok_or_else(|| torn("it has no manifest".into()))?;
        let manifest: Manifest =
            serde_json::from_slice(&manifest).map_err(|it| torn(it.to_string()))?;
        manifest.check_paths()?;
        let directory = TempDir::with_prefix_in("generation-", &self.below)?;
        for file in &manifest.files {
            let path = directory.path().join(&file.path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            self.objects.download(&file_key(&manifest.id, &file.path), file.size, &path).await?;
        }
        // Digesting a hundred megabytes keeps a thread busy that requests would wait for.
        let open = move || {
            manifest.check(directory.path())?;
            let at = |index: &str| directory.path().join(index);
            let companies = Companies::open(&at("companies"))?;
            let changes = Changes::open(&at("changes"))?;
            let persons = Persons::open(&at("persons"))?;
            let tenures = Tenures::open(&at("tenures"))?;
            Ok(Generation { manifest, companies, changes, persons, tenures, _directory: directory })
        };
        tokio::task::spawn_blocking(open).await.map_err(std::io::Error::other)?
    }

    fn open(&self) -> std::sync::RwLockReadGuard<'_, Open> {
        self.state.open.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn with_open(&self, change: impl FnOnce(&mut Open)) {
        change(&mut self.state.open.write().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}
