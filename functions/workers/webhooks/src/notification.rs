use accounts::{
    Notification, NotificationCategory, Webhook, notification_id,
    webhook::{Disabled, DisabledReason},
};
use store::TeamKey;
use url::Url;

/// The notification that a webhook was disabled. Names only the host of its address, because the rest may be secret.
pub(crate) fn disabled(team: &TeamKey, webhook: &Webhook, disabled: &Disabled) -> Notification {
    let url = Url::parse(&webhook.url).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or("its receiver");
    let reason = match disabled.reason {
        DisabledReason::Gone => "the receiver answered 410 (Gone)",
        DisabledReason::Failing => "every delivery of the last three days failed",
    };
    let body = format!(
        "The webhook to {host} was disabled, because {reason}. Changes are no longer delivered to it. When the receiver \
         works again, set the status of the webhook to `active`, and replay what it has missed."
    );
    let id = webhook.id.as_str();
    Notification {
        id: notification_id(team.team(), team.environment(), disabled.at, &["disabled", id]),
        title: format!("Webhook to {host} disabled"),
        body,
        category: NotificationCategory::Webhook,
        severity: None,
        is_read: false,
        link: Some(format!("/v1/webhooks/{id}")),
        company_uid: None,
        event_id: None,
        watchlist_ids: Vec::new(),
        saved_search_id: None,
        created_at: disabled.at,
    }
}
