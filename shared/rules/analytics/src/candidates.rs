//! Companies that may need an auditor, or another one.
//!
//! A candidate is a company that the law requires to be audited, or of which this is not known. Its score is the sum of:
//!
//! | Part | Points |
//! |---|---|
//! | `auditor` | no known auditor: 40 |
//! | `tenure` | auditor for at least 10 years: 30; 7 years: 20; start not known: 10 |
//! | `size` | large: 20; medium: 10 |
//! | `capitalChange`, `boardChange`, `auditorChange` | in the last 365 days: 5 each |
//!
//! The weights are ours.

use domain::fingerprint::{SizeBasis, SizeCategory};
use obligations::RegimeKind;

use crate::{
    Day, InvalidRequest, Needs, Rows,
    columns::{Changes, Companies},
    groups::{named, not_empty},
    mandates::{self, Duty, Lately, Mandate, Mandates, ScorePart, Tenure},
};

/// A company that may need an auditor.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its row.
    pub row: u32,
    /// Sum of the points.
    pub score: i32,
    /// The parts with points.
    pub parts: Vec<ScorePart>,
    /// The audit that the law requires.
    pub duty: Duty,
    /// Estimated size and what the estimate is based on.
    pub size: Option<(SizeCategory, SizeBasis)>,
    /// Years since the appointment of the auditor. `None` if no auditor is known, or its start.
    pub tenure_years: Option<f64>,
    /// What may be a risk.
    pub indicators: Vec<&'static str>,
    /// Number of changes.
    pub changes: u32,
}

/// By what candidates are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Score.
    Score,
    /// Capital in francs.
    ShareCapital,
    /// Years since the appointment of the auditor.
    AuditorTenure,
    /// Number of changes.
    ChangeCount,
}

impl Order {
    /// Every order.
    pub const ALL: [Self; 4] =
        [Self::Score, Self::ShareCapital, Self::AuditorTenure, Self::ChangeCount];

    /// Name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score => "score",
            Self::ShareCapital => "shareCapital",
            Self::AuditorTenure => "auditorTenure",
            Self::ChangeCount => "changeCount",
        }
    }

    /// The order with this name.
    pub fn named(given: &str) -> Result<Self, InvalidRequest> {
        named("sortBy", given, Self::ALL, Self::name)
    }

    fn value(self, companies: &Companies, candidate: &Candidate) -> Option<f64> {
        match self {
            Self::Score => Some(f64::from(candidate.score)),
            Self::ShareCapital => companies.francs(candidate.row).map(|it| it.approximate()),
            Self::AuditorTenure => candidate.tenure_years,
            Self::ChangeCount => Some(f64::from(candidate.changes)),
        }
    }
}

/// The columns that candidates are found with.
pub fn needs() -> Needs {
    mandates::needs()
}

/// What judges companies.
pub struct Candidates<'a>(Mandates<'a>);

impl<'a> Candidates<'a> {
    /// Judges companies as of today.
    pub fn new(companies: &'a Companies, changes: &'a Changes, today: Day) -> Self {
        Self(Mandates::new(companies, changes, today))
    }

    /// The rows of the candidates of the selection in this order. Those without a value come last; of equal ones, the first rows first.
    pub fn ranked(
        &self,
        rows: &Rows,
        order: Order,
        descending: bool,
    ) -> Result<Vec<u32>, InvalidRequest> {
        not_empty(rows)?;
        let key = |row| {
            let value = order.value(self.0.companies, &self.of(row)?);
            Some((value.map_or(f64::INFINITY, |it| if descending { -it } else { it }), row))
        };
        let mut keys: Vec<(f64, u32)> = rows.iter().filter_map(key).collect();
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(keys.into_iter().map(|it| it.1).collect())
    }

    /// The candidate of a row. `None` if the law requires no audit of the company, or it was waived.
    pub fn of(&self, row: u32) -> Option<Candidate> {
        let duty = self.0.duty(row);
        if matches!(duty.kind, RegimeKind::OptingOut | RegimeKind::None) {
            return None;
        }
        let Mandate { size, tenure, lately } = self.0.of(row);
        let parts = parts(tenure, size.map(|it| it.0), lately);
        Some(Candidate {
            row,
            score: parts.iter().map(|it| it.points).sum(),
            parts,
            duty,
            size,
            tenure_years: tenure.years(),
            indicators: self.indicators(row, tenure, lately),
            changes: self.0.companies.changes[row as usize],
        })
    }

    fn indicators(&self, row: u32, tenure: Tenure, lately: Lately) -> Vec<&'static str> {
        let is_audited = self.0.companies.opted_out[row as usize] != Some(true);
        let found = [
            (tenure == Tenure::NoKnownAuditor, "no_known_auditor"),
            (tenure.years().is_some_and(|it| it >= LONG), "long_tenure"),
            (tenure == Tenure::UnknownStart, "tenure_not_known"),
            (lately.capital_changed, "capital_changed"),
            (lately.board_changed, "board_changed"),
            (lately.waiver_changed && is_audited, "waiver_revoked"),
            (self.0.has_moratorium(row), "moratorium"),
            (self.0.is_in_liquidation(row), "in_liquidation"),
        ];
        found.into_iter().filter(|it| it.0).map(|it| it.1).collect()
    }
}

const VERY_LONG: f64 = 10.0;
/// The lead auditor of an ordinary audit changes after so many years.
const LONG: f64 = obligations::MAX_LEAD_AUDITOR_YEARS as f64;

fn parts(tenure: Tenure, size: Option<SizeCategory>, lately: Lately) -> Vec<ScorePart> {
    let part = |part, points, reason| Some(ScorePart { part, points, reason });
    let of_tenure = match tenure {
        Tenure::NoKnownAuditor => part("auditor", 40, "No auditor is known."),
        Tenure::UnknownStart => {
            part("tenure", 10, "The start of the auditor's tenure is not known.")
        }
        Tenure::Years(VERY_LONG..) => {
            part("tenure", 30, "The auditor has served for at least 10 years.")
        }
        Tenure::Years(LONG..) => part("tenure", 20, "The auditor has served for at least 7 years."),
        Tenure::Years(_) => None,
    };
    let of_size = match size {
        Some(SizeCategory::Large) => part("size", 20, "The company is large."),
        Some(SizeCategory::Medium) => part("size", 10, "The company is of medium size."),
        _ => None,
    };
    let changed = |is: bool, name, reason| if is { part(name, 5, reason) } else { None };
    let all = [
        of_tenure,
        of_size,
        changed(
            lately.capital_changed,
            "capitalChange",
            "The capital changed in the last 365 days.",
        ),
        changed(
            lately.board_changed,
            "boardChange",
            "The board or the management changed in the last 365 days.",
        ),
        changed(
            lately.auditor_changed,
            "auditorChange",
            "The auditor changed in the last 365 days.",
        ),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use domain::{Amount, ChangeKind, Status, company::StatusReason};

    use super::*;
    use crate::{
        FirmId,
        columns::{ChangeRow, CompanyRow, Leading},
        test::{count, day, register},
    };

    const TODAY: &str = "2026-11-30";

    fn candidate(change: impl Fn(&mut CompanyRow) -> Vec<ChangeRow>) -> Option<Candidate> {
        let (companies, changes) = register(1, |_, row| {
            row.audit_kind = Some(RegimeKind::Limited);
            change(row)
        });
        Candidates::new(&companies, &changes, day(TODAY)).of(0)
    }

    fn audited_for(row: &mut CompanyRow, years: f64) {
        row.auditor = Some(FirmId::at(0));
        row.auditor_since = Some(day(TODAY).plus(-(years * 365.25).ceil() as i32));
    }

    #[test]
    fn score_is_the_sum_of_its_parts() {
        let today = day(TODAY);
        let full = candidate(|row| {
            audited_for(row, 10.0);
            row.employees = count(250);
            row.status = Some(Status::BeingCancelled);
            let board = ChangeRow {
                leading: Some(Leading::Left),
                ..ChangeRow::new(today, ChangeKind::BoardChange)
            };
            vec![
                board,
                ChangeRow::new(today, ChangeKind::CapitalChange),
                ChangeRow::new(today, ChangeKind::AuditorChange),
            ]
        });
        let full = full.expect("a candidate");
        assert_eq!((full.score, full.parts.len(), full.changes), (65, 5, 3));
        assert_eq!(
            full.indicators,
            ["long_tenure", "capital_changed", "board_changed", "in_liquidation"]
        );
        let score = |change: &dyn Fn(&mut CompanyRow)| {
            let found = candidate(|row| {
                change(row);
                Vec::new()
            });
            found.map(|it| it.score)
        };
        assert_eq!(score(&|_| {}), Some(40), "no known auditor");
        assert_eq!(score(&|row| audited_for(row, 9.99)), Some(20));
        assert_eq!(score(&|row| audited_for(row, 6.9)), Some(0));
        assert_eq!(score(&|row| row.auditor = Some(FirmId::at(0))), Some(10), "start not known");
        assert_eq!(score(&|row| row.opted_out = Some(true)), None);
        assert_eq!(score(&|row| row.audit_kind = Some(RegimeKind::None)), None);
        assert_eq!(score(&|row| row.audit_kind = None), Some(40), "the duty is not known");
    }

    #[test]
    fn old_changes_do_not_count() {
        let found = candidate(|row| {
            audited_for(row, 1.0);
            row.reason = Some(StatusReason::Moratorium);
            [-365, -364]
                .map(|it| {
                    ChangeRow::new(
                        day(TODAY).plus(it),
                        [ChangeKind::CapitalChange, ChangeKind::AuditOptOut][(it + 365) as usize],
                    )
                })
                .into()
        });
        let found = found.expect("a candidate");
        assert_eq!((found.score, found.indicators), (0, vec!["waiver_revoked", "moratorium"]));
    }

    #[test]
    fn candidates_without_a_value_come_last_in_both_directions() {
        let (companies, changes) = register(4, |at, row| {
            row.capital = [Some(5), None, Some(9), Some(5)][at].map(|it| Amount::units(it).into());
            Vec::new()
        });
        let of = |descending| {
            let candidates = Candidates::new(&companies, &changes, day(TODAY));
            candidates.ranked(&Rows::all(4), Order::ShareCapital, descending)
        };
        assert_eq!((of(true), of(false)), (Ok(vec![2, 0, 3, 1]), Ok(vec![0, 3, 2, 1])));
        for order in Order::ALL {
            let candidates = Candidates::new(&companies, &changes, day(TODAY));
            let all = candidates.ranked(&Rows::all(4), order, true);
            assert_eq!(all.map(|it| it.len()), Ok(4));
        }
    }
}
