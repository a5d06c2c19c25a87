use crate::Tier;

/// How many subjects a team may screen in a day (UTC), beside the allowance of requests. Our choice: a request screens up to
/// 100 subjects, and each leaves evidence.
#[rustfmt::skip]
pub const fn screening_subjects(tier: Tier) -> u32 {
    match tier {
        Tier::Free         =>     100,
        Tier::Starter      =>   1_000,
        Tier::Professional =>  10_000,
        Tier::Enterprise   => 100_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_tier_may_screen_more_subjects() {
        assert!(Tier::ALL.map(screening_subjects).is_sorted());
    }
}
