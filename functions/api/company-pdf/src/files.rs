//! Renders files, and stores them in the bucket.
//!
//! The key of a file is the SHA-256 of all that decides its bytes: the data, which contains the record, the language, the
//! sections and the risk, and the template with the version of the program. So a file never has to be replaced, and a
//! lifecycle rule deletes it after 30 days.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use crate::typesetting::{STYLE, Typesetter};
use auth::Language;
use bytes::Bytes;
use components::{Component, Components};
use http::{
    HeaderName,
    header::{ACCEPT_LANGUAGE, CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_TYPE, VARY},
};
use kept_results::KeptResults;
use problem_details::Problem;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use utoipa::ToSchema;

/// Media type of the files.
pub(crate) const PDF: &str = "application/pdf";

/// A PDF file, in the description of the API.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "utoipa reads only its attributes")]
pub(crate) struct PdfFile(Vec<u8>);

/// The headers of a file in a language that the caller prefers.
pub(crate) fn pdf_headers(name: &str, language: Language) -> [(HeaderName, String); 4] {
    [
        (CONTENT_TYPE, PDF.to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (CONTENT_LANGUAGE, language.code().to_owned()),
        (VARY, ACCEPT_LANGUAGE.as_str().to_owned()),
    ]
}

/// A kind of document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Template {
    /// The profile of a company.
    Profile,
    /// The report of an industry.
    Industry,
}

impl Template {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Profile => include_str!("../template/profile.typ"),
            Self::Industry => include_str!("../template/industry.typ"),
        }
    }
}

/// Increase it when a change of the code or of a library changes the files, but neither template nor data.
const VERSION: &str = "1";
/// Beginning of the keys of files.
const PREFIX: &str = "company-pdfs";
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
    stored: KeptResults,
    /// One for each template.
    typesetters: Arc<[OnceLock<Typesetter>; 2]>,
    permits: Arc<Semaphore>,
}

/// The files in the bucket.
impl Component for Files {
    fn open(components: &Components) -> Self {
        let permits = Arc::new(Semaphore::new(PARALLEL));
        Self { stored: components.get(), typesetters: Arc::default(), permits }
    }
}

impl Files {
    /// The file with this data. A bucket that does not answer costs time, and nothing else.
    ///
    /// `subject` is a folder of files about the same.
    pub(crate) async fn file(
        &self,
        template: Template,
        subject: &str,
        data: Value,
    ) -> Result<Bytes, Problem> {
        let key = key(template, subject, &data)?;
        if let Some(stored) = self.stored.read(&key).await {
            return Ok(stored);
        }
        let rendered = tokio::time::timeout(TIMEOUT, self.render(template, data)).await;
        let file = rendered.map_err(|_| Problem::unavailable(TooSlow))??;
        self.stored.keep(&key, &file).await;
        Ok(file)
    }

    async fn render(&self, template: Template, data: Value) -> Result<Bytes, Problem> {
        let permit = Arc::clone(&self.permits).acquire_owned().await?;
        let typesetters = Arc::clone(&self.typesetters);
        let rendered = tokio::task::spawn_blocking(move || {
            // Held until the file is ready, even if its caller has stopped waiting.
            let _permit = permit;
            let typesetter =
                typesetters[template as usize].get_or_init(|| Typesetter::new(template.text()));
            typesetter.render(data)
        });
        let rendered = rendered.await??;
        for warning in &rendered.warnings {
            tracing::warn!(warning, "the template of the PDF file");
        }
        Ok(rendered.bytes.into())
    }
}

/// The key of a file in the bucket.
fn key(template: Template, subject: &str, data: &Value) -> Result<String, serde_json::Error> {
    let mut content = Sha256::new();
    let template = template.text().as_bytes();
    for part in [VERSION.as_bytes(), STYLE.as_bytes(), template, &serde_json::to_vec(data)?] {
        content.update((part.len() as u64).to_be_bytes());
        content.update(part);
    }
    Ok(format!("{PREFIX}/{subject}/{}.pdf", hex::encode(content.finalize())))
}
