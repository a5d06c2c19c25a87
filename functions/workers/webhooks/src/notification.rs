use jiff::Timestamp;
use store::TeamKey;
use teams::{
    Notification, NotificationCategory, Webhook, notification_id,
    webhook::{Disabled, DisabledReason, Dropped},
};
use url::Url;

/// The notification that a webhook was disabled.
pub(crate) fn disabled(team: &TeamKey, webhook: &Webhook, disabled: &Disabled) -> Notification {
    let host = host(webhook);
    let reason = match disabled.reason {
        DisabledReason::Gone => "the receiver answered 410 (Gone)",
        DisabledReason::Failing => "every delivery of the last three days failed",
    };
    let body = format!(
        "The webhook to {host} was disabled, because {reason}. Changes are no longer delivered to it. When the receiver \
         works again, set the status of the webhook to `active`, and replay what it has missed."
    );
    about(team, webhook, "disabled", disabled.at, format!("Webhook to {host} disabled"), body)
}

/// The notification that changes were left out, because too many wait for the next day.
pub(crate) fn dropped(
    team: &TeamKey,
    webhook: &Webhook,
    dropped: &Dropped,
    now: Timestamp,
) -> Notification {
    let (host, Dropped { number, since, .. }) = (host(webhook), dropped);
    let changes = if *number == 1 { "change was" } else { "changes were" };
    let body = format!(
        "The deliveries of the day that the tier allows are used up, and as many wait for the webhook to {host} as may. {number} \
         {changes} left out since {since}, and others may follow: see `droppedCount` of the webhook. Narrow its filters or choose a \
         higher tier, and replay what it has missed."
    );
    let title = format!("Webhook to {host}: changes left out");
    about(team, webhook, "dropped", now, title, body)
}

/// The host of the address. The rest of it may be secret.
fn host(webhook: &Webhook) -> String {
    let url = Url::parse(&webhook.url).ok();
    url.as_ref().and_then(Url::host_str).unwrap_or("its receiver").to_owned()
}

fn about(
    team: &TeamKey,
    webhook: &Webhook,
    kind: &str,
    at: Timestamp,
    title: String,
    body: String,
) -> Notification {
    let id = webhook.id.as_str();
    Notification {
        id: notification_id(team.team(), team.environment(), at, &[kind, id]),
        title,
        body,
        category: NotificationCategory::Webhook,
        severity: None,
        is_read: false,
        link: Some(format!("/v1/webhooks/{id}")),
        company_uid: None,
        event_id: None,
        watchlist_ids: Vec::new(),
        saved_search_id: None,
        created_at: at,
    }
}
