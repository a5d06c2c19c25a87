use std::{io::Read, sync::Arc};

use bytes::Bytes;
use components::{Component, Components};
use domain::{Source, lists::List};
use http::{HeaderValue, StatusCode};
use http_body_util::Full;
use sources::{
    FetchPolicy, Fetched, Page, Request, Response, Unreadable, description,
    gleif::{self, Excerpt, GOLDEN_COPY_POLICY, GoldenCopy},
    lists::{self, ListExchange, ListFormat},
    localities, noga,
};
use tokio::task::spawn_blocking;
use tower::{BoxError, Service};

use crate::{
    Account, Error, Settings, archive,
    client::{Call, Client},
    transport,
};

/// Maximum size of an extracted table of the golden copy in bytes.
const MAX_TABLE_BYTES: usize = 16 * 1024 * 1024 * 1024;

/// Levels of parents abroad above a Swiss company that are looked up. Each takes one pass over half a million rows.
const MAX_LEVELS_ABROAD: usize = 10;

/// Fetches files from the sources. Clones share the connections and the host limiter.
#[derive(Clone, Debug)]
pub struct Fetcher {
    client: Client,
    settings: Arc<Settings>,
}

/// A fetcher that uses the network.
impl Component for Fetcher {
    fn open(components: &Components) -> Self {
        Self::new(Settings::of(components))
    }
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
        let exchange = page.exchange();
        let policy = description(exchange.source).policy;
        let mut responses = Vec::new();
        for request in &exchange.requests {
            match self.get(policy, request).await {
                Ok(response) => responses.push(response),
                Err(Error::Refused { status: StatusCode::NOT_FOUND, .. })
                    if request.may_be_missing => {}
                Err(error) => return Err(error),
            }
        }
        Ok(exchange.interpret(responses)?)
    }

    /// Completes an excerpt with the level 1 of Swiss companies: adds their relationships and those of the entities above them,
    /// reporting exceptions and securities, and the names of the other entities. Uses bulk files, because the API
    /// would need four requests for each of almost 30,000 companies.
    pub async fn complete(&self, excerpt: Excerpt) -> Result<Excerpt, Error> {
        let relationships = self.archive(GoldenCopy::Relationships).await?;
        let (mut excerpt, ()) =
            add_table(&relationships, excerpt, |it, rows| it.add_relationships(rows)).await?;
        // The table is in no order, so one pass finds one further level of parents.
        for _ in 0..MAX_LEVELS_ABROAD {
            let has_looked;
            (excerpt, has_looked) =
                add_table(&relationships, excerpt, |it, rows| it.add_parents_abroad(rows)).await?;
            if !has_looked {
                break;
            }
        }
        let exceptions = self.archive(GoldenCopy::Exceptions).await?;
        let (excerpt, ()) =
            add_table(&exceptions, excerpt, |it, rows| it.add_exceptions(rows)).await?;
        let isins = self.get(GOLDEN_COPY_POLICY, &gleif::isin_request()).await?.bytes.into();
        let (mut excerpt, ()) = add_table(&isins, excerpt, |it, rows| it.add_isins(rows)).await?;
        for leis in excerpt.missing_entities().chunks(gleif::MAX_LEIS_PER_REQUEST) {
            let policy = description(Source::Gleif).policy;
            let answer = self.get(policy, &gleif::names_request(leis)).await?;
            excerpt.add_level1(&answer.bytes)?;
        }
        Ok(excerpt)
    }

    async fn archive(&self, file: GoldenCopy) -> Result<Bytes, Error> {
        Ok(self.get(GOLDEN_COPY_POLICY, &gleif::golden_copy(file)).await?.bytes.into())
    }

    /// Fetches a screening list, for [`lists::read`], and returns the format of the response. `None`: the operator has not
    /// configured it.
    pub async fn list(&self, list: List) -> Result<Option<(ListFormat, Vec<u8>)>, Error> {
        let exchange = lists::exchange(list, self.settings.opensanctions.as_deref());
        let Some(ListExchange { format, request, policy }) = exchange else { return Ok(None) };
        if self.settings.contact.is_none() {
            return Ok(None);
        }
        Ok(Some((format, self.get(policy, &request).await?.bytes)))
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

    async fn get(&self, policy: FetchPolicy, request: &Request) -> Result<Response, Error> {
        let user_agent = self.user_agent(policy)?;
        let authorization = match request.needs_account {
            true => Some(self.account(policy).await?.header()),
            false => None,
        };
        let authorization = authorization.as_ref();
        let call = Call { policy, request, user_agent: &user_agent, authorization };
        self.client.execute(call).await
    }

    /// The operator's account for the commercial register.
    async fn account(&self, policy: FetchPolicy) -> Result<&Account, Error> {
        let source_name = policy.name;
        let setting = "ZEFIX_USER and ZEFIX_PASSWORD, or ZEFIX_SECRET";
        let missing = Error::MissingSetting { source_name, setting };
        let account = self.settings.zefix.as_ref().ok_or(missing)?.get().await;
        account.map_err(|reason| Error::Account { source_name, reason })
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

/// Adds the rows of an archive's table to an excerpt. A table has millions of rows, so it is read on a thread for blocking work.
async fn add_table<T: Send + 'static>(
    archive: &Bytes,
    mut excerpt: Excerpt,
    add: fn(&mut Excerpt, &mut dyn Read) -> Result<T, Unreadable>,
) -> Result<(Excerpt, T), Error> {
    let archive = archive.clone();
    let read = spawn_blocking(move || {
        let added = archive::read(&archive, GOLDEN_COPY_POLICY, MAX_TABLE_BYTES, |rows| {
            Ok(add(&mut excerpt, rows)?)
        })?;
        Ok((excerpt, added))
    });
    let reason = |it: tokio::task::JoinError| it.to_string();
    read.await.map_err(|it| Error::InvalidArchive {
        source_name: GOLDEN_COPY_POLICY.name,
        reason: reason(it),
    })?
}
