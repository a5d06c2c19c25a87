//! Regulations that answers refer to.

use jiff::civil::Date;
use obligations::{CATALOGUE, Jurisdiction, Obligation};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// A provision that an answer refers to.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Citation {
    /// Id of the obligation.
    #[schema(example = "leta-4")]
    pub(crate) id: &'static str,
    /// Short name of the regulation.
    #[schema(example = "LETA")]
    pub(crate) regulation_id: &'static str,
    /// Title of the regulation.
    pub(crate) regulation_title: String,
    /// Article.
    #[schema(example = "Art. 4")]
    pub(crate) article: &'static str,
    /// Jurisdiction: `CH` for Switzerland, `INTL` for an international standard.
    #[schema(example = "CH")]
    pub(crate) jurisdiction: &'static str,
    /// URL of the regulation. Absent if we know none.
    pub(crate) source_url: Option<&'static str>,
    /// What the provision says, in our words.
    pub(crate) excerpt: &'static str,
    /// Whether article, content and dates were confirmed in the text of the regulation.
    pub(crate) verified: bool,
}

impl Citation {
    /// The provision as it is on a day, or else in its nearest version.
    pub(crate) fn of(obligation: &'static Obligation, day: Date) -> Self {
        let regulation = CATALOGUE.regulation(&obligation.regulation);
        let jurisdiction = match regulation.map(|it| it.jurisdiction) {
            Some(Jurisdiction::Intl) => "INTL",
            Some(Jurisdiction::Ch) | None => "CH",
        };
        Self {
            id: &obligation.id,
            regulation_id: &obligation.regulation,
            regulation_title: regulation.map(|it| it.full_title()).unwrap_or_default(),
            article: &obligation.article,
            jurisdiction,
            source_url: regulation.and_then(|it| it.source_url.as_deref()),
            excerpt: &obligation.excerpt,
            verified: obligation.nearest_version(day).is_some_and(|it| it.is_verified()),
        }
    }

    /// Those of these provisions that are in force on a day.
    pub(crate) fn in_force<'a>(ids: impl IntoIterator<Item = &'a str>, day: Date) -> Vec<Self> {
        let known = ids.into_iter().filter_map(|id| CATALOGUE.obligation(id));
        known.filter(|it| it.version(day).is_some()).map(|it| Self::of(it, day)).collect()
    }
}

/// The provisions about beneficial owners of legal entities.
pub(crate) const BENEFICIAL_OWNERSHIP: [&str; 4] = ["amla-2a", "amla-4", "co-697j", "leta-4"];
