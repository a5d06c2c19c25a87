use std::cmp::Reverse;

use auth::Principal;
use domain::{Uid, collation::NameKey};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// A tag that a team gave to a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    /// Id of the tag on this company.
    #[schema(example = "0199c0de-0001-7000-8000-000000000000")]
    pub id: String,
    /// Company that has the tag.
    #[schema(value_type = String, example = "CHE-812.460.660")]
    pub company_uid: Uid,
    /// Name of the tag.
    #[schema(example = "High risk")]
    pub tag_name: String,
    /// Colour in hexadecimal notation. Absent if none was given.
    #[schema(example = "#C1121F")]
    pub color: Option<String>,
    /// Who tagged the company.
    pub created_by: Principal,
    /// Time when the company was tagged.
    pub created_at: Timestamp,
}

impl Tag {
    /// Two names with the same result are the same tag: case, accents and punctuation do not matter.
    pub fn folded_name(&self) -> String {
        domain::text::fold(&self.tag_name)
    }
}

/// Whether a text is a colour: `#RGB` or `#RRGGBB`.
pub fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or_default();
    matches!(digits.len(), 3 | 6) && digits.bytes().all(|it| it.is_ascii_hexdigit())
}

/// A tag and the number of companies that have it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagSummary {
    /// Name of the tag, as it was first written.
    #[schema(example = "High risk")]
    pub tag_name: String,
    /// Number of companies with this tag.
    pub count: usize,
}

impl TagSummary {
    /// The names in these tags, most used first, then in alphabetical order.
    pub fn of(tags: &[Tag]) -> Vec<Self> {
        let mut tags: Vec<&Tag> = tags.iter().collect();
        tags.sort_by_cached_key(|it| (it.folded_name(), it.created_at));
        let same_name = |a: &&Tag, b: &&Tag| a.folded_name() == b.folded_name();
        let mut summaries: Vec<Self> = tags
            .chunk_by(same_name)
            .map(|it| Self { tag_name: it[0].tag_name.clone(), count: it.len() })
            .collect();
        summaries.sort_by_cached_key(|it| (Reverse(it.count), NameKey::of(&it.tag_name)));
        summaries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(company: &str, name: &str, second: i64) -> Tag {
        Tag {
            id: company.into(),
            company_uid: company.parse().expect("a company number"),
            tag_name: name.into(),
            color: None,
            created_by: Principal::api_key("k"),
            created_at: Timestamp::from_second(second).expect("a moment"),
        }
    }

    #[test]
    fn tags_are_counted_by_folded_name_and_named_as_first_written() {
        let tags = [
            tag("CHE-100.000.001", "zürich", 2),
            tag("CHE-100.000.002", "Zürich", 1),
            tag("CHE-100.000.001", "VIP", 3),
            tag("CHE-100.000.002", "Audit", 3),
        ];
        let names = TagSummary::of(&tags);
        let names: Vec<_> = names.iter().map(|it| (it.tag_name.as_str(), it.count)).collect();
        assert_eq!(names, [("Zürich", 2), ("Audit", 1), ("VIP", 1)]);
    }

    #[test]
    fn colours_are_hexadecimal() {
        assert!(is_color("#fff") && is_color("#C1121F"));
        for wrong in ["fff", "#ffff", "#ggg", "red", "#", ""] {
            assert!(!is_color(wrong), "{wrong}");
        }
    }
}
