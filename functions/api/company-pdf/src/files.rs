//! Renders files, and stores them in the bucket.
//!
//! The key of a file is the SHA-256 of all that decides its bytes: the data, which contains the record, the language, the
//! sections and the risk, and the template with the version of the program. So a file never has to be replaced, and a
//! lifecycle rule deletes it after 30 days.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::typesetting::Typesetter;
use bytes::Bytes;
use components::{Component, Components};
use domain::Uid;
use objects::Objects;
use problem_details::Problem;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

const TEMPLATE: &str = include_str!("../template/profile.typ");
/// Increase it when a change of the code or of a library changes the files, but neither template nor data.
const VERSION: &str = "1";
/// Beginning of the keys of files.
const PREFIX: &str = "company-pdfs";
/// Length of the SHA-256 before the bytes of a stored file.
const DIGEST: usize = 32;
/// Number of files that are rendered at once.
const PARALLEL: usize = 2;
/// Time after which a caller is not kept waiting for a file.
const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, thiserror::Error)]
#[error("the file is not ready after {} seconds", TIMEOUT.as_secs())]
struct TooSlow;

/// Files from data: those that are stored, or else new ones.
#[derive(Clone, Debug)]
pub struct Files {
    objects: Objects,
    typesetter: Arc<OnceLock<Typesetter>>,
    permits: Arc<Semaphore>,
}

/// The files in the bucket.
impl Component for Files {
    fn open(components: &Components) -> Self {
        let permits = Arc::new(Semaphore::new(PARALLEL));
        Self { objects: components.get(), typesetter: Arc::default(), permits }
    }
}

impl Files {
    /// The file with this data. A bucket that does not answer costs time, and nothing else.
    pub(crate) async fn file(&self, uid: Uid, data: Value) -> Result<Bytes, Problem> {
        let key = key(uid, &data)?;
        if let Some(stored) = self.stored(&key).await {
            return Ok(stored);
        }
        let rendered = tokio::time::timeout(TIMEOUT, self.render(data)).await;
        let file = rendered.map_err(|_| Problem::unavailable(TooSlow))??;
        let mut object = Sha256::digest(&file).to_vec();
        object.extend_from_slice(&file);
        if let Err(failure) = self.objects.put(&key, object).await {
            tracing::warn!(failure = errors::chain(&failure), "a PDF file was not stored");
        }
        Ok(file)
    }

    /// A stored file. `None` if there is none, or if it is damaged.
    async fn stored(&self, key: &str) -> Option<Bytes> {
        let object = match self.objects.get(key).await {
            Ok(object) => object?,
            Err(failure) => {
                tracing::warn!(
                    failure = errors::chain(&failure),
                    "stored PDF files are not available"
                );
                return None;
            }
        };
        let whole = object
            .split_at_checked(DIGEST)
            .is_some_and(|(digest, file)| Sha256::digest(file).as_slice() == digest);
        if !whole {
            tracing::warn!(key, "a stored PDF file is damaged");
            return None;
        }
        Some(object.slice(DIGEST..))
    }

    async fn render(&self, data: Value) -> Result<Bytes, Problem> {
        let permit = Arc::clone(&self.permits).acquire_owned().await?;
        let typesetter = Arc::clone(&self.typesetter);
        let rendered = tokio::task::spawn_blocking(move || {
            // Held until the file is ready, even if its caller has stopped waiting.
            let _permit = permit;
            typesetter.get_or_init(|| Typesetter::new(TEMPLATE)).render(data)
        });
        let rendered = rendered.await??;
        for warning in &rendered.warnings {
            tracing::warn!(warning, "the template of the PDF file");
        }
        Ok(rendered.bytes.into())
    }
}

/// The key of a file in the bucket.
fn key(uid: Uid, data: &Value) -> Result<String, serde_json::Error> {
    let mut content = Sha256::new();
    for part in [VERSION.as_bytes(), TEMPLATE.as_bytes(), &serde_json::to_vec(data)?] {
        content.update((part.len() as u64).to_be_bytes());
        content.update(part);
    }
    Ok(format!("{PREFIX}/{uid}/{}.pdf", hex::encode(content.finalize())))
}
