//! When companies are entered, and how they end. A branch looks both up of its head office.

use domain::Status;
use jiff::civil::date;

use crate::{
    DEMO_DATE,
    calendar::{days_of, entered, working_day},
    forms,
    random::Random,
    showcase::{Showcase, Story},
};

/// The least number of days between two entries of a company: a decision is made after what was entered before.
pub(crate) const GAP: i32 = 30;
/// How long a company that ends exists at least: it is liquidated for more than a year.
const LEAST: i32 = 4 * 365;
/// The registers were opened in 1883.
const OLDEST: i32 = 52_400;
/// Limited liability companies exist since 1937.
const OLDEST_LIMITED_LIABILITY: i32 = 85 * 365;

/// The beginning and end of a company. Days are those of the register's journal.
pub(crate) struct Life {
    pub(crate) status: Status,
    pub(crate) registered: i32,
    /// The newest entry in the journal, which of a deleted company is its deletion.
    pub(crate) newest: i32,
    /// What the newest entries are about, where that is not drawn at random.
    pub(crate) story: Option<Story>,
}

/// Legal form and status of a company. `random` is the generator for its record.
pub(crate) fn form_and_status(random: &mut Random) -> (&'static str, Status) {
    let form = random.one_of(&forms::FORMS);
    let status =
        random.one_of(&[(93, Status::Active), (3, Status::BeingCancelled), (4, Status::Cancelled)]);
    let status = match (form, status) {
        // A branch is closed, and public law decides about its institutions.
        (forms::BRANCH | forms::FOREIGN_BRANCH, Status::BeingCancelled)
        | (forms::PUBLIC_INSTITUTION, _) => Status::Active,
        (_, status) => status,
    };
    (form, status)
}

impl Life {
    /// The life of the company with this index.
    pub(crate) fn draw(index: usize, form: &str, status: Status) -> Self {
        let random = &mut Random::for_life(index);
        let oldest =
            if form == forms::LIMITED_LIABILITY { OLDEST_LIMITED_LIABILITY } else { OLDEST };
        // Most companies were founded in the last 40 years.
        let span = random.one_of(&[(86, 38 * 365), (10, 75 * 365), (4, oldest.unsigned_abs())]);
        // Drawn twice, so that six in ten are younger than a quarter of the span.
        let most = random.below(span.into());
        let age = random.below(most + 1) as i32;
        let registered = (last_beginning(status) - age).max(newest_possible() - oldest);
        Self::since(registered, form, status, random)
    }

    /// The life of a branch, which begins after its head office.
    pub(crate) fn of_branch(index: usize, head_office: &Self, form: &str, status: Status) -> Self {
        let random = &mut Random::for_life(index);
        let registered = random.between(head_office.registered + GAP, last_beginning(status));
        Self::since(registered, form, status, random)
    }

    /// Whether a branch with this status can begin after this company.
    pub(crate) fn can_have_branch(&self, status: Status) -> bool {
        self.status == Status::Active && self.registered + 2 * GAP < last_beginning(status)
    }

    pub(crate) fn of_showcase(showcase: &Showcase) -> Self {
        Self {
            status: showcase.status(),
            registered: days_of(showcase.registered),
            newest: entered(days_of(showcase.newest_notice)),
            story: showcase.story(),
        }
    }

    fn since(registered: i32, form: &str, status: Status, random: &mut Random) -> Self {
        let registered = working_day(registered);
        let least = if status == Status::Active { GAP } else { LEAST / 2 };
        let from = (registered + least).max(days_of(date(2015, 1, 5)));
        let to = newest_possible();
        let newest = match status {
            Status::Active if from > to => registered,
            Status::Active => random.between(from, to).max(random.between(from, to)),
            _ => random.between(from, to),
        };
        let story = story(form, status, random);
        Self { status, registered, newest: working_day(newest), story }
    }
}

/// The day of the newest entry that is published before the day of the register.
fn newest_possible() -> i32 {
    entered(working_day(days_of(DEMO_DATE) - 1))
}

/// The last day on which a company with this status can have been entered.
fn last_beginning(status: Status) -> i32 {
    newest_possible() - if status == Status::Active { 0 } else { LEAST }
}

/// How a company of this legal form ends. The court dissolves bankrupt ones; the others dissolve themselves, cease, or are
/// deleted ex officio. Sole traders and foundations have nobody who could decide their dissolution.
fn story(form: &str, status: Status, random: &mut Random) -> Option<Story> {
    let stories: &[(u32, Story)] = match (status, form) {
        (Status::Active, _) => return None,
        (Status::Cancelled, forms::SOLE_TRADER | forms::BRANCH | forms::FOREIGN_BRANCH) => {
            &[(1, Story::Closure)]
        }
        (_, forms::SOLE_TRADER | forms::FOUNDATION) => &[(1, Story::Bankruptcy)],
        (Status::BeingCancelled, _) => &[(40, Story::Bankruptcy), (60, Story::Liquidation)],
        (Status::Cancelled, _) => {
            &[(50, Story::Liquidation), (25, Story::Bankruptcy), (25, Story::Inactivity)]
        }
    };
    Some(random.one_of(stories))
}
