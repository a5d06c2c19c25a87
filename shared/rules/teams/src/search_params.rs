use domain::{
    invalid_input::InvalidInput,
    parameters::Parameters,
    search::{CompanyFilters, CompanyQuery},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum size of the filters of a search, in bytes of JSON: that of a query.
const MAX_BYTES: usize = 10_000;

/// The filters of a stored search, as they were given: the query parameters of `GET /v1/companies` as a JSON object.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SearchParams(pub Map<String, Value>);

impl SearchParams {
    /// The query that these parameters are. An error if `GET /v1/companies` would refuse them.
    pub fn query(&self) -> Result<CompanyQuery, InvalidInput> {
        self.parameters()?.read()
    }

    /// The companies that these parameters select. An error as in [`Self::query`], and if they name an order or a page.
    pub fn filters(&self) -> Result<CompanyFilters, InvalidInput> {
        CompanyFilters::read(self.parameters()?)
    }

    fn parameters(&self) -> Result<Parameters, InvalidInput> {
        let bytes = serde_json::to_vec(&self.0).map_err(serde::de::Error::custom)?.len();
        if bytes > MAX_BYTES {
            return Err(serde::de::Error::custom(format!(
                "must have at most {MAX_BYTES} bytes of JSON; got {bytes}"
            )));
        }
        Parameters::of_object(&self.0)
    }

    /// Whether this parameter is among them, in camel case or in snake case.
    pub fn contains(&self, name: &str) -> bool {
        let letters = |it: &str| it.replace('_', "").to_lowercase();
        self.0.keys().any(|it| letters(it) == letters(name))
    }
}
