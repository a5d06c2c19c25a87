//! Invented registers for tests.

use domain::Uid;

use crate::{
    Count, Day,
    columns::{ChangeRow, Changes, Companies, CompanyRow, Places},
};

/// A day such as `2026-11-30`.
pub(crate) fn day(text: &str) -> Day {
    let date: jiff::civil::Date = text.parse().expect("a date");
    date.into()
}

pub(crate) fn count(number: u32) -> Option<Count> {
    Some(Count::new(number))
}

/// So many companies, each as the function changes it.
pub(crate) fn companies(number: usize, change: impl Fn(usize, &mut CompanyRow)) -> Companies {
    register(number, |at, row| {
        change(at, row);
        Vec::new()
    })
    .0
}

/// So many companies, each as the function changes it, with the changes that it returns.
pub(crate) fn register(
    number: usize,
    mut change: impl FnMut(usize, &mut CompanyRow) -> Vec<ChangeRow>,
) -> (Companies, Changes) {
    let (mut companies, mut changes) = (Companies::default(), Changes::default());
    for at in 0..number {
        let uid = Uid::from_number(100_000_000 + at as u32).expect("nine digits");
        let mut row = CompanyRow::unknown(uid);
        let rows = change(at, &mut row);
        row.changes = rows.len() as u32;
        companies.push(row);
        rows.into_iter().for_each(|it| changes.push(it));
    }
    (companies, changes)
}

impl Companies {
    /// The same companies in the opposite order, each with its changes.
    pub(crate) fn reversed(&self, changes: &Changes, places: &Places) -> (Self, Changes) {
        let (mut companies, mut reversed) = (Self::default(), Changes::default());
        for row in (0..self.uid.len()).rev() {
            companies.push(self.row(row));
            places.of(row as u32).for_each(|it| reversed.push(changes.row(it)));
        }
        (companies, reversed)
    }
}
