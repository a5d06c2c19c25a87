//! The operations of the payment provider.

use std::sync::Arc;

use access::Tier;
use auth::{Secret, TeamId};
use components::{Component, Components};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use tokio::sync::Mutex;
use url::Url;

use crate::{
    Event, InvalidSignature, Keys, PaymentError, Settings,
    client::{Call, StripeClient},
    event::is_id,
    settings::{NoKeys, Prices},
    signature,
    subscription::{ReportedSubscription, StripeSubscription, TEAM},
};

/// How long a process uses the secrets before it reads them again. Replacing them takes this long at most.
const KEYS_DURATION: SignedDuration = SignedDuration::from_mins(10);
/// Within this period, checkouts of a team for the same tier lead to the same page.
const CHECKOUT_PERIOD: i64 = 3_600;
/// The same for the page that manages the subscription, which works for minutes only.
const PORTAL_PERIOD: i64 = 60;

/// The payment provider of the deployment, or that it has none.
#[derive(Clone, Debug)]
pub struct PaymentProvider(Option<Arc<Configured>>);

#[derive(Debug)]
struct Configured {
    settings: Settings,
    client: StripeClient,
    keys: Mutex<Option<ReadKeys>>,
}

#[derive(Clone, Debug)]
struct ReadKeys {
    keys: Keys,
    read_at: Timestamp,
}

/// A new subscription.
#[derive(Clone, Debug)]
pub struct Checkout<'a> {
    pub team: &'a TeamId,
    pub customer: &'a str,
    pub tier: Tier,
    /// How often the team's subscriptions have changed: after a change, the same checkout is a new one.
    pub changes: usize,
}

/// A page of the provider for one user.
#[derive(Clone, Debug)]
pub struct Page {
    pub id: String,
    pub url: String,
}

/// Why an event is refused.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    #[error(transparent)]
    Signature(#[from] InvalidSignature),
    #[error("the body is not an event of the payment provider")]
    Malformed,
    #[error(transparent)]
    Failed(#[from] PaymentError),
}

#[derive(Deserialize)]
struct Customer {
    id: String,
}

/// The URL is missing if the page is used up.
#[derive(Deserialize)]
struct Session {
    id: String,
    url: Option<String>,
}

/// The provider of [`Settings::of`].
impl Component for PaymentProvider {
    fn open(components: &Components) -> Self {
        match Settings::of(components) {
            Ok(settings) => settings.map_or_else(Self::none, Self::new),
            Err(invalid) => panic!("{invalid}"),
        }
    }
}

impl PaymentProvider {
    pub fn new(settings: Settings) -> Self {
        let client = StripeClient::new(settings.address.clone());
        Self(Some(Arc::new(Configured { settings, client, keys: Mutex::default() })))
    }

    /// A deployment without payments.
    pub fn none() -> Self {
        Self(None)
    }

    fn configured(&self) -> Result<&Configured, PaymentError> {
        self.0.as_deref().ok_or(PaymentError::NotConfigured)
    }

    /// What is sold.
    pub fn prices(&self) -> Result<&Prices, PaymentError> {
        Ok(&self.configured()?.settings.prices)
    }

    /// Creates the customer that a team is, and returns its id.
    pub async fn create_customer(
        &self,
        team: &TeamId,
        name: &str,
        email: &str,
        now: Timestamp,
    ) -> Result<String, PaymentError> {
        let metadata = format!("metadata[{TEAM}]");
        let members = [("name", name), ("email", email), (&metadata, team.0.as_str())];
        let call = Call::Create { members: &members, period: "" };
        let Customer { id } = self.configured()?.call("customers", &call, now).await?;
        if is_id(&id) { Ok(id) } else { Err(PaymentError::Unreadable) }
    }

    /// The page at which a team subscribes to a tier. `None`: the tier is not sold.
    pub async fn checkout(
        &self,
        Checkout { team, customer, tier, changes }: Checkout<'_>,
        now: Timestamp,
    ) -> Result<Option<Page>, PaymentError> {
        let configured = self.configured()?;
        let Settings { prices, page, .. } = &configured.settings;
        let Some(price) = prices.offered(tier) else { return Ok(None) };
        let (paid, canceled) = (with_result(page, "success"), with_result(page, "canceled"));
        let metadata = format!("subscription_data[metadata][{TEAM}]");
        let members = [
            ("mode", "subscription"),
            ("customer", customer),
            ("client_reference_id", &team.0),
            ("line_items[0][price]", price),
            ("line_items[0][quantity]", "1"),
            (metadata.as_str(), &team.0),
            ("success_url", paid.as_str()),
            ("cancel_url", canceled.as_str()),
        ];
        let period = format!("{} {changes}", period(now, CHECKOUT_PERIOD));
        let call = Call::Create { members: &members, period: &period };
        configured.session("checkout/sessions", &call, now).await.map(Some)
    }

    /// The page at which a customer changes or cancels the subscription, and finds invoices.
    pub async fn portal(&self, customer: &str, now: Timestamp) -> Result<Page, PaymentError> {
        let configured = self.configured()?;
        let members = [("customer", customer), ("return_url", configured.settings.page.as_str())];
        let period = period(now, PORTAL_PERIOD);
        let call = Call::Create { members: &members, period: &period };
        configured.session("billing_portal/sessions", &call, now).await
    }

    /// The current state of a subscription.
    pub async fn subscription(
        &self,
        id: &str,
        now: Timestamp,
    ) -> Result<ReportedSubscription, PaymentError> {
        let configured = self.configured()?;
        let path = format!("subscriptions/{id}");
        let subscription: StripeSubscription = configured.call(&path, &Call::Get, now).await?;
        subscription.reported(&configured.settings.prices)
    }

    /// The event in a request, if the provider has signed it.
    pub async fn event(
        &self,
        signature: &str,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Event, EventError> {
        let keys = self.configured()?.keys(now).await.map_err(PaymentError::from)?;
        signature::verify(signature, body, &keys.webhook_secret, now)?;
        Event::read(body).ok_or(EventError::Malformed)
    }
}

impl Configured {
    async fn call<T: serde::de::DeserializeOwned>(
        &self,
        path: &str,
        call: &Call<'_>,
        now: Timestamp,
    ) -> Result<T, PaymentError> {
        let api_key: Secret = self.keys(now).await?.api_key;
        self.client.call(&api_key, path, call).await
    }

    async fn session(
        &self,
        path: &str,
        call: &Call<'_>,
        now: Timestamp,
    ) -> Result<Page, PaymentError> {
        let Session { id, url } = self.call(path, call, now).await?;
        url.map(|url| Page { id, url }).ok_or(PaymentError::Unreadable)
    }

    async fn keys(&self, now: Timestamp) -> Result<Keys, NoKeys> {
        let mut known = self.keys.lock().await;
        let is_new = |it: &ReadKeys| now.duration_since(it.read_at) < KEYS_DURATION;
        if let Some(ReadKeys { keys, .. }) = known.clone().filter(is_new) {
            return Ok(keys);
        }
        let keys = self.settings.keys.read().await?;
        *known = Some(ReadKeys { keys: keys.clone(), read_at: now });
        Ok(keys)
    }
}

/// The page, which learns what has happened from the parameter `checkout`.
fn with_result(page: &Url, result: &str) -> Url {
    let mut page = page.clone();
    page.query_pairs_mut().append_pair("checkout", result);
    page
}

fn period(now: Timestamp, seconds: i64) -> String {
    now.as_second().div_euclid(seconds).to_string()
}
