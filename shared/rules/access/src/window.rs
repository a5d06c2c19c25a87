use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Period over which requests are counted: `hour` or `day` (in headers and problems: `1h` or `1d`). Windows start at
/// full hours and at midnight UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    /// 3,600 seconds.
    Hour,
    /// 86,400 seconds.
    Day,
}

impl Window {
    /// Length in seconds.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Hour => 3_600,
            Self::Day => 86_400,
        }
    }

    /// Value of the `x-ratelimit-window` header.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Hour => "1h",
            Self::Day => "1d",
        }
    }

    /// Noun for use in sentences: `hour` or `day`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// Start of the window that contains `now`, in seconds since the Unix epoch.
    pub fn start(self, now: Timestamp) -> i64 {
        now.as_second() - now.as_second().rem_euclid(self.seconds())
    }

    /// End of the window that contains `now`, in seconds since the Unix epoch.
    pub fn end(self, now: Timestamp) -> i64 {
        self.start(now) + self.seconds()
    }

    /// Whole seconds until the window that contains `now` ends, at least 1.
    pub fn seconds_to_reset(self, now: Timestamp) -> i64 {
        (self.end(now) - now.as_second()).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_aligned_to_the_utc_clock() {
        let now: Timestamp = "2026-11-20T13:59:59.5Z".parse().expect("a timestamp");
        assert_eq!(Window::Hour.seconds_to_reset(now), 1);
        assert_eq!(Window::Hour.start(now) % 3_600, 0);
        assert_eq!(Window::Day.end(now), Window::Day.start(now) + 86_400);
    }
}
