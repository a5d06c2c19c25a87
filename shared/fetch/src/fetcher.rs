use std::{io::Read, sync::Arc};

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use http::{HeaderValue, StatusCode};
use http_body_util::Full;
use jiff::civil::Date;
use sources::{
    FetchPolicy, Page, Request, Unreadable, description, finma, gazette,
    gleif::{self, Excerpt, GOLDEN_COPY_POLICY, GoldenCopy},
    lindas, localities, news, noga, reports, six, zefix,
};
use statements::Source;
use tokio::task::spawn_blocking;
use tower::{BoxError, Service};

use crate::{
    Account, Error, Settings, archive,
    client::{Answer, Client, Question},
    transport,
};

/// How many full records of the register are one page: about a minute's work, so that a fetch that
/// breaks off loses little.
const COMPANIES_AT_A_TIME: usize = 50;
/// How many pages of a feed are read: one that invents ever more pages ends here.
const MOST_PAGES_OF_A_FEED: u64 = 10;

/// How many bytes a table of the golden copy has at most, unpacked: a hundred times as many as its archive.
const LONGEST_TABLE: usize = 16 * 1024 * 1024 * 1024;

/// A list without records, as the gazette and the register write it.
const NOTHING: &[u8] = b"[]";

/// What a page held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// A file as [`sources::read`] takes it.
    pub bytes: Vec<u8>,
    /// The day of a file whose records bear none, as far as its source tells: for
    /// [`dated`](sources::Batch::dated).
    pub day: Option<Date>,
    /// What is to be asked next, in any order.
    pub next: Vec<Page>,
}

/// Fetches files from the sources. Clones share the connections and the host limiter.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    settings: Arc<Settings>,
}

impl Fetcher {
    /// Over the network. Stops the start on a machine without root certificates.
    pub fn new(settings: Settings) -> Self {
        Self { client: Client::over(transport::network()), settings: Arc::new(settings) }
    }

    /// Over whatever answers requests instead of the network: a router that plays the sources.
    pub fn over<S, B>(settings: Settings, service: S) -> Self
    where
        S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>>,
        S: Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError> + Send,
    {
        Self { client: Client::over(transport::over(service)), settings: Arc::new(settings) }
    }

    /// What an operator brought.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Fetches a page. Safe to do twice.
    pub async fn fetch(&self, page: &Page) -> Result<Fetched, Error> {
        let policy = description(page.source()).policy;
        match page {
            Page::Shab { first, last, number } => self.gazette(*first, *last, *number).await,
            Page::Zefix { day } => self.published_companies(*day).await,
            Page::ZefixCompanies { uids } => self.companies(uids).await,
            Page::Lindas { after, day } => self.graph(after.as_deref(), *day).await,
            Page::Gleif { address } => {
                let bytes = self.ask(policy, &gleif::request(address.as_deref())).await?.bytes;
                let next = gleif::next(&bytes)?.map(|it| Page::Gleif { address: Some(it) });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::Finma => {
                let Answer { bytes, modified } = self.ask(policy, &finma::request()).await?;
                Ok(Fetched { bytes, day: modified, next: Vec::new() })
            }
            Page::Six { list, first, last, number } => {
                let request = six::request(*list, *first, *last, *number);
                let bytes = self.ask(policy, &request).await?.bytes;
                let (list, first, last) = (*list, *first, *last);
                let next = six::next(&bytes, *number)?;
                let next = next.map(|number| Page::Six { list, first, last, number });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::News { address, number } => {
                let bytes = self.ask(policy, &news::request(address)).await?.bytes;
                let number = number + 1;
                let next = news::next(address, &bytes).filter(|_| number < MOST_PAGES_OF_A_FEED);
                let next = next.map(|it| Page::News { address: it.url, number });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::Reports { address } => {
                let bytes = self.ask(policy, &reports::request(address)).await?.bytes;
                Ok(Fetched { bytes, day: None, next: Vec::new() })
            }
        }
    }

    /// Completes an excerpt that has the companies' level 1: by the rows of the golden copy and of the
    /// table of securities that name them, and by level 1 of whom those name. By entity the interface would
    /// take four questions for each of almost thirty thousand.
    pub async fn groups(&self, excerpt: Excerpt) -> Result<Excerpt, Error> {
        let relationships = gleif::golden_copy(GoldenCopy::Relationships);
        let excerpt =
            self.gather(relationships, excerpt, |it, rows| it.add_relationships(rows)).await?;
        let exceptions = gleif::golden_copy(GoldenCopy::Exceptions);
        let excerpt = self.gather(exceptions, excerpt, |it, rows| it.add_exceptions(rows)).await?;
        let isins = gleif::isin_request();
        let mut excerpt = self.gather(isins, excerpt, |it, rows| it.add_isins(rows)).await?;
        for leis in excerpt.unnamed().chunks(gleif::NAMES_AT_A_TIME) {
            let policy = description(Source::Gleif).policy;
            let answer = self.ask(policy, &gleif::names_request(leis)).await?;
            excerpt.add_level1(&answer.bytes)?;
        }
        Ok(excerpt)
    }

    /// Adds what an archive's table says of the companies of an excerpt. A table has millions of rows: they
    /// are read where nobody waits for the thread.
    async fn gather(
        &self,
        archive: Request,
        mut excerpt: Excerpt,
        add: fn(&mut Excerpt, &mut dyn Read) -> Result<(), Unreadable>,
    ) -> Result<Excerpt, Error> {
        let archive = self.ask(GOLDEN_COPY_POLICY, &archive).await?.bytes;
        let read = spawn_blocking(move || {
            archive::read(&archive, GOLDEN_COPY_POLICY, LONGEST_TABLE, |rows| {
                Ok(add(&mut excerpt, rows)?)
            })?;
            Ok(excerpt)
        });
        let reason = |it: tokio::task::JoinError| it.to_string();
        read.await
            .map_err(|it| Error::NoTable { of: GOLDEN_COPY_POLICY.name, reason: reason(it) })?
    }

    /// The directory of localities, as [`localities::read`] takes it.
    pub async fn localities(&self) -> Result<Vec<u8>, Error> {
        let archive = self.ask(localities::POLICY, &localities::request()).await?;
        archive::table(&archive.bytes, localities::POLICY)
    }

    /// The list of economic activities, as [`noga::read`] takes it.
    pub async fn noga(&self) -> Result<Vec<u8>, Error> {
        Ok(self.ask(noga::POLICY, &noga::request()).await?.bytes)
    }

    async fn gazette(&self, first: Date, last: Date, page: u64) -> Result<Fetched, Error> {
        let request = gazette::request(first, last, page);
        let bytes = self.ask(description(Source::Shab).policy, &request).await?.bytes;
        let (bytes, next) = match gazette::next(&bytes, first, last, page)? {
            gazette::Next::Nothing => (bytes, Vec::new()),
            gazette::Next::Page(number) => (bytes, vec![Page::Shab { first, last, number }]),
            gazette::Next::Halves(halves) => {
                let half = |(first, last)| Page::Shab { first, last, number: 0 };
                (NOTHING.to_vec(), halves.map(half).to_vec())
            }
        };
        Ok(Fetched { bytes, day: None, next })
    }

    /// Who was published of on a day. That list says too little of a company to be read: what it
    /// leads to is.
    async fn published_companies(&self, day: Date) -> Result<Fetched, Error> {
        let answer = self.ask_register(&zefix::day_request(day)).await?;
        let companies = match answer {
            Some(bytes) => zefix::companies(&bytes)?,
            None => Vec::new(),
        };
        let pages = companies.chunks(COMPANIES_AT_A_TIME);
        let next = pages.map(|it| Page::ZefixCompanies { uids: it.to_vec() }).collect();
        Ok(Fetched { bytes: NOTHING.to_vec(), day: None, next })
    }

    async fn companies(&self, uids: &[domain::Uid]) -> Result<Fetched, Error> {
        let mut answers = Vec::new();
        for uid in uids {
            answers.extend(self.ask_register(&zefix::request(*uid)).await?);
        }
        Ok(Fetched { bytes: zefix::joined(&answers)?, day: None, next: Vec::new() })
    }

    async fn graph(&self, after: Option<&str>, day: Option<Date>) -> Result<Fetched, Error> {
        let policy = description(Source::Lindas).policy;
        let day = match (after, day) {
            (None, None) => {
                lindas::freshness(&self.ask(policy, &lindas::freshness_request()).await?.bytes)?
            }
            _ => day,
        };
        let bytes = self.ask(policy, &lindas::request(after)).await?.bytes;
        let next = lindas::next(&bytes, after)?.map(|it| Page::Lindas { after: Some(it), day });
        Ok(Fetched { bytes, day, next: Vec::from_iter(next) })
    }

    async fn ask(&self, policy: FetchPolicy, request: &Request) -> Result<Answer, Error> {
        let user_agent = self.user_agent(policy)?;
        let question = Question { policy, request, user_agent: &user_agent, authorization: None };
        self.client.ask(question).await
    }

    /// Asks the register, with the account. `None` is its answer that there is nothing.
    async fn ask_register(&self, request: &Request) -> Result<Option<Vec<u8>>, Error> {
        let policy = description(Source::Zefix).policy;
        let missing = Error::Missing {
            of: policy.name,
            what: "ZEFIX_USER and ZEFIX_PASSWORD, or a readable ZEFIX_SECRET",
        };
        let account = self.settings.zefix.as_ref().ok_or(missing)?;
        let (user_agent, authorization) = (self.user_agent(policy)?, account.header());
        let question = Question {
            policy,
            request,
            user_agent: &user_agent,
            authorization: Some(&authorization),
        };
        match self.client.ask(question).await {
            Ok(answer) => Ok(Some(answer.bytes)),
            Err(Error::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Who asks: the product, and where its operator is found.
    fn user_agent(&self, policy: FetchPolicy) -> Result<HeaderValue, Error> {
        let contact = self.settings.contact.as_deref().filter(|it| !it.is_empty());
        let version = env!("CARGO_PKG_VERSION");
        let header = contact.map(|it| HeaderValue::try_from(format!("Gotthard/{version} (+{it})")));
        let missing = Error::Missing { of: policy.name, what: "FETCH_CONTACT" };
        header.and_then(Result::ok).ok_or(missing)
    }
}

impl Account {
    /// Basic authentication, RFC 7617.
    fn header(&self) -> HeaderValue {
        let pair = BASE64_STANDARD.encode(format!("{}:{}", self.user, self.password.expose()));
        // Base64 is always a header; were it none, the register would refuse.
        let mut header = HeaderValue::try_from(format!("Basic {pair}"))
            .unwrap_or_else(|_| HeaderValue::from_static("Basic"));
        header.set_sensitive(true);
        header
    }
}
