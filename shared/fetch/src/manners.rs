//! How each source is asked. Where a source states a limit, it is kept; where not, the numbers are
//! ours, and such that a load is done overnight without anybody noticing it.

use std::time::Duration;

use statements::Source;

/// How a source is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manners {
    /// What errors call it.
    pub(crate) of: &'static str,
    /// The least pause between an answer and the next request to the same host.
    pub(crate) interval: Duration,
    /// The most bytes that an answer may have, unpacked.
    pub(crate) largest: usize,
    /// How long an answer may take, to its last byte.
    pub(crate) patience: Duration,
}

const MEBIBYTE: usize = 1024 * 1024;

/// One small file.
pub(crate) const LOCALITIES: Manners = manners("localities", 2_000, 16);
/// One file of some 1,800 entries in four languages.
pub(crate) const NOGA: Manners = manners("noga", 2_000, 16);
/// Three archives of 30 to 60 megabytes, made for whoever wants more than some identifiers. They come out
/// three times a day.
pub(crate) const GOLDEN_COPY: Manners =
    Manners { patience: Duration::from_secs(180), ..manners("gleif", 2_000, 256) };

impl Manners {
    pub(crate) fn of(source: Source) -> Self {
        let of = source.name();
        match source {
            // States no limit. A day names up to 2,000 companies: some twenty minutes.
            Source::Zefix => manners(of, 500, 16),
            // States no limit. A full page has about 15 megabytes, and there are few of them.
            Source::Shab => manners(of, 2_000, 64),
            // States no limit. Answers a page in about a second, and rests as long.
            Source::Lindas => manners(of, 1_000, 64),
            // Documented: 60 requests a minute and user.
            Source::Gleif => manners(of, 1_000, 16),
            // States no limit; one file.
            Source::Finma => manners(of, 2_000, 16),
            // Not documented, made for the exchange's own pages.
            Source::Six => manners(of, 2_000, 16),
            // Of whoever publishes them, on whatever machine.
            Source::News => manners(of, 2_000, 8),
            // Reports in XBRL are long.
            Source::Reports => manners(of, 2_000, 64),
        }
    }
}

const fn manners(of: &'static str, milliseconds: u64, mebibytes: usize) -> Manners {
    let interval = Duration::from_millis(milliseconds);
    Manners { of, interval, largest: mebibytes * MEBIBYTE, patience: Duration::from_secs(60) }
}
