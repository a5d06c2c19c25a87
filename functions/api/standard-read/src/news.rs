//! News about one company and about all companies.

use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company;
use domain::{
    Company, Provenance, Uid,
    choice::folded_name,
    search::{Moment, PageSize, SizeOfPage},
    statements::news::SourceType,
    text,
};
use http_service::{
    CompanyPath, Description, Offset, Paginator, Path, Query, Routes, Selection, handler, reads,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{News, NewsPart};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(company_news)).route(reads(1), handler!(recent_news))
}

/// A news item.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewsItem {
    /// Id of the item. It stays the same when the publisher corrects the item.
    id: Uuid,
    /// Title of the item.
    title: String,
    /// Plain text, at most 1,000 characters. Absent if there is none.
    summary: Option<String>,
    /// Name of the news feed. Absent if unknown.
    source: Option<String>,
    /// Kind of news.
    source_type: NewsType,
    /// Time of publication.
    published_at: Timestamp,
    /// URL of the item at its publisher. Absent if unknown.
    source_url: Option<String>,
    /// Same value as `sourceUrl`.
    url: Option<String>,
    /// Source of the item.
    provenance: Provenance,
}

/// Kind of news: `press` for the feed of a publisher, `exchange` for an announcement by the stock exchange.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum NewsType {
    Press,
    Exchange,
}

impl NewsType {
    /// The name in JSON.
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

/// Number of items in a response, 1 to 5,000: by default all.
type NewsLimit = SizeOfPage<5_000, 5_000>;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NewsQuery {
    /// Maximum number of items to return.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 5000, default = 5000, example = 20)]
    limit: NewsLimit,
    /// Number of items to skip. Do not compute it: use the URL in the header `Link`.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 0, maximum = 4294967295_u32, default = 0, example = 0)]
    offset: Offset,
}

/// List a company's news
///
/// News items about a company from publishers and the stock exchange, newest first. An item belongs to a company if
/// it contains the company number, another identifier of the company, or its exact registered name. Only the newest
/// 5,000 items are available. The header `Link` contains the URL of the next items, if there are more than `limit` or
/// than fit into one response.
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
    Query(NewsQuery { limit, offset }): Query<NewsQuery>,
    paginator: Paginator,
) -> Result<impl IntoResponse, Problem> {
    known_company(&state.registry, uid).await?;
    let (skipped, limit) = (offset.0 as usize, limit.get() as usize);
    let NewsPart { items, has_more } = state.registry.news_of(uid, skipped, limit).await?;
    let selection = Selection::list(offset, skipped + items.len() + usize::from(has_more));
    let news = items.into_iter().map(NewsItem::from);
    let (news, next) = paginator.fit(&state.public_url, &selection, news);
    Ok((next, Json(news)))
}

/// Maximum length of the name of a source in characters.
const MAX_SOURCE_LENGTH: usize = 1_000;

/// The name of a feed, or a kind of news, in folded form.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct WantedSource(String);

impl TryFrom<String> for WantedSource {
    type Error = String;

    fn try_from(given: String) -> Result<Self, String> {
        if given.chars().count() > MAX_SOURCE_LENGTH {
            return Err(format!("must have at most {MAX_SOURCE_LENGTH} characters"));
        }
        folded_name("the name of a feed, `press` or `exchange`", &given).map(Self)
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
    /// Maximum number of items to return.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
    /// Earliest time of publication (inclusive): a date and time, or a date, which begins at midnight in Swiss time.
    #[param(inline, value_type = Option<Moment>, example = "2026-10-01")]
    since: Option<Moment>,
    /// Name of a feed as in the field `source`, or `press` or `exchange`. Case and accents are ignored.
    #[param(value_type = Option<String>, min_length = 1, max_length = 1000, example = "press")]
    source: Option<WantedSource>,
}

/// The latest news about all companies.
#[derive(Serialize, ToSchema)]
struct RecentNews {
    /// Number of items in this response.
    count: u64,
    /// Items, newest first.
    items: Vec<CompanyNewsItem>,
}

/// A news item and the company that it is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompanyNewsItem {
    #[serde(flatten)]
    item: NewsItem,
    /// Company number.
    company_uid: Uid,
    /// Current name of the company.
    company_name: String,
}

impl From<(News, Company)> for CompanyNewsItem {
    fn from((news, company): (News, Company)) -> Self {
        Self { company_uid: company.uid, company_name: company.name, item: news.into() }
    }
}

/// List recent news
///
/// The latest news items about all companies from the last twelve months, newest first. Filters apply to the latest
/// 1,000 items.
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
    let matches = |it: &News| query.source.as_ref().is_none_or(|wanted| wanted.is_of(it));
    let since = query.since.map(|it| it.0);
    let limit = query.limit.get() as usize;
    let news = state.registry.recent_news(state.clock.now(), since, limit, matches).await?;
    let items: Vec<CompanyNewsItem> = news.into_iter().map(Into::into).collect();
    Ok(Json(RecentNews { count: items.len() as u64, items }))
}
