//! Lists of values in filters.

use std::{fmt, marker::PhantomData, ops::Deref};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IntoDeserializer, SeqAccess, Visitor},
};

use crate::Uid;

/// Maximum number of values of a filter that a request may give, if the filter does not say otherwise.
const MAX_VALUES: usize = 100;

/// Maximum number of parts between the commas of one value.
const MAX_PARTS: usize = 3;

/// The values of a filter, each once, in the order in which they were first given. Empty: the filter is
/// not set.
///
/// Reading more than `MAXIMUM` different values is an error, so that a query costs no more than its
/// filters are worth. Cantons, types and forms have fewer values than that in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values<T, const MAXIMUM: usize = MAX_VALUES>(Vec<T>);

/// Company numbers, at most 500.
pub type Uids = Values<Uid, 500>;

impl<T: PartialEq, const MAXIMUM: usize> Values<T, MAXIMUM> {
    fn add(&mut self, value: T) {
        if !self.0.contains(&value) {
            self.0.push(value);
        }
    }
}

impl<T, const MAXIMUM: usize> Default for Values<T, MAXIMUM> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const MAXIMUM: usize> Deref for Values<T, MAXIMUM> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: PartialEq, const MAXIMUM: usize> FromIterator<T> for Values<T, MAXIMUM> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut all = Self::default();
        values.into_iter().for_each(|it| all.add(it));
        all
    }
}

impl<T: PartialEq, const COUNT: usize, const MAXIMUM: usize> From<[T; COUNT]>
    for Values<T, MAXIMUM>
{
    fn from(values: [T; COUNT]) -> Self {
        values.into_iter().collect()
    }
}

impl<'de, T: Deserialize<'de> + PartialEq, const MAXIMUM: usize> Deserialize<'de>
    for Values<T, MAXIMUM>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Reader(PhantomData))
    }
}

struct Reader<T, const MAXIMUM: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + PartialEq, const MAXIMUM: usize> Visitor<'de>
    for Reader<T, MAXIMUM>
{
    type Value = Values<T, MAXIMUM>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAXIMUM} values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let too_many = |given: &str| {
            A::Error::custom(format!("must be at most {MAXIMUM} different values; got `{given}`"))
        };
        // Before any value is read, because reading them takes time too.
        if let Some(given) = items.size_hint().filter(|it| *it > MAXIMUM) {
            return Err(too_many(&given.to_string()));
        }
        let mut given: Vec<String> = Vec::new();
        while let Some(value) = items.next_element()? {
            if given.len() == MAXIMUM {
                return Err(too_many("more"));
            }
            given.push(value);
        }
        let read = |text: &str| -> Result<T, A::Error> {
            T::deserialize(text.to_owned().into_deserializer())
        };
        let mut values: Vec<(usize, T)> = Vec::new();
        let mut at = 0;
        while at < given.len() {
            match read(&given[at]) {
                Ok(value) => {
                    values.push((at, value));
                    at += 1;
                }
                Err(error) => {
                    let found = with_commas(&given, at, |it| read(it).ok());
                    let (first, end, value) =
                        found.ok_or_else(|| match is_list(&given[at], |it| read(it).is_ok()) {
                            true => A::Error::custom(with_hint(&error.to_string())),
                            false => error,
                        })?;
                    values.retain(|(part, _)| *part < first);
                    values.push((first, value));
                    at = end;
                }
            }
        }
        Ok(values.into_iter().map(|(_, value)| value).collect())
    }
}

fn with_hint(error: &str) -> String {
    let end = if error.ends_with('?') { "" } else { "." };
    format!("{error}{end} Separate several values by commas")
}

/// Whether these are several values, with something else than commas between them.
fn is_list(given: &str, is_value: impl Fn(&str) -> bool) -> bool {
    let parts = given.split([';', '|', ' ']).filter(|it| !it.is_empty());
    parts.clone().count() > 1 && parts.into_iter().all(is_value)
}

/// The value that has commas itself and of which `given[at]` is a part, such as a label: its first part and the end of its parts.
fn with_commas<T>(
    given: &[String],
    at: usize,
    read: impl Fn(&str) -> Option<T>,
) -> Option<(usize, usize, T)> {
    let ranges = (2..=MAX_PARTS).flat_map(|parts| {
        let firsts = (at + 1).saturating_sub(parts)..=at;
        firsts.map(move |first| (first, first + parts))
    });
    let mut ranges = ranges.filter(|(_, end)| *end <= given.len());
    ranges.find_map(|(first, end)| Some((first, end, read(&given[first..end].join(", "))?)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::{
        Error as _,
        value::{Error, SeqDeserializer},
    };

    use super::*;

    /// Letters, of which `b, c` and `d, e, f` are one value each.
    #[derive(Clone, Debug, PartialEq)]
    struct Letter(String);

    impl<'de> Deserialize<'de> for Letter {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            match text.as_str() {
                "c" | "d" | "e" => Err(D::Error::custom(format!("no value: {text}"))),
                "b, c" | "d, e, f" => Ok(Self(text)),
                text if text.contains([',', ';']) => Err(D::Error::custom("no value")),
                _ => Ok(Self(text)),
            }
        }
    }

    fn read(letters: &[impl AsRef<str>]) -> Result<Vec<String>, Error> {
        let letters = SeqDeserializer::new(letters.iter().map(|it| it.as_ref().to_owned()));
        let values = Values::<Letter, 20>::deserialize(letters)?;
        Ok(values.iter().map(|it| it.0.clone()).collect())
    }

    #[test]
    fn more_values_than_the_maximum_are_refused() {
        let numbers: Vec<String> = (0..21).map(|it| it.to_string()).collect();
        assert_eq!(read(&numbers[..20]).map(|it| it.len()), Ok(20));
        let error = read(&numbers).expect_err("too many");
        assert_eq!(error.to_string(), "must be at most 20 different values; got `21`");
        let json = serde_json::to_string(&numbers).expect("json");
        let error = serde_json::from_str::<Values<Letter, 20>>(&json).expect_err("too many");
        assert!(error.to_string().starts_with("must be at most 20 different values"), "{error}");
    }

    #[test]
    fn a_value_may_have_commas_itself() {
        for (given, expected) in [
            (&["a", "b", "c"][..], &["a", "b, c"][..]),
            (&["b", "c", "a"], &["b, c", "a"]),
            (&["b", "a"], &["b", "a"]),
            (&["a", "d", "e", "f", "b"], &["a", "d, e, f", "b"]),
            (&["f", "b", "c", "d", "e", "f"], &["f", "b, c", "d, e, f"]),
        ] {
            assert_eq!(read(given).expect("values"), expected, "{given:?}");
        }
        for given in [&["c"][..], &["c", "b"], &["d", "e"], &["d", "f", "e"]] {
            let error = read(given).expect_err("no value").to_string();
            assert!(error.starts_with("no value: "), "{error}");
        }
        let error = |given: &str| read(&["a", given]).expect_err("no list").to_string();
        assert_eq!(error("x;y"), "no value. Separate several values by commas");
        assert_eq!(error("x;c"), "no value");
    }

    proptest! {
        #[test]
        fn every_value_is_kept_once_in_the_order_given(
            numbers in proptest::collection::vec("[a0-8]", 0..20),
        ) {
            let values = read(&numbers).expect("few values");
            let mut expected = Vec::new();
            for number in numbers {
                if !expected.contains(&number) {
                    expected.push(number);
                }
            }
            prop_assert_eq!(values, expected);
        }
    }
}
