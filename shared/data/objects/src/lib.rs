//! The S3 bucket.
//!
//! Invariant: the only crate that uses the S3 SDK.

mod presigned;
mod upload;

use std::{ops::Range, path::Path, time::Duration};

use aws::{Limits, SdkConfig};
use aws_sdk_s3::{
    Config,
    config::{Builder, StalledStreamProtectionConfig},
    error::SdkError,
    operation::get_object::GetObjectError,
    primitives::ByteStream,
};
use bytes::Bytes;
use components::{Component, Components};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

pub use aws_sdk_s3::Client;
pub use upload::{MIN_PART, Upload};

/// Number of bytes per request of a download.
const RANGE: u64 = 8 * 1024 * 1024;
/// Number of ranges downloaded in parallel.
const PARALLEL_RANGES: usize = 4;
/// Number of bytes per request of a stream, and number of those requests in parallel.
const PIECE: u64 = 1024 * 1024;
const PARALLEL_PIECES: usize = 2;
/// Number of attempts to read a complete body.
const READ_ATTEMPTS: u32 = 3;
/// Time before the second attempt; twice that before the third. The embedded S3 writes an object and its checksum one after the
/// other.
const BEFORE_RETRY: Duration = Duration::from_millis(50);

/// Why an operation on the bucket failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the bucket did not answer")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    #[error("there is no object `{0}`")]
    Missing(String),
    #[error("the object `{key}` is shorter than {size} bytes")]
    Shorter { key: String, size: u64 },
    #[error("a file on this machine could not be read or written")]
    File(#[from] std::io::Error),
}

/// How long a request without a body may take, and a download until its first byte.
const LIMITS: Limits = Limits::of_seconds(3, 10);
/// A download or upload without progress for so long fails, and is repeated.
const STALLED: Duration = Duration::from_secs(3);
/// The bytes that each second of an upload has to send, beside the time of [`LIMITS`].
const SLOWEST_UPLOAD: u64 = 1_000_000;

/// Creates the S3 client for an environment.
#[expect(clippy::disallowed_methods, reason = "the one place that creates this client")]
pub fn client(environment: &SdkConfig) -> Client {
    let stalled = StalledStreamProtectionConfig::enabled().grace_period(STALLED).build();
    let config = Builder::from(&LIMITS.of(environment)).stalled_stream_protection(stalled);
    Client::from_conf(config.build())
}

/// One bucket. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Objects {
    client: Client,
    bucket: String,
}

/// The bucket named by the setting `BUCKET`.
impl Component for Objects {
    fn open(components: &Components) -> Self {
        let bucket = components.required_setting("BUCKET");
        Self::named(components.client(client), bucket)
    }
}

impl Objects {
    pub fn named(client: Client, bucket: impl Into<String>) -> Self {
        Self { client, bucket: bucket.into() }
    }

    pub async fn put(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), Error> {
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        self.put_body(key, ByteStream::from(bytes), size).await
    }

    /// Stores a small object if the one with this key still has the tag that [`Objects::get_tagged`] has returned; without a tag,
    /// if there is none. Returns whether it did. After an answer that was lost, it may have stored the object and return false.
    /// S3 also asks for the right to read the object.
    pub async fn put_if(
        &self,
        key: &str,
        bytes: impl Into<Bytes>,
        tag: Option<&str>,
    ) -> Result<bool, Error> {
        let body = ByteStream::from(bytes.into());
        let request = self.client.put_object().bucket(&self.bucket).key(key).body(body);
        let request = match tag {
            Some(tag) => request.if_match(tag),
            None => request.if_none_match("*"),
        };
        match request.send().await {
            Ok(_) => Ok(true),
            // 412: the condition is not met. 409: another request has written at the same time. 404: the object was deleted.
            Err(SdkError::ServiceError(failure))
                if matches!(failure.raw().status().as_u16(), 404 | 409 | 412) =>
            {
                Ok(false)
            }
            Err(failure) => Err(unavailable(failure)),
        }
    }

    /// Uploads a local file.
    pub async fn put_file(&self, key: &str, path: &Path) -> Result<(), Error> {
        let size = tokio::fs::metadata(path).await?.len();
        let body = ByteStream::from_path(path).await;
        self.put_body(key, body.map_err(unavailable)?, size).await
    }

    async fn put_body(&self, key: &str, body: ByteStream, size: u64) -> Result<(), Error> {
        let request = self.client.put_object().bucket(&self.bucket).key(key).body(body);
        let request = request.customize().config_override(self.time_for(size));
        request.send().await.map(|_| ()).map_err(unavailable)
    }

    /// The settings of an upload of so many bytes.
    fn time_for(&self, size: u64) -> Builder {
        let attempt = LIMITS.attempt + Duration::from_secs(size / SLOWEST_UPLOAD);
        let limits = Limits { attempt, operation: 3 * attempt };
        let timeouts = limits.at_least(self.client.config().timeout_config());
        Config::builder().timeout_config(timeouts)
    }

    /// The bytes of an object. `None` if it does not exist.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, Error> {
        Ok(self.get_tagged(key).await?.map(|(bytes, _)| bytes))
    }

    /// As [`Objects::get`], with a tag that changes with the bytes.
    pub async fn get_tagged(&self, key: &str) -> Result<Option<(Bytes, String)>, Error> {
        match self.read(key, None).await {
            Ok(tagged) => Ok(Some(tagged)),
            Err(Error::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The bytes of an object of `size` bytes, in pieces of limited size. A piece that cannot be read ends them with an error.
    pub fn stream(&self, key: &str, size: u64) -> impl Stream<Item = Result<Bytes, Error>> + use<> {
        let (objects, key) = (self.clone(), key.to_owned());
        let starts = (0..size.div_ceil(PIECE)).map(|it| it * PIECE);
        let read = move |start| {
            let (objects, key) = (objects.clone(), key.clone());
            async move { objects.get_range(&key, start..(start + PIECE).min(size)).await }
        };
        stream::iter(starts).map(read).buffered(PARALLEL_PIECES)
    }

    /// The bytes of a part of an object.
    pub async fn get_range(&self, key: &str, range: Range<u64>) -> Result<Bytes, Error> {
        let Range { start, end } = range;
        if start >= end {
            return Ok(Bytes::new());
        }
        let (bytes, _) = self.read(key, Some(start..end)).await?;
        // S3 returns fewer bytes for a shorter object.
        match bytes.len() as u64 == end - start {
            true => Ok(bytes),
            false => Err(Error::Shorter { key: key.to_owned(), size: end }),
        }
    }

    pub async fn exists(&self, key: &str) -> Result<bool, Error> {
        Ok(self.size(key).await?.is_some())
    }

    /// The size of an object in bytes. `None` if it does not exist.
    pub async fn size(&self, key: &str) -> Result<Option<u64>, Error> {
        let request = self.client.head_object().bucket(&self.bucket).key(key);
        match request.send().await {
            Ok(answer) => {
                let size = answer.content_length().unwrap_or_default();
                Ok(Some(u64::try_from(size).unwrap_or_default()))
            }
            Err(SdkError::ServiceError(error)) if error.err().is_not_found() => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Downloads an object of `size` bytes into a file, in parallel ranges.
    pub async fn download(&self, key: &str, size: u64, path: &Path) -> Result<(), Error> {
        let file = tokio::fs::File::create(path).await?;
        file.set_len(size).await?;
        let ranges = (0..size.div_ceil(RANGE)).map(|it| it * RANGE);
        stream::iter(ranges)
            .map(async |start| {
                let end = (start + RANGE).min(size);
                let bytes = self.get_range(key, start..end).await?;
                let mut file = tokio::fs::OpenOptions::new().write(true).open(path).await?;
                file.seek(std::io::SeekFrom::Start(start)).await?;
                file.write_all(&bytes).await?;
                Ok::<_, Error>(file.flush().await?)
            })
            .buffer_unordered(PARALLEL_RANGES)
            .try_collect()
            .await
    }

    /// The keys with this prefix, sorted.
    pub async fn keys(&self, prefix: &str) -> Result<Vec<String>, Error> {
        let mut pages = self
            .client
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(prefix)
            .into_paginator()
            .send();
        let mut keys = Vec::new();
        while let Some(page) = pages.next().await {
            let objects = page.map_err(unavailable)?.contents.unwrap_or_default();
            keys.extend(objects.into_iter().filter_map(|it| it.key));
        }
        Ok(keys)
    }

    /// Deletes an object. Does nothing if it does not exist.
    pub async fn delete(&self, key: &str) -> Result<(), Error> {
        let request = self.client.delete_object().bucket(&self.bucket).key(key);
        request.send().await.map(|_| ()).map_err(unavailable)
    }

    /// Reads an object or a range, and the tag of the object. The SDK retries failed requests, but not bodies that end early or do
    /// not match their checksum, so this does.
    async fn read(&self, key: &str, range: Option<Range<u64>>) -> Result<(Bytes, String), Error> {
        let header = range.as_ref().map(|it| format!("bytes={}-{}", it.start, it.end - 1));
        let mut attempt = 1;
        loop {
            let request = self.client.get_object().bucket(&self.bucket).key(key);
            let answer = request.set_range(header.clone()).send().await.map_err(|it| {
                match (&it, &range) {
                    (SdkError::ServiceError(error), _)
                        if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
                    {
                        Error::Missing(key.to_owned())
                    }
                    // The range begins after the end of the object.
                    (SdkError::ServiceError(error), Some(range))
                        if error.raw().status().as_u16() == 416 =>
                    {
                        Error::Shorter { key: key.to_owned(), size: range.end }
                    }
                    _ => unavailable(it),
                }
            })?;
            let tag = answer.e_tag.unwrap_or_default();
            match answer.body.collect().await {
                Ok(body) => return Ok((body.into_bytes(), tag)),
                Err(_) if attempt < READ_ATTEMPTS => {
                    tokio::time::sleep(BEFORE_RETRY * attempt).await;
                    attempt += 1;
                }
                Err(error) => return Err(unavailable(error)),
            }
        }
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(Box::new(error))
}
