//! Items stored as one JSON document, compressed if long.

use std::io::Read;

use aws_sdk_dynamodb::types::AttributeValue;
use flate2::{
    Compression,
    read::{GzDecoder, GzEncoder},
};
use serde::{Serialize, de::DeserializeOwned};

use super::{Item, attributes};
use crate::{Error, keys::Key};

/// The attribute that holds a whole item as one JSON text, all but its key and its revision.
///
/// One text is read several times faster than forty attributes and takes as much space, but conditions
/// and updates cannot refer to its members. A long document is stored as gzip bytes: a DynamoDB item
/// holds 400 KB, and the record of a company with a long history does not fit uncompressed.
pub const DOCUMENT: &str = "document";

/// Documents of at least this many bytes are compressed. Most are shorter, and plain text is read faster.
const LONG_DOCUMENT: usize = 100_000;

pub(super) fn document<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    let json = json(item)?;
    let document = match json.len() {
        ..LONG_DOCUMENT => AttributeValue::S(json),
        _ => gzip(&json, Compression::fast())?,
    };
    Ok(with_document(key, document))
}

/// As [`document`], always compressed, and better: for items that are read by many requests.
pub(super) fn compressed<T: Serialize>(item: &T, key: &Key) -> Result<Item, Error> {
    Ok(with_document(key, gzip(&json(item)?, Compression::default())?))
}

fn json(item: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(item).map_err(|it| Error::Unwritable(it.into()))
}

/// The text of a compressed document.
pub(super) fn text_of(bytes: &[u8]) -> Result<String, Error> {
    let mut json = String::new();
    GzDecoder::new(bytes).read_to_string(&mut json).map_err(|it| Error::Shape(it.into()))?;
    Ok(json)
}

/// A text as a compressed document.
pub(super) fn compressed_text(json: &str) -> Result<AttributeValue, Error> {
    gzip(json, Compression::default())
}

fn gzip(json: &str, level: Compression) -> Result<AttributeValue, Error> {
    let mut bytes = Vec::new();
    let mut gzip = GzEncoder::new(json.as_bytes(), level);
    gzip.read_to_end(&mut bytes).map_err(|it| Error::Unwritable(it.into()))?;
    Ok(AttributeValue::B(bytes.into()))
}

fn with_document(key: &Key, document: AttributeValue) -> Item {
    let mut fields = attributes(key);
    fields.insert(DOCUMENT.to_owned(), document);
    fields
}

/// Reads an item, whether it is one document or one attribute per field.
///
/// Attributes are converted to JSON first, so that each type needs one deserialiser; few items are stored
/// as attributes.
pub(super) fn read<T: DeserializeOwned>(item: Item) -> Result<T, Error> {
    serde_json::from_str(&json_text(item)?).map_err(|it| Error::Shape(it.into()))
}

/// An item as JSON.
pub(super) fn json_of(item: Item) -> Result<serde_json::Value, Error> {
    read(item)
}

/// A document with this JSON, compressed if the one before is.
pub(super) fn document_of(
    json: &serde_json::Value,
    before: &AttributeValue,
) -> Result<AttributeValue, Error> {
    let text = self::json(json)?;
    match before {
        AttributeValue::B(_) => gzip(&text, Compression::default()),
        _ => Ok(AttributeValue::S(text)),
    }
}

fn json_text(mut item: Item) -> Result<String, Error> {
    Ok(match item.remove(DOCUMENT) {
        Some(AttributeValue::S(json)) => json,
        Some(AttributeValue::B(bytes)) => text_of(bytes.as_ref())?,
        _ => attributes_as_json(item)?,
    })
}

fn attributes_as_json(item: Item) -> Result<String, Error> {
    let fields: serde_json::Value =
        serde_dynamo::from_item(item).map_err(|it| Error::Shape(it.into()))?;
    Ok(fields.to_string())
}
