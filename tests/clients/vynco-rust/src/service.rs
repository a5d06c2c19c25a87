//! Health, dashboard, API keys and errors.

use vynco::{CompanyListParams, CreateApiKeyRequest, VyncoError};

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
