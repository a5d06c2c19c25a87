//! An update of a list, and the parts of the screening that follows it.

use domain::lists::List;
use jobs::ListJob;
use store::{SUBJECT_SHARDS, WATCH_SHARDS};

/// An update of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Update {
    pub(crate) list: List,
    pub(crate) version: String,
    /// The version with which all were screened before.
    pub(crate) before: Option<String>,
}

/// A part of those to screen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Subjects { shard: u32, after: Option<String> },
    Companies { shard: u32, after: Option<String> },
}

impl Part {
    /// The part that follows. `rest` is where it starts in the same shard, if the shard has more.
    pub(crate) fn next(self, rest: Option<String>) -> Option<Self> {
        match (self, rest) {
            (Self::Subjects { shard, .. }, after @ Some(_)) => {
                Some(Self::Subjects { shard, after })
            }
            (Self::Companies { shard, .. }, after @ Some(_)) => {
                Some(Self::Companies { shard, after })
            }
            (Self::Subjects { shard, .. }, None) if shard + 1 < SUBJECT_SHARDS => {
                Some(Self::Subjects { shard: shard + 1, after: None })
            }
            (Self::Subjects { .. }, None) => Some(Self::Companies { shard: 0, after: None }),
            (Self::Companies { shard, .. }, None) if shard + 1 < WATCH_SHARDS => {
                Some(Self::Companies { shard: shard + 1, after: None })
            }
            (Self::Companies { .. }, None) => None,
        }
    }
}

impl Update {
    pub(crate) fn job(self, part: Part) -> ListJob {
        let Self { list, version, before } = self;
        match part {
            Part::Subjects { shard, after } => {
                ListJob::RescreenSubjects { list, version, before, shard, after }
            }
            Part::Companies { shard, after } => {
                ListJob::RescreenCompanies { list, version, before, shard, after }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shard_of_subjects_and_companies_has_its_turn() {
        let mut part = Part::Subjects { shard: 0, after: None };
        let mut parts = 1;
        while let Some(next) = part.clone().next(None) {
            assert_ne!(next, part);
            part = next;
            parts += 1;
        }
        assert_eq!(parts, SUBJECT_SHARDS + WATCH_SHARDS);
        assert_eq!(part, Part::Companies { shard: WATCH_SHARDS - 1, after: None });
        let rest = Part::Companies { shard: 3, after: Some("k".to_owned()) };
        assert_eq!(Part::Companies { shard: 3, after: None }.next(Some("k".into())), Some(rest));
    }
}
