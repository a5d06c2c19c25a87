//! Sends requests, with retries, redirects and limits.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use jiff::{Timestamp, civil::Date, fmt::rfc2822, tz::TimeZone};
use network::transport::{Body, Transport};
use sources::{FetchPolicy, Method, Request, Response};
use tokio::time::timeout;
use tower::ServiceExt;
use url::Url;

use crate::{
    Error,
    host_limiter::{HostLimiter, Permit},
};

/// Maximum number of retries. The pause doubles with each retry, plus jitter.
const RETRIES: usize = 3;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// Maximum `Retry-After` that the client waits for. If a source requests a longer pause, the request
/// fails and the job is retried later.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Maximum number of redirects of a request.
const MAX_REDIRECTS: usize = 3;

/// Sends requests to hosts. Clones share the host limiter and the connections.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    transport: Transport,
    limiter: HostLimiter,
}

/// A request with its policy and credentials.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) policy: FetchPolicy,
    pub(crate) request: &'a Request,
    pub(crate) user_agent: &'a HeaderValue,
    /// Sent to the host of the request only, not to other hosts after a redirect.
    pub(crate) authorization: Option<&'a HeaderValue>,
}

/// Result of one request.
enum Outcome {
    Success(Response),
    Redirect(Url),
}

/// Error of one request, with the pause that the host requested.
struct Failure {
    error: Error,
    pause: Option<Duration>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, pause: None }
    }
}

impl Client {
    pub(crate) fn new(transport: Transport) -> Self {
        Self { transport, limiter: HostLimiter::default() }
    }

    /// Sends a request, with retries after temporary errors.
    pub(crate) async fn execute(&self, call: Call<'_>) -> Result<Response, Error> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(RETRIES)
            .with_jitter();
        let response = (|| self.follow_redirects(call))
            .retry(pauses)
            .when(|failure: &Failure| failure.error.is_temporary())
            // The host limiter waits for the pause that the host requested, before the next attempt.
            .adjust(|failure, pause| pause.filter(|_| failure.pause <= Some(MAX_PAUSE)));
        response.await.map_err(|it| it.error)
    }

    async fn follow_redirects(&self, call: Call<'_>) -> Result<Response, Failure> {
        let first = call.address(None, &call.request.url)?;
        let mut address = first.clone();
        for _ in 0..=MAX_REDIRECTS {
            let is_first_host = address.origin() == first.origin();
            let authorization = call.authorization.filter(|_| is_first_host);
            let request = call.request_of(&address, authorization)?;
            match self.send(call, request, &address).await? {
                Outcome::Success(response) => return Ok(response),
                Outcome::Redirect(next) => address = next,
            }
        }
        Err(call.invalid_address(first.as_str(), "too many redirects").into())
    }

    async fn send(
        &self,
        call: Call<'_>,
        request: http::Request<Full<Bytes>>,
        address: &Url,
    ) -> Result<Outcome, Failure> {
        let FetchPolicy { min_interval, timeout: limit, .. } = call.policy;
        let mut permit =
            self.limiter.acquire(address.host_str().unwrap_or_default(), min_interval).await;
        let exchange = async {
            let response = self.transport.clone().oneshot(request).await;
            let response = response.map_err(|it| call.unavailable(address, errors::chain(&*it)))?;
            call.outcome(response, address, &mut permit).await
        };
        let seconds = limit.as_secs();
        let timed_out =
            || call.unavailable(address, format!("no response within {seconds} seconds"));
        timeout(limit, exchange).await.map_err(|_| timed_out())?
    }
}

impl Call<'_> {
    /// Parses and checks an address. `base` resolves relative addresses of redirects.
    fn address(&self, base: Option<&Url>, text: &str) -> Result<Url, Error> {
        let parsed = Url::options().base_url(base).parse(text);
        let address = parsed.map_err(|_| self.invalid_address(text, "it is not a valid URL"))?;
        if address.scheme() != "https" {
            return Err(self.invalid_address(address.as_str(), "it does not use HTTPS"));
        }
        if !address.username().is_empty() || address.password().is_some() {
            let host = address.host_str().unwrap_or_default();
            return Err(self.invalid_address(host, "it contains credentials"));
        }
        Ok(address)
    }

    fn request_of(
        &self,
        address: &Url,
        authorization: Option<&HeaderValue>,
    ) -> Result<http::Request<Full<Bytes>>, Error> {
        let method = match self.request.method {
            Method::Get => http::Method::GET,
            Method::Post => http::Method::POST,
        };
        let mut request = http::Request::builder().method(method).uri(address.as_str());
        for (name, value) in &self.request.headers {
            request = request.header(*name, *value);
        }
        request = request.header(header::USER_AGENT, self.user_agent);
        if let Some(authorization) = authorization {
            request = request.header(header::AUTHORIZATION, authorization);
        }
        let body = self.request.body.clone().unwrap_or_default();
        let request = request.body(Full::from(body));
        request.map_err(|_| self.invalid_address(address.as_str(), "it is not a valid URL"))
    }

    async fn outcome(
        &self,
        response: http::Response<Body>,
        address: &Url,
        permit: &mut Permit,
    ) -> Result<Outcome, Failure> {
        let (head, body) = response.into_parts();
        match head.status {
            status if status.is_success() => {
                let bytes = self.bytes(body, address).await?;
                Ok(Outcome::Success(Response { bytes, modified: modified(&head.headers) }))
            }
            // All requests only read data, so that they can be sent again with the same method.
            StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT => {
                let place = text(&head.headers, header::LOCATION).unwrap_or_default();
                Ok(Outcome::Redirect(self.address(Some(address), place)?))
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Err(self.temporary_error(&head, address, permit))
            }
            status if status.is_server_error() => Err(self.temporary_error(&head, address, permit)),
            status => {
                let address = without_secrets(address.as_str());
                Err(Error::Refused { source_name: self.policy.name, address, status }.into())
            }
        }
    }

    async fn bytes(&self, body: Body, address: &Url) -> Result<Vec<u8>, Error> {
        let FetchPolicy { name: source_name, max_bytes, .. } = self.policy;
        let body = Limited::new(body, max_bytes).collect().await;
        let shown = || without_secrets(address.as_str());
        let bytes = body.map_err(|it| match it.is::<LengthLimitError>() {
            true => Error::TooLarge { source_name, address: shown(), max_bytes },
            false => self.unavailable(address, errors::chain(&*it)),
        })?;
        Ok(bytes.to_bytes().into())
    }

    fn temporary_error(
        &self,
        head: &http::response::Parts,
        address: &Url,
        permit: &mut Permit,
    ) -> Failure {
        #[expect(
            clippy::disallowed_methods,
            reason = "the header may contain the time at which the pause ends"
        )]
        let pause = text(&head.headers, header::RETRY_AFTER)
            .and_then(|it| retry_after(it, Timestamp::now()));
        // Other requests to this host wait too.
        permit.pause_for(pause.unwrap_or_default().min(MAX_PAUSE));
        Failure { error: self.unavailable(address, head.status.to_string()), pause }
    }

    fn unavailable(&self, address: &Url, reason: String) -> Error {
        let address = without_secrets(address.as_str());
        Error::Unavailable { source_name: self.policy.name, address, reason }
    }

    fn invalid_address(&self, address: &str, reason: &'static str) -> Error {
        let address = without_secrets(address);
        Error::InvalidAddress { source_name: self.policy.name, address, reason }
    }
}

/// An address as errors show it: without credentials, query and fragment. A source may redirect to an address whose query
/// gives access to a file, and the errors of sources are public. The text need not be a valid address.
fn without_secrets(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = match address.split_once("//") {
        Some((scheme, rest)) => (format!("{scheme}//"), rest),
        None => (String::new(), address),
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{scheme}{host}{path}")
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn modified(headers: &HeaderMap) -> Option<Date> {
    let moment = rfc2822::DateTimeParser::new()
        .parse_timestamp(text(headers, header::LAST_MODIFIED)?)
        .ok()?;
    Some(moment.to_zoned(TimeZone::UTC).date())
}

/// Parses the header `Retry-After`: a number of seconds or a date.
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    // A date in the past means no pause.
    Some(Duration::try_from(then.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_in_an_error_has_no_credentials_query_or_fragment() {
        for (address, shown) in [
            ("https://a.example/b/c.csv", "https://a.example/b/c.csv"),
            ("https://a.example/@b?Signature=s#f", "https://a.example/@b"),
            ("https://a.example?Signature=s", "https://a.example"),
            ("https://user:pass@word@a.example:8443/b#f?s", "https://a.example:8443/b"),
            ("https://a.exa mple/b?s", "https://a.exa mple/b"),
            ("user:password@a.example/b?s", "a.example/b"),
            ("//user@a.example", "//a.example"),
            ("?s", ""),
            ("", ""),
        ] {
            assert_eq!(without_secrets(address), shown, "{address}");
        }
    }

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now: Timestamp = "2026-03-02T10:00:00Z".parse().expect("a moment");
        for (text, seconds) in [
            ("120", Some(120)),
            ("Mon, 02 Mar 2026 10:00:30 GMT", Some(30)),
            ("Mon, 02 Mar 2026 09:00:00 GMT", Some(0)),
            ("soon", None),
        ] {
            assert_eq!(retry_after(text, now).map(|it| it.as_secs()), seconds, "{text}");
        }
    }
}
