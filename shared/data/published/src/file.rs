use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Error;

/// Compression of files: they are written once and downloaded by many processes.
const LEVEL: i32 = 9;
/// Size of the pieces in which files are read, in bytes.
const BUFFER: usize = 1024 * 1024;

/// One file of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Path within the version, with `/` as separator.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Size of the object in bytes, if it is compressed with Zstandard (RFC 8878). The other members describe what it contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compressed: Option<u64>,
}

impl File {
    /// The description of a file on this machine.
    pub(crate) fn of(at: &Path, path: String) -> io::Result<Self> {
        let (size, sha256) = (fs::metadata(at)?.len(), digest(at)?);
        Ok(Self { path, size, sha256, compressed: None })
    }

    /// Compresses the file at this path. Returns the description and the path of the object.
    pub(crate) fn compress(mut self, at: &Path) -> io::Result<(Self, PathBuf)> {
        let object = compressed(at);
        let mut encoder = zstd::Encoder::new(fs::File::create(&object)?, LEVEL)?;
        io::copy(&mut fs::File::open(at)?, &mut encoder)?;
        self.compressed = Some(encoder.finish()?.metadata()?.len());
        Ok((self, object))
    }

    /// Decompresses the object at this path into another file, and deletes it. Writes no more than the size of the file. A
    /// damaged object gives a file that [`File::check`] refuses.
    pub(crate) fn decompress(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut decoder = zstd::Decoder::new(fs::File::open(from)?)?.take(self.size);
        let mut file = fs::File::create(to)?;
        let mut buffer = vec![0; BUFFER];
        while let Ok(read @ 1..) = decoder.read(&mut buffer) {
            file.write_all(&buffer[..read])?;
        }
        fs::remove_file(from)
    }

    /// Checks that the file at this path is the one that was published under this key, unaltered.
    pub(crate) fn check(&self, key: &str, at: &Path) -> Result<(), Error> {
        let size = fs::metadata(at)?.len();
        if size != self.size {
            let reason = format!("it has {size} bytes, not {}", self.size);
            return Err(Error::damaged(key, reason));
        }
        check(key, &digest(at)?, &self.sha256)
    }

    /// Whether its path leads out of the folder of its version.
    pub(crate) fn leaves_folder(&self) -> bool {
        self.path.split('/').any(|it| matches!(it, "" | "." | ".."))
    }
}

/// Where the compressed form of a file is while it is stored or downloaded.
pub(crate) fn compressed(path: &Path) -> PathBuf {
    path.with_added_extension("zst")
}

/// Compares a SHA-256 with the one that the description states.
pub(crate) fn check(key: &str, sha256: &str, expected: &str) -> Result<(), Error> {
    match sha256 == expected {
        true => Ok(()),
        false => Err(Error::damaged(key, "its SHA-256 is not that of the description")),
    }
}

fn digest(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}
