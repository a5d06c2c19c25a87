//! Health, dashboard, API keys and errors.

use vynco::{
    CheckoutRequest, CompanyListParams, CreateApiKeyRequest, CreateTeamRequest,
    InviteMemberRequest, JoinTeamRequest, UpdateMemberRoleRequest, VyncoError,
};

use crate::{Checked, OrFail, Server, check};

pub async fn health_check(server: &Server) -> Checked {
    let health = server.client("free").health().check().await.or_fail()?;
    check(health.data.status == "healthy" && health.data.database == "connected", &health)?;
    check(!health.data.version.is_empty() && health.meta.request_id.is_some(), &health)
}

pub async fn dashboard_get(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let dashboard = client.dashboard().get().await.or_fail()?.data;
    let count = client.companies().count().await.or_fail()?.data.count;
    let changes = client.changes().statistics().await.or_fail()?.data.total_changes;
    check(!dashboard.generated_at.is_empty(), &dashboard)?;
    check(dashboard.data.total_companies == count, (count, &dashboard.data))?;
    check(dashboard.data.total_changes == changes, (changes, &dashboard.data))?;
    check(dashboard.data.total_persons > 0, &dashboard.data)?;
    for (source, items) in [("zefix", 3), ("news", 3), ("reports", 2)] {
        let read = dashboard.pipelines.iter().find(|it| it.id == source).ok_or("no pipeline")?;
        check(read.status == "ok" && read.items_processed == items, read)?;
        check(read.last_completed_at.is_some(), read)?;
    }
    let tenures = &dashboard.auditor_tenures;
    check(tenures.current_auditors <= tenures.total_tracked, tenures)?;
    check(tenures.tenures_over_10_years <= tenures.tenures_over_7_years, tenures)?;
    let longest = tenures.longest_tenure.as_ref().ok_or("no tenure")?;
    let first = client.auditors().tenures(&Default::default()).await.or_fail()?.data.items;
    check(longest.company_uid == first[0].company_uid, (longest, &first[0]))
}

/// An API key acts for its team and invites, but what only a user can do is forbidden.
pub async fn teams_and_invitations_of_an_api_key(server: &Server) -> Checked {
    let client = server.client("professional");
    let teams = client.teams();
    let team = teams.me().await.or_fail()?.data;
    check(team.tier == "professional" && !team.id.is_empty() && !team.slug.is_empty(), &team)?;
    let members = teams.members().await.or_fail()?.data;
    check(members.len() == 1 && members[0].role == "owner", &members)?;
    let email = "rust-client@example.ch".to_owned();
    let request = InviteMemberRequest { email: email.clone(), role: Some("member".into()) };
    let invited = teams.invite_member(&request).await.or_fail()?.data;
    check(invited.email == email && invited.team_id == team.id, &invited)?;
    check(invited.role == "member" && invited.status == "pending", &invited)?;
    check(invited.token.len() == 43, &invited)?;
    let joined = teams.join(&JoinTeamRequest { token: invited.token }).await;
    check(matches!(joined, Err(VyncoError::Forbidden(_))), &joined)?;
    let created = teams.create(&CreateTeamRequest { name: None }).await;
    check(matches!(created, Err(VyncoError::Forbidden(_))), &created)?;
    let id = "0199c0de-0000-7000-8000-000000000000";
    let request = UpdateMemberRoleRequest { role: "admin".into() };
    let changed = teams.update_member_role(id, &request).await;
    check(matches!(changed, Err(VyncoError::Forbidden(_))), &changed)?;
    let removed = teams.remove_member(id).await;
    check(matches!(removed, Err(VyncoError::NotFound(_))), &removed)
}

/// Only the session of an owner may subscribe, and the server has no payment provider.
pub async fn billing_needs_an_owner_and_a_payment_provider(server: &Server) -> Checked {
    let request = CheckoutRequest { tier: "professional".into() };
    let with_key = server.client("starter");
    let refused = with_key.billing().create_checkout(&request).await;
    check(matches!(refused, Err(VyncoError::Forbidden(_))), &refused)?;
    let owner = server.signed_in("rust-payer@example.ch").await?;
    let unavailable = |it: &VyncoError| {
        let says_why = it.to_string().contains("no payment provider");
        matches!(it, VyncoError::Server(it) if it.status == 503) && says_why
    };
    let checkout = owner.billing().create_checkout(&request).await;
    check(checkout.as_ref().err().is_some_and(unavailable), &checkout)?;
    let portal = owner.billing().create_portal().await;
    check(portal.as_ref().err().is_some_and(unavailable), &portal)?;
    let summary = owner.teams().billing_summary().await.or_fail()?.data;
    check(summary.tier == "free" && summary.monthly_credits > 0, &summary)?;
    check(summary.members.len() == 1 && summary.members[0].credits_used == 0, &summary)?;
    let team = owner.teams().me().await.or_fail()?.data;
    check(i64::from(team.credit_balance) < team.monthly_credits, &team)
}

/// The figures are derived from the rate limits.
pub async fn credits_balance_usage_and_history(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let balance = client.credits().balance().await.or_fail()?.data;
    check(balance.tier == "enterprise" && balance.overage_rate == 0.0, &balance)?;
    let left = i64::from(balance.balance);
    check(left + balance.used_this_month == balance.monthly_credits, &balance)?;
    for since in [None, Some("2026-01-01")] {
        let usage = client.credits().usage(since).await.or_fail()?.data;
        check(usage.total > 0 && !usage.period.since.is_empty(), &usage)?;
        check(usage.operations.iter().any(|it| it.operation == "account"), &usage)?;
    }
    let history = client.credits().history(Some(5), Some(0)).await.or_fail()?.data;
    check(history.items.is_empty() && history.total == 0, &history)
}

pub async fn api_keys_are_created_listed_and_revoked(server: &Server) -> Checked {
    let starter = server.client("starter");
    let request = CreateApiKeyRequest {
        name: Some("client test".into()),
        environment: Some("test".into()),
        scopes: Some(vec!["read".into()]),
    };
    let created = starter.api_keys().create(&request).await.or_fail()?.data;
    check(
        created.key.starts_with("gth_test_") && created.key.starts_with(&created.prefix),
        &created,
    )?;
    check(created.scopes == ["read"] && created.name == "client test", &created)?;
    check(!created.warning.is_empty() && !created.created_at.is_empty(), &created)?;
    let status = async || -> Result<Vec<String>, String> {
        let listed = starter.api_keys().list().await.or_fail()?.data;
        Ok(listed.into_iter().filter(|it| it.id == created.id).map(|it| it.status).collect())
    };
    check(status().await? == ["active"], "active")?;

    let reader = server.client_with(&created.key);
    check(reader.companies().count().await.or_fail()?.data.count > 0, "the new key can read")?;
    let refused = reader.api_keys().create(&request).await;
    check(matches!(refused, Err(VyncoError::Forbidden(_))), &refused)?;

    let revoked = starter.api_keys().revoke(&created.id).await.or_fail()?;
    check(revoked.request_id.is_some(), &revoked)?;
    check(status().await? == ["revoked"], "revoked")
}

pub async fn error_responses_are_the_errors_of_the_client(server: &Server) -> Checked {
    let client = server.client("enterprise");
    let unknown = client.companies().get("CHE-000.000.000").await;
    check(matches!(&unknown, Err(VyncoError::NotFound(it)) if it.status == 404), &unknown)?;
    let canton = CompanyListParams { canton: Some("XX".into()), ..Default::default() };
    let invalid = client.companies().list(&canton).await;
    let names_canton = |it: &VyncoError| {
        let message = it.to_string();
        message.contains("canton") && message.contains("`XX`")
    };
    check(matches!(&invalid, Err(it @ VyncoError::Validation(_)) if names_canton(it)), &invalid)?;
    let unknown_key = client.api_keys().revoke("no-such-key").await;
    check(matches!(unknown_key, Err(VyncoError::NotFound(_))), &unknown_key)?;
    let refused = server.client_with("vc_live_nobody").companies().count().await;
    check(matches!(refused, Err(VyncoError::Authentication(_))), &refused)?;
    let free = server.client("free");
    for _ in 0..61 {
        match free.companies().count().await {
            Ok(_) => {}
            Err(VyncoError::RateLimit(refusal)) => {
                return check(refusal.error_type.ends_with("/errors/rate-limit-exceeded"), refusal);
            }
            Err(error) => return Err(format!("{error:?}")),
        }
    }
    Err("61 requests with a free key".into())
}
