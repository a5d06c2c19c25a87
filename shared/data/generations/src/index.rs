//! Downloads, checks and opens the indexes of a generation.

use std::{collections::HashMap, io, path::Path, sync::Arc};

use objects::Objects;
use published::{File, Location, TemporaryDirectory, TemporaryFolder};
use text_index::{
    BLOCKS, ReadBlocks, Storage, changes::Changes, companies::Companies, persons::Persons,
    tenures::Tenures,
};
use tokio::sync::OnceCell;

use crate::{
    Error, Layout, Manifest,
    blocks::{BucketBlocks, copy_all},
};

/// An index of a generation.
pub(crate) trait Index: Sized + Send + Sync + 'static {
    /// Folder of its files within the generation.
    const FOLDER: &'static str;

    fn open(directory: &Path, storage: &impl Storage) -> Result<Self, text_index::Error>;
}

impl Index for Companies {
    const FOLDER: &'static str = "companies";

    fn open(directory: &Path, _: &impl Storage) -> Result<Self, text_index::Error> {
        Self::open(directory)
    }
}

macro_rules! indexes_with_records {
    ($($index:ident in $folder:literal),+ $(,)?) => {
        $(impl Index for $index {
            const FOLDER: &'static str = $folder;

            fn open(directory: &Path, storage: &impl Storage) -> Result<Self, text_index::Error> {
                $index::open(directory, storage)
            }
        })+
    };
}

indexes_with_records! {
    Changes in "changes",
    Persons in "persons",
    Tenures in "tenures",
}

/// Whether the file at this path within a generation is downloaded whole by those who open an index.
pub(crate) fn is_downloaded(path: &str) -> bool {
    let indexes = [Companies::FOLDER, Changes::FOLDER, Persons::FOLDER, Tenures::FOLDER];
    let is_of_index = path.split_once('/').is_some_and(|(folder, _)| indexes.contains(&folder));
    is_of_index && !path.ends_with(BLOCKS)
}

/// The bucket with generations, and the folder for downloads.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) objects: Objects,
    pub(crate) downloads: Arc<TemporaryFolder>,
    /// Whether records are copied to this machine in the background, after an index was opened. Until then, and without a
    /// copy, they are read from the bucket.
    pub(crate) copies_records: bool,
    pub(crate) layout: Layout,
}

/// An index that is opened on first use.
pub(crate) struct OnDemand<I> {
    /// Keeps a damage error too, so that a damaged index is not downloaded again.
    opened: OnceCell<Result<Opened<I>, Arc<Error>>>,
}

struct Opened<I> {
    index: I,
    // Deleted with the generation, after the last request that uses it.
    _directory: Arc<TemporaryDirectory>,
}

impl<I> Default for OnDemand<I> {
    fn default() -> Self {
        Self { opened: OnceCell::new() }
    }
}

impl<I: Index> OnDemand<I> {
    /// Opens it if it is open in another generation and not in this one. Returns whether it did.
    pub(crate) async fn follow(
        &self,
        other: &Self,
        manifest: &Manifest,
        source: &Source,
    ) -> Result<bool, Error> {
        let is_open = |it: &Self| it.opened.get().is_some_and(Result::is_ok);
        let is_missing = is_open(other) && !is_open(self);
        if is_missing {
            self.get(manifest, source).await?;
        }
        Ok(is_missing)
    }

    /// The index. The first caller opens it; concurrent callers wait. If the bucket does not answer, the next
    /// caller tries again.
    pub(crate) async fn get(&self, manifest: &Manifest, source: &Source) -> Result<&I, Error> {
        // In a box, because the compiler limits how deeply futures contain each other.
        let open = async || match Box::pin(source.open(manifest)).await {
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
    /// Where the generations are published.
    pub(crate) fn location(&self) -> Location {
        self.layout.location(&self.objects)
    }

    /// Downloads the files of an index into a temporary folder, checks them, and opens the index. Its records stay in the
    /// bucket.
    async fn open<I: Index>(&self, manifest: &Manifest) -> Result<Opened<I>, Error> {
        let location = self.location();
        let directory = Arc::new(self.downloads.create(I::FOLDER)?);
        let files = manifest.files_in(I::FOLDER).cloned();
        let (records, files): (Vec<File>, Vec<File>) =
            files.partition(|it| it.path.ends_with(BLOCKS));
        location.download(&manifest.id, files, directory.path()).await?;
        let records = records.into_iter().map(|file| {
            let key = location.key(&manifest.id, &file.path);
            (file.path, Arc::new(BucketBlocks::new(self.objects.clone(), key, file.size)))
        });
        let records = RecordsOf { index: I::FOLDER, files: records.collect() };
        let files: Vec<_> = records.files.values().cloned().collect();
        let kept = directory.clone();
        let open = move || {
            let index = I::open(&directory.path().join(I::FOLDER), &records)?;
            Ok(Opened { index, _directory: directory })
        };
        let opened = tokio::task::spawn_blocking(open).await.map_err(io::Error::other)?;
        if opened.is_ok() {
            tracing::info!(generation = manifest.id, index = I::FOLDER, "index opened");
            if self.copies_records {
                tokio::spawn(copy_all(files, kept));
            }
        }
        opened
    }
}

/// The files of records of an index, by their paths within the generation.
struct RecordsOf {
    index: &'static str,
    files: HashMap<String, Arc<BucketBlocks>>,
}

impl Storage for RecordsOf {
    fn blocks(&self, folder: &str) -> io::Result<Arc<dyn ReadBlocks>> {
        let path = format!("{}/{folder}/{BLOCKS}", self.index);
        let missing = || io::Error::new(io::ErrorKind::NotFound, "the generation has no records");
        self.files.get(&path).map(|it| it.clone() as _).ok_or_else(missing)
    }
}
