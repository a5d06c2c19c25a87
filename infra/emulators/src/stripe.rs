//! The part of Stripe's HTTP API that this service uses, in memory: for tests and for the examples of the description.
//!
//! It is strict where Stripe is: a request needs the API key and the pinned version; a form that creates something needs an
//! `Idempotency-Key`, and has only members that Stripe knows; the same key with another form is refused.

mod api;

use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use auth::Secret;
use billing::{KeySource, Keys, PaymentProvider, Settings, signature};
use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use url::Url;

/// The price of each tier.
pub const PRICES: &str = "starter=price_starter,price_starter_yearly professional=price_professional enterprise=price_enterprise";
/// The API key, which requests must have.
pub const API_KEY: &str = "sk_test_emulator";
/// The secret that signs events.
pub const WEBHOOK_SECRET: &str = "whsec_emulator";
/// The page to which users return.
pub const PAGE: &str = "https://app.example/billing";

/// A running emulator. Clones are the same one. It stops with the runtime that started it.
#[derive(Clone, Debug)]
pub struct StripeEmulator {
    address: Url,
    account: Arc<Mutex<Account>>,
}

/// What an account at Stripe contains.
#[derive(Debug, Default)]
struct Account {
    customers: BTreeMap<String, Form>,
    /// Checkout and portal sessions, in the order of their creation.
    sessions: Vec<(String, Form)>,
    subscriptions: BTreeMap<String, Value>,
    /// The form and the answer of each idempotency key.
    answered: HashMap<String, (String, Value)>,
    /// The statuses with which the next requests fail.
    failures: VecDeque<StatusCode>,
    requests: usize,
}

/// The members of a form.
pub type Form = BTreeMap<String, String>;

impl StripeEmulator {
    /// Starts an emulator on a free port of this machine.
    pub fn start() -> io::Result<Self> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
        listener.set_nonblocking(true)?;
        let address = format!("http://{}/", listener.local_addr()?);
        let address = Url::parse(&address).map_err(io::Error::other)?;
        let account = Arc::<Mutex<Account>>::default();
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::spawn(axum::serve(listener, api::router(account.clone())).into_future());
        Ok(Self { address, account })
    }

    /// The provider whose requests this emulator answers.
    pub fn provider(&self) -> PaymentProvider {
        let keys = Keys {
            api_key: Secret::new(API_KEY.to_owned()),
            webhook_secret: Secret::new(WEBHOOK_SECRET.to_owned()),
        };
        self.provider_with(keys, PRICES)
    }

    /// As [`StripeEmulator::provider`], with other secrets and prices.
    ///
    /// # Panics
    /// If the prices are not valid.
    #[expect(clippy::expect_used, reason = "documented")]
    pub fn provider_with(&self, keys: Keys, prices: &str) -> PaymentProvider {
        PaymentProvider::new(Settings {
            address: self.address.clone(),
            keys: KeySource::Given(keys),
            prices: prices.parse().expect("prices"),
            page: Url::parse(PAGE).expect("a URL"),
        })
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The customers, by id.
    pub fn customers(&self) -> BTreeMap<String, Form> {
        self.account().customers.clone()
    }

    /// The checkout and portal sessions with their ids, in the order of their creation.
    pub fn sessions(&self) -> Vec<(String, Form)> {
        self.account().sessions.clone()
    }

    /// Number of requests so far.
    pub fn requests(&self) -> usize {
        self.account().requests
    }

    /// Lets the next requests fail with these statuses.
    pub fn fail(&self, statuses: impl IntoIterator<Item = StatusCode>) {
        self.account().failures.extend(statuses);
    }

    /// Creates or replaces a subscription.
    pub fn put_subscription(&self, id: &str, team: &str, price: &str, status: &str) {
        self.account().subscriptions.insert(
            id.to_owned(),
            json!({
                "id": id,
                "object": "subscription",
                "status": status,
                "metadata": { "team": team },
                "items": { "object": "list", "data": [{
                    "price": { "id": price, "object": "price" },
                    "current_period_end": 1_798_761_600,
                }] },
                "cancel_at": null,
                "cancel_at_period_end": false,
            }),
        );
    }

    /// Changes a member of a subscription.
    pub fn change_subscription(&self, id: &str, member: &str, value: Value) {
        if let Some(subscription) = self.account().subscriptions.get_mut(id) {
            subscription[member] = value;
        }
    }

    /// Pays the checkout session that was created last, as its customer does. Returns the id of the new subscription.
    pub fn pay(&self) -> Option<String> {
        let session = self.account().sessions.last().cloned();
        let (id, form) = session.filter(|(id, _)| id.starts_with("cs_"))?;
        let subscription = id.replace("cs_", "sub_");
        let member = |name: &str| form.get(name).map(String::as_str).unwrap_or_default();
        let (team, price) =
            (member("subscription_data[metadata][team]"), member("line_items[0][price]"));
        self.put_subscription(&subscription, team, price, "active");
        Some(subscription)
    }

    /// An event about a subscription, as Stripe sends it.
    pub fn subscription_event(&self, id: &str, kind: &str, subscription: &str) -> String {
        let state = self.account().subscriptions.get(subscription).cloned();
        let object = state.unwrap_or_else(|| json!({ "id": subscription }));
        event(id, kind, &object)
    }
}

/// An event about an object.
pub fn event(id: &str, kind: &str, object: &Value) -> String {
    json!({
        "id": id,
        "object": "event",
        "api_version": billing::VERSION,
        "type": kind,
        "livemode": false,
        "data": { "object": object },
    })
    .to_string()
}

/// The value of the header `Stripe-Signature` of a body that is sent at this time.
pub fn sign(body: &str, now: Timestamp) -> String {
    signature::sign(body.as_bytes(), &Secret::new(WEBHOOK_SECRET.to_owned()), now)
}
