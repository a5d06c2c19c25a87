//! News about a company with sentiment.

use axum::{Json, extract::State};
use company_reader::known_company;
use domain::{
    Provenance,
    media::{Sentiment, WantedSentiment, tone},
    search::{Moment, PageSize},
};
use http_service::{CompanyPath, Description, Path, Query, Routes, handler, reads};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::News;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(2), handler!(company_media))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MediaQuery {
    /// Sentiment of the items.
    #[param(inline, value_type = Option<WantedSentiment>, example = "positive")]
    sentiment: Option<WantedSentiment>,
    /// Earliest time of publication (inclusive): a date and time, or a date, which begins at midnight in Swiss time.
    #[param(inline, value_type = Option<Moment>, example = "2026-01-01")]
    since: Option<Moment>,
    /// Maximum number of items to return.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// Number of items of which the sentiment is computed, the newest.
const MAX_ITEMS: usize = 500;

/// News about a company with sentiment.
#[derive(Serialize, ToSchema)]
struct Media {
    /// Items, newest first.
    items: Vec<MediaItem>,
    /// Number of matching items among the newest 500, also those beyond `limit`.
    total: u64,
}

/// A news item with its sentiment.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MediaItem {
    /// Id of the item, as in `/v1/companies/{uid}/news`.
    id: Uuid,
    /// Title of the item.
    title: String,
    /// Plain text, at most 1,000 characters. Absent if there is none.
    summary: Option<String>,
    /// Name of the news feed. Absent if unknown.
    source: Option<String>,
    /// Time of publication.
    published_at: Timestamp,
    /// URL of the item at its publisher. Absent if unknown.
    url: Option<String>,
    /// Sentiment from -1 (negative) to 1 (positive).
    sentiment_score: f64,
    /// Sentiment derived from the score.
    sentiment_label: Sentiment,
    /// Topics of the item: `bankruptcy`, `sanctions`, `litigation`, `incident`, `restructuring`, `merger`,
    /// `results`, `personnel`, `expansion`.
    topics: Vec<&'static str>,
    /// Relevance for risk from 0 to 1, derived from the topics.
    risk_relevance: f64,
    /// Words that determined the score, strongest effect first, whether positive or negative. Words in the title count
    /// twice.
    evidence: Vec<MediaEvidence>,
    /// Source of the item.
    provenance: Provenance,
}

/// A positive or negative word or phrase.
#[derive(Serialize, ToSchema)]
struct MediaEvidence {
    /// Word or phrase in lower case, without accents.
    phrase: String,
    /// Weight: above 0 for positive, below 0 for negative words. Strong words have 2 or -2.
    weight: i32,
}

impl MediaItem {
    fn of(news: News, company: &str) -> Self {
        let tone = tone(company, &news.item.title, news.item.summary.as_deref());
        let evidence = tone.evidence.into_iter();
        Self {
            id: news.id(),
            title: news.item.title,
            summary: news.item.summary,
            source: news.item.source,
            published_at: news.item.published_at,
            url: news.item.source_url,
            sentiment_score: tone.score,
            sentiment_label: tone.sentiment,
            topics: tone.topics,
            risk_relevance: tone.risk_relevance,
            evidence: evidence
                .map(|it| MediaEvidence { phrase: it.phrase, weight: it.weight })
                .collect(),
            provenance: news.provenance,
        }
    }
}

/// List a company's news with sentiment
///
/// News items about a company with a sentiment score, newest first, at most `limit`. Only the newest 500 items are
/// read; `total` counts those of them that match. `limit` is at most 100; for older items, without a score, use
/// `/v1/companies/{uid}/news`.
///
/// The score is computed from word lists in four languages, without a language model. The same text always gets the
/// same score, and irony is not recognised.
///
/// Each positive or negative word counts 1 or 2 points, and twice as many in the title. A negation before a word
/// reverses it. The score is `(good - bad) / (good + bad + 2)`: `good` is the sum of the positive points, `bad` that
/// of the negative ones. Items are `positive` at 0.25 or more, `negative` at -0.25 or less, and `neutral` in between.
///
/// `riskRelevance` combines the weights of the topics: bankruptcy 0.9, sanctions 0.8, litigation 0.6, incident 0.5,
/// restructuring 0.4; other topics 0. It is 1 minus the product of (1 - weight) over all topics.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/media",
    tag = "News and reports",
    params(CompanyPath, MediaQuery),
    responses((status = OK, body = Media)),
)]
async fn company_media(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(query): Query<MediaQuery>,
) -> Result<Json<Media>, Problem> {
    let company = known_company(&state.registry, uid).await?;
    let news = state.registry.news_of(uid, 0, MAX_ITEMS).await?.items.into_iter();
    let since = query.since.map(|it| it.0);
    let items = news
        .filter(|it| since.is_none_or(|since| it.item.published_at >= since))
        .map(|it| MediaItem::of(it, &company.name))
        .filter(|it| query.sentiment.is_none_or(|wanted| it.sentiment_label == wanted.0));
    let mut items: Vec<MediaItem> = items.collect();
    let total = items.len() as u64;
    items.truncate(query.limit.get() as usize);
    Ok(Json(Media { items, total }))
}
