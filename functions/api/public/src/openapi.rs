//! The OpenAPI document, which `cargo openapi` generates and which is served unchanged.

use axum::response::IntoResponse;
use http::Method;
use http_service::{Description, NoParameters, Query, Routes, handler, reads};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0), handler!(openapi))
        .route(reads(0), handler!(openapi_of_any_version))
}

static DOCUMENT: &[u8] = include_bytes!("../openapi.json");

/// All operations of the API. Faster to parse during a cold start than the OpenAPI document.
static OPERATIONS: &str = include_str!("../operations.txt");

pub(crate) fn operations() -> impl Iterator<Item = (Method, String)> {
    let pairs = OPERATIONS.lines().filter_map(|it| it.split_once(' '));
    pairs.filter_map(|(method, path)| Some((method.parse().ok()?, path.to_owned())))
}

/// Get the OpenAPI document
///
/// This document, in OpenAPI 3.0.3.
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    tag = "Service",
    responses((status = OK, content_type = "application/json", body = Object, example = json!({ "openapi": "3.0.3", "info": { "title": "Gotthard", "version": "0.1.0" }, "paths": {} }))),
)]
async fn openapi(Query(NoParameters {}): Query<NoParameters>) -> impl IntoResponse {
    document()
}

/// Get the OpenAPI document (alias)
///
/// The same document as `/v1/openapi.json`.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Service",
    responses((status = OK, content_type = "application/json", body = Object, example = json!({ "openapi": "3.0.3", "info": { "title": "Gotthard", "version": "0.1.0" }, "paths": {} }))),
)]
async fn openapi_of_any_version(Query(NoParameters {}): Query<NoParameters>) -> impl IntoResponse {
    document()
}

fn document() -> impl IntoResponse {
    let headers = [("content-type", "application/json"), ("cache-control", "public, max-age=3600")];
    (headers, DOCUMENT)
}
