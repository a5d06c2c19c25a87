//! Values that filters accept: cantons, legal forms, industries, change types.

use axum::Json;
use domain::{
    Canton,
    changes::ChangeKind,
    legal_forms::LEGAL_FORMS,
    noga::{DIVISIONS, SECTIONS},
};
use http_service::{Description, NoParameters, Query, Routes, handler, reads};
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0), handler!(cantons))
        .route(reads(0), handler!(legal_forms))
        .route(reads(0), handler!(noga))
        .route(reads(0), handler!(change_types))
}

/// A value that a filter accepts, and its name.
#[derive(Serialize, ToSchema)]
struct Entry {
    /// Value for the filter.
    code: String,
    /// Name of the value.
    name: String,
    /// Name in German, French, Italian and English. Absent if there is only one name.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<Names>,
}

/// A name in several languages.
#[derive(Serialize, ToSchema)]
struct Names {
    /// German.
    de: &'static str,
    /// French.
    fr: &'static str,
    /// Italian.
    it: &'static str,
    /// English.
    en: &'static str,
}

impl From<[&'static str; 4]> for Names {
    fn from([de, fr, it, en]: [&'static str; 4]) -> Self {
        Self { de, fr, it, en }
    }
}

impl Entry {
    fn plain(code: impl ToString, name: impl Into<String>) -> Self {
        Self { code: code.to_string(), name: name.into(), names: None }
    }

    fn named(code: &str, names: [&'static str; 4]) -> Self {
        Self { code: code.to_owned(), name: names[0].to_owned(), names: Some(names.into()) }
    }
}

/// List cantons
///
/// The 26 cantons. Their codes are the values of the filter `canton`.
#[utoipa::path(
    get,
    path = "/v1/reference/cantons",
    tag = "Reference",
    responses((status = OK, body = Vec<Entry>)),
)]
async fn cantons(Query(NoParameters {}): Query<NoParameters>) -> Json<Vec<Entry>> {
    Json(Canton::ALL.map(|it| Entry::named(it.code(), it.names())).into())
}

/// List legal forms
///
/// The legal forms of eCH-0097, the Swiss standard for codes of legal forms. Their codes are the values of the filter `legalFormCode`.
#[utoipa::path(
    get,
    path = "/v1/reference/legal-forms",
    tag = "Reference",
    responses((status = OK, body = Vec<Entry>)),
)]
async fn legal_forms(Query(NoParameters {}): Query<NoParameters>) -> Json<Vec<Entry>> {
    Json(LEGAL_FORMS.iter().map(|it| Entry::named(it.code, it.names)).collect())
}

/// List industries
///
/// Sections and divisions of NOGA 2008, the Swiss classification of economic activities. The names are shorter than the
/// official ones.
#[utoipa::path(
    get,
    path = "/v1/reference/noga",
    tag = "Reference",
    responses((status = OK, body = Vec<Entry>)),
)]
async fn noga(Query(NoParameters {}): Query<NoParameters>) -> Json<Vec<Entry>> {
    let sections = SECTIONS.iter().map(|it| Entry::plain(it.code, it.name));
    let divisions = DIVISIONS.iter().map(|it| Entry::plain(it.code, it.name));
    Json(sections.chain(divisions).collect())
}

/// List change types
///
/// All change types. Their codes are the values of the filter `type` of changes.
#[utoipa::path(
    get,
    path = "/v1/reference/change-types",
    tag = "Reference",
    responses((status = OK, body = Vec<Entry>)),
)]
async fn change_types(Query(NoParameters {}): Query<NoParameters>) -> Json<Vec<Entry>> {
    Json(ChangeKind::ALL.map(|it| Entry::plain(it.code(), it.name())).into())
}
