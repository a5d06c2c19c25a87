use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    left_out::{LeftOut, from_json},
    news::{Draft, Feed},
};

/// Reads JSON Feed 1.0 and 1.1.
pub(super) fn read(text: &str) -> Result<Feed, String> {
    #[derive(Deserialize)]
    struct Document {
        title: Option<String>,
        items: Vec<Value>,
    }
    let document: Document = serde_json::from_str(text).map_err(|it| it.to_string())?;
    let drafts = document.items.into_iter().map(|item| {
        let (record, mut left_out) = (item.to_string(), LeftOut::default());
        (draft(item, &mut left_out), record, left_out)
    });
    Ok(Feed { title: document.title, drafts: drafts.collect() })
}

fn draft(item: Value, left_out: &mut LeftOut) -> Result<Draft, String> {
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
    let item: Item = from_json(item, left_out)?;
    let companies = item.companies.unwrap_or_default().into_iter().filter_map(|(kind, value)| {
        left_out.value(match value {
            Value::String(value) => Ok((kind, value)),
            _ => Err(format!("_gotthard.{kind}: is not a string")),
        })
    });
    let companies = companies.collect();
    Ok(Draft {
        id: item.id.and_then(|it| {
            left_out.value(match it {
                Value::String(text) => Ok(text),
                Value::Number(number) => Ok(number.to_string()),
                _ => Err("id: is neither a text nor a number".to_owned()),
            })
        }),
        title: item.title,
        link: item.url.or(item.external_url),
        summary: item.summary.or(item.content_text).or(item.content_html),
        published: item.date_published,
        companies,
    })
}
