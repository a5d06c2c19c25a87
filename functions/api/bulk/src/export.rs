//! A table of chosen companies.

use std::collections::{HashMap, HashSet};

use access::Tier;
use axum::{extract::State, response::IntoResponse};
use domain::{Company, GivenUid, Uid};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http_service::{Description, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use problem_details::Problem;
use serde::Deserialize;
use spreadsheet::{CsvTable, Selection};
use store::Registry;
use utoipa::ToSchema;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(
        reads(10).from_tier(Tier::Enterprise).with_token().changes_nothing(),
        handler!(bulk_export),
    )
}

/// Maximum number of companies of a request.
const MAX_COMPANIES: usize = 500;

/// The companies of a table: 1 to [`MAX_COMPANIES`], each once.
pub(crate) type ExportedCompanies = Companies<MAX_COMPANIES>;

/// 1 to `MAX` companies, each once.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Vec<Uid>")]
pub(crate) struct Companies<const MAX: usize>(pub(crate) Vec<Uid>);

impl<const MAX: usize> TryFrom<Vec<Uid>> for Companies<MAX> {
    type Error = String;

    fn try_from(mut uids: Vec<Uid>) -> Result<Self, String> {
        if !(1..=MAX).contains(&uids.len()) {
            return Err(format!("must be 1 to {MAX} numbers; got {}", uids.len()));
        }
        let mut seen = HashSet::new();
        uids.retain(|it| seen.insert(*it));
        Ok(Self(uids))
    }
}

/// The companies of a table, and its columns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BulkExportRequest {
    /// 1 to 500 company numbers. A number that is given twice counts once.
    #[schema(value_type = Vec<GivenUid>, min_items = 1, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: ExportedCompanies,
    /// Columns, in this order: names of members of the company record, in camel case (`legalForm`) or snake case
    /// (`legal_form`); also `address` for the address in one line; `capital` for `shareCapital`; `auditor` for
    /// `auditorName`. `uid` comes first if it is not chosen. Default: `uid`, `name`, `canton`, `status`, `legalForm`,
    /// `shareCapital` and `industry`.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false, min_items = 1, max_items = 100, example = json!(["uid", "name", "capital"]))]
    fields: Selection,
}

#[derive(Debug, thiserror::Error)]
#[error("no company {} in the commercial register", .0.iter().map(Uid::to_string).collect::<Vec<_>>().join(", "))]
struct UnknownCompanies(Vec<Uid>);

/// Export chosen companies
///
/// A CSV file with a header and one line for each company, in the order of the request. Columns are named as in the
/// request. Texts of a list in a cell, such as former names, are separated by `; `; a list of objects is JSON. If a
/// spreadsheet program would read a text as a formula, an apostrophe is put before it. The same applies to the part of a
/// text after a semicolon, a tab or a line break. If a number is not in the register, the answer is 404 and names it.
#[utoipa::path(
    post,
    path = "/v1/bulk/export",
    tag = "Exports",
    request_body = BulkExportRequest,
    responses((status = OK, content((String = "text/csv"))), (status = NOT_FOUND)),
)]
async fn bulk_export(
    State(state): State<crate::State>,
    Tenant { .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(BulkExportRequest { uids: Companies(uids), fields }): Json<BulkExportRequest>,
) -> Result<impl IntoResponse, Problem> {
    let mut companies = known_companies(&state.registry, &uids).await?;
    state.screened.current().await.fill_all(&mut companies);
    let table = csv(fields.with_uid(), companies.into_iter());
    let file = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"bulk-export.csv\""),
    ];
    Ok((file, table))
}

/// The companies with these numbers, in their order. If some are not in the register, the answer is 404 and names them.
async fn known_companies(registry: &Registry, uids: &[Uid]) -> Result<Vec<Company>, Problem> {
    let companies = registry.companies(uids).await?;
    let mut known: HashMap<Uid, Company> = companies.into_iter().map(|it| (it.uid, it)).collect();
    let (companies, unknown): (Vec<_>, Vec<_>) =
        uids.iter().map(|it| known.remove(it).ok_or(*it)).partition(Result::is_ok);
    let unknown: Vec<Uid> = unknown.into_iter().filter_map(Result::err).collect();
    match unknown.is_empty() {
        true => Ok(companies.into_iter().flatten().collect()),
        false => Err(Problem::not_found(UnknownCompanies(unknown))),
    }
}

#[expect(clippy::expect_used, reason = "only a write can fail, and memory takes every byte")]
fn csv(columns: Selection, companies: impl Iterator<Item = Company>) -> Vec<u8> {
    let mut table = CsvTable::new(Vec::new(), columns).expect("memory");
    companies.for_each(|it| table.push(&it).expect("memory"));
    table.finish().expect("memory")
}
