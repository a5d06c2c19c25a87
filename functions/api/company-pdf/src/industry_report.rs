//! The report of an industry as a PDF file.

use access::RateGroup;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http_service::{
    Description, IndustryPath, NoParameters, Path, PreferredLanguage, Query, Routes, handler, reads,
};
use problem_details::Problem;

use crate::{
    document::IndustryDocument,
    files::{PdfFile, Template, pdf_headers},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    let access = reads(1).counted_in(RateGroup::StandardRead).translated();
    Routes::new().route(access, handler!(industry_report_file))
}

/// Download an industry report
///
/// The figures of `GET /v1/reports/industry/{industry}` as a PDF file in German, French, Italian or English: PDF/A-2a, with the
/// sources and the days from which they are complete on every page.
#[utoipa::path(
    get,
    path = "/v1/reports/industry/{industry}/report.pdf",
    tag = "Analytics",
    params(IndustryPath),
    responses((status = OK, content((inline(PdfFile) = "application/pdf")))),
)]
async fn industry_report_file(
    State(state): State<crate::State>,
    Path(path): Path<IndustryPath>,
    PreferredLanguage(language): PreferredLanguage,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<Response, Problem> {
    let industry = path.industry()?;
    let generation = state.generations.serving().await?;
    let today = state.clock.today();
    let reports = Box::pin(state.reports.of(&generation, today)).await?;
    let report = reports.of(industry);
    let companies = state.registry.companies(&report.top).await?;
    let manifest = &generation.manifest;
    let document = IndustryDocument::of(industry, report, &companies, manifest, today, language);
    let code = industry.code();
    let subject = format!("industry-{code}");
    let file =
        state.files.file(Template::Industry, &subject, serde_json::to_value(document)?).await?;
    let headers = pdf_headers(&format!("{code}-report.pdf"), language);
    Ok((generation.header(), headers, file).into_response())
}
