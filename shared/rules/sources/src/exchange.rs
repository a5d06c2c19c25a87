//! How a page is fetched: its requests, and what their responses mean. The crate `fetch` sends the requests.

use std::fmt;

use domain::Source;
use jiff::{ToSpan, civil::Date};

use crate::{Page, Request, Unreadable};

/// Maximum number of days that a fetch goes back. After a longer gap, an operator has to import files.
const MAX_GAP_DAYS: i64 = 366;
/// Days before the newest known publication that are fetched again. One of them may have failed while a
/// later one succeeded, and the gazette marks withdrawn publications without publishing anything new.
const REPEATED_DAYS: i64 = 7;
/// Days that the first fetch of most sources goes back. The records contain older data, and an operator can
/// import files.
pub(crate) const FIRST_DAYS: i64 = 30;

/// A scheduled fetch of a source.
#[derive(Clone, Copy, Debug)]
pub struct FetchRun<'a> {
    pub today: Date,
    /// Newest known publication date of the source. `None` before the first fetch.
    pub newest: Option<Date>,
    /// Addresses that the operator has set for this source.
    pub addresses: &'a [String],
}

impl FetchRun<'_> {
    /// The first day to fetch: a week before the newest known publication, or `first_days` before today if
    /// this is the first fetch.
    pub(crate) fn first_day(&self, first_days: i64) -> Date {
        let back = |day: Date, days: i64| day.saturating_sub(days.days());
        let again = self.newest.map(|it| back(it, REPEATED_DAYS));
        let earliest = back(self.today, MAX_GAP_DAYS.max(first_days));
        again.unwrap_or_else(|| back(self.today, first_days)).clamp(earliest, self.today)
    }

    /// Every day from the [`first_day`](Self::first_day) to today.
    pub(crate) fn days(&self) -> impl Iterator<Item = Date> {
        let today = self.today;
        self.first_day(FIRST_DAYS).series(1.day()).take_while(move |day| *day <= today)
    }
}

/// A successful response.
#[derive(Clone, Debug)]
pub struct Response {
    pub bytes: Vec<u8>,
    /// Date of the header `Last-Modified`.
    pub modified: Option<Date>,
}

/// Content of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// A file for [`read`](crate::read).
    pub bytes: Vec<u8>,
    /// Date of the file, if its records have no dates and the source provides one: for
    /// [`dated`](crate::Batch::dated).
    pub day: Option<Date>,
    /// Pages to fetch next, in any order.
    pub next: Vec<Page>,
}

impl Fetched {
    /// A page whose records have dates.
    pub(crate) fn new(bytes: Vec<u8>, next: impl IntoIterator<Item = Page>) -> Self {
        Self { bytes, day: None, next: next.into_iter().collect() }
    }
}

type Interpret<'a> = dyn FnOnce(Vec<Response>) -> Result<Fetched, Unreadable> + Send + 'a;

/// The requests of a page, and how their responses become its content.
pub struct Exchange<'a> {
    pub source: Source,
    /// The requests, to be sent in this order.
    pub requests: Vec<Request>,
    interpret: Box<Interpret<'a>>,
}

impl<'a> Exchange<'a> {
    /// A page that needs several requests, or one that may have no response.
    pub(crate) fn new(
        source: Source,
        requests: Vec<Request>,
        interpret: impl FnOnce(Vec<Response>) -> Result<Fetched, Unreadable> + Send + 'a,
    ) -> Self {
        Self { source, requests, interpret: Box::new(interpret) }
    }

    /// A page that needs one request.
    pub(crate) fn single(
        source: Source,
        request: Request,
        interpret: impl FnOnce(Response) -> Result<Fetched, Unreadable> + Send + 'a,
    ) -> Self {
        Self::new(source, vec![request], move |mut responses| match responses.pop() {
            Some(response) => interpret(response),
            None => {
                Err(Unreadable { source_name: source, reason: "there is no response".to_owned() })
            }
        })
    }

    /// The content of the page. `responses` are in the order of the requests. Those with status 404 are left
    /// out, if their request [`may_be_missing`](Request::may_be_missing).
    pub fn interpret(self, responses: Vec<Response>) -> Result<Fetched, Unreadable> {
        (self.interpret)(responses)
    }
}

impl fmt::Debug for Exchange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("source", &self.source)
            .field("requests", &self.requests)
            .finish_non_exhaustive()
    }
}
