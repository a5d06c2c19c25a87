//! The same queries to our index and to common alternatives: `SQLite` with FTS5, and PostgreSQL with full-text
//! search and `pg_trgm`. One run, one machine, the same companies.
//!
//! Every rival returns the first twenty company numbers and the exact total, but no records, so that indexes
//! are compared. Where we had a choice, the rivals have the advantage:
//!
//! - Their rows are stored in order of relevance and contain only the queried columns.
//! - Names and queries are folded beforehand, so accents make no difference.
//! - They know whether the last word is unfinished; our index always has to assume it may be.
//! - Statements are prepared, statistics are up to date, and caches are warm and larger than the data.
//! - Places are points in a plane, so no trigonometry is needed.
//! - A name is first searched as written, and by trigrams only where that finds fewer than five companies.
//!
//! Quality counts too: of the searches for one particular company, the share that has it among the first twenty
//! results, over the queries that every rival answered in time. Totals of lists and statistics must be equal
//! for all rivals, or the run fails.

mod postgres;
mod sqlite;

use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

use demo_registry::Register;
use domain::{Company, Status, Uid, text::fold};
use tempfile::TempDir;
use text_index::companies::{Builder, Companies};

use self::{postgres::Postgres, sqlite::Sqlite};
use crate::{
    Error,
    questions::{self, Answer, Filter, Kind, Question, Search},
    samples::{self, Samples, median_and_tail, row, seconds},
};

/// A rival gets no more queries of a kind after this time. Its results then cover those it answered.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A search that finds fewer companies is repeated with typos.
const FEW: u64 = 5;

/// Answers questions about companies.
trait Rival {
    fn answer(&mut self, question: &Question) -> Result<Answer, Error>;
}

/// The row of a company in the tables of a rival.
struct Row {
    uid: Uid,
    /// Current, former and translated names, folded.
    names: String,
    canton: Option<&'static str>,
    legal_form: Option<String>,
    status: Option<&'static str>,
    /// The first two digits of the NOGA code.
    division: Option<String>,
    /// Capital in whole units.
    capital: Option<i64>,
    /// Coordinates in a plane: east and north in kilometres from an arbitrary origin.
    place: Option<(f64, f64)>,
}

impl Row {
    fn of(company: &Company) -> Self {
        let others = company.old_names.iter().chain(&company.translations).flatten();
        let names: Vec<String> =
            std::iter::once(&company.name).chain(others).map(|it| fold(it)).collect();
        let division = company.noga_code.as_deref().and_then(|it| it.get(..2));
        Self {
            uid: company.uid,
            names: names.join(" "),
            canton: company.canton.map(|it| it.code()),
            legal_form: company.legal_form_code.clone(),
            status: company.status.map(Status::name),
            division: division.map(str::to_owned),
            capital: company.share_capital.map(|it| it.ten_thousandths() / 10_000),
            place: company.latitude.zip(company.longitude).map(|(lat, lng)| plane(lat, lng)),
        }
    }

    fn is_active(&self) -> bool {
        self.status != Some(Status::Cancelled.name())
    }
}

/// Coordinates in a plane, in kilometres. In Switzerland the error is about one percent.
fn plane(latitude: f64, longitude: f64) -> (f64, f64) {
    const KM_PER_DEGREE: f64 = 111.195;
    // The cosine of 46.8° north.
    (longitude * KM_PER_DEGREE * 0.6845, latitude * KM_PER_DEGREE)
}

pub(crate) fn measure(companies: usize, count: usize) -> Result<(), Error> {
    let folder = TempDir::new()?;
    eprintln!("rivals: {companies} companies …");
    let started = Instant::now();
    let (ours, mut rows) = ours(companies, folder.path())?;
    let mut built = vec![("Gotthard", seconds(started.elapsed()))];
    // Sorted by relevance, so that a list in that order is a scan of the primary key.
    rows.sort_by_cached_key(|it| (it.status, Reverse(it.capital), it.names.clone()));

    eprintln!("rivals: SQLite …");
    let started = Instant::now();
    let sqlite = Sqlite::of(&rows, &folder.path().join("companies.sqlite"))?;
    built.push(("SQLite", seconds(started.elapsed())));
    eprintln!("rivals: PostgreSQL …");
    let started = Instant::now();
    let postgres = Postgres::of(&rows)?;
    if postgres.is_some() {
        built.push(("PostgreSQL", seconds(started.elapsed())));
    } else {
        println!("PostgreSQL is not installed on this machine (Debian: `postgresql`).\n");
    }
    drop(rows);

    let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(ours), Box::new(sqlite)];
    rivals.extend(postgres.map(|it| Box::new(it) as Box<dyn Rival>));
    let names: Vec<String> =
        built.iter().map(|(name, _)| format!("{name}, p50 / p99 ms")).collect();
    samples::header(
        &[
            &["Query (share that found the wanted company)"],
            &names.iter().map(String::as_str).collect::<Vec<_>>()[..],
        ]
        .concat(),
    );
    let sample = questions::companies(companies, 2 * count);
    for kind in Kind::ALL.into_iter().filter(|it| *it != Kind::One) {
        eprintln!("rivals: {} …", kind.label());
        let searches = questions::questions(kind, &sample, count);
        let figures: Vec<Figures> = rivals
            .iter_mut()
            .map(|it| Figures::of(&mut **it, &searches))
            .collect::<Result<_, _>>()?;
        if matches!(kind, Kind::List | Kind::ByCapital | Kind::Statistics) {
            check_totals(&searches, &figures)?;
        }
        let answered_by_all = figures.iter().map(|it| it.samples.count()).min().unwrap_or_default();
        let cells = figures.iter().map(|it| it.cell(answered_by_all));
        row(std::iter::once(kind.label().to_owned()).chain(cells));
    }
    row(std::iter::once("building the index".to_owned())
        .chain(built.into_iter().map(|(_, duration)| duration)));
    println!();
    Ok(())
}

/// Our index of the companies, and their rows for the other databases.
fn ours(companies: usize, folder: &std::path::Path) -> Result<(Ours, Vec<Row>), Error> {
    let mut builder = Builder::new();
    let mut rows = Vec::with_capacity(companies);
    for company in Register::default().companies(companies) {
        builder.push(&company);
        rows.push(Row::of(&company));
    }
    let directory = folder.join("index");
    builder.finish(&directory)?;
    Ok((Ours(Companies::open(&directory)?), rows))
}

/// Our own index.
struct Ours(Companies);

impl Rival for Ours {
    fn answer(&mut self, question: &Question) -> Result<Answer, Error> {
        Ok(Answer::of(&self.0, question)?)
    }
}

/// The results of one rival for the queries of one kind.
struct Figures {
    samples: Samples,
    totals: Vec<Option<u64>>,
    /// Whether the answer contains the wanted company. `None` for queries without one.
    found: Vec<Option<bool>>,
    /// Number of queries.
    count: usize,
}

impl Figures {
    fn of(rival: &mut dyn Rival, searches: &[Search]) -> Result<Self, Error> {
        let started = Instant::now();
        for it in searches.iter().take(searches.len() / 10) {
            if started.elapsed() > TIME_LIMIT / 10 {
                break;
            }
            rival.answer(&it.question)?;
        }
        let mut figures = Self {
            samples: Samples::new(),
            totals: Vec::new(),
            found: Vec::new(),
            count: searches.len(),
        };
        let started = Instant::now();
        for Search { question, wanted } in searches {
            if started.elapsed() > TIME_LIMIT {
                break;
            }
            let answer = figures.samples.time(|| rival.answer(question))?;
            figures.totals.push(answer.total);
            figures.found.push(wanted.map(|it| answer.uids.contains(&it)));
        }
        Ok(figures)
    }

    /// The table cell: percentiles, and the share of wanted companies found in the first queries, which every
    /// rival answered.
    fn cell(&self, answered_by_all: usize) -> String {
        let mut cell = median_and_tail(&self.samples);
        let wanted: Vec<bool> =
            self.found.iter().take(answered_by_all).copied().flatten().collect();
        if !wanted.is_empty() {
            let found = wanted.iter().filter(|it| **it).count();
            cell += &format!(" ({:.0} %)", 100.0 * found as f64 / wanted.len() as f64);
        }
        if self.samples.count() < self.count {
            cell += &format!(", of {}", self.samples.count());
        }
        cell
    }
}

/// Fails where rivals found different totals, because their durations cannot be compared then.
fn check_totals(searches: &[Search], figures: &[Figures]) -> Result<(), Error> {
    for (at, it) in searches.iter().enumerate() {
        let mut totals = figures.iter().filter_map(|it| it.totals.get(at));
        let first = totals.next();
        if let Some(other) = totals.find(|it| Some(*it) != first) {
            return Err(
                format!("totals of {:?} differ: {first:?} and {other:?}", it.question).into()
            );
        }
    }
    Ok(())
}

/// The SQL condition of a filter, with the placeholder of its parameter.
fn condition(filter: &Filter, parameter: &str) -> String {
    match filter {
        Filter::Canton(_) => format!("canton = {parameter}"),
        Filter::LegalForm(_) => format!("legal_form = {parameter}"),
        Filter::Active => format!("status = {parameter}"),
        Filter::Division(_) => format!("division = {parameter}"),
        Filter::CapitalFrom(_) => format!("capital >= {parameter}"),
    }
}

/// The parameter of a filter.
enum Value<'a> {
    Text(&'a str),
    Number(i64),
}

fn value(filter: &Filter) -> Value<'_> {
    match filter {
        Filter::Canton(canton) => Value::Text(canton.code()),
        Filter::LegalForm(form) => Value::Text(form.code),
        Filter::Active => Value::Text(Status::Active.name()),
        Filter::Division(digits) => Value::Text(digits),
        Filter::CapitalFrom(units) => Value::Number(*units),
    }
}
