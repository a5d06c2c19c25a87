//! Where results are stored, and the content of the files: compressed numbers and lines.

use std::io::Read;

use bytes::Bytes;
use domain::lists::List;
use objects::Objects;
use published::{Error, Location, POINTER};
use serde::{Serialize, de::DeserializeOwned};

use crate::Published;

pub(crate) const NUMBERS: &str = "numbers.zst";
pub(crate) const FINGERPRINTS: &str = "fingerprints.zst";
pub(crate) const HITS: &str = "hits.jsonl.zst";

/// The layout of the files. Raised with every change that earlier versions of the service cannot read: they and this one keep
/// their own results, during a deployment and after it was rolled back.
const LAYOUT: u32 = 2;
const LEVEL: i32 = 3;
/// Maximum size of an object before compression: a register of ten million companies.
const MOST: u64 = 1 << 30;

/// Where the results of a list are published. The content of the pointer is a [`Published`].
pub(crate) fn location(objects: &Objects, list: List) -> Location {
    // Earlier versions delete all other objects in `screening/{list}/companies/`.
    Location::new(objects, format!("screening/{list}/{LAYOUT}/companies/"), "")
}

/// The current result of a list. `None` before the first.
pub async fn current(objects: &Objects, list: List) -> Result<Option<Published>, Error> {
    location(objects, list).read(POINTER).await
}

impl Published {
    pub(crate) fn key(&self, objects: &Objects, file: &str) -> String {
        location(objects, self.list).key(&self.id, file)
    }

    /// The content of a file.
    pub(crate) async fn file(
        &self,
        objects: &Objects,
        file: &str,
        sha256: &str,
    ) -> Result<Vec<u8>, Error> {
        let bytes = location(objects, self.list).get(&self.id, file, sha256).await?;
        decompress(&self.key(objects, file), bytes)
    }
}

pub(crate) fn compress(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(zstd::bulk::compress(bytes, LEVEL)?)
}

/// The content of an object. `None`: it does not exist.
pub(crate) fn decompress(key: &str, bytes: Option<Bytes>) -> Result<Vec<u8>, Error> {
    let bytes = bytes.ok_or_else(|| Error::damaged(key, "it does not exist"))?;
    let mut read = Vec::new();
    let decoder = zstd::Decoder::new(&bytes[..]).map_err(|it| Error::damaged(key, it))?;
    decoder.take(MOST).read_to_end(&mut read).map_err(|it| Error::damaged(key, it))?;
    Ok(read)
}

/// Each value on a line.
pub(crate) fn lines<T: Serialize>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut lines = Vec::new();
    for value in values {
        #[expect(clippy::expect_used, reason = "plain data, and memory takes every byte")]
        serde_json::to_writer(&mut lines, &value).expect("plain data");
        lines.push(b'\n');
    }
    lines
}

/// The values on the lines.
pub(crate) fn from_lines<T: DeserializeOwned>(key: &str, lines: &[u8]) -> Result<Vec<T>, Error> {
    let values = lines.split(|it| *it == b'\n').filter(|it| !it.is_empty());
    values.map(|it| serde_json::from_slice(it).map_err(|it| Error::damaged(key, it))).collect()
}

/// Numbers of 4 bytes.
pub(crate) fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|it| u32::from_le_bytes(*it)).collect()
}

/// Numbers of 8 bytes.
pub(crate) fn long_numbers(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|it| u64::from_le_bytes(*it)).collect()
}
