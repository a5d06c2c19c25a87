use auth::Principal;
use domain::Uid;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

/// A note of a team about a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// Id of the note.
    #[schema(example = "0199c0de-0000-7000-8000-000000000000")]
    pub id: String,
    /// Company that the note is about.
    #[schema(value_type = String, example = "CHE-812.460.660")]
    pub company_uid: Uid,
    /// Text of the note.
    pub content: String,
    /// Type of the note.
    pub note_type: NoteType,
    /// Rating from 1 to 5. Absent if there is none.
    pub rating: Option<u8>,
    /// Whether only its author can see the note.
    pub is_private: bool,
    /// Author of the note.
    pub created_by: Principal,
    /// Time when the note was created.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl Note {
    /// Whether this principal may read, change and delete the note.
    pub fn is_visible_to(&self, reader: &Principal) -> bool {
        !self.is_private || self.created_by == *reader
    }
}

/// Type of a note: `note`, `annotation`, `rating` or `flag`. The service treats all types alike; the team decides what
/// they mean. Requests may write them in upper or lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteType {
    #[default]
    Note,
    Annotation,
    Rating,
    Flag,
}

impl<'de> Deserialize<'de> for NoteType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.to_lowercase().as_str() {
            "note" => Ok(Self::Note),
            "annotation" => Ok(Self::Annotation),
            "rating" => Ok(Self::Rating),
            "flag" => Ok(Self::Flag),
            _ => Err(D::Error::custom(format!(
                "must be one of `note`, `annotation`, `rating`, `flag`; got `{text}`"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_types_are_read_in_any_case() {
        for text in ["flag", "Flag", "FLAG"] {
            assert_eq!(serde_json::from_value::<NoteType>(text.into()).ok(), Some(NoteType::Flag));
        }
        assert!(serde_json::from_value::<NoteType>("memo".into()).is_err());
    }
}
