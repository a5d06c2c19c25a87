use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, Write},
};

use domain::lists::{Digests, ListEntry};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::temporary;

/// Writes the entries of a new version to a temporary file, compressed.
#[derive(Debug)]
pub struct EntriesWriter {
    file: GzEncoder<BufWriter<NamedTempFile>>,
    digests: Digests,
}

/// Entries that are ready to be published.
#[derive(Debug)]
pub(crate) struct WrittenEntries {
    pub(crate) file: NamedTempFile,
    pub(crate) size: u64,
    pub(crate) sha256: String,
}

impl EntriesWriter {
    /// A new file in the folder for temporary files.
    pub fn new() -> io::Result<Self> {
        let file = BufWriter::new(temporary::file()?);
        Ok(Self { file: GzEncoder::new(file, Compression::default()), digests: Digests::new() })
    }

    /// Adds an entry. Readers pass each entry once.
    pub fn push(&mut self, entry: &ListEntry) -> io::Result<()> {
        self.digests.insert(entry.id.clone(), entry.digest());
        serde_json::to_writer(&mut self.file, entry)?;
        self.file.write_all(b"\n")
    }

    /// The hashes of the entries so far.
    pub fn digests(&self) -> &Digests {
        &self.digests
    }

    pub(crate) fn finish(self) -> io::Result<WrittenEntries> {
        let mut file = self.file.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        let size = file.as_file().metadata()?.len();
        let sha256 = sha256(file.as_file_mut())?;
        Ok(WrittenEntries { file, size, sha256 })
    }
}

/// The SHA-256 of a file, in hexadecimal. Leaves it at its start.
pub(crate) fn sha256(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    file.rewind()?;
    Ok(hex::encode(hasher.finalize()))
}
