use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The time in which requests are counted together. Windows are aligned to the UTC clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Window {
    Hour,
    Day,
}

impl Window {
    /// The length in seconds.
    pub const fn seconds(self) -> i64 {
        match self {
            Self::Hour => 3_600,
            Self::Day => 86_400,
        }
    }

    /// The value of `x-ratelimit-window`.
    pub const fn header(self) -> &'static str {
        match self {
            Self::Hour => "1h",
            Self::Day => "1d",
        }
    }

    /// The word in sentences.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    /// The second in which the window around `now` began, since the Unix epoch.
    pub fn start(self, now: Timestamp) -> i64 {
        now.as_second() - now.as_second().rem_euclid(self.seconds())
    }

    /// The second in which the window around `now` ends, since the Unix epoch.
    pub fn end(self, now: Timestamp) -> i64 {
        self.start(now) + self.seconds()
    }

    /// Whole seconds until the window around `now` resets, at least 1.
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
