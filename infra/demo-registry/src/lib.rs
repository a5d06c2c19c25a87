//! The demo register: any number of invented companies, distributed like those of Switzerland, after six real ones of
//! which only the identity is stated; and the notices that the gazette would have published about the invented ones, in
//! the gazette's own format, and what GLEIF would state about their groups.
//!
//! Invariants: no clock, no I/O, one seed. A company depends on its index alone, so a smaller register is the beginning of
//! a larger one, and making a company takes the same time in a register of any size. The number of an invented company has
//! a valid check digit and is between `CHE-600.000.000` and `CHE-899.999.999`, where the office assigns none.
//!
//! | Module | Contents |
//! |---|---|
//! | `company`, `size` | the record: which members it has and how often, capital and employees |
//! | `business`, `names`, `purpose` | name and purpose |
//! | `showcase`, `letterbox` | groups, a merger, bankruptcies …; addresses with dozens of companies |
//! | `people`, `board` | officers: who they are, and who joins and leaves a board |
//! | `history`, `notice` | the notices of a company, and what each is about |
//! | `wording`, `publication` | the text of a notice, and the gazette's JSON |
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
mod localities;
mod names;
mod notice;
mod people;
mod publication;
mod purpose;
mod random;
mod showcase;
mod size;
mod trades;
mod wording;
mod words;

use domain::{Canton, Company, DEMO, Provenance, Status};
use jiff::civil::{Date, date};
use serde_json::Value;
use statements::{gleif::Entity, six::Shareholding};

/// The maximum number of companies: one for each combination of the seven leading digits of their numbers.
pub const CAPACITY: usize = 3_000_000;

/// The day of the register. No record has a later date.
pub const DEMO_DATE: Date = date(2026, 10, 31);

/// Real companies: number, name, canton, seat. All are corporations.
#[rustfmt::skip]
const REAL: [(u32, &str, Canton, &str); 6] = [
    (101_049_653, "ABB SA",                            Canton::Zh, "Zürich"),
    (101_329_561, "UBS SA",                            Canton::Zh, "Zürich"),
    (103_011_259, "Novartis Overseas Investments SA",  Canton::Bs, "Basel"),
    (103_000_037, "Roche Finance SA",                  Canton::Bs, "Basel"),
    (101_236_480, "Zurich Insurance Group SA",         Canton::Zh, "Zürich"),
    (105_909_036, "Nestlé S.A.",                       Canton::Vd, "Vevey"),
];

/// The first `count` companies of the register, at most [`CAPACITY`].
pub fn companies(count: usize) -> impl ExactSizeIterator<Item = Company> {
    (0..count.min(CAPACITY)).map(company)
}

/// The publications about the company with this index, oldest first, in the JSON of the gazette's portal: all of them, or
/// only the newest. Companies of the showcase always have all of theirs, the real ones none.
///
/// The ids begin with `demo-`; the portal has no such ids.
pub fn publications(index: usize, all: bool) -> Vec<Value> {
    company_with_publications(index, all).1
}

/// The company with this index, and its [`publications`].
pub fn company_with_publications(index: usize, all: bool) -> (Company, Vec<Value>) {
    if index < REAL.len() {
        return (company(index), Vec::new());
    }
    let (company, background) = company::invented(index);
    let company = with_source(company);
    let publications = publication::publications(index, &company, &background, all);
    (company, publications)
}

/// What GLEIF would state about the company with this index. `None` for companies that are in no group.
pub fn legal_entity(index: usize) -> Option<Entity> {
    match showcase::slot(index)? {
        showcase::Slot::Company(row) => row.legal_entity(),
        showcase::Slot::Letterbox(_) => None,
    }
}

/// What was disclosed to the exchange about the company with this index. `director`: the first member of its board.
pub fn disclosures(index: usize, director: &str) -> Vec<Shareholding> {
    match showcase::slot(index) {
        Some(showcase::Slot::Company(row)) => row.disclosures(director),
        Some(showcase::Slot::Letterbox(_)) | None => Vec::new(),
    }
}

fn company(index: usize) -> Company {
    let company = match REAL.get(index) {
        Some((number, name, canton, seat)) => {
            let mut company = Company::new(identifiers::uid_of(*number), *name);
            company.canton = Some(*canton);
            company.legal_seat = Some((*seat).to_owned());
            company.status = Some(Status::Active);
            company::set_form(&mut company, forms::CORPORATION);
            company
        }
        None => company::invented(index).0,
    };
    with_source(company)
}

fn with_source(mut company: Company) -> Company {
    company.data_source = Some(DEMO.to_owned());
    company.sources =
        vec![Provenance { source: DEMO.to_owned(), reference: None, date: Some(DEMO_DATE) }];
    company.completed()
}

#[cfg(test)]
mod tests;
