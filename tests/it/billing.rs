//! Subscribing to a tier at the payment provider, and its events. The provider is an emulator that speaks its HTTP API.

use access::{Environment, Role, Scope, Tier};
use auth::{Secret, TeamId};
use billing::{Keys, PaymentProvider};
use emulators::stripe::{API_KEY, PAGE, PRICES, WEBHOOK_SECRET, event, sign};
use http::{Request, StatusCode};
use serde_json::{Value, json};
use tests::{Answer, Service, bearing};

const CHECKOUT: &str = "/v1/billing/checkout-session";
const PORTAL: &str = "/v1/billing/portal-session";

/// A service with a team, and the token of an owner.
async fn service_with_owner(tier: Tier) -> (Service, TeamId, String) {
    let service = Service::start().await;
    let team = service.team(tier).await;
    let owner = service.session(&team, Role::Owner).await;
    (service, team, owner)
}

fn keys() -> Keys {
    Keys {
        api_key: Secret::new(API_KEY.to_owned()),
        webhook_secret: Secret::new(WEBHOOK_SECRET.to_owned()),
    }
}

pub(crate) async fn send_event(service: &Service, body: &str) -> Answer {
    let signature = sign(body, service.now());
    send_signed(service, body, &signature).await
}

async fn send_signed(service: &Service, body: &str, signature: &str) -> Answer {
    let request = Request::post("/v1/webhooks/stripe")
        .header("content-type", "application/json; charset=utf-8")
        .header("stripe-signature", signature);
    service.send_with(request, body.to_owned()).await
}

/// The tier that a new process sees, which remembers no caller.
async fn tier(service: &Service, token: &str) -> Value {
    service.second_process().get_as(token, "/v1/usage/current").await.body["tier"].clone()
}

#[tokio::test]
async fn an_owner_subscribes_and_the_team_gets_the_tier_within_a_minute() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    assert_eq!(service.get_as(&key, "/v1/usage/current").await.body["tier"], "free");

    let page = service.post_as(&owner, CHECKOUT, json!({ "tier": "professional" })).await;
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    let [(id, form)] = &service.stripe.sessions()[..] else { panic!("one session") };
    assert_eq!(page.body, json!({ "url": format!("https://checkout.stripe.com/c/pay/{id}") }));
    let customers = service.stripe.customers();
    let (customer, data) = customers.first_key_value().expect("a customer");
    assert_eq!((customers.len(), &data["metadata[team]"]), (1, &team.0));
    assert!(data["email"].ends_with("@example.ch"), "{data:?}");
    for (name, value) in [
        ("mode", "subscription"),
        ("customer", customer.as_str()),
        ("client_reference_id", &team.0),
        ("line_items[0][price]", "price_professional"),
        ("subscription_data[metadata][team]", &team.0),
        ("success_url", &format!("{PAGE}?checkout=success")),
        ("cancel_url", &format!("{PAGE}?checkout=canceled")),
    ] {
        assert_eq!(form[name], value, "{name}");
    }

    let subscription = service.stripe.pay().expect("paid");
    let paid = event(
        "evt_1",
        "checkout.session.completed",
        &json!({ "id": id, "subscription": subscription }),
    );
    let received = send_event(&service, &paid).await;
    assert_eq!((received.status, &received.body), (StatusCode::OK, &json!({ "handled": true })));
    service.pass_seconds(61);
    assert_eq!(service.get_as(&key, "/v1/usage/current").await.body["tier"], "professional");
    let shown = service.get_as(&owner, "/v1/teams/me").await.body;
    assert_eq!(shown["stripeSubscriptionId"], subscription);
    assert_eq!(shown["currentPeriodEnd"], "2027-01-01T00:00:00Z");
    assert!(shown["cancellationEffectiveAt"].is_null(), "{shown}");
}

#[tokio::test]
async fn a_repeated_checkout_leads_to_the_same_page() {
    let (service, _, owner) = service_with_owner(Tier::Free).await;
    let checkout = async |tier| {
        let answer = service.post_as(&owner, CHECKOUT, json!({ "tier": tier })).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        answer.body["url"].clone()
    };
    let first = checkout("starter").await;
    assert_eq!(checkout("starter").await, first);
    assert_ne!(checkout("enterprise").await, first);
    assert_eq!(service.stripe.sessions().len(), 2);
    assert_eq!(service.stripe.customers().len(), 1);
    service.pass_seconds(3_600);
    assert_ne!(checkout("starter").await, first);
}

#[tokio::test]
async fn a_subscription_is_changed_at_the_portal_and_not_bought_twice() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    let portal = service.post_as(&owner, PORTAL, json!({})).await;
    let url = portal.body["url"].as_str().expect("an address");
    assert!(url.starts_with("https://billing.stripe.com/"), "{portal:?}");
    let (_, form) = service.stripe.sessions().pop().expect("a session");
    assert_eq!(form["return_url"], PAGE);

    service.stripe.put_subscription("sub_1", &team.0, "price_starter", "active");
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    assert_eq!(send_event(&service, &created).await.status, StatusCode::OK);
    let again = service.post_as(&owner, CHECKOUT, json!({ "tier": "enterprise" })).await;
    assert_eq!((again.status, again.slug()), (StatusCode::CONFLICT, "conflict"));
    assert!(again.detail().contains("portal-session"), "{again:?}");

    // At the portal, the customer changes the plan, and then cancels.
    service.stripe.put_subscription("sub_1", &team.0, "price_enterprise", "active");
    service.stripe.change_subscription("sub_1", "cancel_at", json!(1_797_000_000));
    let updated =
        service.stripe.subscription_event("evt_2", "customer.subscription.updated", "sub_1");
    send_event(&service, &updated).await;
    assert_eq!(tier(&service, &owner).await, "enterprise");
    let shown = service.get_as(&owner, "/v1/teams/me").await.body;
    assert_eq!(shown["cancellationEffectiveAt"], "2026-12-11T14:40:00Z");
    service.stripe.change_subscription("sub_1", "status", json!("canceled"));
    let deleted =
        service.stripe.subscription_event("evt_3", "customer.subscription.deleted", "sub_1");
    send_event(&service, &deleted).await;
    assert_eq!(tier(&service, &owner).await, "free");
    // After the end, the team can subscribe again, although the same checkout was started within the hour.
    let again = service.post_as(&owner, CHECKOUT, json!({ "tier": "enterprise" })).await;
    assert_eq!(again.status, StatusCode::OK, "{again:?}");
}

#[tokio::test]
async fn a_paid_tier_ends_with_its_subscription_also_if_the_event_is_lost() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    let ends_at = service.now() + jiff::SignedDuration::from_hours(1);
    service.stripe.put_subscription("sub_1", &team.0, "price_enterprise", "active");
    service.stripe.change_subscription("sub_1", "cancel_at", json!(ends_at.as_second()));
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    assert_eq!(send_event(&service, &created).await.status, StatusCode::OK);
    service.pass_seconds(3_500);
    assert_eq!(tier(&service, &owner).await, "enterprise");
    service.pass_seconds(100);
    assert_eq!(tier(&service, &owner).await, "free");
    let shown = service.get_as(&owner, "/v1/teams/me").await.body;
    assert!(shown["cancellationEffectiveAt"].is_null(), "{shown}");
    let again = service.post_as(&owner, CHECKOUT, json!({ "tier": "enterprise" })).await;
    assert_eq!(again.status, StatusCode::OK, "{again:?}");
}

#[tokio::test]
async fn what_a_lost_event_would_have_said_is_read_from_the_provider() {
    let (service, team, _) = service_with_owner(Tier::Free).await;
    // Sessions are shorter than subscriptions.
    let tier_now = async || tier(&service, &service.session(&team, Role::Owner).await).await;
    let subscribe = async || {
        let owner = service.session(&team, Role::Owner).await;
        service.post_as(&owner, CHECKOUT, json!({ "tier": "enterprise" })).await
    };
    let period_end = service.now() + jiff::SignedDuration::from_hours(1);
    let paid_until = |end: jiff::Timestamp| {
        let item =
            json!({ "price": { "id": "price_enterprise" }, "current_period_end": end.as_second() });
        service.stripe.change_subscription("sub_1", "items", json!({ "data": [item] }));
    };
    service.stripe.put_subscription("sub_1", &team.0, "price_enterprise", "active");
    paid_until(period_end);
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    assert_eq!(send_event(&service, &created).await.status, StatusCode::OK);

    // The renewal is not reported: the tier ends after two weeks, and comes back when the owner looks at the subscription.
    let days = |it: i64| it * 24 * 3_600;
    let renewed = period_end + jiff::SignedDuration::from_hours(30 * 24);
    paid_until(renewed);
    service.pass_seconds(3_600 + days(13));
    assert_eq!(tier_now().await, "enterprise");
    service.pass_seconds(days(1));
    assert_eq!(tier_now().await, "free");
    let again = subscribe().await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{again:?}");
    assert_eq!(tier_now().await, "enterprise");

    // The end is not reported: what was paid counts, and then the team can subscribe again.
    service.stripe.change_subscription("sub_1", "status", json!("canceled"));
    let conflict = subscribe().await;
    assert_eq!(conflict.status, StatusCode::CONFLICT, "{conflict:?}");
    service.pass_seconds(days(16));
    let again = subscribe().await;
    assert_eq!(again.status, StatusCode::OK, "{again:?}");
    assert_eq!(tier_now().await, "free");
}

#[tokio::test]
async fn a_portal_address_is_not_stored_for_repeated_requests() {
    let (service, _, owner) = service_with_owner(Tier::Free).await;
    let send = async || {
        let request = bearing(&owner, Request::post(PORTAL)).header("idempotency-key", "once");
        service.send_with(request.header("content-type", "application/json"), "{}").await
    };
    assert_eq!(send().await.status, StatusCode::OK);
    assert_eq!(send().await.slug(), "idempotency-conflict");
}

#[tokio::test]
async fn only_tiers_with_a_price_can_be_bought() {
    let (service, _, owner) = service_with_owner(Tier::Free).await;
    let some = service.with_payments(service.stripe.provider_with(keys(), "starter=price_starter"));
    let refused = async |service: &Service, tier| {
        let refused = service.post_as(&owner, CHECKOUT, json!({ "tier": tier })).await;
        assert_eq!((refused.status, refused.slug()), (StatusCode::BAD_REQUEST, "bad-request"));
        assert_eq!(refused.body["errors"][0]["member"], "tier", "{refused:?}");
        refused.detail().to_owned()
    };
    assert_eq!(refused(&some, "pro").await, "tier: must be one of `starter`; got `professional`");
    assert!(refused(&service, "free").await.contains("`starter`"));
    assert_eq!(service.stripe.requests(), 0);
    let basic = service.post_as(&owner, CHECKOUT, json!({ "tier": "basic" })).await;
    assert_eq!(basic.status, StatusCode::OK, "{basic:?}");
}

#[tokio::test]
async fn a_deployment_without_payment_provider_says_so() {
    let (service, _, owner) = service_with_owner(Tier::Free).await;
    let service = service.with_payments(PaymentProvider::none());
    for (path, body) in [(CHECKOUT, json!({ "tier": "starter" })), (PORTAL, json!({}))] {
        let refused = service.post_as(&owner, path, body).await;
        let found = (refused.status, refused.slug(), refused.header("retry-after"));
        assert_eq!(found, (StatusCode::SERVICE_UNAVAILABLE, "service-unavailable", Some("1")));
        assert!(
            refused.detail().starts_with("this deployment has no payment provider"),
            "{refused:?}"
        );
    }
    let event = send_event(&service, &event("evt_1", "customer.created", &json!({}))).await;
    assert_eq!((event.status, event.slug()), (StatusCode::NOT_FOUND, "not-found"));
}

#[tokio::test]
async fn failures_of_the_provider_are_repeated_and_then_503_without_its_texts() {
    let (service, _, owner) = service_with_owner(Tier::Free).await;
    let checkout = async |service: &Service| {
        service.post_as(&owner, CHECKOUT, json!({ "tier": "starter" })).await
    };
    service.stripe.fail([StatusCode::BAD_GATEWAY, StatusCode::TOO_MANY_REQUESTS]);
    assert_eq!(checkout(&service).await.status, StatusCode::OK);
    assert_eq!(service.stripe.sessions().len(), 1);
    service.stripe.fail([StatusCode::INTERNAL_SERVER_ERROR; 3]);
    let wrong = Keys { api_key: Secret::new("sk_test_other".to_owned()), ..keys() };
    let misconfigured = service.with_payments(service.stripe.provider_with(wrong, PRICES));
    for service in [&service, &misconfigured] {
        let refused = checkout(service).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(
            !refused.text.contains(API_KEY) && !refused.text.contains("sk_test"),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn only_events_that_the_provider_has_signed_now_are_accepted() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_enterprise", "active");
    let body = service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    let (now, five_minutes) = (service.now(), jiff::SignedDuration::from_secs(301));
    let signed = sign(&body, now);
    for (body, signature) in [
        (body.clone(), String::new()),
        (body.clone(), "t=1,v1=xyz".to_owned()),
        (body.clone(), signed.replace("v1=", "v0=")),
        (body.clone(), sign(&body, now - five_minutes)),
        (body.clone(), sign(&body, now + five_minutes)),
        (body.clone(), sign(&format!("{body} "), now)),
        (body.replace("sub_1", "sub_2"), signed.clone()),
    ] {
        let refused = send_signed(&service, &body, &signature).await;
        assert_eq!((refused.status, refused.slug()), (StatusCode::BAD_REQUEST, "bad-request"));
        assert_eq!(refused.body["errors"][0]["member"], "Stripe-Signature", "{signature}");
    }
    assert_eq!(service.stripe.requests(), 0);
    assert_eq!(tier(&service, &owner).await, "free");
    // While the secret is being replaced, the provider sends a signature of each.
    let both = format!("{},v1={}", signed.split(',').next().expect("a time"), "00".repeat(32));
    let both = format!("{both},{}", signed.split_once(',').expect("a signature").1);
    assert_eq!(send_signed(&service, &body, &both).await.status, StatusCode::OK);
    assert_eq!(tier(&service, &owner).await, "enterprise");
    let large = format!("{body}{}", " ".repeat(1024 * 1024));
    let refused = send_signed(&service, &large, &sign(&large, now)).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn events_in_any_order_and_repeated_lead_to_the_current_state() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_professional", "active");
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    service.stripe.change_subscription("sub_1", "status", json!("past_due"));
    let failed =
        event("evt_2", "invoice.payment_failed", &json!({ "id": "in_1", "subscription": "sub_1" }));
    // The newest event comes first. The team keeps its tier while the provider tries again.
    send_event(&service, &failed).await;
    assert_eq!(tier(&service, &owner).await, "professional");
    service.stripe.change_subscription("sub_1", "status", json!("unpaid"));
    let unpaid =
        service.stripe.subscription_event("evt_3", "customer.subscription.updated", "sub_1");
    send_event(&service, &unpaid).await;
    assert_eq!(tier(&service, &owner).await, "free");
    // The first event says `active`, which is no longer true.
    let late = send_event(&service, &created).await;
    assert_eq!((late.status, &late.body["handled"]), (StatusCode::OK, &json!(true)));
    assert_eq!(tier(&service, &owner).await, "free");

    // An event that was handled is not handled again, and asks the provider nothing.
    let requests = service.stripe.requests();
    for body in [&created, &failed, &unpaid] {
        let again = send_event(&service, body).await;
        assert_eq!((again.status, &again.body["handled"]), (StatusCode::OK, &json!(true)));
    }
    // One of the two instances of a checkout may end without touching the other.
    assert_eq!(service.stripe.requests(), requests);
}

#[tokio::test]
async fn concurrent_events_store_the_newest_state() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    let (stripe, processes) =
        (&service.stripe, [service.second_process(), service.second_process()]);
    stripe.put_subscription("sub_1", &team.0, "price_enterprise", "active");
    let bodies: Vec<String> = (0..8)
        .map(|it| {
            stripe.subscription_event(
                &format!("evt_{it}"),
                "customer.subscription.updated",
                "sub_1",
            )
        })
        .collect();
    let sent = bodies.iter().enumerate().map(|(index, body)| {
        if index == 4 {
            stripe.change_subscription("sub_1", "status", json!("canceled"));
        }
        send_event(&processes[index % 2], body)
    });
    let answers = futures_util::future::join_all(sent).await;
    assert!(answers.iter().all(|it| it.status == StatusCode::OK), "{answers:?}");
    assert_eq!(tier(&service, &owner).await, "free");
}

#[tokio::test]
async fn an_event_that_fails_is_sent_again_and_then_handled() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_starter_yearly", "trialing");
    let body = service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    service.stripe.fail([StatusCode::INTERNAL_SERVER_ERROR; 3]);
    assert_eq!(send_event(&service, &body).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(tier(&service, &owner).await, "free");
    assert_eq!(send_event(&service, &body).await.status, StatusCode::OK);
    assert_eq!(tier(&service, &owner).await, "starter");
}

#[tokio::test]
async fn events_about_something_else_have_no_effect() {
    let service = Service::start().await;
    let unknown_team = "0199c0de-0000-7000-8000-000000000000";
    service.stripe.put_subscription("sub_1", unknown_team, "price_starter", "active");
    service.stripe.put_subscription("sub_2", "x", "price_other", "active");
    service.stripe.change_subscription("sub_2", "metadata", json!({}));
    for body in [
        event("evt_1", "customer.created", &json!({ "id": "cus_1" })),
        event("evt_2", "checkout.session.completed", &json!({ "id": "cs_1", "mode": "payment" })),
        service.stripe.subscription_event("evt_3", "customer.subscription.created", "sub_1"),
        service.stripe.subscription_event("evt_4", "customer.subscription.created", "sub_2"),
    ] {
        let answer = send_event(&service, &body).await;
        assert_eq!((answer.status, &answer.body), (StatusCode::OK, &json!({ "handled": false })));
    }
    let malformed = send_event(&service, "[]").await;
    assert_eq!((malformed.status, malformed.slug()), (StatusCode::BAD_REQUEST, "bad-request"));
}

/// The operator sees it in the log and at the provider, and adds the price. The provider sends the event again.
#[tokio::test]
async fn a_price_that_is_not_configured_is_an_error_and_changes_nothing() {
    let (service, team, owner) = service_with_owner(Tier::Free).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_starter", "active");
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    send_event(&service, &created).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_other", "active");
    let updated =
        service.stripe.subscription_event("evt_2", "customer.subscription.updated", "sub_1");
    let failed = send_event(&service, &updated).await;
    assert_eq!((failed.status, failed.slug()), (StatusCode::INTERNAL_SERVER_ERROR, "internal"));
    assert_eq!(tier(&service, &owner).await, "starter");
}

#[tokio::test]
async fn a_subscription_never_lowers_the_tier_that_the_operator_has_given() {
    let (service, team, owner) = service_with_owner(Tier::Professional).await;
    service.stripe.put_subscription("sub_1", &team.0, "price_starter", "active");
    let created =
        service.stripe.subscription_event("evt_1", "customer.subscription.created", "sub_1");
    send_event(&service, &created).await;
    assert_eq!(tier(&service, &owner).await, "professional");
}

#[tokio::test]
async fn only_owners_pay() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let admin = service.session(&team, Role::Admin).await;
    for token in [&key, &admin] {
        for path in [CHECKOUT, PORTAL] {
            let refused = service.post_as(token, path, json!({ "tier": "starter" })).await;
            assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
        }
    }
    assert_eq!(service.stripe.requests(), 0);
}
