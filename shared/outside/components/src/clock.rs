//! The current time, which tests can set.

use std::{fmt, sync::Arc};

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use crate::{Component, Components};

/// The system clock, or a clock that a test controls.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the clock of every request")]
    pub fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// A clock whose time is the result of a function.
    pub fn from_fn(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current time in whole milliseconds, the precision of stored and returned times.
    pub fn now(&self) -> Timestamp {
        let now = (self.0)();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    /// The current date in Switzerland, the time zone of the register's dates.
    pub fn today(&self) -> Date {
        let zurich = TimeZone::get("Europe/Zurich").unwrap_or(TimeZone::UTC);
        self.now().to_zoned(zurich).date()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

impl Component for Clock {
    fn open(_: &Components) -> Self {
        Self::system()
    }
}
