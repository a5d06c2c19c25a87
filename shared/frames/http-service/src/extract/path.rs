use axum::{
    RequestPartsExt,
    extract::{FromRequestParts, RawPathParams},
};
use domain::{GivenUid, Uid, noga::Industry, parameters::Parameters};
use http::request::Parts;
use problem_details::{NOT_FOUND, Problem};
use serde::{Deserialize, de::DeserializeOwned};
use utoipa::IntoParams;
use uuid::Uuid;

use super::parameters::{not_utf8, read};

/// Maximum length of a variable in bytes: that of the id of a hit. A longer one could not be part of a key of a table.
const MAX_VARIABLE_BYTES: usize = 300;

/// The variables of a path, as `T` declares them. An `id` that is no UUID, where `T` wants one, is 404, because no resource has it.
#[derive(Clone, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let variables = parts.extract::<RawPathParams>().await;
        let variables = variables.map_err(|_| not_utf8("path", parts.uri.path()))?;
        if let Some((_, longest)) = variables.iter().find(|(_, it)| it.len() > MAX_VARIABLE_BYTES) {
            let beginning: String = longest.chars().take(20).collect();
            let detail = format!("no resource has an id of this length: `{beginning}…`");
            return Err(Problem::new(&NOT_FOUND, detail));
        }
        let given = variables.iter().map(|(name, it)| (name.to_owned(), it.to_owned()));
        read(Parameters::grouped(given)).map(Self).map_err(|invalid| {
            let id = variables.iter().find(|(name, _)| *name == "id");
            let id = id.and_then(|(_, it)| resource_id(it).err());
            id.unwrap_or(invalid)
        })
    }
}

/// The company number in a path.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct CompanyPath {
    /// Company number (UID), such as `CHE-123.456.789`. The punctuation and the prefix `CHE` are optional. The check
    /// digit is not verified: a number with a wrong check digit gets 404, not 400.
    #[param(inline, value_type = GivenUid, example = "CHE-812.460.660")]
    pub uid: Uid,
}

/// The industry in a path.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IndustryPath {
    /// Name of a NOGA 2008 division or section, in English or an official language, or its code: two digits or a letter. Any other
    /// text is 404.
    #[param(max_length = 300, example = "Financial services")]
    industry: String,
}

impl IndustryPath {
    /// The industry.
    ///
    /// # Errors
    /// 404 if there is none with this name or code.
    pub fn industry(&self) -> Result<Industry, Problem> {
        Industry::named(&self.industry).map_err(Problem::not_found)
    }
}

/// The UUID in a path. Any other text is 404, because no resource has such an id.
#[derive(Clone, Debug)]
pub struct ResourceId(pub String);

#[derive(Deserialize)]
struct IdPath {
    id: String,
}

impl<S: Send + Sync> FromRequestParts<S> for ResourceId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let Path(IdPath { id }) = parts.extract().await?;
        resource_id(&id).map(|it| Self(it.to_string()))
    }
}

fn resource_id(given: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(given).map_err(|_| {
        let detail = format!(
            "no resource has the id `{given}`; ids have the form `0199c0de-0060-7000-8000-000000000000`"
        );
        Problem::new(&NOT_FOUND, detail)
    })
}
