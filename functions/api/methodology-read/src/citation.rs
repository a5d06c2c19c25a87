//! Regulations that answers refer to.

use serde::Serialize;
use utoipa::ToSchema;

/// A provision that an answer refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Citation {
    /// Id of the obligation.
    #[schema(example = "leta-4")]
    pub(crate) id: &'static str,
    /// Short name of the regulation.
    #[schema(example = "LETA")]
    pub(crate) regulation_id: &'static str,
    /// Title of the regulation.
    pub(crate) regulation_title: &'static str,
    /// Article.
    #[schema(example = "Art. 4")]
    pub(crate) article: &'static str,
    /// Jurisdiction: `CH` for Switzerland.
    #[schema(example = "CH")]
    pub(crate) jurisdiction: &'static str,
    /// What the provision says, in our words.
    pub(crate) excerpt: &'static str,
    /// Whether article and content were confirmed in the text of the regulation.
    pub(crate) verified: bool,
}

const ANTI_MONEY_LAUNDERING: &str = "Anti-Money Laundering Act (SR 955.0)";

/// The provisions about beneficial owners of legal entities.
pub(crate) const BENEFICIAL_OWNERSHIP: [Citation; 3] = [
    Citation {
        id: "amla-2a",
        regulation_id: "AMLA",
        regulation_title: ANTI_MONEY_LAUNDERING,
        article: "Art. 2a",
        jurisdiction: "CH",
        excerpt: "Definition of the beneficial owner of an operating legal entity.",
        verified: false,
    },
    Citation {
        id: "amla-4",
        regulation_id: "AMLA",
        regulation_title: ANTI_MONEY_LAUNDERING,
        article: "Art. 4",
        jurisdiction: "CH",
        excerpt: "Establish the identity of the beneficial owner with due diligence; a written declaration for \
                  domiciliary companies.",
        verified: false,
    },
    Citation {
        id: "leta-4",
        regulation_id: "LETA",
        regulation_title: "Federal Act on the Transparency of Legal Entities (SR 955.3)",
        article: "Art. 4",
        jurisdiction: "CH",
        excerpt: "Beneficial owner: the natural person who ultimately controls the entity, with at least 25 % of the capital \
                  or votes alone or in concert, or otherwise; if there is none, the most senior member of the managing body.",
        verified: true,
    },
];
