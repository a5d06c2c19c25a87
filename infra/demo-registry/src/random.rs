//! The seeded generator. It is our own, so that an update of a library does not change the register.

/// `SplitMix64` (Steele, Lea, Flood 2014): a counter and a mixing function. Not for secrets.
pub(crate) struct Random(u64);

/// The one seed of the register.
const SEED: u64 = 0x6f74_7468_6172_6401;

impl Random {
    /// The generator for the record of the company with this index. The size of the register does not matter.
    pub(crate) fn for_company(index: usize) -> Self {
        Self(mix(SEED ^ mix(index as u64)))
    }

    /// The generator for its history. A record does not depend on it.
    pub(crate) fn for_history(index: usize) -> Self {
        Self(mix(SEED ^ mix(index as u64 | 1 << 40)))
    }

    /// The generator for its beginning and end, on which those of its branches depend.
    pub(crate) fn for_life(index: usize) -> Self {
        Self::for_key(index as u64 | 7 << 60)
    }

    /// The generator for something else with a key, such as a person. No key is below 2⁴¹.
    pub(crate) fn for_key(key: u64) -> Self {
        Self(mix(SEED ^ mix(key)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, which is at least 1 and below 2³².
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((self.next() >> 32) * bound) >> 32
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i32, high: i32) -> i32 {
        let width = (i64::from(high) - i64::from(low)).max(0).unsigned_abs() + 1;
        low.saturating_add_unsigned(self.below(width) as u32)
    }

    /// True with this probability in thousandths.
    pub(crate) fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One of the items, each as likely. There is at least one item.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// One of the items, early ones more likely. There is at least one item.
    pub(crate) fn pick_early<T: Copy>(&mut self, from: &[T]) -> T {
        let bound = from.len() as u64;
        let (one, other) = (self.below(bound), self.below(bound));
        from[if self.chance(500) { one.min(other) } else { one } as usize]
    }

    /// One of the items, by weight. There is at least one item.
    pub(crate) fn weighted<'a, T>(&mut self, from: &'a [T], weight: impl Fn(&T) -> u32) -> &'a T {
        let total: u64 = from.iter().map(|it| u64::from(weight(it))).sum();
        let mut rest = self.below(total.max(1));
        for it in from {
            let share = u64::from(weight(it));
            if rest < share {
                return it;
            }
            rest -= share;
        }
        &from[0]
    }

    /// The value of one of these pairs of a weight and a value. There is at least one pair.
    pub(crate) fn one_of<T: Copy>(&mut self, from: &[(u32, T)]) -> T {
        self.weighted(from, |(weight, _)| *weight).1
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_gives_the_published_numbers() {
        // The first outputs for the state 1234567 in the reference implementation.
        let mut random = Random(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn weights_are_respected() {
        let mut random = Random::for_company(1);
        let ones = (0..10_000).filter(|_| random.one_of(&[(1, true), (3, false)])).count();
        assert!((2_300..2_700).contains(&ones), "{ones}");
    }
}
