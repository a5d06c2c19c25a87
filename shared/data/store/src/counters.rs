use std::{fmt, net::IpAddr};

use access::{Network, RateGroup, Window};
use auth::{Caller, Creator, Entitlement, TeamId};
use jiff::Timestamp;

use crate::{
    Counters, Error,
    keys::{self, Key},
};

pub use crate::table::{CountError, Counted};

/// The client to which a rate limit applies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A team, with its sandbox.
    Team(TeamId),
    /// The Free teams that one user has created, with their sandboxes.
    FreeTeams(Creator),
    /// Clients without a token in one network.
    Network(Network),
}

impl Subject {
    /// Whose allowance the caller uses.
    pub fn of(caller: &Caller) -> Self {
        Self::of_team(caller.team(), caller.entitlement())
    }

    /// Whose allowance a team uses.
    pub fn of_team(team: &TeamId, entitlement: &Entitlement) -> Self {
        match entitlement.shared_with() {
            Some(creator) => Self::FreeTeams(creator.clone()),
            None => Self::Team(team.clone()),
        }
    }
}

/// The client with this address.
impl From<IpAddr> for Subject {
    fn from(address: IpAddr) -> Self {
        Self::Network(address.into())
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(team) => write!(f, "team#{team}"),
            Self::FreeTeams(creator) => write!(f, "creator#{creator}"),
            Self::Network(network) => write!(f, "address#{network}"),
        }
    }
}

/// Seconds that a counter is kept after its window.
pub(crate) const RETENTION: i64 = 3_600;

/// The counter of mails that mail servers have refused.
pub const REFUSED_MAILS: &str = "refused";

/// A period in which mails are counted. Windows start at full ten minutes, at full hours and at midnight UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MailWindow {
    TenMinutes,
    Hour,
    Day,
}

impl MailWindow {
    /// Length in seconds.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::TenMinutes => 600,
            Self::Hour => Window::Hour.seconds(),
            Self::Day => Window::Day.seconds(),
        }
    }

    /// Name in problems: `10m`, `1h` or `1d`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TenMinutes => "10m",
            Self::Hour => Window::Hour.header(),
            Self::Day => Window::Day.header(),
        }
    }

    /// In sentences.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TenMinutes => "10 minutes",
            Self::Hour => "an hour",
            Self::Day => "a day",
        }
    }

    /// Start of the window that contains `now`, in seconds since the Unix epoch.
    fn start(self, now: Timestamp) -> i64 {
        now.as_second() - now.as_second().rem_euclid(self.seconds())
    }

    /// Whole seconds until the window that contains `now` ends, at least 1.
    pub fn seconds_to_reset(self, now: Timestamp) -> i64 {
        (self.start(now) + self.seconds() - now.as_second()).max(1)
    }
}

impl Counters {
    /// Takes one unit of a group's current window if fewer than `limit` are taken.
    pub async fn take(
        &self,
        subject: &Subject,
        group: RateGroup,
        limit: u32,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        self.take_units(subject, group, 1, limit, now).await
    }

    /// Takes several units of a group's current window if `limit` allows all of them.
    pub async fn take_units(
        &self,
        subject: &Subject,
        group: RateGroup,
        units: u32,
        limit: u32,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        let expires = group.window().end(now) + RETENTION;
        self.table.count_below(window_key(subject, group, now), units, limit, expires).await
    }

    /// Refunds the unit taken at `taken_at` if fewer than `limit` units of its window were refunded.
    /// Returns how many units are still taken; `None` if nothing was refunded.
    pub async fn refund(
        &self,
        subject: &Subject,
        group: RateGroup,
        limit: u32,
        taken_at: Timestamp,
    ) -> Result<Option<u32>, Error> {
        self.table.count_down(window_key(subject, group, taken_at), 1, limit).await
    }

    /// Units taken in each group's current window, in the order of `groups`.
    pub async fn taken(
        &self,
        subject: &Subject,
        groups: &[RateGroup],
        now: Timestamp,
    ) -> Result<Vec<u32>, Error> {
        self.table.counts(groups.iter().map(|it| window_key(subject, *it, now)).collect()).await
    }

    /// Counts a mail of a sender or recipient, or of all, if fewer than `limit` were counted in the current window.
    pub async fn count_mail_in(
        &self,
        window: MailWindow,
        subject: &str,
        limit: u32,
        now: Timestamp,
    ) -> Result<Counted, CountError> {
        let expires = window.start(now) + window.seconds() + RETENTION;
        self.table.count_below(mails_in(window, subject, now), 1, limit, expires).await
    }

    /// Refunds a mail that was counted at `counted_at` and not sent, if fewer than `limit` were refunded in its window.
    pub async fn refund_mail(
        &self,
        window: MailWindow,
        subject: &str,
        limit: u32,
        counted_at: Timestamp,
    ) -> Result<(), Error> {
        self.table.count_down(mails_in(window, subject, counted_at), 1, limit).await.map(drop)
    }

    /// Counts a mail that a mail server has refused at this time.
    pub async fn count_refused_mail(&self, at: Timestamp) -> Result<(), CountError> {
        self.count_mail_in(MailWindow::Day, REFUSED_MAILS, u32::MAX, at).await.map(drop)
    }

    /// Mails that were counted by each of these counters in their current windows.
    pub async fn mails(
        &self,
        counters: &[(MailWindow, &str)],
        now: Timestamp,
    ) -> Result<Vec<u32>, Error> {
        let key = |(window, subject): &(MailWindow, &str)| mails_in(*window, subject, now);
        self.table.counts(counters.iter().map(key).collect()).await
    }

    /// Failed verifications of each subject in the current minute, in the order of `subjects`.
    pub async fn failures(&self, subjects: &[String], now: Timestamp) -> Result<Vec<u32>, Error> {
        self.table.counts(subjects.iter().map(|it| failure_key(it, now)).collect()).await
    }

    /// Counts a failed verification.
    pub async fn record_failure(&self, subject: &str, now: Timestamp) -> Result<(), CountError> {
        let expires = now.as_second() + RETENTION;
        self.table.count_below(failure_key(subject, now), 1, u32::MAX, expires).await.map(|_| ())
    }
}

fn window_key(subject: &Subject, group: RateGroup, now: Timestamp) -> Key {
    keys::count(&subject.to_string(), group, group.window().start(now))
}

/// Windows of different lengths may start at the same time.
fn mails_in(window: MailWindow, subject: &str, now: Timestamp) -> Key {
    keys::mails(&format!("{subject}#{}", window.name()), window.start(now))
}

fn failure_key(subject: &str, now: Timestamp) -> Key {
    keys::failures(subject, now.as_second().div_euclid(60))
}
