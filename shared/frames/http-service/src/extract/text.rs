use domain::characters::{check_line, check_lines};
use serde::{Deserialize, Deserializer, de::Error as _};

/// Length of the longest text that may not contain line breaks.
pub(crate) const LONGEST_LINE: usize = 100;

/// Text in a request body: 1 to `MAX` characters without surrounding blanks, of those that
/// [`check_line`] allows. With `LINES`, for texts that may be longer than 100 characters, those that [`check_lines`] allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text<const MAX: usize, const LINES: bool = false>(pub String);

/// The name of something that a team creates.
pub type Name = Text<100>;

impl<'de, const MAX: usize, const LINES: bool> Deserialize<'de> for Text<MAX, LINES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const { assert!(LINES == (MAX > LONGEST_LINE), "the description relies on it") };
        let text = String::deserialize(deserializer)?;
        let text = text.trim();
        let length = text.chars().count();
        if !(1..=MAX).contains(&length) {
            let detail = format!("must have 1 to {MAX} characters; got {length}");
            return Err(D::Error::custom(detail));
        }
        let checked = if LINES { check_lines(text) } else { check_line(text) };
        checked.map_err(D::Error::custom)?;
        Ok(Self(text.to_owned()))
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
        for wrong in ["", "  ", "abcd"] {
            let error = read::<Text<3>>(wrong).expect_err(wrong);
            assert!(error.starts_with("must have 1 to 3 characters; got "), "{error}");
        }
        for wrong in ["a\nb", "a\u{0}", "a\u{202e}b"] {
            let error = read::<Text<3>>(wrong).expect_err(wrong);
            assert!(error.starts_with("must not contain the character U+"), "{error}");
        }
        assert_eq!(read::<Text<101, true>>("a\nb"), Ok(Text("a\nb".into())));
        assert!(read::<Text<101, true>>("a\u{0}b").is_err());
        assert!(read::<Text<101, true>>("a\n\u{202e}b").is_err());
    }
}
