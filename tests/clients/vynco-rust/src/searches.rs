//! Saved searches and alerts.

use serde_json::json;
use vynco::{
    CreateAlertRequest, CreateSavedSearchRequest, UpdateSavedSearchRequest, VyncoError,
    WebhookSubscription,
};

use crate::{Checked, OrFail, Server, check};

pub async fn saved_searches_are_created_changed_and_deleted(server: &Server) -> Checked {
    let client = server.client("professional");
    let request = CreateSavedSearchRequest {
        name: "Zürich".into(),
        search_params: json!({ "canton": "ZH", "capitalMin": 100_000 }),
        description: None,
        is_scheduled: true,
        schedule_frequency: Some("monthly".into()),
    };
    let created = client.saved_searches().create(&request).await.or_fail()?.data;
    check(created.search_params.as_ref() == Some(&request.search_params), &created)?;
    check(created.is_scheduled && created.last_result_count.is_none(), &created)?;
    check(created.schedule_frequency.as_deref() == Some("monthly"), &created)?;
    let listed = client.saved_searches().list().await.or_fail()?.data;
    check(listed.iter().any(|it| it.id == created.id), &listed)?;
    let change = UpdateSavedSearchRequest { name: Some("ZH".into()), ..Default::default() };
    let changed = client.saved_searches().update(&created.id, &change).await.or_fail()?.data;
    check(changed.name == "ZH" && changed.is_scheduled, &changed)?;
    let read = client.saved_searches().get(&created.id).await.or_fail()?.data;
    check(read.name == "ZH" && read.created_at == created.created_at, &read)?;
    client.saved_searches().delete(&created.id).await.or_fail()?;
    let gone = client.saved_searches().get(&created.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}

pub async fn alerts_are_created_with_a_webhook_and_deleted(server: &Server) -> Checked {
    let client = server.client("professional");
    let request = CreateAlertRequest {
        name: "Zürich".into(),
        query_params: json!({ "canton": "ZH", "capital_min": 100_000 }),
        // Nothing listens at this port.
        webhook_url: Some("http://127.0.0.1:9/hook".into()),
        frequency: Some("hourly".into()),
        saved_search_id: None,
    };
    let created = client.alerts().create(&request).await.or_fail()?.data;
    check(created.query_params == request.query_params, &created)?;
    check(created.webhook_url == request.webhook_url && created.frequency == "hourly", &created)?;
    check(created.is_active && created.trigger_count == 0, &created)?;
    let listed = client.alerts().list().await.or_fail()?.data;
    check(listed.iter().any(|it| it.id == created.id), &listed)?;

    // The webhook has the id of the alert. Its secret is in the response, but the client drops it.
    let webhook = async || -> Result<Option<WebhookSubscription>, String> {
        let listed = client.webhooks().list().await.or_fail()?.data;
        Ok(listed.into_iter().find(|it| it.id == created.id))
    };
    let found = webhook().await?.ok_or("no webhook")?;
    check(Some(&found.url) == request.webhook_url.as_ref() && found.status == "active", &found)?;
    // Nothing has returned the challenge that was sent when the alert was created.
    let tested = client.webhooks().test(&created.id).await;
    check(matches!(tested, Err(VyncoError::Conflict(_))), &tested)?;

    client.alerts().delete(&created.id).await.or_fail()?;
    let deleted = webhook().await?;
    check(deleted.is_none(), &deleted)?;
    let gone = client.alerts().delete(&created.id).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}
