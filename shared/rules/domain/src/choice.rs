//! Values of a fixed list, as requests name them.

use crate::{characters::check_search, text};

/// Maximum number of values that an error suggests together.
const MAX_SUGGESTIONS: usize = 3;

/// What a value of a fixed list is, and what helps somebody whose text is none of them.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    what: &'static str,
    listed_at: Option<&'static str>,
    instead_of_sign: &'static str,
}

/// The text is not a value of the list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be {what}; got `{given}`. {help}")]
pub struct UnknownValue {
    what: &'static str,
    given: String,
    help: String,
}

impl Choice {
    /// A list of values. `what` follows "must be", such as "a Swiss canton such as `ZH`".
    pub const fn of(what: &'static str) -> Self {
        let instead_of_sign = "filters have no negation: name the values that you want";
        Self { what, listed_at: None, instead_of_sign }
    }

    /// The operation that lists the values. Without one, an error lists them itself.
    #[must_use]
    pub const fn listed_at(self, path: &'static str) -> Self {
        Self { listed_at: Some(path), ..self }
    }

    /// What to do instead of writing a sign before a value.
    #[must_use]
    pub const fn instead_of_sign(self, help: &'static str) -> Self {
        Self { instead_of_sign: help, ..self }
    }

    /// The value with this name. Case, accents, separators and words for "and" do not matter. A sign before or after it
    /// does: somebody who writes `-ZH` expects something else than `ZH`.
    ///
    /// `known` are the names, the most usual one of each value first.
    pub fn read<'a, T, I>(&self, given: &str, known: I) -> Result<T, UnknownValue>
    where
        T: Copy + PartialEq,
        I: IntoIterator<Item = (&'a str, T), IntoIter: Clone>,
    {
        let known = known.into_iter();
        let (sign, wanted) = (sign_around(given), key(given));
        let found = known.clone().find(|(name, _)| !wanted.is_empty() && key(name) == wanted);
        let help = match (sign, found) {
            (None, Some((_, value))) => return Ok(value),
            (Some(sign), Some((name, _))) => {
                format!("Write `{name}` without the sign `{sign}`; {}", self.instead_of_sign)
            }
            (_, None) => self.help(given, known),
        };
        Err(UnknownValue { what: self.what, given: given.to_owned(), help })
    }

    fn help<'a, T: PartialEq>(
        &self,
        given: &str,
        known: impl Iterator<Item = (&'a str, T)> + Clone,
    ) -> String {
        if let Some(several) = several_that_begin_with(given, known.clone()) {
            return format!("Did you mean {several}?");
        }
        if let Some(near) = text::near(given, known.clone().map(|(name, _)| (name, name))) {
            return format!("Did you mean `{near}`?");
        }
        if let Some(path) = self.listed_at {
            return format!("`{path}` lists them");
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for (name, value) in known {
            if !values.contains(&value) {
                values.push(value);
                names.push(format!("`{name}`"));
            }
        }
        format!("Accepted: {}", names.join(", "))
    }
}

/// The names of several values that begin with these words, in the first language that has them.
fn several_that_begin_with<'a, T: PartialEq>(
    given: &str,
    known: impl Iterator<Item = (&'a str, T)>,
) -> Option<String> {
    let beginning = text::fold(given) + " ";
    let mut values = Vec::new();
    let mut names = Vec::new();
    for (name, value) in known {
        if text::fold(name).starts_with(&beginning) && !values.contains(&value) {
            values.push(value);
            names.push(format!("`{name}`"));
        }
    }
    (2..=MAX_SUGGESTIONS).contains(&names.len()).then(|| names.join(" or "))
}

/// The sign before or after a value, such as the minus of `-ZH`. A final point or bracket belongs to a name.
pub fn sign_around(given: &str) -> Option<char> {
    let is_sign = |it: &char| !it.is_alphanumeric() && !matches!(it, '\u{300}'..='\u{36f}');
    let given = given.trim();
    let last = given.chars().next_back().filter(|it| is_sign(it) && !matches!(it, '.' | ')'));
    given.chars().next().filter(is_sign).or(last)
}

/// The folded form of a name to filter by, which others have chosen. A sign before it is refused as before other values.
pub fn folded_name(what: &str, given: &str) -> Result<String, String> {
    let invalid = |help: &str| Err(format!("must be {what}{help}; got `{}`", given.escape_debug()));
    let folded = text::fold(given);
    let sign = sign_around(given).filter(|it| given.trim_start().starts_with(*it));
    match sign {
        _ if folded.is_empty() => invalid(", with at least one letter or digit"),
        _ if check_search(given).is_err() => invalid(" without control characters"),
        Some(sign) => {
            invalid(&format!(", without the sign `{sign}`, because filters have no negation"))
        }
        None => Ok(folded),
    }
}

/// What two names of one value have in common.
fn key(name: &str) -> String {
    let folded = text::fold(name);
    text::without_and(&folded.split(' ').collect::<Vec<_>>()).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOURS: Choice = Choice::of("a colour such as `red`");
    const KNOWN: [(&str, u8); 4] =
        [("red", 1), ("black & white", 2), ("noir et blanc", 2), ("Grün", 3)];

    fn read(given: &str) -> Result<u8, String> {
        COLOURS.read(given, KNOWN).map_err(|it| it.to_string())
    }

    #[test]
    fn case_accents_separators_and_words_for_and_do_not_matter() {
        for given in
            ["black and white", "Black+White", "BLACK_UND_WHITE", "blackwhite", "noir & blanc"]
        {
            assert_eq!(read(given), Ok(2), "{given}");
        }
        assert_eq!(read(" gruen "), Ok(3));
    }

    #[test]
    fn a_sign_is_refused_with_what_would_be_right() {
        for given in ["-red", "!red", "red!", "~RED", "<red>", "−red", "*red"] {
            let error = read(given).expect_err(given);
            assert!(error.contains("Write `red` without the sign"), "{error}");
        }
        for given in ["", "-", "!!", "&"] {
            assert!(read(given).is_err(), "{given}");
        }
    }

    #[test]
    fn several_values_that_begin_alike_are_all_suggested() {
        let known = [("Appenzell Ausserrhoden", 1), ("Appenzell Innerrhoden", 2), ("Aargau", 3)];
        let error = COLOURS.read("Appenzell", known).expect_err("two cantons").to_string();
        assert!(
            error.ends_with("Did you mean `Appenzell Ausserrhoden` or `Appenzell Innerrhoden`?"),
            "{error}"
        );
    }

    #[test]
    fn names_that_others_have_chosen_are_folded() {
        let folded = |given| folded_name("the name of a tag", given);
        assert_eq!(folded("High-Risk!"), Ok("high risk".into()));
        for given in ["-high risk", "!risk", "", "!", "a\0"] {
            assert!(folded(given).is_err(), "{given}");
        }
    }

    #[test]
    fn only_a_name_that_is_near_is_suggested() {
        assert_eq!(
            read("rde"),
            Err("must be a colour such as `red`; got `rde`. Did you mean `red`?".into())
        );
        assert_eq!(
            read("purple"),
            Err("must be a colour such as `red`; got `purple`. Accepted: `red`, `black & white`, `Grün`".into())
        );
        let listed = COLOURS.listed_at("/v1/reference/colours").read("purple", KNOWN);
        let error = listed.expect_err("unknown").to_string();
        assert!(error.ends_with("got `purple`. `/v1/reference/colours` lists them"), "{error}");
    }
}
