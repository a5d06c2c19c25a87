//! The demo register: any number of invented companies, distributed like those of Switzerland, after six real ones of
//! which only the identity is stated. Nothing is written into a record by hand: what is drawn of a company becomes what the
//! register, the gazette, GLEIF and other sources would state, in their formats, and goes through the same readers and fold as
//! imported files.
//!
//! Invariants: no clock, no I/O, one seed. A company depends on its index and the day alone, so a smaller register is the beginning of
//! a larger one, and making a company takes the same time in a register of any size. The number of an invented company has
//! a valid check digit and is between `CHE-600.000.000` and `CHE-899.999.999`, where the office assigns none.
//!
//! | Module | Contents |
//! |---|---|
//! | `company`, `size` | what is drawn of a company: which members it has and how often, capital and employees |
//! | `life` | when a company is entered, and how it ends |
//! | `business`, `names`, `purpose` | name and purpose |
//! | `showcase`, `letterbox` | groups, a merger, bankruptcies …; addresses with dozens of companies |
//! | `people`, `board` | officers: who they are, and who joins and leaves a board |
//! | `history`, `notice` | the notices of a company, and what each is about |
//! | `wording`, `publication` | the text of a notice, and the gazette's JSON |
//! | `record`, `others` | the JSON of the register; what other sources state |
//! | `words`, `trades`, `localities`, `forms` | the tables; `data` reads the files of the folder `data` |
//! | `random`, `identifiers`, `calendar` | the seeded generator, company numbers, days |

mod board;
mod business;
mod calendar;
mod company;
mod data;
mod forms;
mod history;
mod identifiers;
mod identity;
mod language;
mod letterbox;
mod life;
mod localities;
mod names;
mod notice;
mod others;
mod people;
mod publication;
mod purpose;
mod random;
mod record;
mod showcase;
mod size;
mod trades;
mod wording;
mod words;

use std::sync::LazyLock;

use domain::{Canton, Company, History, Source, Status, persons::RoleCategory};
use facts::{Fact, fold_with_history};
use jiff::civil::{Date, date};
use serde_json::Value;
use sources::localities::Localities;

use self::{
    calendar::Shift,
    company::Background,
    showcase::{Showcase, Slot},
};

/// The maximum number of companies: one for each combination of the seven leading digits of their numbers.
pub const CAPACITY: usize = 3_000_000;

/// The day for which the register is drawn. No statement is of a later one.
pub const DEMO_DATE: Date = date(2026, 10, 31);

/// Real companies: number, name, canton, seat. All are corporations.
#[rustfmt::skip]
const REAL: [(u32, &str, Canton, &str); 6] = [
    (101_049_653, "ABB AG",                            Canton::Zh, "Zürich"),
    (101_329_561, "UBS AG",                            Canton::Zh, "Zürich"),
    (103_011_259, "Novartis Overseas Investments AG",  Canton::Bs, "Basel"),
    (103_000_037, "Roche Finance AG",                  Canton::Bs, "Basel"),
    (101_236_480, "Zurich Insurance Group AG",         Canton::Zh, "Zürich"),
    (105_909_036, "Nestlé S.A.",                       Canton::Vd, "Vevey"),
];

/// The demo register on a day. Its newest statements are of the week before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Register {
    shift: Shift,
}

/// One company of the register: what the sources state, and what follows from it.
#[derive(Clone, Debug)]
pub struct Entry {
    pub company: Company,
    pub history: History,
    pub facts: Vec<Fact>,
}

impl Register {
    /// The register on this day.
    pub fn on(today: Date) -> Self {
        Self { shift: Shift::to(today) }
    }

    /// The day of the register: up to six days before the given one. No statement is of a later day.
    pub fn day(self) -> Date {
        self.shift.date(DEMO_DATE)
    }

    /// The first `count` companies of the register, at most [`CAPACITY`], without the histories of all but the showcase.
    pub fn companies(self, count: usize) -> impl ExactSizeIterator<Item = Company> {
        (0..count.min(CAPACITY)).map(move |index| self.company(index))
    }

    fn company(self, index: usize) -> Company {
        self.entry(index, false).company
    }

    /// The publications about the company with this index, oldest first, in the JSON of the gazette's portal: all of them, or
    /// only the newest. Companies of the showcase always have all of theirs, the real ones none.
    pub fn publications(self, index: usize, all: bool) -> Vec<Value> {
        Plan::of(index, all).publications(self.shift)
    }

    /// The company with this index: what the readers read from the sources, folded as everywhere.
    pub fn entry(self, index: usize, all: bool) -> Entry {
        let facts = self.facts(index, all);
        let (mut company, history) =
            fold_with_history(&facts).expect("every company is in the register");
        LOCALITIES.locate(&mut company);
        Entry { company: company.completed(), history, facts }
    }

    fn facts(self, index: usize, all: bool) -> Vec<Fact> {
        let plan = Plan::of(index, all);
        let mut statements = read(Source::Shab, &plan.publications(self.shift));
        statements.extend(read(Source::Zefix, &[plan.record(self.shift)]));
        let showcase = showcase(index);
        statements.extend(others::statements(&plan.company, showcase, self.shift));
        let mut facts = facts::facts(statements);
        if let Some(listed) = showcase.filter(|it| it.is_listed()) {
            let history = fold_with_history(&facts).map(|it| it.1).unwrap_or_default();
            let director = history.current_mandates().find(|it| it.category == RoleCategory::Board);
            let director = director.map(|it| it.person.full_name()).unwrap_or_default();
            facts.extend(facts::facts(others::disclosures(listed, &director, self.shift)));
        }
        facts
    }
}

/// Whether the company with this index is there to show something. In a register of any size it has all its notices and facts.
pub fn is_of_showcase(index: usize) -> bool {
    showcase::slot(index).is_some()
}

/// The larger localities of every canton, in the format of swisstopo's directory. Records get their positions from it.
pub fn localities() -> String {
    localities::directory()
}

static LOCALITIES: LazyLock<Localities> = LazyLock::new(|| {
    let read = sources::localities::read(localities().as_bytes());
    read.expect("a directory").dated(Some(LOCALITIES_DATE))
});

/// The day of [`localities`]. Any real directory is newer.
pub const LOCALITIES_DATE: Date = date(2020, 1, 1);

/// The row of the showcase for the company with this index.
fn showcase(index: usize) -> Option<&'static Showcase> {
    match showcase::slot(index)? {
        Slot::Company(row) => Some(row),
        Slot::Letterbox(_) => None,
    }
}

/// What is drawn of a company.
struct Plan {
    index: usize,
    company: Company,
    /// `None` for the real ones.
    background: Option<Background>,
    notices: Vec<notice::Notice>,
}

impl Plan {
    fn of(index: usize, all: bool) -> Self {
        if let Some((number, name, canton, seat)) = REAL.get(index) {
            let mut company = Company::new(identifiers::uid_of(*number), *name);
            company.canton = Some(*canton);
            company.legal_seat = Some((*seat).to_owned());
            company.status = Some(Status::Active);
            company::set_form(&mut company, forms::CORPORATION);
            return Self { index, company, background: None, notices: Vec::new() };
        }
        let (company, background) = company::invented(index);
        let notices = history::notices(index, &company, &background, all);
        Self { index, company, background: Some(background), notices }
    }

    fn publications(&self, shift: Shift) -> Vec<Value> {
        let Some(background) = &self.background else { return Vec::new() };
        let publication =
            |it| publication::publication(self.index, &self.company, background, it, shift);
        self.notices.iter().map(publication).collect()
    }

    fn record(&self, shift: Shift) -> Value {
        match self.background {
            Some(_) => record::record(&self.company, &self.notices, shift),
            None => record::identity(&self.company),
        }
    }
}

/// The records, read as a file of the source.
fn read(source: Source, records: &[Value]) -> Vec<domain::statements::CompanyStatement> {
    let bytes = serde_json::to_vec(records).expect("plain data");
    let batch = sources::read(source, &bytes).expect("a list of records");
    assert!(batch.rejected.is_empty(), "{:?}", batch.rejected);
    batch.statements
}

#[cfg(test)]
mod tests;
