use super::survivor_weight;

/// How much more often companies fail that show a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lift {
    /// Cases that show it.
    pub cases: usize,
    /// Survivors that show it.
    pub survivors: usize,
    /// The part of the companies with the sign that failed, divided by the part of all companies that failed, weighed to
    /// the prevalence. 1 if the sign says nothing. `None` if no company shows it, or if there are no cases or no survivors.
    pub lift: Option<f64>,
}

/// The lift of a sign. Each company: whether it is a case, and whether it shows the sign. `prevalence`: part of all companies
/// that fail.
pub fn lift(companies: &[(bool, bool)], prevalence: f64) -> Lift {
    let count = |is_case: bool, only_shown: bool| {
        companies.iter().filter(|it| it.0 == is_case && (it.1 || !only_shown)).count()
    };
    let (all_cases, all_survivors) = (count(true, false), count(false, false));
    let (cases, survivors) = (count(true, true), count(false, true));
    let weight = survivor_weight(all_cases, all_survivors, prevalence);
    let shown = cases as f64 + weight * survivors as f64;
    let is_defined = all_cases > 0 && all_survivors > 0 && shown > 0.0;
    Lift { cases, survivors, lift: is_defined.then(|| cases as f64 / shown / prevalence) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lift_compares_companies_with_the_sign_to_all() {
        // Half of the cases and a tenth of the survivors show it; one company in ten fails:
        // 0.5 × 0.1 / (0.5 × 0.1 + 0.1 × 0.9) / 0.1.
        let mut companies = vec![(true, true), (true, false)];
        companies.push((false, true));
        companies.extend([(false, false); 9]);
        let found = lift(&companies, 0.1);
        assert_eq!((found.cases, found.survivors), (1, 1));
        let expected = 0.05 / (0.05 + 0.09) / 0.1;
        assert!((found.lift.expect("defined") - expected).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn sign_of_all_companies_has_no_lift_and_sign_of_none_is_undefined() {
        let all = [(true, true), (false, true), (false, true)];
        assert!((lift(&all, 0.02).lift.expect("defined") - 1.0).abs() < 1e-12);
        assert_eq!(lift(&[(true, false), (false, false)], 0.02).lift, None);
        assert_eq!(lift(&[(true, true)], 0.02).lift, None);
    }
}
