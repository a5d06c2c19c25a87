//! Moves of seats from one canton to another.

use std::{cmp::Reverse, collections::BTreeMap};

use domain::Canton;

use crate::{
    InvalidRequest, Needs, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn},
    groups::not_empty,
};

/// Moves between cantons.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Migrations {
    /// Moves from one canton to another, sorted by the two.
    pub flows: Vec<Migration>,
    /// Moves into each canton and out of it, of those with a known origin. Cantons without any are left out.
    pub net: BTreeMap<Canton, InAndOut>,
    /// Moves of which no earlier publication states the former canton.
    pub unknown_origin: u32,
}

/// Number of moves from one canton to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Migration {
    /// Canton before.
    pub from: Canton,
    /// Canton after.
    pub to: Canton,
    /// Number of moves.
    pub count: u32,
}

/// Number of moves into a canton and out of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InAndOut {
    /// Moves into the canton.
    pub into: u32,
    /// Moves out of the canton.
    pub out: u32,
}

impl Migrations {
    /// The largest flows, the largest first; of equal ones, in the order of the cantons.
    pub fn largest(&self, wanted: usize) -> Vec<Migration> {
        let mut largest = self.flows.clone();
        largest.sort_by_key(|it| Reverse(it.count));
        largest.truncate(wanted);
        largest
    }
}

/// The columns that [`migrations`] reads.
pub fn needs() -> Needs {
    let of_changes = [ChangeColumn::Day, ChangeColumn::FromCanton, ChangeColumn::ToCanton];
    Needs::of(&[CompanyColumn::Changes], &of_changes)
}

/// The moves of the selected companies. `window`: the days that count; `None` for all.
pub fn migrations(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    window: Option<Window>,
) -> Result<Migrations, InvalidRequest> {
    not_empty(rows)?;
    let window = window.map(Window::checked).transpose()?;
    let mut migrations = Migrations::default();
    let mut counts: BTreeMap<(Canton, Canton), u32> = BTreeMap::new();
    let places = companies.places_of_changes();
    for change in rows.iter().flat_map(|row| places.of(row)) {
        let Some(to) = changes.to_canton[change] else { continue };
        if window.is_some_and(|it| !it.contains(changes.day[change])) {
            continue;
        }
        match changes.from_canton[change] {
            Some(from) => *counts.entry((from, to)).or_default() += 1,
            None => migrations.unknown_origin += 1,
        }
    }
    for ((from, to), count) in counts {
        migrations.flows.push(Migration { from, to, count });
        migrations.net.entry(from).or_default().out += count;
        migrations.net.entry(to).or_default().into += count;
    }
    Ok(migrations)
}

#[cfg(test)]
mod tests {
    use domain::ChangeKind;

    use super::*;
    use crate::{
        Day,
        columns::ChangeRow,
        test::{day, register},
    };

    fn moved(on: Day, from: Option<Canton>, to: Canton) -> ChangeRow {
        let change = ChangeRow::new(on, ChangeKind::SeatChange);
        ChangeRow { from_canton: from, to_canton: Some(to), ..change }
    }

    #[test]
    fn planted_moves_are_found() {
        use Canton::{Ge, Zg, Zh};
        let today = day("2026-11-30");
        let (companies, changes) = register(100, |at, _| {
            let other = ChangeRow::new(today, ChangeKind::NameChange);
            let moves = match at {
                0..30 => vec![moved(today, Some(Zh), Zg)],
                30..35 => vec![moved(today.plus(-800), Some(Zh), Zg), moved(today, Some(Zg), Zh)],
                35..38 => vec![moved(today, None, Ge)],
                _ => vec![],
            };
            moves.into_iter().chain([other]).collect()
        });
        let rows = Rows::all(100);
        let all = migrations(&companies, &changes, &rows, None).expect("valid");
        let flow = |from, to, count| Migration { from, to, count };
        assert_eq!(all.flows, [flow(Zh, Zg, 35), flow(Zg, Zh, 5)]);
        assert_eq!(all.largest(1), [flow(Zh, Zg, 35)]);
        assert_eq!(all.unknown_origin, 3);
        assert_eq!(all.net[&Zg], InAndOut { into: 35, out: 5 });
        let sum = |of: fn(&InAndOut) -> u32| all.net.values().map(of).sum::<u32>();
        assert_eq!(sum(|it| it.into), sum(|it| it.out));
        let year = Some(Window::last(365, today));
        let recent = migrations(&companies, &changes, &rows, year).expect("valid");
        assert_eq!(recent.flows, [flow(Zh, Zg, 30), flow(Zg, Zh, 5)]);
        let some =
            migrations(&companies, &changes, &rows.filter(|it| it >= 35), None).expect("valid");
        assert_eq!((some.flows.len(), some.unknown_origin), (0, 3));
        let none = migrations(&companies, &changes, &Rows::default(), None);
        assert_eq!(none, Err(InvalidRequest::EmptySelection));
    }
}
