use std::collections::BTreeSet;

use crate::columns::{ChangeColumn, Changes, Companies, CompanyColumn};

/// The columns that an analysis reads. All others need not be fetched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Columns of companies.
    pub companies: BTreeSet<CompanyColumn>,
    /// Columns of changes.
    pub changes: BTreeSet<ChangeColumn>,
}

impl Needs {
    pub(crate) fn of(companies: &[CompanyColumn], changes: &[ChangeColumn]) -> Self {
        Self {
            companies: companies.iter().copied().collect(),
            changes: changes.iter().copied().collect(),
        }
    }

    /// Whether no column is needed.
    pub fn is_empty(&self) -> bool {
        self.companies.is_empty() && self.changes.is_empty()
    }

    /// These and others.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.companies.extend(others.companies);
        self.changes.extend(others.changes);
        self
    }

    /// Tables with these columns only.
    pub fn select(&self, companies: Companies, changes: Changes) -> (Companies, Changes) {
        let names: Vec<CompanyColumn> = self.companies.iter().copied().collect();
        let of_changes: Vec<ChangeColumn> = self.changes.iter().copied().collect();
        (companies.with_only(&names), changes.with_only(&of_changes))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use domain::{
        Amount, AuditorCategory, Canton, ChangeKind, Status, changes::LegalEvent,
        company::StatusReason,
    };
    use obligations::{Basis, RegimeKind};

    use super::*;
    use crate::{
        Currency, Day, LegalFormCode, Noga, Rows, Window, anomalies, audit_market, benchmark,
        candidates, clusters, cohorts,
        columns::{ChangeRow, CompanyRow, Firm, Firms, Leading},
        features::Feature,
        flows,
        groups::{self, GroupBy},
        migrations, prospects,
        random::Random,
        report, rfm,
        robust::Comparison,
        test::{count, day, register},
    };

    const COMPANIES: usize = 300;
    const TODAY: &str = "2026-11-30";

    /// A register in which every value is known for most companies.
    fn register_and_firms() -> (Companies, Changes, Firms) {
        let mut firms = Firms::default();
        let ids = ["A", "B", "C"].map(|it| firms.add(Firm { key: it.into(), name: it.into() }));
        let mut random = Random::new(4);
        let today = day(TODAY);
        let (companies, changes) = register(COMPANIES, |_, row| {
            let random = &mut random;
            let mut any = |of: usize| random.below(of);
            row.status = Some(Status::ALL[any(3)]);
            row.canton = Some(Canton::ALL[any(26)]);
            row.legal_form = LegalFormCode::new(["0106", "0107"][any(2)]);
            row.noga = Noga::new(["6201", "6419", "4711"][any(3)]);
            row.capital = Some(Amount::units(any(1_000_000) as i64).into());
            row.currency = Currency::new("CHF");
            row.founding = Some(today.plus(-(any(9_000) as i32)));
            row.registration = row.founding.filter(|_| any(5) > 0);
            if row.status == Some(Status::Cancelled) {
                row.deletion = Some(today.plus(-(any(3_000) as i32)));
                row.reason = Some([StatusReason::Merged, StatusReason::DeletedNoAssets][any(2)]);
            }
            row.officers = count(any(9) as u32);
            row.leaders = count(any(4) as u32);
            row.signers = count(1 + any(4) as u32);
            row.sole_signers = count(any(2) as u32);
            row.auditor = Some(ids[any(3)]).filter(|_| any(3) > 0);
            row.auditor_category = Some(AuditorCategory::ALL[any(7)]);
            row.auditor_since = Some(today.plus(-(any(5_000) as i32)));
            row.opted_out = Some(any(3) == 0);
            row.employees = count(any(400) as u32).filter(|_| any(2) > 0);
            row.last_change = Some(today.plus(-(any(900) as i32)));
            row.at_address = count(1 + any(50) as u32);
            row.audit_kind = Some([RegimeKind::Limited, RegimeKind::Ordinary][any(2)]);
            row.audit_basis = Some(Basis::Assumed);
            row.waiver_since = Some(today.plus(-(any(400) as i32)));
            let mut days: Vec<i32> = (0..any(9)).map(|_| any(2_000) as i32).collect();
            days.sort_unstable();
            let change = |ago: i32| ChangeRow {
                legal_event: Some(LegalEvent::BankruptcyOpened),
                from_canton: Some(Canton::ALL[any(26)]),
                to_canton: Some(Canton::ALL[any(26)]),
                old_capital: Some(Amount::units(1).into()),
                new_capital: Some(Amount::units(any(3) as i64).into()),
                from_auditor: Some(ids[any(3)]),
                to_auditor: Some(ids[any(3)]),
                leading: Some([Leading::Entered, Leading::Left][any(2)]),
                ..ChangeRow::new(today.plus(ago - 2_000), ChangeKind::ALL[any(10)])
            };
            days.into_iter().map(change).collect()
        });
        (companies, changes, firms)
    }

    /// What an analysis answers, as text.
    type Answer<'a> = Box<dyn Fn(&Companies, &Changes) -> String + 'a>;
    type Analysis<'a> = (String, Needs, Answer<'a>);

    fn all_analyses<'a>(firms: &'a Firms, rows: &'a Rows, today: Day) -> Vec<Analysis<'a>> {
        let mut all: Vec<Analysis> = Vec::new();
        let mut add = |name: &str, needs, analysis: Answer<'a>| {
            all.push((name.to_owned(), needs, analysis));
        };
        let year = Window::last(365, today);
        add(
            "cantons",
            GroupBy::Canton.needs(),
            Box::new(|it, _| format!("{:?}", groups::cantons(it, rows))),
        );
        add(
            "auditors",
            audit_market::needs(),
            Box::new(move |companies, changes| {
                format!("{:?}", audit_market::market(companies, changes, firms, rows, year, 2))
            }),
        );
        for by in GroupBy::ALL {
            for metric in cohorts::Metric::ALL {
                let question = cohorts::Question {
                    by,
                    metric,
                    since: None,
                    until: None,
                    today,
                    deletions_known_from: Some(Day::new(0)),
                };
                add(
                    &format!("{by:?} {metric:?}"),
                    question.needs(),
                    Box::new(move |companies, changes| {
                        format!("{:?}", cohorts::cohorts(companies, changes, rows, &question))
                    }),
                );
            }
            add(
                &format!("flows {by:?}"),
                flows::needs(by),
                Box::new(move |companies, _| {
                    format!(
                        "{:?}",
                        flows::flows(
                            companies,
                            rows,
                            flows::Period::Yearly,
                            by,
                            Window { since: Day::new(0), until: today },
                            today
                        )
                    )
                }),
            );
        }
        add(
            "migrations",
            migrations::needs(),
            Box::new(move |companies, changes| {
                format!("{:?}", migrations::migrations(companies, changes, rows, Some(year)))
            }),
        );
        add(
            "rfm",
            rfm::needs(),
            Box::new(move |companies, changes| {
                format!("{:?}", rfm::segments(companies, changes, rows, today, 5))
            }),
        );
        add(
            "benchmark",
            benchmark::needs(),
            Box::new(move |companies, changes| {
                let all = &benchmark::Dimension::ALL;
                let compare = |row| benchmark::benchmark(companies, changes, rows, row, all, today);
                rows.iter().take(8).map(|row| format!("{:?}", compare(row))).collect()
            }),
        );
        add(
            "candidates",
            candidates::needs(),
            Box::new(move |companies, changes| {
                let candidates = candidates::Candidates::new(companies, changes, today);
                rows.iter().map(|it| format!("{:?}", candidates.of(it))).collect()
            }),
        );
        add(
            "prospects",
            prospects::needs(),
            Box::new(move |companies, changes| {
                let prospects = prospects::Prospects::new(companies, changes, today);
                rows.iter().map(|it| format!("{:?}", prospects.of(it))).collect()
            }),
        );
        add(
            "reports",
            report::needs(),
            Box::new(move |companies, changes| {
                format!("{:?}", report::reports(companies, changes, firms, today))
            }),
        );
        for feature in Feature::ALL {
            let features = vec![feature];
            let question = clusters::Question {
                features: features.clone(),
                k: Some(2),
                seed: 1,
                samples: 2,
                today,
            };
            add(
                &format!("clusters {feature:?}"),
                question.needs(),
                Box::new(move |companies, changes| {
                    format!("{:?}", clusters::clusters(companies, changes, rows, &question))
                }),
            );
            for comparison in Comparison::ALL {
                let question = anomalies::Question {
                    algorithm: anomalies::Algorithm::IsolationForest,
                    features: features.clone(),
                    comparison,
                    threshold: None,
                    seed: 1,
                    limit: 5,
                    today,
                };
                add(
                    &format!("anomalies {feature:?} {comparison:?}"),
                    question.needs(),
                    Box::new(move |companies, changes| {
                        format!("{:?}", anomalies::anomalies(companies, changes, rows, &question))
                    }),
                );
            }
        }
        all
    }

    #[test]
    fn analyses_read_the_columns_that_they_name_and_no_others() {
        let (companies, changes, firms) = register_and_firms();
        let (rows, today) = (Rows::all(COMPANIES as u32), day(TODAY));
        for (name, needs, analysis) in all_analyses(&firms, &rows, today) {
            let whole = analysis(&companies, &changes);
            assert!(!whole.starts_with("Err"), "{name}: {whole}");
            let (some, of_changes) = needs.select(companies.clone(), changes.clone());
            assert_eq!(analysis(&some, &of_changes), whole, "{name}");
            for column in &needs.companies {
                let mut fewer = needs.clone();
                fewer.companies.remove(column);
                assert!(
                    panics(&fewer, &companies, &changes, &analysis),
                    "{name} does not need {column:?}"
                );
            }
            for column in &needs.changes {
                let mut fewer = needs.clone();
                fewer.changes.remove(column);
                assert!(
                    panics(&fewer, &companies, &changes, &analysis),
                    "{name} does not need {column:?}"
                );
            }
        }
    }

    /// Few companies, of which each value is unknown or extreme as often as not, on days before and after everything.
    #[test]
    fn no_analysis_fails_on_hostile_registers() {
        let (companies, changes, firms) = register_and_firms();
        let places = companies.places_of_changes();
        let mut random = Random::new(9);
        for size in [0, 1, 2, 40] {
            let (companies, changes) = register(size, |at, row| {
                *row = companies.row(at);
                hide_some(&mut random, row);
                places.of(at as u32).map(|it| changes.row(it)).collect()
            });
            let rows = Rows::all(companies.rows);
            for today in [Day::new(i32::MIN), day(TODAY), Day::new(i32::MAX)] {
                for (name, _, analysis) in all_analyses(&firms, &rows, today) {
                    let answer = analysis(&companies, &changes);
                    assert!(
                        !answer.contains("NaN") && !answer.contains("inf"),
                        "{name} {today:?}: {answer}"
                    );
                }
            }
        }
    }

    fn hide_some(random: &mut Random, row: &mut CompanyRow) {
        let mut hides = || random.below(2) == 0;
        let extreme = [Day::new(i32::MIN), Day::new(i32::MAX)];
        row.status = row.status.filter(|_| !hides());
        row.canton = row.canton.filter(|_| !hides());
        row.legal_form = row.legal_form.filter(|_| !hides());
        row.noga = row.noga.filter(|_| !hides());
        row.capital = if hides() {
            Some(Amount::from_ten_thousandths(i64::MAX).into())
        } else {
            row.capital.filter(|_| !hides())
        };
        row.currency = row.currency.filter(|_| !hides());
        row.founding = if hides() { Some(extreme[0]) } else { row.founding.filter(|_| !hides()) };
        row.registration = if hides() { Some(extreme[1]) } else { row.registration };
        row.deletion = if hides() { Some(extreme[usize::from(hides())]) } else { row.deletion };
        row.officers = if hides() { count(u32::MAX) } else { row.officers.filter(|_| !hides()) };
        row.signers = count(0).filter(|_| !hides());
        row.auditor_since = if hides() { Some(extreme[0]) } else { row.auditor_since };
        row.employees = if hides() { count(u32::MAX) } else { None };
        row.audit_kind = row.audit_kind.filter(|_| !hides());
        row.leaders = if hides() { count(u32::MAX) } else { None };
    }

    fn panics(
        needs: &Needs,
        companies: &Companies,
        changes: &Changes,
        analysis: &dyn Fn(&Companies, &Changes) -> String,
    ) -> bool {
        let (companies, changes) = needs.select(companies.clone(), changes.clone());
        catch_unwind(AssertUnwindSafe(|| analysis(&companies, &changes))).is_err()
    }
}
