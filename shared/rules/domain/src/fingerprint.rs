//! Fingerprint of a company: its key figures, its size, and a profile in a few sentences.
//!
//! Everything is derived from the record, the history and the latest annual report. What none of them
//! states is left out. Only the size is estimated, by the rules of [`size`](size()).

mod size;
mod summary;

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Amount, AuditorCategory, Company, Provenance, Status, Uid,
    changes::LegalEvent,
    classification::{Level, Levels},
    company::{HolderKind, QuotaHolder, StatusReason},
    history::{EventOutline, HistoryOutline},
    relationships::head_office_of,
};

pub use size::{SizeBasis, SizeCategory, SizeFacts, counts_at_par, size};

/// Version of the rules in this module.
pub const VERSION: &str = "1.0";

/// Number of days over which changes are counted.
const DAYS: i64 = 365;

/// Key figures of a company.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fingerprint {
    /// Company number.
    pub company_uid: Uid,
    /// Registered name.
    pub name: String,
    /// Status in the register.
    pub status: Option<Status>,
    /// Reason for the status, as in the company record: for example a moratorium or a bankruptcy.
    pub status_reason: Option<StatusReason>,
    /// English name of the NOGA 2008 section.
    pub industry_sector: Option<String>,
    /// English name of the NOGA 2008 division.
    pub industry_group: Option<String>,
    /// Same value as in the company record: the name of the NOGA 2008 division.
    pub industry: Option<String>,
    /// English name of the NOGA 2008 class.
    pub sub_industry: Option<String>,
    /// Estimated size. If the number of employees is known: `micro` below 10, `small` below 50, `medium`
    /// below 250, `large` from 250.
    ///
    /// If the number of employees is unknown, the first rule that applies decides:
    ///
    /// - `micro`: the company has no auditor because it waived the limited audit, or is an exempt foundation
    /// - `large`: the capital is at least 10 million, or the auditor is one of the four largest firms
    /// - `medium`: the capital is at least 1 million, or the auditor belongs to another large network
    /// - `small`: a lower capital or another auditor is known
    ///
    /// Capital counts only in CHF, EUR, USD or GBP, which are not converted.
    ///
    /// Absent if none of these is known.
    pub size_category: Option<SizeCategory>,
    /// Fact on which the size is based.
    pub size_basis: Option<SizeBasis>,
    /// Number of employees, from the latest annual report that states it. It is not an estimate.
    pub employee_count_estimate: Option<u32>,
    /// Nominal capital, in units of `capitalCurrency`.
    pub capital_amount: Option<Amount>,
    /// Currency of the capital: ISO 4217 code.
    pub capital_currency: Option<String>,
    /// Revenue in `fiscalYear`, in units of `figuresCurrency`.
    pub revenue: Option<Amount>,
    /// Net income in `fiscalYear`, in units of `figuresCurrency`.
    pub net_income: Option<Amount>,
    /// Currency of revenue and net income: ISO 4217 code.
    pub figures_currency: Option<String>,
    /// Fiscal year of revenue and net income.
    pub fiscal_year: Option<i16>,
    /// Category of the auditor.
    pub auditor_tier: Option<AuditorTier>,
    /// Number of changes published in the last 365 days. Publications that change no field of the record
    /// are not counted.
    pub change_frequency: u32,
    /// Number of current officers and signatories: more than the members of the board.
    pub board_size: u32,
    /// Age in whole years, until today or until the deletion. Counted from the first entry in the register,
    /// or from the founding date if that is unknown. 0 if both are unknown.
    pub company_age: u32,
    /// Canton of the seat: two letters. Empty if it is not known.
    pub canton: String,
    /// German name of the legal form. Empty if it is not known.
    pub legal_form: String,
    /// Whether the company reports a parent to GLEIF, the register states a head office, or another company holds more than
    /// half of its shares as a partner. `false` for a deleted company.
    pub has_parent_company: bool,
    /// Number of partners with shares of a limited liability company. Absent if none are known.
    pub quota_holder_count: Option<u32>,
    /// Name of the partner that holds more than half of the capital of a limited liability company. Absent if there is
    /// none, or if it is not known.
    pub majority_holder: Option<String>,
    /// Number of the `subsidiaries` in `GET /v1/companies/{uid}/hierarchy`: branch offices, companies that report this one as
    /// their direct parent, and limited liability companies of which it holds more than half of the shares.
    pub subsidiary_count: u32,
    /// Midnight, in Swiss time, at the start of the day for which the fingerprint was computed.
    pub generated_at: Timestamp,
    /// Version of the rules by which the fingerprint was computed.
    #[schema(example = "1.0")]
    pub fingerprint_version: &'static str,
    /// Date of the first entry in the register.
    pub registration_date: Option<Date>,
    /// Profile in a few English sentences, from the same sources as the rest of this response.
    pub summary: String,
    /// Sources of the record and of the figures.
    pub sources: Vec<Provenance>,
}

/// Category of a company's auditor, as in `AuditorCategory`, but with `big4` for each of the four largest firms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum AuditorTier {
    /// One of the four largest firms.
    #[serde(rename = "big4")]
    BigFour,
    /// Another large network.
    Big4Competitor,
    /// Any other auditor.
    Other,
    /// No auditor: the company waived the limited audit, or the foundation is exempt.
    None,
}

/// Figures of an annual report.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Fiscal year of the report.
    pub fiscal_year: i16,
    /// Currency of the amounts: ISO 4217 code.
    pub currency: Option<String>,
    /// Revenue.
    pub revenue: Option<Amount>,
    /// Net income.
    pub net_income: Option<Amount>,
    /// The report.
    pub source: Provenance,
}

/// The fingerprint of a company as of `today`. `legal_events`: those about proceedings, the newest first. `subsidiaries`: the number
/// of its branch offices and subsidiaries.
pub fn fingerprint(
    company: &Company,
    history: &HistoryOutline,
    legal_events: &[LegalEvent],
    figures: Option<&Figures>,
    subsidiaries: usize,
    today: Date,
) -> Fingerprint {
    let levels = Levels::of(company);
    let name = |level: &Option<Level>| level.as_ref().and_then(|it| it.name).map(str::to_owned);
    let size = size(company);
    let mut fingerprint = Fingerprint {
        company_uid: company.uid,
        name: company.name.clone(),
        status: company.status,
        status_reason: company.status_reason,
        industry_sector: name(&levels.section),
        industry_group: name(&levels.division),
        industry: company.industry.clone(),
        sub_industry: company.sub_industry.clone(),
        size_category: size.map(|(size, _)| size),
        size_basis: size.map(|(_, basis)| basis),
        employee_count_estimate: company.employee_count,
        capital_amount: company.share_capital,
        capital_currency: company.currency.clone().filter(|_| company.share_capital.is_some()),
        revenue: figures.and_then(|it| it.revenue),
        net_income: figures.and_then(|it| it.net_income),
        figures_currency: figures.and_then(|it| it.currency.clone()),
        fiscal_year: figures.map(|it| it.fiscal_year),
        auditor_tier: company.auditor_category.map(tier),
        change_frequency: count(recent_changes(history, today)),
        board_size: u32::try_from(history.current_mandates).unwrap_or(u32::MAX),
        company_age: age(company, today).unwrap_or(0),
        canton: company.canton.map(|it| it.code().to_owned()).unwrap_or_default(),
        legal_form: company.legal_form.clone().unwrap_or_default(),
        has_parent_company: has_parent(company),
        quota_holder_count: company.quota_holder_count,
        majority_holder: majority_holder(company).map(|it| it.name.clone()),
        subsidiary_count: u32::try_from(subsidiaries).unwrap_or(u32::MAX),
        generated_at: start_of_day(today),
        fingerprint_version: VERSION,
        registration_date: company.registration_date,
        summary: String::new(),
        sources: company.sources.clone(),
    };
    if let Some(figures) = figures.filter(|it| !company.sources.contains(&it.source)) {
        fingerprint.sources.push(figures.source.clone());
    }
    fingerprint.summary = summary::summary(company, history, legal_events, &fingerprint);
    fingerprint
}

fn tier(category: AuditorCategory) -> AuditorTier {
    match category {
        AuditorCategory::Kpmg
        | AuditorCategory::Ey
        | AuditorCategory::Pwc
        | AuditorCategory::Deloitte => AuditorTier::BigFour,
        AuditorCategory::Big4Competitor => AuditorTier::Big4Competitor,
        AuditorCategory::Other => AuditorTier::Other,
        AuditorCategory::None => AuditorTier::None,
    }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

/// The changes of the last [`DAYS`] days.
fn recent_changes(history: &HistoryOutline, today: Date) -> impl Iterator {
    let first = today.checked_sub(DAYS.days()).unwrap_or(today);
    let is_recent = move |it: &&EventOutline| it.date > first && it.date <= today;
    history.events.iter().filter(|it| !it.is_internal()).filter(is_recent)
}

fn age(company: &Company, today: Date) -> Option<u32> {
    let since = company.registration_date.or(company.founding_date)?;
    let until = company.deletion_date.map_or(today, |it| it.min(today));
    let anniversary = (until.month(), until.day()) >= (since.month(), since.day());
    let years = until.year() - since.year() - i16::from(!anniversary);
    Some(u32::try_from(years).unwrap_or(0))
}

fn has_parent(company: &Company) -> bool {
    let parents = [company.direct_parent_lei, company.ultimate_parent_lei];
    let reports = parents.into_iter().any(|it| it.is_some() && it != company.lei);
    let is_company = |it: &QuotaHolder| it.kind == HolderKind::Company;
    if company.status == Some(Status::Cancelled) {
        return false;
    }
    reports || head_office_of(company).is_some() || majority_holder(company).is_some_and(is_company)
}

/// The partner with more than half of the capital.
fn majority_holder(company: &Company) -> Option<&QuotaHolder> {
    company.quota_holders.iter().find(|it| it.percentage.is_some_and(|it| it > 50.0))
}

fn start_of_day(day: Date) -> Timestamp {
    let zurich = TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC);
    day.to_zoned(zurich).map(|it| it.timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a date")
    }

    fn company() -> Company {
        let mut company =
            Company::new("CHE-107.787.577".parse().expect("well-formed"), "Muster AG");
        company.status = Some(Status::Active);
        company
    }

    #[test]
    fn age_is_in_whole_years_and_ends_with_the_deletion() {
        let mut company = company();
        assert_eq!(age(&company, day("2026-11-20")), None);
        company.registration_date = Some(day("2020-11-21"));
        assert_eq!(age(&company, day("2026-11-20")), Some(5));
        assert_eq!(age(&company, day("2026-11-21")), Some(6));
        assert_eq!(age(&company, day("2019-01-01")), Some(0));
        company.deletion_date = Some(day("2022-12-31"));
        assert_eq!(age(&company, day("2026-11-20")), Some(2));
    }

    #[test]
    fn company_is_not_its_own_parent() {
        let mut company = company();
        company.lei = "506700GE1G29325QX363".parse().ok();
        company.ultimate_parent_lei = company.lei;
        assert!(!has_parent(&company));
        company.direct_parent_lei = "5493001KJTIIGC8Y1R12".parse().ok();
        assert!(has_parent(&company));
        company.status = Some(Status::Cancelled);
        assert!(!has_parent(&company), "nobody owns a deleted company");
    }
}
