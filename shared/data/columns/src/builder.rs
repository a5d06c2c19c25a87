//! Collects the rows of companies, and writes their files.

use std::{collections::HashMap, fs, path::Path};

use analytics::columns::{ChangeRow, Changes, Companies, CompanyColumn, CompanyRow, Firm, Firms};
use domain::{Company, History, Uid, auditors::Tenure};

use crate::{
    Error,
    chunks::{CHUNKS, Chunks, Place},
    layout::{FIRMS, FIRMS_NAME, Table},
    stored::{Reader, Writer},
    table::{Filled, write},
    value::{Column, Kind},
};

/// Collects companies, each once and in any order, and writes their columns. A company takes about 100 bytes of memory, and 12 for
/// each of its changes.
#[derive(Default)]
pub struct Builder {
    companies: Vec<Stored>,
    /// The number of each name of a firm.
    named: HashMap<Firm, u32>,
    /// For each name of a firm, how many companies use it.
    uses: Vec<u32>,
}

/// The rows of a company.
struct Stored {
    uid: Uid,
    row: Box<[u8]>,
    changes: Box<[u8]>,
    change_count: usize,
}

/// A row of companies, as it is written.
struct Listed<'a> {
    stored: &'a Stored,
    at_address: Option<u32>,
}

impl Builder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a company with its history. `tenures` are those of its auditors, the newest first: it gives a firm its name.
    pub fn push(&mut self, company: &Company, history: &History, tenures: &[Tenure]) {
        let mut firms = Firms::default();
        for tenure in tenures {
            firms.id(tenure);
        }
        let changes = ChangeRow::all_of(company, history, &mut firms);
        let row = CompanyRow::of(company, history, &mut firms, None, &changes);
        self.push_rows(&row, &changes, &firms);
    }

    /// Adds the rows of a company. The number of companies at its address is added when the columns are written.
    pub(crate) fn push_rows(&mut self, row: &CompanyRow, changes: &[ChangeRow], firms: &Firms) {
        let mut names = vec![None; firms.len()];
        let stored = Stored {
            uid: row.uid,
            row: self.encoded::<Companies>(std::slice::from_ref(row), firms, &mut names),
            changes: self.encoded::<Changes>(changes, firms, &mut names),
            change_count: changes.len(),
        };
        self.companies.push(stored);
    }

    /// The codes of rows. `names`: for each firm, the number of its name, if it is known already.
    fn encoded<T: Table>(
        &mut self,
        rows: &[T::Row],
        firms: &Firms,
        names: &mut [Option<u32>],
    ) -> Box<[u8]> {
        let mut writer = Writer::default();
        for row in rows {
            for (column, code) in columns::<T>().zip(T::codes(row)) {
                writer.push(match (column.kind, code) {
                    (Kind::Firm, Some(firm)) => self.name_of(firm, firms, names),
                    _ => code,
                });
            }
        }
        writer.finish()
    }

    /// The number of the name of a firm.
    fn name_of(&mut self, firm: i64, firms: &Firms, names: &mut [Option<u32>]) -> Option<i64> {
        let position = usize::try_from(firm).ok()?;
        let name = names.get_mut(position)?;
        let number = name.unwrap_or_else(|| {
            let firm = firms.get(analytics::FirmId::at(position));
            let next = u32::try_from(self.uses.len()).unwrap_or(u32::MAX);
            let number = *self.named.entry(firm.clone()).or_insert(next);
            if number == next {
                self.uses.push(0);
            }
            self.uses[number as usize] += 1;
            number
        });
        *name = Some(number);
        Some(number.into())
    }

    /// Writes the files into an existing directory. `documents`: each company with the number of companies at its address, in the
    /// order of the rows.
    ///
    /// # Errors
    /// If the companies are not those that were added, or if a file cannot be written.
    pub fn finish(
        mut self,
        directory: &Path,
        documents: impl IntoIterator<Item = (Uid, Option<u32>)>,
    ) -> Result<Chunks, Error> {
        let (firms, positions) = firms(self.named, &self.uses);
        let code = |column: Column, code: Option<i64>| match (column.kind, code) {
            (Kind::Firm, Some(name)) => {
                positions.get(usize::try_from(name).ok()?).map(|it| i64::from(*it))
            }
            _ => code,
        };
        self.companies.sort_unstable_by_key(|it| it.uid);
        let listed = listed(&self.companies, documents)?;
        let put = |name: &str, (bytes, place): (Vec<u8>, Place)| {
            fs::write(directory.join(file(name)), bytes).map(|()| place)
        };

        let described: Vec<Column> = columns::<Companies>().collect();
        let at_address = CompanyColumn::ALL.iter().position(|it| *it == CompanyColumn::AtAddress);
        let companies = write(Companies::NAME, &described, rows(listed.len())?, |position| {
            let codes = listed.iter().map(|it| match Some(position) == at_address {
                true => it.at_address.map(i64::from),
                false => {
                    code(described[position], codes::<Companies>(&it.stored.row, position).next()?)
                }
            });
            Filled::of(described[position], codes)
        })?;
        let companies = put(Companies::NAME, companies)?;

        let described: Vec<Column> = columns::<Changes>().collect();
        let count = listed.iter().map(|it| it.stored.change_count).sum();
        let changes = write(Changes::NAME, &described, rows(count)?, |position| {
            let codes = listed.iter().flat_map(|it| codes::<Changes>(&it.stored.changes, position));
            Filled::of(described[position], codes.map(|it| code(described[position], it)))
        })?;
        let changes = put(Changes::NAME, changes)?;

        let firms = write(FIRMS_NAME, &FIRMS, rows(firms.len())?, |position| {
            Filled::of_texts(firms.iter().map(|it| [it.key.as_str(), it.name.as_str()][position]))
        })?;
        let chunks = Chunks { companies, changes, firms: put(FIRMS_NAME, firms)? };
        let json = serde_json::to_vec(&chunks).map_err(std::io::Error::other)?;
        fs::write(directory.join(CHUNKS), json)?;
        Ok(chunks)
    }
}

/// The name of the file of a table.
pub(crate) fn file(table: &str) -> String {
    format!("{table}.parquet")
}

/// The columns of a table in the file.
fn columns<T: Table>() -> impl Iterator<Item = Column> {
    T::COLUMNS.iter().map(|it| T::column(*it))
}

/// The codes of rows in one column.
fn codes<T: Table>(rows: &[u8], position: usize) -> impl Iterator<Item = Option<i64>> {
    let after = T::COLUMNS.len() - position - 1;
    let mut reader = Reader::new(rows);
    std::iter::from_fn(move || {
        let is_row = !reader.is_at_end();
        is_row.then(|| {
            reader.skip(position);
            let code = reader.next();
            reader.skip(after);
            code
        })
    })
}

/// The firms, sorted by key, and for the number of each name the position of its firm. A firm has the name that most companies use,
/// of several the first one.
fn firms(named: HashMap<Firm, u32>, uses: &[u32]) -> (Vec<Firm>, Vec<u32>) {
    let mut named: Vec<(Firm, u32)> = named.into_iter().collect();
    let uses = |number: u32| uses.get(number as usize).copied().unwrap_or_default();
    named.sort_unstable_by(|(one, one_number), (other, other_number)| {
        let by_uses = uses(*other_number).cmp(&uses(*one_number));
        one.key.cmp(&other.key).then(by_uses).then_with(|| one.name.cmp(&other.name))
    });
    let mut positions = vec![0; named.len()];
    let mut firms: Vec<Firm> = Vec::new();
    for (firm, number) in named {
        if firms.last().is_none_or(|it| it.key != firm.key) {
            firms.push(firm);
        }
        positions[number as usize] = u32::try_from(firms.len() - 1).unwrap_or(u32::MAX);
    }
    (firms, positions)
}

/// The companies in the order of the documents.
fn listed(
    companies: &[Stored],
    documents: impl IntoIterator<Item = (Uid, Option<u32>)>,
) -> Result<Vec<Listed<'_>>, Error> {
    let mut is_listed = vec![false; companies.len()];
    let found = documents.into_iter().map(|(uid, at_address)| {
        let position = companies.binary_search_by_key(&uid, |it| it.uid).ok()?;
        let is_repeated = std::mem::replace(&mut is_listed[position], true);
        (!is_repeated).then_some(Listed { stored: &companies[position], at_address })
    });
    let listed: Option<Vec<Listed<'_>>> = found.collect();
    listed.filter(|it| it.len() == companies.len()).ok_or(Error::OtherCompanies)
}

fn rows(count: usize) -> Result<u32, Error> {
    Ok(u32::try_from(count).map_err(std::io::Error::other)?)
}
