//! Random numbers from a seed: the same ones on every machine and with every version of the libraries.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

/// A source of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `bound`, which is at least 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The bias is below 2⁻³² for bounds below 2³².
        let product = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(product >> 64).unwrap_or_default()
    }

    /// A number from 0 to below 1, with all bits of a float.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Different numbers below `bound`, at most `wanted`, in ascending order, each as likely (Floyd's algorithm).
    pub(crate) fn sample(&mut self, bound: usize, wanted: usize) -> Vec<usize> {
        let mut drawn = std::collections::BTreeSet::new();
        for last in bound.saturating_sub(wanted)..bound {
            let number = self.below(last + 1);
            if !drawn.insert(number) {
                drawn.insert(last);
            }
        }
        drawn.into_iter().collect()
    }
}

#[cfg(test)]
impl Random {
    /// A number of the exponential distribution with mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }

    /// A number of the standard normal distribution (Box, Muller 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let angle = std::f64::consts::TAU * self.unit();
        (2.0 * self.exponential()).sqrt() * angle.cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut random = Random::new(43);
        let drawn: Vec<usize> = (0..5).map(|_| random.below(1_000)).collect();
        assert_eq!(drawn, [79, 647, 755, 453, 849]);
    }

    #[test]
    fn samples_have_different_numbers_that_are_equally_likely() {
        let mut random = Random::new(1);
        let mut drawn = [0_u32; 10];
        for _ in 0..10_000 {
            let sample = random.sample(10, 3);
            assert!(sample.len() == 3 && sample.is_sorted_by(|a, b| a < b));
            for it in sample {
                drawn[it] += 1;
            }
        }
        assert!(drawn.iter().all(|it| (2_800..3_200).contains(it)), "{drawn:?}");
        assert_eq!(random.sample(3, 9), [0, 1, 2]);
        assert!(random.sample(0, 2).is_empty());
    }
}
