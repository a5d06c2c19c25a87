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

impl Budget {
    /// Reads `MAILS_PER_HOUR` and `MAILS_PER_DAY`, each of which has a default.
    ///
    /// # Panics
    /// If a value is not a whole number.
    #[expect(clippy::disallowed_methods, reason = "these variables are read here")]
    pub fn from_env() -> Self {
        let number = |name, default| match std::env::var(name) {
            Ok(text) if !text.is_empty() => text
                .parse()
                .unwrap_or_else(|_| panic!("{name} must be a whole number; got `{text}`")),
            _ => default,
        };
        let Self { per_hour, per_day } = Self::default();
        Self {
            per_hour: number("MAILS_PER_HOUR", per_hour),
            per_day: number("MAILS_PER_DAY", per_day),
        }
    }
}
