//! Query parameters of a list of auditor tenures.

use serde::Deserialize;
use utoipa::IntoParams;

use super::{PageNumber, PageSize, Values};
use crate::Canton;

/// Query of a list of auditor tenures. A tenure must match all filters.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TenureQuery {
    /// Minimum length in years, as shown in the list with one decimal.
    #[serde(rename = "min_years", alias = "minYears")]
    #[param(value_type = Option<f64>, minimum = 0, example = 10)]
    pub min_years: Option<Years>,
    /// Code of the canton of the company, such as `ZH`, or its name in German, French, Italian or English. Separate several
    /// values by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, max_items = 100, example = json!(["ZH"]))]
    pub canton: Values<Canton>,
    /// Page number, starting at 1. Pages after the last one are empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// Maximum number of items per page, 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// A duration in years, 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Years(pub f64);

impl TryFrom<f64> for Years {
    type Error = String;

    fn try_from(years: f64) -> Result<Self, String> {
        if years >= 0.0 {
            Ok(Self(years))
        } else {
            Err(format!("must be at least 0; got `{years}`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_durations_are_rejected() {
        for (years, accepted) in [(0.0, true), (7.5, true), (-0.1, false), (f64::NAN, false)] {
            assert_eq!(Years::try_from(years).is_ok(), accepted, "{years}");
        }
    }
}
