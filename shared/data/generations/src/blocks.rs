//! Files of records in the bucket, read by range.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use futures_util::{FutureExt, future::BoxFuture};
use objects::Objects;
use published::TemporaryDirectory;
use text_index::{LocalBlocks, ReadBlocks, Unreachable};

/// A file of records in the bucket, or its copy on this machine.
#[derive(Debug)]
pub(crate) struct BucketBlocks {
    objects: Objects,
    key: String,
    size: u64,
    copy: OnceLock<LocalBlocks>,
}

impl BucketBlocks {
    pub(crate) fn new(objects: Objects, key: String, size: u64) -> Self {
        Self { objects, key, size, copy: OnceLock::new() }
    }

    /// Copies the file, so that it is read from this machine from now on.
    async fn copy(&self, directory: &TemporaryDirectory) -> Result<(), objects::Error> {
        let path = directory.path().join(self.key.replace('/', "-"));
        self.objects.download(&self.key, self.size, &path).await?;
        let copy = LocalBlocks::open(&path)?;
        let _set_once = self.copy.set(copy);
        Ok(())
    }
}

impl ReadBlocks for BucketBlocks {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, Unreachable>> {
        match self.copy.get() {
            Some(copy) => copy.read(range),
            None => {
                let read = self.objects.get_range(&self.key, range);
                read.map(|it| it.map_err(Into::into)).boxed()
            }
        }
    }
}

/// Copies files one after another. What cannot be copied is read from the bucket.
pub(crate) async fn copy_all(files: Vec<Arc<BucketBlocks>>, directory: Arc<TemporaryDirectory>) {
    for file in files {
        if let Err(failure) = file.copy(&directory).await {
            let (key, failure) = (&file.key, errors::chain(&failure));
            tracing::warn!(key, failure, "records were not copied to this machine");
        }
    }
}
