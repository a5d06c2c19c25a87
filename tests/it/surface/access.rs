//! Who may call what.

use access::{Environment, RateGroup, Role, Scope, Tier};
use http::{Method, StatusCode};
use http_service::Operation;
use serde_json::json;
use tests::{Answer, Service, sso};

use super::{
    callers::{
        Acting, Prepared, Sender, acting, has_succeeded, prepared, prepared_for, send,
        send_prepared,
    },
    requests::{Ids, MEMBERS, operations, path, service},
};

#[tokio::test]
async fn every_operation_accepts_exactly_the_tiers_that_it_declares() {
    for tier in Tier::ALL {
        let service = service().await;
        for operation in operations(&service) {
            let caller = prepared(&service, tier, &operation).await;
            let answer = send_prepared(&service, &operation, &caller).await;
            let named =
                format!("{} {} for {tier}: {}", operation.method, operation.path, answer.text);
            let unlocked =
                operation.group.allowance(tier).is_some() && tier >= operation.minimum_tier;
            if unlocked {
                assert!(has_succeeded(&answer), "{named}");
                assert!(
                    answer.number("x-ratelimit-remaining") < answer.number("x-ratelimit-limit"),
                    "{named}"
                );
            } else {
                assert_eq!(
                    (answer.status, answer.slug()),
                    (StatusCode::FORBIDDEN, "tier-not-unlocked"),
                    "{named}"
                );
                assert_eq!(answer.body["requiredTier"], json!(operation.minimum_tier), "{named}");
                assert_eq!(answer.body["tier"], json!(tier), "{named}");
            }
            assert_eq!(answer.header("x-ratelimit-group"), Some(operation.group.name()), "{named}");
        }
    }
}

#[tokio::test]
async fn every_operation_answers_anonymous_callers_as_it_declares() {
    let service = service().await;
    for operation in operations(&service) {
        let Prepared { path, .. } = prepared(&service, Tier::Free, &operation).await;
        let answer = send(&service, &operation, None, &path).await;
        let named = format!("{} {}: {}", operation.method, operation.path, answer.text);
        if operation.needs_token {
            assert_eq!(
                (answer.status, answer.slug()),
                (StatusCode::UNAUTHORIZED, "unauthorized"),
                "{named}"
            );
        } else if operation.minimum_tier > Tier::Free {
            assert_eq!(answer.slug(), "tier-not-unlocked", "{named}");
        } else {
            assert!(has_succeeded(&answer), "{named}");
        }
    }
}

#[tokio::test]
async fn operations_that_write_or_belong_to_a_team_need_a_token() {
    let service = Service::start().await;
    for operation in &service.operations {
        let writes = operation.scope == Scope::Write;
        // The team's keys and its members. All members may know who the others are.
        let about_keys = operation.path.starts_with("/v1/api-keys");
        let about_members = ["/v1/teams/me/members", "/v1/teams/me/invitations", sso::SETTINGS]
            .iter()
            .any(|it| operation.path.starts_with(it));
        let lists_members = operation.method == Method::GET && operation.path == MEMBERS;
        let changes_team = operation.method != Method::GET && operation.path == "/v1/teams/me";
        // A webhook sends data to an address, which may contain a secret.
        let about_webhooks =
            operation.path.starts_with("/v1/webhooks") && operation.path != "/v1/webhooks/stripe";
        let manages =
            about_keys || about_webhooks || (about_members && !lists_members) || changes_team;
        assert_eq!(operation.scope == Scope::Manage, manages, "{operation:?}");
        let belongs_to_team = operation.group == RateGroup::Account;
        assert!(operation.needs_token || !(writes || belongs_to_team), "{operation:?}");
        let is_read = matches!(operation.method, Method::GET);
        assert!(!(is_read && writes), "{operation:?}");
    }
}

/// All callers with a token: keys with one or all scopes, live and in the sandbox, and sessions of each role.
fn senders() -> Vec<Sender> {
    const SCOPES: [&[Scope]; 4] = [&[Scope::Read], &[Scope::Write], &[Scope::Manage], &Scope::ALL];
    let keys = [Environment::Live, Environment::Test].into_iter();
    let keys = keys.flat_map(|it| SCOPES.map(|scopes| Sender::Key(it, scopes)));
    keys.chain(Role::ALL.map(Sender::User)).collect()
}

/// Whether scope or role of a caller permit the operation.
fn is_permitted(operation: &Operation, sender: Sender) -> bool {
    match sender {
        Sender::Key(_, scopes) => {
            operation.minimum_role.is_none() && scopes.contains(&operation.scope)
        }
        Sender::User(role) => role >= operation.lowest_role(),
    }
}

/// The problem with which the operation refuses every request of such a caller.
fn refusal(operation: &Operation, tier: Tier, sender: Option<Sender>) -> Option<&'static str> {
    let is_unlocked = operation.group.allowance(tier).is_some() && tier >= operation.minimum_tier;
    match sender {
        None if operation.needs_token => Some("unauthorized"),
        _ if !is_unlocked => Some("tier-not-unlocked"),
        Some(sender) if !is_permitted(operation, sender) => Some("forbidden"),
        _ => None,
    }
}

/// Every operation × tier × caller. The requests are about resources that do not exist: only who is let through matters.
#[tokio::test]
async fn every_operation_lets_through_exactly_the_callers_that_it_declares() {
    let id = "0199c0de-0000-7000-8000-000000000000";
    let ids = Ids { id: id.to_owned(), entry: id.to_owned() };
    let mut counted = 0;
    for tier in Tier::ALL {
        let service = service().await;
        for sender in senders() {
            let caller = acting(&service, tier, sender).await;
            let Acting { mut team, mut token, mut user, .. } = caller;
            for operation in operations(&service) {
                let by = Some((token.as_str(), &team, user.as_deref()));
                let answer = send(&service, &operation, by, &path(&operation, &ids)).await;
                assert_refusal(&answer, &operation, tier, Some(sender));
                counted += 1;
                // The operation may have deleted the team, or ended the session or the membership, if it has done anything.
                if operation.id == "delete_team" && answer.status.is_success() {
                    team = service.team(tier).await;
                }
                let may_have_changed =
                    operation.method != Method::GET && !answer.status.is_client_error();
                if let (Sender::User(role), true) = (sender, may_have_changed) {
                    let member = service.member(&team, role).await;
                    (token, user) = (member.token, Some(member.id));
                }
            }
        }
    }
    let service = service().await;
    for operation in operations(&service) {
        let answer = send(&service, &operation, None, &path(&operation, &ids)).await;
        assert_refusal(&answer, &operation, Tier::Free, None);
    }
    assert_eq!(counted % (4 * 11), 0, "{counted}");
}

fn assert_refusal(answer: &Answer, operation: &Operation, tier: Tier, sender: Option<Sender>) {
    let is_as_declared = match refusal(operation, tier, sender) {
        Some(slug) => answer.slug() == slug,
        None => {
            !answer.detail().starts_with("this operation")
                && answer.status != StatusCode::TOO_MANY_REQUESTS
                // A sign-in that does not succeed is a 401 of the handler.
                && (answer.slug() != "unauthorized" || !operation.needs_token)
        }
    };
    assert!(
        is_as_declared,
        "{sender:?} of {tier}, {} {}: {answer:?}",
        operation.method, operation.path
    );
}

/// Callers who may do everything in their environment, or everything that their role permits: what they may call works.
#[tokio::test]
async fn every_operation_works_for_the_callers_that_it_declares() {
    for sender in senders() {
        if matches!(sender, Sender::Key(_, scopes) if scopes != Scope::ALL) {
            continue;
        }
        let service = service().await;
        let key = acting(&service, Tier::Enterprise, sender).await;
        for operation in operations(&service) {
            if !is_permitted(&operation, sender) {
                continue;
            }
            let caller = match sender {
                Sender::Key(..) => prepared_for(&service, &key, &operation).await,
                // An operation may end the session or the membership.
                Sender::User(_) => {
                    let user = acting(&service, Tier::Enterprise, sender).await;
                    prepared_for(&service, &user, &operation).await
                }
            };
            let answer = send_prepared(&service, &operation, &caller).await;
            // The team itself is live: a test key does not see its members and cannot rename it.
            let expected = match (sender, operation.path.as_str(), &operation.method) {
                (Sender::Key(Environment::Test, _), "/v1/teams/me/members/{id}", _) => Some(404),
                (Sender::Key(Environment::Test, _), "/v1/teams/me", &Method::PUT) => Some(403),
                _ => None,
            };
            let named =
                format!("{sender:?} {} {}: {}", operation.method, operation.path, answer.text);
            match expected {
                Some(status) => assert_eq!(answer.status.as_u16(), status, "{named}"),
                None => assert!(has_succeeded(&answer), "{named}"),
            }
        }
    }
}
