use domain::Source;
use jiff::{ToSpan, civil::Date};
use serde::{Deserialize, de::IgnoredAny};

use crate::{Exchange, Fetched, Page, Request, Unreadable, text::lossy};

const ADDRESS: &str = "https://www.shab.ch/api/v1/publications";

/// Maximum number of publications in a response.
pub const PAGE_SIZE: u64 = 2_000;

/// Maximum number of publications that can be reached by paging.
const LAST_OFFSET: u64 = 10_000;

/// More than the rubric HR can have. The portal ignores unknown filters without an error and then returns
/// the total of all rubrics.
const UNFILTERED: u64 = 2_000_000;

/// Request for the publications of the rubric HR from `first` to `last` (both inclusive), with content,
/// including withdrawn publications. `page` starts at 0.
fn request(first: Date, last: Date, page: u64) -> Request {
    let parameters = [
        ("tenant", "shab"),
        ("rubrics", "HR"),
        // Without this parameter, the response has no `total`.
        ("publicationStates", "PUBLISHED,CANCELLED"),
        ("publicationDate.start", &first.to_string()),
        ("publicationDate.end", &last.to_string()),
        ("includeContent", "true"),
        ("pageRequest.page", &page.to_string()),
        ("pageRequest.size", &PAGE_SIZE.to_string()),
    ];
    Request::get_with(ADDRESS, &parameters).accepting("application/json")
}

/// How a page is fetched.
pub(crate) fn exchange(first: Date, last: Date, page: u64) -> Exchange<'static> {
    Exchange::single(Source::Shab, request(first, last, page), move |response| {
        let bytes = response.bytes;
        Ok(match next(&bytes, first, last, page)? {
            Next::Nothing => Fetched::new(bytes, None),
            Next::Page(number) => Fetched::new(bytes, [Page::Shab { first, last, number }]),
            Next::Halves(halves) => {
                let half = |(first, last)| Page::Shab { first, last, number: 0 };
                Fetched::new(b"[]".to_vec(), halves.map(half))
            }
        })
    })
}

/// What to request after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Nothing,
    /// The next page, if a single day has more publications than a response can contain.
    Page(u64),
    /// Two shorter date ranges to request instead, if the range has more publications than a response can
    /// contain. The response is then discarded. Paging can skip publications while new ones are added, so
    /// only single days are paged.
    Halves([(Date, Date); 2]),
}

/// What to request after this response to [`request`].
fn next(bytes: &[u8], first: Date, last: Date, page: u64) -> Result<Next, Unreadable> {
    #[derive(Deserialize)]
    struct Answer {
        content: Vec<IgnoredAny>,
        total: u64,
    }
    let answer: Answer =
        serde_json::from_str(&lossy(bytes)).map_err(|it| unreadable(it.to_string()))?;
    let total = answer.total;
    if total > UNFILTERED {
        return Err(unreadable(format!("total: {total} is more than the rubric can have")));
    }
    if total > PAGE_SIZE && first < last {
        return halves(first, last).map(Next::Halves);
    }
    let before = page.saturating_mul(PAGE_SIZE);
    let expected = total.saturating_sub(before).min(PAGE_SIZE);
    let count = answer.content.len() as u64;
    // A truncated page would look like a day with few publications. Some may be withdrawn between two
    // requests.
    if count < expected - expected / 10 {
        return Err(unreadable(format!(
            "content: contains {count} publications; expected {expected}"
        )));
    }
    match before + PAGE_SIZE {
        end if end >= total => Ok(Next::Nothing),
        end if end >= LAST_OFFSET => Err(unreadable(format!(
            "total: {first} has {total} publications, more than paging can reach"
        ))),
        _ => Ok(Next::Page(page + 1)),
    }
}

fn halves(first: Date, last: Date) -> Result<[(Date, Date); 2], Unreadable> {
    let days = first.until(last).map_err(|it| unreadable(it.to_string()))?.get_days();
    let day = |count: i32| first.checked_add(count.days()).map_err(|it| unreadable(it.to_string()));
    Ok([(first, day(days / 2)?), (day(days / 2 + 1)?, last)])
}

fn unreadable(reason: String) -> Unreadable {
    Unreadable { source_name: Source::Shab, reason }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn answer(count: u64, total: u64) -> Vec<u8> {
        let content = vec!["{}"; count as usize].join(",");
        format!(r#"{{"content": [{content}], "total": {total}, "pageRequest": {{}}}}"#).into_bytes()
    }

    #[test]
    fn request_includes_the_content() {
        let url = request(date(2026, 3, 2), date(2026, 3, 3), 1).url;
        assert_eq!(
            url,
            "https://www.shab.ch/api/v1/publications?tenant=shab&rubrics=HR\
             &publicationStates=PUBLISHED%2CCANCELLED&publicationDate.start=2026-03-02\
             &publicationDate.end=2026-03-03&includeContent=true&pageRequest.page=1&pageRequest.size=2000"
        );
    }

    #[test]
    fn range_with_more_than_one_page_is_halved() {
        let (first, last) = (date(2026, 3, 2), date(2026, 3, 6));
        let next = next(&answer(2_000, 2_001), first, last, 0).expect("json");
        let middle = date(2026, 3, 4);
        let halves = [(first, middle), (date(2026, 3, 5), last)];
        assert_eq!(next, Next::Halves(halves));
        let two = super::next(&answer(2_000, 2_001), first, date(2026, 3, 3), 0).expect("json");
        assert_eq!(two, Next::Halves([(first, first), (date(2026, 3, 3), date(2026, 3, 3))]));
    }

    #[test]
    fn day_with_more_than_one_page_is_paged() {
        let day = date(2026, 3, 2);
        let next = |count, total, page| next(&answer(count, total), day, day, page).expect("json");
        assert_eq!(next(0, 0, 0), Next::Nothing);
        assert_eq!(next(2_000, 2_000, 0), Next::Nothing);
        assert_eq!(next(2_000, 4_500, 0), Next::Page(1));
        assert_eq!(next(2_000, 4_500, 1), Next::Page(2));
        assert_eq!(next(500, 4_500, 2), Next::Nothing);
    }

    #[test]
    fn implausible_response_is_an_error() {
        let day = date(2026, 3, 2);
        let reason =
            |bytes: &[u8], page| next(bytes, day, day, page).expect_err("refused").to_string();
        let ignored = reason(&answer(2_000, 2_000_001), 0);
        assert!(ignored.ends_with("total: 2000001 is more than the rubric can have"), "{ignored}");
        let short = reason(&answer(100, 1_900), 0);
        assert!(short.ends_with("content: contains 100 publications; expected 1900"), "{short}");
        let deep = reason(&answer(2_000, 10_001), 4);
        assert!(deep.ends_with("publications, more than paging can reach"), "{deep}");
        assert!(reason(br#"{"content": []}"#, 0).contains("missing field `total`"));
    }
}
