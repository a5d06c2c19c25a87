use ::ownership::{Criteria, MaxDepth, Percent};
use company_reader::owners::OwnershipScope;
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// Number of levels of owners: 1 to 20.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "u64")]
pub(super) struct Depth(MaxDepth);

impl TryFrom<u64> for Depth {
    type Error = String;

    fn try_from(given: u64) -> Result<Self, String> {
        let depth = u8::try_from(given).ok().and_then(MaxDepth::new);
        let greatest = MaxDepth::GREATEST.get();
        depth.map(Self).ok_or_else(|| format!("must be between 1 and {greatest}; got `{given}`"))
    }
}

/// The share that makes a person a beneficial owner: more than 0 % and at most 100 %.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct OwnershipThreshold(Percent);

impl Default for OwnershipThreshold {
    fn default() -> Self {
        Self(Criteria::default().ownership)
    }
}

impl TryFrom<f64> for OwnershipThreshold {
    type Error = String;

    fn try_from(given: f64) -> Result<Self, String> {
        let percent = Percent::new(given).filter(|it| *it > Percent::default());
        let percent = percent.filter(|it| *it <= Percent::WHOLE);
        percent.map(Self).ok_or_else(|| {
            format!("must be a percentage of more than 0 and at most 100; got `{given}`")
        })
    }
}

/// The share of the votes that must be exceeded for control: at least 0 % and less than 100 %.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct ControlThreshold(Percent);

impl Default for ControlThreshold {
    fn default() -> Self {
        Self(Criteria::default().majority)
    }
}

impl TryFrom<f64> for ControlThreshold {
    type Error = String;

    fn try_from(given: f64) -> Result<Self, String> {
        let percent = Percent::new(given).filter(|it| *it < Percent::WHOLE);
        percent.map(Self).ok_or_else(|| {
            format!("must be a percentage of at least 0 and less than 100; got `{given}`")
        })
    }
}

/// How far owners are followed, for which day, and who counts as a beneficial owner.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct OwnershipQuery {
    /// Maximum number of levels of owners that are followed.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 20, default = 10, example = 5)]
    max_depth: Depth,
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[param(value_type = Option<String>, format = Date, example = "2026-06-30")]
    pub(super) as_of: Option<Date>,
    /// Minimum share of the capital or the votes, in percent, that makes a person a beneficial owner. The law says 25
    /// (Art. 2a (3) of the Anti-Money Laundering Act).
    #[param(value_type = Option<f64>, exclusive_minimum = 0, maximum = 100, default = 25, example = 25)]
    ownership_threshold: OwnershipThreshold,
    /// Share of the votes, in percent, that a party must exceed to control a company. By law more than half (Art. 963 of the
    /// Code of Obligations).
    #[param(value_type = Option<f64>, minimum = 0, exclusive_maximum = 100, default = 50, example = 50)]
    control_threshold: ControlThreshold,
}

/// How far owners are followed, for which day, and who counts as a beneficial owner. All members are optional.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct OwnershipRequest {
    /// Maximum number of levels of owners that are followed.
    #[serde(alias = "max_depth", deserialize_with = "or_default")]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 20, default = 10, example = 5)]
    max_depth: Depth,
    /// Date of the state to return, as of the end of that day. Must not be in the future. Default: the current state.
    #[serde(alias = "as_of")]
    #[schema(value_type = Option<String>, format = Date, example = "2026-06-30")]
    as_of: Option<Date>,
    /// Minimum share of the capital or the votes, in percent, that makes a person a beneficial owner.
    #[serde(alias = "ownership_threshold", deserialize_with = "or_default")]
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, maximum = 100, default = 25, example = 25)]
    ownership_threshold: OwnershipThreshold,
    /// Share of the votes, in percent, that a party must exceed to control a company.
    #[serde(alias = "control_threshold", deserialize_with = "or_default")]
    #[schema(value_type = Option<f64>, minimum = 0, exclusive_maximum = 100, default = 50, example = 50)]
    control_threshold: ControlThreshold,
}

/// `null` is as if the member were absent: some clients send it.
fn or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Default + Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl From<OwnershipRequest> for OwnershipQuery {
    fn from(it: OwnershipRequest) -> Self {
        let OwnershipRequest { max_depth, as_of, ownership_threshold, control_threshold } = it;
        Self { max_depth, as_of, ownership_threshold, control_threshold }
    }
}

impl OwnershipQuery {
    pub(super) fn scope(&self) -> OwnershipScope {
        let criteria =
            Criteria { ownership: self.ownership_threshold.0, majority: self.control_threshold.0 };
        OwnershipScope { max_depth: self.max_depth.0, as_of: self.as_of, criteria }
    }
}
