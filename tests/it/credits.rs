//! Figures in credits, which are derived from the rate limits, for clients that expect them.

use access::{Role, Tier};
use http::StatusCode;
use serde_json::json;
use tests::{Service, company};

#[tokio::test]
async fn the_balance_is_what_is_left_of_the_current_windows() {
    let service = Service::with([company("CHE-107.787.577", "Muster AG")]).await;
    let key = service.key(Tier::Starter).await;
    for _ in 0..3 {
        service.get_as(&key, "/v1/companies/count").await;
    }
    // Requests of the group `account`: one for each of the following.
    let balance = service.get_as(&key, "/v1/credits/balance").await.body;
    let allowed = 600 + 600 + 60 + 6_000;
    assert_eq!(
        balance,
        json!({
            "balance": allowed - 4,
            "monthlyCredits": allowed,
            "usedThisMonth": 4,
            "tier": "starter",
            "overageRate": 0.0,
        })
    );
    let usage = service.get_as(&key, "/v1/credits/usage").await.body;
    assert_eq!(
        usage,
        json!({
            "operations": [
                { "operation": "search_read", "count": 3, "totalCredits": 3 },
                { "operation": "account", "count": 2, "totalCredits": 2 },
            ],
            "total": 5,
            "period": { "since": "2026-11-20", "until": "2026-11-20" },
        })
    );
    service.pass_seconds(3_600);
    let next = service.get_as(&key, "/v1/credits/balance").await.body;
    assert_eq!((&next["usedThisMonth"], &next["balance"]), (&json!(1), &json!(allowed - 1)));
}

#[tokio::test]
async fn usage_since_a_later_day_is_empty() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let today = service.get_as(&key, "/v1/credits/usage?since=2026-01-01").await.body;
    assert_eq!(today["total"], 1);
    let later = service.get_as(&key, "/v1/credits/usage?since=2026-11-21").await.body;
    assert_eq!(later["operations"], json!([]));
    assert_eq!(later["period"], json!({ "since": "2026-11-21", "until": "2026-11-21" }));
}

#[tokio::test]
async fn nothing_is_booked() {
    let service = Service::start().await;
    let key = service.key(Tier::Free).await;
    let history = service.get_as(&key, "/v1/credits/history?limit=5&offset=10").await;
    assert_eq!(history.body, json!({ "items": [], "total": 0 }));
    let refused = service.get_as(&key, "/v1/credits/history?offset=10001").await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::BAD_REQUEST, "bad-request"));
}

#[tokio::test]
async fn the_team_and_its_billing_summary_show_the_same_figures() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.member(&team, Role::Owner).await;
    let allowed = 60 + 60 + 600;
    let shown = service.get_as(&owner.token, "/v1/teams/me").await.body;
    assert_eq!(
        (&shown["creditBalance"], &shown["monthlyCredits"]),
        (&json!(allowed - 1), &json!(allowed))
    );
    assert!(shown["stripeSubscriptionId"].is_null(), "{shown}");
    let summary = service.get_as(&owner.token, "/v1/teams/me/billing-summary").await.body;
    assert_eq!(
        summary,
        json!({
            "tier": "free",
            "members": [{ "userId": owner.id, "creditsUsed": 0 }],
            "creditBalance": allowed - 2,
            "monthlyCredits": allowed,
            "usedThisMonth": 2,
        })
    );
    let renamed = service.put_as(&owner.token, "/v1/teams/me", json!({ "name": "Neu" })).await;
    assert!(renamed.body["creditBalance"].is_null(), "{renamed:?}");
}
