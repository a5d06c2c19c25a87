//! Fetches all pages of each source and reads the files.

use axum::response::{IntoResponse, Response};
use domain::Source;
use jiff::{
    ToSpan,
    civil::{Date, date},
};
use serde_json::json;
use sources::{Page, Reader, description, gazette, six::List};

use super::fake_sources::{
    FakeSources, ReceivedRequest, fetch_all, settings, status, unexpected_request,
};
use crate::{Error, Fetched};

const TODAY: Date = date(2026, 3, 2);

/// Number of records in the fetched files. Asserts that none is rejected.
fn records(source: Source, fetched: &[Fetched]) -> usize {
    let read = |it: &Fetched| {
        let (count, rejected) = match description(source).reader {
            // The companies of these records are looked up later.
            Reader::Mentioned(read) => {
                let pending = read(&it.bytes).expect("readable");
                (pending.unresolved.len(), pending.rejected)
            }
            Reader::Identified(read) => {
                let batch = read(&it.bytes).expect("readable");
                (batch.statements.len(), batch.rejected)
            }
        };
        assert_eq!(rejected, []);
        count
    };
    fetched.iter().map(read).sum()
}

/// A fake gazette with this many publications on each day.
fn gazette_with(on_a_day: u64) -> impl Fn(&ReceivedRequest) -> Response {
    move |request| {
        if (request.host(), request.address.path()) != ("www.shab.ch", "/api/v1/publications") {
            return unexpected_request();
        }
        let day = |name| request.parameter(name).parse::<Date>().expect("a day");
        let (first, last) = (day("publicationDate.start"), day("publicationDate.end"));
        let size: u64 = request.parameter("pageRequest.size").parse().expect("a number");
        let page: u64 = request.parameter("pageRequest.page").parse().expect("a number");
        let days = first.series(1.day()).take_while(|it| *it <= last);
        let all = days.flat_map(|day| (0..on_a_day).map(move |number| (day, number)));
        let publication = |(day, number): (Date, u64)| {
            let number = format!("{:02}{number:05}", day.day());
            let text = include_str!("answers/gazette_publication.json");
            text.replace("DAY", &day.to_string()).replace("NUMBER", &number)
        };
        let total = all.clone().count();
        let all = all.skip((page * size) as usize).take(size as usize);
        let content: Vec<String> = all.map(publication).collect();
        format!(
            r#"{{"content": [{}], "total": {total}, "pageRequest": {{"page": {page}, "size": {size}}}}}"#,
            content.join(",")
        )
        .into_response()
    }
}

#[tokio::test(start_paused = true)]
async fn gazette_is_fetched_by_day_from_a_week_before_the_last_day() {
    let fake_sources = FakeSources::from_fn(gazette_with(3));
    let pages = settings().first_pages(Source::Shab, Some(date(2026, 2, 28)), TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Shab, &fetched)), (10, 30));
}

#[tokio::test(start_paused = true)]
async fn date_range_is_halved_until_it_fits_into_a_response() {
    let fake_sources = FakeSources::from_fn(gazette_with(900));
    let page = Page::Shab { first: date(2026, 2, 27), last: TODAY, number: 0 };
    let fetched = fetch_all(&fake_sources.fetcher(), vec![page]).await;
    // Four days have too many publications; two do not.
    assert_eq!((fetched.len(), records(Source::Shab, &fetched)), (3, 3_600));
    assert_eq!(records(Source::Shab, &fetched[..1]), 0);
}

#[tokio::test(start_paused = true)]
async fn day_with_too_many_publications_is_paged() {
    let fake_sources = FakeSources::from_fn(gazette_with(gazette::PAGE_SIZE + 1));
    let page = Page::Shab { first: TODAY, last: TODAY, number: 0 };
    let fetched = fetch_all(&fake_sources.fetcher(), vec![page]).await;
    assert_eq!((fetched.len(), records(Source::Shab, &fetched)), (2, 2_001));
}

#[tokio::test(start_paused = true)]
async fn response_that_ignores_the_filter_is_an_error() {
    let unfiltered = r#"{"content": [], "total": 2000001}"#;
    let fake_sources = FakeSources::in_order([unfiltered.into_response()]);
    let page = Page::Shab { first: TODAY, last: TODAY, number: 0 };
    let failure = fake_sources.fetcher().fetch(&page).await.expect_err("too many");
    assert!(matches!(failure, Error::Unreadable(_)) && !failure.is_temporary(), "{failure}");
}

fn zefix(request: &ReceivedRequest) -> Response {
    let path = request.address.path().strip_prefix("/ZefixPublicREST/api/v1");
    let path = path.filter(|_| request.host() == "www.zefix.admin.ch").unwrap_or_default();
    match path {
        "/sogc/bydate/2026-03-02" => {
            let publication = |number| {
                let text = include_str!("answers/zefix_publication.json");
                text.replace("COMPANY", &format!("CHE{number:09}"))
            };
            let all: Vec<String> = (600_000_000..600_000_120).map(publication).collect();
            format!("[{}]", all.join(",")).into_response()
        }
        // Deleted in the meantime.
        "/company/uid/CHE600000007" => nothing_found(),
        _ => match path.strip_prefix("/company/uid/") {
            Some(uid) => {
                include_str!("answers/zefix_company.json").replace("COMPANY", uid).into_response()
            }
            None => nothing_found(),
        },
    }
}

fn nothing_found() -> Response {
    (status(404).status(), include_str!("answers/zefix_error.json")).into_response()
}

#[tokio::test(start_paused = true)]
async fn companies_of_a_day_are_fetched_with_full_records() {
    let fake_sources = FakeSources::from_fn(zefix);
    let pages = settings().first_pages(Source::Zefix, Some(date(2026, 3, 1)), TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    // Nine days, and 120 companies on pages of 50, one of which no longer exists.
    assert_eq!(fetched.len(), 9 + 3);
    assert_eq!(records(Source::Zefix, &fetched), 119);
    assert_eq!(fake_sources.requests().len(), 9 + 120);
}

#[tokio::test(start_paused = true)]
async fn graph_is_paged_by_key_and_every_page_has_the_date() {
    let row = |number: u32| {
        include_str!("answers/lindas_row.json").replace("EHRAID", &format!("{number:06}"))
    };
    let page = move |numbers: std::ops::Range<u32>| {
        let rows: Vec<String> = numbers.map(row).collect();
        format!(r#"{{"head": {{"vars": []}}, "results": {{"bindings": [{}]}}}}"#, rows.join(","))
    };
    let fake_sources = FakeSources::from_fn(move |request| {
        let is_query = (request.host(), request.address.path()) == ("lindas.admin.ch", "/query");
        match &request.body {
            _ if !is_query => unexpected_request(),
            body if body.contains("dateModified") => {
                include_str!("answers/lindas_freshness.json").into_response()
            }
            body if body.contains("company%2F000499%22") => page(500..503).into_response(),
            body if body.contains("company%2F000502%22") => page(0..0).into_response(),
            _ => page(0..500).into_response(),
        }
    });
    let pages = settings().first_pages(Source::Lindas, None, TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Lindas, &fetched)), (3, 503));
    assert!(fetched.iter().all(|it| it.day == Some(date(2026, 3, 1))));
    assert_eq!(fake_sources.requests().len(), 4, "the date is requested once");
}

#[tokio::test(start_paused = true)]
async fn entities_are_paged_by_cursor() {
    let fake_sources = FakeSources::from_fn(|request| {
        let record = |lei: &str, company: &str| {
            let text = include_str!("answers/gleif_record.json");
            text.replace("LEI", lei).replace("COMPANY", company)
        };
        let (record, next) = match request.parameter("page[cursor]").as_str() {
            "*" => (
                record("999900MUSTERAGCH0008", "CHE-600.000.026"),
                "\"https://api.gleif.org/api/v1/lei-records?page%5Bcursor%5D=b\"",
            ),
            "b" => (record("999900SUBSIDIARY0002", "CHE600000032"), "null"),
            _ => return unexpected_request(),
        };
        format!(r#"{{"meta": {{}}, "links": {{"next": {next}}}, "data": [{record}]}}"#)
            .into_response()
    });
    let pages = settings().first_pages(Source::Gleif, None, TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Gleif, &fetched)), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn list_of_licences_has_the_date_of_its_file() {
    let answer =
        ([("last-modified", "Fri, 27 Feb 2026 09:00:00 GMT")], include_str!("answers/finma.csv"));
    let fake_sources = FakeSources::in_order([answer.into_response()]);
    let pages = settings().first_pages(Source::Finma, None, TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Finma, &fetched)), (1, 2));
    assert_eq!(fetched[0].day, Some(date(2026, 2, 27)));
}

#[tokio::test(start_paused = true)]
async fn both_lists_of_the_exchange_are_paged() {
    let fake_sources = FakeSources::from_fn(|request| {
        let (record, total) = match request.address.path() {
            "/sheldon/official_notices/v2/find.json" => {
                assert_eq!(request.parameter("firstDate"), "20260221");
                (include_str!("answers/six_notice.json"), 502)
            }
            "/sheldon/significant_shareholders/v1/overview.json" => {
                (include_str!("answers/six_shareholding.json"), 1)
            }
            _ => return unexpected_request(),
        };
        let page: usize = request.parameter("pageNumber").parse().expect("a number");
        let numbers = (page * 500..total).take(500);
        let items: Vec<String> =
            numbers.map(|it| record.replace("NUMBER", &format!("{it:04}"))).collect();
        let items = items.join(",");
        format!(r#"{{"status": "Ok", "totalCount": {total}, "itemList": [{items}]}}"#)
            .into_response()
    });
    let pages = settings().first_pages(Source::Six, Some(date(2026, 2, 28)), TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Six, &fetched)), (3, 503));
}

#[tokio::test(start_paused = true)]
async fn number_of_pages_of_a_feed_is_limited() {
    let fake_sources = FakeSources::from_fn(|request| match request.host() {
        "bote.example" => include_str!("answers/feed.xml").into_response(),
        "json.example" => {
            let page: u32 = request.parameter("page").parse().unwrap_or_default();
            let next = (page + 1).to_string();
            include_str!("answers/feed.json").replace("NEXT", &next).into_response()
        }
        _ => unexpected_request(),
    });
    let pages = settings().first_pages(Source::News, None, TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::News, &fetched)), (1 + 10, 1 + 10));
}

#[tokio::test(start_paused = true)]
async fn report_files_are_fetched_from_the_configured_addresses() {
    let fake_sources = FakeSources::from_fn(|request| match request.address.as_str() {
        "https://berichte.example/2025.csv" => include_str!("answers/reports.csv").into_response(),
        _ => unexpected_request(),
    });
    let pages = settings().first_pages(Source::Reports, None, TODAY);
    let fetched = fetch_all(&fake_sources.fetcher(), pages).await;
    assert_eq!((fetched.len(), records(Source::Reports, &fetched)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn fetch_continues_from_the_page_in_a_job() {
    let page = Page::Shab { first: date(2026, 2, 27), last: TODAY, number: 0 };
    let fake_sources = FakeSources::from_fn(gazette_with(900));
    let uninterrupted = fetch_all(&fake_sources.fetcher(), vec![page.clone()]).await;
    // As in a worker: one page per message, each in another process.
    let mut messages = vec![json!(page)];
    let mut resumed = Vec::new();
    while !messages.is_empty() {
        let page = serde_json::from_value(messages.remove(0)).expect("a page");
        let fetched =
            FakeSources::from_fn(gazette_with(900)).fetcher().fetch(&page).await.expect("fetched");
        messages.extend(fetched.next.iter().map(|it| json!(it)));
        resumed.push(fetched);
    }
    assert_eq!(resumed, uninterrupted);
}

#[test]
fn first_fetch_goes_back_a_month_and_ten_years_for_shareholdings() {
    let pages = settings().first_pages(Source::Shab, None, TODAY);
    assert_eq!(pages.len(), 31);
    let day = date(2026, 1, 31);
    assert_eq!(pages[0], Page::Shab { first: day, last: day, number: 0 });
    let pages = settings().first_pages(Source::Six, None, TODAY);
    let firsts: Vec<(List, Date)> = pages
        .iter()
        .filter_map(|it| match it {
            Page::Six { list, first, .. } => Some((*list, *first)),
            _ => None,
        })
        .collect();
    let long_ago = date(2016, 2, 23);
    assert_eq!(firsts, [(List::OfficialNotices, day), (List::SignificantShareholders, long_ago)]);
    // Recent days are fetched again: one may have failed, and publications may have been withdrawn.
    let pages = settings().first_pages(Source::Shab, Some(TODAY), TODAY);
    let day = date(2026, 2, 23);
    assert_eq!((pages.len(), &pages[0]), (8, &Page::Shab { first: day, last: day, number: 0 }));
    // If `since` is in the future, only today is fetched.
    assert_eq!(settings().first_pages(Source::Zefix, Some(date(2027, 1, 1)), TODAY).len(), 1);
}
