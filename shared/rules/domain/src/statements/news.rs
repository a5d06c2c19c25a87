//! A news item about a company.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// One item of a news feed.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The publisher's identifier; if there is none, the URL.
    pub id: String,
    pub title: String,
    /// Plain text without markup, truncated to 1000 characters.
    pub summary: Option<String>,
    /// Name of the feed.
    pub source: Option<String>,
    pub source_type: SourceType,
    pub published_at: Timestamp,
    pub source_url: Option<String>,
}

/// The kind of publisher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// A media publisher.
    Press,
    /// The Swiss stock exchange.
    Exchange,
}
