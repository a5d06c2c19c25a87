//! What is kept of a person. To see the index, read this file.

use domain::{
    Canton,
    persons::{Mandate, RoleCategory, SigningAuthority},
};
use tantivy::schema::Schema;

use crate::{
    codes,
    layout::{Layout, NoFields, Opened, fields},
};

fields! {
/// The numbers of a person.
///
/// | Number       | What it is                                                         |
/// |--------------|--------------------------------------------------------------------|
/// | `IsEntity`   | 1 for a firm or an authority; they come after all people           |
/// | `NameRank`   | the place of family name and first name among all, from 1          |
/// | `RoleCount`     | how many roles are known                                        |
/// | `CurrentCount`  | how many of them last                                           |
Number: Column from 0;
    IsEntity, NameRank, RoleCount, CurrentCount,
}

fields! {
/// | Key            | What it is                                                          |
/// |----------------|---------------------------------------------------------------------|
/// | `ById`         | the beginnings of its ids                                           |
/// | `InCompany`    | the numbers of the companies in which a role lasts                  |
/// | `RoleKind`     | see [`RoleKind`]                                                    |
/// | `Nationality`  | the two letters                                                     |
/// | `Likeness`     | a digest of name and origin (or nationality), of every description  |
Key: Key from Number::END;
    ById, InCompany, RoleKind, Nationality, Likeness,
}

fields! {
/// The terms of a person, all folded. Names are those of every description.
///
/// | Term             | What it is                                            |
/// |------------------|-------------------------------------------------------|
/// | `Name`           | all words of a name, sorted                           |
/// | `Word`           | a word of a name; initials in a row also as one word  |
/// | `WordBeginning`  | the first letter, two and three letters of every word |
/// | `OriginWord`     | a word of the places of origin                        |
Term: Term from Key::END;
    Name, Word, WordBeginning, OriginWord,
}

fields! {
/// | Record     | What it is                                             |
/// |------------|--------------------------------------------------------|
/// | `Summary`  | ids, latest description, confidence, counts, as JSON   |
Record: Record from Term::END;
    Summary,
}

fields! {
/// What lies in an index of its own, person by person in the same order: some have a thousand roles,
/// and no list should have to unpack them.
///
/// | Record   | What it is           |
/// |----------|----------------------|
/// | `Roles`  | all roles, as JSON   |
Roles: Record from 0;
    Roles,
}

/// The column of the numbers of the companies in which a role lasts.
pub(crate) const COMPANIES: &str = "Companies";

/// The place of that column in the schema.
pub(crate) fn companies() -> tantivy::schema::Field {
    tantivy::schema::Field::from_field_id(Record::END)
}

pub(crate) type Index = Opened<Number, Key, Term>;

pub(crate) fn schema() -> Schema {
    let layout = Layout::default().with::<Number>().with::<Key>().with::<Term>().with::<Record>();
    layout.with_list(COMPANIES).build()
}

/// The folder of the roles, below that of the persons.
pub(crate) const ROLES: &str = "roles";

pub(crate) type RolesIndex = Opened<NoFields, NoFields, NoFields>;

pub(crate) fn roles_schema() -> Schema {
    Layout::default().with::<Roles>().build()
}

/// What a role is asked for, as one number: so that what is asked of roles is asked of one and the
/// same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RoleKind {
    pub(crate) category: RoleCategory,
    pub(crate) authority: Option<SigningAuthority>,
    pub(crate) canton: Option<Canton>,
    pub(crate) is_current: bool,
}

impl RoleKind {
    pub(crate) fn of(mandate: &Mandate, canton: Option<Canton>) -> Self {
        Self {
            category: mandate.category,
            authority: mandate.signing_authority,
            canton,
            is_current: mandate.is_current(),
        }
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

    /// Every kind there is.
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
    fn every_kind_of_role_has_a_number_of_its_own() {
        let codes: HashSet<u64> = RoleKind::every().map(RoleKind::code).collect();
        assert_eq!(codes.len(), RoleKind::every().count());
    }
}
