//! The documentation page of each problem type.

use askama::Template;
use axum::response::{Html, IntoResponse};
use http_service::{Description, NoParameters, Path, Query, Routes, handler, reads};
use problem_details::{NOT_FOUND, PROBLEM_TYPES, Problem, ProblemType};
use serde::Deserialize;
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0), handler!(problem_page))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ProblemPath {
    /// Last segment of the `type` URL of a problem.
    #[param(inline, value_type = Slug, example = "rate-limit-exceeded")]
    slug: String,
}

/// The slugs of all problem types.
struct Slug;

impl PartialSchema for Slug {
    fn schema() -> RefOr<Schema> {
        let slugs = PROBLEM_TYPES.iter().map(|it| it.slug);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(slugs)).into()
    }
}

impl ToSchema for Slug {}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    kind: &'static ProblemType,
}

/// Get the documentation of a problem
///
/// An HTML page about one problem type: its meaning and what the caller can do.
#[utoipa::path(
    get,
    path = "/errors/{slug}",
    tag = "Service",
    params(ProblemPath),
    responses((status = OK, content_type = "text/html", body = String)),
)]
async fn problem_page(
    Path(ProblemPath { slug }): Path<ProblemPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let kind = PROBLEM_TYPES.iter().find(|it| it.slug == slug);
    let kind = kind.ok_or_else(|| {
        Problem::new(&NOT_FOUND, format!("no problem type has the name `{slug}`"))
    })?;
    let page = ProblemPage { kind }.render()?;
    Ok(([("cache-control", "public, max-age=3600")], Html(page)))
}
