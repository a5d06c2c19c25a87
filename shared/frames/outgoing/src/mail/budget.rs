use components::{Component, Components};

/// How many mails the whole deployment sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub per_hour: u32,
    pub per_day: u32,
}

/// Below the 50,000 mails a day that Amazon SES usually allows an account which may send to everybody.
impl Default for Budget {
    fn default() -> Self {
        Self { per_hour: 5_000, per_day: 40_000 }
    }
}

/// The settings `MAILS_PER_HOUR` and `MAILS_PER_DAY`, each of which has a default.
impl Component for Budget {
    fn open(components: &Components) -> Self {
        let number = |name, default| match components.setting(name) {
            Some(text) => text
                .parse()
                .unwrap_or_else(|_| panic!("{name} must be a whole number; got `{text}`")),
            None => default,
        };
        let Self { per_hour, per_day } = Self::default();
        Self {
            per_hour: number("MAILS_PER_HOUR", per_hour),
            per_day: number("MAILS_PER_DAY", per_day),
        }
    }
}
