use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::choice::{Choice, UnknownValue};

/// Language of texts, mails and pages.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// German.
    De,
    /// French.
    Fr,
    /// Italian.
    It,
    /// English.
    #[default]
    En,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 4] = [Self::De, Self::Fr, Self::It, Self::En];

    /// The code of ISO 639-1.
    pub const fn code(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::Fr => "fr",
            Self::It => "it",
            Self::En => "en",
        }
    }

    /// Of texts in German, French, Italian and English, the one in this language.
    pub fn of<T>(self, [de, fr, it, en]: [T; 4]) -> T {
        match self {
            Self::De => de,
            Self::Fr => fr,
            Self::It => it,
            Self::En => en,
        }
    }

    /// The language that an `Accept-Language` header prefers. `None` if it names none of ours.
    pub fn preferred(header: &str) -> Option<Self> {
        let weighted = header.split(',').filter_map(|range| {
            let mut parts = range.split(';');
            let tag = parts.next()?.trim();
            let primary = tag.split('-').next()?;
            let language =
                Self::ALL.into_iter().find(|it| it.code().eq_ignore_ascii_case(primary))?;
            let weight = parts.find_map(|it| it.trim().strip_prefix("q="));
            let weight: f32 = weight.map_or(Some(1.0), |it| it.parse().ok())?;
            (weight > 0.0).then_some((weight, language))
        });
        // The first of equal weights.
        let best = weighted.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, language)| language)
    }
}

/// Language that a request asks for. Case does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedLanguage(pub Language);

impl TryFrom<String> for WantedLanguage {
    type Error = UnknownValue;

    fn try_from(text: String) -> Result<Self, UnknownValue> {
        let known = Language::ALL.into_iter().map(|it| (it.code(), it));
        Choice::of("a language such as `de`").read(&text, known).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_weight_of_a_known_language_counts() {
        for (header, expected) in [
            ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", Some(Language::Fr)),
            ("rm, en;q=0.4, IT-ch;q=0.9", Some(Language::It)),
            ("de", Some(Language::De)),
            ("es, pt;q=0.5", None),
            ("de;q=0, en;q=0.1", Some(Language::En)),
            ("de;q=x", None),
            ("", None),
            ("*", None),
        ] {
            assert_eq!(Language::preferred(header), expected, "{header}");
        }
    }
}
