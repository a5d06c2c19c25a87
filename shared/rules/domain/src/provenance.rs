//! Provenance: the source, reference and date of a statement.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{DEMO, Source};

/// Source of a statement.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// Name of the source: `shab` (Swiss Official Gazette of Commerce, SOGC; in German SHAB), `zefix` (central
    /// index of the commercial register), `lindas` (the register as linked data), `gleif` (Global LEI Index: legal
    /// entity identifiers and groups), `finma` (licences of the Financial Market Supervisory Authority),
    /// `six` (notices of SIX Swiss Exchange), `news` (feeds of publishers), `reports` (annual reports),
    /// `swisstopo` (directories of localities), or `demo` (invented data).
    #[schema(example = "zefix")]
    pub source: String,
    /// Reference within the source: the URL of a publication or record, or a publication number. Absent
    /// if the source has none.
    pub reference: Option<String>,
    /// Date of the statement, for example of the publication. Absent if it is not known.
    pub date: Option<Date>,
}

impl Provenance {
    /// Whether it is of one of these sources, or of the demo register, whose records state what those of all sources do.
    pub(crate) fn is_of(&self, is_one: impl Fn(Source) -> bool) -> bool {
        self.source.parse().map_or(self.source == DEMO, is_one)
    }

    /// Whether the register, also that of the demo, states it.
    pub fn is_of_register(&self) -> bool {
        self.is_of(Source::is_register)
    }
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema;

    use super::*;
    use crate::LOCALITIES;

    #[test]
    fn provenance_documents_every_source() {
        let schema = serde_json::to_value(Provenance::schema()).expect("a schema");
        let documented = schema["properties"]["source"]["description"].as_str().expect("a text");
        for source in Source::ALL {
            assert!(documented.contains(&format!("`{source}` (")), "{source} is missing");
        }
    }

    #[test]
    fn register_sources_are_distinguished_from_others() {
        let is_of_register = |source: &str| {
            Provenance { source: source.into(), reference: None, date: None }.is_of_register()
        };
        assert!(["zefix", "shab", "lindas", DEMO].into_iter().all(is_of_register));
        assert!(!["gleif", "finma", LOCALITIES, "unknown"].into_iter().any(is_of_register));
    }
}
