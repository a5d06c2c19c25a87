use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

use domain::lists::{Digests, ListEntry};
use flate2::{Compression, write::GzEncoder};
use published::{TemporaryDirectory, TemporaryFolder};

/// The name of the file with the entries.
pub(crate) const ENTRIES: &str = "entries.jsonl.gz";

/// Writes the entries of a new version to a temporary file, compressed.
#[derive(Debug)]
pub struct EntriesWriter {
    file: GzEncoder<BufWriter<File>>,
    folder: TemporaryDirectory,
    digests: Digests,
}

impl EntriesWriter {
    /// A new file in the folder for temporary files.
    pub fn new() -> io::Result<Self> {
        let folder = temporary_folder()?;
        let file = BufWriter::new(File::create(folder.path().join(ENTRIES))?);
        let file = GzEncoder::new(file, Compression::default());
        Ok(Self { file, folder, digests: Digests::new() })
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

    /// The folder with the file [`ENTRIES`].
    pub(crate) fn finish(self) -> io::Result<TemporaryDirectory> {
        self.file.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(self.folder)
    }
}

/// A folder for the entries of one version, below that of the environment.
pub(crate) fn temporary_folder() -> io::Result<TemporaryDirectory> {
    TemporaryFolder::open(std::env::temp_dir()).create("list")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test of [`TemporaryFolder`] shows that it deletes what killed processes leave in such folders, and nothing else.
    #[test]
    fn entries_are_in_a_folder_whose_leftovers_are_deleted() {
        let writer = EntriesWriter::new().expect("a file");
        let path = writer.folder.path().to_owned();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(path.starts_with(std::env::temp_dir()) && name.starts_with("published-"), "{name}");
        assert!(path.join(ENTRIES).exists());
        drop(writer);
        assert!(!path.exists());
    }
}
