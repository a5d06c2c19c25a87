use ::ownership::{Criteria, MaxDepth};
use jiff::civil::Date;

/// How far owners are followed, for which day, and who counts as a beneficial owner.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnershipScope {
    /// Number of levels of owners.
    pub max_depth: MaxDepth,
    /// The day. `None`: the current state.
    pub as_of: Option<Date>,
    /// The shares that count.
    pub criteria: Criteria,
}

impl OwnershipScope {
    /// The depth and the shares of requests that give none, on a day or now.
    pub fn on(as_of: Option<Date>) -> Self {
        Self { as_of, ..Self::default() }
    }
}
