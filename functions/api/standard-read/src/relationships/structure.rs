use axum::{Json, extract::State, response::IntoResponse};
use company_reader::known_company_with;
use domain::{
    Provenance, Source, Uid,
    company::{ParentException, QuotaHolder},
    relationships::{CompanyRelation, Relation},
};
use http_service::{CompanyPath, NoParameters, Path, Query};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{
    MERGERS, proven_relatives,
    shareholders::{SignificantShareholder, significant_shareholders},
};

/// Offices, mergers, owners and significant shareholders of a company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CorporateStructure {
    /// Date of the deletion of the company from the register: its relationships are the last known ones. Absent if it is not
    /// deleted.
    deletion_date: Option<Date>,
    /// Head office. Empty if the company is not a branch office.
    head_offices: Vec<RelatedCompany>,
    /// Branch offices.
    branch_offices: Vec<RelatedCompany>,
    /// Companies that this company acquired by merger.
    acquisitions: Vec<RelatedCompany>,
    /// Companies that acquired this company by merger.
    acquired_by: Vec<RelatedCompany>,
    /// Partners of this limited liability company with their shares, the largest first; at most 50. Empty for other legal
    /// forms, and if none are known.
    quota_holders: Vec<QuotaHolder>,
    /// Number of partners with shares. Absent if none are known.
    quota_holder_count: Option<u32>,
    /// Reasons that the company reported to GLEIF, the Global LEI Index, for naming no direct or ultimate parent. Empty if it
    /// reported none.
    parent_exceptions: Vec<ParentException>,
    /// Limited liability companies of which this company is a partner.
    participations: Vec<RelatedCompany>,
    /// Significant shareholders of a listed company: the latest disclosure of each holder, largest voting share
    /// first. Holders that fell below a threshold come last.
    significant_shareholders: Vec<SignificantShareholder>,
    /// Whether offices or mergers were left out because the company has more than 500 related companies.
    truncated: bool,
}

/// A related company.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RelatedCompany {
    /// Company number. Absent for a company that is not in the register.
    uid: Option<Uid>,
    /// Current name, or the published name if the company is not in the register.
    name: String,
    /// Share of the related company's nominal capital that the requested company holds, in percent. Only for
    /// `participations`; absent if unknown.
    percentage: Option<f64>,
    /// Date of the deletion of the related company from the register. Absent if it is not deleted.
    deletion_date: Option<Date>,
    /// Source of the relationship. Absent if unknown.
    source: Option<Provenance>,
}

/// Get a company's corporate structure
///
/// Returns head office, branch offices and mergers of a company, from the register entries of the company and of the
/// related companies. Companies deleted from the register are included. For limited liability companies, the response
/// also contains the partners with their shares, which are public; for listed companies, the significant shareholders.
#[utoipa::path(
    get,
    path = "/v1/companies/{uid}/structure",
    tag = "Relationships",
    params(CompanyPath),
    responses((status = OK, body = CorporateStructure)),
)]
pub(super) async fn structure(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<impl IntoResponse, Problem> {
    let (company, history) = known_company_with(&state.registry, uid, MERGERS).await?;
    let generation = state.generations.serving().await?;
    let relatives = proven_relatives(&state, &generation, &company, &history).await?;
    let of_kind = |relation: Relation| {
        let of_relation = relatives.relations.iter().filter(|it| it.relation == relation).cloned();
        let company = |CompanyRelation { uid, name, percentage, source, .. }| {
            let mut records = relatives.records.iter();
            let record = records.find(|it| Some(it.uid) == uid);
            let deletion_date = record.and_then(|it| it.deletion_date);
            RelatedCompany { uid, name, percentage, deletion_date, source }
        };
        of_relation.map(company).collect()
    };
    let reports = state.registry.facts_of(uid, Source::Six).await?;
    let structure = CorporateStructure {
        deletion_date: company.deletion_date,
        head_offices: of_kind(Relation::HeadOffice),
        branch_offices: of_kind(Relation::BranchOffice),
        acquisitions: of_kind(Relation::Acquired),
        acquired_by: of_kind(Relation::Acquirer),
        quota_holders: company.quota_holders.clone(),
        quota_holder_count: company.quota_holder_count,
        parent_exceptions: company.parent_exceptions.clone(),
        participations: of_kind(Relation::Participation),
        significant_shareholders: significant_shareholders(&reports),
        truncated: relatives.truncated,
    };
    Ok((generation.header(), Json(structure)))
}
