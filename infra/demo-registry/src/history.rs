//! The notices of a company, from its entry to its record of today: when something was published, what it changed, and
//! who joined and left the board.
//!
//! The record is the last state. So the states are computed backwards from it and the board forwards from the entry; the
//! notices have both.

use domain::{Company, Status};
use jiff::civil::{Date, date};

use crate::{
    board::Board,
    business::Business,
    calendar::{days_of, published, working_day},
    company::Background,
    forms,
    life::{GAP, Life},
    localities::Style,
    names,
    notice::{AuditFirm, MergerParty, Notice, State, Topic},
    people::PeoplePool,
    random::Random,
    showcase::{Showcase, Story},
    size,
};

/// Publications have numbers since this day. The entry of an older company is not known.
const NUMBERED_SINCE: Date = date(2001, 1, 8);
/// Companies can waive the limited audit since this day.
const AUDIT_LAW: Date = date(2008, 1, 1);

/// The number of a publication. Later days have higher numbers, and no company has two publications on one day.
pub(crate) fn number(index: usize, day: i32) -> u64 {
    (i64::from(day) - 7_000).unsigned_abs() * crate::CAPACITY as u64 + index as u64
}

/// The notices of a company, oldest first: all of them, or only the newest. A company of the showcase has all of its own.
pub(crate) fn notices(
    index: usize,
    company: &Company,
    background: &Background,
    all: bool,
) -> Vec<Notice> {
    let random = &mut Random::for_history(index);
    let mut notices = dated(background, random);
    set_topics(&mut notices, company, background, random);
    set_states(&mut notices, company, background, random);
    set_board(&mut notices, index, background, random);
    let mut previous = match notices.first() {
        Some(it) if it.has(Topic::Entry) => (it.day, None),
        // An older notice, which is not known.
        known => {
            let registered = published(background.life.registered);
            let until = known.map_or(registered, |it| it.day - GAP);
            let day = working_day(random.between(registered, until));
            (day, (day >= days_of(NUMBERED_SINCE)).then(|| number(index, day)))
        }
    };
    for notice in &mut notices {
        notice.previous = previous;
        previous = (notice.day, Some(number(index, notice.day)));
    }
    if !all && !background.is_of_showcase(index) {
        notices.drain(..notices.len().saturating_sub(1));
    }
    notices
}

/// When something was published: the entry, changes, and the end.
fn dated(background: &Background, random: &mut Random) -> Vec<Notice> {
    let Life { registered, newest, .. } = background.life;
    let is_entry_known = registered >= days_of(NUMBERED_SINCE);
    let first = if is_entry_known { registered } else { days_of(NUMBERED_SINCE) + 60 };
    let mut days = Vec::new();
    days.extend(is_entry_known.then_some(registered));
    if newest > registered {
        days.push(newest);
        let ending = ending(&background.life);
        let mut until = newest;
        if ending.len() > 1 {
            until = working_day(newest - random.between(380, 600));
            days.push(until);
        }
        let counts: &[(u32, u32)] = match background.business.form {
            _ if background.is_showcase => &[(1, 4)],
            forms::CORPORATION | forms::PUBLIC_INSTITUTION => {
                &[(28, 0), (30, 1), (22, 2), (13, 3), (7, 5)]
            }
            forms::LIMITED_LIABILITY => &[(40, 0), (32, 1), (18, 2), (10, 3)],
            forms::SOLE_TRADER => &[(72, 0), (22, 1), (6, 2)],
            _ => &[(30, 0), (30, 1), (20, 2), (20, 3)],
        };
        let count = random.one_of(counts);
        let mut draw = |from: i32| {
            let day = working_day(random.between(from + GAP, until - GAP));
            if days.iter().all(|it| day.abs_diff(*it) >= GAP.unsigned_abs()) {
                days.push(day);
            }
        };
        // Not only the end of a company is known, but also what its record requires, such as a waived audit.
        if !ending.is_empty() {
            draw(first.max(days_of(AUDIT_LAW) + 60));
        }
        for _ in 0..count {
            draw(first);
        }
    }
    days.sort_unstable();
    days.into_iter().map(|it| Notice::of_day(published(it))).collect()
}

/// Decides what each notice is about.
fn set_topics(
    notices: &mut [Notice],
    company: &Company,
    background: &Background,
    random: &mut Random,
) {
    use Topic::{Address, Auditor, Board, Capital, Name, OptingOut, Purpose, Seat};
    let Life { registered, .. } = background.life;
    let is_entry_known = registered >= days_of(NUMBERED_SINCE);
    let is_audited = company.auditor_name.is_some();
    // The notices whose topics are not decided yet.
    let mut open: Vec<usize> = (0..notices.len()).collect();
    if is_entry_known {
        notices[0].topics.push(Topic::Entry);
        open.remove(0);
    }
    for topics in ending(&background.life).iter().rev() {
        let Some(last) = open.pop() else { break };
        notices[last].topics.extend(*topics);
        notices[last].merger_party = merger_party(background);
    }
    let pick = |random: &mut Random, open: &[usize]| -> Option<usize> {
        (!open.is_empty()).then(|| random.pick(open))
    };
    if company.old_names.is_some()
        && let Some(at) = pick(random, &open)
    {
        notices[at].topics.push(Name);
    }
    // The auditor of a company whose entry is not known was appointed in one of the known notices.
    if is_audited
        && !is_entry_known
        && let Some(at) = pick(random, &open)
    {
        notices[at].topics.push(Auditor);
    }
    // A company that is older than the law waived the audit in a later notice.
    let has_opted_out = company.auditor_opt_out == Some(true);
    if has_opted_out && registered < days_of(AUDIT_LAW) {
        let later: Vec<usize> =
            open.iter().copied().filter(|it| notices[*it].day > days_of(AUDIT_LAW) + 60).collect();
        if let Some(at) = pick(random, &later) {
            notices[at].topics.push(OptingOut);
        }
    }
    #[rustfmt::skip]
    let shares: [(u32, Topic); 6] = match background.business.form {
        forms::SOLE_TRADER         => [(22, Board), (44, Address), (14, Purpose), (20, Seat), (0, Capital), (0, Auditor)],
        forms::LIMITED_LIABILITY   => [(46, Board), (26, Address), ( 8, Purpose), ( 9, Seat), (3, Capital), (8, Auditor)],
        forms::CORPORATION         => [(54, Board), (16, Address), ( 6, Purpose), ( 6, Seat), (6, Capital), (14, Auditor)],
        forms::BRANCH | forms::FOREIGN_BRANCH => [(70, Board), (30, Address), (0, Purpose), (0, Seat), (0, Capital), (0, Auditor)],
        _                          => [(70, Board), (14, Address), ( 6, Purpose), ( 0, Seat), (0, Capital), (10, Auditor)],
    };
    let mut may_change_auditor = is_audited;
    for (place, at) in open.iter().copied().enumerate() {
        let notice = &mut notices[at];
        let wanted = match (notice.topics.is_empty(), place) {
            // The first known notice of an old company presents its board.
            (_, 0) if !is_entry_known => vec![Board],
            (true, _) => {
                let first = random.one_of(&shares);
                match random.chance(140) {
                    true => vec![first, random.one_of(&shares)],
                    false => vec![first],
                }
            }
            (false, _) => Vec::new(),
        };
        for topic in wanted {
            let topic = match topic {
                Capital if company.share_capital.is_none() => Board,
                Auditor if !may_change_auditor => Address,
                other => other,
            };
            if !notice.topics.contains(&topic) {
                notice.topics.push(topic);
            }
        }
        // Few companies change their auditor twice.
        may_change_auditor &= !notice.topics.contains(&Auditor) || random.chance(300);
        if notice.topics.contains(&Seat) {
            notice.topics.retain(|it| *it != Address);
        }
    }
}

/// What the newest notices are about, oldest first, where the life of the company decides it.
fn ending(life: &Life) -> &'static [&'static [Topic]] {
    use Topic::{Bankruptcy, Deletion, Dissolution};
    let is_deleted = life.status == Status::Cancelled;
    match life.story {
        None => &[],
        Some(Story::TakesOver(_)) => &[&[Topic::TakesOver]],
        Some(Story::TakenOverBy(_)) => &[&[Topic::TakenOver, Deletion]],
        Some(Story::OptingOut) => &[&[Topic::OptingOut]],
        Some(Story::Moratorium) => &[&[Topic::Moratorium]],
        Some(Story::Bankruptcy) if is_deleted => {
            &[&[Bankruptcy], &[Topic::BankruptcyClosed, Deletion]]
        }
        Some(Story::Bankruptcy) => &[&[Bankruptcy]],
        Some(Story::Liquidation) if is_deleted => &[&[Dissolution], &[Topic::Liquidated, Deletion]],
        Some(Story::Liquidation) => &[&[Dissolution]],
        Some(Story::Closure) => &[&[Topic::Ceased, Deletion]],
        Some(Story::Inactivity) => &[&[Topic::Inactive, Deletion]],
    }
}

fn merger_party(background: &Background) -> Option<MergerParty> {
    let (Story::TakesOver(other) | Story::TakenOverBy(other)) = background.life.story? else {
        return None;
    };
    let Showcase { name, place, .. } = other;
    Some(MergerParty { name, seat: place.commune, uid: other.uid() })
}

/// Sets the states before and after each notice, backwards from the record.
fn set_states(
    notices: &mut [Notice],
    company: &Company,
    background: &Background,
    random: &mut Random,
) {
    let mut state = State::of(company, background);
    for notice in notices.iter_mut().rev() {
        let after = state.clone();
        for topic in std::mem::take(&mut notice.topics) {
            let topic = match topic {
                Topic::Seat if !state.undo_seat(background, random) => Topic::Address,
                other => other,
            };
            let is_undone = match topic {
                Topic::Address => state.undo_address(background, random),
                Topic::Name => state.undo_name(company),
                Topic::Purpose => state.undo_purpose(background, random),
                Topic::Capital => state.undo_capital(background, random),
                Topic::Auditor => state.undo_auditor(background, random),
                Topic::OptingOut => {
                    state.has_opted_out = false;
                    state.auditor = Some(AuditFirm::any(background.business.place, random));
                    true
                }
                Topic::Dissolution | Topic::Bankruptcy => {
                    state.name.clone_from(&background.name);
                    true
                }
                _ => true,
            };
            if is_undone && !notice.has(topic) {
                notice.topics.push(topic);
            }
        }
        if notice.topics.is_empty() {
            notice.topics.push(Topic::Board);
        }
        notice.before = (!notice.has(Topic::Entry)).then(|| state.clone());
        notice.after = (!notice.has(Topic::Deletion)).then_some(after);
    }
}

/// Each of these makes the state that of before a change. They return `false` where there was nothing to change.
impl State {
    fn undo_address(&mut self, background: &Background, random: &mut Random) -> bool {
        let street = names::street(random, background.business.place);
        let number = random.between(1, 99).to_string();
        if self.address.street.as_deref() == Some(street) {
            return false;
        }
        self.address.street = Some(street.to_owned());
        self.address.house_number = Some(number);
        (self.address.care_of, self.address.po_box) = (None, None);
        true
    }

    fn undo_seat(&mut self, background: &Background, random: &mut Random) -> bool {
        let Some(place) = background.business.place.other(random) else { return false };
        if place.commune == self.seat || !self.undo_address(background, random) {
            return false;
        }
        self.seat = place.commune.to_owned();
        self.address.zip_code = place.zip_code.to_owned();
        self.address.city = place.name.to_owned();
        true
    }

    fn undo_name(&mut self, company: &Company) -> bool {
        let Some(name) = company.old_names.as_ref().and_then(|it| it.first()) else { return false };
        self.name.clone_from(name);
        self.translations.clear();
        *name != company.name
    }

    fn undo_purpose(&mut self, background: &Background, random: &mut Random) -> bool {
        let business = &background.business;
        let earlier = Business { trade: business.trade.similar(random), ..*business };
        let purpose = earlier.purpose(random, business.trade);
        let differs = purpose != self.purpose;
        self.purpose = purpose;
        differs
    }

    fn undo_capital(&mut self, background: &Background, random: &mut Random) -> bool {
        let least = size::least_capital(background.business.form, background.business.trade);
        let (Some((capital, currency)), Some(least)) = (&mut self.capital, least) else {
            return false;
        };
        let least = if currency == "CHF" { least } else { size::in_foreign_currency(least) };
        *capital = match *capital {
            it if it > 2 * least => {
                random.pick(&[least, 2 * least, it / 2 / 1_000 * 1_000]).max(least)
            }
            it if it > least => least,
            it => it * 2,
        };
        true
    }

    fn undo_auditor(&mut self, background: &Background, random: &mut Random) -> bool {
        let Some(auditor) = &self.auditor else { return false };
        let mut drawn = (0..20).map(|_| AuditFirm::any(background.business.place, random));
        let Some(earlier) = drawn.find(|it| it.name != auditor.name) else { return false };
        self.auditor = Some(earlier);
        true
    }
}

/// Sets who joins and leaves, forwards from the first board.
fn set_board(notices: &mut [Notice], index: usize, background: &Background, random: &mut Random) {
    let Some(first) = notices.first() else { return };
    let place = background.business.place;
    let is_corporation = background.business.form == forms::CORPORATION;
    let letterbox = background.letterbox.as_ref().filter(|_| is_corporation);
    let pool = PeoplePool::new(index, place, letterbox.map(|it| it.director));
    let capital = first.state().capital.clone();
    let mut board = Board::first(background, first.day, capital, pool, random);
    let is_prose = place.style() == Style::Prose;
    let mut is_presented = first.has(Topic::Entry);
    for notice in notices {
        if notice.has(Topic::Entry) {
            notice.board = board.entered();
        }
        let is_mutation = !notice.has(Topic::Entry) && !notice.has(Topic::Deletion);
        let joining = if is_mutation { board.admit(background, notice.day) } else { false };
        if joining && !notice.has(Topic::Board) {
            notice.topics.push(Topic::Board);
        }
        if (notice.has(Topic::Capital) || joining)
            && let Some(after) = &notice.after
        {
            notice.board.extend(board.divide(after.capital.clone()));
        }
        if notice.has(Topic::Board) {
            // The first known notice of an old company names everybody.
            if !std::mem::replace(&mut is_presented, true) {
                notice.board = board.entered();
            }
            if notice.board.is_empty() {
                notice.board.extend(board.changed(background, is_prose, random));
            }
        }
        if notice.has(Topic::Moratorium) {
            notice.board.push(board.administrator(random));
        }
        if notice.has(Topic::Dissolution) {
            notice.board.extend(board.liquidated());
        }
    }
}
