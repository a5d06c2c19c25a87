//! Screening lists: what a list states about a person, an organisation or an object, and how two versions of
//! a list differ.
//!
//! | Module | Contents |
//! |---|---|
//! | [`entry`](ListEntry) | one entry of a list |
//! | [`parts`](ListName) | its names, addresses, programmes, positions, relations |
//! | [`identifiers`](ListIdentifier) | its numbers and codes |
//! | [`dates`](PartialDate) | dates of which only the year or the month is known |
//! | [`delta`](Delta) | what was added, removed and changed between two versions |
//! | [`version`](ListVersion) | which file was read, and whether it is implausibly small |

mod dates;
mod delta;
mod entry;
mod identifiers;
mod parts;
mod version;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use dates::{BirthDate, InvalidPartialDate, PartialDate};
pub use delta::{Aspect, Delta, Digests, EntryDigest, material_changes};
pub use entry::{EntryKind, Gender, ListEntry};
pub use identifiers::{IdentifierKind, ListIdentifier};
pub use parts::{
    ListAddress, ListName, ListPosition, ListRelation, NameQuality, Programme, RelationKind,
    Translations,
};
pub use version::{Implausible, ListVersion, Minimum, is_shrunk};

/// A list against which persons and organisations are screened: `seco` (sanctions of Switzerland, published by the
/// State Secretariat for Economic Affairs), `opensanctions` (sanctions, politically exposed persons and other lists,
/// collected by OpenSanctions), `finma_warning` (warnings of the Swiss Financial Market Supervisory Authority, FINMA,
/// about providers without a licence) or `finma_authorised` (institutions that FINMA has authorised).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum List {
    /// Sanctions of Switzerland, published by the State Secretariat for Economic Affairs (SECO).
    Seco,
    /// Sanctions, politically exposed persons and other lists, collected by OpenSanctions.
    Opensanctions,
    /// Warnings of the Swiss Financial Market Supervisory Authority (FINMA) about providers without a licence.
    FinmaWarning,
    /// Institutions that FINMA has authorised.
    FinmaAuthorised,
}

/// What a hit on a list means: `risk` (it can be a reason to refuse or report a business relationship) or `information`
/// (it states a fact that is not a risk, such as a licence).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HitMeaning {
    /// A hit can be a reason to refuse or report a business relationship.
    Risk,
    /// A hit states a fact that is no risk, such as a licence.
    Information,
}

/// A source of lists. `seco`: sanctions of Switzerland. `opensanctions`: sanctions, politically exposed persons and other
/// lists, collected by OpenSanctions. `finma`: warnings and authorised institutions of the Swiss financial market
/// supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = Source)]
#[serde(rename_all = "snake_case")]
pub enum ListSource {
    Seco,
    Opensanctions,
    Finma,
}

impl ListSource {
    /// Every source.
    pub const ALL: [Self; 3] = [Self::Seco, Self::Opensanctions, Self::Finma];

    /// Name of the source in requests and responses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seco => "seco",
            Self::Opensanctions => "opensanctions",
            Self::Finma => "finma",
        }
    }

    /// Its lists.
    pub fn lists(self) -> impl Iterator<Item = List> {
        List::ALL.into_iter().filter(move |it| it.source() == self)
    }
}

impl List {
    /// Every list.
    pub const ALL: [Self; 4] =
        [Self::Seco, Self::Opensanctions, Self::FinmaWarning, Self::FinmaAuthorised];

    /// Name of the list in requests, responses and stored files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seco => "seco",
            Self::Opensanctions => "opensanctions",
            Self::FinmaWarning => "finma_warning",
            Self::FinmaAuthorised => "finma_authorised",
        }
    }

    /// The source of the list.
    pub const fn source(self) -> ListSource {
        match self {
            Self::Seco => ListSource::Seco,
            Self::Opensanctions => ListSource::Opensanctions,
            Self::FinmaWarning | Self::FinmaAuthorised => ListSource::Finma,
        }
    }

    /// What a hit on this list means.
    pub const fn meaning(self) -> HitMeaning {
        match self {
            Self::Seco | Self::Opensanctions | Self::FinmaWarning => HitMeaning::Risk,
            Self::FinmaAuthorised => HitMeaning::Information,
        }
    }

    /// Page of the publisher about the list, or its file. For entries without an address of their own.
    pub const fn url(self) -> &'static str {
        match self {
            Self::Seco => {
                "https://www.sesam.search.admin.ch/sesam-search-web/pages/downloadXmlGesamtliste.xhtml\
                 ?lang=en&action=downloadXmlGesamtlisteAction"
            }
            Self::Opensanctions => "https://www.opensanctions.org/datasets/",
            Self::FinmaWarning => "https://www.finma.ch/en/finma-public/warnungen/warning-list/",
            Self::FinmaAuthorised => {
                "https://www.finma.ch/en/finma-public/authorised-institutions-individuals-and-products/"
            }
        }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("unknown list `{given}`; expected one of: {}", List::ALL.map(List::name).join(", "))]
pub struct UnknownList {
    given: String,
}

impl FromStr for List {
    type Err = UnknownList;

    fn from_str(given: &str) -> Result<Self, UnknownList> {
        let known = Self::ALL.into_iter().find(|it| it.name() == given);
        known.ok_or_else(|| UnknownList { given: given.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_is_the_serialised_form_and_can_be_parsed() {
        for list in List::ALL {
            assert_eq!(serde_json::to_value(list).expect("a text"), list.name());
            assert_eq!(list.name().parse(), Ok(list));
        }
        let unknown = "ofac".parse::<List>().expect_err("unknown");
        assert_eq!(
            unknown.to_string(),
            "unknown list `ofac`; expected one of: seco, opensanctions, finma_warning, finma_authorised"
        );
    }

    #[test]
    fn only_the_list_of_authorised_institutions_is_information() {
        let information =
            List::ALL.into_iter().filter(|it| it.meaning() == HitMeaning::Information);
        assert_eq!(information.collect::<Vec<_>>(), [List::FinmaAuthorised]);
    }
}
