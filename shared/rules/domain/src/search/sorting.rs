//! Sort orders of lists.

use std::fmt;

use serde::Deserialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    choice::{Choice, UnknownValue},
    text,
};

/// Sort order of a list of companies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub enum SortBy {
    /// Best match first. Without a search text: active companies first, then the largest.
    #[default]
    Relevance,
    /// By name.
    Name,
    /// By nominal capital.
    ShareCapital,
    /// By founding date.
    FoundingDate,
    /// By registration date.
    RegistrationDate,
    /// By date of the latest statement.
    UpdatedAt,
    /// By canton.
    Canton,
    /// By number of employees.
    EmployeeCount,
    /// By completeness of the record.
    DataQualityScore,
}

impl PartialSchema for SortBy {
    fn schema() -> RefOr<Schema> {
        text::one_of(Self::ALL.map(Self::name))
    }
}

impl ToSchema for SortBy {}

impl SortBy {
    /// Every sort order.
    pub const ALL: [Self; 9] = [
        Self::Relevance,
        Self::Name,
        Self::ShareCapital,
        Self::FoundingDate,
        Self::RegistrationDate,
        Self::UpdatedAt,
        Self::Canton,
        Self::EmployeeCount,
        Self::DataQualityScore,
    ];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Name => "name",
            Self::ShareCapital => "shareCapital",
            Self::FoundingDate => "foundingDate",
            Self::RegistrationDate => "registrationDate",
            Self::UpdatedAt => "updatedAt",
            Self::Canton => "canton",
            Self::EmployeeCount => "employeeCount",
            Self::DataQualityScore => "dataQualityScore",
        }
    }
}

/// The sort order with this name.
pub(super) fn sort_named<T: Copy + PartialEq>(
    given: &str,
    orders: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, UnknownValue> {
    let order = Choice::of("a sort order such as `name`");
    let order = order.instead_of_sign("`sortDesc=true` sorts in descending order");
    order.read(given, orders.iter().map(|it| (name(*it), *it)))
}

impl TryFrom<String> for SortBy {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        sort_named(&given, &Self::ALL, Self::name)
    }
}

impl fmt::Display for SortBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_camel_case_and_snake_case() {
        assert_eq!(SortBy::try_from("share_capital".to_owned()), Ok(SortBy::ShareCapital));
        let error = SortBy::try_from("nmae".to_owned()).expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "must be a sort order such as `name`; got `nmae`. Did you mean `name`?"
        );
    }
}
