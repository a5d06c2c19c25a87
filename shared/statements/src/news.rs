//! A piece of news.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// One piece of news.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The publisher's own, else the address.
    pub id: String,
    pub title: String,
    /// Words without markup, cut after a thousand characters.
    pub summary: Option<String>,
    /// The name of the feed.
    pub source: Option<String>,
    pub source_type: SourceType,
    pub published_at: Timestamp,
    pub source_url: Option<String>,
}

/// Who publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// A publisher's feed.
    Press,
    /// A notice of the exchange.
    Exchange,
}
