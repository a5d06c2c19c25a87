//! For which financial years a waiver of the limited audit is valid.

use domain::{ChangeKind, Company, History};
use jiff::{
    ToSpan,
    civil::{Date, date},
};

use crate::{Answer, legal_form::FOUNDATION};

/// Day since which a waiver is valid only for later financial years. A test compares it with the catalogue, which depends on this
/// crate's conditions.
pub(crate) const WAIVERS_FOR_LATER_YEARS: Date = date(2025, 1, 1);

/// The day on which the register entered the waiver of a company that was audited until then, if such a waiver is valid only for
/// financial years that begin after it was filed. The publication date if the day of the entry is not known.
///
/// `None` for a waiver at the foundation, which is valid from the first financial year, and if no auditor is known who left in the
/// year before or since: a publication can repeat an old waiver, for example when the seat moves to another canton. `None` for
/// foundations, too: an authority exempts them.
pub fn waiver_for_later_years(company: &Company, history: &History) -> Option<Date> {
    if company.auditor_opt_out != Some(true)
        || company.legal_form_code.as_deref() == Some(FOUNDATION)
    {
        return None;
    }
    let mut newest_first = history.events.iter().rev().map(|it| &it.event);
    let event = newest_first.find(|it| it.kind == ChangeKind::AuditOptOut)?;
    let is_waiver = event.new_value.as_deref() == Some("true");
    let year_before = event.date.checked_sub(1.year()).ok()?;
    let mut ends = history.tenures.iter().filter_map(|it| it.resigned_at);
    let was_audited = ends.any(|it| it >= year_before);
    let entered = event.journal_date.unwrap_or(event.date);
    (is_waiver && was_audited && entered >= WAIVERS_FOR_LATER_YEARS).then_some(entered)
}

/// Whether a waiver covers the financial year of a day, which is assumed to be the calendar year. `entered`: the day of
/// [`waiver_for_later_years`], if it is valid only for later years.
pub fn waiver_covers(entered: Option<Date>, day: Date) -> Answer {
    match entered.filter(|it| it.year() == day.year()) {
        None => Answer::Yes,
        // Ours: registers enter within a month what is filed.
        Some(entered) if entered.month() == 1 => Answer::Unknown,
        Some(_) => Answer::No,
    }
}
