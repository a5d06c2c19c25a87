//! What is wrong with the values of a request, in the words of this service.
//!
//! Serde and the types of libraries describe errors for programmers. This module is the one place that translates them.

use std::{borrow::Cow, fmt};

use serde::de::{Error, Expected, Unexpected};

use crate::text;

/// What the error of a missing value says.
pub const MISSING: &str = "is required, but missing";

/// Invalid values: for each its name, where known, and what is wrong.
#[derive(Debug)]
pub struct InvalidInput(Vec<(Option<String>, String)>);

impl InvalidInput {
    /// One invalid value whose name is not known yet.
    pub fn value(rule: &str, given: &str) -> Self {
        Self::custom(format_args!("{rule}; got `{given}`"))
    }

    /// Values with these names.
    pub fn named(errors: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(errors.into_iter().map(|(name, detail)| (Some(name), detail)).collect())
    }

    /// What was read, if its values do not contradict each other. If one of two that do is invalid by itself, both errors
    /// are named.
    pub fn unless_contradicted<T>(
        read: Result<T, Self>,
        contradiction: Option<(String, String)>,
    ) -> Result<T, Self> {
        let Some((name, detail)) = contradiction else { return read };
        match read {
            Ok(_) => Err(Self::named([(name, detail)])),
            Err(mut error) => {
                if error.0.iter().any(|it| it.0.as_ref() == Some(&name)) {
                    error.0.push((Some(name), detail));
                }
                Err(error)
            }
        }
    }

    /// For each invalid value its name and what is wrong. `otherwise` is the name where it is not known.
    pub fn errors(self, otherwise: &str) -> Vec<(String, String)> {
        let named = |(name, detail): (Option<String>, String)| {
            (name.unwrap_or_else(|| otherwise.to_owned()), detail)
        };
        self.0.into_iter().map(named).collect()
    }

    /// These values and others.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The same values in a member, or an item, of another: `filter.canton`, `scopes[0]`.
    #[must_use]
    pub fn within(self, member: &str) -> Self {
        let path = |name: Option<String>| match name {
            Some(name) if name.starts_with('[') => format!("{member}{name}"),
            Some(name) => format!("{member}.{name}"),
            None => member.to_owned(),
        };
        Self(self.0.into_iter().map(|(name, detail)| (Some(path(name)), detail)).collect())
    }

    /// The same values, of the parameter with this name, which was given so.
    #[must_use]
    pub fn of_parameter(self, name: &str, given: &str) -> Self {
        let errors = self.0.into_iter().map(|(_, detail)| {
            // Every detail names the value: add it where the error of the type does not.
            let is_shown = detail.contains('`') || given.is_empty();
            let detail = if is_shown { detail } else { format!("`{given}`: {detail}") };
            (Some(name.to_owned()), detail)
        });
        Self(errors.collect())
    }
}

/// The names without other spellings of the same member: `eventFilters`, not `event_filters`.
fn documented(known: &[&'static str]) -> Vec<&'static str> {
    let is_known = |name: String| known.iter().any(|it| *it == name);
    let is_other = |it: &str| it.contains('_') && is_known(text::in_camel_case(it));
    known.iter().copied().filter(|it| !is_other(it)).collect()
}

impl std::error::Error for InvalidInput {}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details: Vec<&str> = self.0.iter().map(|(_, detail)| detail.as_str()).collect();
        f.write_str(&details.join("; "))
    }
}

impl Error for InvalidInput {
    fn custom<T: fmt::Display>(detail: T) -> Self {
        Self(vec![(None, detail.to_string())])
    }

    fn invalid_type(given: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        let rule = in_our_words(wanted);
        Self::custom(format_args!("must be {rule}; got {}", shown(given)))
    }

    fn invalid_value(given: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::invalid_type(given, wanted)
    }

    fn invalid_length(length: usize, wanted: &dyn Expected) -> Self {
        let rule = in_our_words(wanted);
        Self::custom(format_args!("must be {rule}; got {length} items"))
    }

    fn unknown_variant(given: &str, known: &'static [&'static str]) -> Self {
        let meant = text::near(given, known.iter().map(|it| (*it, *it)));
        let meant = meant.map_or(String::new(), |it| format!(". Did you mean `{it}`?"));
        Self::custom(format_args!("must be {}; got `{given}`{meant}", one_of(known)))
    }

    fn unknown_field(given: &str, known: &'static [&'static str]) -> Self {
        let known = &documented(known);
        let meant = text::near(given, known.iter().map(|it| (*it, *it)));
        let help = match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => "none is accepted here".to_owned(),
            None => format!("accepted: {}", quoted(known).join(", ")),
        };
        Self(vec![(Some(given.to_owned()), format!("unknown member `{given}`; {help}"))])
    }

    fn missing_field(name: &'static str) -> Self {
        Self(vec![(Some(name.to_owned()), MISSING.to_owned())])
    }

    fn duplicate_field(name: &'static str) -> Self {
        let detail = "must be given once; got it twice, or in two spellings";
        Self(vec![(Some(name.to_owned()), detail.to_owned())])
    }
}

/// What a library calls a value that it can read, in our words. Types of this service describe theirs themselves.
fn in_our_words(wanted: &dyn Expected) -> Cow<'static, str> {
    let number = |from: &str, to: &str| format!("a whole number from {from} to {to}").into();
    let rule = rule_of_text(wanted);
    let wanted = wanted.to_string();
    match wanted.as_str() {
        "a string" | "string" | "a borrowed string" => "a text".into(),
        "a boolean" => "`true` or `false`".into(),
        "f32" | "f64" => "a number".into(),
        "u8" => number("0", "255"),
        "u16" => number("0", "65535"),
        "u32" => number("0", "4294967295"),
        "u64" | "usize" => number("0", "18446744073709551615"),
        "i32" => number("-2147483648", "2147483647"),
        "i64" | "isize" => number("-9223372036854775808", "9223372036854775807"),
        "a sequence" => "a list".into(),
        "a map" => "an object".into(),
        "unit" | "option" => "absent or `null`".into(),
        _ => match rule {
            Some(rule) => rule.into(),
            None if wanted.starts_with("struct ") => "an object".into(),
            None if wanted.starts_with("enum ") || wanted.ends_with(" identifier") => {
                "a text".into()
            }
            None => wanted.into(),
        },
    }
}

/// Which texts are right for a type of a library that reads itself from a text, and whose errors are in other words.
pub fn rule_of_text(wanted: &dyn Expected) -> Option<&'static str> {
    Some(match wanted.to_string().as_str() {
        "a date string" => "a date such as `2026-01-31`",
        "a timestamp string" => "a date and time such as `2026-01-31T12:00:00Z`",
        "a UUID string" | "a formatted UUID string" => {
            "an id such as `019b0a3c-5d1e-7c2f-9a41-3f6de2b1c845`"
        }
        _ => return None,
    })
}

fn shown(given: Unexpected<'_>) -> String {
    match given {
        Unexpected::Bool(it) => format!("`{it}`"),
        Unexpected::Unsigned(it) => format!("`{it}`"),
        Unexpected::Signed(it) => format!("`{it}`"),
        Unexpected::Float(it) => format!("`{it:?}`"),
        Unexpected::Char(it) => format!("`{it}`"),
        Unexpected::Str(it) => format!("`{it}`"),
        Unexpected::Unit | Unexpected::Option => "`null`".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        _ => "another value".to_owned(),
    }
}

fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|it| format!("`{it}`")).collect()
}

/// `a`, `b` or `c`.
fn one_of(names: &[&str]) -> String {
    let mut names = quoted(names);
    match names.pop() {
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
        None => "absent".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(error: InvalidInput) -> String {
        error.to_string()
    }

    #[test]
    fn errors_of_libraries_are_in_our_words() {
        let wrong_type = InvalidInput::invalid_type(Unexpected::Unsigned(7), &"a string");
        assert_eq!(detail(wrong_type), "must be a text; got `7`");
        let too_large = InvalidInput::invalid_value(Unexpected::Unsigned(300), &"u8");
        assert_eq!(detail(too_large), "must be a whole number from 0 to 255; got `300`");
        let unknown = InvalidInput::unknown_variant("adminn", &["admin", "member", "viewer"]);
        assert_eq!(
            detail(unknown),
            "must be `admin`, `member` or `viewer`; got `adminn`. Did you mean `admin`?"
        );
        let renamed =
            InvalidInput::unknown_field("events", &["url", "eventFilters", "event_filters"]);
        assert_eq!(
            detail(renamed),
            "unknown member `events`; accepted: `url`, `eventFilters`",
            "the documented spelling only"
        );
        let empty = InvalidInput::custom("must have 1 to 9 characters; got 0");
        assert_eq!(detail(empty.of_parameter("q", "")), "must have 1 to 9 characters; got 0");
        let member = InvalidInput::unknown_field("colour", &["name", "color"]).within("tags");
        assert_eq!(
            member.errors("body"),
            [(
                "tags.colour".to_owned(),
                "unknown member `colour`; did you mean `color`?".to_owned()
            )]
        );
        let item = InvalidInput::missing_field("name").within("[2]").within("entities");
        assert_eq!(item.errors("body"), [("entities[2].name".to_owned(), MISSING.to_owned())]);
    }
}
