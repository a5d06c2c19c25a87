//! Official notices and significant shareholders from SIX Exchange Regulation.
//!
//! Format: the JSON of the search pages of ser-ag.com, `{status, totalCount, itemList}`. It is not
//! documented and may change without notice. Only a record without a readable identifier, title (of a notice), issuer (of a
//! shareholding) or date is rejected.
//! Notices identify companies by ISIN and shareholdings by the issuer's name, so that companies have to
//! be looked up: [`Pending::resolve`].

use domain::{
    Isin, Source,
    statements::{
        Statement,
        news::{Item, SourceType},
        six::Shareholding,
    },
};
use jiff::{
    Timestamp,
    civil::{Date, Time},
    tz::TimeZone,
};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    Coverage, Exchange, FetchPolicy, Fetched, Mention, Page, Pending, Reader, Request,
    RequiredSetting, Schedule, SourceDescription, Unreadable, Unresolved,
    exchange::FIRST_DAYS,
    left_out::{LeftOut, leave_out_illegible},
    news::{mentioned, pending},
    text::lossy,
};

pub use crate::page::List;

const ADDRESS: &str = "https://www.ser-ag.com/sheldon";

/// Days that the first fetch of shareholdings goes back. A disclosure is valid until the next one, which may
/// be years later. This takes about 60 pages.
const FIRST_DAYS_OF_SHAREHOLDINGS: i64 = 3_660;

/// Number of records per page.
pub const PAGE_SIZE: u64 = 500;

/// How a page is fetched.
pub(crate) fn exchange(list: List, first: Date, last: Date, page: u64) -> Exchange<'static> {
    Exchange::single(Source::Six, request(list, first, last, page), move |response| {
        let next = next(&response.bytes, page)?;
        let next = next.map(|number| Page::Six { list, first, last, number });
        Ok(Fetched::new(response.bytes, next))
    })
}

/// Request for a page of a list, from `first` to `last` (both inclusive). `page` starts at 0.
fn request(list: List, first: Date, last: Date, page: u64) -> Request {
    let (first, last) = (compact(first), compact(last));
    let (page, size) = (page.to_string(), PAGE_SIZE.to_string());
    let (path, parameters) = match list {
        List::OfficialNotices => (
            "official_notices/v2/find.json",
            [
                ("firstDate", first.as_str()),
                ("lastDate", &last),
                ("pageNumber", &page),
                ("pageSize", &size),
                ("sortAttribute", "dateTime"),
                ("sortDirection", "desc"),
            ]
            .to_vec(),
        ),
        List::SignificantShareholders => (
            "significant_shareholders/v1/overview.json",
            [
                ("fromDate", first.as_str()),
                ("toDate", &last),
                ("pageNumber", &page),
                ("pageSize", &size),
                ("sortAttribute", "byDate"),
            ]
            .to_vec(),
        ),
    };
    Request::get_with(&format!("{ADDRESS}/{path}"), &parameters).accepting("application/json")
}

/// The number of the page after `page`. `None` if the response is the last page or empty. A page can be
/// empty because the list changes while it is read.
fn next(bytes: &[u8], page: u64) -> Result<Option<u64>, Unreadable> {
    let answer = answer(bytes)?;
    let read = page.saturating_add(1).saturating_mul(PAGE_SIZE);
    let has_more = !answer.item_list.is_empty() && read < answer.total_count;
    Ok(has_more.then(|| page.saturating_add(1)))
}

fn compact(day: Date) -> String {
    format!("{:04}{:02}{:02}", day.year(), day.month(), day.day())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    status: String,
    total_count: u64,
    item_list: Vec<Value>,
}

fn answer(bytes: &[u8]) -> Result<Answer, Unreadable> {
    let unreadable = |reason: String| Unreadable { source_name: Source::Six, reason };
    let answer: Answer =
        serde_json::from_str(&lossy(bytes)).map_err(|it| unreadable(it.to_string()))?;
    match answer.status.eq_ignore_ascii_case("ok") {
        true => Ok(answer),
        false => Err(unreadable(format!("status: is `{}`", answer.status))),
    }
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "SIX Swiss Exchange",
    states: "official notices and significant shareholders of listed companies",
    formats: &["JSON of official notices", "JSON of significant shareholders"],
    reader: Reader::Mentioned(read),
    coverage: Coverage::Part,
    // Both lists are read from the table.
    is_indexed: false,
    depends_on: &[Source::Lindas],
    schedule: Schedule::Daily,
    requires: RequiredSetting::Nothing,
    // The source documents no limit. The API serves the exchange's own web pages.
    policy: FetchPolicy::new(Source::Six.name(), 2_000, 16),
    first_pages: |run| {
        let page = |list, first_days| Page::Six {
            list,
            first: run.first_day(first_days),
            last: run.today,
            number: 0,
        };
        vec![
            page(List::OfficialNotices, FIRST_DAYS),
            page(List::SignificantShareholders, FIRST_DAYS_OF_SHAREHOLDINGS),
        ]
    },
    has_relationship_files: false,
};

/// Reads a page of either list.
pub fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    let mut pending = Pending::default();
    for item in answer(bytes)?.item_list {
        let record = item.to_string();
        let (mut item, mut left_out) = (item, LeftOut::default());
        leave_out_illegible(&mut item, &mut left_out);
        let read = match item.get("publication") {
            Some(_) => shareholding(&item, &mut left_out),
            None => notice(&item, &mut left_out),
        };
        pending.push(record, read, left_out);
    }
    Ok(pending)
}

/// A string or number as text. Identifiers have either type, depending on the list.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|it| !it.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A date in the form 20260928. `None` if it is 0.
fn day(member: &str, value: Option<&Value>) -> Result<Option<Date>, String> {
    let Some(given) = value.and_then(text_of).filter(|it| it != "0") else { return Ok(None) };
    let date = || {
        let number: u32 = given.parse().ok()?;
        let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
        Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
    };
    date().map(Some).ok_or_else(|| format!("{member}: `{given}` is not a date such as 20260928"))
}

fn notice(item: &Value, left_out: &mut LeftOut) -> Result<Unresolved, String> {
    let text = |member: &str| item.get(member).and_then(text_of);
    let missing = |member: &str| format!("{member}: is missing");
    let id = text("noticeId").ok_or_else(|| missing("noticeId"))?;
    let title = text("title").ok_or_else(|| missing("title"))?;
    let date = day("date", item.get("date"))?.ok_or_else(|| missing("date"))?;
    let time = left_out.value(time(item.get("publishTime"))).unwrap_or(Time::midnight());
    let mut mentions = Vec::new();
    // A notice may have several securities.
    for isin in text("isin").unwrap_or_default().split([',', ';', ' ']) {
        if !isin.is_empty() {
            let isin = isin.parse::<Isin>().map_err(|it| format!("isin: {it}"));
            mentions.extend(left_out.value(isin).map(Mention::Isin));
        }
    }
    mentions.extend(mentioned(&title));
    let news_item = Item {
        source_url: Some(format!("{ADDRESS}/official_notices/v2/details/{id}.json")),
        id,
        title,
        summary: text("noticeType"),
        source: Some("SIX Exchange Regulation".into()),
        source_type: SourceType::Exchange,
        published_at: swiss_moment(date, time)
            .ok_or_else(|| format!("date: {date} is out of range"))?,
    };
    if !news_item.id.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_')) {
        return Err(format!("noticeId: `{}` is not an identifier", news_item.id));
    }
    let mut unresolved = pending(news_item, mentions, Source::Six);
    // The date of publication is the date in Switzerland, not in UTC.
    unresolved.published = Some(date);
    Ok(unresolved)
}

/// A time in the form 73000 (7:30). Midnight if absent.
fn time(value: Option<&Value>) -> Result<Time, String> {
    let Some(given) = value.and_then(text_of) else { return Ok(Time::midnight()) };
    let time = || {
        let number: u32 = given.parse().ok()?;
        let (hour, minute, second) = (number / 10_000, number / 100 % 100, number % 100);
        Time::new(hour.try_into().ok()?, minute.try_into().ok()?, second.try_into().ok()?, 0).ok()
    };
    time().ok_or_else(|| format!("publishTime: `{given}` is not a time such as 73000"))
}

/// Converts Swiss local time. The POSIX rule makes a time zone database unnecessary.
fn swiss_moment(date: Date, time: Time) -> Option<Timestamp> {
    let zone = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").ok()?;
    Some(date.to_datetime(time).to_zoned(zone).ok()?.timestamp())
}

fn shareholding(item: &Value, left_out: &mut LeftOut) -> Result<Unresolved, String> {
    let publication = &item["publication"];
    let member = |name: &str| format!("publication.{name}");
    let text = |name: &str| publication.get(name).and_then(text_of);
    let required = |name: &str| text(name).ok_or_else(|| format!("{}: is missing", member(name)));
    let rate = |name: &str| match publication.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(given) => match given.as_f64().or_else(|| given.as_str()?.parse().ok()) {
            Some(rate) if (0.0..=100.0).contains(&rate) => Ok(Some(rate)),
            _ => Err(format!("{}: {given} is not a percentage", member(name))),
        },
    };
    let texts = |name: &str, value: Option<&Value>, left_out: &mut LeftOut| -> Vec<String> {
        let mut left_out_text = |it: &Value| {
            left_out.value(text_of(it).ok_or_else(|| format!("{name}: {it} is not a text")))
        };
        match value {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items.iter().filter_map(left_out_text).collect(),
            Some(other) => left_out_text(other).into_iter().collect(),
        }
    };
    let published = day(&member("publicationDate"), publication.get("publicationDate"))?;
    let shareholding = Shareholding {
        id: required("notificationId")?,
        issuer: required("notificationSubmitter")?,
        issuer_id: text("notificationSubmitterId"),
        published: published.ok_or_else(|| format!("{}: is missing", member("publicationDate")))?,
        transaction: left_out
            .value(day(&member("transactionDate"), publication.get("transactionDate")))
            .flatten(),
        purchase_rate: left_out.value(rate("purchaseTotalVotingRate")).flatten(),
        sale_rate: left_out.value(rate("saleTotalVotingRate")).flatten(),
        below_threshold: left_out.value(rate("belowThresholdVotingRate")).flatten(),
        shareholders: texts("shareholderNames", item.get("shareholderNames"), left_out),
        beneficial_owners: texts("beneficialNames", item.get("beneficialNames"), left_out),
        reasons: texts(&member("triggerComment"), publication.get("triggerComment"), left_out),
    };
    Ok(Unresolved {
        mentions: vec![Mention::Name(shareholding.issuer.clone())],
        published: Some(shareholding.published),
        source: Source::Six,
        statement: Statement::Shareholding(Box::new(shareholding)),
        record: None,
        left_out: LeftOut::default(),
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    const NOTICES: &str = include_str!("../fixtures/six/notices.json");

    const HOLDINGS: &str = include_str!("../fixtures/six/shareholders.json");

    #[test]
    fn notice_mentions_the_issuer_of_its_security() {
        let pending = read(NOTICES.as_bytes()).expect("json");
        let first = &pending.unresolved[0];
        let Statement::News(item) = &first.statement else { panic!("{first:?}") };
        // 7:30 in Swiss summer time.
        assert_eq!(item.published_at.to_string(), "2026-07-15T05:30:00Z");
        assert_eq!(first.published, Some(date(2026, 7, 15)));
        let isin: Isin = "CH9990000018".parse().expect("valid");
        assert_eq!(first.mentions, [Mention::Isin(isin), Mention::Name("Muster AG".into())]);
        let uid = "CHE-600.000.026".parse().ok();
        let batch = pending.resolve(|it| if *it == Mention::Isin(isin) { uid } else { None });
        assert_eq!(batch.statements.len(), 1);
        assert_eq!(batch.statements[0].source, Source::Six);
        assert!(batch.rejected.iter().any(|it| it.reason == "contains no company"));
    }

    #[test]
    fn only_a_record_without_identity_is_rejected() {
        let left_out = |pending: &Pending| -> Vec<String> {
            pending.unresolved.iter().filter_map(|it| it.left_out.reason()).collect()
        };
        let pending = read(NOTICES.as_bytes()).expect("json");
        let reasons: Vec<&str> = pending.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "date: `20261315` is not a date such as 20260928",
                "noticeId: `../../x` is not an identifier",
                "noticeId: is missing",
            ]
        );
        assert_eq!(
            left_out(&pending),
            [
                "publishTime: `250000` is not a time such as 73000",
                "isin: `CH9990000017` is not an ISIN: its check digit is wrong",
            ]
        );
        let pending = read(HOLDINGS.as_bytes()).expect("json");
        let reasons: Vec<&str> = pending.rejected.iter().map(|it| it.reason.as_str()).collect();
        assert_eq!(reasons, ["publication.notificationSubmitter: is missing"]);
        assert_eq!(
            left_out(&pending),
            ["publication.purchaseTotalVotingRate: 501 is not a percentage"]
        );
    }

    #[test]
    fn shareholding_mentions_its_issuer() {
        let pending = read(HOLDINGS.as_bytes()).expect("json");
        let first = &pending.unresolved[0];
        let Statement::Shareholding(it) = &first.statement else { panic!("{first:?}") };
        assert_eq!(it.purchase_rate, Some(5.1));
        assert_eq!(it.beneficial_owners, ["Hans Muster"]);
        assert_eq!(it.transaction, Some(date(2026, 9, 4)));
        assert_eq!(first.mentions, [Mention::Name("Muster Holding AG".into())]);
    }

    #[test]
    fn next_page_is_requested_until_all_records_are_read() {
        let next = |page| super::next(NOTICES.as_bytes(), page).expect("json");
        assert_eq!((next(0), next(1), next(2), next(u64::MAX)), (Some(1), Some(2), None, None));
        let empty = br#"{"status": "Ok", "totalCount": 1200, "itemList": []}"#;
        assert_eq!(super::next(empty, 0).expect("json"), None);
        let request = request(List::OfficialNotices, date(2026, 9, 1), date(2026, 9, 30), 2);
        assert!(request.url.ends_with(
            "/official_notices/v2/find.json?firstDate=20260901&lastDate=20260930&pageNumber=2&pageSize=500\
             &sortAttribute=dateTime&sortDirection=desc"
        ));
    }

    #[test]
    fn response_with_another_status_is_an_error() {
        for text in ["", "[]", r#"{"status": "Error", "totalCount": 0, "itemList": []}"#] {
            assert!(read(text.as_bytes()).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn changing_one_character_never_panics(at in 0usize..5_000, with in any::<char>()) {
            for text in [NOTICES, HOLDINGS] {
                let mut text: Vec<char> = text.chars().collect();
                let at = at % text.len();
                text[at] = with;
                let text: String = text.into_iter().collect();
                let _ = (read(text.as_bytes()), next(text.as_bytes(), 1));
            }
        }
    }
}
