//! What candidates and prospects are judged by: the audit that the law requires, the auditor, and what happened lately.

use domain::{
    ChangeKind, Status,
    company::StatusReason,
    fingerprint::{SizeBasis, SizeCategory, SizeFacts, counts_at_par},
};
use obligations::{Answer, Basis, RegimeKind, waiver_covers};

use crate::{
    Day, Needs, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Places},
};

/// Which audit the law requires of a company today, from its record and history alone. Figures, groups and listings are not known
/// here: the audit playbook of a company knows more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duty {
    /// Kind of audit.
    pub kind: RegimeKind,
    /// Basis of the kind.
    pub basis: Basis,
}

impl Duty {
    /// The duty of a company.
    pub fn of(companies: &Companies, row: u32, today: Day) -> Self {
        let at = row as usize;
        let of = |kind, basis| Self { kind, basis };
        let without_waiver = of(
            companies.audit_kind[at].unwrap_or(RegimeKind::Unknown),
            companies.audit_basis[at].unwrap_or(Basis::Unknown),
        );
        let can_waive = without_waiver.kind != RegimeKind::None
            && companies.reason[at] != Some(StatusReason::Bankruptcy);
        if companies.opted_out[at] != Some(true) || !can_waive {
            return without_waiver;
        }
        match (
            waiver_covers(companies.waiver_since[at].map(Day::date), today.date()),
            without_waiver.kind,
        ) {
            (Answer::Yes, RegimeKind::Limited) => of(RegimeKind::OptingOut, Basis::Stated),
            // The law may require an ordinary audit in spite of the waiver.
            (Answer::Yes, _) => of(RegimeKind::OptingOut, Basis::Assumed),
            (Answer::Unknown, RegimeKind::Ordinary) | (Answer::No, _) => without_waiver,
            (Answer::Unknown, _) => of(RegimeKind::Unknown, Basis::Unknown),
        }
    }
}

/// The columns from which sizes are estimated.
pub(crate) fn needs_of_size() -> Needs {
    let of_companies = [
        CompanyColumn::Employees,
        CompanyColumn::Auditor,
        CompanyColumn::AuditorCategory,
        CompanyColumn::OptedOut,
        CompanyColumn::Capital,
        CompanyColumn::Currency,
    ];
    Needs::of(&of_companies, &[])
}

/// The columns that candidates and prospects are judged by.
pub(crate) fn needs() -> Needs {
    let of_companies = [
        CompanyColumn::Status,
        CompanyColumn::Reason,
        CompanyColumn::AuditorSince,
        CompanyColumn::AuditKind,
        CompanyColumn::AuditBasis,
        CompanyColumn::WaiverSince,
        CompanyColumn::Changes,
    ];
    let of_changes = [ChangeColumn::Day, ChangeColumn::Kind, ChangeColumn::Leading];
    Needs::of(&of_companies, &of_changes).and(needs_of_size())
}

impl Companies {
    /// The estimated size, and on what the estimate is based.
    pub(crate) fn size_facts(&self, row: u32) -> SizeFacts {
        let at = row as usize;
        let currency = self.currency[at];
        let counts = counts_at_par(currency.as_ref().map(crate::Currency::code));
        SizeFacts {
            employees: self.employees[at].map(crate::Count::get),
            is_without_audit: self.opted_out[at] == Some(true) && self.auditor[at].is_none(),
            capital: self.capital[at].map(crate::Money::amount).filter(|_| counts),
            auditor: self.auditor_category[at],
        }
    }

    /// The estimated size.
    pub(crate) fn size(&self, row: u32) -> Option<SizeCategory> {
        self.size_facts(row).size().map(|it| it.0)
    }
}

/// What was published lately about a company.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lately {
    pub(crate) capital_changed: bool,
    /// Somebody on the board or in the management entered or left.
    pub(crate) board_changed: bool,
    pub(crate) auditor_changed: bool,
    /// A waiver of the audit was entered or revoked.
    pub(crate) waiver_changed: bool,
}

impl Lately {
    /// In the last 365 days.
    pub(crate) fn of(changes: &Changes, places: &Places, row: u32, today: Day) -> Self {
        let mut lately = Self::default();
        for change in changes.within(places.of(row), Window::last(365, today)) {
            lately.board_changed |= changes.leading[change].is_some();
            match changes.kind[change] {
                ChangeKind::CapitalChange => lately.capital_changed = true,
                ChangeKind::AuditorChange => lately.auditor_changed = true,
                ChangeKind::AuditOptOut => lately.waiver_changed = true,
                _ => {}
            }
        }
        lately
    }
}

/// How long a company has had its auditor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tenure {
    NoKnownAuditor,
    UnknownStart,
    Years(f64),
}

impl Tenure {
    pub(crate) fn of(companies: &Companies, row: u32, today: Day) -> Self {
        match (companies.auditor[row as usize], companies.auditor_since[row as usize]) {
            (None, _) => Self::NoKnownAuditor,
            (Some(_), None) => Self::UnknownStart,
            (Some(_), Some(since)) => Self::Years(today.years_since(since).max(0.0)),
        }
    }

    pub(crate) fn years(self) -> Option<f64> {
        match self {
            Self::Years(years) => Some(years),
            Self::NoKnownAuditor | Self::UnknownStart => None,
        }
    }
}

/// What candidates and prospects are judged by, as of a day.
pub(crate) struct Mandates<'a> {
    pub(crate) companies: &'a Companies,
    changes: &'a Changes,
    places: Places,
    today: Day,
}

/// The size, auditor and changes of a company.
pub(crate) struct Mandate {
    pub(crate) size: Option<(SizeCategory, SizeBasis)>,
    pub(crate) tenure: Tenure,
    pub(crate) lately: Lately,
}

impl<'a> Mandates<'a> {
    pub(crate) fn new(companies: &'a Companies, changes: &'a Changes, today: Day) -> Self {
        Self { companies, changes, places: companies.places_of_changes(), today }
    }

    pub(crate) fn duty(&self, row: u32) -> Duty {
        Duty::of(self.companies, row, self.today)
    }

    pub(crate) fn of(&self, row: u32) -> Mandate {
        Mandate {
            size: self.companies.size_facts(row).size(),
            tenure: Tenure::of(self.companies, row, self.today),
            lately: Lately::of(self.changes, &self.places, row, self.today),
        }
    }

    pub(crate) fn is_in_liquidation(&self, row: u32) -> bool {
        self.companies.status[row as usize] == Some(Status::BeingCancelled)
    }

    pub(crate) fn has_moratorium(&self, row: u32) -> bool {
        self.companies.reason[row as usize] == Some(StatusReason::Moratorium)
    }
}

/// A part of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// Name of the part.
    pub part: &'static str,
    /// Points that it adds, or takes away if they are negative.
    pub points: i32,
    /// The rule, in English.
    pub reason: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{companies, day};

    #[test]
    fn a_waiver_counts_from_the_financial_year_after_it_was_entered() {
        let duty = |kind, opted_out, entered: Option<&str>, today| {
            let companies = companies(1, |_, row| {
                row.audit_kind = Some(kind);
                row.audit_basis = Some(Basis::Assumed);
                row.opted_out = opted_out;
                row.waiver_since = entered.map(day);
            });
            Duty::of(&companies, 0, day(today)).kind
        };
        use RegimeKind::{Limited, OptingOut, Ordinary, Unknown};
        assert_eq!(duty(Limited, None, None, "2026-06-01"), Limited);
        assert_eq!(duty(Limited, Some(true), None, "2026-06-01"), OptingOut);
        assert_eq!(duty(Limited, Some(true), Some("2026-03-01"), "2026-06-01"), Limited);
        assert_eq!(duty(Limited, Some(true), Some("2026-01-20"), "2026-06-01"), Unknown);
        assert_eq!(duty(Limited, Some(true), Some("2026-03-01"), "2027-01-01"), OptingOut);
        assert_eq!(duty(Ordinary, Some(true), None, "2026-06-01"), OptingOut);
        assert_eq!(duty(Ordinary, Some(true), Some("2026-01-20"), "2026-06-01"), Ordinary);
        assert_eq!(duty(RegimeKind::None, Some(true), None, "2026-06-01"), RegimeKind::None);
        let unknown = companies(1, |_, _| {});
        assert_eq!(Duty::of(&unknown, 0, day("2026-06-01")).kind, Unknown);
    }
}
