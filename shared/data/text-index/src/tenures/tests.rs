use domain::{
    Canton, Provenance, Uid,
    auditors::Tenure,
    search::{
        PageNumber, PageSize,
        tenures::{TenureQuery, Years},
    },
};
use jiff::{ToSpan, civil::Date};
use proptest::{collection::vec, option, prelude::*, sample::select};
use tempfile::TempDir;

use super::{Builder, TenureRow, Tenures};
use crate::{
    Error,
    damage::{assert_refuses_truncated_files, now},
};

const TODAY: Date = Date::constant(2026, 6, 15);

fn day(year: i16) -> Date {
    Date::constant(year, 6, 15)
}

fn row(company: u32, since: Option<Date>, until: Option<Date>) -> TenureRow {
    let tenure = Tenure {
        auditor_name: "Prüf & Söhne AG".into(),
        auditor_uid: None,
        appointed_as: None,
        appointed_at: since,
        resigned_at: until,
        source: Provenance { source: "gazette".into(), reference: None, date: None },
    };
    TenureRow::new(tenure, Uid::from_number(company).expect("nine digits"), "Muster AG", None)
}

fn tenures(rows: &[TenureRow]) -> Tenures {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), rows)
}

fn built(directory: &std::path::Path, rows: &[TenureRow]) -> Tenures {
    let mut builder = Builder::new();
    rows.iter().for_each(|it| builder.push(it.clone()));
    let summary = builder.finish(directory).expect("an index");
    let tenures = Tenures::open(directory, directory).expect("the index");
    assert_eq!((summary.tenures, tenures.tenure_count()), (rows.len() as u64, summary.tenures));
    tenures
}

fn found(tenures: &Tenures, query: &TenureQuery, today: Date) -> Vec<u32> {
    let hits = now(tenures.search(query, today)).expect("an answer");
    assert_eq!(hits.total, hits.tenures.len() as u64);
    hits.tenures.iter().map(|it| it.company.number()).collect()
}

fn at_least(years: f64) -> TenureQuery {
    TenureQuery { min_years: Years::try_from(years).ok(), ..Default::default() }
}

#[test]
fn current_tenure_overtakes_longer_ended_tenure() {
    let tenures = tenures(&[
        row(1, Some(day(2020)), None),
        row(2, Some(day(2010)), Some(day(2018))),
        row(3, None, None),
        row(4, None, Some(day(2025))),
        row(5, Some(day(2019)), None),
    ]);
    let all = TenureQuery::default();
    assert_eq!(found(&tenures, &all, TODAY), [2, 5, 1, 3, 4]);
    assert_eq!(found(&tenures, &all, day(2027)), [5, 2, 1, 3, 4]);
    assert_eq!(found(&tenures, &all, day(2030)), [5, 1, 2, 3, 4]);
    assert_eq!(found(&tenures, &at_least(7.0), TODAY), [2, 5]);
    assert_eq!(found(&tenures, &at_least(8.1), TODAY), Vec::<u32>::new());
    assert_eq!(found(&tenures, &at_least(0.0), TODAY), [2, 5, 1], "unknown is no length");
}

#[test]
fn statistics_depend_on_the_current_date() {
    let tenures = tenures(&[
        row(1, Some(day(2016)), None),
        row(2, Some(day(2019)), None),
        row(3, Some(day(2000)), Some(day(2020))),
        row(4, None, None),
        row(5, None, Some(day(2020))),
    ]);
    let statistics = now(tenures.statistics(TODAY)).expect("an answer");
    assert_eq!((statistics.total, statistics.current), (5, 3));
    assert_eq!((statistics.over_10, statistics.over_7), (1, 2));
    assert_eq!(statistics.average_years, 12.3);
    assert_eq!(statistics.longest.map(|it| it.company.number()), Some(3));
    let later = now(tenures.statistics(day(2050))).expect("an answer");
    assert_eq!((later.over_10, later.longest.map(|it| it.company.number())), (2, Some(1)));
    let before = now(tenures.statistics(day(1900))).expect("an answer");
    assert_eq!((before.over_7, before.average_years), (0, 6.7));
}

#[test]
fn row_id_depends_on_company_auditor_and_appointment() {
    let it = row(1, Some(day(2016)), None);
    assert_eq!(it.id, row(1, Some(day(2016)), Some(day(2020))).id);
    assert_ne!(it.id, row(2, Some(day(2016)), None).id);
    assert_ne!(it.id, row(1, Some(day(2017)), None).id);
    let found = now(tenures(std::slice::from_ref(&it)).search(&TenureQuery::default(), TODAY));
    assert_eq!(found.expect("an answer").tenures, [it]);
}

#[test]
fn empty_index_answers_queries() {
    let tenures = tenures(&[]);
    assert!(found(&tenures, &at_least(1.0), TODAY).is_empty());
    let statistics = now(tenures.statistics(TODAY)).expect("an answer");
    assert_eq!((statistics.total, statistics.average_years, statistics.longest), (0, 0.0, None));
}

#[test]
fn truncated_files_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let rows: Vec<_> = (1..100).map(|it| row(it, Some(day(1900 + it as i16)), None)).collect();
    built(directory.path(), &rows);
    assert_refuses_truncated_files(directory.path(), |it| Tenures::open(it, it).map(drop));
    let nothing = TempDir::new().expect("a directory");
    assert!(matches!(Tenures::open(nothing.path(), nothing.path()), Err(Error::Unreadable { .. })));
}

prop_compose! {
    fn rows()(
        since in option::weighted(0.8, 0i32..4000),
        length in option::of(0i32..4000),
        canton in option::of(select(&Canton::ALL[..3])),
    ) -> TenureRow {
        let first = Date::constant(2015, 1, 1);
        let since = since.map(|it| first + it.days());
        let until = length.map(|it| since.unwrap_or(first) + it.days());
        TenureRow { canton, ..row(1, since, until) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_list_is_what_a_scan_finds(
        rows in vec(rows(), 0..40),
        least in option::of(0u8..120),
        canton in vec(select(&Canton::ALL[..3]), 0..2),
        (page, size) in (1u32..4, 1u32..8),
        today in 0i32..8000,
    ) {
        let numbered = rows.into_iter().zip(1..).map(|(it, company)| TenureRow {
            company: Uid::from_number(company).expect("nine digits"),
            ..it
        });
        let rows: Vec<TenureRow> = numbered.collect();
        let today = Date::constant(2014, 1, 1) + today.days();
        let query = TenureQuery {
            min_years: least.map(|it| Years(f64::from(it) / 10.0)),
            canton: canton.into_iter().collect(),
            page: PageNumber::try_from(page).expect("a page"),
            page_size: PageSize::try_from(size).expect("a size"),
        };
        let years = |it: &TenureRow| it.tenure.years(today);
        let days = |it: &TenureRow| {
            let end = it.tenure.resigned_at.unwrap_or(today);
            it.tenure.appointed_at.map(|it| (end - it).get_days().max(0))
        };
        let mut expected: Vec<&TenureRow> = rows.iter().filter(|it| {
            query.min_years.is_none_or(|least| years(it).is_some_and(|it| it >= least.0))
                && (query.canton.is_empty()
                    || it.canton.is_some_and(|it| query.canton.contains(&it)))
        }).collect();
        let tenures = tenures(&rows);
        let hits = now(tenures.search(&query, today)).expect("an answer");
        prop_assert_eq!(hits.total, expected.len() as u64);
        // Tenures of equal length have no defined order, so that only the lengths are compared.
        expected.sort_by_key(|it| std::cmp::Reverse(days(it)));
        let (skip, size) = ((page as usize - 1) * size as usize, size as usize);
        let lengths: Vec<_> = expected.iter().skip(skip).take(size).map(|it| days(it)).collect();
        prop_assert_eq!(hits.tenures.iter().map(days).collect::<Vec<_>>(), lengths);

        let statistics = now(tenures.statistics(today)).expect("an answer");
        let current = |it: &&TenureRow| it.tenure.is_current();
        let over = |least: f64| {
            rows.iter().filter(current).filter(|it| years(it).is_some_and(|it| it >= least)).count()
        };
        prop_assert_eq!(statistics.current, rows.iter().filter(current).count() as u64);
        prop_assert_eq!(statistics.over_10, over(10.0) as u64);
        prop_assert_eq!(statistics.over_7, over(7.0) as u64);
        let known: Vec<i32> = rows.iter().filter_map(days).collect();
        prop_assert_eq!(statistics.longest.as_ref().and_then(days), known.iter().copied().max());
    }
}
