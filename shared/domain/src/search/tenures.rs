//! What a list of auditor tenures can be asked.

use serde::Deserialize;
use utoipa::IntoParams;

use super::{PageNumber, PageSize};
use crate::Canton;

/// The question behind every list of tenures. Filters narrow together.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TenureQuery {
    /// The least length in years, as the list shows it.
    #[serde(rename = "min_years", alias = "minYears")]
    #[param(value_type = Option<f64>, minimum = 0, example = 10)]
    pub min_years: Option<Years>,
    /// Of the company: two letters or a name; several separated by commas.
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Canton>>, example = json!(["ZH"]))]
    pub canton: Vec<Canton>,
    /// From 1; beyond the last page the list is empty.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 4294967295_u32, default = 1, example = 1)]
    pub page: PageNumber,
    /// 1 to 100.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    pub page_size: PageSize,
}

/// A length of time, in years: a number from 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Years(pub f64);

impl TryFrom<f64> for Years {
    type Error = &'static str;

    fn try_from(years: f64) -> Result<Self, Self::Error> {
        if years >= 0.0 { Ok(Self(years)) } else { Err("a length is 0 years or more") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_not_negative() {
        for (years, accepted) in [(0.0, true), (7.5, true), (-0.1, false), (f64::NAN, false)] {
            assert_eq!(Years::try_from(years).is_ok(), accepted, "{years}");
        }
    }
}
