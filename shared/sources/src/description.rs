use std::time::Duration;

use statements::Source;

use crate::{Batch, Pending, Unreadable, finma, gazette, gleif, lindas, news, reports, six, zefix};

/// Everything about a source that other crates depend on. Each source describes itself in its module.
#[derive(Debug)]
pub struct SourceDescription {
    /// Minutes between two scheduled runs, as in `template.yaml`. `None` for a source that has no
    /// schedule of its own, because an operator provides its files.
    pub interval_minutes: Option<u32>,
    /// How requests to the source are limited.
    pub policy: FetchPolicy,
    /// Whether a file lists all companies of the source. A company that is missing from the newest list
    /// is then no longer part of it.
    pub is_complete_list: bool,
    /// Sources that have to be loaded first, so that companies can be found.
    pub depends_on: &'static [Source],
    pub reader: Reader,
}

/// How a file of a source becomes statements.
#[derive(Debug)]
pub enum Reader {
    /// Every record has the UID of its company.
    Identified(fn(&[u8]) -> Result<Batch, Unreadable>),
    /// Records may identify their company by LEI, ISIN or name, so that it has to be looked up.
    Mentioned(fn(&[u8]) -> Result<Pending, Unreadable>),
}

impl SourceDescription {
    /// Whether records of this source may identify their company by something other than its UID.
    pub fn has_mentions(&self) -> bool {
        matches!(self.reader, Reader::Mentioned(_))
    }
}

/// Limits for requests to a host. A limit that the source documents is kept; the other numbers are our
/// own choice, so that a full load is done overnight without straining the source.
#[derive(Clone, Copy, Debug)]
pub struct FetchPolicy {
    /// Name of the source in error messages.
    pub name: &'static str,
    /// Minimum pause between a response and the next request to the same host.
    pub min_interval: Duration,
    /// Maximum size of a response in bytes, after decompression.
    pub max_bytes: usize,
    /// Maximum time for a response, to its last byte.
    pub timeout: Duration,
}

impl FetchPolicy {
    pub(crate) const fn new(
        name: &'static str,
        min_interval_ms: u64,
        max_mebibytes: usize,
    ) -> Self {
        Self {
            name,
            min_interval: Duration::from_millis(min_interval_ms),
            max_bytes: max_mebibytes * 1024 * 1024,
            timeout: Duration::from_secs(60),
        }
    }
}

pub(crate) const HOURLY: Option<u32> = Some(60);
pub(crate) const DAILY: Option<u32> = Some(24 * 60);
pub(crate) const WEEKLY: Option<u32> = Some(7 * 24 * 60);

/// The description of a source.
pub fn description(source: Source) -> &'static SourceDescription {
    match source {
        Source::Zefix => &zefix::DESCRIPTION,
        Source::Shab => &gazette::DESCRIPTION,
        Source::Lindas => &lindas::DESCRIPTION,
        Source::Gleif => &gleif::DESCRIPTION,
        Source::Finma => &finma::DESCRIPTION,
        Source::Six => &six::DESCRIPTION,
        Source::News => &news::DESCRIPTION,
        Source::Reports => &reports::DESCRIPTION,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval of a schedule expression in `template.yaml`, in minutes.
    fn minutes(expression: &str) -> u32 {
        match expression {
            "rate(1 hour)" => 60,
            it if it.starts_with("cron(") && it.ends_with("* * ? *)") => 24 * 60,
            it if it.starts_with("cron(") && it.ends_with("? * SUN *)") => 7 * 24 * 60,
            other => panic!("unknown schedule `{other}`"),
        }
    }

    #[test]
    fn schedules_in_the_template_match_the_described_intervals() {
        let template = include_str!("../../../template.yaml");
        let mut scheduled = Vec::new();
        let mut interval = None;
        for line in template.lines().map(str::trim) {
            if let Some(expression) = line.strip_prefix("ScheduleExpression: ") {
                interval = Some(minutes(expression));
            }
            if let Some(sources) = line.strip_prefix("Input: '{\"job\": \"fetch_sources\", ") {
                let quoted = sources.split('"').skip(3).step_by(2);
                for name in quoted {
                    let source: Source = name.parse().expect("a source");
                    let described = description(source).interval_minutes;
                    // Reports are fetched daily, but only from the addresses that an operator sets.
                    if source != Source::Reports {
                        assert_eq!(described, interval, "{source}");
                    }
                    scheduled.push(source);
                }
            }
        }
        scheduled.sort_unstable();
        assert_eq!(scheduled, Source::ALL, "every source is scheduled once");
    }

    #[test]
    fn only_the_finma_list_is_complete() {
        let complete = Source::ALL.into_iter().filter(|it| description(*it).is_complete_list);
        assert!(complete.eq([Source::Finma]));
    }
}
