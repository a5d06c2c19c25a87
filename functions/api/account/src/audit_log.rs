//! The audit log of a team: who changed what, when, and from which address.

use std::{collections::BTreeMap, net::IpAddr};

use access::{Role, Tier};
use auth::Email;
use axum::{Json as JsonResponse, extract::State};
use domain::{
    choice::{Choice, UnknownValue},
    search::{LastMoment, Moment, PageNumber, PageSize},
};
use http_service::{
    Description, Offset, Paginator, Query, Routes, Selection, Tenant, handler, reads,
};
use jiff::Timestamp;
use problem_details::Problem;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use store::{AuditPage, MAX_SEARCHED, Recorded};
use teams::{AuditActorKind, AuditEntry, AuditFilter, AuditOutcome};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub(crate) fn routes<D: Description>() -> Routes<crate::State, D> {
    Routes::new().route(reads(0).by_owner().from_tier(Tier::Enterprise), handler!(audit_log))
}

/// The operations that the log records. A test compares them with the routes.
const ACTIONS: [&str; 78] = [
    "add_watchlist_companies",
    "bulk_add_to_watchlist",
    "bulk_screening",
    "cancel_invitation",
    "change_role",
    "confirm",
    "confirm_provider",
    "create_alert",
    "create_api_key",
    "create_checkout_session",
    "create_dossier",
    "create_export",
    "create_note",
    "create_pipeline",
    "create_pipeline_entry",
    "create_portal_session",
    "create_profiles_export",
    "create_saved_search",
    "create_tag",
    "create_team",
    "create_test_notification",
    "create_watch",
    "create_watchlist",
    "create_webhook",
    "decide_hit",
    "delete_alert",
    "delete_dossier",
    "delete_export",
    "delete_monitored_subject",
    "delete_note",
    "delete_pipeline",
    "delete_pipeline_entry",
    "delete_saved_search",
    "delete_single_sign_on",
    "delete_tag",
    "delete_team",
    "delete_user",
    "delete_watch",
    "delete_watchlist",
    "delete_webhook",
    "end_member_sessions",
    "finish_sso",
    "generate_dossier",
    "invite_member",
    "join_team",
    "leave_team",
    "link_sso",
    "mark_notifications_read",
    "payment_event",
    "post_sso",
    "put_single_sign_on",
    "remove_member",
    "remove_watchlist_company",
    "replace_preferences",
    "replay_webhook",
    "request_magic_link",
    "review_change",
    "revoke_api_key",
    "rotate_api_key",
    "rotate_webhook_key",
    "screen",
    "screen_companies",
    "sign_out",
    "sign_out_everywhere",
    "switch_team",
    "test_webhook",
    "unsubscribe",
    "update_note",
    "update_notification_preferences",
    "update_pipeline",
    "update_pipeline_entry",
    "update_profile",
    "update_saved_search",
    "update_team",
    "update_webhook",
    "verify_domains",
    "verify_magic_link",
    "verify_webhook",
];

const ACTION: Choice =
    Choice::of("the `operationId` of an operation that changes something, such as `change_role`");

#[derive(Default, Deserialize, IntoParams)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Earliest time (inclusive). A date means the start of that day in Swiss time.
    #[param(inline, value_type = Option<Moment>, example = "2026-10-01")]
    since: Option<Moment>,
    /// Latest time (inclusive). A date means the end of that day in Swiss time.
    #[param(inline, value_type = Option<LastMoment>, example = "2026-12-31")]
    until: Option<LastMoment>,
    /// Action: the `operationId` of an operation of this API that changes something, such as `change_role`.
    #[param(value_type = Option<String>, pattern = "^[a-z][a-z_]{0,63}$", example = "create_api_key")]
    action: Option<Action>,
    /// Id of the user or API key that acted.
    #[param(example = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90")]
    actor: Option<Uuid>,
    /// Page number.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 10_000, default = 1, example = 1)]
    page: PageNumber,
    /// Maximum number of entries per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20, example = 20)]
    page_size: PageSize,
}

/// The name of an operation that the log records.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Action(String);

impl TryFrom<String> for Action {
    type Error = UnknownValue;

    fn try_from(given: String) -> Result<Self, UnknownValue> {
        let known = ACTIONS.into_iter().map(|it| (it, it));
        ACTION.read(&given, known).map(|it| Self(it.to_owned()))
    }
}

/// A page of the audit log.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditLog {
    /// Entries, newest first.
    items: Vec<AuditLogEntry>,
    /// Page number.
    page: u32,
    /// Maximum number of entries per page.
    page_size: u32,
    /// Whether there is another page.
    has_more: bool,
    /// Time of the oldest entry that was searched. Only present if there are too many entries to search all: to continue,
    /// send it as `until`.
    searched_to: Option<Timestamp>,
}

/// An operation that changed something of the team, or tried to.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditLogEntry {
    /// Id of the entry.
    id: Uuid,
    /// Time of the operation.
    created_at: Timestamp,
    /// Who acted.
    actor: Actor,
    /// What was done: the `operationId` of the operation.
    #[schema(example = "create_api_key")]
    action: String,
    /// Path of what was changed, with its ids.
    #[schema(example = "/v1/api-keys")]
    target: String,
    /// Id of the resource that was created. Absent if none was.
    created_id: Option<Uuid>,
    /// IP address that the request came from.
    #[schema(value_type = String, example = "192.0.2.1")]
    client_address: IpAddr,
    /// Id of the request, as in the header `x-request-id` of its response.
    request_id: String,
    /// Outcome of the operation.
    outcome: Outcome,
    /// Status code of the response. Absent if the outcome is `unknown`.
    #[schema(minimum = 100, maximum = 599)]
    status: Option<u16>,
}

/// Who acted.
#[skip_serializing_none]
#[derive(Serialize, ToSchema)]
struct Actor {
    /// Whether a user, an API key or the payment provider acted.
    #[serde(rename = "type")]
    kind: AuditActorKind,
    /// Id of the user or the API key. Absent for the payment provider.
    id: Option<String>,
    /// Role of the user at that time. Absent for others.
    role: Option<Role>,
    /// E-mail address of the user. Absent for others.
    #[schema(value_type = Option<String>, example = "eva.muster@example.ch")]
    email: Option<Email>,
}

/// Outcome of an operation: `succeeded`, `refused` (nothing was changed), `failed` (something may have been changed) or
/// `unknown` (it is still running, was interrupted, or its outcome could not be recorded).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    /// It was done.
    Succeeded,
    /// It was refused, and nothing was changed.
    Refused,
    /// It failed. Something may have been changed.
    Failed,
    /// It is still running, was interrupted, or its outcome could not be recorded.
    Unknown,
}

impl From<Option<AuditOutcome>> for Outcome {
    fn from(outcome: Option<AuditOutcome>) -> Self {
        match outcome.map(|it| it.status) {
            None => Self::Unknown,
            Some(500..) => Self::Failed,
            Some(400..) => Self::Refused,
            Some(_) => Self::Succeeded,
        }
    }
}

impl AuditLogEntry {
    fn of(Recorded { entry, outcome }: Recorded, emails: &BTreeMap<String, Email>) -> Self {
        let AuditEntry { id, created_at, actor, action, target, client_address, request_id } =
            entry;
        let email = actor.id.as_ref().and_then(|it| emails.get(it)).cloned();
        Self {
            id,
            created_at,
            actor: Actor { kind: actor.kind, id: actor.id, role: actor.role, email },
            action,
            target,
            created_id: outcome.and_then(|it| it.created_id),
            client_address,
            request_id,
            outcome: outcome.into(),
            status: outcome.map(|it| it.status),
        }
    }
}

/// List the audit log
///
/// Every operation that changed something of the team, or tried to, newest first: also sign-ins, and changes of the tier by
/// the payment provider. Reading requests, requests that were refused before the operation began (for example because
/// of the scope or the rate limit), repetitions with the same `Idempotency-Key`, and requests with test keys are not
/// recorded. Entries contain no request or response bodies and no secrets. They cannot be changed or deleted, and are
/// kept for 400 days. The log starts when the team gets the tier `enterprise`. A request searches at most 10,000
/// entries: narrow `since` and `until` if there are more.
#[utoipa::path(
    get,
    path = "/v1/audit-log",
    tag = "Audit log",
    params(AuditQuery),
    responses((status = OK, body = AuditLog)),
)]
async fn audit_log(
    State(state): State<crate::State>,
    Tenant { team, .. }: Tenant,
    paginator: Paginator,
    Query(query): Query<AuditQuery>,
) -> Result<(Option<http_service::paging::Link>, JsonResponse<AuditLog>), Problem> {
    const { assert!(MAX_SEARCHED == 10_000, "the numbers in the description") };
    let AuditQuery { since, until, action, actor, page, page_size } = query;
    let (number, size) = (page.get() as usize, page_size.get() as usize);
    if number.saturating_mul(size) > MAX_SEARCHED {
        let last = MAX_SEARCHED / size;
        let detail = format!(
            "must be at most {last} with a `pageSize` of {size}; got `{number}`; for older entries, set `until`"
        );
        return Err(Problem::invalid("page", detail));
    }
    let filter = AuditFilter {
        since: since.map(|it| it.0),
        until: until.map(|it| it.0),
        action: action.map(|it| it.0),
        actor,
    };
    let offset = (number - 1) * size;
    let part = (offset, size);
    let log = state.tenants.audit_log(&team, &filter, part, state.clock.now()).await?;
    let AuditPage { items, has_more, searched_to } = log;
    let is_user = |it: &&Recorded| it.entry.actor.kind == AuditActorKind::User;
    let users = items.iter().filter(is_user).filter_map(|it| it.entry.actor.id.clone());
    let emails = state.tenants.emails(users.collect()).await?;
    let known = offset + items.len() + usize::from(has_more);
    let selection = Selection::page(page, page_size, Offset::default(), known);
    let items = items.into_iter().map(|it| AuditLogEntry::of(it, &emails));
    let (items, link) = paginator.fit(&state.public_url, &selection, items);
    let (page, page_size) = (page.get(), page_size.get());
    Ok((link, JsonResponse(AuditLog { items, page, page_size, has_more, searched_to })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_the_name_of_an_operation() {
        for name in ["change_role", "sign_out"] {
            assert!(Action::try_from(name.to_owned()).is_ok(), "{name}");
        }
        let long = "a".repeat(10_000);
        for name in ["", "_x", "x", "changed_role", "POST /v1/teams", "a-b", &long] {
            assert!(Action::try_from(name.to_owned()).is_err(), "{name}");
        }
    }
}
