use auth::Secret;
use jiff::{ToSpan, civil::Date};
use sources::{Page, six::List};
use statements::Source;

/// How far back the gazette and the register are read the first time. What is older comes with the
/// records, or from a file that an operator loads.
const FIRST_DAYS: i64 = 30;
/// How far back shareholdings are read the first time: a report counts until the next one, which may
/// be years later. There are some 60 pages in all.
const FIRST_DAYS_OF_SHAREHOLDINGS: i64 = 3_660;
/// How far back is read at most, one day after the other: who was not read for longer, or read old records only,
/// is loaded from a file.
const LONGEST_GAP_DAYS: i64 = 366;
/// How many days behind the newest one that was read are read again: one of them may have failed while
/// a later one, or another list, did not; and the gazette withdraws a publication by marking it where it
/// stands.
const REPEATED_DAYS: i64 = 7;

/// What an operator has to bring. All of it but the account's password goes into jobs, logs and
/// provenance: an address must hold no secret.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where a source finds whoever asks it: an address of mail or of the web. Without one nothing is
    /// asked.
    pub contact: Option<String>,
    /// The account with the commercial register, which gives one to whoever asks by mail.
    pub zefix: Option<Account>,
    /// The ARN of the secret that holds that account, for whoever runs in the cloud.
    pub zefix_secret: Option<String>,
    /// The addresses of feeds.
    pub feeds: Vec<String>,
    /// The addresses of files of figures.
    pub reports: Vec<String>,
}

/// A name and its password.
#[derive(Clone, Debug)]
pub struct Account {
    pub user: String,
    pub password: Secret,
}

impl Settings {
    /// What the environment says; what it leaves out or empty is not fetched.
    ///
    /// | Variable | What it holds |
    /// |---|---|
    /// | `FETCH_CONTACT` | the contact |
    /// | `ZEFIX_USER`, `ZEFIX_PASSWORD` | the account with the register |
    /// | `ZEFIX_SECRET` | or the secret that holds it |
    /// | `NEWS_FEEDS` | addresses with blanks between |
    /// | `REPORT_FILES` | addresses with blanks between |
    #[expect(
        clippy::disallowed_methods,
        reason = "what an operator brings is read here and nowhere else"
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

    /// What is to be asked of a source today, `since` being the newest day of publication that was
    /// read of it: that day again, as it may not have been over, and the week before it.
    ///
    /// The gazette and the register are asked day by day, for a day fills most of an answer. The first
    /// time they are read 30 days back, the exchange's notices too, its shareholdings ten years.
    pub fn first(&self, source: Source, since: Option<Date>, today: Date) -> Vec<Page> {
        if self.contact.is_none() {
            return Vec::new();
        }
        let from = |first_days| {
            let again = since.map(|it| back(it, REPEATED_DAYS));
            let longest = back(today, LONGEST_GAP_DAYS.max(first_days));
            again.unwrap_or_else(|| back(today, first_days)).clamp(longest, today)
        };
        let each_day = || from(FIRST_DAYS).series(1.day()).take_while(|day| *day <= today);
        match source {
            Source::Shab => {
                each_day().map(|day| Page::Shab { first: day, last: day, number: 0 }).collect()
            }
            // Where only the secret could not be read, that has to be told.
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
