//! How the reasons for a score are shown.

use matching::{Explanation, Feature};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::language::Language;

/// What a reason is about: `namePart` (words of the names), `nameRarity` (`score` is the highest score of the names
/// alone: the more common the words that agree, the lower it is), `nameDifferences` (`weight` is the part of the score
/// that is lost because words are different, missing, misspelled or abbreviated, in addition to the similarity of each
/// word), `nameOrder`, `fatherName` (after `bin`, `ibn` or `bint`), `number`, `legalForm`, `weakAlias`, `birthDate`,
/// `country`, `identifier` or `kind` (person, organisation or vessel).
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum ReasonFeature {
    NamePart,
    NameRarity,
    NameDifferences,
    NameOrder,
    FatherName,
    Number,
    LegalForm,
    WeakAlias,
    BirthDate,
    Country,
    Identifier,
    Kind,
}

/// A reason for a score.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reason {
    /// The feature that was compared.
    feature: ReasonFeature,
    /// Value of the subject. Absent if it has none.
    query_value: Option<String>,
    /// Value of the listed subject. Absent if it has none.
    list_value: Option<String>,
    /// 0 (contradicts) to 1 (agrees).
    score: f64,
    /// Importance, 0–1.
    weight: f64,
    /// The reason in the language that `Accept-Language` prefers.
    #[schema(example = "“Dovreshenka” is in both names.")]
    text: String,
}

pub(super) fn reason(it: Explanation, language: Language) -> Reason {
    Reason {
        feature: match it.feature {
            Feature::NamePart => ReasonFeature::NamePart,
            Feature::NameRarity => ReasonFeature::NameRarity,
            Feature::NameDifferences => ReasonFeature::NameDifferences,
            Feature::NameOrder => ReasonFeature::NameOrder,
            Feature::FatherName => ReasonFeature::FatherName,
            Feature::Number => ReasonFeature::Number,
            Feature::LegalForm => ReasonFeature::LegalForm,
            Feature::WeakAlias => ReasonFeature::WeakAlias,
            Feature::BirthDate => ReasonFeature::BirthDate,
            Feature::Country => ReasonFeature::Country,
            Feature::Identifier => ReasonFeature::Identifier,
            Feature::Kind => ReasonFeature::Kind,
        },
        text: language.of(&it.text),
        query_value: it.query_value,
        list_value: it.list_value,
        score: it.score,
        weight: it.weight,
    }
}
