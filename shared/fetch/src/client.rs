//! Asking, and asking again.

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use jiff::{Timestamp, civil::Date, fmt::rfc2822, tz::TimeZone};
use sources::{FetchPolicy, Method, Request};
use tokio::time::timeout;
use tower::ServiceExt;
use url::Url;

use crate::{
    Error,
    host_limiter::{HostLimiter, Turn},
    transport::{Body, Transport},
};

/// How often an answer is asked for again, each time after a pause twice as long and a bit.
const RETRIES: usize = 3;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause that a source may ask for. One that wants a longer one is left alone: the job
/// that asked comes again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// How often an answer may lead elsewhere.
const REDIRECTS: usize = 3;

/// Sends requests to hosts. Clones share the host limiter and the connections.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    transport: Transport,
    limiter: HostLimiter,
}

/// One question, with all that belongs to it.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) policy: FetchPolicy,
    pub(crate) request: &'a Request,
    /// Who asks.
    pub(crate) user_agent: &'a HeaderValue,
    /// Goes to the host of the request, and nowhere else that it leads to.
    pub(crate) authorization: Option<&'a HeaderValue>,
}

/// What was answered.
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    /// The day of the file, where its host knows it.
    pub(crate) modified: Option<Date>,
}

/// What one request came to.
enum Outcome {
    Answered(Answer),
    Elsewhere(Url),
}

/// What went wrong with one request, and how long the host then wants to be left alone.
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
    pub(crate) fn over(transport: Transport) -> Self {
        Self { transport, limiter: HostLimiter::default() }
    }

    /// Asks until there is an answer, it is sure that there will be none, or the time is up.
    pub(crate) async fn ask(&self, question: Question<'_>) -> Result<Answer, Error> {
        let pauses = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(RETRIES)
            .with_jitter();
        let answer = (|| self.follow(question))
            .retry(pauses)
            .when(|failure: &Failure| failure.error.is_temporary())
            // What the host asks for is kept by its turn, which the next attempt waits for.
            .adjust(|failure, pause| pause.filter(|_| failure.pause <= Some(LONGEST_PAUSE)));
        answer.await.map_err(|it| it.error)
    }

    async fn follow(&self, question: Question<'_>) -> Result<Answer, Failure> {
        let first = question.address(None, &question.request.url)?;
        let mut address = first.clone();
        for _ in 0..=REDIRECTS {
            let is_first_host = address.origin() == first.origin();
            let authorization = question.authorization.filter(|_| is_first_host);
            let request = question.request_of(&address, authorization)?;
            match self.send(question, request, &address).await? {
                Outcome::Answered(answer) => return Ok(answer),
                Outcome::Elsewhere(next) => address = next,
            }
        }
        Err(question.not_asked(first.as_str(), "it leads from place to place").into())
    }

    async fn send(
        &self,
        question: Question<'_>,
        request: http::Request<Full<Bytes>>,
        address: &Url,
    ) -> Result<Outcome, Failure> {
        let FetchPolicy { min_interval, timeout: limit, .. } = question.policy;
        let mut turn =
            self.limiter.turn(address.host_str().unwrap_or_default(), min_interval).await;
        let answered = async {
            let answer = self.transport.clone().oneshot(request).await;
            let answer = answer.map_err(|it| question.unavailable(address, errors::chain(&*it)))?;
            question.outcome(answer, address, &mut turn).await
        };
        let seconds = limit.as_secs();
        let late = || question.unavailable(address, format!("not within {seconds} seconds"));
        timeout(limit, answered).await.map_err(|_| late())?
    }
}

impl Question<'_> {
    /// An address that may be asked; of a redirect it may be relative to where it comes from.
    fn address(&self, base: Option<&Url>, text: &str) -> Result<Url, Error> {
        let parsed = Url::options().base_url(base).parse(text);
        let address = parsed.map_err(|_| self.not_asked(text, "it is none of the web"))?;
        if address.scheme() != "https" {
            return Err(self.not_asked(address.as_str(), "it is not encrypted"));
        }
        if !address.username().is_empty() || address.password().is_some() {
            let host = address.host_str().unwrap_or_default();
            return Err(self.not_asked(host, "it bears credentials"));
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
        request.map_err(|_| self.not_asked(address.as_str(), "it is none of the web"))
    }

    async fn outcome(
        &self,
        answer: http::Response<Body>,
        address: &Url,
        turn: &mut Turn,
    ) -> Result<Outcome, Failure> {
        let (head, body) = answer.into_parts();
        match head.status {
            status if status.is_success() => {
                let bytes = self.bytes(body, address).await?;
                Ok(Outcome::Answered(Answer { bytes, modified: modified(&head.headers) }))
            }
            // Whatever we send is a question: it may be put again as it is.
            StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT => {
                let place = text(&head.headers, header::LOCATION).unwrap_or_default();
                Ok(Outcome::Elsewhere(self.address(Some(address), place)?))
            }
            StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
                Err(self.later(&head, address, turn))
            }
            status if status.is_server_error() => Err(self.later(&head, address, turn)),
            status => {
                let address = address.to_string();
                Err(Error::Refused { of: self.policy.name, address, status }.into())
            }
        }
    }

    async fn bytes(&self, body: Body, address: &Url) -> Result<Vec<u8>, Error> {
        let FetchPolicy { name: of, max_bytes: largest, .. } = self.policy;
        let body = Limited::new(body, largest).collect().await;
        let bytes = body.map_err(|it| match it.is::<LengthLimitError>() {
            true => Error::TooLarge { of, address: address.to_string(), largest },
            false => self.unavailable(address, errors::chain(&*it)),
        })?;
        Ok(bytes.to_bytes().into())
    }

    fn later(&self, head: &http::response::Parts, address: &Url, turn: &mut Turn) -> Failure {
        #[expect(
            clippy::disallowed_methods,
            reason = "the pause may be given as the time of its end"
        )]
        let pause = text(&head.headers, header::RETRY_AFTER)
            .and_then(|it| retry_after(it, Timestamp::now()));
        // Whoever else asks this host waits too.
        turn.pause_for(pause.unwrap_or_default().min(LONGEST_PAUSE));
        Failure { error: self.unavailable(address, head.status.to_string()), pause }
    }

    fn unavailable(&self, address: &Url, reason: String) -> Error {
        Error::Unavailable { of: self.policy.name, address: address.to_string(), reason }
    }

    fn not_asked(&self, address: &str, reason: &'static str) -> Error {
        Error::NotAsked { of: self.policy.name, address: address.to_owned(), reason }
    }
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

/// A number of seconds or a date.
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = rfc2822::DateTimeParser::new().parse_timestamp(text).ok()?;
    // A date that is past is no pause at all.
    Some(Duration::try_from(then.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_a_number_of_seconds_or_a_date() {
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
