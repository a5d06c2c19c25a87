//! What the operator configures: the keys of the provider, the prices of the tiers, and the page to return to.

use std::{collections::BTreeMap, str::FromStr};

use access::Tier;
use auth::Secret;
use aws::{NotRead, SecretSource};
use components::Components;
use serde::Deserialize;
use url::Url;

use crate::event::is_id;

/// The address of the provider's API.
const ADDRESS: &str = "https://api.stripe.com";

/// How to reach the provider, and what is sold.
#[derive(Clone, Debug)]
pub struct Settings {
    pub address: Url,
    pub keys: KeySource,
    pub prices: Prices,
    /// The page of the operator's application at which a user continues after paying.
    pub page: Url,
}

/// The provider's secrets.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Authorizes our requests.
    pub api_key: Secret,
    /// Signs events.
    pub webhook_secret: Secret,
}

/// Where the secrets are.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// Here.
    Given(Keys),
    /// In a secret: a JSON object with the strings `apiKey` and `webhookSecret`.
    Stored(SecretSource),
}

/// Why the secrets cannot be used. Contains nothing of them.
#[derive(Debug, thiserror::Error)]
pub enum NoKeys {
    #[error("the secret of the payment provider (STRIPE_SECRET) cannot be used")]
    NotRead(#[from] NotRead),
    #[error(
        "the secret of the payment provider must be a JSON object with the strings `apiKey` and `webhookSecret`"
    )]
    Unreadable,
}

/// The format of the secret.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKeys {
    api_key: String,
    webhook_secret: String,
}

impl KeySource {
    pub(crate) async fn read(&self) -> Result<Keys, NoKeys> {
        let secret = match self {
            Self::Given(keys) => return Ok(keys.clone()),
            Self::Stored(source) => source.read().await?,
        };
        let StoredKeys { api_key, webhook_secret } =
            serde_json::from_str(secret.expose()).map_err(|_| NoKeys::Unreadable)?;
        // Without a key, everybody could sign events.
        if api_key.is_empty() || webhook_secret.is_empty() {
            return Err(NoKeys::Unreadable);
        }
        Ok(Keys { api_key: Secret::new(api_key), webhook_secret: Secret::new(webhook_secret) })
    }
}

/// Which price pays for which tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices {
    /// The price of a new subscription.
    offered: BTreeMap<Tier, String>,
    /// Every price, also former ones.
    tiers: BTreeMap<String, Tier>,
}

impl Prices {
    /// The tier that a price pays for.
    pub fn tier(&self, price: &str) -> Option<Tier> {
        self.tiers.get(price).copied()
    }

    /// The price of a new subscription.
    pub fn offered(&self, tier: Tier) -> Option<&str> {
        self.offered.get(&tier).map(String::as_str)
    }

    /// The tiers that can be subscribed to.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> {
        self.offered.keys().copied()
    }
}

/// Why the configuration is refused.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSettings {
    #[error(
        "STRIPE_PRICES must list prices for tiers, such as `starter=price_1,price_2 professional=price_3`; got `{0}`"
    )]
    Prices(String),
    #[error("{variable} must be a URL that starts with `https://`; got `{value}`")]
    Address { variable: &'static str, value: String },
}

/// Reads `starter=price_1,price_2 professional=price_3`. The first price of a tier is that of new subscriptions.
impl FromStr for Prices {
    type Err = InvalidSettings;

    fn from_str(text: &str) -> Result<Self, InvalidSettings> {
        let invalid = || InvalidSettings::Prices(text.to_owned());
        let (mut offered, mut tiers) = (BTreeMap::new(), BTreeMap::new());
        for entry in text.split_whitespace() {
            let (name, prices) = entry.split_once('=').ok_or_else(invalid)?;
            let tier = Tier::ALL.into_iter().find(|it| it.name() == name && *it > Tier::Free);
            let tier = tier.ok_or_else(invalid)?;
            for price in prices.split(',') {
                if !is_id(price) || tiers.insert(price.to_owned(), tier).is_some() {
                    return Err(invalid());
                }
                offered.entry(tier).or_insert_with(|| price.to_owned());
            }
        }
        if offered.is_empty() { Err(invalid()) } else { Ok(Self { offered, tiers }) }
    }
}

impl Settings {
    /// Reads `STRIPE_SECRET` (the ARN of a secret of AWS Secrets Manager) or, on a developer's machine, `STRIPE_SECRET_FILE`;
    /// `STRIPE_PRICES`; `BILLING_PAGE`; and `STRIPE_ADDRESS` (default: the provider's). `None`: there is no secret.
    pub fn of(components: &Components) -> Result<Option<Self>, InvalidSettings> {
        let Some(secret) = components.secret("STRIPE_SECRET") else { return Ok(None) };
        let variable = |name| components.setting(name);
        let address = variable("STRIPE_ADDRESS").unwrap_or_else(|| ADDRESS.to_owned());
        Ok(Some(Self {
            address: url("STRIPE_ADDRESS", &address)?,
            keys: KeySource::Stored(secret),
            prices: variable("STRIPE_PRICES").unwrap_or_default().parse()?,
            page: url("BILLING_PAGE", &variable("BILLING_PAGE").unwrap_or_default())?,
        }))
    }
}

/// An address that nobody on the way can read or change: with TLS, or on this machine.
fn url(variable: &'static str, value: &str) -> Result<Url, InvalidSettings> {
    let is_safe = |it: &Url| {
        let is_local = matches!(it.host_str(), Some("localhost" | "127.0.0.1"));
        it.scheme() == "https" || (it.scheme() == "http" && is_local)
    };
    let url = Url::parse(value).ok().filter(is_safe);
    url.ok_or_else(|| InvalidSettings::Address { variable, value: value.to_owned() })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_first_price_of_a_tier_is_offered_and_all_pay_for_it() {
        let prices: Prices = "starter=price_1,price_2 enterprise=price_3".parse().expect("prices");
        assert_eq!(prices.offered(Tier::Starter), Some("price_1"));
        assert_eq!(prices.offered(Tier::Professional), None);
        assert_eq!(prices.tier("price_2"), Some(Tier::Starter));
        assert_eq!(prices.tier("price_4"), None);
        assert_eq!(prices.tiers().collect::<Vec<_>>(), [Tier::Starter, Tier::Enterprise]);
    }

    #[test]
    fn prices_that_cannot_be_right_are_refused() {
        for text in [
            "",
            "starter",
            "starter=",
            "free=price_1",
            "gold=price_1",
            "starter=price_1 professional=price_1",
            "starter=price/1",
        ] {
            assert!(text.parse::<Prices>().is_err(), "{text}");
        }
    }

    #[test]
    fn pages_need_tls() {
        assert!(url("BILLING_PAGE", "https://app.example/billing").is_ok());
        assert!(url("BILLING_PAGE", "http://localhost:3000/billing").is_ok());
        for text in ["", "http://app.example", "javascript:alert(1)", "app.example"] {
            assert!(url("BILLING_PAGE", text).is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_secret_without_both_keys_is_refused_and_not_shown() {
        let folder = std::env::temp_dir().join("gotthard-billing-keys");
        for (text, is_readable) in [
            (r#"{"apiKey":"sk_geheim","webhookSecret":"whsec_geheim"}"#, true),
            (r#"{"apiKey":"sk_geheim","webhookSecret":""}"#, false),
            (r#"{"apiKey":"sk_geheim"}"#, false),
            ("sk_geheim", false),
        ] {
            tokio::fs::write(&folder, text).await.expect("written");
            let source = SecretSource::File(Arc::new(folder.clone()));
            let read = KeySource::Stored(source).read().await;
            assert_eq!(read.is_ok(), is_readable, "{text}");
            assert!(!format!("{read:?}").contains("geheim"), "{text}");
        }
        tokio::fs::remove_file(folder).await.expect("removed");
    }
}
