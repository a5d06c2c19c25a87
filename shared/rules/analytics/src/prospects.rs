//! Companies that may change their auditor, and what their audit may be worth.
//!
//! A prospect is a company that the law requires to be audited, neither in liquidation nor in a moratorium. Its score, from 0 to 100,
//! is the sum of:
//!
//! | Part | Points |
//! |---|---|
//! | `tenure` | from 0 for 3 years to 40 for 15 years, in proportion; start not known: 15; no known auditor: 40 |
//! | `size` | large: 25; medium: 20; small: 10 |
//! | `changes` | changes of the capital, the board or the auditor in the last 365 days: 5 each |
//! | `newAuditor` | auditor for less than two years: −40 |
//!
//! From 70 the prospect is hot, from 40 warm. The weights are ours.

use domain::{
    Amount,
    fingerprint::{SizeBasis, SizeCategory},
};
use obligations::RegimeKind;

use crate::{
    Day, InvalidRequest, Needs, Rows,
    columns::{Changes, Companies},
    groups::{named, not_empty},
    mandates::{self, Duty, Lately, Mandate, Mandates, ScorePart, Tenure},
};

/// How promising a prospect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Readiness {
    /// Score of at least 70.
    Hot,
    /// Score of at least 40.
    Warm,
    /// A lower score.
    Cold,
}

impl Readiness {
    /// Every readiness.
    pub const ALL: [Self; 3] = [Self::Hot, Self::Warm, Self::Cold];

    /// Name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hot => "Hot",
            Self::Warm => "Warm",
            Self::Cold => "Cold",
        }
    }

    /// The readiness with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("pitchReadiness", given, Self::ALL, Self::name)
    }

    fn of(score: i32) -> Self {
        match score {
            70.. => Self::Hot,
            40..70 => Self::Warm,
            _ => Self::Cold,
        }
    }
}

/// How long the tenure of an auditor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TenureRisk {
    /// At least 10 years.
    High,
    /// At least 7 years.
    Medium,
    /// Less.
    Low,
    /// No auditor is known, or its start.
    Unknown,
}

impl TenureRisk {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::High => "High",
            Self::Medium => "Medium",
            Self::Low => "Low",
            Self::Unknown => "Unknown",
        }
    }

    fn of(tenure: Tenure) -> Self {
        match tenure {
            Tenure::Years(10.0..) => Self::High,
            Tenure::Years(7.0..) => Self::Medium,
            Tenure::Years(_) => Self::Low,
            Tenure::NoKnownAuditor | Tenure::UnknownStart => Self::Unknown,
        }
    }
}

/// What an audit may be worth in a year, in francs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MandateValue {
    /// The estimate.
    pub value: Amount,
    /// Half of it.
    pub low: Amount,
    /// One and a half times as much.
    pub high: Amount,
}

impl MandateValue {
    /// On what the estimate is based, in English.
    pub const BASIS: &'static str = "A rule of this service, from the kind of audit and the estimated size of the company: for a limited audit CHF 2,500 \
         (micro), 4,500 (small) or 9,000 (medium); for an ordinary audit CHF 20,000 (small), 50,000 (medium) or 150,000 (large); \
         50 % less or more. No source states fees.";

    /// The estimate for a kind of audit and a size. `None` if one of them is not known, or if they do not go together.
    pub fn of(kind: RegimeKind, size: Option<SizeCategory>) -> Option<Self> {
        use RegimeKind::{Limited, Ordinary};
        use SizeCategory::{Large, Medium, Micro, Small};
        let francs = match (kind, size?) {
            (Limited, Micro) => 2_500,
            (Limited, Small) => 4_500,
            (Limited, Medium) => 9_000,
            (Ordinary, Small) => 20_000,
            (Ordinary, Medium) => 50_000,
            (Ordinary, Large) => 150_000,
            _ => return None,
        };
        let of = |halves: i64| {
            Amount::from_ten_thousandths(Amount::units(francs).ten_thousandths() / 2 * halves)
        };
        Some(Self { value: of(2), low: of(1), high: of(3) })
    }
}

/// A company that may change its auditor.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// Its row.
    pub row: u32,
    /// From 0 to 100.
    pub score: i32,
    /// How promising it is.
    pub readiness: Readiness,
    /// The parts with points. They add up to the score, or to less than 0.
    pub parts: Vec<ScorePart>,
    /// The audit that the law requires.
    pub duty: Duty,
    /// Estimated size and what the estimate is based on.
    pub size: Option<(SizeCategory, SizeBasis)>,
    /// Years since the appointment of the auditor. `None` if no auditor is known, or its start.
    pub tenure_years: Option<f64>,
    /// How long that is.
    pub tenure_risk: TenureRisk,
    /// What the audit may be worth.
    pub value: Option<MandateValue>,
}

/// The columns that prospects are found with.
pub fn needs() -> Needs {
    mandates::needs()
}

/// What judges companies.
pub struct Prospects<'a>(Mandates<'a>);

impl<'a> Prospects<'a> {
    /// Judges companies as of today.
    pub fn new(companies: &'a Companies, changes: &'a Changes, today: Day) -> Self {
        Self(Mandates::new(companies, changes, today))
    }

    /// The rows of the prospects of the selection, the highest score first, of equal ones the first rows first.
    pub fn ranked(
        &self,
        rows: &Rows,
        min_score: f64,
        readiness: Option<Readiness>,
    ) -> Result<Vec<u32>, InvalidRequest> {
        not_empty(rows)?;
        let wanted = |it: &Prospect| {
            f64::from(it.score) >= min_score
                && readiness.is_none_or(|readiness| readiness == it.readiness)
        };
        let found = rows.iter().filter_map(|row| self.of(row)).filter(wanted);
        let mut scores: Vec<(i32, u32)> = found.map(|it| (it.score, it.row)).collect();
        scores.sort_by_key(|it| std::cmp::Reverse(it.0));
        Ok(scores.into_iter().map(|it| it.1).collect())
    }

    /// The prospect of a row. `None` if the law is not known to require an audit of the company, or if it is in liquidation or in a
    /// moratorium.
    pub fn of(&self, row: u32) -> Option<Prospect> {
        let duty = self.0.duty(row);
        let is_audited = matches!(duty.kind, RegimeKind::Ordinary | RegimeKind::Limited);
        if !is_audited || self.0.is_in_liquidation(row) || self.0.has_moratorium(row) {
            return None;
        }
        let Mandate { size, tenure, lately } = self.0.of(row);
        let parts = parts(tenure, size.map(|it| it.0), lately);
        let score = parts.iter().map(|it| it.points).sum::<i32>().clamp(0, 100);
        Some(Prospect {
            row,
            score,
            readiness: Readiness::of(score),
            parts,
            duty,
            size,
            tenure_years: tenure.years(),
            tenure_risk: TenureRisk::of(tenure),
            value: MandateValue::of(duty.kind, size.map(|it| it.0)),
        })
    }
}

fn parts(tenure: Tenure, size: Option<SizeCategory>, lately: Lately) -> Vec<ScorePart> {
    let (tenure_points, tenure_reason) = match tenure {
        Tenure::NoKnownAuditor => (40, "No auditor is known."),
        Tenure::UnknownStart => (15, "The start of the auditor's tenure is not known."),
        Tenure::Years(years) => {
            let part = ((years - 3.0) / 12.0).clamp(0.0, 1.0);
            (
                (40.0 * part).round() as i32,
                "From 0 points for a tenure of 3 years to 40 for 15 years.",
            )
        }
    };
    let size_points = match size {
        Some(SizeCategory::Large) => 25,
        Some(SizeCategory::Medium) => 20,
        Some(SizeCategory::Small) => 10,
        Some(SizeCategory::Micro) | None => 0,
    };
    let kinds = [lately.capital_changed, lately.board_changed, lately.auditor_changed];
    let changes = kinds.into_iter().map(i32::from).sum::<i32>() * 5;
    let is_new = matches!(tenure, Tenure::Years(..2.0));
    let parts = [
        ("tenure", tenure_points, tenure_reason),
        ("size", size_points, "25 points for a large, 20 for a medium and 10 for a small company."),
        (
            "changes",
            changes,
            "5 points each for a change of the capital, the board or the auditor in the last 365 days.",
        ),
        (
            "newAuditor",
            if is_new { -40 } else { 0 },
            "The auditor has served for less than two years.",
        ),
    ];
    let parts = parts.into_iter().filter(|it| it.1 != 0);
    parts.map(|(part, points, reason)| ScorePart { part, points, reason }).collect()
}

#[cfg(test)]
mod tests {
    use domain::{ChangeKind, Status};

    use super::*;
    use crate::{
        FirmId,
        columns::{ChangeRow, CompanyRow},
        test::{count, day, register},
    };

    const TODAY: &str = "2026-11-30";

    fn prospect(change: impl Fn(&mut CompanyRow)) -> Option<Prospect> {
        let (companies, changes) = register(1, |_, row| {
            row.status = Some(Status::Active);
            row.audit_kind = Some(RegimeKind::Limited);
            change(row);
            vec![ChangeRow::new(day(TODAY), ChangeKind::CapitalChange)]
        });
        Prospects::new(&companies, &changes, day(TODAY)).of(0)
    }

    fn audited_for(row: &mut CompanyRow, years: f64) {
        row.auditor = Some(FirmId::at(0));
        row.auditor_since = Some(day(TODAY).plus(-(years * 365.25).ceil() as i32));
    }

    #[test]
    fn tenure_size_and_changes_make_the_score() {
        let with = |years: f64, employees: u32| {
            let found = prospect(|row| {
                audited_for(row, years);
                row.employees = count(employees);
            });
            let found = found.expect("a prospect");
            (found.score, found.readiness, found.tenure_risk)
        };
        assert_eq!(with(15.0, 300), (70, Readiness::Hot, TenureRisk::High));
        assert_eq!(with(9.0, 60), (45, Readiness::Warm, TenureRisk::Medium));
        assert_eq!(with(3.0, 10), (15, Readiness::Cold, TenureRisk::Low));
        assert_eq!(with(1.0, 300), (0, Readiness::Cold, TenureRisk::Low), "−10, but never below 0");
        let unknown = prospect(|_| {}).expect("a prospect");
        assert_eq!((unknown.score, unknown.tenure_risk), (45, TenureRisk::Unknown));
    }

    #[test]
    fn value_is_stated_only_where_duty_and_size_are_known() {
        let value = |kind, employees: Option<u32>| {
            let found = prospect(|row| {
                row.audit_kind = Some(kind);
                row.employees = employees.and_then(count);
            });
            found.and_then(|it| it.value)
        };
        let medium = value(RegimeKind::Ordinary, Some(100)).expect("known");
        let expected = [50_000, 25_000, 75_000].map(Amount::units);
        assert_eq!([medium.value, medium.low, medium.high], expected);
        assert_eq!(value(RegimeKind::Ordinary, None), None);
        assert_eq!(value(RegimeKind::Ordinary, Some(3)), None);
        assert_eq!(value(RegimeKind::Limited, Some(300)), None);
        for number in ["2,500", "4,500", "9,000", "20,000", "50,000", "150,000"] {
            assert!(MandateValue::BASIS.contains(number), "{number}");
        }
    }

    #[test]
    fn companies_without_a_duty_or_in_liquidation_are_no_prospects() {
        assert!(prospect(|row| row.audit_kind = None).is_none());
        assert!(prospect(|row| row.opted_out = Some(true)).is_none());
        assert!(prospect(|row| row.status = Some(Status::BeingCancelled)).is_none());
        assert!(
            prospect(|row| row.reason = Some(domain::company::StatusReason::Moratorium)).is_none()
        );
    }

    #[test]
    fn prospects_are_ranked_and_selected_by_score() {
        let (companies, changes) = register(40, |at, row| {
            row.audit_kind = Some(RegimeKind::Limited);
            audited_for(row, at as f64);
            row.employees = count(60);
            Vec::new()
        });
        let of = |min, readiness| {
            let prospects = Prospects::new(&companies, &changes, day(TODAY));
            prospects.ranked(&Rows::all(40), min, readiness).expect("valid")
        };
        let all = of(0.0, None);
        assert_eq!((all.len(), &all[..2]), (40, &[15, 16][..]), "from 15 years on, all are equal");
        assert!(of(60.0, None).iter().all(|it| *it >= 15));
        let sum: usize = Readiness::ALL.iter().map(|it| of(0.0, Some(*it)).len()).sum();
        assert_eq!(sum, 40);
        assert!(of(101.0, None).is_empty());
    }
}
