//! News feeds of any publisher: RSS 2.0, Atom and JSON Feed.
//!
//! A record identifies its companies by UID, LEI, ISIN or registered name, in its text or explicitly:
//!
//! | Format | Explicit reference |
//! |---|---|
//! | RSS | `<category domain="uid">CHE-…</category>`; also `lei`, `isin`, `company` |
//! | Atom | `<category scheme="uid" term="CHE-…"/>`; likewise |
//! | JSON Feed | `"_gotthard": {"uid": "CHE-…"}`; likewise |
//!
//! The companies have to be looked up: [`Pending::resolve`].

mod feed;
mod json_feed;
mod mentions;

use domain::{
    Source,
    statements::{
        Statement,
        news::{Item, SourceType},
    },
};
use jiff::{Timestamp, civil, tz::TimeZone};
use serde::Deserialize;

pub(crate) use mentions::{explicit, mentioned};

use crate::{
    Coverage, Exchange, FetchPolicy, Fetched, Mention, Page, Pending, Reader, Request,
    RequiredSetting, Schedule, SourceDescription, Unreadable, Unresolved,
    left_out::LeftOut,
    text::{is_web_address, lossy},
    xml::{REPLACEMENT, plain},
};

/// Maximum number of pages of a feed, because a feed may have an endless number of them.
const MAX_PAGES: u64 = 10;

/// Maximum length of a summary in characters. The feed may contain the whole article.
const MAX_SUMMARY_LENGTH: usize = 1_000;

/// Maximum length of a title in characters.
const MAX_TITLE_LENGTH: usize = 500;

/// An unchecked record of a feed.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) published: Option<String>,
    /// Explicit references to companies: kind (such as `uid`) and value.
    pub(crate) companies: Vec<(String, String)>,
}

/// How a page is fetched.
pub(crate) fn exchange(address: &str, page: u64) -> Exchange<'_> {
    Exchange::single(Source::News, request(address), move |response| {
        let number = page.saturating_add(1);
        let next = next(address, &response.bytes).filter(|_| number < MAX_PAGES);
        let next = next.map(|it| Page::News { address: it.url, number });
        Ok(Fetched::new(response.bytes, next))
    })
}

/// Request for the feed at this address.
fn request(address: &str) -> Request {
    Request::get(address).accepting(
        "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9",
    )
}

/// Request for the next page of a JSON Feed; `None` on the last page and for other formats. Follows only
/// addresses on the same host as `address`, because a feed must not make the fetcher request another host.
fn next(address: &str, bytes: &[u8]) -> Option<Request> {
    #[derive(Deserialize)]
    struct Paged {
        next_url: String,
    }
    let Paged { next_url } = serde_json::from_str(&lossy(bytes)).ok()?;
    let is_same_origin = is_web_address(&next_url) && origin(&next_url) == origin(address);
    (is_same_origin && next_url != address).then(|| request(&next_url))
}

/// Scheme, host and port.
fn origin(address: &str) -> Option<&str> {
    let host = address.find("://")? + 3;
    let end = address[host..].find(['/', '?', '#']).map_or(address.len(), |it| host + it);
    Some(&address[..end])
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    title: "news feeds of publishers",
    states: "news items that name the company",
    formats: &["RSS 2.0", "Atom", "JSON Feed"],
    reader: Reader::Mentioned(read),
    coverage: Coverage::Part,
    // News are read from the table.
    is_indexed: false,
    depends_on: &[Source::Lindas],
    schedule: Schedule::Hourly,
    requires: RequiredSetting::NewsFeeds,
    // Publishers are unknown and may have small servers.
    policy: FetchPolicy::new(Source::News.name(), 2_000, 8),
    first_pages: |run| {
        let addresses = run.addresses.iter().cloned();
        addresses.map(|address| Page::News { address, number: 0 }).collect()
    },
    has_relationship_files: false,
};

/// Reads a feed of any of the three formats. Only a record without a readable identifier, title or time is rejected.
pub fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    let text = lossy(bytes);
    let feed = match text.trim_start().chars().next() {
        Some('{') => json_feed::read(&text),
        Some('<') => feed::read(&text),
        _ => Err("neither RSS nor Atom nor JSON Feed".to_owned()),
    };
    let feed = feed.map_err(|reason| Unreadable { source_name: Source::News, reason })?;
    let mut pending = Pending::default();
    for (draft, record, mut left_out) in feed.drafts {
        let read = draft.and_then(|it| unresolved(it, feed.title.as_deref(), &mut left_out));
        pending.push(record, read, left_out);
    }
    Ok(pending)
}

/// Content of a feed: its title and its records, each with the original text and what was left out.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    pub(crate) title: Option<String>,
    pub(crate) drafts: Vec<(Result<Draft, String>, String, LeftOut)>,
}

fn unresolved(
    mut draft: Draft,
    source: Option<&str>,
    left_out: &mut LeftOut,
) -> Result<Unresolved, String> {
    for (name, text) in [
        ("id", &mut draft.id),
        ("title", &mut draft.title),
        ("link", &mut draft.link),
        ("summary", &mut draft.summary),
        ("published", &mut draft.published),
    ] {
        if text.as_ref().is_some_and(|it| it.contains(REPLACEMENT)) {
            left_out.add(format!("{name}: contains invalid UTF-8 or an undefined XML entity"));
            *text = None;
        }
    }
    // A link is no substitute: the item would be another one when its identifier can be read again.
    if left_out.has(&["id", "guid"]) {
        return Err("id: cannot be read".into());
    }
    let cleaned = |text: Option<String>, max_length| {
        text.map(|it| shortened(&plain(&it), max_length)).filter(|it| !it.is_empty())
    };
    let title = cleaned(draft.title, MAX_TITLE_LENGTH).ok_or("title: is missing")?;
    let summary = cleaned(draft.summary, MAX_SUMMARY_LENGTH).filter(|it| *it != title);
    let published = draft.published.ok_or("published: is missing")?;
    let published_at = moment(&published).ok_or_else(|| {
        format!("published: `{published}` is not a date in the format of RFC 2822 or RFC 3339")
    })?;
    let link = draft.link.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let link = link.and_then(|it| {
        let invalid = format!("link: `{it}` is not an HTTP or HTTPS address");
        left_out.value(is_web_address(&it).then_some(it).ok_or(invalid))
    });
    let id = draft.id.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let id = id.or_else(|| link.clone()).ok_or("id: is missing, and there is no link")?;

    let mut mentions = Vec::new();
    for (kind, word) in &draft.companies {
        mentions.extend(left_out.value(explicit(kind, word)).flatten());
    }
    mentions.extend(mentioned(&title));
    mentions.extend(summary.iter().flat_map(|it| mentioned(it)));
    let item = Item {
        id,
        title,
        summary,
        source: source.map(str::to_owned),
        source_type: SourceType::Press,
        published_at,
        source_url: link,
    };
    Ok(pending(item, mentions, Source::News))
}

/// An item with the companies to look up.
pub(crate) fn pending(item: Item, mut mentions: Vec<Mention>, source: Source) -> Unresolved {
    // Most reliable kind first; the sort is stable, so that the order of appearance is kept within a kind.
    let reliability = |it: &Mention| match it {
        Mention::Uid(_) => 0,
        Mention::Lei(_) => 1,
        Mention::Isin(_) => 2,
        Mention::Name(_) => 3,
    };
    mentions.sort_by_key(reliability);
    let mut seen = std::collections::HashSet::new();
    mentions.retain(|it| seen.insert(it.clone()));
    Unresolved {
        mentions,
        published: Some(item.published_at.to_zoned(TimeZone::UTC).date()),
        source,
        statement: Statement::News(Box::new(item)),
        record: None,
        left_out: LeftOut::default(),
    }
}

/// Parses a time in the format of RFC 2822 or RFC 3339. A date without time means midnight UTC.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    // Feeds often have a correct date with the wrong weekday.
    let by_2822 = jiff::fmt::rfc2822::DateTimeParser::new().relaxed_weekday(true);
    let day = || text.parse::<civil::Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| by_2822.parse_timestamp(text).ok())
        .or_else(|| day().map(|it| it.timestamp()))
}

fn shortened(text: &str, max_length: usize) -> String {
    match text.char_indices().nth(max_length) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
