//! Tests of what all sources have in common.

use std::{fs, path::Path};

use domain::Uid;
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
