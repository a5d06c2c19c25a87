//! Parsers for argument values.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use domain::{Source, UnknownSource};
use sources::description;

/// A source by its name. Error messages list the names; the help also says what each source states.
pub(super) fn source() -> impl TypedValueParser<Value = Source> {
    named(|it| description(it).states.to_owned())
}

/// A source by its name. The help lists the formats of its files.
pub(super) fn source_of_files() -> impl TypedValueParser<Value = Source> {
    named(|it| description(it).formats.join(", "))
}

fn named(details: impl Fn(Source) -> String) -> impl TypedValueParser<Value = Source> {
    let values = Source::ALL.map(|it| {
        let help = format!("{}: {}", description(it).title, details(it));
        PossibleValue::new(it.name()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|it| it.parse::<Source>())
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
