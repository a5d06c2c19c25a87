use std::fmt;

/// A request that cannot be answered: what is wrong, with the value, and what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidRequest {
    /// No company is selected.
    #[error("no company matches the filters; use fewer or other filters")]
    EmptySelection,
    /// A number of clusters that is not allowed.
    #[error("`k` must be from {min} to {max}; got {given}")]
    Clusters {
        /// Given number.
        given: u64,
        /// Smallest number.
        min: u64,
        /// Largest number.
        max: u64,
    },
    /// More clusters than different rows.
    #[error(
        "`k` is {k}, but the companies that have all features have only {different} different values; use a smaller `k`, fewer filters or other features"
    )]
    TooFewDifferentRows {
        /// Number of clusters.
        k: usize,
        /// Number of different rows.
        different: usize,
    },
    /// No company has a value of each feature.
    #[error("no selected company has a value of each of these features: {}; use fewer features or filters", Names(.0))]
    NoRowHasAllFeatures(Vec<&'static str>),
    /// An unknown name.
    #[error("`{member}` must be one of {}; got `{given}`", Names(.known))]
    UnknownName {
        /// Member of the request.
        member: &'static str,
        /// Given name.
        given: String,
        /// The names that are known.
        known: Vec<&'static str>,
    },
    /// A list of features that is too short, too long or repeats one.
    #[error("`features` must name 1 to {max} different features; got {}", Given(.given))]
    Features {
        /// Given features.
        given: Vec<&'static str>,
        /// Largest number of features.
        max: usize,
    },
    /// A threshold outside its range.
    #[error("`threshold` of `{algorithm}` must be from {min} to {max}; got {given}")]
    Threshold {
        /// Algorithm whose threshold it is.
        algorithm: &'static str,
        /// Given threshold.
        given: f64,
        /// Smallest threshold.
        min: f64,
        /// Largest threshold.
        max: f64,
    },
    /// A window that ends before it begins.
    #[error("`since` must not be after `until`; got {since} and {until}")]
    Window {
        /// First day.
        since: jiff::civil::Date,
        /// Last day.
        until: jiff::civil::Date,
    },
    /// A series with too many points.
    #[error(
        "the answer would have {points} points, and may have {max}; use a later `since`, a longer `period` or another `groupBy`"
    )]
    TooManyPoints {
        /// Number of points.
        points: usize,
        /// Largest number of points.
        max: usize,
    },
}

impl InvalidRequest {
    /// The member of the request that is to be changed.
    pub fn member(&self) -> &'static str {
        match self {
            Self::EmptySelection => "filter",
            Self::Clusters { .. } | Self::TooFewDifferentRows { .. } => "k",
            Self::NoRowHasAllFeatures(_) | Self::Features { .. } => "features",
            Self::UnknownName { member, .. } => member,
            Self::Threshold { .. } => "threshold",
            Self::Window { .. } | Self::TooManyPoints { .. } => "since",
        }
    }
}

/// Names in quotes, separated by commas.
struct Names<'a>(&'a [&'static str]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}`{name}`")?;
        }
        Ok(())
    }
}

/// Names as they were given, or that none were.
struct Given<'a>(&'a [&'static str]);

impl fmt::Display for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => f.write_str("none"),
            names => Names(names).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_names_the_value_and_what_would_be_right() {
        let features = InvalidRequest::Features { given: Vec::new(), max: 8 };
        assert_eq!(
            features.to_string(),
            "`features` must name 1 to 8 different features; got none"
        );
        let unknown = InvalidRequest::UnknownName {
            member: "metric",
            given: "size".into(),
            known: vec!["count", "survival"],
        };
        assert_eq!(unknown.to_string(), "`metric` must be one of `count`, `survival`; got `size`");
        let threshold =
            InvalidRequest::Threshold { algorithm: "zscore", given: 0.5, min: 1.0, max: 100.0 };
        assert_eq!(threshold.to_string(), "`threshold` of `zscore` must be from 1 to 100; got 0.5");
    }
}
