use components::Components;
use domain::Source;
use jiff::civil::Date;
use sources::{FetchRun, Page, RequiredSetting, description};

use crate::RegisterAccount;

/// Settings of the operator. Jobs, logs and provenance contain all of them except the account,
/// so an address must not contain a secret.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Contact e-mail or URL, sent to data sources in the `User-Agent` header. Nothing is fetched without
    /// it.
    pub contact: Option<String>,
    /// Account for the API of the commercial register, which provides one on request by e-mail.
    pub zefix: Option<RegisterAccount>,
    /// Addresses of news feeds, and of files in the bucket that list some: `s3:KEY`.
    pub feeds: Vec<String>,
    /// Addresses of files with figures of annual reports, and of files in the bucket that list some.
    pub reports: Vec<String>,
    /// Address of a file of OpenSanctions for which the operator has a licence.
    pub opensanctions: Option<String>,
}

impl Settings {
    /// Reads the settings from the environment. Sources without their settings are not fetched.
    ///
    /// | Variable | Content |
    /// |---|---|
    /// | `FETCH_CONTACT` | the contact |
    /// | `ZEFIX_USER`, `ZEFIX_PASSWORD` | the account for the register |
    /// | `ZEFIX_SECRET` | or the ARN of the secret with the account |
    /// | `NEWS_FEEDS` | addresses, separated by spaces; also `s3:KEY` |
    /// | `REPORT_FILES` | addresses, separated by spaces; also `s3:KEY` |
    /// | `OPENSANCTIONS_FILE` | the address of `entities.ftm.json` or `targets.simple.csv` of a collection |
    pub fn of(components: &Components) -> Self {
        let value = |name| components.setting(name);
        let addresses = |name| {
            let all = value(name).unwrap_or_default();
            all.split_whitespace().map(str::to_owned).collect()
        };
        Self {
            contact: value("FETCH_CONTACT"),
            zefix: RegisterAccount::of(components),
            feeds: addresses("NEWS_FEEDS"),
            reports: addresses("REPORT_FILES"),
            opensanctions: value("OPENSANCTIONS_FILE"),
        }
    }

    /// The addresses that a fetch of this source requires.
    pub fn addresses_mut(&mut self, source: Source) -> Option<&mut Vec<String>> {
        match description(source).requires {
            RequiredSetting::Nothing | RequiredSetting::RegisterAccount => None,
            RequiredSetting::NewsFeeds => Some(&mut self.feeds),
            RequiredSetting::ReportFiles => Some(&mut self.reports),
        }
    }

    /// The first pages of a fetch today. `newest` is the newest known publication date of the source. Empty if a
    /// required setting is missing.
    pub fn first_pages(&self, source: Source, newest: Option<Date>, today: Date) -> Vec<Page> {
        let description = description(source);
        let addresses: &[String] = match description.requires {
            RequiredSetting::Nothing => &[],
            RequiredSetting::RegisterAccount if self.zefix.is_none() => return Vec::new(),
            RequiredSetting::RegisterAccount => &[],
            RequiredSetting::NewsFeeds => &self.feeds,
            RequiredSetting::ReportFiles => &self.reports,
        };
        match self.contact {
            Some(_) => (description.first_pages)(&FetchRun { today, newest, addresses }),
            None => Vec::new(),
        }
    }
}
