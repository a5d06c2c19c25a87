//! The numbers that describe companies, as requests choose and answers describe them.

use analytics::{
    InvalidRequest,
    features::{Feature, MAX_FEATURES, Scaling},
};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{names::WantedFeature, selection::refused};

/// A feature of companies.
#[derive(Serialize, ToSchema)]
pub(crate) struct DescribedFeature {
    /// Name of the feature.
    #[schema(example = "capital")]
    name: &'static str,
    /// How its values are scaled before they are standardised.
    scaling: FeatureScaling,
    /// Number of selected companies without a value: no source states one, or the capital is in another currency.
    unknown: usize,
}

/// A number with so many decimals: more would say what it does not know.
pub(crate) fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10_f64.powi(decimals);
    (number * unit).round() / unit
}

/// How the values of a feature are scaled: with the logarithm of one more, or not.
#[derive(Clone, Copy, Serialize, ToSchema)]
enum FeatureScaling {
    #[serde(rename = "ln(1 + x)")]
    Logarithm,
    #[serde(rename = "none")]
    None,
}

impl From<Scaling> for FeatureScaling {
    fn from(scaling: Scaling) -> Self {
        match scaling {
            Scaling::Logarithm => Self::Logarithm,
            Scaling::None => Self::None,
        }
    }
}

pub(crate) fn described(unknown: Vec<(Feature, usize)>) -> Vec<DescribedFeature> {
    let described = |(feature, unknown): (Feature, usize)| DescribedFeature {
        name: feature.name(),
        scaling: feature.scaling().into(),
        unknown,
    };
    unknown.into_iter().map(described).collect()
}

/// The features of a request.
///
/// # Errors
/// 400 if there are none, too many, or one twice.
pub(crate) fn chosen(given: Option<Vec<WantedFeature>>) -> Result<Vec<Feature>, Problem> {
    let Some(given) = given else { return Ok(Feature::DEFAULT.to_vec()) };
    let features: Vec<Feature> = given.into_iter().map(|it| it.0).collect();
    let is_repeated = |at: usize| features[..at].contains(&features[at]);
    let is_valid =
        (1..=MAX_FEATURES).contains(&features.len()) && !(0..features.len()).any(is_repeated);
    if is_valid {
        return Ok(features);
    }
    let given = features.into_iter().map(Feature::name).collect();
    Err(refused(&InvalidRequest::Features { given, max: MAX_FEATURES }))
}
