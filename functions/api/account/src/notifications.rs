//! Notifications of a team, and which ones its members and keys get.

use access::{Environment, Scope};
use auth::{Email, Language};
use axum::{Json as JsonResponse, extract::State};
use domain::{
    changes::Severity,
    search::{PageSize, WantedChangeKind},
};
use http::HeaderMap;
use http_service::{
    ClientAddress, Description, Json, NoParameters, Query, Routes, Tenant, handler,
    preferred_language, reads, writes,
};
use jiff::{Timestamp, civil::Time};
use jobs::MailJob;
use outgoing::mail::{Cause, Requester};
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::rust::double_option;
use store::MAX_MARKED;
use teams::{
    Addressed, Channel, DeliveryMode, News, Notification, NotificationCategory,
    NotificationPreferences, PendingMail, notification_id,
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new()
        .route(reads(0).with_token(), handler!(notifications))
        .route(writes(0), handler!(mark_notifications_read))
        .route(reads(0).with_token().translated(), handler!(notification_preferences))
        .route(writes(0).translated(), handler!(update_notification_preferences))
        .route(writes(0), handler!(create_test_notification))
}

/// Maximum number of notifications to skip.
const MAX_OFFSET: u32 = 10_000;
/// Maximum number of ids in a request.
const MAX_IDS: usize = 100;
/// Maximum number of change types in preferences.
const MAX_CHANGE_TYPES: usize = 100;

#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct NotificationsQuery {
    /// Whether to return only unread notifications.
    #[param(default = false, example = true)]
    unread: bool,
    /// Maximum number of items.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    limit: PageSize,
    /// Number of items to skip.
    #[param(minimum = 0, maximum = 10_000, default = 0, example = 0)]
    offset: u32,
}

/// A part of the team's notifications.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NotificationList {
    /// Notifications, newest first.
    items: Vec<Notification>,
    /// Number of notifications; with `unread=true`, of unread ones.
    total: u64,
    /// Number of unread notifications.
    unread_count: u64,
}

/// List notifications
///
/// Notifications of the team, newest first. They are kept for 90 days. At most the newest 10,100 can be listed.
#[utoipa::path(
    get,
    path = "/v1/notifications",
    tag = "Watches and notifications",
    params(NotificationsQuery),
    responses((status = OK, body = NotificationList)),
)]
async fn notifications(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(query): Query<NotificationsQuery>,
) -> Result<JsonResponse<NotificationList>, Problem> {
    if query.offset > MAX_OFFSET {
        let detail = format!("must be at most {MAX_OFFSET}; got `{}`", query.offset);
        return Err(Problem::invalid("offset", detail));
    }
    let part = (query.offset as usize, query.limit.get() as usize);
    let now = state.clock.now();
    let page = state.tenants.notifications(&team, query.unread, part, now).await?;
    Ok(JsonResponse(NotificationList {
        items: page.items,
        total: page.total,
        unread_count: page.unread,
    }))
}

/// Notifications to mark as read: `all`, or those with these ids.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
struct MarkRead {
    /// Whether to mark all notifications. Default: `false`.
    #[schema(example = true)]
    all: bool,
    /// Ids of notifications, at most 100. Ids of other notifications are ignored.
    #[schema(max_items = 100)]
    ids: Vec<Uuid>,
}

/// Result of marking notifications as read.
#[derive(Serialize, ToSchema)]
struct MarkedRead {
    /// Number of notifications that were unread.
    updated: usize,
}

/// Mark notifications as read
///
/// Applies to the whole team. With `all`, at most the newest 5,000 unread notifications are marked: repeat the request
/// if `updated` is 5,000.
#[utoipa::path(
    post,
    path = "/v1/notifications/read",
    tag = "Watches and notifications",
    request_body = MarkRead,
    responses((status = OK, body = MarkedRead)),
)]
async fn mark_notifications_read(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<MarkRead>,
) -> Result<JsonResponse<MarkedRead>, Problem> {
    const { assert!(MAX_MARKED == 5_000, "the number in the description") };
    if request.all && !request.ids.is_empty() {
        return Err(Problem::invalid("ids", "must be empty if `all` is `true`"));
    }
    if request.ids.len() > MAX_IDS {
        let detail = format!("must have at most {MAX_IDS} ids; got {}", request.ids.len());
        return Err(Problem::invalid("ids", detail));
    }
    let updated = match request.all {
        true => state.tenants.mark_all_read(&team, state.clock.now()).await?,
        false => state.tenants.mark_read(&team, &request.ids).await?,
    };
    Ok(JsonResponse(MarkedRead { updated }))
}

/// Get the notification preferences
///
/// Preferences of the caller. All API keys of a team share the same preferences. They apply to the watches, watchlists,
/// saved searches and alerts that the caller has created. The preferences of the API keys apply to everything that was
/// created with any key of the team.
#[utoipa::path(
    get,
    path = "/v1/notifications/preferences",
    tag = "Watches and notifications",
    responses((status = OK, body = NotificationPreferences)),
)]
async fn notification_preferences(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<NotificationPreferences>, Problem> {
    let owner = caller.principal().owner();
    Ok(JsonResponse(state.tenants.notification_preferences(&team, &owner).await?))
}

/// Changes of notification preferences. Fields that are left out stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateNotificationPreferences {
    /// Whether watches and watchlists cause notifications.
    #[serde(default)]
    #[schema(example = true)]
    is_enabled: Option<bool>,
    /// When e-mails are sent.
    #[serde(default)]
    delivery_mode: Option<DeliveryMode>,
    /// Where notifications are sent. They are always listed in the app.
    #[serde(default)]
    channel: Option<Channel>,
    /// E-mail address for notifications, at most 254 characters; `null` removes it. If it differs from the address of the
    /// signed-in user, an e-mail with a confirmation link is sent to it. To get a new link, send the same address again.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<String>, max_length = 254, example = "alerts@muster.example")]
    email_address: Option<Option<Email>>,
    /// Language of the e-mails; `null` for the language of the user, or English.
    #[serde(default, with = "double_option")]
    #[schema(value_type = Option<Language>, example = "de")]
    language: Option<Option<Language>>,
    /// Time of the daily digest in Switzerland, with or without seconds, which are ignored.
    #[serde(default)]
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$", example = "07:30:00")]
    digest_time: Option<String>,
    /// Change types that cause notifications, at most 100. Empty: all except `other`.
    #[serde(default)]
    #[schema(max_items = 100, example = json!(["auditor_change", "bankruptcy"]))]
    watched_change_types: Option<Vec<WantedChangeKind>>,
    /// Lowest severity of a change, or of a new risk level, that causes a notification of a watched company. Screening
    /// hits, saved searches and alerts are not filtered.
    #[serde(default)]
    minimum_severity: Option<Severity>,
}

/// A time of day, with or without seconds.
fn checked_time(text: &str) -> Result<Time, Problem> {
    let digits = |it: &&str| it.len() == 2 && it.bytes().all(|it| it.is_ascii_digit());
    let parts: Vec<i8> = text.split(':').filter(digits).filter_map(|it| it.parse().ok()).collect();
    let time = match (text.len(), &parts[..]) {
        (5, &[hour, minute]) => Time::new(hour, minute, 0, 0).ok(),
        (8, &[hour, minute, second]) => Time::new(hour, minute, second, 0).ok(),
        _ => None,
    };
    time.ok_or_else(|| {
        let detail =
            format!("must be a time of the form `HH:MM:SS`, such as `08:00:00`; got `{text}`");
        Problem::invalid("digestTime", detail)
    })
}

/// Change the notification preferences
///
/// Changes the given fields and leaves the others as they are. Returns all preferences. E-mails are sent to a confirmed
/// address, or to the one that the user signs in with, at most 500 a day (UTC) for a team (the Free teams that one user has created
/// count together), a user and an address. Others wait, and are sent together on the next day. Each contains a link to unsubscribe.
/// Confirmation e-mails and invitations are limited together: in 10 minutes, at most 5 to one address and 20 from one team.
/// A test key sends no e-mails.
#[utoipa::path(
    put,
    path = "/v1/notifications/preferences",
    tag = "Watches and notifications",
    request_body = UpdateNotificationPreferences,
    responses((status = OK, body = NotificationPreferences)),
)]
async fn update_notification_preferences(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    ClientAddress(client): ClientAddress,
    headers: HeaderMap,
    Query(NoParameters {}): Query<NoParameters>,
    Json(request): Json<UpdateNotificationPreferences>,
) -> Result<JsonResponse<NotificationPreferences>, Problem> {
    let digest_time = request.digest_time.as_deref().map(checked_time).transpose()?;
    let types = request.watched_change_types.map(|types| {
        let mut distinct = Vec::new();
        for WantedChangeKind(kind) in types {
            if !distinct.contains(&kind) {
                distinct.push(kind);
            }
        }
        distinct
    });
    if types.as_ref().is_some_and(|it| it.len() > MAX_CHANGE_TYPES) {
        let detail = format!("must have at most {MAX_CHANGE_TYPES} change types");
        return Err(Problem::invalid("watchedChangeTypes", detail));
    }
    let (owner, now) = (caller.principal().owner(), state.clock.now());
    let user = match owner.user() {
        Some(id) => state.tenants.user(id).await?,
        None => None,
    };
    let own = user.as_ref().map(|it| &it.email);
    let address = &request.email_address;
    let before = state.tenants.notification_preferences(&team, &owner).await?;
    // By somebody who may still do so.
    let is_set = match &before.email_set_by {
        Some(by) => state.tenants.rights_of(&team, by, now).await?.may(Scope::Write),
        None => false,
    };
    // A new address, or one that is sent again because it is not confirmed yet.
    let to_confirm = address.as_ref().and_then(Option::as_ref).filter(|it| {
        let is_confirmed = before.email_confirmed_at.is_some();
        let is_known = is_confirmed && is_set && before.email_address.as_ref() == Some(it);
        caller.environment() == Environment::Live && own != Some(it) && !is_known
    });
    let permit = match to_confirm {
        Some(address) => {
            let cause = Cause::Confirmation(Requester::of(&caller, client));
            state.allow_mail(&cause, address, now).await?
        }
        None => None,
    };
    let change = |preferences: &mut NotificationPreferences| {
        preferences.is_enabled = request.is_enabled.unwrap_or(preferences.is_enabled);
        preferences.delivery_mode = request.delivery_mode.unwrap_or(preferences.delivery_mode);
        preferences.channel = request.channel.unwrap_or(preferences.channel);
        if let Some(address) = address
            && (*address != preferences.email_address || !is_set)
        {
            preferences.set_address(address.clone(), caller.delegation(now));
        }
        if own.is_some() && preferences.email_address.as_ref() == own {
            preferences.email_confirmed_at.get_or_insert(now);
        }
        preferences.language = request.language.unwrap_or(preferences.language);
        preferences.digest_time = digest_time.unwrap_or(preferences.digest_time);
        if let Some(types) = &types {
            preferences.watched_change_types.clone_from(types);
        }
        preferences.minimum_severity =
            request.minimum_severity.unwrap_or(preferences.minimum_severity);
    };
    let changed = state.tenants.change_notification_preferences(&team, &owner, now, change).await?;
    if let Some((address, permit)) = to_confirm.zip(permit) {
        let known = changed.language.or(user.as_ref().and_then(|it| it.language));
        let language = known.unwrap_or_else(|| preferred_language(&headers));
        state.ask_to_confirm(permit, &team, owner, address.clone(), language).await?;
    }
    Ok(JsonResponse(changed))
}

/// Result of a test.
#[derive(Serialize, ToSchema)]
struct TestNotification {
    /// What was done.
    message: &'static str,
}

/// Create a test notification
///
/// Creates a notification of the category `test`, at most one per minute. Types and severities in the preferences do not
/// apply to it. If the caller gets notifications by e-mail, it is sent too, or becomes part of the next digest.
#[utoipa::path(
    post,
    path = "/v1/notifications/test",
    tag = "Watches and notifications",
    responses((status = OK, body = TestNotification)),
)]
async fn create_test_notification(
    State(state): State<crate::State>,
    Tenant { team, caller }: Tenant,
    Query(NoParameters {}): Query<NoParameters>,
) -> Result<JsonResponse<TestNotification>, Problem> {
    let now = state.clock.now().as_second();
    let minute = Timestamp::from_second(now - now.rem_euclid(60)).unwrap_or_default();
    let notification = Notification {
        id: notification_id(team.team(), team.environment(), minute, &["test"]),
        title: "Test notification".into(),
        body: "Notifications of this team are listed here.".into(),
        category: NotificationCategory::Test,
        severity: None,
        is_read: false,
        link: None,
        company_uid: None,
        event_id: None,
        watchlist_ids: Vec::new(),
        saved_search_id: None,
        created_at: minute,
    };
    let mail = PendingMail {
        notification: notification.id,
        created_at: minute,
        link: None,
        news: News::Test,
    };
    if state.tenants.notify(&team, &[notification]).await? == 0 {
        let message = "This minute already has a test notification.";
        return Ok(JsonResponse(TestNotification { message }));
    }
    let owner = caller.principal().owner();
    let preferences = state.tenants.notification_preferences(&team, &owner).await?;
    if team.environment() != Environment::Live || preferences.mail_to().is_none() {
        let message = "The test notification was created.";
        return Ok(JsonResponse(TestNotification { message }));
    }
    let mail = Addressed { mail, to: vec![owner.clone()] };
    state.tenants.queue_mails(&team, &[mail]).await?;
    let message = if preferences.digest().is_some() {
        "The test notification was created. The next digest will contain it."
    } else {
        // The mail may have to wait.
        let now = state.clock.now();
        state.tenants.schedule_mails(&[(team.clone(), owner.clone())], now).await?;
        let (team, environment) = (team.team().clone(), team.environment());
        state.mails.send(&MailJob::Send { team, environment, owner }).await?;
        "The test notification was created, and is being sent by e-mail."
    };
    Ok(JsonResponse(TestNotification { message }))
}
