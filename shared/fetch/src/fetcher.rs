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
    client::{Call, Client, ResponseBody},
    transport,
};

/// Number of full records of the register in a page. A page takes about a minute, so that little is lost
/// when a fetch is interrupted.
const COMPANIES_PER_PAGE: usize = 50;
/// Maximum number of pages of a feed, because a feed may have an endless number of them.
const MAX_PAGES_PER_FEED: u64 = 10;

/// Maximum size of an extracted table of the golden copy in bytes.
const MAX_TABLE_BYTES: usize = 16 * 1024 * 1024 * 1024;

/// An empty list in the format of the gazette and the register.
const EMPTY_LIST: &[u8] = b"[]";

/// Content of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// A file for [`sources::read`].
    pub bytes: Vec<u8>,
    /// Date of the file, if its records have no dates and the source provides one: for
    /// [`dated`](sources::Batch::dated).
    pub day: Option<Date>,
    /// Pages to fetch next, in any order.
    pub next: Vec<Page>,
}

/// Fetches files from the sources. Clones share the connections and the host limiter.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    settings: Arc<Settings>,
}

impl Fetcher {
    /// A fetcher that uses the network. Panics on a machine without root certificates.
    pub fn new(settings: Settings) -> Self {
        Self { client: Client::new(transport::network()), settings: Arc::new(settings) }
    }

    /// A fetcher that sends its requests to a service instead of the network, for tests.
    pub fn with_service<S, B>(settings: Settings, service: S) -> Self
    where
        S: Service<http::Request<Full<Bytes>>, Response = http::Response<B>>,
        S: Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send,
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError> + Send,
    {
        Self { client: Client::new(transport::from_service(service)), settings: Arc::new(settings) }
    }

    /// The settings of the operator.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Fetches a page. Can be repeated safely.
    pub async fn fetch(&self, page: &Page) -> Result<Fetched, Error> {
        let policy = description(page.source()).policy;
        match page {
            Page::Shab { first, last, number } => self.gazette(*first, *last, *number).await,
            Page::Zefix { day } => self.published_companies(*day).await,
            Page::ZefixCompanies { uids } => self.companies(uids).await,
            Page::Lindas { after, day } => self.graph(after.as_deref(), *day).await,
            Page::Gleif { address } => {
                let bytes = self.get(policy, &gleif::request(address.as_deref())).await?.bytes;
                let next = gleif::next(&bytes)?.map(|it| Page::Gleif { address: Some(it) });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::Finma => {
                let ResponseBody { bytes, modified } = self.get(policy, &finma::request()).await?;
                Ok(Fetched { bytes, day: modified, next: Vec::new() })
            }
            Page::Six { list, first, last, number } => {
                let request = six::request(*list, *first, *last, *number);
                let bytes = self.get(policy, &request).await?.bytes;
                let (list, first, last) = (*list, *first, *last);
                let next = six::next(&bytes, *number)?;
                let next = next.map(|number| Page::Six { list, first, last, number });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::News { address, number } => {
                let bytes = self.get(policy, &news::request(address)).await?.bytes;
                let number = number + 1;
                let next = news::next(address, &bytes).filter(|_| number < MAX_PAGES_PER_FEED);
                let next = next.map(|it| Page::News { address: it.url, number });
                Ok(Fetched { bytes, day: None, next: Vec::from_iter(next) })
            }
            Page::Reports { address } => {
                let bytes = self.get(policy, &reports::request(address)).await?.bytes;
                Ok(Fetched { bytes, day: None, next: Vec::new() })
            }
        }
    }

    /// Completes an excerpt with the level 1 of Swiss companies: adds their relationships, reporting
    /// exceptions and securities, and the names of the other entities. Uses bulk files, because the API
    /// would need four requests for each of almost 30,000 companies.
    pub async fn complete(&self, excerpt: Excerpt) -> Result<Excerpt, Error> {
        let relationships = gleif::golden_copy(GoldenCopy::Relationships);
        let excerpt =
            self.add_table(relationships, excerpt, |it, rows| it.add_relationships(rows)).await?;
        let exceptions = gleif::golden_copy(GoldenCopy::Exceptions);
        let excerpt =
            self.add_table(exceptions, excerpt, |it, rows| it.add_exceptions(rows)).await?;
        let isins = gleif::isin_request();
        let mut excerpt = self.add_table(isins, excerpt, |it, rows| it.add_isins(rows)).await?;
        for leis in excerpt.missing_entities().chunks(gleif::MAX_LEIS_PER_REQUEST) {
            let policy = description(Source::Gleif).policy;
            let answer = self.get(policy, &gleif::names_request(leis)).await?;
            excerpt.add_level1(&answer.bytes)?;
        }
        Ok(excerpt)
    }

    /// Adds the rows of an archive's table to an excerpt. A table has millions of rows, so it is read on a
    /// thread for blocking work.
    async fn add_table(
        &self,
        archive: Request,
        mut excerpt: Excerpt,
        add: fn(&mut Excerpt, &mut dyn Read) -> Result<(), Unreadable>,
    ) -> Result<Excerpt, Error> {
        let archive = self.get(GOLDEN_COPY_POLICY, &archive).await?.bytes;
        let read = spawn_blocking(move || {
            archive::read(&archive, GOLDEN_COPY_POLICY, MAX_TABLE_BYTES, |rows| {
                Ok(add(&mut excerpt, rows)?)
            })?;
            Ok(excerpt)
        });
        let reason = |it: tokio::task::JoinError| it.to_string();
        read.await.map_err(|it| Error::InvalidArchive {
            source_name: GOLDEN_COPY_POLICY.name,
            reason: reason(it),
        })?
    }

    /// Fetches the directory of localities, for [`localities::read`].
    pub async fn localities(&self) -> Result<Vec<u8>, Error> {
        let archive = self.get(localities::POLICY, &localities::request()).await?;
        archive::table(&archive.bytes, localities::POLICY)
    }

    /// Fetches the list of economic activities, for [`noga::read`].
    pub async fn noga(&self) -> Result<Vec<u8>, Error> {
        Ok(self.get(noga::POLICY, &noga::request()).await?.bytes)
    }

    async fn gazette(&self, first: Date, last: Date, page: u64) -> Result<Fetched, Error> {
        let request = gazette::request(first, last, page);
        let bytes = self.get(description(Source::Shab).policy, &request).await?.bytes;
        let (bytes, next) = match gazette::next(&bytes, first, last, page)? {
            gazette::Next::Nothing => (bytes, Vec::new()),
            gazette::Next::Page(number) => (bytes, vec![Page::Shab { first, last, number }]),
            gazette::Next::Halves(halves) => {
                let half = |(first, last)| Page::Shab { first, last, number: 0 };
                (EMPTY_LIST.to_vec(), halves.map(half).to_vec())
            }
        };
        Ok(Fetched { bytes, day: None, next })
    }

    /// Fetches the companies with a publication on a day. The list contains too little data to be used, so
    /// that the next pages fetch the full records.
    async fn published_companies(&self, day: Date) -> Result<Fetched, Error> {
        let answer = self.get_from_register(&zefix::day_request(day)).await?;
        let companies = match answer {
            Some(bytes) => zefix::companies(&bytes)?,
            None => Vec::new(),
        };
        let pages = companies.chunks(COMPANIES_PER_PAGE);
        let next = pages.map(|it| Page::ZefixCompanies { uids: it.to_vec() }).collect();
        Ok(Fetched { bytes: EMPTY_LIST.to_vec(), day: None, next })
    }

    async fn companies(&self, uids: &[domain::Uid]) -> Result<Fetched, Error> {
        let mut answers = Vec::new();
        for uid in uids {
            answers.extend(self.get_from_register(&zefix::request(*uid)).await?);
        }
        Ok(Fetched { bytes: zefix::joined(&answers)?, day: None, next: Vec::new() })
    }

    async fn graph(&self, after: Option<&str>, day: Option<Date>) -> Result<Fetched, Error> {
        let policy = description(Source::Lindas).policy;
        let day = match (after, day) {
            (None, None) => {
                lindas::freshness(&self.get(policy, &lindas::freshness_request()).await?.bytes)?
            }
            _ => day,
        };
        let bytes = self.get(policy, &lindas::request(after)).await?.bytes;
        let next = lindas::next(&bytes, after)?.map(|it| Page::Lindas { after: Some(it), day });
        Ok(Fetched { bytes, day, next: Vec::from_iter(next) })
    }

    async fn get(&self, policy: FetchPolicy, request: &Request) -> Result<ResponseBody, Error> {
        let user_agent = self.user_agent(policy)?;
        let call = Call { policy, request, user_agent: &user_agent, authorization: None };
        self.client.execute(call).await
    }

    /// Sends a request to the register, with the account. `None` if the register responds with 404.
    async fn get_from_register(&self, request: &Request) -> Result<Option<Vec<u8>>, Error> {
        let policy = description(Source::Zefix).policy;
        let missing = Error::MissingSetting {
            source_name: policy.name,
            setting: "ZEFIX_USER and ZEFIX_PASSWORD, or a readable ZEFIX_SECRET",
        };
        let account = self.settings.zefix.as_ref().ok_or(missing)?;
        let (user_agent, authorization) = (self.user_agent(policy)?, account.header());
        let call =
            Call { policy, request, user_agent: &user_agent, authorization: Some(&authorization) };
        match self.client.execute(call).await {
            Ok(answer) => Ok(Some(answer.bytes)),
            Err(Error::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The header `User-Agent`: product, version and the operator's contact.
    fn user_agent(&self, policy: FetchPolicy) -> Result<HeaderValue, Error> {
        let contact = self.settings.contact.as_deref().filter(|it| !it.is_empty());
        let version = env!("CARGO_PKG_VERSION");
        let header = contact.map(|it| HeaderValue::try_from(format!("Gotthard/{version} (+{it})")));
        let missing = Error::MissingSetting { source_name: policy.name, setting: "FETCH_CONTACT" };
        header.and_then(Result::ok).ok_or(missing)
    }
}

impl Account {
    /// The header `Authorization` for basic authentication (RFC 7617).
    fn header(&self) -> HeaderValue {
        let pair = BASE64_STANDARD.encode(format!("{}:{}", self.user, self.password.expose()));
        // Base64 is always a valid header value, so the fallback is never used.
        let mut header = HeaderValue::try_from(format!("Basic {pair}"))
            .unwrap_or_else(|_| HeaderValue::from_static("Basic"));
        header.set_sensitive(true);
        header
    }
}
