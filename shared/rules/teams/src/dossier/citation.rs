use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// What a tag names: `obligation` (a provision of the catalogue) or `evidence` (a row of evidence).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CitationKind {
    /// A provision of the catalogue.
    Obligation,
    /// A statement of a source.
    Evidence,
}

/// What a tag `[[obl:<id>]]` in the text of a dossier names.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCitation {
    /// Id in the tag: that of an obligation, or `ev-` and the number of the row of evidence.
    #[schema(example = "ev-1")]
    pub id: String,
    /// What the tag names.
    pub kind: CitationKind,
    /// Short name of the regulation. Only for obligations.
    #[schema(example = "CO")]
    pub regulation_id: Option<String>,
    /// Title of the regulation. Only for obligations.
    pub regulation_title: Option<String>,
    /// Article. Only for obligations.
    #[schema(example = "Art. 727")]
    pub article: Option<String>,
    /// Jurisdiction: `CH` for Switzerland, `INTL` for an international standard. Only for obligations.
    #[schema(example = "CH")]
    pub jurisdiction: Option<String>,
    /// URL of the regulation, or of the publication or record that states the evidence. Absent if we know none.
    pub source_url: Option<String>,
    /// What the provision says, in our words, or the text of the row of evidence.
    pub excerpt: String,
    /// Name of the source, as in `Provenance.source`; `gotthard` for what this service has computed. Only for evidence.
    #[schema(example = "zefix")]
    pub source: Option<String>,
    /// Reference within the source. Absent if the source has none.
    pub reference: Option<String>,
    /// Date of the statement. Absent if it is not known.
    pub date: Option<Date>,
    /// SHA-256 of the row of evidence: its text, source, reference and date. Only for evidence.
    pub hash: Option<String>,
}
