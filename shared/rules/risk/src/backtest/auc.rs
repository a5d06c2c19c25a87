/// The probability that a random case has a higher score than a random survivor; equal scores count half (the statistic of
/// Mann and Whitney). 0.5 if the scores do not distinguish them. `None` without cases or survivors.
pub fn auc(scores: &[(bool, f64)]) -> Option<f64> {
    let mut sorted: Vec<(bool, f64)> = scores.to_vec();
    sorted.sort_by(|one, other| one.1.total_cmp(&other.1));
    let (mut lower_survivors, mut wins) = (0_usize, 0.0);
    // Equal scores belong together: -0 and 0 are the same score.
    for same in sorted.chunk_by(|one, other| one.1 == other.1) {
        let cases = same.iter().filter(|it| it.0).count();
        let survivors = same.len() - cases;
        wins += cases as f64 * (lower_survivors as f64 + survivors as f64 / 2.0);
        lower_survivors += survivors;
    }
    let cases = sorted.len() - lower_survivors;
    let pairs = cases as f64 * lower_survivors as f64;
    (pairs > 0.0).then(|| wins / pairs)
}

/// Standard error of an area (J. A. Hanley, B. J. `McNeil`, "The meaning and use of the area under a receiver operating
/// characteristic curve", Radiology 143, 1982). Needs at least one case and one survivor.
pub fn auc_standard_error(auc: f64, cases: usize, survivors: usize) -> f64 {
    let (cases, survivors) = (cases as f64, survivors as f64);
    let two_cases = auc / (2.0 - auc);
    let two_survivors = 2.0 * auc * auc / (1.0 + auc);
    let variance = auc * (1.0 - auc)
        + (cases - 1.0) * (two_cases - auc * auc)
        + (survivors - 1.0) * (two_survivors - auc * auc);
    (variance / (cases * survivors)).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scores(cases: &[f64], survivors: &[f64]) -> Vec<(bool, f64)> {
        let all = cases.iter().map(|it| (true, *it));
        all.chain(survivors.iter().map(|it| (false, *it))).collect()
    }

    #[test]
    fn area_is_the_part_of_pairs_in_which_the_case_is_higher() {
        for (cases, survivors, expected) in [
            (&[0.9, 0.8][..], &[0.1, 0.2][..], 1.0),
            (&[0.1], &[0.9], 0.0),
            (&[0.5], &[0.5], 0.5),
            // 0.35 < 0.4 and 0.8 > both: three of four pairs.
            (&[0.35, 0.8], &[0.1, 0.4], 0.75),
            (&[0.4, 0.4, 0.7], &[0.4, 0.2], (0.5 + 1.0 + 0.5 + 1.0 + 1.0 + 1.0) / 6.0),
        ] {
            let found = auc(&scores(cases, survivors)).expect("both kinds");
            assert!((found - expected).abs() < 1e-12, "{cases:?} {survivors:?}: {found}");
        }
        assert_eq!(auc(&scores(&[0.4], &[])), None);
        assert_eq!(auc(&[]), None);
    }

    #[test]
    fn standard_error_is_that_of_hanley_and_mcneil() {
        // Their example: area 0.893 with 51 cases and 58 survivors.
        let found = auc_standard_error(0.893, 51, 58);
        assert!((found - 0.0325).abs() < 5e-4, "{found}");
        assert_eq!(auc_standard_error(1.0, 10, 10), 0.0);
    }

    proptest! {
        #[test]
        fn area_of_opposite_scores_is_the_rest(
            given in proptest::collection::vec((any::<bool>(), -3_i32..3), 2..30),
        ) {
            let scores: Vec<_> = given.iter().map(|(is_case, it)| (*is_case, f64::from(*it))).collect();
            let opposite: Vec<_> = scores.iter().map(|(is_case, it)| (*is_case, -it)).collect();
            if let (Some(one), Some(other)) = (auc(&scores), auc(&opposite)) {
                prop_assert!((one + other - 1.0).abs() < 1e-12);
            }
        }
    }
}
