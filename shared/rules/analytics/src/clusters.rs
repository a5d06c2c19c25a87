//! Groups of similar companies, and what sets each apart.

use std::collections::BTreeMap;

use crate::{
    Day, InvalidRequest, Needs, Rows,
    columns::{Changes, Companies},
    features::{Feature, Features, Moments, Point, needs},
    groups::{Group, GroupBy, largest_first},
    kmeans::{Clustering, MAX_K, MIN_K, different, kmeans, square},
    quantiles::median,
    random::Random,
    silhouette::silhouette,
};

/// What is asked about clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The features by which companies are compared.
    pub features: Vec<Feature>,
    /// Number of clusters. `None`: the one with the largest silhouette is chosen.
    pub k: Option<u64>,
    /// What the random choices follow from.
    pub seed: u64,
    /// Number of companies to name of each cluster.
    pub samples: usize,
    /// Today.
    pub today: Day,
}

impl Question {
    /// The columns that the answer is made from.
    pub fn needs(&self) -> Needs {
        let described = [GroupBy::Canton, GroupBy::LegalForm, GroupBy::Industry];
        described.into_iter().fold(needs(&self.features), |needs, it| needs.and(it.needs()))
    }
}

/// Companies in clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// The clusters, the largest first.
    pub clusters: Vec<Cluster>,
    /// The silhouettes of the numbers that were compared, if `k` was chosen. Empty if it was given.
    pub tried: Vec<(usize, f64)>,
    /// Number of iterations.
    pub iterations: usize,
    /// Sum of the squares of the distances of the standardised features from the centres.
    pub inertia: f64,
    /// Mean silhouette of a sample of companies. `None` if all of them are in one cluster.
    pub silhouette: Option<f64>,
    /// Number of companies of this sample.
    pub silhouette_sample: usize,
    /// Number of companies of the selection without a value of each feature.
    pub unknown: Vec<(Feature, usize)>,
    /// Number of companies in clusters.
    pub companies: usize,
    /// Number of companies of the selection that are in no cluster, because a feature is unknown.
    pub left_out: usize,
}

/// Similar companies.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// Number of companies.
    pub companies: usize,
    /// Mean of each feature in its own unit. Of a feature that is scaled with the logarithm, the value whose logarithm is the mean.
    pub centroid: Vec<(Feature, f64)>,
    /// The companies nearest to the centre, the nearest first.
    pub nearest: Vec<u32>,
    /// The features whose mean is at least half a deviation from that of all companies, the most different first.
    pub distinguishing: Vec<Distinguishing>,
    /// Companies by canton, the largest groups first.
    pub cantons: Vec<(Group, u32)>,
    /// Companies by legal form, the largest groups first.
    pub legal_forms: Vec<(Group, u32)>,
    /// Companies by industry, the largest groups first.
    pub industries: Vec<(Group, u32)>,
}

/// How a cluster differs from all companies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distinguishing {
    /// The feature.
    pub feature: Feature,
    /// Median of the cluster, in the unit of the feature.
    pub median: f64,
    /// Median of all companies in clusters.
    pub selection_median: f64,
    /// Difference of the means, in standard deviations of all companies in clusters.
    pub deviations: f64,
}

/// Number of rows on which numbers of clusters are compared.
const CHOICE_SAMPLE: usize = 20_000;
/// Number of rows of which silhouettes are computed.
pub const SILHOUETTE_SAMPLE: usize = 2_000;
/// Largest number of clusters that is chosen.
const LARGEST_CHOICE: usize = 10;
/// Deviations from which a feature sets a cluster apart.
const DISTINGUISHING: f64 = 0.5;

/// The clusters of the selection.
pub fn clusters(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    question: &Question,
) -> Result<Clusters, InvalidRequest> {
    let given = question.k.map(|given| {
        let error = InvalidRequest::Clusters { given, min: MIN_K as u64, max: MAX_K as u64 };
        usize::try_from(given).ok().filter(|it| (MIN_K..=MAX_K).contains(it)).ok_or(error)
    });
    let given = given.transpose()?;
    let features = Features::of(companies, changes, rows, &question.features, question.today)?;
    let moments = features.moments();
    let points = standardised(&features, &moments);
    let mut random = Random::new(question.seed);
    let (k, tried) = match given {
        Some(k) => (k, Vec::new()),
        None => choose(&points, &mut random)?,
    };
    let clustering = kmeans(&points, k, question.seed)?;
    let sample = random.sample(points.len(), SILHOUETTE_SAMPLE);
    let described = Description {
        companies,
        features: &features,
        moments: &moments,
        points: &points,
        samples: question.samples,
    };
    Ok(Clusters {
        clusters: described.clusters(&clustering),
        tried,
        iterations: clustering.iterations,
        inertia: clustering.inertia,
        silhouette: silhouette_of(&points, &clustering.labels, &sample),
        silhouette_sample: sample.len(),
        unknown: features.features.iter().copied().zip(features.unknown.iter().copied()).collect(),
        companies: features.rows.len(),
        left_out: features.left_out,
    })
}

fn standardised(features: &Features, moments: &[Moments]) -> Vec<Point> {
    let standardise = |point: &Point| {
        let mut standardised = *point;
        for (value, moments) in standardised.iter_mut().zip(moments) {
            *value = moments.standardised(f64::from(*value)) as f32 + 0.0;
        }
        standardised
    };
    features.points.iter().map(standardise).collect()
}

fn silhouette_of(points: &[Point], labels: &[u8], sample: &[usize]) -> Option<f64> {
    let points: Vec<Point> = sample.iter().map(|it| points[*it]).collect();
    let labels: Vec<u8> = sample.iter().map(|it| labels[*it]).collect();
    silhouette(&points, &labels)
}

/// The number of clusters with the largest silhouette, the smaller one if two are equal, and the silhouettes of all that were tried.
fn choose(
    points: &[Point],
    random: &mut Random,
) -> Result<(usize, Vec<(usize, f64)>), InvalidRequest> {
    let drawn = random.sample(points.len(), CHOICE_SAMPLE);
    let drawn: Vec<Point> = drawn.into_iter().map(|it| points[it]).collect();
    let sample = random.sample(drawn.len(), SILHOUETTE_SAMPLE);
    let largest = different(&drawn, LARGEST_CHOICE);
    let mut tried = Vec::new();
    for k in MIN_K..=largest {
        let labels = kmeans(&drawn, k, k as u64)?.labels;
        if let Some(silhouette) = silhouette_of(&drawn, &labels, &sample) {
            tried.push((k, silhouette));
        }
    }
    let best = tried.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map(|it| it.0);
    // Where nothing can be compared, two clusters: k-means refuses if there are no two different rows.
    Ok((best.unwrap_or(MIN_K), tried))
}

/// What clusters are described from.
struct Description<'a> {
    companies: &'a Companies,
    features: &'a Features,
    moments: &'a [Moments],
    points: &'a [Point],
    samples: usize,
}

impl Description<'_> {
    fn clusters(&self, clustering: &Clustering) -> Vec<Cluster> {
        let mut members = vec![Vec::new(); clustering.centres.len()];
        for (at, label) in clustering.labels.iter().enumerate() {
            members[usize::from(*label)].push(at);
        }
        let all: Vec<usize> = (0..self.points.len()).collect();
        let medians: Vec<f64> =
            (0..self.features.features.len()).map(|it| self.median(it, &all)).collect();
        let pairs = members.iter().zip(&clustering.centres);
        pairs.map(|(members, centre)| self.cluster(members, centre, &medians)).collect()
    }

    fn cluster(&self, members: &[usize], centre: &Point, medians: &[f64]) -> Cluster {
        let rows: Rows = members.iter().map(|it| self.features.rows[*it]).collect();
        let features = || self.features.features.iter().copied().enumerate();
        let centroid = features().map(|(at, feature)| {
            let Moments { mean, deviation } = self.moments[at];
            (feature, feature.scaling().unscale(mean + f64::from(centre[at]) * deviation))
        });
        let distinguishing = features().map(|(at, feature)| Distinguishing {
            feature,
            median: self.median(at, members),
            selection_median: medians[at],
            deviations: f64::from(centre[at]),
        });
        let mut distinguishing: Vec<Distinguishing> =
            distinguishing.filter(|it| it.deviations.abs() >= DISTINGUISHING).collect();
        distinguishing.sort_by(|a, b| b.deviations.abs().total_cmp(&a.deviations.abs()));
        Cluster {
            companies: members.len(),
            centroid: centroid.collect(),
            nearest: self.nearest(members, centre),
            distinguishing,
            cantons: self.shares(GroupBy::Canton, &rows),
            legal_forms: self.shares(GroupBy::LegalForm, &rows),
            industries: self.shares(GroupBy::Industry, &rows),
        }
    }

    /// The median of a feature in its own unit.
    fn median(&self, at: usize, members: &[usize]) -> f64 {
        let mut values: Vec<f64> =
            members.iter().map(|it| f64::from(self.features.points[*it][at])).collect();
        self.features.features[at].scaling().unscale(median(&mut values).unwrap_or_default())
    }

    fn nearest(&self, members: &[usize], centre: &Point) -> Vec<u32> {
        let mut all: Vec<(f32, u32)> = members
            .iter()
            .map(|it| (square(&self.points[*it], centre), self.features.rows[*it]))
            .collect();
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if self.samples < all.len() {
            all.select_nth_unstable_by(self.samples, order);
            all.truncate(self.samples);
        }
        all.sort_unstable_by(order);
        all.into_iter().map(|it| it.1).collect()
    }

    fn shares(&self, by: GroupBy, rows: &Rows) -> Vec<(Group, u32)> {
        let mut counts: BTreeMap<Group, u32> = BTreeMap::new();
        for row in rows.iter() {
            *counts.entry(by.group(self.companies, row)).or_default() += 1;
        }
        largest_first(counts)
    }
}

#[cfg(test)]
mod tests {
    use domain::{Amount, Canton};

    use super::*;
    use crate::test::{companies, count, day};

    fn question(k: Option<u64>) -> Question {
        let features = vec![Feature::Capital, Feature::Officers, Feature::CompanyAge];
        Question { features, k, seed: 43, samples: 3, today: day("2026-11-30") }
    }

    /// Young companies with little capital in Zug, old ones with much in Uri, middle-aged ones with many officers in Bern.
    fn planted() -> Companies {
        let random = std::cell::RefCell::new(Random::new(1));
        companies(900, |at, row| {
            let random = &mut *random.borrow_mut();
            let (canton, capital, officers, age) = [
                (Canton::Zg, 20_000.0, 1, 2.0),
                (Canton::Ur, 5_000_000.0, 3, 40.0),
                (Canton::Be, 100_000.0, 25, 15.0),
            ][at % 3];
            row.canton = Some(canton);
            row.capital =
                Some(Amount::units((capital * (0.2 * random.normal()).exp()) as i64).into());
            row.officers = count(officers + random.below(2) as u32);
            let age = age * 365.0 * (0.1 * random.normal()).exp();
            row.founding = (at != 899).then(|| day("2026-11-30").plus(-(age as i32)));
        })
    }

    #[test]
    fn planted_groups_are_found_and_described() {
        let companies = planted();
        let found = clusters(&companies, &Changes::default(), &Rows::all(900), &question(Some(3)))
            .expect("valid");
        assert_eq!((found.companies, found.left_out, found.clusters.len()), (899, 1, 3));
        assert_eq!(found.unknown.last(), Some(&(Feature::CompanyAge, 1)));
        for cluster in &found.clusters {
            assert_eq!(cluster.cantons.len(), 1, "{:?}", cluster.cantons);
            assert_eq!(cluster.nearest.len(), 3);
            let canton = |row: &u32| Group::Canton(companies.canton[*row as usize].expect("known"));
            assert!(cluster.nearest.iter().all(|it| canton(it) == cluster.cantons[0].0));
        }
        let of = |canton| {
            found
                .clusters
                .iter()
                .find(|it| it.cantons[0].0 == Group::Canton(canton))
                .expect("found")
        };
        let bern = &of(Canton::Be).distinguishing[0];
        assert!(bern.feature == Feature::Officers && (25.0..26.1).contains(&bern.median));
        assert!(bern.deviations > 1.0 && bern.selection_median < 5.0, "{bern:?}");
        let (feature, capital) = of(Canton::Ur).centroid[0];
        assert!(feature == Feature::Capital && (4e6..6e6).contains(&capital), "{capital}");
        assert!(found.silhouette.is_some_and(|it| it > 0.7), "{:?}", found.silhouette);
    }

    #[test]
    fn number_of_planted_groups_is_chosen() {
        let found = clusters(&planted(), &Changes::default(), &Rows::all(900), &question(None))
            .expect("valid");
        assert_eq!(found.clusters.len(), 3, "{:?}", found.tried);
        assert_eq!(found.tried.len(), 9);
        assert_eq!(found.clusters.iter().map(|it| it.companies).sum::<usize>(), found.companies);
    }

    #[test]
    fn few_or_equal_companies_are_refused_or_grouped() {
        let companies = companies(5, |at, row| {
            row.capital = Some(Amount::units(at as i64 / 4).into());
            row.officers = count(2);
            row.founding = Some(day("2020-01-01"));
        });
        let of = |rows: Rows, k| clusters(&companies, &Changes::default(), &rows, &question(k));
        assert_eq!(of(Rows::all(5), None).expect("two values").clusters.len(), 2);
        let all_equal = InvalidRequest::TooFewDifferentRows { k: 2, different: 1 };
        assert_eq!(of(Rows::all(4), None), Err(all_equal.clone()));
        assert_eq!(of(Rows::all(1), Some(2)), Err(all_equal));
        assert_eq!(of(Rows::default(), Some(2)), Err(InvalidRequest::EmptySelection));
        let error = of(Rows::all(5), Some(u64::MAX)).expect_err("too many");
        assert_eq!(error.to_string(), "`k` must be from 2 to 50; got 18446744073709551615");
    }
}
