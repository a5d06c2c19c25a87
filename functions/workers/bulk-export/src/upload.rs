//! The object of a file.

use bytes::Bytes;
use objects::{MIN_PART, Objects, Upload};
use tokio::sync::mpsc::Receiver;

use crate::Error;

/// Usual size of a part that is uploaded: fewer requests, and still little memory.
pub const PART: usize = 8 * 1024 * 1024;

/// A part of a file.
pub(crate) struct Part {
    pub(crate) bytes: Bytes,
    /// Whether the file is complete with it. Without such a part, no object appears.
    pub(crate) is_last: bool,
}

/// Uploads the parts of a file as they arrive, and returns its size. A file of one part is uploaded with one request. The object
/// appears at the end. If this fails or is stopped, parts may be left, which the caller deletes.
pub(crate) async fn upload(
    objects: &Objects,
    key: &str,
    mut parts: Receiver<Part>,
) -> Result<u64, Error> {
    let mut upload: Option<Upload> = None;
    let mut size = 0;
    while let Some(Part { bytes, is_last }) = parts.recv().await {
        size += bytes.len() as u64;
        match &mut upload {
            None if is_last => {
                objects.put(key, bytes).await?;
                return Ok(size);
            }
            None => {
                let started = upload.insert(objects.start_upload(key).await?);
                started.add(bytes).await?;
            }
            Some(started) => {
                // S3 accepts an empty part, but it is not needed.
                if !bytes.is_empty() {
                    started.add(bytes).await?;
                }
                if is_last {
                    started.finish().await?;
                    return Ok(size);
                }
            }
        }
    }
    // The writer of the file has stopped, and says why.
    Err(Error::LeaseLost)
}

const _: () = assert!(PART >= MIN_PART);
