//! Parsers for argument values.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use statements::{Source, UnknownSource};

/// A source by its name. Help and error messages list the names.
pub(super) fn source() -> impl TypedValueParser<Value = Source> {
    PossibleValuesParser::new(Source::ALL.map(Source::name)).try_map(|it| it.parse::<Source>())
}

/// `SOURCE=FILE`.
pub(super) fn source_and_file(text: &str) -> Result<(Source, PathBuf), String> {
    let (source, file) = text.split_once('=').ok_or_else(|| {
        format!("expected SOURCE=FILE, such as `shab=notices.json`; got `{text}`")
    })?;
    Ok((source.parse().map_err(|it: UnknownSource| it.to_string())?, file.into()))
}

/// A number of demo companies.
pub(super) fn companies(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|it| *it <= demo_registry::CAPACITY);
    count.ok_or_else(|| format!("expected a number from 0 to {}", demo_registry::CAPACITY))
}
