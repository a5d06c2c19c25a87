use serde::Deserialize;
use serde_json::{Map, Value};

use crate::news::{Draft, Feed};

/// Reads JSON Feed 1.0 and 1.1.
pub(super) fn read(text: &str) -> Result<Feed, String> {
    #[derive(Deserialize)]
    struct Document {
        title: Option<String>,
        items: Vec<Value>,
    }
    let document: Document = serde_json::from_str(text).map_err(|it| it.to_string())?;
    let drafts = document.items.into_iter().map(|item| (draft(&item), item.to_string()));
    Ok(Feed { title: document.title, drafts: drafts.collect() })
}

fn draft(item: &Value) -> Result<Draft, String> {
    #[derive(Deserialize)]
    struct Item {
        /// A string or, in some feeds, a number.
        id: Option<Value>,
        url: Option<String>,
        external_url: Option<String>,
        title: Option<String>,
        summary: Option<String>,
        content_text: Option<String>,
        content_html: Option<String>,
        date_published: Option<String>,
        #[serde(rename = "_gotthard")]
        companies: Option<Map<String, Value>>,
    }
    let item: Item = serde_path_to_error::deserialize(item)
        .map_err(|it| format!("{}: {}", it.path(), it.inner()))?;
    let companies =
        item.companies.unwrap_or_default().into_iter().map(|(kind, value)| match value {
            Value::String(value) => Ok((kind, value)),
            _ => Err(format!("_gotthard.{kind}: is not a string")),
        });
    Ok(Draft {
        id: item.id.map(|it| match it {
            Value::String(text) => text,
            other => other.to_string(),
        }),
        title: item.title,
        link: item.url.or(item.external_url),
        summary: item.summary.or(item.content_text).or(item.content_html),
        published: item.date_published,
        companies: companies.collect::<Result<_, _>>()?,
    })
}
