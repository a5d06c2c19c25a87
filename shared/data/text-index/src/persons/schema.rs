//! The fields of the index of persons.

use domain::{
    Canton,
    persons::{Mandate, RoleCategory, SigningAuthority},
};
use tantivy::schema::Schema;

use crate::{
    codes,
    layout::{Layout, fields},
    opened::Opened,
};

fields! {
/// The numbers of a person.
///
/// | Number       | What it is                                                         |
/// |--------------|--------------------------------------------------------------------|
/// | `IsEntity`   | 1 for a firm or an authority; these come after all persons         |
/// | `NameRank`   | rank of family name and first name among all names, from 1         |
/// | `RoleCount`     | number of known roles                                           |
/// | `CurrentCount`  | number of current roles                                         |
Number: Column from 0;
    IsEntity, NameRank, RoleCount, CurrentCount,
}

fields! {
/// | Key            | What it is                                                          |
/// |----------------|---------------------------------------------------------------------|
/// | `ById`         | the first six bytes of each id                                      |
/// | `InCompany`    | company numbers of companies with a current role                    |
/// | `RoleKind`     | see [`RoleKind`]                                                    |
/// | `Nationality`  | two-letter country code                                             |
/// | `Likeness`     | digest of name and origin (or nationality), for each description    |
Key: Key from Number::END;
    ById, InCompany, RoleKind, Nationality, Likeness,
}

fields! {
/// The terms of a person, all folded. Names of all descriptions are included.
///
/// | Term             | What it is                                            |
/// |------------------|-------------------------------------------------------|
/// | `Name`           | all words of a name, sorted                           |
/// | `Word`           | a word of a name; adjacent initials also as one word  |
/// | `WordBeginning`  | the first one, two and three letters of every word    |
/// | `OriginWord`     | a word of the places of origin                        |
Term: Term from Key::END;
    Name, Word, WordBeginning, OriginWord,
}

/// Folder of the first records: ids, latest description, confidence and counts of each person.
pub(crate) const SUMMARIES: &str = "summaries";

/// Folder of the second records: all roles of each person. Some persons have a thousand, which lists should not have to read.
pub(crate) const ROLES: &str = "roles";

/// Column with the company numbers of companies with a current role.
pub(crate) const COMPANIES: &str = "Companies";

/// Position of that column in the schema.
pub(crate) fn companies() -> tantivy::schema::Field {
    tantivy::schema::Field::from_field_id(Term::END)
}

pub(crate) type Index = Opened<Number, Key, Term>;

pub(crate) fn schema() -> Schema {
    let layout = Layout::default().with::<Number>().with::<Key>().with::<Term>();
    layout.with_list(COMPANIES).build()
}

/// The filterable properties of a role as one number, so that several filters must match the same role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoleKind {
    pub(crate) category: RoleCategory,
    pub(crate) authority: Option<SigningAuthority>,
    pub(crate) canton: Option<Canton>,
    pub(crate) is_current: bool,
}

impl RoleKind {
    /// The kinds of a role: one for each of its categories.
    pub(crate) fn of(mandate: &Mandate, canton: Option<Canton>) -> impl Iterator<Item = Self> {
        let (authority, is_current) = (mandate.signing_authority, mandate.is_current());
        mandate.categories().map(move |category| Self { category, authority, canton, is_current })
    }

    pub(crate) fn code(self) -> u64 {
        let place = |at: Option<usize>| at.map_or(0, |it| it as u64 + 1);
        let category = place(RoleCategory::ALL.iter().position(|it| *it == self.category));
        let authority = self.authority;
        let authority = place(SigningAuthority::ALL.iter().position(|it| Some(*it) == authority));
        let canton = self.canton.map_or(0, codes::canton);
        let authorities = SigningAuthority::ALL.len() as u64 + 1;
        let cantons = Canton::ALL.len() as u64 + 1;
        ((category * authorities + authority) * cantons + canton) * 2 + u64::from(self.is_current)
    }

    /// All kinds.
    pub(crate) fn every() -> impl Iterator<Item = Self> {
        let cantons = or_none(&Canton::ALL);
        let authorities = or_none(&SigningAuthority::ALL);
        let mut every = Vec::new();
        for category in RoleCategory::ALL {
            for &authority in &authorities {
                for &canton in &cantons {
                    every.extend([false, true].map(|is_current| Self {
                        category,
                        authority,
                        canton,
                        is_current,
                    }));
                }
            }
        }
        every.into_iter()
    }
}

fn or_none<T: Copy>(all: &[T]) -> Vec<Option<T>> {
    all.iter().copied().map(Some).chain([None]).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_kind_of_role_has_a_distinct_number() {
        let codes: HashSet<u64> = RoleKind::every().map(RoleKind::code).collect();
        assert_eq!(codes.len(), RoleKind::every().count());
    }
}
