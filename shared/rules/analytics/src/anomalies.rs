//! Unusual companies, and what makes them unusual.

use crate::{
    Day, InvalidRequest, Needs, Rows,
    columns::{Changes, Companies},
    features::{Feature, Features, Point, Reader, needs},
    forest,
    groups::{GroupBy, named},
    robust::{Comparison, Peers, Scores},
};

/// How unusual companies are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Algorithm {
    /// The largest robust z-score of the features: finds a company with one extreme value.
    ZScore,
    /// An isolation forest of the robust z-scores: finds unusual combinations, too.
    IsolationForest,
}

impl Algorithm {
    /// Every algorithm.
    pub const ALL: [Self; 2] = [Self::ZScore, Self::IsolationForest];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::ZScore => "zscore",
            Self::IsolationForest => "isolation_forest",
        }
    }

    /// The algorithm with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("algorithm", given, Self::ALL, Self::name)
    }

    /// The threshold if a request gives none.
    pub fn default_threshold(self) -> f64 {
        match self {
            Self::ZScore => 3.5,
            Self::IsolationForest => 0.99,
        }
    }

    /// What the threshold means, in English.
    pub fn threshold_meaning(self) -> &'static str {
        match self {
            Self::ZScore => {
                "Smallest score of an anomaly: the largest absolute robust z-score of the features among the peers."
            }
            Self::IsolationForest => {
                "Quantile of the scores: companies with a higher score than this part of all companies are anomalies."
            }
        }
    }

    fn range(self) -> (f64, f64) {
        match self {
            Self::ZScore => (1.0, 100.0),
            Self::IsolationForest => (0.5, 0.9999),
        }
    }

    /// A threshold within its range.
    fn checked(self, threshold: f64) -> Result<f64, InvalidRequest> {
        let (min, max) = self.range();
        let error =
            InvalidRequest::Threshold { algorithm: self.name(), given: threshold, min, max };
        (min..=max).contains(&threshold).then_some(threshold).ok_or(error)
    }
}

/// What is asked about anomalies.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// How they are found.
    pub algorithm: Algorithm,
    /// The features by which companies are compared.
    pub features: Vec<Feature>,
    /// With whom.
    pub comparison: Comparison,
    /// The threshold. `None` for the one of the algorithm.
    pub threshold: Option<f64>,
    /// What the random choices follow from.
    pub seed: u64,
    /// Number of anomalies to describe.
    pub limit: usize,
    /// Today.
    pub today: Day,
}

impl Question {
    /// The columns that the answer is made from.
    pub fn needs(&self) -> Needs {
        let of_peers = match self.comparison {
            Comparison::IndustryAndLegalForm => {
                GroupBy::Industry.needs().and(GroupBy::LegalForm.needs())
            }
            Comparison::None => Needs::default(),
        };
        needs(&self.features).and(of_peers)
    }
}

/// Unusual companies.
#[derive(Clone, Debug, PartialEq)]
pub struct Anomalies {
    /// The most unusual ones, the most unusual first.
    pub anomalies: Vec<Anomaly>,
    /// Number of all unusual ones.
    pub total: usize,
    /// The threshold.
    pub threshold: f64,
    /// Number of companies that were compared.
    pub scanned: usize,
    /// Number of companies of the selection without a value of each feature.
    pub unknown: Vec<(Feature, usize)>,
    /// Number of companies of the selection that were not compared, because a feature is unknown.
    pub left_out: usize,
}

/// An unusual company.
#[derive(Clone, Debug, PartialEq)]
pub struct Anomaly {
    /// Its row.
    pub row: u32,
    /// How unusual it is.
    pub score: f64,
    /// The companies with whom it was compared.
    pub peers: Peers,
    /// How many there are, with itself.
    pub peer_count: usize,
    /// The features, the most unusual first.
    pub factors: Vec<Factor>,
}

/// How unusual a value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// The feature.
    pub feature: Feature,
    /// Value of the company, in the unit of the feature.
    pub value: f64,
    /// Median of the peers.
    pub peer_median: f64,
    /// Percentage of peers with a lower value, with half of those with the same.
    pub percentile: f64,
    /// Robust z-score among the peers: positive if the value is above the median.
    pub deviation: f64,
}

/// The unusual companies of the selection.
pub fn anomalies(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    question: &Question,
) -> Result<Anomalies, InvalidRequest> {
    let algorithm = question.algorithm;
    let threshold =
        algorithm.checked(question.threshold.unwrap_or(algorithm.default_threshold()))?;
    let features = Features::of(companies, changes, rows, &question.features, question.today)?;
    let among_peers = Scores::of(companies, &features, question.comparison);
    let scores = match algorithm {
        Algorithm::ZScore => among_peers.points.iter().map(largest).collect(),
        Algorithm::IsolationForest => forest::scores(&among_peers.points, question.seed),
    };
    let reader = Reader::new(companies, changes, &question.features, question.today);
    let mut unusual = unusual(&scores, algorithm, threshold);
    let total = unusual.len();
    unusual.truncate(question.limit);
    let described = unusual.into_iter().map(|at| Anomaly {
        row: features.rows[at],
        score: scores[at],
        peers: among_peers.peers(at).0,
        peer_count: among_peers.peers(at).1,
        factors: factors(&reader, &features, &among_peers, at),
    });
    Ok(Anomalies {
        anomalies: described.collect(),
        total,
        threshold,
        scanned: features.rows.len(),
        unknown: features.features.iter().copied().zip(features.unknown.iter().copied()).collect(),
        left_out: features.left_out,
    })
}

/// The largest absolute z-score.
fn largest(scores: &Point) -> f64 {
    f64::from(scores.iter().fold(0.0_f32, |largest, it| largest.max(it.abs())))
}

/// The positions of the unusual scores, the highest first.
fn unusual(scores: &[f64], algorithm: Algorithm, threshold: f64) -> Vec<usize> {
    let limit = match algorithm {
        Algorithm::ZScore => threshold.next_down(),
        Algorithm::IsolationForest => quantile(scores, threshold),
    };
    let mut unusual: Vec<usize> = (0..scores.len()).filter(|it| scores[*it] > limit).collect();
    unusual.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    unusual
}

/// The smallest score that at least this part of all scores do not exceed.
fn quantile(scores: &[f64], part: f64) -> f64 {
    let rank = (scores.len() as f64 * part).ceil().max(1.0) as usize - 1;
    let mut scores = scores.to_vec();
    let (_, quantile, _) = scores.select_nth_unstable_by(rank, f64::total_cmp);
    *quantile
}

/// The features of a company, the most unusual first.
fn factors(reader: &Reader, features: &Features, among_peers: &Scores, at: usize) -> Vec<Factor> {
    let factor = |(number, feature): (usize, &Feature)| {
        let (median, percentile) = among_peers.among_peers(features, at, number);
        let scaling = feature.scaling();
        Factor {
            feature: *feature,
            // The exact one: the scaled values are rounded.
            value: reader.value(*feature, features.rows[at]).unwrap_or_default(),
            peer_median: scaling.unscale(median),
            percentile,
            deviation: f64::from(among_peers.points[at][number]),
        }
    };
    let mut factors: Vec<Factor> = features.features.iter().enumerate().map(factor).collect();
    factors.sort_by(|a, b| b.deviation.abs().total_cmp(&a.deviation.abs()));
    factors
}

#[cfg(test)]
mod tests {
    use domain::Amount;

    use super::*;
    use crate::{
        LegalFormCode, Noga,
        random::Random,
        test::{companies, count, day},
    };

    fn question(algorithm: Algorithm) -> Question {
        Question {
            algorithm,
            features: vec![Feature::Capital, Feature::Officers, Feature::CompanyAge],
            comparison: Comparison::IndustryAndLegalForm,
            threshold: None,
            seed: 43,
            limit: 100,
            today: day("2026-11-30"),
        }
    }

    const COMPANIES: usize = 5_000;
    const BANKS: usize = 100;
    const OUTLIERS: usize = 50;

    fn in_all(algorithm: Algorithm) -> bool {
        algorithm == Algorithm::IsolationForest
    }

    /// Shops; 100 banks with a thousand times their capital; 50 shops with an extraordinary capital, age or number of officers, or
    /// with all three.
    fn planted(algorithm: Algorithm) -> Companies {
        // A forest cuts a random feature: a company that is unusual in one of several is less so than one that is unusual in all.
        let in_all = in_all(algorithm);
        let random = std::cell::RefCell::new(Random::new(1));
        companies(COMPANIES, |at, row| {
            let random = &mut *random.borrow_mut();
            let (is_bank, is_outlier) = (at < BANKS, at >= COMPANIES - OUTLIERS);
            row.noga = Noga::new(if is_bank { "6419" } else { "4711" });
            row.legal_form = LegalFormCode::new("0106");
            let capital = if is_bank { 2e8 } else { 2e5 } * (0.5 * random.normal()).exp();
            let officers = 6.0 * (0.3 * random.normal()).exp();
            let age = 3_000.0 * (0.25 * random.normal()).exp();
            let factor = |wanted: usize, factor: f64| {
                if is_outlier && (in_all || at % 3 == wanted) { factor } else { 1.0 }
            };
            row.capital = Some(Amount::units((capital * factor(0, 500.0)) as i64).into());
            row.officers = count((officers * factor(1, 20.0)) as u32);
            row.founding = Some(day("2026-11-30").plus(-((age * factor(2, 14.0)) as i32)));
        })
    }

    fn of(companies: &Companies, question: &Question) -> Anomalies {
        let rows = Rows::all(companies.rows);
        anomalies(companies, &Changes::default(), &rows, question).expect("valid")
    }

    #[test]
    fn planted_outliers_are_in_the_top_percent() {
        for algorithm in Algorithm::ALL {
            let companies = planted(algorithm);
            let found = of(&companies, &Question { limit: OUTLIERS, ..question(algorithm) });
            for anomaly in found.anomalies {
                let row = anomaly.row as usize;
                assert!(row >= COMPANIES - OUTLIERS, "{algorithm:?} {anomaly:?}");
                let strongest = anomaly.factors[0];
                assert!(strongest.percentile > 98.0 && strongest.deviation > 5.0, "{strongest:?}");
                let planted = [Feature::Capital, Feature::Officers, Feature::CompanyAge][row % 3];
                assert!(
                    algorithm != Algorithm::ZScore || strongest.feature == planted,
                    "{anomaly:?}"
                );
            }
        }
    }

    #[test]
    fn banks_are_not_unusual_among_banks() {
        for algorithm in Algorithm::ALL {
            let companies = planted(algorithm);
            let banks = |comparison| {
                // Of the forest, more than the planted outliers.
                let threshold = in_all(algorithm).then_some(0.97);
                let question =
                    Question { comparison, threshold, limit: COMPANIES, ..question(algorithm) };
                let found = of(&companies, &question).anomalies;
                found.iter().filter(|it| (it.row as usize) < BANKS).count()
            };
            let among_banks = banks(Comparison::IndustryAndLegalForm);
            assert!(among_banks <= BANKS / 20, "{algorithm:?}: {among_banks}");
            let among_all = banks(Comparison::None);
            assert!(among_all >= 5 * among_banks.max(1), "{algorithm:?}: {among_all}");
        }
    }

    #[test]
    fn threshold_has_the_meaning_of_its_algorithm() {
        let companies = planted(Algorithm::ZScore);
        let all = |algorithm, threshold| {
            of(
                &companies,
                &Question { threshold: Some(threshold), limit: COMPANIES, ..question(algorithm) },
            )
        };
        let z = all(Algorithm::ZScore, 2.0);
        assert!(z.total > 50 && z.anomalies.iter().all(|it| it.score >= 2.0));
        assert_eq!(z.anomalies.len(), z.total);
        let forest = all(Algorithm::IsolationForest, 0.95);
        assert_eq!((forest.total, forest.threshold), (COMPANIES / 20, 0.95));
        for found in [&z, &forest] {
            assert!(found.anomalies.is_sorted_by(|a, b| a.score >= b.score));
        }
        for (algorithm, wrong) in [
            (Algorithm::ZScore, f64::NAN),
            (Algorithm::ZScore, 0.0),
            (Algorithm::ZScore, 1e308),
            (Algorithm::IsolationForest, 2.0),
            (Algorithm::IsolationForest, 1.0),
        ] {
            let question = Question { threshold: Some(wrong), ..question(algorithm) };
            let error = anomalies(&companies, &Changes::default(), &Rows::all(1), &question);
            assert!(matches!(error, Err(InvalidRequest::Threshold { .. })), "{wrong}");
        }
    }

    #[test]
    fn order_of_companies_does_not_change_robust_scores() {
        let companies = planted(Algorithm::ZScore);
        let reversed = companies.reversed(&Changes::default(), &companies.places_of_changes()).0;
        let scores = |companies: &Companies| {
            let found =
                of(companies, &Question { limit: COMPANIES, ..question(Algorithm::ZScore) });
            let mut scores: Vec<_> = found
                .anomalies
                .iter()
                .map(|it| (companies.uid[it.row as usize], it.score))
                .collect();
            scores.sort_by_key(|it| it.0);
            scores
        };
        assert_eq!(scores(&companies), scores(&reversed));
    }

    #[test]
    fn nobody_is_unusual_if_all_are_equal() {
        let companies = companies(500, |at, row| {
            row.capital = (at < 400).then(|| Amount::units(7).into());
            row.officers = count(2);
            row.founding = Some(day("2020-01-01"));
        });
        for algorithm in Algorithm::ALL {
            let found = of(&companies, &question(algorithm));
            assert_eq!((found.total, found.scanned, found.left_out), (0, 400, 100));
            assert_eq!(found.unknown[0], (Feature::Capital, 100));
        }
    }
}
