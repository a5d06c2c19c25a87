//! Risk: scores as of one year before a bankruptcy or deletion, compared with those of matched survivors; base rates of the
//! register; duration of an assessment.
//!
//! With `--notices`, the notices are those of the files of a folder. Otherwise they are invented, and so is who fails: the demo
//! register draws bankruptcies and deletions without regard to what happened before. So an area of about 0.5 is expected, and shows only that the score does not use what was published later.
//! It is slightly lower, because the last notice of a failed company is its end: it has one change less before. Nothing
//! follows for real companies. Owners, screening lists, mandates in other companies and shared addresses are not part of
//! it: those factors stay at their priors.

use std::{collections::BTreeMap, fs, path::Path, thread};

use demo_registry::{DEMO_DATE, Entry, Register};
use domain::{ChangeKind, Company, Event, Source, Uid, changes::LegalEvent};
use facts::{CompanyAsOf, Fact, ParsedFacts};
use jiff::{ToSpan, civil::Date};
use risk::{
    Assessment, FactorKind, Facts, MeasuredRates, Priors, RateCounter, Registered, assess,
    backtest::{Backtest, Candidate, Case, Scored, match_survivors},
};

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

/// The companies whose notices are read.
enum Notices {
    /// The first companies of the demo register.
    Invented { companies: usize },
    /// The facts of each company in files of the gazette.
    Real { companies: Vec<Vec<Fact>>, last_day: Date },
}

impl Notices {
    /// Reads the files of a folder, in any format of the gazette. Records that cannot be read are counted.
    fn of_folder(folder: &Path) -> Result<Self, Error> {
        let mut by_company: BTreeMap<Uid, Vec<Fact>> = BTreeMap::new();
        let mut rejected = 0;
        for file in fs::read_dir(folder)? {
            let batch = sources::read(Source::Shab, &fs::read(file?.path())?)?;
            rejected += batch.rejected.len();
            for fact in facts::facts(batch.statements) {
                by_company.entry(fact.uid).or_default().push(fact);
            }
        }
        let last_day = by_company.values().flatten().filter_map(|it| it.published).max();
        let last_day = last_day.ok_or("the folder contains no notices")?;
        if rejected > 0 {
            eprintln!("risk: {rejected} records cannot be read");
        }
        Ok(Self::Real { companies: by_company.into_values().collect(), last_day })
    }

    fn companies(&self) -> usize {
        match self {
            Self::Invented { companies } => *companies,
            Self::Real { companies, .. } => companies.len(),
        }
    }

    fn last_day(&self) -> Date {
        match self {
            Self::Invented { .. } => DEMO_DATE,
            Self::Real { last_day, .. } => *last_day,
        }
    }

    /// The facts of all notices of a company, and its record if it contains more.
    fn read(&self, index: usize) -> Result<(Option<Company>, ParsedFacts), Error> {
        match self {
            Self::Invented { .. } => {
                let Entry { company, facts, .. } = Register::default().entry(index, true);
                Ok((Some(company), ParsedFacts::new(facts)))
            }
            Self::Real { companies, .. } => Ok((None, ParsedFacts::new(companies[index].clone()))),
        }
    }
}

pub(crate) fn measure(companies: usize, notices: Option<&Path>) -> Result<(), Error> {
    let notices = match notices {
        Some(folder) => Notices::of_folder(folder)?,
        None => Notices::Invented { companies: companies.min(MAX_COMPANIES) },
    };
    eprintln!("risk: reading all notices of {} companies …", notices.companies());
    let (outlines, rates) = outlines(&notices)?;
    print_rates(&rates);

    let (cases, candidates) = cases_and_candidates(&outlines);
    let undated = outlines.iter().filter(|it| it.registered.is_none()).count();
    if undated > 0 {
        println!("{undated} companies are left out: no notice states the day of their entry.\n");
    }
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
        let Some(of_case) = assessment(&notices, *index, day, &priors, &mut durations)? else {
            continue;
        };
        let mut of_survivors = Vec::new();
        for survivor in found.survivors {
            let index = candidates[survivor].0;
            of_survivors.extend(assessment(&notices, index, day, &priors, &mut durations)?);
        }
        // A case counts only together with a survivor.
        if !of_survivors.is_empty() {
            scored.push(Scored::of(&of_case, true));
            scored.extend(of_survivors.iter().map(|it| Scored::of(it, false)));
        }
    }
    let Some(prevalence) = prevalence(&outlines, notices.last_day()) else {
        return Err("no company was in the register a year ago".into());
    };
    let data = match notices {
        Notices::Invented { .. } => "invented data",
        Notices::Real { .. } => "notices of the folder",
    };
    print(data, &Backtest::of(&scored, prevalence, GROUPS), &durations);
    println!("Prevalence: {:.2} % of the companies failed in the last year.\n", prevalence * 100.0);
    Ok(())
}

/// The outlines of the companies, and the base rates of the year that ends with the last notice.
fn outlines(notices: &Notices) -> Result<(Vec<Outline>, MeasuredRates), Error> {
    let threads = thread::available_parallelism()?.get();
    let last_day = notices.last_day();
    let parts: Vec<Result<_, Error>> = thread::scope(|scope| {
        let start = |first: usize| {
            scope.spawn(move || {
                let (mut found, mut counter) = (Vec::new(), RateCounter::new(last_day));
                for index in (first..notices.companies()).step_by(threads) {
                    let (record, facts) = notices.read(index)?;
                    // As of the last day, so that rates and failures are those of the same facts.
                    if let Some(last) = facts.as_of(last_day) {
                        found.push(outline(index, record.as_ref(), &last));
                        let last = completed(last, record.as_ref());
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
    let mut counter = RateCounter::new(last_day);
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

/// The entry of an old company is in no notice: its day is that of the record, which does not change.
fn completed(mut past: CompanyAsOf, record: Option<&Company>) -> CompanyAsOf {
    let registered = record.and_then(|it| it.registration_date);
    past.company.registration_date = past.company.registration_date.or(registered);
    past
}

fn outline(index: usize, record: Option<&Company>, last: &CompanyAsOf) -> Outline {
    let company = record.unwrap_or(&last.company);
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
fn prevalence(outlines: &[Outline], last_day: Date) -> Option<f64> {
    let first = last_day.checked_sub(1.year()).ok()?;
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
    notices: &Notices,
    index: usize,
    day: Date,
    priors: &Priors,
    durations: &mut Samples,
) -> Result<Option<Assessment>, Error> {
    let (record, facts) = notices.read(index)?;
    let past = facts.as_of(day).map(|it| completed(it, record.as_ref()));
    let Some(past) = past else { return Ok(None) };
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

fn print(data: &str, backtest: &Backtest, durations: &Samples) {
    let decimals = |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{it:.3}"));
    samples::header(&[&format!("Risk one year before a failure ({data})"), "Figure"]);
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
        let notices = Notices::Invented { companies: 1_000 };
        let (outlines, rates) = outlines(&notices).expect("readable notices");
        let (cases, candidates) = cases_and_candidates(&outlines);
        assert!(cases.len() > 3, "{}", cases.len());
        assert!(candidates.len() > 500, "{}", candidates.len());
        assert!(rates.bankruptcies.is_some_and(|it| it < 0.2), "{rates:?}");
        let mut scored = 0;
        for (index, case) in cases {
            let day = case.failed.checked_sub(1.year()).expect("a day");
            let priors = Priors::published();
            let found = assessment(&notices, index, day, &priors, &mut Samples::default());
            let found = found.expect("readable");
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
    fn notices_in_files_have_the_same_failures() {
        let folder = tempfile::tempdir().expect("a folder");
        let companies = 300;
        for (number, half) in [0..150, 150..companies].into_iter().enumerate() {
            let publications: Vec<serde_json::Value> =
                half.flat_map(|it| Register::default().publications(it, true)).collect();
            let json = serde_json::to_vec(&publications).expect("plain data");
            fs::write(folder.path().join(format!("{number}.json")), json).expect("written");
        }
        let failed = |notices: &Notices| {
            let (outlines, rates) = outlines(notices).expect("readable notices");
            let mut days: Vec<Date> = outlines.iter().filter_map(|it| it.failed).collect();
            days.sort_unstable();
            (days, rates.companies)
        };
        let real = Notices::of_folder(folder.path()).expect("notices");
        assert!(real.last_day() <= DEMO_DATE);
        let (days, counted) = failed(&real);
        assert!(days.len() > 3, "{days:?}");
        assert_eq!((days, counted), failed(&Notices::Invented { companies }));
        assert!(Notices::of_folder(tempfile::tempdir().expect("a folder").path()).is_err());
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
        assert_eq!(prevalence(&outlines, DEMO_DATE), Some(0.5));
        assert_eq!(prevalence(&[], DEMO_DATE), None);
    }
}
