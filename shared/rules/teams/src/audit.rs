use std::net::IpAddr;

use access::Role;
use auth::{Caller, Principal, PrincipalKind};
use domain::Uid;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;
use uuid::Uuid;

/// How long entries are kept. Swiss law asks for at least a year (Data Protection Ordinance, article 4).
pub const AUDIT_RETENTION: SignedDuration = SignedDuration::from_hours(400 * 24);

/// An operation that changes something of a team. Stored before it runs, and never changed: what came of it is the
/// [`AuditOutcome`].
///
/// Contains neither texts nor secrets: of the request, only which operation it is and the ids in its path.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// A UUIDv7, whose time is [`AuditEntry::created_at`].
    pub id: Uuid,
    pub created_at: Timestamp,
    pub actor: AuditActor,
    /// The `operationId` of the operation.
    pub action: String,
    /// Path of what is changed.
    pub target: String,
    /// Address that the request came from.
    pub client_address: IpAddr,
    /// Id of the request, as in its response and in the log.
    pub request_id: String,
}

/// Who acted.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditActor {
    #[serde(rename = "type")]
    pub kind: AuditActorKind,
    /// Id of the API key or the user.
    pub id: Option<String>,
    /// Role of the user at that time.
    pub role: Option<Role>,
}

/// Who acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuditActorKind {
    /// An API key. Rotation keeps its id.
    ApiKey,
    /// A user.
    User,
    /// The payment provider, which reports paid and ended subscriptions.
    PaymentProvider,
}

impl AuditActor {
    /// The caller of a request.
    pub fn caller(caller: &Caller) -> Self {
        let Principal { kind, id } = caller.principal();
        let kind = match kind {
            PrincipalKind::ApiKey => AuditActorKind::ApiKey,
            PrincipalKind::User => AuditActorKind::User,
        };
        Self { kind, id: Some(id.clone()), role: caller.role() }
    }

    /// A user who acted without a session in the team: who signed in, or joined it.
    pub fn user(id: impl Into<String>, role: Role) -> Self {
        Self { kind: AuditActorKind::User, id: Some(id.into()), role: Some(role) }
    }

    pub fn payment_provider() -> Self {
        Self { kind: AuditActorKind::PaymentProvider, id: None, role: None }
    }
}

/// Outcome of an operation.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditOutcome {
    /// Status of the response.
    pub status: u16,
    /// Id of the resource that was created.
    pub created_id: Option<Uuid>,
}

/// An entry with its outcome, both written in the transaction that changes something.
#[derive(Clone, Debug, PartialEq)]
pub struct Audited {
    pub entry: AuditEntry,
    pub outcome: AuditOutcome,
}

/// Which entries are wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditFilter {
    /// The first moment. `None`: as long as entries are kept.
    pub since: Option<Timestamp>,
    /// The last moment.
    pub until: Option<Timestamp>,
    pub action: Option<String>,
    /// Id of an API key or a user.
    pub actor: Option<Uuid>,
}

impl AuditFilter {
    /// Whether the entry has the wanted action and actor.
    pub fn matches(&self, entry: &AuditEntry) -> bool {
        let is_actor = |it: Uuid| {
            let id = entry.actor.id.as_deref().and_then(|it| Uuid::try_parse(it).ok());
            id == Some(it)
        };
        self.action.as_ref().is_none_or(|it| *it == entry.action) && self.actor.is_none_or(is_actor)
    }
}

/// The path of an operation with the ids of a request, such as `/v1/teams/me/members/0199c0de-…`.
///
/// A variable whose value is neither a UUID nor a company number stays as it is in the template (`{id}`): it is a text that
/// the client made up.
pub fn audit_target(template: &str, path: &str) -> String {
    let mut given = path.split('/');
    let segments = template.split('/').map(|segment| {
        let value = given.next().unwrap_or_default();
        if !segment.starts_with('{') {
            return segment.to_owned();
        }
        let company = || value.parse::<Uid>().ok().map(|it| it.to_string());
        let id = Uuid::try_parse(value).ok().map(|it| it.to_string());
        id.or_else(company).unwrap_or_else(|| segment.to_owned())
    });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_contains_ids_but_no_texts_of_the_client() {
        let id = "0199c0de-0000-7000-8000-000000000000";
        let template = "/v1/companies/{uid}/notes/{id}";
        assert_eq!(
            audit_target(template, &format!("/v1/companies/CHE107787577/notes/{id}")),
            format!("/v1/companies/CHE-107.787.577/notes/{id}")
        );
        assert_eq!(audit_target(template, "/v1/companies/my-password/notes/x"), template);
        assert_eq!(audit_target("/v1/teams", "/v1/teams"), "/v1/teams");
    }

    #[test]
    fn a_filter_selects_by_action_and_actor() {
        let id = "0199c0de-0000-7000-8000-000000000000";
        let entry = AuditEntry {
            id: Uuid::nil(),
            created_at: Timestamp::UNIX_EPOCH,
            actor: AuditActor::user(id, Role::Admin),
            action: "create_note".into(),
            target: "/v1/notes".into(),
            client_address: IpAddr::from([192, 0, 2, 1]),
            request_id: String::new(),
        };
        let of = |action: &str, actor: &str| AuditFilter {
            action: Some(action.into()),
            actor: Uuid::try_parse(actor).ok(),
            ..AuditFilter::default()
        };
        assert!(AuditFilter::default().matches(&entry));
        assert!(of("create_note", id).matches(&entry));
        assert!(!of("delete_note", id).matches(&entry));
        assert!(!of("create_note", &Uuid::nil().to_string()).matches(&entry));
        let provider = AuditEntry { actor: AuditActor::payment_provider(), ..entry };
        assert!(!of("create_note", id).matches(&provider));
    }
}
