//! What became of a company, from its entry to its record of today: when something was published, what
//! it changed, and who came and went.
//!
//! The record is the end of the story. So the states are told backwards from it and the board forwards,
//! and both meet in the notices.

use domain::{Amount, Company, Status, Uid};
use jiff::civil::{Date, date};

use crate::{
    AUDIT_FIRMS, AUDIT_WORDS, DEMO_DATE, Past,
    board::{Board, Change},
    days_of, forms,
    localities::{self, Locality},
    names,
    people::Crowd,
    random::Random,
    vocabulary::{FAMILY_NAMES, FAMILY_NAMES_EVERYWHERE, TRADES},
};

/// From here on publications are numbered: of what was entered before, the entry is not known.
const NUMBERED_SINCE: Date = date(2001, 1, 8);
/// The limited audit, and waiving it.
const AUDIT_LAW: Date = date(2008, 1, 1);

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Matter {
    Entry,
    Name,
    Seat,
    Address,
    Purpose,
    Capital,
    Auditor,
    OptingOut,
    Board,
    Dissolved,
    Bankrupt,
    Deleted,
}

/// The company as a block of a publication gives it.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    pub(crate) translations: Vec<String>,
    pub(crate) seat: String,
    pub(crate) address: Address,
    pub(crate) purpose: String,
    /// With its currency.
    pub(crate) capital: Option<(i64, String)>,
    pub(crate) auditor: Option<Firm>,
    pub(crate) waives_audit: bool,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Address {
    pub(crate) care_of: Option<String>,
    pub(crate) street: Option<String>,
    pub(crate) house_number: Option<String>,
    pub(crate) po_box: Option<String>,
    pub(crate) zip_code: String,
    pub(crate) city: String,
}

/// A firm that audits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Firm {
    pub(crate) name: String,
    /// Of an invented one: nothing is said of those that exist but their name.
    pub(crate) uid: Option<Uid>,
    pub(crate) seat: &'static str,
}

/// One publication.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) day: i32,
    /// The day and number of the one before, where it was numbered.
    pub(crate) previous: (i32, Option<u64>),
    pub(crate) matters: Vec<Matter>,
    /// Nothing for an entry.
    pub(crate) before: Option<State>,
    /// Nothing for a deletion.
    pub(crate) after: Option<State>,
    pub(crate) board: Vec<Change>,
}

impl Notice {
    pub(crate) fn has(&self, matter: Matter) -> bool {
        self.matters.contains(&matter)
    }

    /// The state that it describes the company by.
    pub(crate) fn state(&self) -> &State {
        let state = self.before.as_ref().or(self.after.as_ref());
        state.expect("a notice has a block")
    }
}

/// The number of a publication: it grows from day to day, and no company has two in one day.
pub(crate) fn number(index: usize, day: i32) -> u64 {
    (i64::from(day) - 7_000).unsigned_abs() * crate::CAPACITY as u64 + index as u64
}

/// The notices of a company, oldest first; the newest alone unless there shall be plenty.
pub(crate) fn notices(index: usize, company: &Company, past: &Past, plenty: bool) -> Vec<Notice> {
    let random = &mut Random::for_life(index);
    let mut notices = dated(company, past, random);
    matters(&mut notices, company, past, random);
    states(&mut notices, company, past, random);
    board(&mut notices, index, past, random);
    let first_known = notices.first().map_or(0, |it| it.day);
    let mut previous = match notices.first() {
        Some(it) if it.has(Matter::Entry) => (it.day, None),
        // One that is not known any more.
        _ => {
            let registered = company.registration_date.map_or(first_known, days_of);
            let day =
                working_day(random.between(registered.min(first_known - 40), first_known - 30));
            (day, (day >= days_of(NUMBERED_SINCE)).then(|| number(index, day)))
        }
    };
    for notice in &mut notices {
        notice.previous = previous;
        previous = (notice.day, Some(number(index, notice.day)));
    }
    if !plenty {
        notices.drain(..notices.len().saturating_sub(1));
    }
    notices
}

/// Saturdays and Sundays nothing is published: the Friday before.
fn working_day(day: i32) -> i32 {
    match (day + 3).rem_euclid(7) {
        5 => day - 1,
        6 => day - 2,
        _ => day,
    }
}

/// The day of publication of what was entered this day.
fn published(entered: i32, random: &mut Random) -> i32 {
    let day = entered + random.between(2, 4);
    let day = match (day + 3).rem_euclid(7) {
        5 => day + 2,
        6 => day + 1,
        _ => day,
    };
    day.min(working_day(days_of(DEMO_DATE)))
}

/// When something was published: the entry, the newest change, and some between.
fn dated(company: &Company, past: &Past, random: &mut Random) -> Vec<Notice> {
    let registered = company.registration_date.map_or(0, days_of);
    let updated = company.updated_at.map_or(registered, |it| (it.as_second() / 86_400) as i32);
    let is_known = registered >= days_of(NUMBERED_SINCE);
    let entered = published(registered, random);
    let status = company.status;
    let newest = match company.deletion_date {
        Some(deleted) => published(days_of(deleted), random),
        None => working_day(updated),
    };
    let newest = newest.min(working_day(days_of(DEMO_DATE)));
    let mut days = Vec::new();
    let from = if is_known { entered + 1 } else { days_of(NUMBERED_SINCE) + 60 };
    let must_change = status != Some(Status::Active) || company.old_names.is_some();
    if is_known {
        days.push(entered);
    }
    if newest > from + 14 {
        let often: &[(u32, u32)] = match past.subject.form {
            forms::CORPORATION | forms::INVESTMENT_COMPANY | forms::PUBLIC_INSTITUTION => {
                &[(28, 0), (30, 1), (22, 2), (13, 3), (7, 5)]
            }
            forms::LIMITED_LIABILITY => &[(40, 0), (32, 1), (18, 2), (10, 3)],
            forms::SOLE_TRADER => &[(72, 0), (22, 1), (6, 2)],
            _ => &[(30, 0), (30, 1), (20, 2), (20, 3)],
        };
        for _ in 0..random.one_of(often) {
            days.push(working_day(random.between(from + 3, newest - 3)));
        }
        days.push(newest);
    } else if newest > from + 3 {
        days.push(newest);
    } else if must_change || !is_known {
        days.push(newest.max(working_day(from + 3)).max(from + i32::from(!is_known)));
    }
    // Of an old company one knows more than its end.
    if !is_known && days.len() < 2 && status != Some(Status::Active) {
        days.push(working_day(random.between(from, newest - 30)));
    }
    // Two notices in a row before what ends a company need two days.
    if company.old_names.is_some() && status != Some(Status::Active) && days.len() < 3 && is_known {
        let last = days.last().copied().unwrap_or(newest);
        if last - entered > 4 {
            days.push(working_day(entered + (last - entered) / 2).max(entered + 1));
        }
    }
    days.sort_unstable();
    days.dedup();
    days.into_iter()
        .map(|day| Notice {
            day,
            previous: (day, None),
            matters: Vec::new(),
            before: None,
            after: None,
            board: Vec::new(),
        })
        .collect()
}

/// What each notice is about.
fn matters(notices: &mut [Notice], company: &Company, past: &Past, random: &mut Random) {
    use Matter::{
        Address, Auditor, Bankrupt, Board, Capital, Deleted, Dissolved, Entry, Name, OptingOut,
        Purpose, Seat,
    };
    let registered = company.registration_date.map_or(0, days_of);
    let is_known = registered >= days_of(NUMBERED_SINCE);
    let has_capital = company.share_capital.is_some();
    let is_audited = company.auditor_name.is_some();
    let last = notices.len().saturating_sub(1);
    let mut open: Vec<usize> = (0..notices.len()).collect();
    if is_known {
        notices[0].matters.push(Entry);
        open.remove(0);
    }
    match company.status {
        Some(Status::Cancelled) if last > 0 || !is_known => {
            notices[last].matters.push(Deleted);
            open.retain(|it| *it != last);
        }
        Some(Status::BeingCancelled) if last > 0 || !is_known => {
            let is_bankrupt = past.subject.form == forms::SOLE_TRADER || random.chance(400);
            notices[last].matters.push(if is_bankrupt { Bankrupt } else { Dissolved });
            open.retain(|it| *it != last);
        }
        _ => {}
    }
    let pick = |random: &mut Random, open: &[usize]| -> Option<usize> {
        (!open.is_empty()).then(|| random.pick(open))
    };
    if company.old_names.is_some() {
        let at = pick(random, &open).unwrap_or(last);
        if !notices[at].has(Entry) && !notices[at].has(Deleted) {
            notices[at].matters.push(Name);
        }
    }
    // Whoever is older than the known notices has an auditor since one of them, and who waives the
    // audit and is older than the law does since then.
    if is_audited
        && !is_known
        && let Some(at) = pick(random, &open)
    {
        notices[at].matters.push(Auditor);
    }
    let waives = company.auditor_opt_out == Some(true);
    if waives && registered < days_of(AUDIT_LAW) {
        let later: Vec<usize> =
            open.iter().copied().filter(|it| notices[*it].day > days_of(AUDIT_LAW) + 60).collect();
        if let Some(at) = pick(random, &later) {
            notices[at].matters.push(OptingOut);
        }
    }
    #[rustfmt::skip]
    let often: [(u32, Matter); 6] = match past.subject.form {
        forms::SOLE_TRADER         => [(22, Board), (44, Address), (14, Purpose), (20, Seat), (0, Capital), (0, Auditor)],
        forms::LIMITED_LIABILITY   => [(46, Board), (26, Address), ( 8, Purpose), ( 9, Seat), (3, Capital), (8, Auditor)],
        forms::CORPORATION         => [(54, Board), (16, Address), ( 6, Purpose), ( 6, Seat), (6, Capital), (14, Auditor)],
        forms::BRANCH | forms::FOREIGN_BRANCH => [(70, Board), (30, Address), (0, Purpose), (0, Seat), (0, Capital), (0, Auditor)],
        _                          => [(70, Board), (14, Address), ( 6, Purpose), ( 0, Seat), (0, Capital), (10, Auditor)],
    };
    let mut takes_auditor = is_audited;
    for (place, at) in open.iter().copied().enumerate() {
        let notice = &mut notices[at];
        let wanted = match (notice.matters.is_empty(), place) {
            // The first that is known of an old company shows its board.
            (_, 0) if !is_known => vec![Board],
            (true, _) => {
                let first = random.one_of(&often);
                match random.chance(140) {
                    true => vec![first, random.one_of(&often)],
                    false => vec![first],
                }
            }
            (false, _) => Vec::new(),
        };
        for matter in wanted {
            let matter = match matter {
                Capital if !has_capital => Board,
                Auditor if !takes_auditor => Address,
                other => other,
            };
            if !notice.matters.contains(&matter) {
                notice.matters.push(matter);
            }
        }
        // One auditor in a few years.
        takes_auditor &= !notice.matters.contains(&Auditor) || random.chance(300);
        if notice.matters.contains(&Seat) {
            notice.matters.retain(|it| *it != Address);
        }
    }
}

/// Tells the states backwards from the record.
fn states(notices: &mut [Notice], company: &Company, past: &Past, random: &mut Random) {
    let mut state = State::of(company, past);
    for notice in notices.iter_mut().rev() {
        let after = state.clone();
        let matters = std::mem::take(&mut notice.matters);
        for matter in matters {
            let matter = match matter {
                Matter::Seat if !state.sat_elsewhere(past, random) => Matter::Address,
                other => other,
            };
            let is_told = match matter {
                Matter::Address => state.was_nearby(past, random),
                Matter::Name => state.was_called(company),
                Matter::Purpose => state.did(past, random),
                Matter::Capital => state.had(past, random),
                Matter::Auditor => state.was_audited_by(past, random),
                Matter::OptingOut => {
                    state.waives_audit = false;
                    let is_audited = past.subject.form == forms::CORPORATION || random.chance(250);
                    state.auditor = is_audited.then(|| Firm::some(past.subject.place, random));
                    true
                }
                Matter::Dissolved | Matter::Bankrupt => {
                    state.name.clone_from(&past.name);
                    true
                }
                _ => true,
            };
            if is_told && !notice.matters.contains(&matter) {
                notice.matters.push(matter);
            }
        }
        if notice.matters.is_empty() {
            notice.matters.push(Matter::Board);
        }
        notice.before = (!notice.has(Matter::Entry)).then(|| state.clone());
        notice.after = (!notice.has(Matter::Deleted)).then_some(after);
    }
}

impl State {
    fn of(company: &Company, past: &Past) -> Self {
        let auditor = company.auditor_name.as_deref();
        let text = |it: &Option<String>| it.clone().unwrap_or_default();
        Self {
            name: company.name.clone(),
            translations: company.translations.clone().unwrap_or_default(),
            seat: text(&company.legal_seat),
            address: Address {
                care_of: company.address_care_of.clone(),
                street: company.address_street.clone(),
                house_number: company.address_house_number.clone(),
                po_box: company.address_po_box.clone(),
                zip_code: text(&company.address_zip_code),
                city: text(&company.address_city),
            },
            purpose: text(&company.purpose),
            capital: company.share_capital.zip(company.currency.clone()).map(
                |(capital, currency)| {
                    (capital.ten_thousandths() / Amount::units(1).ten_thousandths(), currency)
                },
            ),
            auditor: auditor.map(|it| Firm::named(it, past.subject.place)),
            waives_audit: company.auditor_opt_out == Some(true),
        }
    }

    fn was_nearby(&mut self, past: &Past, random: &mut Random) -> bool {
        let street = names::street(random, past.subject.place);
        let number = random.between(1, 99).to_string();
        if self.address.street.as_deref() == Some(street) {
            return false;
        }
        self.address.street = Some(street.to_owned());
        self.address.house_number = Some(number);
        (self.address.care_of, self.address.po_box) = (None, None);
        true
    }

    fn sat_elsewhere(&mut self, past: &Past, random: &mut Random) -> bool {
        let Some(place) = past.subject.place.other(random) else { return false };
        if place.commune == self.seat || !self.was_nearby(past, random) {
            return false;
        }
        self.seat = place.commune.to_owned();
        self.address.zip_code = place.zip_code.to_owned();
        self.address.city = place.name.to_owned();
        true
    }

    fn was_called(&mut self, company: &Company) -> bool {
        let Some(name) = company.old_names.as_ref().and_then(|it| it.first()) else { return false };
        self.name.clone_from(name);
        self.translations.clear();
        *name != company.name
    }

    fn did(&mut self, past: &Past, random: &mut Random) -> bool {
        let division = past.subject.trade.division();
        let of_division = |it: &crate::vocabulary::Trade| {
            if it.division() == division { it.weight } else { 0 }
        };
        let trade = random.weighted(&TRADES, of_division);
        let earlier = names::Subject { trade, ..past.subject };
        let purpose = earlier.purpose(random, past.subject.trade);
        let differs = purpose != self.purpose;
        self.purpose = purpose;
        differs
    }

    fn had(&mut self, past: &Past, random: &mut Random) -> bool {
        let least = if past.subject.form == forms::CORPORATION { 100_000 } else { 20_000 };
        let Some((capital, _)) = &mut self.capital else { return false };
        *capital = match *capital {
            it if it > 2 * least => {
                random.pick(&[least, 2 * least, it / 2 / 1_000 * 1_000]).max(least)
            }
            it if it > least => least,
            it => it * 2,
        };
        true
    }

    fn was_audited_by(&mut self, past: &Past, random: &mut Random) -> bool {
        let Some(auditor) = &self.auditor else { return false };
        let mut drawn = (0..20).map(|_| Firm::some(past.subject.place, random));
        let Some(earlier) = drawn.find(|it| it.name != auditor.name) else { return false };
        self.auditor = Some(earlier);
        true
    }
}

impl Firm {
    fn some(place: &'static Locality, random: &mut Random) -> Self {
        let name = match random.one_of(&AUDIT_FIRMS) {
            "" => {
                let words = AUDIT_WORDS[place.language as usize];
                format!("{} {}", names::family_name(random, place), random.pick(words))
            }
            large => large.to_owned(),
        };
        Self::named(&name, place)
    }

    /// The same number and seat wherever the name is met. The number is beyond those of the register's
    /// own companies.
    fn named(name: &str, place: &'static Locality) -> Self {
        if AUDIT_FIRMS.iter().any(|it| it.1 == name) {
            return Self { name: name.to_owned(), uid: None, seat: "Zürich" };
        }
        let (family, word) = name.split_once(' ').unwrap_or((name, ""));
        let mut families = FAMILY_NAMES.iter().copied().flatten().chain(&FAMILY_NAMES_EVERYWHERE);
        let family = families.position(|it| *it == family).unwrap_or_default();
        let mut words = AUDIT_WORDS.iter().copied().flatten();
        let word = words.position(|it| *it == word).unwrap_or_default();
        let seven = u32::try_from(9_000_000 + family * 16 + word).unwrap_or_default();
        let mut numbers = (0..10).filter_map(|eighth| {
            let eight = seven * 10 + eighth;
            Some(eight * 10 + Uid::check_digit(eight)?)
        });
        let uid = numbers.next().and_then(Uid::from_number);
        let seats = &mut Random::for_person(u64::from(seven) | 5 << 60);
        let language = place.language;
        Self { name: name.to_owned(), uid, seat: localities::speaking(language, seats).residence() }
    }
}

/// Tells who came and went, forwards from the first board.
fn board(notices: &mut [Notice], index: usize, past: &Past, random: &mut Random) {
    let Some(first) = notices.first() else { return };
    let crowd = Crowd::of(index, past.subject.place);
    let mut board = Board::first(past, first.state().capital.clone(), crowd, random);
    let is_prose = crate::wording::is_prose(past.subject.place);
    let mut is_first = !first.has(Matter::Entry);
    for notice in notices {
        if notice.has(Matter::Entry) {
            notice.board = board.officers.iter().cloned().map(Change::Entered).collect();
        }
        if notice.has(Matter::Capital)
            && let Some(after) = &notice.after
        {
            notice.board.extend(board.shared_anew(after.capital.clone()));
        }
        if notice.has(Matter::Board) {
            if std::mem::take(&mut is_first) {
                notice.board.extend(board.shown(past, is_prose, random));
            }
            if notice.board.is_empty() {
                notice.board.extend(board.changed(past, is_prose, random));
            }
        }
        if notice.has(Matter::Dissolved) {
            notice.board.extend(board.liquidated());
        }
    }
}
