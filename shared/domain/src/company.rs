//! The company record: what the register and the other public sources say of one company today.

use std::{fmt, str::FromStr};

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{Amount, AuditorCategory, Canton, Uid, text};

/// Where a statement comes from.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The name of the source: `zefix`, `gazette`, `gleif`, `demo` …
    #[schema(example = "zefix")]
    pub source: String,
    /// What to look up there: a publication number, a record's address.
    pub reference: Option<String>,
    /// The day the source says this.
    pub date: Option<Date>,
}

/// What the register says of the life of a company.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Active,
    BeingCancelled,
    Cancelled,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Active, Self::BeingCancelled, Self::Cancelled];

    /// The register's word, as it is on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "ACTIVE",
            Self::BeingCancelled => "BEING_CANCELLED",
            Self::Cancelled => "CANCELLED",
        }
    }

    /// The plain word.
    pub fn canonical(self) -> CanonicalStatus {
        match self {
            Self::Active => CanonicalStatus::Active,
            Self::BeingCancelled => CanonicalStatus::InLiquidation,
            Self::Cancelled => CanonicalStatus::Deleted,
        }
    }
}

/// The plain word for a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CanonicalStatus {
    Active,
    InLiquidation,
    Deleted,
}

impl CanonicalStatus {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::InLiquidation => "in_liquidation",
            Self::Deleted => "deleted",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A status that a caller asks for, by the register's word or the plain one, folded.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct WantedStatus(pub Status);

/// Text that names no status.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{given}` is not a status; the nearest is `{nearest}`")]
pub struct UnknownStatus {
    given: String,
    nearest: &'static str,
}

impl FromStr for WantedStatus {
    type Err = UnknownStatus;

    fn from_str(given: &str) -> Result<Self, UnknownStatus> {
        let wanted = text::fold(given);
        let known = || {
            let words = |it: Status| [(it.name(), it), (it.canonical().name(), it)];
            let clients =
                [("dissolved", Status::Cancelled), ("in liquidation", Status::BeingCancelled)];
            Status::ALL.into_iter().flat_map(words).chain(clients)
        };
        match known().find(|(word, _)| text::fold(word) == wanted) {
            Some((_, status)) => Ok(Self(status)),
            None => Err(UnknownStatus {
                given: given.to_owned(),
                nearest: text::nearest(given, known()).unwrap_or(Status::Active).name(),
            }),
        }
    }
}

impl TryFrom<String> for WantedStatus {
    type Error = UnknownStatus;

    fn try_from(text: String) -> Result<Self, UnknownStatus> {
        text.parse()
    }
}

/// A company as the sources describe it. A member that no source fills is left out.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Company {
    pub uid: Uid,
    /// The registered name.
    #[schema(example = "Muster Maschinenbau AG")]
    pub name: String,
    pub canton: Option<Canton>,
    pub status: Option<Status>,
    /// The plain word for the status.
    pub status_canonical: Option<CanonicalStatus>,
    /// The German name of the legal form.
    #[schema(example = "Aktiengesellschaft")]
    pub legal_form: Option<String>,
    /// The eCH-0097 code of the legal form.
    #[schema(example = "0106")]
    pub legal_form_code: Option<String>,
    /// The nominal capital, in whole units of `currency`.
    pub share_capital: Option<Amount>,
    /// ISO 4217.
    #[schema(example = "CHF")]
    pub currency: Option<String>,
    pub purpose: Option<String>,
    /// The day of the statutes, where it is known.
    pub founding_date: Option<Date>,
    /// The day of the first entry in the register.
    pub registration_date: Option<Date>,
    pub deletion_date: Option<Date>,
    /// The commune of the registered seat.
    pub legal_seat: Option<String>,
    /// The number of that commune at the Federal Statistical Office.
    pub legal_seat_id: Option<u32>,
    pub municipality: Option<String>,
    /// The source that the base of this record comes from.
    #[schema(example = "zefix")]
    pub data_source: Option<String>,
    pub enrichment_level: Option<EnrichmentLevel>,
    pub address_care_of: Option<String>,
    pub address_street: Option<String>,
    pub address_house_number: Option<String>,
    pub address_addon: Option<String>,
    pub address_po_box: Option<String>,
    pub address_zip_code: Option<String>,
    pub address_city: Option<String>,
    pub address_canton: Option<Canton>,
    pub website: Option<String>,
    /// The NOGA 2008 division, in words.
    pub industry: Option<String>,
    /// The NOGA 2008 class, in words.
    pub sub_industry: Option<String>,
    /// The NOGA 2008 code, as many digits as are known.
    #[schema(example = "620100")]
    pub noga_code: Option<String>,
    pub industry_source: Option<String>,
    /// 0 to 1.
    pub industry_confidence: Option<f64>,
    pub industry_classified_at: Option<Timestamp>,
    pub employee_count: Option<u32>,
    pub auditor_name: Option<String>,
    pub auditor_uid: Option<Uid>,
    pub auditor_category: Option<AuditorCategory>,
    /// Whether the company waived the limited audit.
    pub auditor_opt_out: Option<bool>,
    pub auditor_source: Option<String>,
    /// WGS84 degrees.
    pub latitude: Option<f64>,
    /// WGS84 degrees.
    pub longitude: Option<f64>,
    pub geo_precision: Option<GeoPrecision>,
    pub sanctions_hit: Option<bool>,
    pub last_screened_at: Option<Timestamp>,
    pub is_finma_regulated: Option<bool>,
    /// The register's internal number.
    pub ehraid: Option<u64>,
    /// The number in the form `CH-020.3.000.000-0` of before 2014.
    pub chid: Option<String>,
    /// The number of the register office that keeps the company.
    pub registry_of_commerce_id: Option<u32>,
    pub cantonal_excerpt_url: Option<String>,
    pub old_names: Option<Vec<String>>,
    /// The name in other languages.
    pub translations: Option<Vec<String>>,
    pub lei: Option<String>,
    pub duns: Option<String>,
    pub isin: Option<String>,
    pub direct_parent_lei: Option<String>,
    pub ultimate_parent_lei: Option<String>,
    pub ultimate_parent_name: Option<String>,
    pub gleif_parent_enriched_at: Option<Timestamp>,
    /// The company that took this one over, where the register says so and this one is deleted.
    pub superseded_by: Option<Uid>,
    /// The filled share of this record, 0 to 1, weighted as `domain::quality` says.
    pub data_quality_score: Option<f64>,
    /// The companies that this one took over, was taken over by, or belongs to as an office.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affiliations: Vec<Affiliation>,
    /// The sources of this record and their dates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Provenance>,
    /// When a source last said something new of this company.
    pub updated_at: Option<Timestamp>,
}

/// A company that the register, or GLEIF, links to another.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Affiliation {
    pub kind: AffiliationKind,
    /// Absent for a company that the register does not number.
    pub uid: Option<Uid>,
    pub name: String,
}

/// `registry` with the register's own members only, `enriched` with those of another source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EnrichmentLevel {
    Registry,
    Enriched,
}

/// What coordinates point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GeoPrecision {
    /// The centre of the locality of the address.
    Locality,
    /// The centre of the locality that the commune is named after, or of one of its others.
    Commune,
}

/// What the other company is to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AffiliationKind {
    HeadOffice,
    FurtherHeadOffice,
    BranchOffice,
    HasTakenOver,
    WasTakenOverBy,
    AuditedBy,
    /// Consolidates this one directly, as this one reports to GLEIF; only of companies abroad, because
    /// those of the register are found by their identifiers.
    ConsolidatedBy,
    /// Reports to GLEIF that this one consolidates it directly; only of companies abroad.
    Consolidates,
}

impl Company {
    /// A record that knows a number and a name.
    pub fn new(uid: Uid, name: impl Into<String>) -> Self {
        Self {
            uid,
            name: name.into(),
            canton: None,
            status: None,
            status_canonical: None,
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
            gleif_parent_enriched_at: None,
            superseded_by: None,
            data_quality_score: None,
            affiliations: Vec::new(),
            sources: Vec::new(),
            updated_at: None,
        }
    }

    /// Fills the members that follow from others; call it last.
    #[must_use]
    pub fn completed(mut self) -> Self {
        self.status_canonical = self.status.map(Status::canonical);
        self.municipality = self.municipality.or_else(|| self.legal_seat.clone());
        // A firm's tier follows from its name alone; without a name, only a waiver tells something.
        self.auditor_category = match (&self.auditor_name, self.auditor_opt_out) {
            (Some(name), _) => Some(AuditorCategory::of_firm(name)),
            (None, Some(true)) => Some(AuditorCategory::None),
            (None, _) => None,
        };
        let taken_over = |it: &&Affiliation| it.kind == AffiliationKind::WasTakenOverBy;
        self.superseded_by = match self.status {
            Some(Status::Cancelled) => {
                self.affiliations.iter().filter(taken_over).find_map(|it| it.uid)
            }
            _ => None,
        };
        self.enrichment_level = Some(match self.is_enriched() {
            true => EnrichmentLevel::Enriched,
            false => EnrichmentLevel::Registry,
        });
        self.data_quality_score = Some(crate::quality::score(&self));
        self
    }

    /// Whether a source other than the register has filled something.
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
    fn an_empty_record_answers_its_number_and_name_only() {
        let uid = "CHE-107.787.577".parse().expect("well-formed");
        let json = serde_json::to_string(&Company::new(uid, "Muster AG")).expect("json");
        assert_eq!(json, r#"{"uid":"CHE-107.787.577","name":"Muster AG"}"#);
    }

    #[test]
    fn statuses_are_known_by_the_words_clients_send() {
        for word in ["active", "ACTIVE", "Active"] {
            assert_eq!(word.parse(), Ok(WantedStatus(Status::Active)));
        }
        for word in ["Being_Cancelled", "being cancelled", "in_liquidation"] {
            assert_eq!(word.parse(), Ok(WantedStatus(Status::BeingCancelled)));
        }
        let refusal = "activ".parse::<WantedStatus>().expect_err("unknown");
        assert_eq!(refusal.to_string(), "`activ` is not a status; the nearest is `ACTIVE`");
    }
}
