use std::{io, path::Path};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use objects::Objects;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{
    Error, File,
    file::{check, compressed},
};

/// The name of the pointer.
pub const POINTER: &str = "current.json";
/// Number of files that are stored or downloaded in parallel: most are small, so that this is mostly waiting.
const PARALLEL_FILES: usize = 4;

/// Where the versions of one thing are published.
#[derive(Clone, Debug)]
pub struct Location {
    objects: Objects,
    /// The folder of the pointer, with `/` at its end.
    folder: String,
    /// The folder with a folder for each version.
    versions: String,
}

/// Describes a version and its files.
pub trait Description: Serialize + DeserializeOwned + Send + Sync {
    /// The name of the object with the description, in the folder of the version.
    const NAME: &'static str;

    /// The folder of the pointer.
    fn folder(&self) -> String;

    /// The id of the version. Ids sort by time.
    fn id(&self) -> &str;

    /// The files that are downloaded.
    fn files(&self) -> &[File] {
        &[]
    }
}

/// The state of the pointer when publishing began.
#[derive(Debug)]
pub struct Before(Option<String>);

/// The content of a pointer to a description.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Pointer {
    id: String,
}

impl Location {
    /// The pointer is in `folder`, and each version in a folder below `versions`, which is below `folder`.
    pub fn new(objects: &Objects, folder: String, versions: &str) -> Self {
        let versions = format!("{folder}{versions}");
        Self { objects: objects.clone(), folder, versions }
    }

    /// The key of a file in the folder with this id.
    pub fn key(&self, id: &str, path: &str) -> String {
        format!("{}{id}/{path}", self.versions)
    }

    /// The content of an object beside the pointer. `None` if it does not exist.
    pub async fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Error> {
        self.json(&self.beside(name)).await
    }

    /// Replaces an object beside the pointer.
    pub async fn write(&self, name: &str, content: &impl Serialize) -> Result<(), Error> {
        Ok(self.objects.put(&self.beside(name), to_json(content)).await?)
    }

    /// Deletes an object beside the pointer.
    pub async fn delete(&self, name: &str) -> Result<(), Error> {
        Ok(self.objects.delete(&self.beside(name)).await?)
    }

    fn beside(&self, name: &str) -> String {
        format!("{}{name}", self.folder)
    }

    async fn json<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, Error> {
        let Some(bytes) = self.objects.get(key).await? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|it| Error::damaged(key, it))
    }

    /// The id of the current version. `None` before the first.
    pub async fn current_id(&self) -> Result<Option<String>, Error> {
        Ok(self.read(POINTER).await?.map(|Pointer { id }| id))
    }

    /// The current version. `None` before the first.
    pub async fn current<D: Description>(&self) -> Result<Option<D>, Error> {
        match self.current_id().await? {
            Some(id) => self.version(&id).await.map(Some),
            None => Ok(None),
        }
    }

    /// The version with this id, which was published and not deleted.
    pub async fn version<D: Description>(&self, id: &str) -> Result<D, Error> {
        let missing = || Error::damaged(&self.key(id, D::NAME), "it does not exist");
        self.find(id).await?.ok_or_else(missing)
    }

    /// The version with this id. `None` if it was not published, or is deleted.
    pub async fn find<D: Description>(&self, id: &str) -> Result<Option<D>, Error> {
        let key = self.key(id, D::NAME);
        let Some(version) = self.json::<D>(&key).await? else { return Ok(None) };
        if version.id() != id || version.folder() != self.folder {
            return Err(Error::damaged(&key, "it describes another version or another layout"));
        }
        match version.files().iter().find(|it| it.leaves_folder()) {
            Some(File { path, .. }) => {
                Err(Error::damaged(&key, format!("`{path}` is not a path within the version")))
            }
            None => Ok(Some(version)),
        }
    }

    /// The bytes of a file in the folder with this id. `None` if it does not exist.
    pub async fn get(&self, id: &str, path: &str, sha256: &str) -> Result<Option<Bytes>, Error> {
        let key = self.key(id, path);
        let Some(bytes) = self.objects.get(&key).await? else { return Ok(None) };
        check(&key, &hex::encode(Sha256::digest(&bytes)), sha256)?;
        Ok(Some(bytes))
    }

    /// Stores a file in the folder with this id. Returns the SHA-256 of its bytes.
    pub async fn put(&self, id: &str, path: &str, bytes: Vec<u8>) -> Result<String, Error> {
        let digest = hex::encode(Sha256::digest(&bytes));
        self.objects.put(&self.key(id, path), bytes).await?;
        Ok(digest)
    }

    /// Stores a file of this machine in the folder with this id, compressed if `is_compressed`.
    pub async fn put_file(
        &self,
        id: &str,
        path: &str,
        from: &Path,
        is_compressed: bool,
    ) -> Result<File, Error> {
        let (path, plain) = (path.to_owned(), from.to_owned());
        let (file, from) = blocking(move || {
            let file = File::of(&plain, path)?;
            // Compressing nothing would give an object of several bytes.
            match is_compressed && file.size > 0 {
                true => Ok(file.compress(&plain)?),
                false => Ok((file, plain)),
            }
        })
        .await?;
        self.objects.put_file(&self.key(id, &file.path), &from).await?;
        if file.compressed.is_some() {
            std::fs::remove_file(&from)?;
        }
        Ok(file)
    }

    /// Stores the files in a directory and below it in the folder with this id, compressed those for whose path `is_compressed`
    /// returns true.
    pub async fn put_files(
        &self,
        id: &str,
        directory: &Path,
        is_compressed: fn(&str) -> bool,
    ) -> Result<Vec<File>, Error> {
        let put = stream::iter(paths_in(directory)?).map(async |path| {
            self.put_file(id, &path, &directory.join(&path), is_compressed(&path)).await
        });
        put.buffered(PARALLEL_FILES).try_collect().await
    }

    /// Downloads files of the folder with this id into a directory, and checks each while others are downloaded.
    pub async fn download(
        &self,
        id: &str,
        files: impl IntoIterator<Item = File>,
        directory: &Path,
    ) -> Result<(), Error> {
        let downloads = files.into_iter().map(|file| {
            let (location, id, directory) = (self.clone(), id.to_owned(), directory.to_owned());
            async move { location.download_one(&id, file, &directory).await }
        });
        stream::iter(downloads).buffer_unordered(PARALLEL_FILES).try_collect().await
    }

    async fn download_one(&self, id: &str, file: File, directory: &Path) -> Result<(), Error> {
        let (key, path) = (self.key(id, &file.path), directory.join(&file.path));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let (object, size) = match file.compressed {
            Some(size) => (compressed(&path), size),
            None => (path.clone(), file.size),
        };
        self.objects.download(&key, size, &object).await?;
        blocking(move || {
            if file.compressed.is_some() {
                file.decompress(&object, &path)?;
            }
            file.check(&key, &path)
        })
        .await
    }

    /// Begins to publish a version. Its files are stored afterwards.
    pub async fn begin(&self) -> Result<Before, Error> {
        let pointer = self.objects.get_tagged(&self.beside(POINTER)).await?;
        Ok(Before(pointer.map(|(_, tag)| tag)))
    }

    /// Makes a version whose files are stored the current one.
    pub async fn publish<D: Description>(&self, version: &D, before: &Before) -> Result<(), Error> {
        self.objects.put(&self.key(version.id(), D::NAME), to_json(version)).await?;
        self.point_to(&Pointer { id: version.id().to_owned() }, before).await
    }

    /// Replaces the pointer. This is all that [`Location::publish`] does for a thing without descriptions.
    pub async fn point_to<P>(&self, next: &P, Before(tag): &Before) -> Result<(), Error>
    where
        P: Serialize + DeserializeOwned + PartialEq,
    {
        let key = self.beside(POINTER);
        if self.objects.put_if(&key, to_json(next), tag.as_deref()).await? {
            return Ok(());
        }
        // If only the answer was lost, it is replaced.
        match self.read(POINTER).await? {
            Some(current) if *next == current => Ok(()),
            _ => Err(Error::Overtaken(key)),
        }
    }

    /// The ids of the versions that have a description, oldest first.
    pub async fn ids<D: Description>(&self) -> Result<Vec<String>, Error> {
        let keys = self.objects.keys(&self.versions).await?;
        let described = keys.iter().filter_map(|key| self.place(key));
        let described = described.filter(|(_, path)| *path == D::NAME);
        Ok(described.map(|(id, _)| id.to_owned()).collect())
    }

    /// Deletes the files for whose id and path `is_kept` returns false.
    pub async fn retain(&self, is_kept: impl Fn(&str, &str) -> bool) -> Result<(), Error> {
        for key in self.objects.keys(&self.versions).await? {
            if self.place(&key).is_some_and(|(id, path)| !is_kept(id, path)) {
                self.objects.delete(&key).await?;
            }
        }
        Ok(())
    }

    /// The id of the folder of an object, and the path within it. `None` if it is in none.
    fn place<'a>(&self, key: &'a str) -> Option<(&'a str, &'a str)> {
        key.strip_prefix(&self.versions)?.split_once('/')
    }
}

#[expect(clippy::expect_used, reason = "plain data")]
fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain data always serialises")
}

/// The paths of the files in a directory and below it, sorted.
fn paths_in(directory: &Path) -> io::Result<Vec<String>> {
    let (mut paths, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(directory.join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            match entry.file_type()?.is_dir() {
                true => folders.push(format!("{path}/")),
                false => paths.push(path),
            }
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Hashing and compressing megabytes would block requests on an async thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests;
