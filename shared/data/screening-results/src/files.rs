//! The content of the objects: compressed numbers and lines, whose SHA-256 is checked.

use std::io::Read;

use objects::Objects;
use serde::{Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::Error;

const LEVEL: i32 = 3;
/// Maximum size of an object before compression: a register of ten million companies.
const MOST: u64 = 1 << 30;

pub(crate) fn damaged(key: &str, reason: impl ToString) -> Error {
    Error::Damaged { key: key.to_owned(), reason: reason.to_string() }
}

/// Compresses the bytes, stores them, and returns the SHA-256 of what is stored.
pub(crate) async fn put(objects: &Objects, key: &str, bytes: &[u8]) -> Result<String, Error> {
    let compressed = zstd::bulk::compress(bytes, LEVEL)?;
    let digest = hex::encode(Sha256::digest(&compressed));
    objects.put(key, compressed).await?;
    Ok(digest)
}

/// Reads what [`put`] has stored. Without `sha256`, what is read is not compared.
pub(crate) async fn get(
    objects: &Objects,
    key: &str,
    sha256: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let bytes = objects.get(key).await?.ok_or_else(|| damaged(key, "it does not exist"))?;
    if sha256.is_some_and(|it| it != hex::encode(Sha256::digest(&bytes))) {
        return Err(damaged(key, "its SHA-256 is not that of the description"));
    }
    let decoder = zstd::Decoder::new(&bytes[..]).map_err(|it| damaged(key, it))?;
    let mut read = Vec::new();
    decoder.take(MOST).read_to_end(&mut read).map_err(|it| damaged(key, it))?;
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
    values.map(|it| serde_json::from_slice(it).map_err(|it| damaged(key, it))).collect()
}

/// Numbers of 4 bytes.
pub(crate) fn numbers(bytes: &[u8]) -> Vec<u32> {
    let four = bytes.chunks_exact(4);
    four.map(|it| u32::from_le_bytes([it[0], it[1], it[2], it[3]])).collect()
}

/// Numbers of 8 bytes.
pub(crate) fn long_numbers(bytes: &[u8]) -> Vec<u64> {
    let eight = bytes.chunks_exact(8);
    let number = |it: &[u8]| it.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    eight.map(number).collect()
}
