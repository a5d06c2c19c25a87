use serde::{Deserialize, Deserializer, de::Error as _};

/// Length of the longest text that may not contain line breaks.
pub(crate) const LONGEST_LINE: usize = 100;

/// Text in a request body: 1 to `MAX` characters without surrounding blanks and without control characters. With `LINES`,
/// for texts that may be longer than 100 characters, line breaks and tabs are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const MAX: usize, const LINES: bool = false>(pub String);

/// The name of something that a team creates.
pub type Name = Text<100>;

impl<'de, const MAX: usize, const LINES: bool> Deserialize<'de> for Text<MAX, LINES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const { assert!(LINES == (MAX > LONGEST_LINE), "the description relies on it") };
        let text = String::deserialize(deserializer)?;
        let text = text.trim();
        let is_allowed = |it: char| !it.is_control() || (LINES && matches!(it, '\n' | '\r' | '\t'));
        let length = text.chars().count();
        if (1..=MAX).contains(&length) && text.chars().all(is_allowed) {
            return Ok(Self(text.to_owned()));
        }
        let controls =
            if LINES { "control characters except line breaks" } else { "control characters" };
        Err(D::Error::custom(format!(
            "must have 1 to {MAX} characters and no {controls}; got {length} characters"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
        serde_json::from_value(text.into()).map_err(|it| it.to_string())
    }

    #[test]
    fn text_is_trimmed_and_bounded() {
        assert_eq!(read::<Text<3>>(" äöü "), Ok(Text("äöü".into())));
        for wrong in ["", "  ", "abcd", "a\nb", "a\u{0}"] {
            let error = read::<Text<3>>(wrong).expect_err(wrong);
            assert!(error.starts_with("must have 1 to 3 characters"), "{error}");
        }
        assert_eq!(read::<Text<101, true>>("a\nb"), Ok(Text("a\nb".into())));
        assert!(read::<Text<101, true>>("a\u{0}b").is_err());
    }
}
