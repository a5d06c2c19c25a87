use super::survivor_weight;

/// A group of companies with similar scores.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationRow {
    /// The lowest score.
    pub lowest: f64,
    /// The highest score.
    pub highest: f64,
    /// Number of cases.
    pub cases: usize,
    /// Number of survivors.
    pub survivors: usize,
    /// Mean of the scores, weighed to the prevalence.
    pub mean_score: f64,
    /// Part of the companies that failed, weighed to the prevalence.
    pub failed: f64,
}

/// The scores in groups of about the same number of companies, lowest first. Companies with the same score are in the same
/// group, so there can be fewer groups. `prevalence`: part of all companies that fail.
pub fn calibration(scores: &[(bool, f64)], prevalence: f64, groups: usize) -> Vec<CalibrationRow> {
    let mut sorted: Vec<(bool, f64)> = scores.to_vec();
    sorted.sort_by(|one, other| one.1.total_cmp(&other.1));
    let cases = sorted.iter().filter(|it| it.0).count();
    let weight = survivor_weight(cases, sorted.len() - cases, prevalence);
    let size = sorted.len().div_ceil(groups.max(1)).max(1);
    let mut rows = Vec::new();
    let mut group: Vec<(bool, f64)> = Vec::new();
    for same in sorted.chunk_by(|one, other| one.1 == other.1) {
        group.extend_from_slice(same);
        if group.len() >= size {
            rows.extend(row(&group, weight));
            group.clear();
        }
    }
    rows.extend(row(&group, weight));
    rows
}

/// `None` for an empty group.
fn row(group: &[(bool, f64)], survivor_weight: f64) -> Option<CalibrationRow> {
    let (lowest, highest) = (group.first()?.1, group.last()?.1);
    let cases = group.iter().filter(|it| it.0).count();
    let weight = |is_case: bool| if is_case { 1.0 } else { survivor_weight };
    let total: f64 = group.iter().map(|it| weight(it.0)).sum();
    let scores: f64 = group.iter().map(|it| weight(it.0) * it.1).sum();
    Some(CalibrationRow {
        lowest,
        highest,
        cases,
        survivors: group.len() - cases,
        mean_score: scores / total,
        failed: cases as f64 / total,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_same_size_and_the_prevalence_of_the_register() {
        // Two cases and two survivors. With a prevalence of 0.2, each survivor counts for four.
        let scores = [(false, 0.1), (true, 0.2), (false, 0.3), (true, 0.6)];
        let rows = calibration(&scores, 0.2, 2);
        assert_eq!(rows.len(), 2);
        let expected = |lowest, highest, mean_score| CalibrationRow {
            lowest,
            highest,
            cases: 1,
            survivors: 1,
            mean_score,
            failed: 0.2,
        };
        for (row, expected) in rows.iter().zip([
            expected(0.1, 0.2, (4.0 * 0.1 + 0.2) / 5.0),
            expected(0.3, 0.6, (4.0 * 0.3 + 0.6) / 5.0),
        ]) {
            assert!((row.mean_score - expected.mean_score).abs() < 1e-12, "{row:?}");
            assert!((row.failed - expected.failed).abs() < 1e-12, "{row:?}");
            assert_eq!((row.lowest, row.highest), (expected.lowest, expected.highest));
            assert_eq!((row.cases, row.survivors), (expected.cases, expected.survivors));
        }
    }

    #[test]
    fn companies_with_the_same_score_are_in_the_same_group() {
        let rows = calibration(&[(true, 0.5); 10], 0.1, 5);
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].cases, rows[0].failed), (10, 1.0));
        assert!(calibration(&[], 0.1, 5).is_empty());
        assert_eq!(calibration(&[(true, 0.5), (false, 0.6)], 0.1, 0).len(), 1);
    }
}
