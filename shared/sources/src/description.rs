use std::time::Duration;

use domain::Uid;
use jiff::Timestamp;
use statements::{CompanyStatement, Source, Statement};

use crate::{
    Batch, FetchRun, Page, Pending, Unreadable, finma, gazette, gleif, lindas, news, reports, six,
    zefix,
};

/// Everything about a source that other crates depend on. Each source describes itself in its module.
#[derive(Debug)]
pub struct SourceDescription {
    /// Publisher and kind of data.
    pub title: &'static str,
    /// What its records state about a company.
    pub states: &'static str,
    /// File formats that the reader accepts. `fixtures/{source}/` contains an example of each.
    pub formats: &'static [&'static str],
    pub reader: Reader,
    /// Whether a file lists all companies of the source.
    pub coverage: Coverage,
    /// Whether the search indexes contain what the source states, so that an import needs a new generation.
    pub is_indexed: bool,
    /// Sources that have to be loaded first, so that companies can be found.
    pub depends_on: &'static [Source],
    pub schedule: Schedule,
    /// Settings of the operator without which the source is not fetched.
    pub requires: RequiredSetting,
    /// How requests to the source are limited.
    pub policy: FetchPolicy,
    /// The first pages of a scheduled fetch. Their responses lead to the next pages: [`Page::exchange`].
    pub first_pages: fn(&FetchRun<'_>) -> Vec<Page>,
    /// Whether the last page is followed by the bulk files of relationships: [`gleif::Excerpt`].
    pub has_relationship_files: bool,
}

/// How a file of a source becomes statements.
#[derive(Debug)]
pub enum Reader {
    /// Every record has the UID of its company.
    Identified(fn(&[u8]) -> Result<Batch, Unreadable>),
    /// Records may identify their company by LEI, ISIN or name, so that it has to be looked up.
    Mentioned(fn(&[u8]) -> Result<Pending, Unreadable>),
}

/// Which companies a file of a source contains.
#[derive(Debug)]
pub enum Coverage {
    /// Some companies. The file states nothing about the others.
    Part,
    /// All companies of the source. A company that is missing from the newest list is no longer part of it:
    /// this is then the statement about it, which the reader itself never returns.
    CompleteList { removed: fn() -> Statement },
}

/// When a source is fetched. `template.yaml` contains the times of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    Hourly,
    Daily,
    Weekly,
    /// Daily, but most operators set no addresses, so that no run is expected.
    DailyIfSet,
}

/// Settings of the operator that a fetch requires, in addition to the contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredSetting {
    Nothing,
    /// The account for the API of the commercial register.
    RegisterAccount,
    /// Addresses of news feeds.
    NewsFeeds,
    /// Addresses of files with figures of annual reports.
    ReportFiles,
}

/// A source is stale after this many of its intervals without a completed run.
pub const STALE_AFTER_INTERVALS: u32 = 2;

impl SourceDescription {
    /// Whether a file lists all companies of the source.
    pub fn is_complete_list(&self) -> bool {
        matches!(self.coverage, Coverage::CompleteList { .. })
    }

    /// Minutes between two expected runs.
    pub fn interval_minutes(&self) -> Option<u32> {
        match self.schedule {
            Schedule::Hourly => Some(60),
            Schedule::Daily => Some(24 * 60),
            Schedule::Weekly => Some(7 * 24 * 60),
            Schedule::DailyIfSet => None,
        }
    }

    /// Whether the last completed run is so long ago that several are missing. Never for a source without a schedule.
    pub fn is_stale(&self, completed: Timestamp, now: Timestamp) -> bool {
        let minutes = now.duration_since(completed).as_mins();
        let most = self.interval_minutes().map(|it| i64::from(it * STALE_AFTER_INTERVALS));
        most.is_some_and(|most| minutes > most)
    }
}

impl Coverage {
    /// Whether the statement means that its company is on the list.
    pub fn is_listed(&self, statement: &Statement) -> bool {
        match self {
            Self::Part => true,
            Self::CompleteList { removed } => *statement != removed(),
        }
    }

    /// Statements about the companies of an earlier list that are missing from the current one (`listed`).
    /// None if files are not complete lists. The caller must check that the current list is complete: a very
    /// short list is probably truncated.
    pub fn removals(
        &self,
        source: Source,
        earlier: impl IntoIterator<Item = Uid>,
        listed: impl IntoIterator<Item = Uid>,
    ) -> Vec<CompanyStatement> {
        let Self::CompleteList { removed } = self else { return Vec::new() };
        let listed: std::collections::BTreeSet<Uid> = listed.into_iter().collect();
        let missing = earlier.into_iter().filter(|uid| !listed.contains(uid));
        let statement =
            |uid| CompanyStatement { uid, source, published: None, statement: removed() };
        missing.map(statement).collect()
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
    use std::{fs, path::Path};

    use jiff::civil::date;

    use super::*;

    /// The interval of a schedule expression in `template.yaml`.
    fn schedule(expression: &str) -> Schedule {
        match expression {
            "rate(1 hour)" => Schedule::Hourly,
            it if it.starts_with("cron(") && it.ends_with("* * ? *)") => Schedule::Daily,
            it if it.starts_with("cron(") && it.ends_with("? * SUN *)") => Schedule::Weekly,
            other => panic!("unknown schedule `{other}`"),
        }
    }

    /// The sources in a message of the job `fetch_sources`, if the line contains one.
    fn fetched(line: &str) -> Vec<Source> {
        let list = line.split_once(r#""fetch_sources""#).and_then(|(_, it)| it.split_once('['));
        let list = list.and_then(|(_, it)| it.split_once(']')).map_or("", |(list, _)| list);
        let names = list.split(',').map(|it| it.trim().trim_matches('"'));
        names.filter(|it| !it.is_empty()).map(|it| it.parse().expect("a source")).collect()
    }

    #[test]
    fn schedules_in_the_template_match_the_descriptions() {
        let template = include_str!("../../../template.yaml");
        let mut scheduled = Vec::new();
        let mut expected = None;
        for line in template.lines().map(str::trim) {
            if let Some(expression) = line.strip_prefix("ScheduleExpression: ") {
                expected = Some(expression);
            }
            for source in fetched(line) {
                let described = match description(source).schedule {
                    Schedule::DailyIfSet => Schedule::Daily,
                    other => other,
                };
                assert_eq!(Some(described), expected.map(schedule), "{source}");
                scheduled.push(source);
            }
        }
        scheduled.sort_unstable();
        assert_eq!(scheduled, Source::ALL, "every source is scheduled once");
    }

    #[test]
    fn guide_to_deploying_loads_every_source_once_after_those_it_depends_on() {
        let guide = include_str!("../../../DEPLOYING.md");
        let mut loaded: Vec<Source> = Vec::new();
        for line in guide.lines() {
            let of_line = fetched(line);
            for source in &of_line {
                for earlier in description(*source).depends_on {
                    assert!(loaded.contains(earlier), "{source} before {earlier}");
                }
            }
            loaded.extend(of_line);
        }
        loaded.sort_unstable();
        assert_eq!(loaded, Source::ALL);
    }

    /// The source of each statement in a file.
    fn sources_of(source: Source, bytes: &[u8]) -> Vec<Source> {
        match description(source).reader {
            Reader::Identified(read) => {
                let batch = read(bytes).expect("a file of the source");
                batch.statements.iter().map(|it| it.source).collect()
            }
            Reader::Mentioned(read) => {
                let pending = read(bytes).expect("a file of the source");
                pending.unresolved.iter().map(|it| it.source).collect()
            }
        }
    }

    /// The files in `fixtures/{source}/`. A folder in it contains files that the reader cannot read alone.
    fn examples(source: Source) -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(source.name());
        let entries = fs::read_dir(&folder).unwrap_or_else(|it| panic!("{folder:?}: {it}"));
        let paths = entries.map(|it| it.expect("an entry").path()).filter(|it| it.is_file());
        paths.map(|it| fs::read(it).expect("a file")).collect()
    }

    #[test]
    fn every_source_has_an_example_of_each_format() {
        for source in Source::ALL {
            let (examples, formats) = (examples(source), description(source).formats);
            assert!(examples.len() >= formats.len(), "{source} has too few of {formats:?}");
            for example in examples {
                let sources = sources_of(source, &example);
                assert!(!sources.is_empty(), "an example of {source} contains nothing");
                assert!(sources.iter().all(|it| *it == source), "{source}: {sources:?}");
            }
        }
    }

    #[test]
    fn reader_never_states_a_removal() {
        for source in Source::ALL {
            let Coverage::CompleteList { removed } = description(source).coverage else { continue };
            for example in examples(source) {
                let batch = crate::read(source, &example).expect("a list");
                assert!(batch.statements.iter().all(|it| it.statement != removed()));
            }
        }
    }

    #[test]
    fn company_missing_from_a_complete_list_is_removed() {
        let [first, second]: [Uid; 2] =
            ["CHE-600.000.012", "CHE-600.000.058"].map(|it| it.parse().expect("a number"));
        let coverage = &description(Source::Finma).coverage;
        let removals = coverage.removals(Source::Finma, [first, second], [first]);
        assert_eq!(removals.iter().map(|it| it.uid).collect::<Vec<_>>(), [second]);
        assert!(!coverage.is_listed(&removals[0].statement));
        assert!(Coverage::Part.removals(Source::Finma, [first], []).is_empty());
    }

    #[test]
    fn pages_belong_to_their_source_and_are_requested_with_its_policy() {
        let addresses = ["https://a.example/".to_owned()];
        let today = date(2026, 3, 2);
        for source in Source::ALL {
            let description = description(source);
            let run = FetchRun { today, newest: None, addresses: &addresses };
            let pages = (description.first_pages)(&run);
            assert!(!pages.is_empty(), "{source}");
            for page in pages {
                assert_eq!(page.source(), source);
                assert!(!page.exchange().requests.is_empty(), "{page:?}");
            }
            assert_eq!(description.policy.name, source.name());
        }
    }
}
