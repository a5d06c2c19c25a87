//! Lists of values in filters.

use std::{fmt, marker::PhantomData, ops::Deref};

use serde::{
    Deserialize, Deserializer,
    de::{Error, SeqAccess, Visitor},
};

use crate::Uid;

/// Maximum number of values of a filter that a request may give, if the filter does not say otherwise.
const MAX_VALUES: usize = 100;

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
        let (mut values, mut given) = (Values::default(), 0);
        while let Some(value) = items.next_element()? {
            given += 1;
            if given > MAXIMUM {
                return Err(too_many("more"));
            }
            values.add(value);
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::value::{Error, SeqDeserializer};

    use super::*;

    fn read(numbers: &[u8]) -> Result<Values<u8, 20>, Error> {
        Values::deserialize(SeqDeserializer::new(numbers.iter().copied()))
    }

    #[test]
    fn more_values_than_the_maximum_are_refused() {
        let numbers: Vec<u8> = (0..21).collect();
        assert_eq!(read(&numbers[..20]).map(|it| it.len()), Ok(20));
        let error = read(&numbers).expect_err("too many");
        assert_eq!(error.to_string(), "must be at most 20 different values; got `21`");
        let json = serde_json::to_string(&numbers).expect("json");
        let error = serde_json::from_str::<Values<u8, 20>>(&json).expect_err("too many");
        assert!(error.to_string().starts_with("must be at most 20 different values"), "{error}");
    }

    proptest! {
        #[test]
        fn every_value_is_kept_once_in_the_order_given(
            numbers in proptest::collection::vec(0u8..8, 0..20),
        ) {
            let values = read(&numbers).expect("few values");
            let mut expected = Vec::new();
            for number in numbers {
                if !expected.contains(&number) {
                    expected.push(number);
                }
            }
            prop_assert_eq!(&*values, expected.as_slice());
        }
    }
}
