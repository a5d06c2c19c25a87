//! Base rates, measured from the register itself.

use domain::{ChangeKind, Company, Event, History, Status, changes::LegalEvent};
use jiff::{ToSpan, civil::Date};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Rates that were measured from a register, for [`Priors::with_measured`](crate::Priors::with_measured). A rate is absent
/// if no company could show it.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MeasuredRates {
    /// The last day of the year in which events were counted.
    pub measured_on: Date,
    /// Companies that were registered during the whole year, or until their deletion in it.
    pub companies: u64,
    /// Part of the companies with an auditor or a waiver that waived the limited audit.
    pub opting_out: Option<f64>,
    /// Part of the companies with a departure from the board or the management in the year.
    pub board_departures: Option<f64>,
    /// Part of the companies whose address or seat changed in the year.
    pub address_changes: Option<f64>,
    /// Part of the companies whose bankruptcy was opened in the year.
    pub bankruptcies: Option<f64>,
    /// Part of the companies that were deleted in the year, for a reason other than a merger or a demerger.
    pub deletions: Option<f64>,
}

impl MeasuredRates {
    /// Rates of fewer companies are too uncertain to replace published ones.
    pub const MIN_COMPANIES: u64 = 1_000;
}

/// Counts companies one by one.
#[derive(Clone, Debug)]
pub struct RateCounter {
    from: Date,
    until: Date,
    companies: u64,
    audit_known: u64,
    opted_out: u64,
    with_departure: u64,
    moved: u64,
    bankrupt: u64,
    deleted: u64,
}

impl RateCounter {
    /// Counts the year that ends on this day.
    pub fn new(until: Date) -> Self {
        // The first year of the calendar has no year before it.
        let from = until.checked_sub(1.year()).unwrap_or(Date::MIN);
        Self {
            from,
            until,
            companies: 0,
            audit_known: 0,
            opted_out: 0,
            with_departure: 0,
            moved: 0,
            bankrupt: 0,
            deleted: 0,
        }
    }

    fn is_in_year(&self, day: Date) -> bool {
        day > self.from && day <= self.until
    }

    /// Counts a company with its history up to the last day.
    pub fn add(&mut self, company: &Company, history: &History) {
        let is_late = company.registration_date.is_some_and(|it| it > self.from);
        let is_gone = company.deletion_date.is_some_and(|it| it <= self.from);
        let is_gone = is_gone
            || (company.deletion_date.is_none() && company.status == Some(Status::Cancelled));
        if is_late || is_gone {
            return;
        }
        let in_year =
            history.events.iter().map(|it| &it.event).filter(|it| self.is_in_year(it.date));
        let events: Vec<&Event> = in_year.collect();
        let has = |kind: ChangeKind| events.iter().any(|it| it.kind == kind);
        let is_bankrupt =
            events.iter().any(|it| it.legal_event == Some(LegalEvent::BankruptcyOpened));
        let goes_on_elsewhere =
            events.iter().any(|it| it.legal_event.is_some_and(LegalEvent::goes_on_elsewhere));
        let has_left = history
            .mandates
            .iter()
            .any(|it| it.leads() && it.until.is_some_and(|it| self.is_in_year(it)));
        let opted_out = company.auditor_opt_out == Some(true);
        self.companies += 1;
        self.audit_known += u64::from(opted_out || company.auditor_name.is_some());
        self.opted_out += u64::from(opted_out);
        self.with_departure += u64::from(has_left);
        self.moved += u64::from(has(ChangeKind::AddressChange) || has(ChangeKind::SeatChange));
        self.bankrupt += u64::from(is_bankrupt);
        self.deleted += u64::from(has(ChangeKind::Deletion) && !goes_on_elsewhere);
    }

    /// Adds what another counter of the same year counted, for example in another thread.
    pub fn merge(&mut self, other: &Self) {
        self.companies += other.companies;
        self.audit_known += other.audit_known;
        self.opted_out += other.opted_out;
        self.with_departure += other.with_departure;
        self.moved += other.moved;
        self.bankrupt += other.bankrupt;
        self.deleted += other.deleted;
    }

    /// The rates, as the mean of a Beta distribution with Jeffreys' prior, so that none is exactly 0 or 1.
    pub fn rates(&self) -> MeasuredRates {
        let rate = |count: u64, of: u64| (of > 0).then(|| (count as f64 + 0.5) / (of as f64 + 1.0));
        MeasuredRates {
            measured_on: self.until,
            companies: self.companies,
            opting_out: rate(self.opted_out, self.audit_known),
            board_departures: rate(self.with_departure, self.companies),
            address_changes: rate(self.moved, self.companies),
            bankruptcies: rate(self.bankrupt, self.companies),
            deletions: rate(self.deleted, self.companies),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{Event, Provenance, history::Recorded};

    use super::*;

    const LAST: Date = jiff::civil::date(2026, 10, 31);

    fn history(kind: ChangeKind, legal_event: Option<LegalEvent>, day: &str) -> History {
        let event = Event {
            id: uuid::Uuid::nil(),
            uid: "CHE-600.000.012".parse().expect("well-formed"),
            company_name: String::new(),
            canton: None,
            kind,
            field: None,
            old_value: None,
            new_value: None,
            summary: String::new(),
            date: day.parse().expect("a day"),
            source: Provenance { source: "shab".into(), reference: None, date: None },
            subject: None,
            legal_event,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        };
        History { events: vec![Recorded::from(event)], ..History::default() }
    }

    fn company() -> Company {
        let mut company =
            Company::new("CHE-600.000.012".parse().expect("well-formed"), "Muster AG");
        company.status = Some(Status::Active);
        company
    }

    #[test]
    fn only_events_of_the_year_count_each_company_once() {
        let mut counter = RateCounter::new(LAST);
        let moved = |day| history(ChangeKind::AddressChange, None, day);
        for day in ["2026-10-31", "2025-11-01", "2025-10-31", "2026-11-01"] {
            counter.add(&company(), &moved(day));
        }
        let rates = counter.rates();
        assert_eq!(rates.companies, 4);
        assert_eq!(rates.address_changes, Some(2.5 / 5.0), "two of four, with Jeffreys' prior");
        assert_eq!(rates.opting_out, None, "no company with an auditor or a waiver");
    }

    #[test]
    fn mergers_are_no_deletions_and_new_or_deleted_companies_do_not_count() {
        let mut counter = RateCounter::new(LAST);
        let deleted = |event| history(ChangeKind::Deletion, Some(event), "2026-05-04");
        counter.add(&company(), &deleted(LegalEvent::DeletedByMerger));
        counter.add(&company(), &deleted(LegalEvent::DeletedAfterLiquidation));
        let mut young = company();
        young.registration_date = "2026-01-05".parse().ok();
        counter.add(&young, &History::default());
        let mut gone = company();
        gone.status = Some(Status::Cancelled);
        counter.add(&gone, &History::default());
        let rates = counter.rates();
        assert_eq!((rates.companies, rates.deletions), (2, Some(1.5 / 3.0)));
    }

    #[test]
    fn merged_counters_are_one() {
        let of = |day: &str| history(ChangeKind::AddressChange, None, day);
        let mut one = RateCounter::new(LAST);
        one.add(&company(), &of("2026-05-04"));
        let mut other = RateCounter::new(LAST);
        other.add(&company(), &of("2020-05-04"));
        one.merge(&other);
        let mut both = RateCounter::new(LAST);
        both.add(&company(), &of("2026-05-04"));
        both.add(&company(), &of("2020-05-04"));
        assert_eq!(one.rates(), both.rates());
    }
}
