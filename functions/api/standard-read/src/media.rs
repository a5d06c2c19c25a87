//! News of a company with their tone.

use axum::{Json, extract::State};
use domain::{
    Provenance,
    search::{Moment, PageSize},
    sentiment::{Sentiment, WantedSentiment, tone},
};
use http_service::{CompanyPath, Description, Path, Query, Routes, handler, known_company, reads};
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
    /// Of one tone.
    #[param(inline, value_type = Option<WantedSentiment>, example = "positive")]
    sentiment: Option<WantedSentiment>,
    /// Published at this moment or later; a date or a date and time.
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    since: Option<Moment>,
    /// How many items at most.
    #[serde(default)]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
}

/// News of a company with their tone.
#[derive(Serialize, ToSchema)]
struct Media {
    /// The newest first.
    items: Vec<MediaItem>,
    /// How many match, beyond `limit` too.
    total: u64,
}

/// A piece of news with its tone.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MediaItem {
    /// As in the news of the company.
    id: Uuid,
    title: String,
    summary: Option<String>,
    /// The name of the feed.
    source: Option<String>,
    published_at: Timestamp,
    url: Option<String>,
    /// -1 to 1.
    sentiment_score: f64,
    sentiment_label: Sentiment,
    /// Of `bankruptcy`, `sanctions`, `litigation`, `incident`, `restructuring`, `merger`, `results`,
    /// `personnel`, `expansion`.
    topics: Vec<&'static str>,
    /// 0 to 1, by the topics.
    risk_relevance: f64,
    /// What the score rests on, the weightiest first.
    evidence: Vec<MediaEvidence>,
    /// Where and when this was read.
    provenance: Provenance,
}

/// A word or phrase that says something good or bad.
#[derive(Serialize, ToSchema)]
struct MediaEvidence {
    /// In lower case and without accents.
    phrase: String,
    /// Above 0 good, below 0 bad; 2 and -2 where it says so plainly.
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

/// News with their tone
///
/// The tone is that of the words of title and summary, in four languages: each good or bad word counts 1
/// or 2, twice in the title, the other way round behind a denial. With `good` and `bad` the two sums, the
/// score is `(good - bad) / (good + bad + 2)`; it is `positive` from 0.25 on and `negative` from -0.25
/// down. Topics that matter to risk make `riskRelevance`: bankruptcy 0.9, sanctions 0.8, litigation 0.6,
/// incident 0.5, restructuring 0.4, each leaving its share of doubt. No model is asked, so that the same
/// words always have the same answer; what words do not tell, irony for one, is not understood.
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
    let news = state.registry.news_of(uid).await?.into_iter();
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
