//! The names that parameters may have.

use std::borrow::Cow;

use analytics::{
    anomalies::Algorithm, benchmark::Dimension, candidates::Order, cohorts::Metric,
    features::Feature, flows::Period, groups::GroupBy, prospects::Readiness, robust::Comparison,
};
use domain::{choice::Choice, text};
use serde::{Deserialize, Deserializer, de::Error};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

macro_rules! named {
    ($($(#[$doc:meta])* $wanted:ident($named:ty) $schema:literal $what:literal)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $wanted(pub(crate) $named);

        impl PartialSchema for $wanted {
            fn schema() -> RefOr<Schema> {
                text::one_of(<$named>::ALL.map(<$named>::name))
            }
        }

        impl ToSchema for $wanted {
            fn name() -> Cow<'static, str> {
                $schema.into()
            }
        }

        impl<'de> Deserialize<'de> for $wanted {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let given = String::deserialize(deserializer)?;
                let known = <$named>::ALL.into_iter().map(|it| (it.name(), it));
                Choice::of($what).read(&given, known).map(Self).map_err(D::Error::custom)
            }
        }
    )*};
}

named! {
    /// By what companies are grouped.
    WantedGroupBy(GroupBy) "CohortGrouping" "a way to group companies, such as `canton`"
    /// A figure of groups.
    WantedMetric(Metric) "CohortMetric" "a figure of groups, such as `count`"
    /// Length of a period.
    WantedPeriod(Period) "FlowPeriod" "a length of periods, such as `monthly`"
    /// What a company is compared by.
    WantedDimension(Dimension) "BenchmarkDimensionName" "something to compare companies by, such as `capital`"
    /// By what candidates are ordered.
    WantedOrder(Order) "CandidateOrder" "a sort order such as `score`"
    /// A number that describes companies.
    WantedFeature(Feature) "CompanyFeature" "a feature of companies such as `capital`"
    /// How unusual companies are found.
    WantedAlgorithm(Algorithm) "AnomalyAlgorithm" "an algorithm such as `zscore`"
    /// With whom a company is compared.
    WantedComparison(Comparison) "AnomalyPeers" "a choice of peers such as `industry_and_legal_form`"
    /// How promising a prospect is.
    WantedReadiness(Readiness) "PitchReadiness" "how promising a prospect is, such as `Hot`"
}
