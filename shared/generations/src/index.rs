//! An index of a generation: its files, and the way from the bucket to an open index.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use objects::Objects;
use tempfile::TempDir;
use text_index::{changes::Changes, companies::Companies, persons::Persons, tenures::Tenures};
use tokio::sync::OnceCell;

use crate::{Error, Manifest, manifest::file_key};

/// What a generation has one of.
pub(crate) trait Index: Sized + Send + 'static {
    /// Of its files, below the generation.
    const FOLDER: &'static str;

    fn open(directory: &Path) -> Result<Self, text_index::Error>;
}

macro_rules! indexes {
    ($($index:ident in $folder:literal),+ $(,)?) => {
        $(impl Index for $index {
            const FOLDER: &'static str = $folder;

            fn open(directory: &Path) -> Result<Self, text_index::Error> {
                $index::open(directory)
            }
        })+
    };
}

indexes! {
    Companies in "companies",
    Changes in "changes",
    Persons in "persons",
    Tenures in "tenures",
}

/// Where the files of generations come from, and the folder that they are kept below.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) objects: Objects,
    pub(crate) below: PathBuf,
}

/// An index that is opened when it is first needed.
pub(crate) struct OnNeed<I> {
    /// Damage is kept too: what is damaged is not downloaded over and over.
    opened: OnceCell<Result<Opened<I>, Arc<Error>>>,
}

struct Opened<I> {
    index: I,
    // Removed with the generation, after the last request that reads it.
    _directory: TempDir,
}

impl<I> Default for OnNeed<I> {
    fn default() -> Self {
        Self { opened: OnceCell::new() }
    }
}

impl<I: Index> OnNeed<I> {
    /// Whether it is open, so that asking it waits for nothing.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.get().is_some_and(Result::is_ok)
    }

    /// The index. The first caller opens it; who comes meanwhile waits for the same. What the bucket
    /// fails to answer is asked for again by the next.
    pub(crate) async fn get(&self, manifest: &Manifest, source: &Source) -> Result<&I, Error> {
        let open = async || match source.open(manifest).await {
            Err(failure) if failure.is_damage() => Ok(Err(Arc::new(failure))),
            opened => opened.map(Ok),
        };
        match self.opened.get_or_try_init(open).await? {
            Ok(opened) => Ok(&opened.index),
            Err(damage) => Err(Error::Damaged(damage.clone())),
        }
    }
}

impl Source {
    /// Downloads the files of an index to a folder of their own, checks every byte, and opens it.
    async fn open<I: Index>(&self, manifest: &Manifest) -> Result<Opened<I>, Error> {
        let manifest = manifest.of_index(I::FOLDER);
        let id = manifest.id.clone();
        let directory = TempDir::with_prefix_in(format!("generation-{}-", I::FOLDER), &self.below)?;
        for file in &manifest.files {
            let path = directory.path().join(&file.path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            self.objects.download(&file_key(&id, &file.path), file.size, &path).await?;
        }
        // Digesting a hundred megabytes keeps a thread busy that requests would wait for.
        let open = move || {
            manifest.check(directory.path())?;
            let index = I::open(&directory.path().join(I::FOLDER))?;
            Ok(Opened { index, _directory: directory })
        };
        let opened = tokio::task::spawn_blocking(open).await.map_err(std::io::Error::other)?;
        if opened.is_ok() {
            tracing::info!(generation = id, index = I::FOLDER, "index opened");
        }
        opened
    }
}
