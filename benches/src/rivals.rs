//! The same questions to our index and to what a user would pick instead: `SQLite` with FTS5, and
//! PostgreSQL with its full-text search and `pg_trgm`. One run, one machine, the same companies.
//!
//! Every rival answers the first twenty numbers and the exact total, and nothing else: no records, so
//! that indexes are compared. Where there was a choice, the rival has the better of it:
//!
//! - Its rows stand in the order of relevance already, and hold only what is asked for.
//! - Names and questions come folded, so that no accent is in its way.
//! - It is told whether the last word is unfinished; our index always has to reckon with that.
//! - Statements are prepared, statistics gathered, caches larger than the data, and warm.
//! - Places lie in a plane, so that no sine is taken.
//! - A search with typos is asked as written first, and by trigrams where that finds fewer than five.
//!
//! What a rival finds counts too: of the searches for a whole name, how many have the company that was
//! meant among the first twenty, counted over the questions that all had the time to answer. Totals of
//! lists and statistics must be the same everywhere, or the run stops.

mod postgres;
mod sqlite;

use std::{
    cmp::Reverse,
    time::{Duration, Instant},
};

use domain::{Company, Status, Uid, text::fold};
use tempfile::TempDir;
use text_index::companies::{Builder, Companies};

use self::{postgres::Postgres, sqlite::Sqlite};
use crate::{
    Error,
    questions::{self, Answer, Asked, Filter, Kind, Question},
    samples::{self, Samples, median_and_tail, row, seconds},
};

/// After which a rival is asked no more questions of a kind. Its figures are of those it answered.
const PATIENCE: Duration = Duration::from_secs(60);

/// Fewer companies than these are few: a search is tried again with typos.
const FEW: u64 = 5;

/// Answers questions about companies.
trait Rival {
    fn answer(&mut self, question: &Question) -> Result<Answer, Error>;
}

/// What a rival keeps of a company.
struct Row {
    uid: Uid,
    /// All names, current, old and translated, folded.
    names: String,
    canton: Option<&'static str>,
    legal_form: Option<String>,
    status: Option<&'static str>,
    /// The first two digits of the NOGA code.
    division: Option<String>,
    /// In whole units.
    capital: Option<i64>,
    /// East and north of nowhere in particular, in kilometres.
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

    fn is_living(&self) -> bool {
        self.status != Some(Status::Cancelled.name())
    }
}

/// Where a place lies on a map, in kilometres. In Switzerland that is a percent from the truth.
fn plane(latitude: f64, longitude: f64) -> (f64, f64) {
    const KM_A_DEGREE: f64 = 111.195;
    // The cosine of 46.8° north.
    (longitude * KM_A_DEGREE * 0.6845, latitude * KM_A_DEGREE)
}

pub(crate) fn measure(companies: usize, count: usize) -> Result<(), Error> {
    let folder = TempDir::new()?;
    eprintln!("rivals: {companies} companies …");
    let started = Instant::now();
    let (ours, mut rows) = ours(companies, folder.path())?;
    let mut built = vec![("Gotthard", seconds(started.elapsed()))];
    // The smallest number is the most relevant: a list in that order is a walk along the primary key.
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
            &["Question (who meant one company found it)"],
            &names.iter().map(String::as_str).collect::<Vec<_>>()[..],
        ]
        .concat(),
    );
    let sample = questions::companies(companies, 2 * count);
    for kind in Kind::ALL.into_iter().filter(|it| *it != Kind::One) {
        eprintln!("rivals: {} …", kind.label());
        let asked = questions::questions(kind, &sample, count);
        let figures: Vec<Figures> =
            rivals.iter_mut().map(|it| Figures::of(&mut **it, &asked)).collect::<Result<_, _>>()?;
        if matches!(kind, Kind::List | Kind::ByCapital | Kind::Statistics) {
            check_totals(&asked, &figures)?;
        }
        let by_all = figures.iter().map(|it| it.samples.count()).min().unwrap_or_default();
        let shown = figures.iter().map(|it| it.shown(by_all));
        row(std::iter::once(kind.label().to_owned()).chain(shown));
    }
    row(std::iter::once("built".to_owned()).chain(built.into_iter().map(|(_, took)| took)));
    println!();
    Ok(())
}

/// Our index of the companies, and the rows of the others.
fn ours(companies: usize, folder: &std::path::Path) -> Result<(Ours, Vec<Row>), Error> {
    let mut builder = Builder::new();
    let mut rows = Vec::with_capacity(companies);
    for company in demo_registry::companies(companies) {
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

/// What one rival did with the questions of one kind.
struct Figures {
    samples: Samples,
    totals: Vec<Option<u64>>,
    /// Whether a question that meant a company had it in the answer.
    found: Vec<Option<bool>>,
    /// How many there were to answer.
    asked: usize,
}

impl Figures {
    fn of(rival: &mut dyn Rival, asked: &[Asked]) -> Result<Self, Error> {
        let started = Instant::now();
        for it in asked.iter().take(asked.len() / 10) {
            if started.elapsed() > PATIENCE / 10 {
                break;
            }
            rival.answer(&it.question)?;
        }
        let mut figures = Self {
            samples: Samples::new(),
            totals: Vec::new(),
            found: Vec::new(),
            asked: asked.len(),
        };
        let started = Instant::now();
        for Asked { question, meant } in asked {
            if started.elapsed() > PATIENCE {
                break;
            }
            let answer = figures.samples.time(|| rival.answer(question))?;
            figures.totals.push(answer.total);
            figures.found.push(meant.map(|it| answer.uids.contains(&it)));
        }
        Ok(figures)
    }

    /// Percentiles, and what was found of the first questions, which were answered by all.
    fn shown(&self, by_all: usize) -> String {
        let mut shown = median_and_tail(&self.samples);
        let meant: Vec<bool> = self.found.iter().take(by_all).copied().flatten().collect();
        if !meant.is_empty() {
            let found = meant.iter().filter(|it| **it).count();
            shown += &format!(" ({:.0} %)", 100.0 * found as f64 / meant.len() as f64);
        }
        if self.samples.count() < self.asked {
            shown += &format!(", of {}", self.samples.count());
        }
        shown
    }
}

/// Figures of different answers would say nothing.
fn check_totals(asked: &[Asked], figures: &[Figures]) -> Result<(), Error> {
    for (at, it) in asked.iter().enumerate() {
        let mut totals = figures.iter().filter_map(|it| it.totals.get(at));
        let first = totals.next();
        if let Some(other) = totals.find(|it| Some(*it) != first) {
            return Err(format!("{:?}: {first:?} is not {other:?}", it.question).into());
        }
    }
    Ok(())
}

/// A condition of SQL that keeps what a filter keeps, for its parameter's place.
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
