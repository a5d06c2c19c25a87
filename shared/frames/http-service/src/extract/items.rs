use serde::{Deserialize, Deserializer, de::Error as _};

/// At least one and at most `MAX` items of a request body.
#[derive(Clone, Debug)]
pub struct Items<T, const MAX: usize>(pub Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Items<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let given = Vec::deserialize(deserializer)?;
        match given.len() {
            number if (1..=MAX).contains(&number) => Ok(Self(given)),
            number => Err(D::Error::custom(format!("must contain 1 to {MAX} items; got {number}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_of_items_is_limited() {
        let read = |text: &str| serde_json::from_str::<Items<u8, 2>>(text);
        assert_eq!(read("[1, 2]").expect("two items").0, [1, 2]);
        for (text, number) in [("[]", 0), ("[1, 2, 3]", 3)] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.starts_with("must contain 1 to 2 items; got "), "{error}");
            assert!(error.ends_with(&number.to_string()), "{error}");
        }
    }
}
