//! The bucket: generations, quarantined records, and later exports and documents.
//!
//! Invariant: the only crate that knows the S3 SDK.

use std::path::Path;

use aws_environment::SdkConfig;
use aws_sdk_s3::{error::SdkError, operation::get_object::GetObjectError, primitives::ByteStream};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

pub use aws_sdk_s3::Client;

/// How many bytes one request of a download asks for.
const RANGE: u64 = 8 * 1024 * 1024;
/// How many ranges are asked for at the same time.
const RANGES_AT_A_TIME: usize = 4;
/// How often an answer is read before it is given up.
const BODIES_READ: u32 = 3;

/// What can go wrong between us and the bucket.
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

/// The client for an environment.
pub fn client(environment: &SdkConfig) -> Client {
    Client::new(environment)
}

/// One bucket. Clones share one connection pool.
#[derive(Clone, Debug)]
pub struct Objects {
    client: Client,
    bucket: String,
}

impl Objects {
    pub fn named(client: Client, bucket: impl Into<String>) -> Self {
        Self { client, bucket: bucket.into() }
    }

    /// The bucket that `BUCKET` names. Stops the start where it names none.
    #[expect(
        clippy::disallowed_methods,
        reason = "the bucket's name is read here and nowhere else"
    )]
    pub fn from_env(client: Client) -> Self {
        match std::env::var("BUCKET") {
            Ok(bucket) if !bucket.is_empty() => Self::named(client, bucket),
            _ => panic!("BUCKET is not set; template.yaml sets it"),
        }
    }

    pub async fn put(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), Error> {
        self.put_body(key, ByteStream::from(bytes.into())).await
    }

    /// Puts a file of this machine.
    pub async fn put_file(&self, key: &str, path: &Path) -> Result<(), Error> {
        let body = ByteStream::from_path(path).await;
        self.put_body(key, body.map_err(unavailable)?).await
    }

    async fn put_body(&self, key: &str, body: ByteStream) -> Result<(), Error> {
        let request = self.client.put_object().bucket(&self.bucket).key(key).body(body);
        request.send().await.map(|_| ()).map_err(unavailable)
    }

    /// The object's bytes; `None` where there is no such object.
    pub async fn get(&self, key: &str) -> Result<Option<Bytes>, Error> {
        match self.read(key, None).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub async fn exists(&self, key: &str) -> Result<bool, Error> {
        let request = self.client.head_object().bucket(&self.bucket).key(key);
        match request.send().await {
            Ok(_) => Ok(true),
            Err(SdkError::ServiceError(error)) if error.err().is_not_found() => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Writes an object of `size` bytes into a file, in parallel ranges.
    pub async fn download(&self, key: &str, size: u64, path: &Path) -> Result<(), Error> {
        let file = tokio::fs::File::create(path).await?;
        file.set_len(size).await?;
        let ranges = (0..size.div_ceil(RANGE)).map(|it| it * RANGE);
        stream::iter(ranges)
            .map(async |start| {
                let end = (start + RANGE).min(size) - 1;
                let bytes = self.read(key, Some(format!("bytes={start}-{end}"))).await?;
                // An object that is shorter answers what it has; the file would keep zeros for the rest.
                if bytes.len() as u64 != end - start + 1 {
                    return Err(Error::Shorter { key: key.to_owned(), size });
                }
                let mut file = tokio::fs::OpenOptions::new().write(true).open(path).await?;
                file.seek(std::io::SeekFrom::Start(start)).await?;
                file.write_all(&bytes).await?;
                Ok::<_, Error>(file.flush().await?)
            })
            .buffer_unordered(RANGES_AT_A_TIME)
            .try_collect()
            .await
    }

    /// The keys that start so, in order.
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

    /// Deletes an object. Deleting what is not there changes nothing.
    pub async fn delete(&self, key: &str) -> Result<(), Error> {
        let request = self.client.delete_object().bucket(&self.bucket).key(key);
        request.send().await.map(|_| ()).map_err(unavailable)
    }

    /// The SDK asks again where there is no answer. Where an answer breaks off, or is not what its
    /// checksum says, that is left to us.
    async fn read(&self, key: &str, range: Option<String>) -> Result<Bytes, Error> {
        let mut attempt = 1;
        loop {
            let request = self.client.get_object().bucket(&self.bucket).key(key);
            let answer = request.set_range(range.clone()).send().await.map_err(|it| match &it {
                SdkError::ServiceError(error)
                    if matches!(error.err(), GetObjectError::NoSuchKey(_)) =>
                {
                    Error::Missing(key.to_owned())
                }
                _ => unavailable(it),
            })?;
            match answer.body.collect().await {
                Ok(body) => return Ok(body.into_bytes()),
                Err(_) if attempt < BODIES_READ => attempt += 1,
                Err(error) => return Err(unavailable(error)),
            }
        }
    }
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::Unavailable(Box::new(error))
}
