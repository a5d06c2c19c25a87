//! The log: one line per request, metrics, and no secrets.

use std::{
    io::Write,
    sync::{Arc, LazyLock, Mutex},
};

use access::Tier;
use auth::{Language, OneTimeToken, Owner};
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use store::{LinkPurpose, MailLink, Tenants};
use tests::{
    Service,
    faults::{Fault, Faults},
    operator, sso,
};
use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("not poisoned").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The log of the whole process, including spawned tasks. It contains the lines of other tests too, which must not
/// contain secrets either.
static LOG: LazyLock<Log> = LazyLock::new(|| {
    let log = Log::default();
    let subscriber = telemetry::log("tests", log.clone());
    tracing::subscriber::set_global_default(subscriber).expect("the only subscriber");
    log
});

impl Log {
    pub(crate) fn lines(&self) -> Vec<Value> {
        let written = String::from_utf8(self.0.lock().expect("not poisoned").clone());
        let lines = written.expect("text");
        lines.lines().map(|it| serde_json::from_str(it).expect("every line is JSON")).collect()
    }

    /// The line of the answer with this id.
    fn answered(&self, id: &str) -> Value {
        let mut lines = self.lines().into_iter();
        let is_it = |it: &Value| it["fields"]["message"] == "request completed";
        let line = lines.find(|it| is_it(it) && it["fields"]["request_id"] == id);
        line.expect("one line an answer")["fields"].clone()
    }

    /// The lines that mention a text.
    fn mentioning(&self, text: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|it| it.to_string().contains(text)).collect()
    }

    /// Number of lines that count a metric of this rate group.
    fn counted(&self, metric: &str, group: &str) -> usize {
        let lines = self.lines().into_iter();
        lines.filter(|it| it[metric] == 1 && it["group"] == group && it["_aws"].is_object()).count()
    }
}

#[tokio::test]
async fn every_request_has_one_line_with_caller_route_cost_and_durations() {
    let log = &*LOG;
    let service = Service::start().await;
    let key = service.key(Tier::Starter).await;
    let trace = "Root=1-67891233-abcdef012345678912345678";
    let path = "/v1/companies/CHE-105.909.036/similar";
    let answer = service.get(path).await;
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    assert_eq!(
        (&line["path"], &line["route"]),
        (&json!(path), &json!("/v1/companies/{uid}/similar"))
    );
    let mut invocation = lambda_http::Context::default();
    invocation.request_id = "8476a536-e9f4-11e8-9739-2dfe598c3fcd".to_owned();
    let request = http::Request::get("/v1/companies/count")
        .header("authorization", format!("Bearer {key}"))
        .header("x-amzn-trace-id", trace)
        .extension(invocation);
    let answer = service.send(request).await;
    assert_eq!(answer.header("x-amzn-trace-id"), Some(trace));
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    let field = |name: &str| line[name].clone();
    assert_eq!(field("method"), "GET");
    assert_eq!(field("path"), "/v1/companies/count");
    assert_eq!(field("status"), "200");
    assert_eq!(field("group"), "search_read");
    assert_eq!(field("cost"), 1);
    assert_eq!(field("trace_id"), trace);
    assert_eq!(field("lambda_request_id"), "8476a536-e9f4-11e8-9739-2dfe598c3fcd");
    assert!(field("team").as_str().is_some_and(|it| !it.is_empty()), "{line}");
    assert!(field("cold_start").is_boolean(), "{line}");
    let milliseconds = |name: &str| line[name].as_f64().unwrap_or_else(|| panic!("{name}: {line}"));
    let stages =
        ["caller_milliseconds", "meter_milliseconds", "handler_milliseconds"].map(milliseconds);
    assert!(stages.iter().all(|it| *it > 0.0), "{line}");
    assert!(stages.iter().sum::<f64>() <= milliseconds("milliseconds"), "{line}");
    // A 304 response costs nothing, and the line says so.
    let tag = answer.header("etag").expect("a tag");
    let request = http::Request::get("/v1/companies/count").header("if-none-match", tag);
    let answer = service.send(request).await;
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    assert_eq!((&line["status"], &line["cost"]), (&json!("304"), &json!(0)));
    assert!(line["team"].is_null(), "{line}");
    // Unless the client does not name the tag.
    let request = http::Request::get("/v1/companies/count").header("if-none-match", "*");
    let answer = service.send(request).await;
    let line = log.answered(answer.header("x-request-id").expect("an id"));
    assert_eq!((&line["status"], &line["cost"]), (&json!("304"), &json!(1)));
}

#[tokio::test]
async fn refusals_server_errors_and_metering_failures_are_metrics() {
    let log = &*LOG;
    let (service, faults) = Service::with_faulty_counters().await;
    let count = |metric, group| log.counted(metric, group);
    let (refused, failed) = (count("Refusal", "account"), count("ServerError", "search_read"));
    service.get("/v1/api-keys").await;
    assert!(log.counted("Refusal", "account") > refused);
    service.get("/v1/probe/failing").await;
    assert!(log.counted("ServerError", "search_read") > failed);
    let lost = count("MeteringFailure", "search_read");
    faults.decide(|_, _| Some(Fault::Down));
    service.get("/v1/companies/count").await;
    assert!(log.counted("MeteringFailure", "search_read") > lost);
}

/// An alarm on `ServerError` takes a new version back.
#[tokio::test]
async fn a_table_with_too_much_to_do_is_no_error_of_a_new_version() {
    let log = &*LOG;
    let (service, faults) = Service::with_faulty_registry().await;
    for (fault, status, metric) in
        [(Fault::Throttle, 503, "Unavailable"), (Fault::Down, 500, "ServerError")]
    {
        faults.decide(move |_, _| Some(fault));
        let answer = service.get("/v1/companies/CHE-600.000.012").await;
        assert_eq!(answer.status.as_u16(), status, "{answer:?}");
        let line = log.answered(answer.header("x-request-id").expect("an id"));
        assert_eq!(line["metric"], metric, "{line}");
    }
}

/// An alarm watches this metric.
#[tokio::test]
async fn what_is_missing_in_the_audit_log_is_in_the_log() {
    let log = &*LOG;
    let mut cloud = tests::cloud().await;
    let faults = Faults::before(&cloud.endpoints.dynamodb).await;
    cloud.tenants = Tenants::named(dynamodb_client(&faults.address), &cloud.tables[1]);
    let service = Service::over(cloud).await;
    let key = service.key(Tier::Enterprise).await;
    let is_log =
        |it: &Value| it["Item"]["pk"]["S"].as_str().is_some_and(|it| it.starts_with("AUDIT#"));
    faults
        .decide(move |operation, it| (operation == "PutItem" && is_log(it)).then_some(Fault::Down));
    let refused = service.post_as(&key, "/v1/watchlists", json!({ "name": "One" })).await;
    let id = refused.header("x-request-id").expect("an id");
    let lines = log.mentioning(id);
    let missing = lines.iter().find(|it| it["AuditFailure"] == 1).expect("a line");
    assert_eq!(missing["fields"]["action"], "create_watchlist");
    assert!(!missing.to_string().contains("192.0.2.1"), "{missing}");
}

#[tokio::test]
async fn a_refused_request_has_one_line_with_its_metric() {
    let log = &*LOG;
    let service = Service::start().await;
    let refused = service.get("/v1/api-keys").await;
    assert_eq!(refused.status.as_u16(), 401);
    let lines = log.mentioning(refused.header("x-request-id").expect("an id"));
    let [line] = &lines[..] else { panic!("{lines:#?}") };
    assert_eq!(line["fields"]["message"], "request completed");
    assert_eq!(line["fields"]["status"], "401");
    assert_eq!(
        (&line["Refusal"], &line["group"], &line["status"]),
        (&json!(1), &json!("account"), &json!("401"))
    );
    assert_eq!(line["_aws"]["CloudWatchMetrics"][0]["Metrics"][0]["Name"], "Refusal");
}

#[tokio::test]
async fn a_flood_of_refused_requests_has_few_lines_and_every_refusal_is_in_the_metric() {
    let log = &*LOG;
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let mut ids = Vec::new();
    for _ in 0..270 {
        let refused = service.get_as(&key, "/v1/probe/analytics").await;
        assert_eq!(refused.status.as_u16(), 403);
        ids.push(refused.header("x-request-id").expect("an id").to_owned());
    }
    let served = service.get_as(&key, "/v1/companies/count").await;
    let served = log.answered(served.header("x-request-id").expect("an id"));
    let team = served["team"].as_str().expect("a team");
    let lines = || {
        let of_team = |it: &Value| it["fields"]["team"] == team && it["Refusal"].is_u64();
        log.lines().into_iter().filter(of_team).collect::<Vec<Value>>()
    };
    let counted = || lines().iter().filter_map(|it| it["Refusal"].as_u64()).sum::<u64>();
    // Twenty lines, and then each hundredth with the number of those left out.
    assert_eq!((lines().len(), counted()), (22, 220));
    assert_eq!(lines()[21]["fields"]["left_out"], 99);
    assert_eq!(lines()[21]["fields"]["request_id"], ids[219]);
    // The next request after that minute logs the rest.
    service.pass_seconds(60);
    service.get("/health").await;
    assert_eq!((lines().len(), counted()), (23, 270));
    let rest = &lines()[22];
    assert_eq!(
        (&rest["group"], &rest["status"], &rest["fields"]["left_out"]),
        (&json!("analytics_read"), &json!("403"), &json!(50))
    );
    service.get("/health").await;
    assert_eq!(counted(), 270);
    // A new minute begins with single lines again.
    service.get_as(&key, "/v1/probe/analytics").await;
    assert_eq!((lines().len(), counted()), (24, 271));
}

#[tokio::test]
async fn no_secret_and_no_request_body_is_logged() {
    let log = &*LOG;
    let (service, faults) = Service::with_faulty_counters().await;
    let owner = service.key(Tier::Starter).await;
    let made =
        service.post_as(&owner, "/v1/api-keys", json!({ "name": "the-body-of-a-request" })).await;
    let key = made.body["key"].as_str().expect("a key").to_owned();
    service.get_as(&key, "/v1/companies/count").await;
    service.get_as(&format!("{key}x"), "/v1/companies/count").await;
    service.get("/v1/probe/panicking").await;
    let failed = service.get("/v1/probe/failing").await;
    faults.decide(|_, _| Some(Fault::Down));
    service.get_as(&owner, "/v1/companies/count").await;
    service.second_process().get_as(&owner, "/v1/companies/count").await;
    let proxy_secret = "the-secret-of-the-proxy";
    let proxy = auth::Secret::new(proxy_secret.to_owned());
    let with_proxy = service
        .with_trusted_proxy(http_service::TrustedProxy::new("x-client", &proxy).expect("a proxy"));
    // The proxy states no address, which is logged.
    with_proxy.send(http::Request::get("/health").header("x-proxy-secret", proxy_secret)).await;
    let secrets = [owner, key];
    let (accounts, webhooks) = (secrets_of_accounts().await, secrets_of_webhooks().await);
    let others = [secrets_of_single_sign_on().await, secrets_of_mails_and_payments().await];
    let accounts = [accounts, webhooks, others.concat()].concat();
    let written = String::from_utf8(log.0.lock().expect("not poisoned").clone()).expect("text");
    assert!(written.contains("\"request completed\""), "the log is being read: {written}");
    assert!(written.contains("the handler's own secret reason"), "the log contains causes");
    // The cause is logged with the request id that the client got.
    let id = failed.header("x-request-id").expect("an id");
    let cause =
        |it: &&str| it.contains("\"ERROR\"") && it.contains("the handler's own secret reason");
    let causes: Vec<&str> = written.lines().filter(cause).collect();
    assert!(causes.iter().any(|it| it.contains(id)), "{causes:?}");
    for key in secrets {
        let secret = key.split('_').nth(3).expect("a secret");
        assert!(!written.contains(secret));
    }
    assert!(written.contains("the proxy states no client address"), "{written}");
    assert!(written.contains("deliveries made"), "{written}");
    assert!(!written.contains(proxy_secret));
    assert!(!written.contains("the-body-of-a-request"));
    assert!(!written.contains("argon2id$"));
    for secret in accounts {
        assert!(!written.contains(&secret), "{secret}");
    }
}

/// Secrets that are created and used by creating, testing, rotating and delivering to a webhook whose receiver fails: its keys,
/// signatures, and what its address contains.
async fn secrets_of_webhooks() -> Vec<String> {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, access::Environment::Live, &access::Scope::ALL).await;
    let token = "the-token-in-the-address-of-a-webhook";
    // Nothing listens at this port.
    let body = json!({ "url": format!("http://127.0.0.1:9/{token}?key={token}") });
    let created = service.post_as(&key, "/v1/webhooks", body).await.body;
    let id = created["webhook"]["id"].as_str().expect("an id").to_owned();
    let wrong = json!({ "url": format!("http://hooks.example/{token}") });
    assert_eq!(service.post_as(&key, "/v1/webhooks", wrong).await.status.as_u16(), 400);
    let path = format!("/v1/webhooks/{id}");
    let asked = service.post_as(&key, &format!("{path}/verify"), json!({})).await;
    assert_eq!(asked.body["verified"], false, "{asked:?}");
    service.prove_receiver(&operator(team.clone()), &id).await;
    let tested = service.post_as(&key, &format!("{path}/test"), json!({})).await;
    assert_eq!(tested.body["success"], false, "{tested:?}");
    let rotated = service.post_as(&key, &format!("{path}/rotate"), json!({})).await.body;
    let cloud = &service.cloud;
    let event = "0199c0de-0000-7000-8000-000000000000".parse().expect("an id");
    let delivery = teams::WebhookDelivery::due(event, event, "t".into(), service.now());
    let pending = teams::PendingDelivery { delivery, body: "{}".into() };
    let of = operator(team.clone());
    cloud.tenants.add_webhook_deliveries(&of, &id, &[pending]).await.expect("added");
    let worker = service.webhook_worker();
    let environment = access::Environment::Live;
    let job = jobs::WebhookJob::Deliver { team, environment, webhook: id };
    worker.handle(job, service.now()).await.expect("handled");
    let secret = |it: &Value| {
        let secret = it["signingSecret"].as_str().expect("a secret");
        secret.trim_start_matches("whsec_").to_owned()
    };
    let alert = json!({
        "name": "Alert", "queryParams": {}, "webhookUrl": format!("http://127.0.0.1:9/{token}"),
    });
    let alert = service.post_as(&key, "/v1/alerts", alert).await.body;
    let deployment = tests::WEBHOOK_SECRET.to_owned();
    vec![token.to_owned(), secret(&created), secret(&rotated), secret(&alert), deployment]
}

/// Secrets that are created and used, also wrongly, by signing in and inviting: tokens of links, sessions and
/// invitations, and e-mail addresses.
async fn secrets_of_accounts() -> Vec<String> {
    let service = Service::start().await;
    let anonymous = service.key(Tier::Free).await;
    let post =
        async |token: &str, path: &str, body: Value| service.post_as(token, path, body).await;
    let mut secrets = Vec::new();
    let mut sign_in = async |email: &str| {
        post(&anonymous, "/v1/auth/magic-link", json!({ "email": email })).await;
        let link = tests::link_token(&service.mails()[0]);
        let verify = "/v1/auth/magic-link/verify";
        service.get(&format!("{verify}?token={link}")).await;
        let signed_in = post(&anonymous, verify, json!({ "token": link })).await;
        assert_eq!(signed_in.status.as_u16(), 200, "{}", signed_in.text);
        // Used again, and malformed.
        post(&anonymous, verify, json!({ "token": link })).await;
        post(&anonymous, verify, json!({ "token": format!("{link}x") })).await;
        service.get(&format!("{verify}?token={link}x")).await;
        let session = signed_in.body["token"].as_str().expect("a token").to_owned();
        service.get_as(&session, "/v1/auth/me").await;
        service.get_as(&format!("{session}x"), "/v1/auth/me").await;
        service.get_as(&format!("x{session}"), "/v1/auth/me").await;
        let signature = session.rsplit('.').next().expect("a signature").to_owned();
        secrets.extend([link, signature, email.to_owned()]);
        session
    };
    let owner = sign_in("owner-of-the-log@example.ch").await;
    let guest = sign_in("guest-of-the-log@example.ch").await;
    let body = json!({ "email": "guest-of-the-log@example.ch" });
    let invited = post(&owner, "/v1/teams/me/members", body).await;
    let invitation = invited.body["token"].as_str().expect("a token").to_owned();
    secrets.push(tests::link_token(&service.mails()[0]));
    post(&owner, "/v1/teams/join", json!({ "token": invitation })).await;
    post(&guest, "/v1/teams/join", json!({ "token": invitation })).await;
    post(&guest, "/v1/teams/join", json!({ "token": invitation })).await;
    secrets.push(invitation);
    post(&owner, "/v1/auth/logout", json!({})).await;
    secrets.push(tests::SESSION_SECRET.to_owned());
    secrets
}

/// Secrets that are created and used by single sign-on, also wrongly: of the application at the provider, of an attempt and its
/// browser, codes, and ID tokens.
async fn secrets_of_single_sign_on() -> Vec<String> {
    const CALLBACK: &str = "/v1/auth/sso/callback";
    let service = Service::start().await;
    let team = service.sso_team().await;
    let client_secret = "the-secret-at-the-identity-provider".to_owned();
    service.identity_provider.require_secret(&client_secret);
    let mut settings = sso::settings(&[sso::DOMAIN]);
    settings["clientSecret"] = json!(client_secret);
    let put = service.put_as(&team.owner, sso::SETTINGS, settings).await;
    assert_eq!(put.status.as_u16(), 200, "{}", put.text);
    service.identity_provider.sign_in(sso::user("eva", "eva.in-the-log@example.ch"));
    let mut browser = sso::Browser::new(&service);
    let started = browser.open(&format!("/v1/auth/sso/{}", team.id), "text/html").await;
    let location = started.header("location").expect("an address").to_owned();
    let cookie = browser.cookie.clone().expect("a cookie");
    let (state, code) = service.started_sso(&team.id).await;
    // Twice: the second time, neither state nor code is valid.
    for _ in 0..2 {
        let path = format!("{CALLBACK}?team={}&state={state}&code={code}", team.id);
        let (name, value) = sso::COOKIE;
        let request = http::Request::get(&path).header("cookie", format!("{name}={value}"));
        service.send(request).await;
    }
    let claims = service.identity_provider.claims(sso::CLIENT_ID, None);
    let id_token = service.identity_provider.signed(&claims);
    for token in [id_token.clone(), format!("{id_token}x")] {
        service.get_as(&token, "/v1/auth/me").await;
    }
    let [first, nonce] = ["state", "nonce"].map(|it| sso::parameter(&location, it));
    let cookie = cookie.split('=').nth(1).expect("a value").to_owned();
    let signature = id_token.rsplit('.').next().expect("a signature").to_owned();
    let email = "eva.in-the-log@example.ch".to_owned();
    vec![client_secret, first, nonce, cookie, state, code, signature, email]
}

/// The tokens of links in mails, and the secrets of the payment provider with a signature.
async fn secrets_of_mails_and_payments() -> Vec<String> {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let mut secrets = Vec::new();
    for (purpose, path) in [
        (LinkPurpose::Unsubscribe, "/v1/notifications/unsubscribe"),
        (LinkPurpose::Confirm, "/v1/notifications/confirm-email"),
    ] {
        let token = OneTimeToken::generate();
        let link = MailLink {
            purpose,
            team: team.clone(),
            owner: Owner::ApiKeys,
            email: "nobody.in-the-log@example.ch".parse().expect("an address"),
            language: Language::En,
            expires_at: service.now() + jiff::SignedDuration::from_mins(15),
        };
        service.cloud.tenants.put_mail_link(&token.hash(), &link).await.expect("stored");
        for token in [token.expose().to_owned(), format!("{}x", token.expose())] {
            service.get(&format!("{path}?token={token}")).await;
        }
        secrets.push(token.expose().to_owned());
    }
    let event = json!({ "id": "evt_1", "type": "customer.created", "data": { "object": {} } });
    let signature = emulators::stripe::sign(&event.to_string(), service.now());
    for signature in [signature.clone(), signature.replace("v1=", "v1=0")] {
        let request = http::Request::post("/v1/webhooks/stripe");
        let request = request.header("content-type", "application/json");
        let request = request.header("stripe-signature", signature);
        service.send_with(request, event.to_string()).await;
    }
    let signature = signature.rsplit('=').next().expect("a signature").to_owned();
    secrets.extend(["nobody.in-the-log@example.ch".to_owned(), signature]);
    secrets
        .extend([emulators::stripe::API_KEY, emulators::stripe::WEBHOOK_SECRET].map(str::to_owned));
    secrets
}
