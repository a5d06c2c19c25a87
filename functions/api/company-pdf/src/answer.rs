//! The profile as JSON.

use domain::{
    Amount, AuditorCategory, Canton, ChangeKind, Company, Status, Uid,
    auditors::Tenure,
    changes::Severity,
    company::StatusReason,
    history::Recorded,
    persons::{Holding, Mandate, SigningAuthority},
};
use http_service::fitting;
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    document::{MAX_AUDITORS, MAX_CHANGES, MAX_PEOPLE, Profile},
    sections::{Section, Sections},
};

/// The profile of a company. The lists of sections that were not chosen are empty.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PdfProfileResponse {
    /// The record. Number and name only, if the section `overview` was not chosen.
    company: PdfCompanyData,
    /// Current officers and signatories, the board first, at most 400; then former ones, latest end first, at most 100.
    board_members: Vec<PdfBoardMember>,
    /// Latest changes, newest first, at most 100. Superseded changes and publications that change no field of the record are
    /// left out.
    recent_events: Vec<PdfEvent>,
    /// Current and former auditors, latest appointment first, at most 50.
    auditor_history: Vec<PdfAuditorTenure>,
    /// Time of the answer.
    generated_at: Timestamp,
}

/// The part of a company record that a profile contains. A field is absent if no source states it.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PdfCompanyData {
    /// Company number.
    uid: Uid,
    /// Registered name.
    name: String,
    /// Canton of the registered seat.
    canton: Option<Canton>,
    /// Status in the register.
    status: Option<Status>,
    /// Reason for the status, for example a moratorium or a bankruptcy.
    status_reason: Option<StatusReason>,
    /// German name of the legal form.
    legal_form: Option<String>,
    /// Nominal capital, in units of `currency`.
    share_capital: Option<Amount>,
    /// Currency of the capital: ISO 4217 code.
    currency: Option<String>,
    /// Purpose, as registered.
    purpose: Option<String>,
    /// Date of foundation: that of the first articles of association or, if no publication states it, the date of creation in the
    /// Global LEI Index (GLEIF). Later articles are changes of the type `statutes_change`.
    founding_date: Option<Date>,
    /// Date of the first entry in the register.
    registration_date: Option<Date>,
    /// Date of the deletion from the register.
    deletion_date: Option<Date>,
    /// Municipality of the registered seat.
    legal_seat: Option<String>,
    /// Municipality.
    municipality: Option<String>,
    /// Street.
    address_street: Option<String>,
    /// House number.
    address_house_number: Option<String>,
    /// Postal code.
    address_zip_code: Option<String>,
    /// Town of the address.
    address_city: Option<String>,
    /// URL of the website.
    website: Option<String>,
    /// English name of the NOGA 2008 division.
    industry: Option<String>,
    /// English name of the NOGA 2008 class.
    sub_industry: Option<String>,
    /// Number of employees, from the latest annual report that states it.
    employee_count: Option<u32>,
    /// Name of the current auditor.
    auditor_name: Option<String>,
    /// Category of the current auditor, or `None` if the company waived the limited audit or is an exempt foundation.
    auditor_category: Option<AuditorCategory>,
    /// As `sanctionsHit` of `GET /v1/companies/{uid}`: an entry of a sanctions list has the same rare name, or a number
    /// of the company.
    sanctions_hit: Option<bool>,
    /// Whether the Swiss Financial Market Supervisory Authority (FINMA) has authorised the company.
    is_finma_regulated: Option<bool>,
    /// Former names.
    old_names: Option<Vec<String>>,
    /// Name in other languages.
    translations: Option<Vec<String>>,
}

/// An officer or signatory, current or former.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PdfBoardMember {
    /// First names. Absent for a firm.
    first_name: Option<String>,
    /// Family name, or the name of a firm.
    last_name: String,
    /// Role as published.
    role: String,
    /// Shares of the company that the person or firm holds, as published. Absent if none are.
    holding: Option<Holding>,
    /// Share of the nominal capital in percent, of the same day. Absent if it cannot be calculated.
    percentage: Option<f64>,
    /// Signing authority. Absent if no publication states it.
    signing_authority: Option<SigningAuthority>,
    /// Date of the publication that announced the entry into office. Absent if no publication states it.
    since: Option<Date>,
    /// Date of the publication that announced the end of the role. Absent for current roles.
    until: Option<Date>,
}

/// A change of the company.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PdfEvent {
    /// Id of the change.
    id: Uuid,
    /// Change type.
    category: ChangeKind,
    /// Description of the change in one English sentence.
    summary: String,
    /// Severity of the change.
    severity: Severity,
    /// Time when the change was added to the change feed.
    detected_at: Timestamp,
    /// Date of the publication.
    source_date: Date,
}

/// The tenure of an audit firm.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PdfAuditorTenure {
    /// Name of the audit firm.
    auditor_name: String,
    /// Start date of the tenure. Absent if no publication states it.
    appointed_at: Option<Date>,
    /// End date of the tenure. Absent while the firm is in office.
    resigned_at: Option<Date>,
    /// Length of the tenure in years, with one decimal. Absent if the start date is unknown.
    tenure_years: Option<f64>,
    /// Whether the firm is in office.
    is_current: bool,
}

/// Maximum number of former officers.
pub(crate) const MAX_FORMER: usize = 100;

impl PdfProfileResponse {
    pub(crate) fn of(profile: &Profile, sections: &Sections, generated_at: Timestamp) -> Self {
        let Profile { company, history, tenures, today, .. } = profile;
        let board_members = match sections.contain(Section::Board) {
            true => {
                let mut former: Vec<&Mandate> =
                    history.mandates.iter().filter(|it| !it.is_current()).collect();
                former.sort_by_key(|it| std::cmp::Reverse(it.until));
                let current = history.board().into_iter().take(MAX_PEOPLE);
                let people = current.chain(former.into_iter().take(MAX_FORMER));
                people.map(PdfBoardMember::of).collect()
            }
            false => Vec::new(),
        };
        let recent_events = match sections.contain(Section::Changes) {
            true => fitting(history.newest_events(false).take(MAX_CHANGES).map(PdfEvent::of)),
            false => Vec::new(),
        };
        let auditor_history = match sections.contain(Section::Auditor) {
            true => {
                let newest = tenures.iter().take(MAX_AUDITORS);
                newest.map(|it| PdfAuditorTenure::of(it, *today)).collect()
            }
            false => Vec::new(),
        };
        Self {
            company: PdfCompanyData::of(company, sections.contain(Section::Overview)),
            board_members,
            recent_events,
            auditor_history,
            generated_at,
        }
    }
}

impl PdfCompanyData {
    fn of(company: &Company, is_chosen: bool) -> Self {
        let company = match is_chosen {
            true => company.clone(),
            false => Company::new(company.uid, company.name.clone()),
        };
        Self {
            uid: company.uid,
            name: company.name,
            canton: company.canton,
            status: company.status,
            status_reason: company.status_reason,
            legal_form: company.legal_form,
            share_capital: company.share_capital,
            currency: company.currency,
            purpose: company.purpose,
            founding_date: company.founding_date,
            registration_date: company.registration_date,
            deletion_date: company.deletion_date,
            legal_seat: company.legal_seat,
            municipality: company.municipality,
            address_street: company.address_street,
            address_house_number: company.address_house_number,
            address_zip_code: company.address_zip_code,
            address_city: company.address_city,
            website: company.website,
            industry: company.industry,
            sub_industry: company.sub_industry,
            employee_count: company.employee_count,
            auditor_name: company.auditor_name,
            auditor_category: company.auditor_category,
            sanctions_hit: company.sanctions_hit,
            is_finma_regulated: company.is_finma_regulated,
            old_names: company.old_names,
            translations: company.translations,
        }
    }
}

impl PdfBoardMember {
    fn of(mandate: &Mandate) -> Self {
        let held = mandate.holdings.last().filter(|it| it.until.is_none());
        Self {
            first_name: mandate.person.first_name.clone(),
            last_name: mandate.person.last_name.clone(),
            role: mandate.role.clone(),
            holding: mandate.holding.clone().filter(|_| mandate.is_current()),
            percentage: held.and_then(|it| it.percentage),
            signing_authority: mandate.signing_authority,
            since: mandate.since,
            until: mandate.until,
        }
    }
}

impl PdfEvent {
    fn of(recorded: &Recorded) -> Self {
        let event = &recorded.event;
        Self {
            id: event.id,
            category: event.kind,
            summary: event.summary.clone(),
            severity: event.severity(),
            detected_at: recorded.detected_at(),
            source_date: event.date,
        }
    }
}

impl PdfAuditorTenure {
    fn of(tenure: &Tenure, today: Date) -> Self {
        Self {
            auditor_name: tenure.auditor_name.clone(),
            appointed_at: tenure.appointed_at,
            resigned_at: tenure.resigned_at,
            tenure_years: tenure.years(today),
            is_current: tenure.is_current(),
        }
    }
}
