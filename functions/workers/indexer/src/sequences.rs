//! The sequence numbers of the change feed that a generation contains.

use crate::Error;

const BITS: usize = u64::BITS as usize;

/// A set of sequence numbers, which begin with 1. Uses a bit for each.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    words: Vec<u64>,
    /// The first number that was added twice.
    repeated: Option<u64>,
}

impl Sequences {
    pub(crate) fn add(&mut self, sequence: u64) {
        let (word, bit) = place(sequence);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if self.words[word] & bit != 0 {
            self.repeated = self.repeated.or(Some(sequence));
        }
        self.words[word] |= bit;
    }

    /// The numbers from 1 to `last` that were not added.
    pub(crate) fn missing(&self, last: u64) -> impl Iterator<Item = u64> {
        (1..=last).filter(|it| {
            let (word, bit) = place(*it);
            self.words.get(word).is_none_or(|it| it & bit == 0)
        })
    }

    /// Checks that exactly the numbers from 1 to `last` were added, each once.
    pub(crate) fn check(&self, last: u64) -> Result<(), Error> {
        if let Some(sequence) = self.repeated {
            return Err(Error::RepeatedChange { sequence });
        }
        if let Some(first) = self.missing(last).next() {
            let missing = self.missing(last).count();
            return Err(Error::MissingChanges { missing, first, last });
        }
        let count: u64 = self.words.iter().map(|it| u64::from(it.count_ones())).sum();
        if count > last {
            return Err(Error::LaterChanges { last });
        }
        Ok(())
    }
}

fn place(sequence: u64) -> (usize, u64) {
    let at = usize::try_from(sequence).unwrap_or(usize::MAX);
    (at / BITS, 1 << (at % BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(numbers: impl IntoIterator<Item = u64>, last: u64) -> Result<(), String> {
        let mut sequences = Sequences::default();
        numbers.into_iter().for_each(|it| sequences.add(it));
        sequences.check(last).map_err(|it| it.to_string())
    }

    #[test]
    fn only_all_numbers_up_to_the_last_one_are_accepted() {
        for last in [0, 1, 63, 64, 65, 200] {
            assert_eq!(check((1..=last).rev(), last), Ok(()));
        }
        let lacks = |it: u64| (1..=200).filter(move |number| *number != it);
        for missing in [1, 64, 128, 200] {
            let expected = format!(
                "1 of the 200 changes of the feed are missing, the first is number {missing}"
            );
            assert_eq!(check(lacks(missing), 200), Err(expected));
        }
        assert_eq!(check([1, 2, 2], 2), Err("change 2 of the feed occurs twice".to_owned()));
        let later = "there are changes after number 2, the last one of the feed".to_owned();
        assert_eq!(check([1, 2, 3], 2), Err(later));
    }
}
