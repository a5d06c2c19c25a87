use std::{
    io::{Read, Write},
    ops::Deref,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use objects::Objects;
use risk::MeasuredRates;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;

/// Compression of the files of indexes: they are written once and downloaded by many processes.
const LEVEL: i32 = 9;
/// Size of the pieces in which files are read, in bytes.
const BUFFER: usize = 1024 * 1024;

/// The format of the files of a generation. Each has a folder of its own with its own pointer, so that two versions of the
/// service, of which one writes another layout, read their generations side by side: during a deployment, and after it was
/// rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout(pub u32);

impl Layout {
    /// The layout that this version reads and writes. Raised with every change that earlier versions cannot read.
    pub const PRESENT: Self = Self(7);

    /// The folder of all generations of this layout.
    pub(crate) fn folder(self) -> String {
        format!("generations/{}/", self.0)
    }

    /// The object with the id of the current generation.
    pub(crate) fn pointer(self) -> String {
        format!("{}current.json", self.folder())
    }

    pub(crate) fn manifest_key(self, id: &str) -> String {
        format!("{}{id}/manifest.json", self.folder())
    }

    /// Id of the current generation. `None` before the first.
    pub(crate) async fn current(self, objects: &Objects) -> Result<Option<String>, Error> {
        let pointer = self.pointer();
        let Some(current) = objects.get(&pointer).await? else { return Ok(None) };
        let Current { id } = serde_json::from_slice(&current)
            .map_err(|it| Error::Invalid { generation: pointer, reason: it.to_string() })?;
        Ok(Some(id))
    }
}

/// Description of a generation and its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub layout: Layout,
    /// A UUIDv7, so that ids sort by time.
    pub id: String,
    #[serde(flatten)]
    pub contents: Contents,
    pub files: Vec<File>,
}

/// What a generation contains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// When reading the registry started. Data stored before that time is included.
    pub built_at: Timestamp,
    /// Version of the registry before it was read. Equal to the registry's version if nothing has changed since.
    #[serde(default)]
    pub registry_version: u64,
    /// Sequence number of the last event included; 0 without events. All events up to it are included.
    pub as_of_sequence: u64,
    /// Number of companies.
    pub companies: u64,
    /// Number of companies that are not included because their stored data cannot be decoded.
    #[serde(default)]
    pub left_out: u64,
    /// Completeness counts.
    #[serde(default)]
    pub counts: Counts,
    /// Base rates of the register. Absent in generations of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<MeasuredRates>,
}

impl Deref for Manifest {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.contents
    }
}

/// Completeness of a generation, counted when it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Counts {
    /// Companies with data from sources other than the register.
    pub enriched: u64,
    pub with_canton: u64,
    pub with_status: u64,
    pub with_legal_form: u64,
    pub with_capital: u64,
    pub with_industry: u64,
    pub with_coordinates: u64,
    pub with_auditor: u64,
    /// Persons, including firms that hold a role, as far as publications distinguish them.
    pub persons: u64,
    /// Events, without internal ones.
    pub changes: u64,
    /// Publications from which the events were derived.
    pub publications: u64,
}

/// One file of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Path within the generation, with `/` as separator.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Size of the object in bytes, if it is compressed with Zstandard (RFC 8878). The other members describe what it contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressed: Option<u64>,
}

/// The content of `current.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Current {
    pub(crate) id: String,
}

impl Manifest {
    /// The manifest of the generation with this id.
    pub(crate) async fn read(objects: &Objects, layout: Layout, id: &str) -> Result<Self, Error> {
        let reason = "it has no manifest".to_owned();
        let missing = Error::Invalid { generation: id.to_owned(), reason };
        Self::find(objects, layout, id).await?.ok_or(missing)
    }

    /// The manifest of the generation with this id. `None` if it is not published or no longer kept.
    pub(crate) async fn find(
        objects: &Objects,
        layout: Layout,
        id: &str,
    ) -> Result<Option<Self>, Error> {
        let Some(manifest) = objects.get(&layout.manifest_key(id)).await? else { return Ok(None) };
        let invalid = |reason: String| Error::Invalid { generation: id.to_owned(), reason };
        let manifest: Self =
            serde_json::from_slice(&manifest).map_err(|it| invalid(it.to_string()))?;
        if manifest.layout != layout {
            return Err(invalid("its files have another layout".to_owned()));
        }
        Ok(Some(manifest))
    }

    /// The files in a directory and its subdirectories, with sizes and SHA-256.
    pub(crate) fn files_in(directory: &Path) -> Result<Vec<File>, std::io::Error> {
        let mut files = Vec::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(directory.join(&folder))? {
                let entry = entry?;
                let path = folder.join(entry.file_name());
                if entry.file_type()?.is_dir() {
                    folders.push(path);
                    continue;
                }
                let parts: Vec<_> = path.iter().map(|it| it.to_string_lossy()).collect();
                files.push(File {
                    path: parts.join("/"),
                    size: entry.metadata()?.len(),
                    sha256: digest(&entry.path())?,
                    compressed: None,
                });
            }
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(files)
    }

    /// The key of the object with the file at this path.
    pub(crate) fn key(&self, path: &str) -> String {
        format!("{}{}/{path}", self.layout.folder(), self.id)
    }

    /// The key of the object with this file.
    pub fn key_of(&self, file: &File) -> String {
        self.key(&file.path)
    }

    /// The manifest limited to the files of one index.
    pub(crate) fn of_index(&self, folder: &str) -> Self {
        let is_below = |it: &&File| it.path.split('/').next() == Some(folder);
        Self { files: self.files.iter().filter(is_below).cloned().collect(), ..self.clone() }
    }

    /// Rejects a manifest with paths that lead out of its generation.
    pub(crate) fn check_paths(&self) -> Result<(), Error> {
        let leaves =
            |path: &str| path.split('/').any(|it| it.is_empty() || it == ".." || it == ".");
        match self.files.iter().find(|it| leaves(&it.path)) {
            Some(File { path, .. }) => Err(Error::Invalid {
                generation: self.id.clone(),
                reason: format!("`{path}` is not a path within the generation"),
            }),
            None => Ok(()),
        }
    }
}

impl File {
    /// Compresses the file at this path into another. Returns the description of the object.
    pub(crate) fn compress(mut self, from: &Path, to: &Path) -> Result<Self, std::io::Error> {
        let mut encoder = zstd::Encoder::new(std::fs::File::create(to)?, LEVEL)?;
        std::io::copy(&mut std::fs::File::open(from)?, &mut encoder)?;
        self.compressed = Some(encoder.finish()?.metadata()?.len());
        Ok(self)
    }

    /// Decompresses the object at this path into another file, and deletes it. Writes no more than the size of the file. A
    /// damaged object gives a file that [`File::check`] refuses.
    pub(crate) fn decompress(&self, from: &Path, to: &Path) -> Result<(), std::io::Error> {
        let mut decoder = zstd::Decoder::new(std::fs::File::open(from)?)?.take(self.size);
        let mut file = std::fs::File::create(to)?;
        let mut buffer = vec![0; BUFFER];
        while let Ok(read @ 1..) = decoder.read(&mut buffer) {
            file.write_all(&buffer[..read])?;
        }
        std::fs::remove_file(from)
    }

    /// Checks that the file at this path is the file of this generation, unaltered.
    pub(crate) fn check(&self, generation: &str, at: &Path) -> Result<(), Error> {
        let Self { path, size, sha256, compressed: _ } = self;
        let invalid = |reason: String| Error::Invalid { generation: generation.to_owned(), reason };
        let length = std::fs::metadata(at).map_err(|it| invalid(format!("{path}: {it}")))?.len();
        if length != *size {
            return Err(invalid(format!("{path} has {length} bytes, not {size}")));
        }
        if digest(at)? != *sha256 {
            return Err(invalid(format!("{path} does not have the SHA-256 of the manifest")));
        }
        Ok(())
    }
}

fn digest(path: &Path) -> Result<String, std::io::Error> {
    let mut hasher = Sha256::new();
    let mut file = std::fs::File::open(path)?;
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hasher.update(&buffer[..read]);
    }
    Ok(hex::encode(hasher.finalize()))
}
