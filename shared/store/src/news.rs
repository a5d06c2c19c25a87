//! News: of one company among its facts, of all companies by month.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashSet},
    pin::pin,
};

use domain::{Company, Provenance, Uid, changes::midnight};
use facts::Fact;
use futures_util::StreamExt;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde::{Deserialize, Serialize};
use statements::{Source, Statement, news::Item};
use uuid::Uuid;

use crate::{Error, Registry, keys};

/// How many months back the news of all companies are read, the one that runs apart.
const MONTHS: i32 = 12;
/// How many items are read at once.
const PAGE: i32 = 50;
/// How many items are looked through for one answer.
const LOOKED_THROUGH: usize = 1_000;

/// A piece of news of a company.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct News {
    pub uid: Uid,
    /// The source that brought it.
    pub source: Source,
    /// Of the fact.
    pub fingerprint: String,
    pub item: Item,
    pub provenance: Provenance,
}

/// The namespace of the ids of news.
const NEWS: Uuid = Uuid::from_u128(0x0d5c_9a6e_73b1_5f48_9e21_5c07_b8d4_61fa);

impl News {
    /// The news that a fact states; `None` of any other.
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

    /// A `UUIDv5` of company, feed and the publisher's own id: the same piece of news has the same id for
    /// ever, though its publisher corrects it.
    pub fn id(&self) -> Uuid {
        let feed = self.item.source.as_deref().unwrap_or_default();
        let name = format!("{}|{}|{feed}|{}", self.uid, self.source, self.item.id);
        Uuid::new_v5(&NEWS, name.as_bytes())
    }

    /// The newest first. Of two versions of one piece of news that cannot be told older from newer, the
    /// fingerprint decides, so that everybody decides alike.
    fn order(&self) -> Reverse<(Timestamp, &str)> {
        Reverse((self.item.published_at, &self.fingerprint))
    }
}

/// In order, of each piece of news one version.
fn newest_first(mut news: Vec<News>) -> Vec<News> {
    news.sort_by(|one, other| one.order().cmp(&other.order()));
    let mut seen = HashSet::new();
    news.retain(|it| seen.insert(it.id()));
    news
}

impl Registry {
    /// All news of a company, the newest first.
    pub async fn news_of(&self, uid: Uid) -> Result<Vec<News>, Error> {
        let facts = self.facts(uid).await?;
        Ok(newest_first(facts.iter().filter_map(News::of).collect()))
    }

    /// Puts the news among these facts where the news of all companies are read. Safe to run twice, and
    /// to run again after it died.
    pub async fn record_news(&self, facts: &[Fact]) -> Result<(), Error> {
        let news = facts.iter().filter_map(News::of);
        let items = news.map(|it| (keys::news(it.item.published_at, it.uid, &it.fingerprint), it));
        // A batch must not hold one item twice; a file may.
        let items: BTreeMap<keys::Key, News> = items.collect();
        self.table.put_documents(items).await
    }

    /// The newest news of all companies that pass a filter, at most `limit`, with their companies: of
    /// those that were published since `since`, in the last twelve months and until `now`. Looks through
    /// the newest thousand. A company that is not in the register yet has none here.
    pub async fn recent_news(
        &self,
        now: Timestamp,
        since: Option<Timestamp>,
        limit: usize,
        is_asked: impl Fn(&News) -> bool,
    ) -> Result<Vec<(News, Company)>, Error> {
        let day = |it: Timestamp| it.to_zoned(TimeZone::UTC).date();
        let earliest = day(now).saturating_sub(MONTHS.months());
        let earliest = since.map_or(earliest, |it| day(it).max(earliest)).first_of_month();
        let from = keys::news_moment(since.unwrap_or_else(|| midnight(earliest)));
        // Behind every key of that second.
        let to = format!("{}$", keys::news_moment(now));
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut month = day(now).first_of_month();
        while month >= earliest {
            let partition = keys::news_of_month(month);
            let mut pages = pin!(self.table.query_backwards(&partition, (&from, &to), PAGE));
            while let Some(page) = pages.next().await {
                let mut asked = Vec::new();
                for row in page? {
                    let news: News = row.read()?;
                    // Of each piece of news the newest version comes first.
                    if seen.insert(news.id()) && is_asked(&news) {
                        asked.push(news);
                    }
                }
                found.extend(self.with_companies(asked).await?);
                if found.len() >= limit || seen.len() >= LOOKED_THROUGH {
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
