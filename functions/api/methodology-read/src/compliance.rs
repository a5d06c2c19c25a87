//! Which legal obligations apply to a company.

use std::collections::{BTreeMap, BTreeSet};

use ::obligations::{
    Addressee, Answer, Applied, AppliedTo, CATALOGUE, Catalogue, DeonticOperator, Jurisdiction,
    LegalStatus, Obligation, Reason, Regulation, RegulationKind, Rule, Scope, scope,
};
use axum::{Json, extract::State, response::IntoResponse};
use company_reader::scope::ScopeSubject;
use domain::Uid;
use http_service::{AsOf, CompanyPath, Description, Path, Query, Routes, handler, reads};
use jiff::civil::Date;
use problem_details::Problem;
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::obligations::ComplianceControl;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(10), handler!(compliance_scope))
}

/// Which legal obligations apply to a company on a day, and why.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ComplianceScope {
    /// Company number.
    company_uid: Uid,
    /// Name of the company.
    company_name: String,
    /// Day for which the company and the law are assessed.
    as_of: Date,
    /// Jurisdictions of the regulations: `ch`, `intl`.
    jurisdictions: Vec<&'static str>,
    /// Numbers of entries in `regulations`.
    totals: ComplianceTotals,
    /// Regulations, with those of their obligations that apply or may apply.
    regulations: Vec<ComplianceRegulation>,
    /// Obligations in force that do not apply, with the reasons.
    not_applicable: Vec<NotApplicable>,
    /// What the answer does not contain, in English.
    coverage_note: String,
}

/// Numbers of entries in a scope. A control or kind of evidence that serves several obligations counts once.
#[derive(Serialize, ToSchema)]
struct ComplianceTotals {
    /// Number of regulations.
    regulations: usize,
    /// Number of articles.
    articles: usize,
    /// Number of obligations.
    obligations: usize,
    /// Number of different controls.
    controls: usize,
    /// Number of different kinds of evidence.
    evidence: usize,
}

/// A regulation, with those of its obligations that apply or may apply.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ComplianceRegulation {
    /// Short name.
    #[schema(example = "CO")]
    id: &'static str,
    /// Title.
    title: String,
    /// Who issued it.
    jurisdiction: Jurisdiction,
    /// Kind of regulation.
    regulation_type: RegulationKind,
    /// State on the day.
    status: LegalStatus,
    /// URL of its text. Absent if we know none.
    source_url: Option<&'static str>,
    /// First day in force. Absent if it is not known.
    effective_date: Option<Date>,
    /// Whether `effectiveDate` was confirmed in the text of the regulation.
    verified: bool,
    /// Its articles.
    articles: Vec<ComplianceArticle>,
    /// Obligations without an article: always empty.
    unassigned_obligations: [ComplianceObligation; 0],
}

/// An article, with those of its obligations that apply or may apply.
#[derive(Serialize, ToSchema)]
struct ComplianceArticle {
    /// Id: that of the regulation and the article.
    #[schema(example = "CO Art. 727")]
    id: String,
    /// Number of the article in the regulation.
    #[schema(example = "Art. 727")]
    number: &'static str,
    /// What it says, in our words.
    title: &'static str,
    /// What it says on the day, in our words. This is not the text of the law.
    body: &'static str,
    /// Its obligations.
    obligations: Vec<ComplianceObligation>,
}

/// Whether an obligation applies: `applies`, or `unclear` if the sources do not show it.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Applicability {
    /// It applies.
    Applies,
    /// The sources do not show whether it applies.
    Unclear,
}

impl Applicability {
    fn of(is_certain: bool) -> Self {
        if is_certain { Self::Applies } else { Self::Unclear }
    }
}

/// An obligation that applies to the company or to others because of it, or may apply.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ComplianceObligation {
    /// Id. `GET /v1/methodology/obligations/{id}` has all versions.
    #[schema(example = "co-727")]
    id: &'static str,
    /// Article.
    #[schema(example = "Art. 727")]
    article: &'static str,
    /// Kind of provision.
    deontic_operator: DeonticOperator,
    /// What it says, in one sentence of ours.
    excerpt: &'static str,
    /// What is required on the day, in our words. This is not the text of the law.
    full_text: &'static str,
    /// Whether article, content and dates were confirmed in the text of the regulation.
    verified: bool,
    /// Whether it applies to someone.
    applicability: Applicability,
    /// To whom it applies, and why.
    applications: Vec<ComplianceApplication>,
    /// Controls by which it can be met. Our suggestions.
    controls: Vec<ComplianceControl>,
}

/// To whom an obligation applies, and why.
#[derive(Serialize, ToSchema)]
struct ComplianceApplication {
    /// Who has to act.
    addressee: Addressee,
    /// Rule that decides whether the obligation applies.
    rule: Rule,
    /// Whether it applies to this addressee.
    applicability: Applicability,
    /// Why, or what is missing to decide.
    reasons: Vec<Reason>,
}

/// An obligation in force that does not apply.
#[derive(Serialize, ToSchema)]
struct NotApplicable {
    /// Id of the obligation.
    id: &'static str,
    /// Why.
    reasons: Vec<Reason>,
}

const COVERAGE: &str = "A selection of Swiss law on identification, ownership, accounts, audit, register, sanctions and data \
    protection, in our words; no legal advice. Turnover, balance sheet total and full-time positions are known only from annual \
    reports. Whether shares are listed is known only from disclosed shareholdings; outstanding bonds, duties to prepare \
    consolidated accounts, membership in a self-regulatory organisation and the kind of a foundation are not known. Not covered, \
    among others: taxes and social insurance, labour law, the laws on supervision apart from money laundering (FINMA, casinos, \
    occupational pensions), the duties of listed companies on remuneration and on the representation of the sexes, due diligence \
    on conflict minerals and child labour, cantonal and foreign law. Of a deleted company, only the retention of its books is \
    covered.";

fn coverage_note(day: Date) -> String {
    let since = Catalogue::COVERED_SINCE;
    match day < since {
        true => {
            format!("{COVERAGE} Before {since}, former versions of some provisions are missing.")
        }
        false => COVERAGE.to_owned(),
    }
}

impl From<AppliedTo> for ComplianceApplication {
    fn from(it: AppliedTo) -> Self {
        let AppliedTo { addressee, rule, answer, reasons } = it;
        let applicability = Applicability::of(answer == Answer::Yes);
        Self { addressee, rule, applicability, reasons }
    }
}

impl From<Applied> for ComplianceObligation {
    fn from(it: Applied) -> Self {
        let applicability = Applicability::of(it.is_certain());
        let Applied { obligation, version, to } = it;
        Self {
            id: &obligation.id,
            article: &obligation.article,
            deontic_operator: obligation.deontic_operator,
            excerpt: &obligation.excerpt,
            full_text: &version.text,
            verified: version.is_verified(),
            applicability,
            applications: to.into_iter().map(Into::into).collect(),
            controls: ComplianceControl::all(obligation),
        }
    }
}

impl ComplianceRegulation {
    fn of(regulation: &'static Regulation, articles: Vec<ComplianceArticle>, day: Date) -> Self {
        Self {
            id: &regulation.id,
            title: regulation.full_title(),
            jurisdiction: regulation.jurisdiction,
            regulation_type: regulation.kind,
            status: regulation.status(day),
            source_url: regulation.source_url.as_deref(),
            effective_date: regulation.in_force_since,
            verified: regulation.verified,
            articles,
            unassigned_obligations: [],
        }
    }
}

/// The obligations by regulation and article, in the order of the catalogue.
fn by_regulation(applied: Vec<Applied>, day: Date) -> Vec<ComplianceRegulation> {
    let mut of_regulation: BTreeMap<&str, Vec<Applied>> = BTreeMap::new();
    for it in applied {
        of_regulation.entry(&it.obligation.regulation).or_default().push(it);
    }
    let regulation = |it: &'static Regulation| {
        let applied = of_regulation.remove(it.id.as_str())?;
        Some(ComplianceRegulation::of(it, by_article(applied), day))
    };
    CATALOGUE.regulations.iter().filter_map(regulation).collect()
}

/// The obligations of one regulation by article, in the order of the catalogue.
fn by_article(applied: Vec<Applied>) -> Vec<ComplianceArticle> {
    let mut articles: Vec<ComplianceArticle> = Vec::new();
    for it in applied {
        let Obligation { regulation, article, excerpt, .. } = it.obligation;
        match articles.iter_mut().find(|it| it.number == article) {
            Some(known) => known.obligations.push(it.into()),
            None => articles.push(ComplianceArticle {
                id: format!("{regulation} {article}"),
                number: article,
                title: excerpt,
                body: &it.version.text,
                obligations: vec![it.into()],
            }),
        }
    }
    articles
}

fn totals(regulations: &[ComplianceRegulation]) -> ComplianceTotals {
    let articles = || regulations.iter().flat_map(|it| &it.articles);
    let obligations = || articles().flat_map(|it| &it.obligations);
    let controls = || obligations().flat_map(|it| &it.controls);
    let evidence = controls().flat_map(|it| &it.evidence).map(|it| it.id.as_str());
    ComplianceTotals {
        regulations: regulations.len(),
        articles: articles().count(),
        obligations: obligations().count(),
        controls: controls().map(|it| it.id).collect::<BTreeSet<_>>().len(),
        evidence: evidence.collect::<BTreeSet<_>>().len(),
    }
}

/// Get a company's legal obligations
///
/// The provisions in force on a day that apply to the company, or to others because of it (its bank, its holders, its
/// auditor), with the reasons: legal form, size, waiver of the audit, licence, listing, industry, address, defects, liquidation and
/// bankruptcy. Where the sources do not show whether a provision applies, it is listed as `unclear`, with what is missing: for
/// example, the register does not state whether shares are listed. `GET
/// /v1/methodology/obligations` is the whole catalogue. The list is a selection and not legal advice.
#[utoipa::path(
    get,
    path = "/v1/compliance/scope/{uid}",
    tag = "Compliance",
    params(CompanyPath, AsOf),
    responses((status = OK, body = ComplianceScope)),
)]
async fn compliance_scope(
    State(state): State<crate::State>,
    Path(CompanyPath { uid }): Path<CompanyPath>,
    Query(AsOf { as_of }): Query<AsOf>,
) -> Result<impl IntoResponse, Problem> {
    let generation = state.generations.serving().await?;
    let subject = ScopeSubject::read(&state.sources(), &generation, uid, as_of).await?;
    let Scope { applied, excluded } = scope(&subject.profile());
    let regulations = by_regulation(applied, subject.day);
    let jurisdictions: BTreeSet<Jurisdiction> =
        regulations.iter().map(|it| it.jurisdiction).collect();
    let not_applicable =
        excluded.into_iter().map(|(it, reasons)| NotApplicable { id: &it.id, reasons });
    Ok(Json(ComplianceScope {
        company_uid: uid,
        as_of: subject.day,
        jurisdictions: jurisdictions.into_iter().map(Jurisdiction::name).collect(),
        totals: totals(&regulations),
        regulations,
        not_applicable: not_applicable.collect(),
        coverage_note: coverage_note(subject.day),
        company_name: subject.subject.company.name,
    }))
}
