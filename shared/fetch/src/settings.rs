use auth::Secret;
use jiff::{ToSpan, civil::Date};
use sources::{Page, six::List};
use statements::Source;

/// Days that the first fetch goes back. The records contain older data, and an operator can import files.
const FIRST_DAYS: i64 = 30;
/// Days that the first fetch of shareholdings goes back. A disclosure is valid until the next one, which may
/// be years later. This takes about 60 pages.
const FIRST_DAYS_OF_SHAREHOLDINGS: i64 = 3_660;
/// Maximum number of days that a fetch goes back. After a longer gap, an operator has to import files.
const MAX_GAP_DAYS: i64 = 366;
/// Days before the newest known publication that are fetched again. One of them may have failed while a
/// later one succeeded, and the gazette marks withdrawn publications without publishing anything new.
const REPEATED_DAYS: i64 = 7;

/// Settings of the operator. Jobs, logs and provenance contain all of them except the account's password,
/// so an address must not contain a secret.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Contact e-mail or URL, sent to data sources in the `User-Agent` header. Nothing is fetched without
    /// it.
    pub contact: Option<String>,
    /// Account for the API of the commercial register, which provides one on request by e-mail.
    pub zefix: Option<Account>,
    /// ARN of the secret with that account, for deployments in the cloud.
    pub zefix_secret: Option<String>,
    /// Addresses of news feeds.
    pub feeds: Vec<String>,
    /// Addresses of files with figures of annual reports.
    pub reports: Vec<String>,
}

/// User name and password.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: String,
    pub password: Secret,
}

impl Settings {
    /// Reads the settings from the environment. Sources without their settings are not fetched.
    ///
    /// | Variable | Content |
    /// |---|---|
    /// | `FETCH_CONTACT` | the contact |
    /// | `ZEFIX_USER`, `ZEFIX_PASSWORD` | the account for the register |
    /// | `ZEFIX_SECRET` | or the ARN of the secret with the account |
    /// | `NEWS_FEEDS` | addresses, separated by spaces |
    /// | `REPORT_FILES` | addresses, separated by spaces |
    #[expect(
        clippy::disallowed_methods,
        reason = "the settings of the operator are read only here"
    )]
    pub fn from_env() -> Self {
        Self::from(|name| std::env::var(name).ok())
    }

    fn from(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value =
            |name| variable(name).map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        let addresses = |name| {
            let all = value(name).unwrap_or_default();
            all.split_whitespace().map(str::to_owned).collect()
        };
        let account = value("ZEFIX_USER").zip(value("ZEFIX_PASSWORD"));
        Self {
            contact: value("FETCH_CONTACT"),
            zefix: account
                .map(|(user, password)| Account { user, password: Secret::new(password) }),
            zefix_secret: value("ZEFIX_SECRET"),
            feeds: addresses("NEWS_FEEDS"),
            reports: addresses("REPORT_FILES"),
        }
    }

    /// The first pages of a fetch today. `since` is the newest known publication date of the source: the
    /// fetch starts a week before it. Empty if a required setting is missing.
    ///
    /// The gazette and the register get one page per day, because a day almost fills a response. The first
    /// fetch goes back 30 days, and ten years for significant shareholders.
    pub fn first_pages(&self, source: Source, since: Option<Date>, today: Date) -> Vec<Page> {
        if self.contact.is_none() {
            return Vec::new();
        }
        let from = |first_days| {
            let again = since.map(|it| back(it, REPEATED_DAYS));
            let earliest = back(today, MAX_GAP_DAYS.max(first_days));
            again.unwrap_or_else(|| back(today, first_days)).clamp(earliest, today)
        };
        let each_day = || from(FIRST_DAYS).series(1.day()).take_while(|day| *day <= today);
        match source {
            Source::Shab => {
                each_day().map(|day| Page::Shab { first: day, last: day, number: 0 }).collect()
            }
            // If the secret could not be read, the pages are returned so that the fetch reports the error.
            Source::Zefix if self.zefix.is_none() && self.zefix_secret.is_none() => Vec::new(),
            Source::Zefix => each_day().map(|day| Page::Zefix { day }).collect(),
            Source::Lindas => vec![Page::Lindas { after: None, day: None }],
            Source::Gleif => vec![Page::Gleif { address: None }],
            Source::Finma => vec![Page::Finma],
            Source::Six => {
                let list = |list, first_days| Page::Six {
                    list,
                    first: from(first_days),
                    last: today,
                    number: 0,
                };
                vec![
                    list(List::OfficialNotices, FIRST_DAYS),
                    list(List::SignificantShareholders, FIRST_DAYS_OF_SHAREHOLDINGS),
                ]
            }
            Source::News => {
                let feeds = self.feeds.iter().cloned();
                feeds.map(|address| Page::News { address, number: 0 }).collect()
            }
            Source::Reports => {
                self.reports.iter().cloned().map(|address| Page::Reports { address }).collect()
            }
        }
    }
}

fn back(day: Date, days: i64) -> Date {
    day.saturating_sub(days.days())
}
