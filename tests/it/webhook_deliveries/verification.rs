//! Receivers prove that they want deliveries before they get anything else.

use access::Role;
use auth::TeamId;
use http::StatusCode;
use jobs::ScheduleJob;
use serde_json::json;
use teams::{Verification, Webhook, WebhookState};

use super::{FIRST, Receiver, Team, id, purpose};

const REPLAY_FROM: &str = "2026-11-20T00:00:00Z";

impl Team {
    async fn verify(&self, webhook: &str) -> serde_json::Value {
        let path = format!("/v1/webhooks/{webhook}/verify");
        let asked = self.service.post_as(&self.key, &path, json!({})).await;
        assert_eq!(asked.status, 200, "{asked:?}");
        asked.body
    }

    /// Nothing but challenges is sent to the receiver of this webhook.
    async fn is_refused(&self, webhook: &str) {
        let path = format!("/v1/webhooks/{webhook}");
        for (operation, body) in [("test", json!({})), ("replay", json!({ "from": REPLAY_FROM }))] {
            let refused =
                self.service.post_as(&self.key, &format!("{path}/{operation}"), body).await;
            let found = (refused.status.as_u16(), refused.slug());
            assert_eq!(found, (409, "conflict"), "{operation}: {refused:?}");
            assert!(refused.detail().contains("/verify` sends"), "{}", refused.text);
        }
    }
}

#[tokio::test]
async fn a_receiver_that_returns_the_challenge_is_verified_when_the_webhook_is_created() {
    let team = Team::new().await;
    let (text, as_json) = (Receiver::start().await, Receiver::start().await);
    as_json.answers_challenges_as_json();
    for (receiver, number) in [(&text, 3), (&as_json, 4)] {
        let created = team.webhook(json!({ "url": receiver.url() })).await;
        let webhook = &created["webhook"];
        assert_eq!(webhook["verified"], true, "{webhook}");
        assert!(webhook["verifiedAt"].is_string() && webhook.get("verificationError").is_none());
        let [challenge] = &receiver.challenges()[..] else { panic!("one challenge") };
        let secret = created["signingSecret"].as_str().expect("a secret");
        assert_eq!(challenge.header("webhook-signature"), challenge.v1_signature(secret));
        assert_eq!(challenge.body["id"], challenge.header("webhook-id"));
        let id = id(&created);
        assert_eq!(team.status(&id).await["verified"], true);
        // It is not asked again.
        assert_eq!(team.verify(&id).await, json!({ "verified": true }));
        assert_eq!(receiver.challenges().len(), 1);
        team.change(&id, [purpose(FIRST, number)]).await;
        assert_eq!(receiver.purposes(), [number]);
    }
}

#[tokio::test]
async fn a_receiver_that_refuses_or_answers_wrongly_gets_nothing_else() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    receiver.answers(StatusCode::FORBIDDEN);
    let created = team.webhook(json!({ "url": receiver.url() })).await;
    let webhook = id(&created);
    assert_eq!(created["webhook"]["verified"], false, "{created}");
    assert_eq!(created["webhook"]["verificationError"], "the receiver answered 403");
    assert_eq!(created["webhook"]["status"], "active");
    team.is_refused(&webhook).await;
    type Set = fn(&Receiver);
    let answers: [(Set, &str); 5] = [
        (
            |it| it.answers(StatusCode::NO_CONTENT),
            "the receiver answered 204, but not with the challenge",
        ),
        (
            |it| it.answers_challenges_wrongly(),
            "the receiver answered 200, but not with the challenge",
        ),
        (
            |it| it.answers(StatusCode::FOUND),
            "the receiver answered 302; redirects are not followed",
        ),
        (|it| it.answers(StatusCode::GONE), "the receiver answered 410 (Gone)"),
        (|it| it.answers_with_a_large_body(), "the response is larger than 65536 bytes"),
    ];
    for (set, error) in answers {
        set(&receiver);
        let asked = team.verify(&webhook).await;
        assert_eq!((&asked["verified"], &asked["error"]), (&json!(false), &json!(error)));
        let shown = team.status(&webhook).await;
        assert_eq!(
            (&shown["verified"], &shown["verificationError"]),
            (&json!(false), &json!(error))
        );
        assert_eq!(shown["status"], "active", "a challenge disables nothing");
    }
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    receiver.stop();
    let asked = team.verify(&webhook).await;
    let error = asked["error"].as_str().expect("an error");
    assert!(error.starts_with("the receiver cannot be reached: "), "{error}");
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    assert_eq!(team.deliveries(&webhook).await, Vec::<serde_json::Value>::new(), "not collected");
    assert_eq!((receiver.requests().len(), receiver.challenges().len()), (0, 6));
}

/// Takes as long as a test delivery may.
#[tokio::test]
async fn a_receiver_that_is_slow_is_not_waited_for_for_ever() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    receiver.never_answers();
    let created = team.webhook(json!({ "url": receiver.url() })).await;
    assert_eq!(created["webhook"]["verified"], false);
    assert_eq!(created["webhook"]["verificationError"], "no response within 15 seconds");
    // Nothing of the time before the proof is delivered afterwards.
    let webhook = id(&created);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    receiver.answers(StatusCode::OK);
    assert_eq!(team.verify(&webhook).await["verified"], true);
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    assert_eq!(receiver.purposes(), [4]);
}

#[tokio::test]
async fn a_new_address_proves_itself_before_it_gets_what_waited() {
    let team = Team::new().await;
    let (old, new) = (Receiver::start().await, Receiver::start().await);
    let webhook = team.webhook_to(&old).await;
    old.answers(StatusCode::SERVICE_UNAVAILABLE);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    new.answers(StatusCode::OK);
    new.answers_challenges_wrongly();
    let path = format!("/v1/webhooks/{webhook}");
    let changed = team.service.put_as(&team.key, &path, json!({ "url": new.url() })).await;
    assert_eq!((changed.status.as_u16(), &changed.body["verified"]), (200, &json!(false)));
    team.is_refused(&webhook).await;
    team.service.pass_seconds(60);
    team.change(&webhook, [purpose(FIRST, 4)]).await;
    assert_eq!((new.requests().len(), old.requests().len()), (0, 1), "nothing else is sent");
    // Activating it again is no proof.
    team.set_status(&webhook, "active").await;
    team.deliver(&webhook).await;
    assert_eq!(new.requests().len(), 0);
    // Nor does the proof of an earlier address count when it returns.
    let back = team.service.put_as(&team.key, &path, json!({ "url": old.url() })).await;
    assert_eq!(back.body["verified"], false, "{back:?}");
    assert_eq!(
        team.service.put_as(&team.key, &path, json!({ "url": new.url() })).await.status,
        200
    );

    new.answers(StatusCode::OK);
    assert_eq!(team.verify(&webhook).await["verified"], true);
    let scheduler = team.service.scheduler();
    scheduler.handle(ScheduleJob::SendDueWebhooks, team.service.now()).await.expect("sent");
    team.deliver(&webhook).await;
    assert_eq!(new.purposes(), [3], "what waited when the address changed");
}

/// A request whose answer says that an address is proven must not prove another one.
#[tokio::test]
async fn a_proof_is_that_of_one_address() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let webhook = team.webhook_to(&receiver).await;
    let tenants = &team.service.cloud.tenants;
    let elsewhere = Verification::proven("http://127.0.0.1:9/other", team.service.now());
    let late = |it: &mut WebhookState| it.verification = Some(elsewhere.clone());
    tenants.change_webhook_state(&team.operator(), &webhook, late).await.expect("stored");
    assert_eq!(team.status(&webhook).await["verified"], false);
    team.change(&webhook, [purpose(FIRST, 3)]).await;
    let stored: Option<Webhook> = tenants.resource(&team.operator(), &webhook).await.expect("read");
    let webhook = stored.expect("a webhook");
    let now = team.service.now();
    let found = tenants.deliverable([(&team.operator(), &webhook)], now).await;
    assert!(found.expect("read").is_empty() && receiver.requests().is_empty());
}

#[tokio::test]
async fn a_team_asks_for_few_verifications() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    receiver.answers(StatusCode::FORBIDDEN);
    let webhook = team.webhook_to(&receiver).await;
    let path = format!("/v1/webhooks/{webhook}/verify");
    for _ in 0..9 {
        assert_eq!(team.verify(&webhook).await["verified"], false);
    }
    let refused = team.service.post_as(&team.key, &path, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.slug()), (429, "rate-limit-exceeded"));
    assert_eq!(refused.body["violatedPolicies"], json!(["webhook_verifications"]));
    // A webhook is created nevertheless, and says why it is not verified.
    let created = team.webhook(json!({ "url": receiver.url() })).await;
    let error = created["webhook"]["verificationError"].as_str().expect("a reason");
    assert!(error.starts_with("10 verifications of webhooks are allowed"), "{error}");
    assert_eq!(receiver.challenges().len(), 10);
    team.service.pass_seconds(600);
    receiver.answers(StatusCode::OK);
    assert_eq!(team.verify(&id(&created)).await["verified"], true);
}

/// Many accounts must not make us send to somebody's server, or wait for it.
#[tokio::test]
async fn all_keys_and_free_teams_of_a_person_ask_for_few_verifications_and_all_teams_at_one_host() {
    let team = Team::new().await;
    let receiver = Receiver::start().await;
    let mut asked = Vec::new();
    for _ in 0..5 {
        let user = team.service.member(&team.id, Role::Owner).await;
        let before = receiver.challenges().len();
        for number in 0..4 {
            let body = json!({ "name": format!("Team {number}") });
            let created = team.service.post_as(&user.token, "/v1/teams", body).await.body;
            let id = TeamId(created["id"].as_str().expect("an id").to_owned());
            let session = team.service.session_of(&id, &user.id).await;
            let body = json!({ "name": "Key", "scopes": ["read", "write", "manage"] });
            let key = team.service.post_as(&session, "/v1/api-keys", body).await.body;
            let key = key["key"].as_str().expect("a key");
            for _ in 0..3 {
                let body = json!({ "url": receiver.url() });
                let created = team.service.post_as(key, "/v1/webhooks", body).await;
                assert_eq!(created.status, 201, "{created:?}");
            }
        }
        asked.push(receiver.challenges().len() - before);
    }
    assert_eq!(asked, [10, 10, 10, 0, 0]);
    // Teams that pay are known.
    team.webhook_to(&receiver).await;
    assert_eq!(receiver.challenges().len(), 31);
}
