//! Reads a company whose number is in a request or job, today or on a past day.

use std::collections::BTreeMap;

use components::Clock;
use domain::{
    Company, History, LOCALITIES, Provenance, Uid,
    history::{HistoryOutline, Recorded},
};
use facts::CompanyAsOf;
use jiff::civil::Date;
use problem_details::Problem;
use store::{Registry, Wanted};

/// A number that no company of the register has.
#[derive(Debug, thiserror::Error)]
#[error("no company {uid} in the commercial register{doubt}", uid = .0, doubt = mistyped(*.0))]
pub struct UnknownCompany(pub Uid);

/// What to say of a number whose check digit is wrong. Records may have such numbers, so they are looked up nevertheless.
fn mistyped(uid: Uid) -> &'static str {
    if uid.has_valid_check_digit() {
        ""
    } else {
        "; the last digit does not fit the others, so the number may be mistyped"
    }
}

/// Refuses numbers with a wrong last digit that no company of the register has. Others that are not in the register may get
/// there, or be those of companies that need no entry.
///
/// # Errors
/// 400 with the member and the first such number.
pub async fn refuse_mistyped(
    registry: &Registry,
    member: &str,
    uids: impl IntoIterator<Item = Uid>,
) -> Result<(), Problem> {
    let doubtful: Vec<Uid> = uids.into_iter().filter(|it| !it.has_valid_check_digit()).collect();
    if doubtful.is_empty() {
        return Ok(());
    }
    let known = registry.companies(&doubtful).await?;
    match doubtful.into_iter().find(|uid| known.iter().all(|it| it.uid != *uid)) {
        Some(uid) => Err(Problem::invalid(member, UnknownCompany(uid))),
        None => Ok(()),
    }
}

#[derive(Debug, thiserror::Error)]
#[error("no source shows that {0} was in the commercial register on {1}")]
struct NotRegisteredOn(Uid, Date);

/// The sources of the fields of a current record, by the name of the field.
///
/// # Errors
/// If the register cannot be read.
pub async fn proofs_of(
    registry: &Registry,
    company: &Company,
) -> Result<BTreeMap<String, Provenance>, Problem> {
    let mut proofs = registry.proofs(company.uid).await?;
    // No fact contains the location: it comes from a directory, which the record names.
    if let Some(directory) = company.sources.iter().find(|it| it.source == LOCALITIES) {
        let located = [
            ("latitude", company.latitude.is_some()),
            ("longitude", company.longitude.is_some()),
            ("geoPrecision", company.geo_precision.is_some()),
            ("legalSeat", company.legal_seat.is_some()),
            ("legalSeatId", company.legal_seat_id.is_some()),
            ("municipality", company.municipality.is_some()),
            ("canton", company.canton.is_some()),
        ];
        for (field, _) in located.into_iter().filter(|(_, is_present)| *is_present) {
            proofs.entry(field.to_owned()).or_insert_with(|| directory.clone());
        }
    }
    Ok(proofs)
}

/// The current record of a company.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company(registry: &Registry, uid: Uid) -> Result<Company, Problem> {
    let company = registry.company(uid).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}

/// The current record of a company, and of its history what is wanted.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company_with(
    registry: &Registry,
    uid: Uid,
    wanted: Wanted,
) -> Result<(Company, History), Problem> {
    let company = registry.company_with(uid, wanted).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}

/// The current record of a company, the result of `select`, and the events that it selects.
///
/// # Errors
/// 404 if there is no such company.
pub async fn known_company_with_events<T>(
    registry: &Registry,
    uid: Uid,
    select: impl Fn(&Company, &HistoryOutline) -> (Vec<usize>, T),
) -> Result<(Company, T, Vec<Recorded>), Problem> {
    let company = registry.select_events(uid, select).await?;
    company.ok_or_else(|| Problem::not_found(UnknownCompany(uid)))
}

/// The day of the parameter `asOf`, if the state at its end may differ from the current record: today's is the current one.
pub fn past_day(clock: &Clock, as_of: Option<Date>) -> Option<Date> {
    as_of.filter(|it| *it != clock.today())
}

/// A company at the end of `day`, the parameter `asOf`.
///
/// # Errors
/// 404 if there is no such company, or if no source shows that it was in the register on that day. 400 if
/// the day is in the future, because later publications could still change that state.
pub async fn company_as_of(
    registry: &Registry,
    clock: &Clock,
    uid: Uid,
    day: Date,
) -> Result<CompanyAsOf, Problem> {
    let today = clock.today();
    if day > today {
        let detail = format!("must not be after today ({today}); got `{day}`");
        return Err(Problem::invalid("asOf", detail));
    }
    match registry.company_as_of(uid, day).await? {
        Some(past) => Ok(past),
        None => {
            known_company(registry, uid).await?;
            Err(Problem::not_found(NotRegisteredOn(uid, day)))
        }
    }
}
