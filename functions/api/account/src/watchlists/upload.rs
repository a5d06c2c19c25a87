//! Adding the companies of a file to a watchlist.

use std::collections::HashSet;

use access::{RateGroup, Tier};
use axum::{Json as JsonResponse, extract::State};
use domain::Uid;
use http_service::{
    Description, NoParameters, Query, ResourceId, Routes, Tenant, Upload, handler, writes,
};
use problem_details::Problem;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    companies::{MAX_ADDED, add, companies},
    listed, numbers,
};

pub(super) fn routes<D: Description>() -> Routes<crate::State, D> {
    let access = writes(10).counted_in(RateGroup::Bulk).from_tier(Tier::Enterprise).with_file();
    Routes::new().route(access, handler!(bulk_add_to_watchlist))
}

/// Longest part of a cell in an answer, in characters.
const SHOWN: usize = 50;

#[derive(Debug, thiserror::Error)]
#[error("must have 1 to {MAX_ADDED} lines with company numbers; got {0}")]
struct WrongLength(usize);

/// A file with company numbers.
#[derive(ToSchema)]
#[expect(dead_code, reason = "utoipa reads only its attributes")]
struct WatchlistFile {
    /// Text with one company a line.
    #[schema(value_type = String, format = Binary, example = "CHE-105.909.036\nCHE-101.049.653\n")]
    file: Vec<u8>,
}

/// Result of adding the companies of a file to a watchlist.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AddedLines {
    /// Number of companies that the watchlist did not contain before.
    added: usize,
    /// Number of lines that added no company.
    skipped: usize,
    /// Texts in place of the company number, one for each of `skippedLines`.
    skipped_uids: Vec<String>,
    /// Lines that added no company, each with the reason.
    skipped_lines: Vec<SkippedLine>,
}

/// A line of a file that added no company.
#[derive(Serialize, ToSchema)]
struct SkippedLine {
    /// Number of the line in the file. The first line is 1.
    #[schema(example = 3)]
    line: u64,
    /// The text in the place of the number.
    #[schema(example = "CHE-999.999.996")]
    text: String,
    /// Why the line added no company.
    reason: WhySkipped,
}

/// Why a line added no company: `not_a_number` (the text is not a company number), `not_registered` (no such company is
/// in the commercial register), `repeated` (an earlier line has the same company) or `already_listed` (the watchlist
/// contained the company already).
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WhySkipped {
    /// The text is not a company number (UID).
    NotANumber,
    /// No such company is in the commercial register.
    NotRegistered,
    /// An earlier line has the same company.
    Repeated,
    /// The watchlist contained the company already.
    AlreadyListed,
}

/// Add companies from a file
///
/// The file is a CSV file with one company a line, as spreadsheet programs write it: 1 to 1,000 lines. Columns are
/// separated by commas, semicolons or tabs. A first line without digits that names a column, as `UID`, `Name` or
/// `Firma`, is its header. Company numbers are read from the column `UID`, `IDE` or `IDI`; if there is none, from the
/// first column that contains a company number. Lines without a known company are skipped and reported; the others are
/// added. A watchlist can have 5,000 companies.
#[utoipa::path(
    post,
    path = "/v1/bulk/watchlist/{id}",
    tag = "Watchlists",
    params(("id" = Uuid, Path, description = "Id of the watchlist.", example = "0199c0de-0040-7000-8000-000000000000")),
    request_body(content = WatchlistFile, content_type = "multipart/form-data"),
    responses((status = OK, body = AddedLines)),
)]
async fn bulk_add_to_watchlist(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ResourceId(id): ResourceId,
    Query(NoParameters {}): Query<NoParameters>,
    Upload(file): Upload,
) -> Result<JsonResponse<AddedLines>, Problem> {
    let lines = numbers::read(&file).map_err(|failure| Problem::invalid("file", failure))?;
    if !(1..=MAX_ADDED).contains(&lines.len()) {
        return Err(Problem::invalid("file", WrongLength(lines.len())));
    }
    let listed: HashSet<Uid> = listed(&state, &team, &id).await?.into_iter().collect();
    let mut seen = HashSet::new();
    let mut different: Vec<Uid> = lines.iter().filter_map(|it| it.uid).collect();
    different.retain(|it| seen.insert(*it) && !listed.contains(it));
    let registered = companies(&state.registry, &different).await?;
    let mut new = HashSet::new();
    let mut skipped_lines = Vec::new();
    for line in &lines {
        let reason = match line.uid {
            None => Some(WhySkipped::NotANumber),
            Some(uid) if listed.contains(&uid) => Some(WhySkipped::AlreadyListed),
            Some(uid) if !registered.contains_key(&uid) => Some(WhySkipped::NotRegistered),
            Some(uid) => (!new.insert(uid)).then_some(WhySkipped::Repeated),
        };
        let text = || line.cell.chars().take(SHOWN).collect();
        skipped_lines.extend(reason.map(|reason| SkippedLine {
            line: line.number,
            text: text(),
            reason,
        }));
    }
    different.retain(|it| new.contains(it));
    let added = add(&state, &team, &caller, &id, listed.len(), different).await?;
    Ok(JsonResponse(AddedLines {
        added,
        skipped: skipped_lines.len(),
        skipped_uids: skipped_lines.iter().map(|it| it.text.clone()).collect(),
        skipped_lines,
    }))
}
