//! A selection of companies, as the list of companies makes it, but without order and pages.

use serde::de::DeserializeOwned;
use utoipa::{
    IntoParams,
    openapi::path::{Parameter, ParameterIn},
};

use super::{CompanyQuery, Values, WantedStatus};
use crate::{Status, invalid_input::InvalidInput, parameters::Parameters};

/// The parameters of a list that say nothing about which companies it has.
const OF_PAGES: [&str; 8] =
    ["sortBy", "sort_by", "sortDesc", "sort_desc", "page", "pageSize", "page_size", "offset"];

/// The filters of a list of companies, as they were given and as a query.
#[derive(Clone, Debug, Default)]
pub struct CompanyFilters {
    given: Vec<(String, String)>,
    query: CompanyQuery,
}

impl CompanyFilters {
    /// Reads the parameters of an operation that selects companies: its own ones, `T`, and the filters.
    ///
    /// # Errors
    /// With every invalid parameter.
    pub fn read_with<T: DeserializeOwned>(
        parameters: Parameters,
    ) -> Result<(T, Self), InvalidInput> {
        let (own, filters) = parameters.split::<T, CompanyQuery>(&OF_PAGES)?;
        match (own.read(), Self::of(filters)) {
            (Ok(own), Ok(filters)) => Ok((own, filters)),
            (Err(invalid), Ok(_)) | (Ok(_), Err(invalid)) => Err(invalid),
            (Err(one), Err(other)) => Err(one.and(other)),
        }
    }

    /// Reads the filters alone.
    ///
    /// # Errors
    /// With every invalid parameter.
    pub fn read(parameters: Parameters) -> Result<Self, InvalidInput> {
        let (_, filters) = parameters.split::<(), CompanyQuery>(&OF_PAGES)?;
        Self::of(filters)
    }

    fn of(parameters: Parameters) -> Result<Self, InvalidInput> {
        let given = parameters.pairs().map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(Self { given: given.collect(), query: parameters.read()? })
    }

    /// The filters as a query, whose order and page have no meaning.
    pub fn query(&self) -> &CompanyQuery {
        &self.query
    }

    /// The names and values, as `GET /v1/companies` accepts them.
    pub fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The same filters, limited to companies that are in the register, unless they name a status.
    #[must_use]
    pub fn of_registered(mut self) -> Self {
        if self.query.status.is_empty() && self.query.status_canonical.is_empty() {
            let registered = [Status::Active, Status::BeingCancelled];
            let names = registered.map(Status::name).join(",");
            self.given.push(("status".to_owned(), names));
            self.query.status = registered.map(WantedStatus).into_iter().collect::<Values<_>>();
        }
        self
    }
}

impl IntoParams for CompanyFilters {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let mut filters = CompanyQuery::into_params(place);
        filters.retain(|it| !OF_PAGES.contains(&&*it.name));
        filters
    }
}
