//! The companies that match filters, as a CSV file or an Excel workbook.

mod table;

use std::collections::BTreeMap;

use access::Tier;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{Company, GivenUid, Uid};
use futures_util::TryStreamExt;
use generations::Generation;
use http::{
    HeaderMap,
    header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY},
};
use http_service::{Description, Json, NoParameters, Query, Routes, Tenant, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Deserialize;
use serde_json::Value;
use spreadsheet::Selection;
use teams::SearchParams;
use utoipa::ToSchema;

use self::table::{Format, Table};
use crate::{
    export::{Companies, ExportedCompanies},
    exports::are_in,
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(
        reads(10).from_tier(Tier::Professional).with_token().changes_nothing(),
        handler!(export_excel),
    )
}

/// Maximum number of rows. More rows take longer than a request may.
const MAX_ROWS: usize = 50_000;

/// The companies of a table, and its columns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ExportExcelRequest {
    /// Only these companies: 1 to 500 company numbers.
    #[serde(default)]
    #[schema(value_type = Option<Vec<GivenUid>>, nullable = false, min_items = 1, max_items = 500, example = json!(["CHE-101.049.653", "CHE-101.329.561"]))]
    uids: Option<ExportedCompanies>,
    /// Only companies that match: the query parameters of `GET /v1/companies` as members, such as `canton`, `search`,
    /// `status` or `auditorCategory`. Its parameters for pages and order have no effect.
    #[serde(default)]
    #[schema(value_type = Object, example = json!({ "canton": "ZH", "status": "ACTIVE" }))]
    filter: SearchParams,
    /// Columns, in this order: names of members of the company record, in camel case (`legalForm`) or snake case
    /// (`legal_form`); also `address` for the address in one line; `capital` for `shareCapital`; `auditor` for
    /// `auditorName`. Default: `uid`, `name`, `canton`, `status`, `legalForm`, `shareCapital` and `industry`.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, nullable = false, min_items = 1, max_items = 100, example = json!(["uid", "name", "capital"]))]
    fields: Option<Selection>,
    /// Format of the file. Default: `xlsx` if the header `Accept` names its media type, or else `csv`.
    #[serde(default)]
    #[schema(nullable = false, value_type = Option<Format>, example = "csv")]
    format: Option<Format>,
}

impl ExportExcelRequest {
    /// The member that can make the table smaller: one that the body has, unless it has none.
    fn narrowing_member(&self) -> &'static str {
        match (&self.fields, &self.uids) {
            (Some(_), _) => "fields",
            (None, Some(_)) => "uids",
            (None, None) => "filter",
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "must match at most {MAX_ROWS} companies; got {0}. Narrow the filter, or use `POST /v1/exports`, which has no limit but requires the tier `enterprise`"
)]
struct TooManyRows(u64);

#[derive(Debug, thiserror::Error)]
#[error("must not contain `uids` if the body does")]
struct GivenInFilterAndBody;

/// An Excel workbook.
// For the description of the API only.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "utoipa reads only its attributes")]
struct Workbook(Vec<u8>);

/// Export companies as a spreadsheet
///
/// A table with one row for each company that matches, in the order of their numbers: at most 50,000 rows and 50 MB of text.
/// `POST /v1/exports`, which requires the tier Enterprise, writes larger files. All rows are of one generation, which
/// the header `x-data-generation` names. If a number of `uids` is not in it, the answer is 404 and names the number. A
/// company of `uids` that does not match `filter` has no row.
///
/// CSV is text in UTF-8 with a header. A cell with several texts, such as former names, separates them with `; `; a list of objects
/// is JSON. Text that would be read as a formula gets an apostrophe, and so does text after a semicolon, tab or line break within a
/// cell. An Excel workbook has typed cells (numbers, dates, text), and a second sheet with the filters, the generation and the
/// sources; a text of more than 32,767 characters, the most that a cell holds, is cut and ends with `…`. Days before 1900-03-01
/// are text, because Excel's calendar differs there.
#[utoipa::path(
    post,
    path = "/v1/companies/export/excel",
    tag = "Exports",
    request_body = ExportExcelRequest,
    responses((status = OK, content((String = "text/csv"), (inline(Workbook) = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))), (status = NOT_FOUND)),
)]
async fn export_excel(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    headers: HeaderMap,
    Json(request): Json<ExportExcelRequest>,
) -> Result<Response, Problem> {
    let narrowing_member = request.narrowing_member();
    let chosen = request.uids.map(|Companies(uids)| uids);
    let filter = with_uids(request.filter, chosen.as_deref())?;
    let query =
        filter.query().map_err(|it| Problem::all_invalid(it.within("filter").errors("filter")))?;
    let format = request.format.unwrap_or_else(|| Format::accepted(&headers));
    let generation = state.generations.serving().await?;
    let tagged = state.tenants.companies_with_tags(&team, &query).await?;
    let (total, uids) = generation.all_companies(&query, tagged, MAX_ROWS).await?;
    let uids = uids.ok_or_else(|| Problem::invalid("filter", TooManyRows(total)))?;
    // Fewer than were chosen: the others do not match the filter, or are not in the generation.
    if let Some(chosen) = chosen.filter(|it| it.len() > uids.len()) {
        are_in(&generation, &chosen).await?;
    }

    let columns = request.fields.unwrap_or_default();
    let mut table = Table::new(format, columns, generation.manifest.built_at)?;
    let mut sources = Sources::default();
    let screened = state.screened.current().await;
    let records = generation.records().await?.of_companies(uids);
    let mut records = std::pin::pin!(records);
    while let Some(batch) = records.try_next().await.map_err(generations::Unavailable::from)? {
        for record in batch.records() {
            let company = record.and_then(|it| Ok(it.company()?));
            let mut company = company.map_err(generations::Unavailable::from)?;
            screened.fill(&mut company);
            sources.add(&company);
            table.push(&company, narrowing_member)?;
        }
    }
    let about = about(&filter, &generation, total, sources);
    let file = tokio::task::spawn_blocking(move || table.finish(&about));
    let file = file.await??;
    let headers = [
        (CONTENT_TYPE, format.media_type()),
        (CONTENT_DISPOSITION, format.disposition()),
        (VARY, ACCEPT.as_str()),
    ];
    Ok((generation.header(), headers, file).into_response())
}

/// The filters, including the chosen companies.
fn with_uids(mut filter: SearchParams, uids: Option<&[Uid]>) -> Result<SearchParams, Problem> {
    let Some(uids) = uids else { return Ok(filter) };
    let uids: Vec<String> = uids.iter().map(ToString::to_string).collect();
    if filter.contains("uids") {
        return Err(Problem::invalid("filter", GivenInFilterAndBody));
    }
    filter.0.insert("uids".to_owned(), Value::String(uids.join(",")));
    Ok(filter)
}

/// The sources of the exported records, each with the date of its newest statement.
#[derive(Default)]
struct Sources(BTreeMap<String, Option<Date>>);

impl Sources {
    fn add(&mut self, company: &Company) {
        for source in &company.sources {
            let newest = match self.0.get_mut(&source.source) {
                Some(newest) => newest,
                None => self.0.entry(source.source.clone()).or_default(),
            };
            *newest = (*newest).max(source.date);
        }
    }
}

/// The second sheet of a workbook.
fn about(
    filter: &SearchParams,
    generation: &Generation,
    companies: u64,
    sources: Sources,
) -> Vec<(String, String)> {
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let manifest = &generation.manifest;
    let line = |label: &str, text: String| (label.to_owned(), text);
    let mut lines = vec![
        line("Companies", companies.to_string()),
        line("Generation of the register", manifest.id.clone()),
        line("Data as of", manifest.built_at.to_string()),
    ];
    lines.extend(
        filter.0.iter().map(|(name, value)| line(&format!("Filter `{name}`"), shown(value))),
    );
    lines.extend(sources.0.into_iter().map(|(source, newest)| {
        let newest = newest.map_or_else(String::new, |it| format!("newest statement: {it}"));
        (format!("Source `{source}`"), newest)
    }));
    lines
}
