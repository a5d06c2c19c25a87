//! Subscriptions at the payment provider. Rate group: `account`.
//!
//! A function of its own, because no other one may read the secrets of the provider or write what a team has subscribed to.

mod billing_sessions;
mod payment_events;

use access::RateGroup;
use billing::{PaymentError, PaymentProvider};
use components::{Clock, Components};
use http_service::{Api, Description, Routes};
use problem_details::{INTERNAL, Problem, SERVICE_UNAVAILABLE};
use store::Tenants;

components::component! {
    /// What this function uses: teams and what they have subscribed to, and the payment provider.
    pub struct State {
        pub tenants: Tenants,
        pub provider: PaymentProvider,
        pub clock: Clock,
    }
}

pub fn api<D: Description>(components: &Components) -> Api<D> {
    Routes::new().merge(billing_sessions::routes()).merge(payment_events::routes()).into_api(
        "payments",
        RateGroup::Account,
        components.get(),
    )
}

/// The problem of a request that the provider did not fulfil: 503, or 500 if the configuration is wrong.
fn not_paid(failure: PaymentError) -> Problem {
    match failure {
        PaymentError::NotConfigured => Problem::unavailable(failure),
        PaymentError::UnknownPrice(_) => {
            tracing::error!(failure = errors::chain(&failure), "a price is not configured");
            Problem::new(&INTERNAL, "the request failed because of an internal error")
        }
        failure => {
            tracing::error!(failure = errors::chain(&failure), "payment provider not available");
            let detail = "the payment provider cannot be reached at the moment; try again later";
            Problem::new(&SERVICE_UNAVAILABLE, detail)
        }
    }
}
