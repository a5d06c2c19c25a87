//! The facts of a dossier.

use ::dossier::{Brief, Facts, NewsItem};
use domain::Uid;
use generations::Generation;
use jiff::{civil::Date, tz::TimeZone};
use obligations::{AuditRegime, scope};
use problem_details::Problem;
use teams::DossierRequest;

use crate::{
    Sources,
    owners::ultimate_parent,
    risk::{priors, searched_risk_of},
    scope::ScopeSubject,
};

/// Maximum number of news that a dossier looks at.
const NEWS: usize = 20;

/// The rows of a dossier.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on the day. 400 if the day is in the
/// future.
pub async fn brief(
    sources: &Sources,
    generation: &Generation,
    request: &DossierRequest,
) -> Result<Brief, Problem> {
    let DossierRequest { company_uid: uid, level, language, as_of } = *request;
    let subject = ScopeSubject::read(sources, generation, uid, as_of).await?;
    let owners = &subject.owners;
    let priors = priors(generation, as_of);
    let risk =
        searched_risk_of(sources, generation, &subject.subject, owners, as_of, &priors).await?;
    let profile = subject.profile();
    let (scope, regime) = (scope(&profile), AuditRegime::of(&profile));
    let news = news(sources, uid, subject.day).await?;
    let facts = Facts {
        company: &subject.subject.company,
        history: &subject.subject.history,
        proofs: Some(&subject.subject.proofs),
        structure: &owners.structure,
        resolution: &owners.resolution,
        ultimate_parent: ultimate_parent(owners),
        risk: &risk.assessment,
        owners_not_searched: risk.owners_not_searched.as_deref(),
        scope: &scope,
        regime: &regime,
        news: &news,
        day: subject.day,
    };
    Ok(Brief::of(facts, level, language))
}

/// The latest news until a day.
async fn news(sources: &Sources, uid: Uid, day: Date) -> Result<Vec<NewsItem>, Problem> {
    let found = sources.registry.news_of(uid, 0, NEWS).await?;
    let items = found.items.into_iter().map(|it| NewsItem {
        publisher: it.item.source,
        title: it.item.title,
        date: it.item.published_at.to_zoned(TimeZone::UTC).date(),
        source: it.provenance,
    });
    Ok(items.filter(|it| it.date <= day).collect())
}
