//! The alphabetical order of names: that of Swiss Standard German (de-CH) in Unicode's collation, in which `ä` is an `a` and
//! `ae` two letters.

use std::{cmp::Ordering, convert::Infallible, sync::LazyLock};

use icu_collator::{CollatorBorrowed, options::CollatorOptions};
use icu_locale_core::locale;

static COLLATOR: LazyLock<CollatorBorrowed<'static>> = LazyLock::new(|| {
    let collator = CollatorBorrowed::try_new(locale!("de-CH").into(), CollatorOptions::default());
    #[expect(clippy::expect_used, reason = "the data is part of the program")]
    collator.expect("the data of the collation")
});

/// The place of a name in alphabetical order: compare the keys instead of the names. Punctuation before the first letter or
/// digit does not count. Empty without letters and digits.
///
/// Computed once for each name of a long list, because it takes longer than a comparison of keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameKey(Box<[u8]>);

impl NameKey {
    /// The key of a name.
    pub fn of(name: &str) -> Self {
        Self::of_parts(&[name])
    }

    /// The key of a name of several parts, such as family name and first name: later ones count if earlier ones are equal.
    pub fn of_parts(parts: &[&str]) -> Self {
        let mut key = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let start = part.find(char::is_alphanumeric);
            if start.is_none() && key.is_empty() {
                continue;
            }
            if at > 0 {
                // Below all bytes of a key.
                key.push(0);
            }
            let Ok::<_, Infallible>(()) =
                COLLATOR.write_sort_key_to(start.map_or("", |it| &part[it..]), &mut key);
        }
        Self(key.into())
    }

    /// Whether there is no letter or digit.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Compares two names. For short lists: a long one is sorted by the [`NameKey`] of its names.
pub fn compare(one: &str, other: &str) -> Ordering {
    NameKey::of(one).cmp(&NameKey::of(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_alphabetical_order() {
        let sorted = [
            "",
            "3 Plus AG",
            "\"A\" Treuhand",
            "A & B",
            "Äbi",
            "Aebi AG",
            "Aero AG",
            "Altname",
            "(Ämter)",
            "cote",
            "Côté",
            "élan",
            "Müller",
            "Muller B",
            "Müller C",
            "Mueller",
            "Samt",
            "Samuel",
            "Zürich",
        ];
        // What the collation says, except for names that differ in the accent only.
        let mut names = sorted.to_vec();
        names.sort_by_key(|it| NameKey::of(it));
        assert!(
            names.iter().position(|it| *it == "Aero AG")
                < names.iter().position(|it| *it == "Altname")
        );
        assert!(
            names.iter().position(|it| *it == "Samt") < names.iter().position(|it| *it == "Samuel")
        );
        for pair in [
            ("A & B", "Äbi"),
            ("Altname", "(Ämter)"),
            ("(Ämter)", "cote"),
            ("cote", "Côté"),
            ("élan", "Muller B"),
            ("Mueller", "Müller"),
            ("Muller B", "Müller C"),
            ("3 Plus AG", "\"A\" Treuhand"),
        ] {
            assert_eq!(compare(pair.0, pair.1), Ordering::Less, "{pair:?}");
        }
    }

    #[test]
    fn later_parts_count_if_earlier_ones_are_equal() {
        let key = |last, first| NameKey::of_parts(&[last, first]);
        assert!(key("Muster", "Zoé") < key("Muster-Meier", "Anna"));
        assert!(key("Müller", "Anna") < key("Müller", "Beat"));
        assert!(key("", "").is_empty() && key("-", "!").is_empty() && !key("", "Anna").is_empty());
    }
}
