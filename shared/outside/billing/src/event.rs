//! What an event of the provider is about.
//!
//! Events arrive late, repeatedly and in any order, so nothing of their content is believed but which subscription they
//! are about: its state is then asked for.

use serde::Deserialize;
use serde_json::Value;

/// The types of events that may change a subscription. Others have no effect.
pub const HANDLED: [&str; 8] = [
    "checkout.session.completed",
    "customer.subscription.created",
    "customer.subscription.deleted",
    "customer.subscription.paused",
    "customer.subscription.resumed",
    "customer.subscription.updated",
    "invoice.paid",
    "invoice.payment_failed",
];

/// Maximum length of an id of the provider.
const MAX_ID: usize = 255;

/// An event whose signature was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub id: String,
    /// The subscription that may have changed. `None`: the event has no effect.
    pub subscription: Option<String>,
}

#[derive(Deserialize)]
struct Body {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    object: Value,
}

impl Event {
    /// Reads an event. `None`: it is not one.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let Body { id, kind, data } = serde_json::from_slice(body).ok()?;
        let object = data.object;
        let subscription = match kind.as_str() {
            other if !HANDLED.contains(&other) => None,
            kind if kind.starts_with("customer.subscription.") => object["id"].as_str(),
            // Newer versions of the provider's API name the subscription of an invoice in `parent`.
            _ => {
                [&object["subscription"], &object["parent"]["subscription_details"]["subscription"]]
                    .into_iter()
                    .find_map(Value::as_str)
            }
        };
        let subscription = subscription.filter(|it| is_id(it)).map(str::to_owned);
        is_id(&id).then_some(Self { id, subscription })
    }
}

/// Whether a text is an id of the provider, which is safe in a path and in a key.
pub(crate) fn is_id(text: &str) -> bool {
    let is_allowed = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn subscription(kind: &str, object: Value) -> Option<String> {
        let body = json!({ "id": "evt_1", "type": kind, "data": { "object": object } });
        let event = Event::read(body.to_string().as_bytes()).expect("an event");
        assert_eq!(event.id, "evt_1");
        event.subscription
    }

    #[test]
    fn an_event_names_its_subscription() {
        let found = Some("sub_1".to_owned());
        let of_session = json!({ "id": "cs_1", "subscription": "sub_1" });
        assert_eq!(subscription("checkout.session.completed", of_session), found);
        let itself = json!({ "id": "sub_1" });
        assert_eq!(subscription("customer.subscription.deleted", itself.clone()), found);
        let older = json!({ "id": "in_1", "subscription": "sub_1" });
        assert_eq!(subscription("invoice.paid", older), found);
        let newer = json!({ "parent": { "subscription_details": { "subscription": "sub_1" } } });
        assert_eq!(subscription("invoice.payment_failed", newer), found);
        assert_eq!(subscription("customer.created", itself), None);
        assert_eq!(subscription("invoice.paid", json!({ "subscription": null })), None);
        let elsewhere = json!({ "id": "../customers" });
        assert_eq!(subscription("customer.subscription.updated", elsewhere), None);
    }

    #[test]
    fn other_bodies_are_no_events() {
        for body in ["", "{}", "[]", r#"{"id":"evt#1","type":"x","data":{"object":{}}}"#] {
            assert_eq!(Event::read(body.as_bytes()), None, "{body}");
        }
    }
}
