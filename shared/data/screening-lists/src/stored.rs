use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek},
};

use domain::lists::ListEntry;
use flate2::read::GzDecoder;
use objects::Objects;
use published::Error;

use crate::{
    PublishedVersion,
    version::location,
    writer::{ENTRIES, temporary_folder},
};

/// The entries of a published version, downloaded and checked.
#[derive(Debug)]
pub struct StoredEntries {
    /// Which version it is.
    pub published: PublishedVersion,
    compressed: File,
}

impl StoredEntries {
    /// Downloads the entries of a version.
    pub async fn download(objects: &Objects, published: PublishedVersion) -> Result<Self, Error> {
        let folder = temporary_folder()?;
        let location = location(objects, published.version.list);
        location.download(&published.id, [published.entries()], folder.path()).await?;
        // The name is not needed any more: the space is free when the process ends, however it ends.
        let compressed = File::open(folder.path().join(ENTRIES))?;
        Ok(Self { published, compressed })
    }

    /// Passes every entry on, with its line, in the order in which they were written.
    pub fn for_each(
        &mut self,
        mut each: impl FnMut(&[u8], ListEntry) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.compressed.rewind()?;
        let mut lines = BufReader::new(GzDecoder::new(BufReader::new(&self.compressed)));
        let (mut line, mut number) = (Vec::new(), 0);
        loop {
            line.clear();
            if lines.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            number += 1;
            let entry = serde_json::from_slice(&line);
            let entry = entry.map_err(|it| self.damaged(format!("line {number}: {it}")))?;
            each(&line, entry)?;
        }
    }

    fn damaged(&self, reason: String) -> Error {
        let PublishedVersion { id, version, .. } = &self.published;
        Error::damaged(&format!("version {id} of the list {}", version.list), reason)
    }
}

#[cfg(test)]
impl StoredEntries {
    /// A version with these entries.
    pub(crate) fn of(id: &str, entries: &[ListEntry]) -> Self {
        let mut writer = crate::EntriesWriter::new().expect("a file");
        entries.iter().for_each(|it| writer.push(it).expect("written"));
        let folder = writer.finish().expect("written");
        let compressed = File::open(folder.path().join(ENTRIES)).expect("a file");
        let version = domain::lists::ListVersion {
            list: domain::lists::List::Seco,
            date: None,
            sha256: String::new(),
            entries: entries.len() as u64,
            active: entries.len() as u64,
            rejected: 0,
            incomplete: 0,
            demo: false,
        };
        let published = PublishedVersion {
            id: id.to_owned(),
            version,
            published_at: jiff::Timestamp::UNIX_EPOCH,
            size: 0,
            entries_sha256: String::new(),
            kept: 0,
            unsearched: 0,
        };
        Self { published, compressed }
    }
}
