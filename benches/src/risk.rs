//! Risk: scores as of one year before a bankruptcy or deletion, compared with those of matched survivors; base rates of the
//! register; duration of an assessment.
//!
//! The notices are invented, and so is who fails: the demo register draws bankruptcies and deletions without regard to what
//! happened before. So an area of about 0.5 is expected, and shows only that the score does not use what was published later.
//! It is slightly lower, because the last notice of a failed company is its end: it has one change less before. Nothing
//! follows for real companies. Owners, screening lists, mandates in other companies and shared addresses are not part of
//! it: those factors stay at their priors.

use std::thread;

use demo_registry::{DEMO_DATE, company_with_publications};
use domain::{ChangeKind, Company, Event, changes::LegalEvent};
use facts::{CompanyAsOf, ParsedFacts};
use jiff::{ToSpan, civil::Date};
use risk::{
    Assessment, FactorKind, Facts, MeasuredRates, Priors, RateCounter, Registered, assess,
    backtest::{Backtest, Candidate, Case, Scored, match_survivors},
};
use statements::Source;

use crate::{
    Error,
    samples::{self, Samples, microseconds, row},
};

/// The most companies whose notices are read: enough for a standard error of about 0.01.
const MAX_COMPANIES: usize = 100_000;
/// Survivors for each case.
const SURVIVORS: usize = 3;
/// Groups of the calibration table.
const GROUPS: usize = 10;

/// What is kept of a company until the survivors are chosen.
struct Outline {
    index: usize,
    legal_form: String,
    registered: Option<Date>,
    /// Day of its bankruptcy, or of its deletion for a reason other than a merger, a demerger or a move.
    failed: Option<Date>,
    /// Day of its end for any reason.
    ended: Option<Date>,
}

pub(crate) fn measure(companies: usize) -> Result<(), Error> {
    let count = companies.min(MAX_COMPANIES);
    eprintln!("risk: reading all notices of {count} companies …");
    let (outlines, rates) = outlines(count)?;
    print_rates(&rates);

    let (cases, candidates) = cases_and_candidates(&outlines);
    let only_cases: Vec<Case> = cases.iter().map(|it| it.1.clone()).collect();
    let only_candidates: Vec<Candidate> = candidates.iter().map(|it| it.1.clone()).collect();
    let matches = match_survivors(&only_cases, &only_candidates, SURVIVORS);
    eprintln!("risk: scoring {} cases and their survivors …", cases.len());
    let priors = Priors::published();
    let mut durations = Samples::default();
    let mut scored = Vec::new();
    for found in matches {
        let (index, case) = &cases[found.case];
        let day = case.failed.checked_sub(1.year())?;
        let Some(of_case) = assessment(*index, day, &priors, &mut durations)? else { continue };
        let mut of_survivors = Vec::new();
        for survivor in found.survivors {
            let index = candidates[survivor].0;
            of_survivors.extend(assessment(index, day, &priors, &mut durations)?);
        }
        // A case counts only together with a survivor.
        if !of_survivors.is_empty() {
            scored.push(Scored::of(&of_case, true));
            scored.extend(of_survivors.iter().map(|it| Scored::of(it, false)));
        }
    }
    let Some(prevalence) = prevalence(&outlines) else {
        return Err("no company was in the register a year ago".into());
    };
    print(&Backtest::of(&scored, prevalence, GROUPS), &durations);
    println!("Prevalence: {:.2} % of the companies failed in the last year.\n", prevalence * 100.0);
    Ok(())
}

/// The outlines of the companies, and the base rates of the year that ends with the register.
fn outlines(count: usize) -> Result<(Vec<Outline>, MeasuredRates), Error> {
    let threads = thread::available_parallelism()?.get();
    let parts: Vec<Result<_, Error>> = thread::scope(|scope| {
        let start = |first: usize| {
            scope.spawn(move || {
                let (mut found, mut counter) = (Vec::new(), RateCounter::new(DEMO_DATE));
                for index in (first..count).step_by(threads) {
                    let (company, facts) = read(index)?;
                    // As of the last day, so that rates and failures are those of the same facts.
                    if let Some(last) = facts.as_of(DEMO_DATE) {
                        found.push(outline(index, &company, &last));
                        let last = completed(last, &company);
                        counter.add(&last.company, &last.history);
                    }
                }
                Ok((found, counter))
            })
        };
        let readers: Vec<_> = (0..threads).map(start).collect();
        let joined = readers.into_iter().map(|it| it.join());
        joined.map(|it| it.unwrap_or_else(|_| Err("a reader panicked".into()))).collect()
    });
    let mut counter = RateCounter::new(DEMO_DATE);
    let mut outlines = Vec::new();
    for part in parts {
        let (found, counted) = part?;
        counter.merge(&counted);
        outlines.extend(found);
    }
    // The cases choose their survivors in this order.
    outlines.sort_by_key(|it| it.index);
    Ok((outlines, counter.rates()))
}

/// A company of the demo register and the facts of all its notices.
fn read(index: usize) -> Result<(Company, ParsedFacts), Error> {
    let (company, publications) = company_with_publications(index, true);
    let batch = sources::read(Source::Shab, &serde_json::to_vec(&publications)?)?;
    Ok((company, ParsedFacts::new(facts::facts(batch.statements))))
}

/// The entry of an old company is in no notice: its day and the legal form are those of the record, which do not change.
fn completed(mut past: CompanyAsOf, company: &Company) -> CompanyAsOf {
    past.company.registration_date = past.company.registration_date.or(company.registration_date);
    past
}

fn outline(index: usize, company: &Company, last: &CompanyAsOf) -> Outline {
    let events = || last.history.events.iter().map(|it| &it.event);
    let first =
        |is_wanted: fn(&Event) -> bool| events().filter(|it| is_wanted(it)).map(|it| it.date).min();
    Outline {
        index,
        legal_form: company.legal_form_code.clone().unwrap_or_default(),
        registered: company.registration_date,
        failed: first(is_failure),
        ended: first(is_end),
    }
}

/// Part of the companies that were in the register a year before its last day, and failed in that year: the same failures as
/// those of the cases. `None` if there were none.
fn prevalence(outlines: &[Outline]) -> Option<f64> {
    let first = DEMO_DATE.checked_sub(1.year()).ok()?;
    // A company in liquidation can still fail; one that was merged cannot.
    let end = |it: &Outline| it.failed.or(it.ended);
    let was_registered = |it: &&Outline| {
        it.registered.is_some_and(|it| it <= first) && end(it).is_none_or(|it| it > first)
    };
    let registered: Vec<&Outline> = outlines.iter().filter(was_registered).collect();
    let failed = registered.iter().filter(|it| it.failed.is_some()).count();
    (!registered.is_empty()).then(|| failed as f64 / registered.len() as f64)
}

fn is_failure(event: &Event) -> bool {
    match event.legal_event {
        Some(LegalEvent::BankruptcyOpened) => true,
        Some(
            LegalEvent::DeletedByMerger
            | LegalEvent::DeletedBySplitUp
            | LegalEvent::MovedAbroad
            | LegalEvent::SeatMovedOut,
        ) => false,
        _ => event.kind == ChangeKind::Deletion,
    }
}

fn is_end(event: &Event) -> bool {
    matches!(event.kind, ChangeKind::Bankruptcy | ChangeKind::Liquidation | ChangeKind::Deletion)
}

type Indexed<T> = Vec<(usize, T)>;

fn cases_and_candidates(outlines: &[Outline]) -> (Indexed<Case>, Indexed<Candidate>) {
    let (mut cases, mut candidates) = (Vec::new(), Vec::new());
    for it in outlines {
        let (legal_form, Some(registered)) = (it.legal_form.clone(), it.registered) else {
            continue;
        };
        match it.failed {
            Some(failed) if (failed - registered).get_days() >= 365 => {
                cases.push((it.index, Case { legal_form, registered, failed }));
            }
            Some(_) => {}
            None => {
                candidates.push((it.index, Candidate { legal_form, registered, ended: it.ended }));
            }
        }
    }
    (cases, candidates)
}

/// `None` if no notice shows that the company was in the register on that day.
fn assessment(
    index: usize,
    day: Date,
    priors: &Priors,
    durations: &mut Samples,
) -> Result<Option<Assessment>, Error> {
    let (company, facts) = read(index)?;
    let Some(past) = facts.as_of(day).map(|it| completed(it, &company)) else { return Ok(None) };
    let assessment = durations.time(|| {
        let facts = Facts::of_register(Registered {
            company: &past.company,
            history: &past.history,
            proofs: Some(&past.proofs),
        });
        assess(&facts, priors, day)
    });
    Ok(Some(assessment))
}

fn print_rates(rates: &MeasuredRates) {
    let percent =
        |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{:.2} %", it * 100.0));
    samples::header(&["Base rates of the loaded register, in the last year", "Figure"]);
    row(["companies", &rates.companies.to_string()]);
    row([
        "waived the limited audit, of those with an auditor or a waiver",
        &percent(rates.opting_out),
    ]);
    row(["a departure from the board", &percent(rates.board_departures)]);
    row(["a new address or seat", &percent(rates.address_changes)]);
    row(["bankruptcy opened", &percent(rates.bankruptcies)]);
    row(["deleted, without mergers", &percent(rates.deletions)]);
    println!();
}

fn print(backtest: &Backtest, durations: &Samples) {
    let decimals = |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{it:.3}"));
    samples::header(&["Risk one year before a failure (invented data)", "Figure"]);
    row(["cases / survivors", &format!("{} / {}", backtest.cases, backtest.survivors)]);
    let error = decimals(backtest.auc_standard_error);
    row(["area under the curve", &format!("{} ± {error}", decimals(backtest.auc))]);
    row(["assessment, p50", &microseconds(durations.median())]);
    row(["assessment, p99", &microseconds(durations.percentile(99))]);
    println!();

    samples::header(&["Scores", "Cases", "Survivors", "Mean score", "Failed"]);
    for it in &backtest.calibration {
        row([
            format!("{:.4} to {:.4}", it.lowest, it.highest),
            it.cases.to_string(),
            it.survivors.to_string(),
            format!("{:.4}", it.mean_score),
            format!("{:.4}", it.failed),
        ]);
    }
    println!();

    samples::header(&["Factor", "Area", "Raised: cases", "Raised: survivors", "Lift"]);
    for factor in FactorKind::ALL {
        let found = backtest.factors.iter().find(|it| it.factor == factor);
        let Some(it) = found else { continue };
        row([
            factor.code().to_owned(),
            decimals(it.auc),
            it.lift.cases.to_string(),
            it.lift.survivors.to_string(),
            decimals(it.lift.lift),
        ]);
    }
    println!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_demo_register_are_scored_a_year_before() {
        let (outlines, rates) = outlines(1_000).expect("readable notices");
        let (cases, candidates) = cases_and_candidates(&outlines);
        assert!(cases.len() > 3, "{}", cases.len());
        assert!(candidates.len() > 500, "{}", candidates.len());
        assert!(rates.bankruptcies.is_some_and(|it| it < 0.2), "{rates:?}");
        let mut scored = 0;
        for (index, case) in cases {
            let day = case.failed.checked_sub(1.year()).expect("a day");
            let priors = Priors::published();
            let found = assessment(index, day, &priors, &mut Samples::default()).expect("readable");
            let Some(found) = found else { continue };
            scored += 1;
            let evidence = found.factors.iter().flat_map(|it| &it.evidence);
            for row in evidence.filter(|it| it.sign.half_life_days().is_some()) {
                assert!(row.observed_at.is_some_and(|it| it <= day), "{row:?} as of {day}");
            }
        }
        assert!(scored > 3, "{scored}");
    }

    #[test]
    fn prevalence_counts_the_failures_of_the_last_year_among_those_registered_before() {
        let day = |text: &str| Some(text.parse::<Date>().expect("a day"));
        let last_year = DEMO_DATE.checked_sub(6.months()).ok();
        let outline = |registered, failed, ended| Outline {
            index: 0,
            legal_form: String::new(),
            registered,
            failed,
            ended,
        };
        let outlines = [
            outline(day("2010-01-01"), None, None),
            // In liquidation, and then deleted.
            outline(day("2010-01-01"), last_year, day("2020-01-01")),
            outline(day("2010-01-01"), day("2020-01-01"), day("2020-01-01")),
            outline(day("2010-01-01"), None, day("2020-01-01")),
            outline(last_year, None, None),
        ];
        assert_eq!(prevalence(&outlines), Some(0.5));
        assert_eq!(prevalence(&[]), None);
    }
}
