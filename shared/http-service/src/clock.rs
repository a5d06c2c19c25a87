//! The time, where a test may steer it.

use std::{fmt, sync::Arc};

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// Tells the time: the system's, or a test's.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    pub fn system() -> Self {
        Self(Arc::new(Timestamp::now))
    }

    /// A clock that tells what a function says.
    pub fn telling(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The time in whole milliseconds: what is stored and answered needs no more.
    pub fn now(&self) -> Timestamp {
        let now = (self.0)();
        Timestamp::from_millisecond(now.as_millisecond()).unwrap_or(now)
    }

    /// The day in Switzerland, where the register's days are.
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
