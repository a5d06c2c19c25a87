//! Webhooks. Their deliveries are tested with the Python client.

use vynco::{CreateWebhookRequest, UpdateWebhookRequest, VyncoError};

use crate::{Checked, NESTLE, OrFail, Server, check};

pub async fn webhooks_are_created_changed_and_deleted(server: &Server) -> Checked {
    let client = server.client("professional");
    // Nothing listens at this port.
    let request = CreateWebhookRequest {
        url: "http://127.0.0.1:9/hook".into(),
        description: None,
        event_filters: Some(vec!["auditor_change".into()]),
        company_filters: Some(vec![NESTLE.into()]),
    };
    let created = client.webhooks().create(&request).await.or_fail()?.data;
    check(created.signing_secret.starts_with("whsec_"), &created)?;
    let webhook = created.webhook;
    check(webhook.url == request.url && webhook.status == "active", &webhook)?;
    check(webhook.event_filters == ["auditor_change"], &webhook)?;
    check(webhook.company_filters == [NESTLE], &webhook)?;

    // Nothing has returned the challenge that was sent when the webhook was created.
    let tested = client.webhooks().test(&webhook.id).await;
    check(matches!(tested, Err(VyncoError::Conflict(_))), &tested)?;
    let deliveries = client.webhooks().deliveries(&webhook.id, Some(5)).await.or_fail()?.data;
    let failed = deliveries.iter().all(|it| it.status == "failed" && it.attempt == 1);
    check(deliveries.len() == 1 && failed, &deliveries)?;

    let change = UpdateWebhookRequest {
        status: Some("paused".into()),
        event_filters: Some(Vec::new()),
        ..UpdateWebhookRequest::default()
    };
    let changed = client.webhooks().update(&webhook.id, &change).await.or_fail()?.data;
    check(changed.status == "paused" && changed.event_filters.is_empty(), &changed)?;
    let listed = client.webhooks().list().await.or_fail()?.data;
    check(listed.iter().any(|it| it.id == webhook.id && it.status == "paused"), &listed)?;
    client.webhooks().delete(&webhook.id).await.or_fail()?;
    let gone = client.webhooks().deliveries(&webhook.id, None).await;
    check(matches!(gone, Err(VyncoError::NotFound(_))), &gone)
}
