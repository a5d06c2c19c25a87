//! The market of audits: which firms audit how many companies, and between which firms companies change.
//!
//! A firm with a company number is one firm; branches with numbers of their own are others. Firms without a number are the same if
//! their normalised names are. A firm with a number stays the same when it is renamed.

use std::{cmp::Reverse, collections::BTreeMap};

use domain::{AuditorCategory, fingerprint::SizeCategory};

use crate::{
    FirmId, InvalidRequest, Needs, Rows, Window,
    columns::{ChangeColumn, Changes, Companies, CompanyColumn, Firms},
    groups::{Group, GroupBy, largest_first, not_empty, percentage},
    mandates::needs_of_size,
};

/// Who audits companies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Auditor {
    /// A firm.
    Firm(FirmId),
    /// Nobody: the limited audit was waived, or the foundation is exempt.
    None,
    /// No source states an auditor.
    Unknown,
}

/// Companies of an auditor.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The auditor.
    pub auditor: Auditor,
    /// Category of the firm. `None` if the auditor is unknown.
    pub category: Option<AuditorCategory>,
    /// Number of companies.
    pub companies: u32,
    /// Part of the companies that have a known auditor, in percent. 0 for those without a known one.
    pub percentage: f64,
    /// Part of all companies of the selection, in percent.
    pub percentage_of_all: f64,
    /// Companies by canton, the largest groups first.
    pub by_canton: Vec<(Group, u32)>,
    /// Companies by estimated size, the smallest first, then those whose size is not known.
    pub by_size: Vec<(Option<SizeCategory>, u32)>,
    /// Firms from which companies changed to this one, those with the most companies first.
    pub gained_from: Vec<(FirmId, u32)>,
    /// Firms to which companies changed from this one, those with the most companies first.
    pub lost_to: Vec<(FirmId, u32)>,
}

/// The market of audits.
#[derive(Clone, Debug, PartialEq)]
pub struct Market {
    /// The firms with the most companies, the largest first, then of equal ones by name; then those without an audit and those whose
    /// auditor is unknown, if there are any.
    pub shares: Vec<Share>,
    /// Number of all firms.
    pub firms: usize,
    /// Number of companies with a known auditor.
    pub audited: u32,
    /// Number of changes from one firm to another in the window.
    pub changes: u32,
}

fn auditor(companies: &Companies, row: u32) -> Auditor {
    match (companies.auditor[row as usize], companies.opted_out[row as usize]) {
        (Some(firm), _) => Auditor::Firm(firm),
        (None, Some(true)) => Auditor::None,
        (None, _) => Auditor::Unknown,
    }
}

/// The columns that [`market`] reads.
pub fn needs() -> Needs {
    let of_companies = [CompanyColumn::Canton, CompanyColumn::Changes];
    let of_changes = [ChangeColumn::Day, ChangeColumn::FromAuditor, ChangeColumn::ToAuditor];
    Needs::of(&of_companies, &of_changes).and(needs_of_size())
}

/// The market of the selection. `limit`: number of firms to describe. `window`: days whose changes count.
pub fn market(
    companies: &Companies,
    changes: &Changes,
    firms: &Firms,
    rows: &Rows,
    window: Window,
    limit: usize,
) -> Result<Market, InvalidRequest> {
    not_empty(rows)?;
    let window = window.checked()?;
    let mut counts: BTreeMap<Auditor, u32> = BTreeMap::new();
    for row in rows.iter() {
        *counts.entry(auditor(companies, row)).or_default() += 1;
    }
    let is_firm = |it: &&(Auditor, u32)| matches!(it.0, Auditor::Firm(_));
    let counts: Vec<(Auditor, u32)> = counts.into_iter().collect();
    let audited = counts.iter().filter(is_firm).map(|it| it.1).sum();
    let mut largest: Vec<(Auditor, u32)> = counts.iter().filter(is_firm).copied().collect();
    let number_of_firms = largest.len();
    largest.sort_by_cached_key(|it| (Reverse(it.1), name(firms, it.0).map(str::to_owned), it.0));
    largest.truncate(limit);
    largest.extend(counts.iter().filter(|it| !is_firm(it)));
    let moves = moves(companies, changes, rows, window);
    let mut described: BTreeMap<Auditor, Share> = BTreeMap::new();
    for (auditor, count) in largest.iter().copied() {
        described.insert(auditor, share(firms, auditor, count, audited, rows.len(), &moves));
    }
    distribute(companies, rows, &mut described);
    let shares = largest.iter().filter_map(|it| described.remove(&it.0)).collect();
    Ok(Market { shares, firms: number_of_firms, audited, changes: moves.values().sum() })
}

fn name(firms: &Firms, auditor: Auditor) -> Option<&str> {
    match auditor {
        Auditor::Firm(id) => Some(&firms.get(id).name),
        Auditor::None | Auditor::Unknown => None,
    }
}

/// The number of companies that changed from one firm to another.
fn moves(
    companies: &Companies,
    changes: &Changes,
    rows: &Rows,
    window: Window,
) -> BTreeMap<(FirmId, FirmId), u32> {
    let places = companies.places_of_changes();
    let mut moves = BTreeMap::new();
    for change in rows.iter().flat_map(|row| changes.within(places.of(row), window)) {
        let pair = changes.from_auditor[change].zip(changes.to_auditor[change]);
        if let Some((from, to)) = pair.filter(|(from, to)| from != to) {
            *moves.entry((from, to)).or_default() += 1;
        }
    }
    moves
}

fn share(
    firms: &Firms,
    auditor: Auditor,
    count: u32,
    audited: u32,
    all: usize,
    moves: &BTreeMap<(FirmId, FirmId), u32>,
) -> Share {
    let is = |id: FirmId| auditor == Auditor::Firm(id);
    let gained = moves.iter().filter(|it| is(it.0.1)).map(|it| (it.0.0, *it.1));
    let lost = moves.iter().filter(|it| is(it.0.0)).map(|it| (it.0.1, *it.1));
    let market = if matches!(auditor, Auditor::Firm(_)) { count } else { 0 };
    Share {
        auditor,
        category: match auditor {
            Auditor::Firm(_) => name(firms, auditor).map(AuditorCategory::of_firm),
            Auditor::None => Some(AuditorCategory::None),
            Auditor::Unknown => None,
        },
        companies: count,
        percentage: percentage(market as usize, audited as usize),
        percentage_of_all: percentage(count as usize, all),
        by_canton: Vec::new(),
        by_size: Vec::new(),
        gained_from: largest_first(gained),
        lost_to: largest_first(lost),
    }
}

/// Counts the companies of each auditor by canton and by size.
fn distribute(companies: &Companies, rows: &Rows, shares: &mut BTreeMap<Auditor, Share>) {
    type Counts = (BTreeMap<Group, u32>, BTreeMap<Option<SizeCategory>, u32>);
    let mut counts: BTreeMap<Auditor, Counts> =
        shares.keys().map(|it| (*it, Counts::default())).collect();
    for row in rows.iter() {
        if let Some((cantons, sizes)) = counts.get_mut(&auditor(companies, row)) {
            *cantons.entry(GroupBy::Canton.group(companies, row)).or_default() += 1;
            *sizes.entry(companies.size(row)).or_default() += 1;
        }
    }
    for (auditor, (cantons, mut sizes)) in counts {
        let Some(share) = shares.get_mut(&auditor) else { continue };
        let unknown = sizes.remove(&None).map(|it| (None, it));
        share.by_canton = largest_first(cantons);
        share.by_size = sizes.into_iter().chain(unknown).collect();
    }
}

#[cfg(test)]
mod tests {
    use domain::{Canton, ChangeKind};

    use super::*;
    use crate::{
        columns::{ChangeRow, Firm},
        test::{count, day, register},
    };

    #[test]
    fn planted_mandates_and_moves_are_found() {
        let mut firms = Firms::default();
        let [kpmg, small, gone] = ["KPMG AG", "Prüf AG", "Alt Revision AG"]
            .map(|name| firms.add(Firm { key: name.into(), name: name.into() }));
        let today = day("2026-11-30");
        let moved = |from, to, ago: i32| {
            let change = ChangeRow::new(today.plus(-ago), ChangeKind::AuditorChange);
            ChangeRow { from_auditor: Some(from), to_auditor: Some(to), ..change }
        };
        let (companies, changes) = register(20, |at, row| {
            row.canton = Some(if at % 4 == 0 { Canton::Zh } else { Canton::Be });
            row.auditor = match at {
                0..8 => Some(kpmg),
                8..12 => Some(small),
                _ => None,
            };
            row.employees = count(if at < 4 { 300 } else { 3 }).filter(|_| at != 7);
            row.opted_out = (12..17).contains(&at).then_some(true);
            match at {
                0..2 => vec![moved(gone, kpmg, 30)],
                2 => vec![moved(gone, small, 300), moved(small, kpmg, 10)],
                3 => vec![moved(gone, kpmg, 366)],
                _ => vec![],
            }
        });
        let of = |rows: &Rows, limit| {
            market(&companies, &changes, &firms, rows, Window::last(365, today), limit)
        };
        let found = of(&Rows::all(20), 50).expect("valid");
        let auditors: Vec<_> =
            found.shares.iter().map(|it| (it.auditor, it.companies, it.percentage)).collect();
        let expected = [
            (Auditor::Firm(kpmg), 8, 66.67),
            (Auditor::Firm(small), 4, 33.33),
            (Auditor::None, 5, 0.0),
            (Auditor::Unknown, 3, 0.0),
        ];
        assert_eq!(auditors, expected);
        assert_eq!((found.firms, found.audited, found.changes), (2, 12, 4));
        let first = &found.shares[0];
        assert_eq!(first.category, Some(AuditorCategory::Kpmg));
        assert_eq!(first.percentage_of_all, 40.0);
        assert_eq!(first.gained_from, [(gone, 2), (small, 1)]);
        assert_eq!(found.shares[1].lost_to, [(kpmg, 1)]);
        let cantons = [(Group::Canton(Canton::Be), 6), (Group::Canton(Canton::Zh), 2)];
        assert_eq!(first.by_canton, cantons);
        let sizes = [(Some(SizeCategory::Micro), 3), (Some(SizeCategory::Large), 4), (None, 1)];
        assert_eq!(first.by_size, sizes);
        assert_eq!(found.shares.iter().map(|it| it.companies).sum::<u32>(), 20);
        assert_eq!(
            of(&Rows::all(20), 1).expect("valid").shares.len(),
            3,
            "one firm, none, unknown"
        );
        assert_eq!(of(&Rows::default(), 1), Err(InvalidRequest::EmptySelection));
    }
}
