use std::{
    fs::File,
    io::{self, BufRead, BufReader, Seek},
};

use domain::lists::ListEntry;
use flate2::read::GzDecoder;
use objects::Objects;

use crate::{Error, PublishedVersion, temporary, version::entries_key, writer::sha256};

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
        let (list, size) = (published.version.list, published.size);
        let file = temporary::file()?;
        objects.download(&entries_key(list, &published.id), size, file.path()).await?;
        // The name is not needed any more: the space is free when the process ends, however it ends.
        let mut compressed = file.into_file();
        let check = move || sha256(&mut compressed).map(|it| (it, compressed));
        let (digest, compressed) =
            tokio::task::spawn_blocking(check).await.map_err(io::Error::other)??;
        let stored = Self { published, compressed };
        if digest != stored.published.entries_sha256 {
            let reason = "the entries do not have the SHA-256 of the description";
            return Err(stored.damaged(reason.to_owned()));
        }
        Ok(stored)
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
        let (list, version) = (self.published.version.list, self.published.id.clone());
        Error::Damaged { list, version, reason }
    }
}

#[cfg(test)]
impl StoredEntries {
    /// A version with these entries.
    pub(crate) fn of(id: &str, entries: &[ListEntry]) -> Self {
        let mut writer = crate::EntriesWriter::new().expect("a file");
        entries.iter().for_each(|it| writer.push(it).expect("written"));
        let written = writer.finish().expect("written");
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
            size: written.size,
            entries_sha256: written.sha256,
            kept: 0,
            unsearched: 0,
        };
        Self { published, compressed: written.file.into_file() }
    }
}
