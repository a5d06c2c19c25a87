//! News. Those of one company are among its facts; those of all companies are stored by month as well.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
    pin::pin,
};

use domain::{
    Company, Provenance, Source, Uid,
    changes::midnight,
    statements::{Statement, news::Item},
};
use facts::Fact;
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Registry,
    companies::readable,
    keys::{self, FactKind},
    pause_after_conflict,
    table::Write,
};

/// Number of past months that recent news go back, in addition to the current month.
const MONTHS: i32 = 12;
/// Number of items per page of a query.
const PAGE: i32 = 50;
/// Maximum number of news of a company that are stored together.
const MAX_NEWS_PER_WRITE: usize = 50;
/// Number of companies whose news are stored in parallel.
const PARALLEL_COMPANIES: usize = 16;
/// Maximum number of items read for one answer.
const MAX_ITEMS_READ: usize = 1_000;

/// Least and greatest number of items per page of a query for the news of one company.
const COMPANY_PAGE: (usize, usize) = (50, 500);
/// Maximum number of news of one company that a request reads, with older versions of the same items.
const MAX_NEWS_OF_COMPANY: usize = 5_000;
/// Size of the news of one company after which a request reads no more, in bytes as stored.
const MAX_NEWS_BYTES: usize = 4_000_000;

/// A news item about a company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    pub uid: Uid,
    /// The source that published it.
    pub source: Source,
    /// Fingerprint of the fact.
    pub fingerprint: String,
    pub item: Item,
    pub provenance: Provenance,
}

/// UUID namespace of news ids.
const NEWS: Uuid = Uuid::from_u128(0x0d5c_9a6e_73b1_5f48_9e21_5c07_b8d4_61fa);

impl News {
    /// The news item that a fact states. `None` if the fact is not news.
    pub fn of(fact: &Fact) -> Option<Self> {
        let Statement::News(item) = &fact.statement else { return None };
        Some(Self {
            uid: fact.uid,
            source: fact.source,
            fingerprint: fact.fingerprint.clone(),
            item: (**item).clone(),
            provenance: fact.provenance(),
        })
    }

    /// A `UUIDv5` of company, feed and the publisher's id. A corrected item keeps its id.
    pub fn id(&self) -> Uuid {
        let feed = self.item.source.as_deref().unwrap_or_default();
        let name = format!("{}|{}|{feed}|{}", self.uid, self.source, self.item.id);
        Uuid::new_v5(&NEWS, name.as_bytes())
    }

    /// Newest first. Versions published at the same time are ordered by fingerprint, so that the order does not
    /// depend on the order of arrival.
    fn order(&self) -> Reverse<(Timestamp, &str)> {
        Reverse((self.item.published_at, &self.fingerprint))
    }
}

/// A part of the news of a company.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewsPart {
    /// The newest version of each item, newest first.
    pub items: Vec<News>,
    /// Whether there are older items.
    pub has_more: bool,
}

/// A part of the news of a company while it is read, newest first.
#[derive(Default)]
struct Listing {
    offset: usize,
    limit: usize,
    part: NewsPart,
    /// Size of the items of the part.
    bytes: usize,
    /// The items so far, also those before `offset`.
    seen: HashSet<Uuid>,
    /// The last news that were read, all of the same second. Keys contain no fractions of seconds, so their order is
    /// only known when the next second is read.
    second: Vec<(News, usize)>,
}

impl Listing {
    /// Adds news of this size. They must be sorted by second, newest first.
    fn add(&mut self, news: News, size: usize) {
        let second = |it: &News| it.item.published_at.as_second();
        if self.second.last().is_some_and(|(last, _)| second(last) != second(&news)) {
            self.end_second();
        }
        self.second.push((news, size));
    }

    fn end_second(&mut self) {
        self.second.sort_by(|(one, _), (other, _)| one.order().cmp(&other.order()));
        for (news, size) in self.second.drain(..) {
            // The newest version of an item comes first.
            if !self.seen.insert(news.id()) || self.seen.len() <= self.offset {
                continue;
            }
            if self.part.items.len() == self.limit || self.bytes > MAX_NEWS_BYTES {
                self.part.has_more = true;
                return;
            }
            self.bytes += size;
            self.part.items.push(news);
        }
    }
}

impl Registry {
    /// The news of a company without the newest `offset`, newest first: at most `limit`, and fewer if they are long.
    /// Reads about as many as it returns, and covers the newest 5,000.
    pub async fn news_of(&self, uid: Uid, offset: usize, limit: usize) -> Result<NewsPart, Error> {
        let facts = keys::facts(uid, FactKind::News);
        // Sorts after every key with this prefix.
        let range = (facts.sort.as_str(), &*format!("{}~", facts.sort));
        // One item more shows whether there are more, another one ends its second.
        let wanted = offset.saturating_add(limit).saturating_add(2);
        // Pages of equal size, so that the last one is not read for a few items.
        let (least, greatest) = COMPANY_PAGE;
        let page = wanted.div_ceil(wanted.div_ceil(greatest)).max(least) as i32;
        let mut pages = pin!(self.table.query_backwards(&facts.partition, range, page));
        let mut listing = Listing { offset, limit, ..Listing::default() };
        let mut left = MAX_NEWS_OF_COMPANY;
        while left > 0
            && let Some(page) = pages.next().await
        {
            for row in page?.into_iter().take(left) {
                left -= 1;
                let size = row.size();
                let fact = readable::<Fact>(row).transpose()?;
                if let Some(news) = fact.as_ref().and_then(News::of) {
                    listing.add(news, size);
                }
                if listing.part.has_more {
                    return Ok(listing.part);
                }
            }
        }
        listing.end_second();
        Ok(listing.part)
    }

    /// Stores the news among these facts for [`Registry::recent_news`]. Idempotent.
    pub async fn record_news(&self, facts: &[Fact]) -> Result<(), Error> {
        let mut of_companies: BTreeMap<Uid, Vec<&Fact>> = BTreeMap::new();
        for fact in facts.iter().filter(|it| matches!(it.statement, Statement::News(_))) {
            of_companies.entry(fact.uid).or_default().push(fact);
        }
        let parts = of_companies.iter().flat_map(|(uid, facts)| {
            facts.chunks(MAX_NEWS_PER_WRITE).map(move |part| self.record_news_of(*uid, part))
        });
        let parts: Vec<_> = parts.collect();
        stream::iter(parts).buffer_unordered(PARALLEL_COMPANIES).try_collect().await
    }

    async fn record_news_of(&self, uid: Uid, facts: &[&Fact]) -> Result<(), Error> {
        for conflicts in 0..ATTEMPTS {
            let held = self.held_erasures(uid).await?;
            let facts = facts.iter().filter_map(|it| held.erasures.redact((*it).clone()));
            let news = facts.filter_map(|it| News::of(&it));
            let key = |it: &News| keys::news(it.item.published_at, it.uid, &it.fingerprint);
            // A file may hold an item twice; a transaction must not.
            let items: BTreeMap<keys::Key, News> = news.map(|it| (key(&it), it)).collect();
            if items.is_empty() {
                return Ok(());
            }
            let puts = items.into_iter().map(|(key, news)| Write::put_document(key, &news));
            let mut writes = puts.collect::<Result<Vec<_>, _>>()?;
            writes.push(held.check());
            match self.table.transact(writes).await {
                Err(Error::Changed) => pause_after_conflict(conflicts).await,
                done => return done,
            }
        }
        Err(Error::Changed)
    }

    /// The newest news of all companies that satisfy `is_wanted`, with their companies; at most `limit`.
    ///
    /// Covers the last twelve months up to `now`, or from `since` if that is later, and reads at most the
    /// newest 1,000 items. News of companies that are not in the register are left out.
    pub async fn recent_news(
        &self,
        now: Timestamp,
        since: Option<Timestamp>,
        limit: usize,
        is_wanted: impl Fn(&News) -> bool,
    ) -> Result<Vec<(News, Company)>, Error> {
        let day = |it: Timestamp| it.to_zoned(TimeZone::UTC).date();
        let earliest = day(now).saturating_sub(MONTHS.months());
        let earliest = since.map_or(earliest, |it| day(it).max(earliest)).first_of_month();
        let from = keys::news_moment(since.unwrap_or_else(|| midnight(earliest)));
        // Sorts after every key of that second.
        let to = format!("{}$", keys::news_moment(now));
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut month = day(now).first_of_month();
        while month >= earliest {
            let partition = keys::news_of_month(month);
            let mut pages = pin!(self.table.query_backwards(&partition, (&from, &to), PAGE));
            while let Some(page) = pages.next().await {
                let mut wanted = Vec::new();
                for row in page? {
                    let Some(news) = readable::<News>(row).transpose()? else { continue };
                    // The newest version of an item comes first.
                    if seen.insert(news.id()) && is_wanted(&news) {
                        wanted.push(news);
                    }
                }
                found.extend(self.with_companies(wanted).await?);
                if found.len() >= limit || seen.len() >= MAX_ITEMS_READ {
                    found.truncate(limit);
                    return Ok(found);
                }
            }
            month = month.saturating_sub(1.month());
        }
        Ok(found)
    }

    async fn with_companies(&self, news: Vec<News>) -> Result<Vec<(News, Company)>, Error> {
        let uids: BTreeSet<Uid> = news.iter().map(|it| it.uid).collect();
        let uids: Vec<Uid> = uids.into_iter().collect();
        let companies = self.companies(&uids).await?;
        let with_company = |news: News| {
            let company = companies.iter().find(|it| it.uid == news.uid)?;
            Some((news, company.clone()))
        };
        Ok(news.into_iter().filter_map(with_company).collect())
    }
}
