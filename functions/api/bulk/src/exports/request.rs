//! The body of a request for an export.

use domain::search::CompanyQuery;
use problem_details::Problem;
use serde::Deserialize;
use serde_json::Value;
use spreadsheet::Selection;
use teams::{ExportFormat, ExportRows, SearchParams};
use utoipa::ToSchema;

/// The rows, columns and format of an export. Without any member, the whole register as NDJSON.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CreateExport {
    /// Format of the file. Default: `ndjson`.
    #[schema(nullable = false, value_type = Option<ExportFormat>, example = "ndjson")]
    format: Option<ExportFormat>,
    /// Canton of the seat, as `canton` of `GET /v1/companies`.
    #[schema(value_type = Option<String>, nullable = false, example = "ZH")]
    canton: Option<Value>,
    /// Status, as `status` of `GET /v1/companies`.
    #[schema(value_type = Option<String>, nullable = false, example = "active")]
    status: Option<Value>,
    /// Industry, as `industry` of `GET /v1/companies`.
    #[schema(value_type = Option<String>, nullable = false, example = "Financial services")]
    industry: Option<Value>,
    /// Legal form, as `legalForm` of `GET /v1/companies`.
    #[serde(alias = "legal_form")]
    #[schema(value_type = Option<String>, nullable = false, example = "AG")]
    legal_form: Option<Value>,
    /// Earliest date of `updatedAt`, as `changedSince` of `GET /v1/companies`.
    #[serde(alias = "changed_since")]
    #[schema(value_type = Option<String>, nullable = false, example = "2026-01-01")]
    changed_since: Option<Value>,
    /// Other filters: the query parameters of `GET /v1/companies` as members. Those for pages and order have no effect.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({ "capitalMin": 100000 }))]
    filter: SearchParams,
    /// Columns, in this order: names of members of the company record, in camel case (`legalForm`) or snake case
    /// (`legal_form`); also `address` for the address in one line; `capital` for `shareCapital`; `auditor` for
    /// `auditorName`. Default: all.
    #[schema(value_type = Option<Vec<String>>, nullable = false, min_items = 1, max_items = 100, example = json!(["uid", "name", "capital"]))]
    fields: Option<Selection>,
    /// Maximum number of rows: the companies with the lowest numbers are exported. Default: no maximum.
    #[serde(alias = "max_rows")]
    #[schema(value_type = Option<u64>, nullable = false, minimum = 1, example = 1000)]
    max_rows: Option<MaxRows>,
}

/// At least one row.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "u64")]
struct MaxRows(u64);

impl TryFrom<u64> for MaxRows {
    type Error = String;

    fn try_from(rows: u64) -> Result<Self, String> {
        match rows {
            0 => Err("must be at least 1; got 0".to_owned()),
            rows => Ok(Self(rows)),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("must not contain `{0}` if the body does")]
struct GivenInFilterAndBody(String);

impl CreateExport {
    /// The format, the filters as a query, and the rows, if the filters are valid.
    pub(super) fn into_rows(self) -> Result<(ExportFormat, CompanyQuery, ExportRows), Problem> {
        let own = [
            ("canton", self.canton),
            ("status", self.status),
            ("industry", self.industry),
            ("legalForm", self.legal_form),
            ("changedSince", self.changed_since),
        ];
        let mut filter = self.filter;
        let mut of_body = Vec::new();
        for (name, value) in own {
            let Some(value) = value else { continue };
            if filter.contains(name) {
                return Err(Problem::invalid("filter", GivenInFilterAndBody(name.to_owned())));
            }
            filter.0.insert(name.to_owned(), value);
            of_body.push(name);
        }
        let query = filter.query().map_err(|invalid| {
            let named = |(path, detail): (String, String)| match path.strip_prefix("filter.") {
                Some(name) if of_body.contains(&name) => (name.to_owned(), detail),
                _ => (path, detail),
            };
            Problem::all_invalid(
                invalid.within("filter").errors("filter").into_iter().map(named).collect(),
            )
        })?;
        let names = |it: Selection| it.columns().map(|(name, _)| name.to_owned()).collect();
        let (columns, max_rows) = (self.fields.map(names), self.max_rows.map(|it| it.0));
        let rows = ExportRows::Companies { filter, tagged: None, columns, max_rows };
        Ok((self.format.unwrap_or(ExportFormat::Ndjson), query, rows))
    }
}
