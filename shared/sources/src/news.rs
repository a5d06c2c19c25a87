//! News of any publisher: RSS 2.0, Atom and JSON Feed.
//!
//! A record names its company by number, by identifier or by a registered name, either in words of
//! its own or in its text:
//!
//! | Format | Where it says so explicitly |
//! |---|---|
//! | RSS | `<category domain="uid">CHE-…</category>`; also `lei`, `isin`, `company` |
//! | Atom | `<category scheme="uid" term="CHE-…"/>`; likewise |
//! | JSON Feed | `"_gotthard": {"uid": "CHE-…"}`; likewise |
//!
//! Who is meant is found out where companies can be looked up: [`Pending::resolved`].

mod feed;
mod json_feed;
mod mentions;

use jiff::{Timestamp, civil, tz::TimeZone};
use serde::Deserialize;
use statements::{
    Source, Statement,
    news::{Item, SourceType},
};

pub(crate) use mentions::{explicit, mentioned};

use crate::{FetchPolicy, Reader, SourceDescription, description::HOURLY};
use crate::{
    Mention, Pending, Rejected, Request, Unreadable, Unresolved,
    text::{is_web_address, lossy},
    xml::{DAMAGE, plain},
};

/// What a summary keeps of a text that may be a whole article.
const LONGEST_SUMMARY: usize = 1_000;

/// Longer than any headline.
const LONGEST_TITLE: usize = 500;

/// A record on its way from a feed: what is required of it is not yet sure.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    pub(crate) id: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) link: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) published: Option<String>,
    /// Explicitly: kind and word.
    pub(crate) companies: Vec<(String, String)>,
}

/// A feed, of which an operator gives the address.
pub fn request(address: &str) -> Request {
    Request::get(address).accepting(
        "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9",
    )
}

/// The next page of a feed that has several; `None` is the end. Only JSON Feed says it, and only a
/// web address on the same host as `address` is followed: a feed must not send the fetcher elsewhere.
pub fn next(address: &str, bytes: &[u8]) -> Option<Request> {
    #[derive(Deserialize)]
    struct Paged {
        next_url: String,
    }
    let Paged { next_url } = serde_json::from_slice(crate::text::without_mark(bytes)).ok()?;
    let is_near = is_web_address(&next_url) && origin(&next_url) == origin(address);
    (is_near && next_url != address).then(|| request(&next_url))
}

/// Scheme, host and port.
fn origin(address: &str) -> Option<&str> {
    let host = address.find("://")? + 3;
    let end = address[host..].find(['/', '?', '#']).map_or(address.len(), |it| host + it);
    Some(&address[..end])
}

/// The description of the source.
pub(crate) const DESCRIPTION: SourceDescription = SourceDescription {
    interval_minutes: HOURLY,
    // Feeds of unknown publishers, possibly on small servers.
    policy: FetchPolicy::new("news", 2_000, 8),
    is_complete_list: false,
    depends_on: &[Source::Lindas],
    reader: Reader::Mentioned(read),
};

/// Reads a feed of any of the three formats.
pub fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    let text = lossy(bytes);
    let feed = match text.trim_start().chars().next() {
        Some('{') => json_feed::read(&text),
        Some('<') => feed::read(&text),
        _ => Err("neither RSS nor Atom nor JSON Feed".to_owned()),
    };
    let feed = feed.map_err(|reason| Unreadable { source_name: Source::News, reason })?;
    let mut pending = Pending::default();
    for (draft, record) in feed.drafts {
        match draft.and_then(|it| unresolved(it, feed.title.as_deref(), record.clone())) {
            Ok(unresolved) => pending.unresolved.push(unresolved),
            Err(reason) => pending.rejected.push(Rejected { record, reason }),
        }
    }
    Ok(pending)
}

/// What a feed holds: its records as drafts, each beside what it was.
#[derive(Debug, Default)]
pub(crate) struct Feed {
    pub(crate) title: Option<String>,
    pub(crate) drafts: Vec<(Result<Draft, String>, String)>,
}

fn unresolved(draft: Draft, source: Option<&str>, record: String) -> Result<Unresolved, String> {
    if record.contains(DAMAGE) {
        return Err("holds bytes that are not UTF-8, or an entity that is not XML's own".into());
    }
    let words = |text: Option<String>, longest| {
        text.map(|it| shortened(&plain(&it), longest)).filter(|it| !it.is_empty())
    };
    let title = words(draft.title, LONGEST_TITLE).ok_or("title: is missing")?;
    let summary = words(draft.summary, LONGEST_SUMMARY).filter(|it| *it != title);
    let published = draft.published.ok_or("published: is missing")?;
    let published_at = moment(&published)
        .ok_or_else(|| format!("published: `{published}` is not a date of RFC 2822 or 3339"))?;
    let link = draft.link.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    if let Some(link) = link.as_deref().filter(|it| !is_web_address(it)) {
        return Err(format!("link: `{link}` is not an address of the web"));
    }
    let id = draft.id.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    let id = id.or_else(|| link.clone()).ok_or("id: there is neither one nor a link")?;

    let mut mentions = Vec::new();
    for (kind, word) in &draft.companies {
        mentions.extend(explicit(kind, word)?);
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
    Ok(pending(item, mentions, Source::News, record))
}

/// An item whose company has yet to be found.
pub(crate) fn pending(
    item: Item,
    mut mentions: Vec<Mention>,
    source: Source,
    record: String,
) -> Unresolved {
    // The surest first; of equals the one that is named first.
    let sureness = |it: &Mention| match it {
        Mention::Uid(_) => 0,
        Mention::Lei(_) => 1,
        Mention::Isin(_) => 2,
        Mention::Name(_) => 3,
    };
    mentions.sort_by_key(sureness);
    let mut seen = std::collections::HashSet::new();
    mentions.retain(|it| seen.insert(it.clone()));
    Unresolved {
        mentions,
        published: Some(item.published_at.to_zoned(TimeZone::UTC).date()),
        source,
        statement: Statement::News(Box::new(item)),
        record,
    }
}

/// A point in time by RFC 2822 or RFC 3339; a bare day is its first moment.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    // Feeds often have the wrong name for a day, and the day itself right.
    let by_2822 = jiff::fmt::rfc2822::DateTimeParser::new().relaxed_weekday(true);
    let day = || text.parse::<civil::Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| by_2822.parse_timestamp(text).ok())
        .or_else(|| day().map(|it| it.timestamp()))
}

fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
