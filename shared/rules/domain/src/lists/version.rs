use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::lists::List;

/// A version of a list: which file was read, and how much it contains.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListVersion {
    /// The list.
    pub list: List,
    /// Day of the list, as the file states it. Absent if it states none.
    pub date: Option<Date>,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// Number of records in the file, including those that are no longer in force or cannot be read.
    pub entries: u64,
    /// Number of entries in force.
    pub active: u64,
    /// Number of records of which nothing could be read.
    pub rejected: u64,
    /// Number of records that were read without a member that could not be read.
    pub incomplete: u64,
    /// Whether the list is an invented one, for trying out. Absent for the list of the publisher.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub demo: bool,
}

/// The size below which a file of a list is implausible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimum {
    /// Minimum number of records.
    pub entries: u64,
    /// Minimum number of entries in force.
    pub active: u64,
}

impl List {
    /// The size below which a file of this list is implausible: 8 % to 18 % below what was published in 2026. A
    /// truncated list would otherwise remove everybody who is missing from it. OpenSanctions publishes
    /// collections of any size, so that only an empty file is implausible.
    pub const fn minimum(self) -> Minimum {
        match self {
            // 8,670 targets, of which 7,120 are in force.
            Self::Seco => Minimum { entries: 8_000, active: 6_000 },
            Self::Opensanctions => Minimum { entries: 1, active: 1 },
            // 2,180 warnings.
            Self::FinmaWarning => Minimum { entries: 1_800, active: 1_800 },
            // 2,912 rows about 2,800 institutions.
            Self::FinmaAuthorised => Minimum { entries: 2_500, active: 2_300 },
        }
    }
}

/// The file is probably incomplete, so that it must not replace the list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Implausible {
    #[error(
        "the list {list} has {entries} records, {active} of them in force; expected at least {} and {}",
        minimum.entries,
        minimum.active
    )]
    TooSmall { list: List, entries: u64, active: u64, minimum: Minimum },
    #[error(
        "the list {list} has {now} entries in force instead of {before}, more than a tenth fewer"
    )]
    Shrunk { list: List, before: u64, now: u64 },
}

/// Whether `now` is more than a tenth smaller than `before`. A complete list that shrinks so much is probably
/// truncated.
pub fn is_shrunk(before: u64, now: u64) -> bool {
    u128::from(now) * 10 < u128::from(before) * 9
}

impl ListVersion {
    /// Checks that the version has a plausible size: not below `minimum`, and not more than a tenth fewer entries in
    /// force than `previous`. An operator can accept a version in spite of it. Pass [`List::minimum`] for files of the
    /// publisher, and a smaller one for invented files.
    pub fn check_size(&self, minimum: Minimum, previous: Option<&Self>) -> Result<(), Implausible> {
        let Self { list, entries, active, .. } = *self;
        if entries < minimum.entries || active < minimum.active {
            return Err(Implausible::TooSmall { list, entries, active, minimum });
        }
        match previous {
            Some(previous) if is_shrunk(previous.active, active) => {
                Err(Implausible::Shrunk { list, before: previous.active, now: active })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(entries: u64, active: u64) -> ListVersion {
        let (list, sha256) = (List::Seco, String::new());
        let (rejected, incomplete, demo) = (0, 0, false);
        ListVersion { list, date: None, sha256, entries, active, rejected, incomplete, demo }
    }

    #[test]
    fn list_below_the_minimum_is_refused() {
        let check =
            |entries, active| version(entries, active).check_size(List::Seco.minimum(), None);
        assert_eq!(check(8_000, 6_000), Ok(()));
        let refused = check(8_000, 5_999).expect_err("too few in force");
        assert_eq!(
            refused.to_string(),
            "the list seco has 8000 records, 5999 of them in force; expected at least 8000 and 6000"
        );
        assert!(check(7_999, 7_000).is_err());
    }

    #[test]
    fn list_that_lost_more_than_a_tenth_is_refused() {
        let minimum = Minimum { entries: 0, active: 0 };
        let check = |before, now| version(0, now).check_size(minimum, Some(&version(0, before)));
        assert_eq!(check(100, 90), Ok(()));
        assert_eq!(check(0, 0), Ok(()));
        assert_eq!(check(90, 100), Ok(()));
        let refused = check(100, 89).expect_err("shrunk");
        assert_eq!(refused, Implausible::Shrunk { list: List::Seco, before: 100, now: 89 });
    }

    #[test]
    fn large_numbers_do_not_overflow() {
        assert!(is_shrunk(u64::MAX, 0) && !is_shrunk(0, u64::MAX));
    }
}
