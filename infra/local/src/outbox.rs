//! The mails of a local server: files `*.eml`, and their list at `GET /local/outbox`.
//!
//! The functions write them instead of sending them. Only the local server has this list.

use std::path::{Path, PathBuf};

use axum::{Json, Router, http::StatusCode, routing::get};
use mail_parser::{Message, MessageParser};
use serde::Serialize;

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OutboxMail {
    /// Name of the file.
    pub file: String,
    pub to: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The same if a mail is sent again. Only mails with notifications have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// Link that ends the mails of this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_unsubscribe: Option<String>,
}

/// The mails in a directory, newest first. Empty if the directory does not exist.
pub fn mails(directory: &Path) -> std::io::Result<Vec<OutboxMail>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files: Vec<PathBuf> =
        entries.map(|it| it.map(|it| it.path())).collect::<Result<_, _>>()?;
    files.retain(|it| it.extension().is_some_and(|it| it == "eml"));
    // The names begin with the time.
    files.sort_unstable_by(|a, b| b.cmp(a));
    files.iter().filter_map(|it| read(it).transpose()).collect()
}

/// `None` if the file is no mail.
fn read(file: &Path) -> std::io::Result<Option<OutboxMail>> {
    let bytes = std::fs::read(file)?;
    let Some(message) = MessageParser::default().parse(&bytes) else { return Ok(None) };
    let to = message.to().and_then(|it| it.first()).and_then(|it| it.address());
    Ok(Some(OutboxMail {
        file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        to: to.unwrap_or_default().to_owned(),
        subject: message.subject().unwrap_or_default().to_owned(),
        text: message.body_text(0).unwrap_or_default().into_owned(),
        html: message.body_html(0).unwrap_or_default().into_owned(),
        message_id: message.header("X-Entity-Ref-ID").and(message.message_id()).map(str::to_owned),
        list_unsubscribe: list_unsubscribe(&message),
    }))
}

/// The link in the header. `None` without the header that makes it work with one request (RFC 8058).
fn list_unsubscribe(message: &Message<'_>) -> Option<String> {
    let raw = |name: &'static str| message.header_raw(name).map(str::trim);
    raw("List-Unsubscribe-Post").filter(|it| *it == "List-Unsubscribe=One-Click")?;
    let link = raw("List-Unsubscribe")?.strip_prefix('<')?.strip_suffix('>')?;
    Some(link.split_whitespace().collect())
}

/// The service with the list of mails in addition.
pub fn with_list(service: Router, directory: PathBuf) -> Router {
    let list = async move || {
        let mails = tokio::task::spawn_blocking(move || mails(&directory)).await;
        match mails {
            Ok(Ok(mails)) => Ok(Json(mails)),
            _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
        }
    };
    Router::new().route("/local/outbox", get(list)).fallback_service(service)
}
