//! Downloads, checks and opens the indexes of a generation.

use std::{path::Path, sync::Arc};

use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use text_index::{changes::Changes, companies::Companies, persons::Persons, tenures::Tenures};
use tokio::sync::OnceCell;

use crate::{
    Error, File, Manifest, TemporaryFolder, manifest::file_key, temporary::TemporaryDirectory,
};

/// Number of files that are downloaded in parallel: most are small, so that a download is mostly waiting.
const PARALLEL_FILES: usize = 4;

/// An index of a generation.
pub(crate) trait Index: Sized + Send + 'static {
    /// Folder of its files within the generation.
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

/// The bucket with generations, and the folder for downloads.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) objects: Objects,
    pub(crate) downloads: Arc<TemporaryFolder>,
}

/// An index that is opened on first use.
pub(crate) struct OnDemand<I> {
    /// Keeps a damage error too, so that a damaged index is not downloaded again.
    opened: OnceCell<Result<Opened<I>, Arc<Error>>>,
}

struct Opened<I> {
    index: I,
    // Deleted with the generation, after the last request that uses it.
    _directory: TemporaryDirectory,
}

impl<I> Default for OnDemand<I> {
    fn default() -> Self {
        Self { opened: OnceCell::new() }
    }
}

impl<I: Index> OnDemand<I> {
    /// Whether it is open.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.get().is_some_and(Result::is_ok)
    }

    /// The index. The first caller opens it; concurrent callers wait. If the bucket does not answer, the next
    /// caller tries again.
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
    /// Downloads a file of a generation into a directory, and checks it while others are downloaded.
    async fn download(&self, id: &str, file: File, directory: &Path) -> Result<(), Error> {
        let path = directory.join(&file.path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        self.objects.download(&file_key(id, &file.path), file.size, &path).await?;
        let id = id.to_owned();
        // Hashing a hundred megabytes would block requests on an async thread.
        let checked = tokio::task::spawn_blocking(move || file.check(&id, &path)).await;
        checked.map_err(std::io::Error::other)?
    }

    /// Downloads the files of an index into a temporary folder, checks them, and opens the index.
    async fn open<I: Index>(&self, manifest: &Manifest) -> Result<Opened<I>, Error> {
        let manifest = manifest.of_index(I::FOLDER);
        let id = manifest.id.clone();
        let directory = self.downloads.create(I::FOLDER)?;
        let downloads = manifest.files.clone().into_iter().map(|file| {
            let (source, id) = (self.clone(), id.clone());
            let directory = directory.path().to_owned();
            async move { source.download(&id, file, &directory).await }
        });
        let checked = stream::iter(downloads).buffer_unordered(PARALLEL_FILES);
        checked.try_collect::<()>().await?;
        let open = move || {
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
