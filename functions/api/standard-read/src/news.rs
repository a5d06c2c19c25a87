//! News: of one company, and of all.

use axum::{Json, extract::State};
use domain::{
    Company, Provenance, Uid,
    search::{Moment, PageSize},
    text,
};
use http_service::{CompanyPath, Description, Path, Query, Routes, handler, known_company, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use sources::news::SourceType;
use store::News;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(company_news)).route(reads(1), handler!(recent_news))
}

/// A piece of news.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewsItem {
    /// The same for ever, though the publisher corrects the item.
    id: Uuid,
    title: String,
    /// Words without markup, cut after a thousand characters.
    summary: Option<String>,
    /// The name of the feed.
    source: Option<String>,
    source_type: NewsType,
    published_at: Timestamp,
    /// The address of the item at its publisher.
    source_url: Option<String>,
    /// The same address.
    url: Option<String>,
    /// Where and when this was read.
    provenance: Provenance,
}

/// `press`: a publisher's feed; `exchange`: a notice of the exchange.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NewsType {
    Press,
    Exchange,
}

impl NewsType {
    /// The name on the wire.
    fn name(&self) -> &'static str {
        match self {
            Self::Press => "press",
            Self::Exchange => "exchange",
        }
    }
}

impl From<News> for NewsItem {
    fn from(news: News) -> Self {
        Self {
            id: news.id(),
            source_type: source_type(&news),
            title: news.item.title,
            summary: news.item.summary,
            source: news.item.source,
            published_at: news.item.published_at,
            source_url: news.item.source_url.clone(),
            url: news.item.source_url,
            provenance: news.provenance,
        }
    }
}

fn source_type(news: &News) -> NewsType {
    match news.item.source_type {
        SourceType::Press => NewsType::Press,
        SourceType::Exchange => NewsType::Exchange,
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NewsQuery {
    /// How many items at most; all of them where it is not given.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, example = 20)]
    limit: Option<PageSize>,
}

/// News of a company
///
/// What publishers' feeds and the exchange say of it, the newest first. An item is a company's where it
/// names the company by number, identifier or exact registered name.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/news",
    tag = "News and reports",
    params(CompanyPath, NewsQuery),
    responses((status = OK, body = Vec<NewsItem>)),
)]
async fn company_news(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NewsQuery { limit }): Query<NewsQuery>,
) -> Result<Json<Vec<NewsItem>>, Problem> {
    known_company(&state.registry, uid).await?;
    let mut news = state.registry.news_of(uid).await?;
    if let Some(limit) = limit {
        news.truncate(limit.get() as usize);
    }
    Ok(Json(news.into_iter().map(Into::into).collect()))
}

/// How long the name of a source may be, in characters.
const SOURCE_LENGTH: usize = 1_000;

/// Where news come from, as a caller names it.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct WantedSource(String);

impl TryFrom<String> for WantedSource {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        if given.chars().count() > SOURCE_LENGTH {
            return Err(format!("more than {SOURCE_LENGTH} characters"));
        }
        match text::fold(&given) {
            folded if folded.is_empty() => Err(format!("`{given}` names no source")),
            folded => Ok(Self(folded)),
        }
    }
}

impl WantedSource {
    fn is_of(&self, news: &News) -> bool {
        source_type(news).name() == self.0
            || news.item.source.as_deref().is_some_and(|it| text::fold(it) == self.0)
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RecentNewsQuery {
    /// How many items at most.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
    /// Published at this moment or later; a date or a date and time.
    #[param(value_type = Option<String>, format = Date, example = "2026-10-01")]
    since: Option<Moment>,
    /// The name of one feed as items bear it, or `press` or `exchange`; case and accents do not matter.
    #[param(value_type = Option<String>, min_length = 1, max_length = 1000, example = "press")]
    source: Option<WantedSource>,
}

/// The newest news of all companies.
#[derive(Serialize, ToSchema)]
struct RecentNews {
    /// How many are answered here.
    count: u64,
    /// The newest first.
    items: Vec<CompanyNewsItem>,
}

/// A piece of news, and the company that it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyNewsItem {
    #[serde(flatten)]
    item: NewsItem,
    company_uid: Uid,
    /// As it is registered today.
    company_name: String,
}

impl From<(News, Company)> for CompanyNewsItem {
    fn from((news, company): (News, Company)) -> Self {
        Self { company_uid: company.uid, company_name: company.name, item: news.into() }
    }
}

/// Recent news
///
/// The newest of all companies, of the last twelve months; with filters, what they leave of the newest
/// thousand.
#[utoipa::path(
    get,
    path = "/v1/news/recent",
    tag = "News and reports",
    params(RecentNewsQuery),
    responses((status = OK, body = RecentNews)),
)]
async fn recent_news(
    State(state): State<crate::State>,
    Query(query): Query<RecentNewsQuery>,
) -> Result<Json<RecentNews>, Problem> {
    let is_asked = |it: &News| query.source.as_ref().is_none_or(|wanted| wanted.is_of(it));
    let since = query.since.map(|it| it.0);
    let limit = query.limit.get() as usize;
    let news = state.registry.recent_news(state.clock.now(), since, limit, is_asked).await?;
    let items: Vec<CompanyNewsItem> = news.into_iter().map(Into::into).collect();
    Ok(Json(RecentNews { count: items.len() as u64, items }))
}
