//! The parts of a profile that a caller chooses.

use std::collections::BTreeSet;

use domain::choice::{Choice, UnknownValue};
use serde::Deserialize;
use utoipa::ToSchema;

/// A part of the profile: `overview` (the record), `board` (officers and signatories), `changes` (what was published),
/// `auditor` (current and former auditors), `risk` (the risk assessment).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ToSchema)]
#[schema(as = ProfileSection, rename_all = "snake_case")]
pub(crate) enum Section {
    /// The record.
    Overview,
    /// Officers and signatories.
    Board,
    /// What was published.
    Changes,
    /// Current and former auditors.
    Auditor,
    /// The risk assessment.
    Risk,
}

impl Section {
    /// Every section, in the order of the document.
    pub(crate) const ALL: [Self; 5] =
        [Self::Overview, Self::Board, Self::Changes, Self::Auditor, Self::Risk];

    /// Name in requests, and in the template.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Board => "board",
            Self::Changes => "changes",
            Self::Auditor => "auditor",
            Self::Risk => "risk",
        }
    }
}

/// A section by its name. Case does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct WantedSection(Section);

impl TryFrom<String> for WantedSection {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        let section = Choice::of("sections of the profile such as `overview`");
        section.read(&given, Section::ALL.into_iter().map(|it| (it.name(), it))).map(Self)
    }
}

/// The chosen sections: all if none is chosen. Their order and repetition have no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sections(BTreeSet<Section>);

impl Sections {
    pub(crate) fn chosen(wanted: impl IntoIterator<Item = WantedSection>) -> Self {
        let chosen: BTreeSet<Section> = wanted.into_iter().map(|it| it.0).collect();
        if chosen.is_empty() { Self(Section::ALL.into()) } else { Self(chosen) }
    }

    pub(crate) fn contain(&self, section: Section) -> bool {
        self.0.contains(&section)
    }

    /// The sections in the order of the document.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Section> {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_section_gets_the_nearest_one() {
        let error = WantedSection::try_from("boad".to_owned()).expect_err("no section");
        let expected =
            "must be sections of the profile such as `overview`; got `boad`. Did you mean `board`?";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn order_and_repetition_have_no_effect() {
        let chosen = |names: &[&str]| {
            Sections::chosen(
                names
                    .iter()
                    .map(|it| WantedSection::try_from((*it).to_owned()).expect("a section")),
            )
        };
        assert_eq!(chosen(&["risk", "Board", "risk"]), chosen(&["board", "risk"]));
        assert_eq!(chosen(&[]), chosen(&["overview", "changes", "board", "auditor", "risk"]));
    }
}
