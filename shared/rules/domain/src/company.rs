//! The company record: what the register and the other public sources state about one company.

mod chid;
mod quality;
mod status;
mod status_reason;

use std::{collections::BTreeMap, str::FromStr};

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Amount, AuditorCategory, Canton, Isin, Lei, Provenance, Uid, auditors::Tenure, text};

pub use chid::chid;
pub use status::{CanonicalStatus, Status};
pub use status_reason::StatusReason;

/// A company. A field is absent if no source states it.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Company {
    /// Company number.
    pub uid: Uid,
    /// Registered name.
    #[schema(example = "Muster Maschinenbau AG")]
    pub name: String,
    /// Canton of the registered seat.
    pub canton: Option<Canton>,
    /// Status in the register.
    pub status: Option<Status>,
    /// Same as `status`, in plain words.
    pub status_canonical: Option<CanonicalStatus>,
    /// Reason for the status. Absent if no publication states it, and for an active company without a moratorium.
    pub status_reason: Option<StatusReason>,
    /// German name of the legal form.
    #[schema(example = "Aktiengesellschaft")]
    pub legal_form: Option<String>,
    /// Code of the legal form in eCH-0097, the Swiss standard for codes of legal forms: four digits.
    #[schema(example = "0106")]
    pub legal_form_code: Option<String>,
    /// Nominal capital, in units of `currency`.
    pub share_capital: Option<Amount>,
    /// Currency of the capital: ISO 4217 code.
    #[schema(example = "CHF")]
    pub currency: Option<String>,
    /// Purpose, as registered, in the language of the register office.
    pub purpose: Option<String>,
    /// Date of foundation: that of the first articles of association or, if no publication states it, the date of creation in the
    /// Global LEI Index (GLEIF). Later articles are changes of the type `statutes_change`.
    pub founding_date: Option<Date>,
    /// Date of the first entry in the register.
    pub registration_date: Option<Date>,
    /// Date of the deletion from the register. Absent while the company is registered.
    pub deletion_date: Option<Date>,
    /// Municipality of the registered seat.
    pub legal_seat: Option<String>,
    /// Municipality number of the registered seat at the Federal Statistical Office.
    pub legal_seat_id: Option<u32>,
    /// Municipality. Equal to `legalSeat` if no source states another.
    pub municipality: Option<String>,
    /// Name of the source of the basic data, as in `Provenance.source`.
    #[schema(example = "zefix")]
    pub data_source: Option<String>,
    /// Whether the record contains data that does not come from the register.
    pub enrichment_level: Option<EnrichmentLevel>,
    /// Care-of line of the address (c/o).
    pub address_care_of: Option<String>,
    /// Street.
    pub address_street: Option<String>,
    /// House number.
    pub address_house_number: Option<String>,
    /// Additional address line.
    pub address_addon: Option<String>,
    /// PO box.
    pub address_po_box: Option<String>,
    /// Postal code.
    pub address_zip_code: Option<String>,
    /// Town of the address.
    pub address_city: Option<String>,
    /// Canton of the address.
    pub address_canton: Option<Canton>,
    /// URL of the website.
    pub website: Option<String>,
    /// English name of the NOGA 2008 division. NOGA is the Swiss classification of economic activities, based on
    /// the European NACE.
    pub industry: Option<String>,
    /// English name of the NOGA 2008 class. Absent if only the division is known.
    pub sub_industry: Option<String>,
    /// NOGA 2008 code, with as many digits as are known: two to six.
    #[schema(example = "620100")]
    pub noga_code: Option<String>,
    /// Source of the classification: `keyword_match` if it is derived from the words of the purpose, or
    /// the name of a source.
    pub industry_source: Option<String>,
    /// Confidence of the classification, 0 to 1.
    pub industry_confidence: Option<f64>,
    /// Date of the newest statement in the classified record, at midnight UTC. Absent if unknown.
    pub industry_classified_at: Option<Timestamp>,
    /// Number of employees, from the latest annual report that states it.
    pub employee_count: Option<u32>,
    /// Name of the current auditor.
    pub auditor_name: Option<String>,
    /// Company number of the current auditor.
    pub auditor_uid: Option<Uid>,
    /// Category of the current auditor, or `None` if the company has none because of `auditorOptOut`.
    pub auditor_category: Option<AuditorCategory>,
    /// Whether the register states that the company waived the limited audit, which Swiss law allows for companies with up to ten
    /// full-time positions, or that the supervisory authority exempted the foundation from having an auditor.
    pub auditor_opt_out: Option<bool>,
    /// Name of the source of the auditor, as in `Provenance.source`.
    pub auditor_source: Option<String>,
    /// Latitude in degrees, WGS 84.
    pub latitude: Option<f64>,
    /// Longitude in degrees, WGS 84.
    pub longitude: Option<f64>,
    /// What the coordinates refer to.
    pub geo_precision: Option<GeoPrecision>,
    /// Whether a list of sanctions (SECO, OpenSanctions) has an entry with the same rare name as the company, or with one of its
    /// numbers: risk level `high` or `critical`. Names that are less similar are found by `POST /v1/screening`. Absent before the
    /// company was screened, and for past states.
    pub sanctions_hit: Option<bool>,
    /// Time of the last screening against lists of sanctions. All companies are screened when a list or the register
    /// changes. A result is confirmed without a new comparison if neither the names of the company, its officers and
    /// its parents nor the relevant entries changed. Absent if `sanctionsHit` is absent.
    pub last_screened_at: Option<Timestamp>,
    /// Whether the Swiss Financial Market Supervisory Authority (FINMA) has authorised the company.
    pub is_finma_regulated: Option<bool>,
    /// Internal number of the company in the register.
    pub ehraid: Option<u64>,
    /// Company number used before 2014, in the form `CH-020.3.000.000-0`.
    pub chid: Option<String>,
    /// Number of the responsible register office.
    pub registry_of_commerce_id: Option<u32>,
    /// URL of the excerpt from the cantonal register.
    pub cantonal_excerpt_url: Option<String>,
    /// Former names.
    pub old_names: Option<Vec<String>>,
    /// Name in other languages.
    pub translations: Option<Vec<String>>,
    /// Legal entity identifier (LEI).
    #[serde(default, deserialize_with = "valid_or_none")]
    #[schema(value_type = Option<String>)]
    pub lei: Option<Lei>,
    /// D-U-N-S number. Not filled yet.
    pub duns: Option<String>,
    /// International securities identification number (ISIN).
    #[serde(default, deserialize_with = "valid_or_none")]
    #[schema(value_type = Option<String>)]
    pub isin: Option<Isin>,
    /// LEI of the direct parent, as reported to GLEIF.
    #[serde(default, deserialize_with = "valid_or_none")]
    #[schema(value_type = Option<String>)]
    pub direct_parent_lei: Option<Lei>,
    /// LEI of the ultimate parent, as reported to GLEIF.
    #[serde(default, deserialize_with = "valid_or_none")]
    #[schema(value_type = Option<String>)]
    pub ultimate_parent_lei: Option<Lei>,
    /// Name of the ultimate parent.
    pub ultimate_parent_name: Option<String>,
    /// Share of this company that the direct parent holds, in percent, as reported to GLEIF. Absent if it is not reported.
    #[serde(default)]
    pub direct_parent_percentage: Option<f64>,
    /// Reasons that the company reported to GLEIF for naming no parent. Absent if it reported none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parent_exceptions: Vec<ParentException>,
    /// Time at which the parents were taken from GLEIF.
    pub gleif_parent_enriched_at: Option<Timestamp>,
    /// Number of the company that acquired this one. Only present if this company is deleted.
    pub superseded_by: Option<Uid>,
    /// Completeness of the record, 0 to 1: the weighted share of 20 fields that are filled. Name, status,
    /// canton and legal form weigh most.
    pub data_quality_score: Option<f64>,
    /// Companies linked to this one by the register or by the Global LEI Index (GLEIF). Absent if none is known;
    /// on a past day, some may not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affiliations: Vec<Affiliation>,
    /// Current partners of a limited liability company, with their shares, the largest first; at most 50. The
    /// shares of such a company are called quotas. Absent for other legal forms, and if none are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quota_holders: Vec<QuotaHolder>,
    /// Number of current partners with shares. Higher than the length of `quotaHolders` if that is not complete.
    #[serde(default)]
    pub quota_holder_count: Option<u32>,
    /// Sources of this record, with their dates. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Provenance>,
    /// Date of the newest statement about the company, at midnight UTC.
    pub updated_at: Option<Timestamp>,
}

/// A company that the register or GLEIF links to another.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Affiliation {
    /// Relation between the two companies.
    pub kind: AffiliationKind,
    /// Number of the other company. Absent if the source states only its name.
    pub uid: Option<Uid>,
    /// Name of the other company.
    pub name: String,
}

/// The reasons for which a company reports no parent to GLEIF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParentException {
    /// The parent that is not reported.
    pub parent: ParentLevel,
    /// Codes of GLEIF: `NATURAL_PERSONS` (natural persons control the company), `NON_CONSOLIDATING` (no parent has to
    /// consolidate it), `NO_KNOWN_PERSON`, `NO_LEI` (the parent has no LEI), `NON_PUBLIC`, and others.
    pub reasons: Vec<String>,
}

/// Parent of a company: `direct`, or `ultimate` (the highest one).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParentLevel {
    /// The direct parent.
    Direct,
    /// The highest parent.
    Ultimate,
}

/// A partner of a limited liability company, and the shares that it holds.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuotaHolder {
    /// Id of the person, or of the company among the persons of the register.
    pub person_id: Uuid,
    /// Whether the holder is a person or a company.
    pub kind: HolderKind,
    /// Name of the person or company, as published.
    pub name: String,
    /// Company number. Absent for persons, and for companies that are published without a number.
    pub uid: Option<Uid>,
    /// Number of shares. Absent if it is not published.
    pub count: Option<u64>,
    /// Nominal value of one share, in units of `currency`. Absent if it is not published, or if the shares have different
    /// values.
    pub nominal_value: Option<Amount>,
    /// Nominal value of all shares, in units of `currency`. Absent if it is not published.
    pub total: Option<Amount>,
    /// Currency of the values: ISO 4217 code.
    #[schema(example = "CHF")]
    pub currency: Option<String>,
    /// Share of the nominal capital, in percent: `total` divided by the capital of the same day. Absent if one of them is
    /// unknown, or if the published shares exceed the capital.
    #[schema(example = 50.0)]
    pub percentage: Option<f64>,
    /// Publication date since which the holder has had exactly these shares. Absent if no known publication states it.
    pub since: Option<Date>,
    /// Confidence that the shares belong to this person, 0 to 1.
    pub confidence: f64,
    /// Publication that states the shares.
    pub source: Provenance,
}

/// Whether a partner is a person or a company.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HolderKind {
    /// A natural person.
    Person,
    /// A company or another organisation.
    Company,
}

/// `registry`: all data of the record comes from the commercial register. `enriched`: the record also contains an
/// industry, an LEI, coordinates, a number of employees, a website or a licence of FINMA, which the register does not
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnrichmentLevel {
    /// Data of the register only.
    Registry,
    /// Data of other sources too.
    Enriched,
}

/// What coordinates refer to. `locality`: centre of the locality of the address. `commune`: centre of a
/// locality in the municipality, usually the one with the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GeoPrecision {
    /// Centre of the locality of the address.
    Locality,
    /// Centre of the locality after which the municipality is named, or of another of its localities.
    Commune,
}

/// Relation between two companies. `has_taken_over`: this company acquired the other. `was_taken_over_by`:
/// the other acquired this one. `audited_by`: the other is the auditor of this one. `head_office` and
/// `further_head_office`: the other is a head office of this branch. `branch_office`: the other is a branch
/// of this company. `consolidated_by`: the other, which is abroad, is the direct parent of this one. `consolidates`: the
/// other, which is abroad, is a direct subsidiary of this one. The last two come from the Global LEI Index (GLEIF).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AffiliationKind {
    /// Head office of this branch.
    HeadOffice,
    /// Further head office of this branch.
    FurtherHeadOffice,
    /// Branch office of this company.
    BranchOffice,
    /// This company acquired the other.
    HasTakenOver,
    /// The other acquired this company.
    WasTakenOverBy,
    /// Auditor of this company.
    AuditedBy,
    /// Direct parent of this company, as this company reported to GLEIF. Companies abroad only: parents
    /// in the register are found by their LEI.
    ConsolidatedBy,
    /// Direct subsidiary of this company, as the subsidiary reported to GLEIF. Companies abroad only.
    Consolidates,
}

/// Reads an identifier of a stored record. The readers of the sources store valid ones only; if a record
/// contains a malformed one nevertheless, the member is absent and the rest of the record stays readable.
fn valid_or_none<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
{
    let stored = Option::<String>::deserialize(deserializer)?;
    Ok(stored.and_then(|it| it.parse().ok()))
}

impl Company {
    /// A record with a number and a name only.
    pub fn new(uid: Uid, name: impl Into<String>) -> Self {
        Self {
            uid,
            name: name.into(),
            canton: None,
            status: None,
            status_canonical: None,
            status_reason: None,
            legal_form: None,
            legal_form_code: None,
            share_capital: None,
            currency: None,
            purpose: None,
            founding_date: None,
            registration_date: None,
            deletion_date: None,
            legal_seat: None,
            legal_seat_id: None,
            municipality: None,
            data_source: None,
            enrichment_level: None,
            address_care_of: None,
            address_street: None,
            address_house_number: None,
            address_addon: None,
            address_po_box: None,
            address_zip_code: None,
            address_city: None,
            address_canton: None,
            website: None,
            industry: None,
            sub_industry: None,
            noga_code: None,
            industry_source: None,
            industry_confidence: None,
            industry_classified_at: None,
            employee_count: None,
            auditor_name: None,
            auditor_uid: None,
            auditor_category: None,
            auditor_opt_out: None,
            auditor_source: None,
            latitude: None,
            longitude: None,
            geo_precision: None,
            sanctions_hit: None,
            last_screened_at: None,
            is_finma_regulated: None,
            ehraid: None,
            chid: None,
            registry_of_commerce_id: None,
            cantonal_excerpt_url: None,
            old_names: None,
            translations: None,
            lei: None,
            duns: None,
            isin: None,
            direct_parent_lei: None,
            ultimate_parent_lei: None,
            ultimate_parent_name: None,
            direct_parent_percentage: None,
            parent_exceptions: Vec::new(),
            gleif_parent_enriched_at: None,
            superseded_by: None,
            data_quality_score: None,
            affiliations: Vec::new(),
            quota_holders: Vec::new(),
            quota_holder_count: None,
            sources: Vec::new(),
            updated_at: None,
        }
    }

    /// Fills the members that are derived from others. Call it after all other members are set.
    #[must_use]
    pub fn completed(mut self) -> Self {
        self.status_canonical = self.status.map(Status::canonical);
        self.municipality = self.municipality.or_else(|| self.legal_seat.clone());
        // The category follows from the name alone. Without a name, only an opt-out gives a category.
        self.auditor_category = match (&self.auditor_name, self.auditor_opt_out) {
            (Some(name), _) => Some(AuditorCategory::of_firm(name)),
            (None, Some(true)) => Some(AuditorCategory::None),
            (None, _) => None,
        };
        let is_acquirer = |it: &&Affiliation| it.kind == AffiliationKind::WasTakenOverBy;
        self.superseded_by = match self.status {
            Some(Status::Cancelled) => {
                self.affiliations.iter().filter(is_acquirer).find_map(|it| it.uid)
            }
            _ => None,
        };
        self.enrichment_level = Some(match self.is_enriched() {
            true => EnrichmentLevel::Enriched,
            false => EnrichmentLevel::Registry,
        });
        self.data_quality_score = Some(quality::score(&self));
        self
    }

    /// Whether the auditor that the record names is the firm of a tenure.
    pub fn names_auditor_of(&self, tenure: &Tenure) -> bool {
        match (self.auditor_uid, tenure.auditor_uid) {
            (Some(one), Some(other)) => one == other,
            _ => {
                let name = self.auditor_name.as_deref().map(text::fold);
                name == Some(text::fold(&tenure.auditor_name))
            }
        }
    }

    /// The source of the register's part of the record. `None` if the record names none.
    pub fn register_source(&self) -> Option<&Provenance> {
        self.sources.iter().find(|it| it.is_of_register())
    }

    /// The source of a member, by its JSON name: its proof, or else the newest source of the record. `None` if neither
    /// is known.
    pub fn source_of<'a>(
        &'a self,
        member: &str,
        proofs: Option<&'a BTreeMap<String, Provenance>>,
    ) -> Option<&'a Provenance> {
        let proof = proofs.and_then(|it| it.get(member));
        proof.or_else(|| self.sources.iter().max_by_key(|it| it.date))
    }

    /// `dataSource` as provenance, for a record that names no sources.
    pub fn unreferenced_source(&self) -> Provenance {
        let source = self.data_source.clone().unwrap_or_default();
        Provenance { source, reference: None, date: None }
    }

    /// Whether a source other than the register filled a member.
    pub fn is_enriched(&self) -> bool {
        self.industry.is_some()
            || self.lei.is_some()
            || self.latitude.is_some()
            || self.employee_count.is_some()
            || self.website.is_some()
            || self.is_finma_regulated.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_record_serialises_number_and_name_only() {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        let json = serde_json::to_string(&Company::new(uid, "Muster AG")).expect("json");
        assert_eq!(json, r#"{"uid":"CHE-107.787.577","name":"Muster AG"}"#);
    }

    #[test]
    fn stored_record_with_malformed_identifier_is_readable_without_it() {
        let stored = serde_json::json!({
            "uid": "CHE-107.787.577", "name": "Muster AG", "lei": "506700GE1G29325QX363",
            "isin": "CH0012032047", "directParentLei": "unknown", "ultimateParentLei": null,
        });
        let company: Company = serde_json::from_value(stored).expect("a readable record");
        assert_eq!(company.lei, Some("506700GE1G29325QX363".parse().expect("valid")));
        assert_eq!((company.isin, company.direct_parent_lei), (None, None));
        assert_eq!(company.ultimate_parent_lei, None);
    }
}
