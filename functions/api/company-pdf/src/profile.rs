//! The profile of a company: a PDF file, or its data.

use access::{RateGroup, Tier};
use auth::Language;
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use company_reader::{known_company_with, owners::owners_of, risk::risk_of, subject::Subject};
use domain::{
    Uid,
    choice::{Choice, UnknownValue},
    history::tenures,
    search::Values,
};
use http::{
    HeaderMap,
    header::{ACCEPT, HeaderValue, VARY},
};
use http_service::{
    CompanyPath, Description, Path, PreferredLanguage, Query, Routes, Tenant, accepts, handler,
    reads,
};
use problem_details::Problem;
use risk::Assessment;
use serde::Deserialize;
use store::Wanted;
use utoipa::{IntoParams, ToSchema};

use crate::{
    answer::{MAX_FORMER, PdfProfileResponse},
    document::{Document, MAX_CHANGES, MAX_PEOPLE, Profile, RiskAccess},
    files::{PDF, PdfFile, Template, pdf_headers},
    sections::{Section, Sections, WantedSection},
};

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(5).translated(), handler!(company_pdf))
        .route(reads(5).translated(), handler!(company_pdf_file))
}

/// A representation of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(as = ProfileFormat, rename_all = "lowercase")]
enum Format {
    /// The data.
    Json,
    /// The file.
    Pdf,
}

impl Format {
    /// The representation that the caller's program asks for. Clients that accept anything get the data, browsers the file.
    fn accepted(headers: &HeaderMap) -> Self {
        match accepts(headers, PDF) || accepts(headers, "text/html") {
            true => Self::Pdf,
            false => Self::Json,
        }
    }
}

impl TryFrom<String> for Format {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        let format = Choice::of("a representation of the profile");
        format.read(&given, [("json", Self::Json), ("pdf", Self::Pdf)])
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ProfileQuery {
    /// Sections, separated by commas; their order has no effect. Default: all.
    #[serde(default)]
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Section>>, max_items = 100, example = json!(["overview", "board"]))]
    sections: Values<WantedSection>,
    /// Representation. Default: `pdf` if the header `Accept` names `application/pdf` or, as browsers do, `text/html`, or else `json`.
    #[param(inline, value_type = Option<Format>, example = "json")]
    format: Option<Format>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FileQuery {
    /// Sections, separated by commas; their order has no effect. Default: all.
    #[serde(default)]
    #[param(inline, style = Form, explode = false, min_items = 1, value_type = Option<Vec<Section>>, max_items = 100, example = json!(["overview", "board"]))]
    sections: Values<WantedSection>,
}

/// Get a company's profile
///
/// The record, officers and signatories, changes and auditors of a company: as JSON, or as a PDF file, which also contains
/// a map and the risk assessment. The file is in German, French, Italian or English. The risk
/// assessment is that of `GET /v1/risk/v2/{uid}`; callers whose tier does not include it get a note instead.
///
/// Every page names the sources of the record and of the risk assessment, with their dates. Files are PDF/A-2a. A file shows at most 400 people, 100 changes and 50
/// auditors, and says how many it leaves out. Characters other than Latin, Greek and Cyrillic ones are transliterated.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/pdf",
    tag = "Companies",
    params(CompanyPath, ProfileQuery),
    responses((status = OK, content((PdfProfileResponse = "application/json"), (inline(PdfFile) = "application/pdf")))),
)]
async fn company_pdf(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(ProfileQuery { sections, format }): Query<ProfileQuery>,
    PreferredLanguage(language): PreferredLanguage,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let sections = Sections::chosen(sections.iter().copied());
    match format.unwrap_or_else(|| Format::accepted(&headers)) {
        Format::Json => {
            let profile = profile(&state, uid).await?;
            let answer = PdfProfileResponse::of(&profile, &sections, state.clock.now());
            Ok(([(VARY, ACCEPT.as_str())], Json(answer)).into_response())
        }
        Format::Pdf => {
            let mut response = file(&state, uid, tier(tenant), language, &sections).await?;
            response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
            Ok(response)
        }
    }
}

/// Download a company's profile
///
/// The PDF file of `GET /v1/companies/{uid}/pdf`, regardless of the header `Accept`.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/profile.pdf",
    tag = "Companies",
    params(CompanyPath, FileQuery),
    responses((status = OK, content((inline(PdfFile) = "application/pdf")))),
)]
async fn company_pdf_file(
    State(state): State<crate::State>,
    tenant: Option<Tenant>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(FileQuery { sections }): Query<FileQuery>,
    PreferredLanguage(language): PreferredLanguage,
) -> Result<Response, Problem> {
    let sections = Sections::chosen(sections.iter().copied());
    file(&state, uid, tier(tenant), language, &sections).await
}

fn tier(tenant: Option<Tenant>) -> Tier {
    tenant.map_or(Tier::Free, |it| it.caller.tier())
}

async fn file(
    state: &crate::State,
    uid: Uid,
    tier: Tier,
    language: Language,
    sections: &Sections,
) -> Result<Response, Problem> {
    let profile = profile(state, uid).await?;
    let is_included = tier >= RateGroup::MethodologyRead.lowest_tier();
    let assessment = match sections.contain(Section::Risk) && is_included {
        true => Some(risk(state, uid).await?),
        false => None,
    };
    let risk = assessment.as_ref().map_or(RiskAccess::Locked, RiskAccess::Assessed);
    let document = Document::of(&profile, language, sections, risk);
    let file = state
        .files
        .file(Template::Profile, &uid.to_string(), serde_json::to_value(document)?)
        .await?;
    Ok((pdf_headers(&format!("{uid}-profile.pdf"), language), file).into_response())
}

/// Reads what a profile contains.
async fn profile(state: &crate::State, uid: Uid) -> Result<Profile, Problem> {
    // One more than a document shows, so that it is known whether some are left out.
    let wanted = Wanted {
        board: MAX_PEOPLE + 1,
        former: MAX_FORMER,
        events: MAX_CHANGES + 1,
        mergers: false,
    };
    let (mut company, history) = known_company_with(&state.registry, uid, wanted).await?;
    state.screened.current().await.fill(&mut company);
    let mut total_people = history.current_mandates().count();
    let mut total_changes = history.newest_events(false).count();
    if total_people > MAX_PEOPLE || total_changes > MAX_CHANGES {
        let outline = state.registry.select_events(uid, |_, outline| {
            (Vec::new(), (outline.current_mandates, outline.newest_events(false).count()))
        });
        if let Some((_, (people, changes), _)) = outline.await? {
            (total_people, total_changes) = (total_people.max(people), total_changes.max(changes));
        }
    }
    let proof = company.register_source().cloned();
    let tenures = tenures(&company, &history, proof);
    let today = state.clock.today();
    Ok(Profile { company, history, tenures, total_people, total_changes, today })
}

/// The assessment of today.
async fn risk(state: &crate::State, uid: Uid) -> Result<Assessment, Problem> {
    let generation = state.generations.serving().await?;
    let sources = state.sources();
    let subject = Subject::read(&sources, uid, None).await?;
    let owners = owners_of(&sources, &generation, &subject, None).await?;
    risk_of(&sources, &generation, &subject, &owners, None).await
}
