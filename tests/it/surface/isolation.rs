//! No team sees or changes anything of another team.

use std::collections::{BTreeMap, HashMap};

use access::{Environment, Role, Scope, Tier};
use auth::TeamId;
use aws_sdk_dynamodb::types::AttributeValue;
use http::StatusCode;
use http_service::Operation;
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use tests::Service;

use super::{
    callers::{Prepared, prepared, resources, send, send_prepared},
    requests::{COMPANY, Ids, MEMBERS, collection, is_owned, path, service},
};

/// The resource with this id as its collection lists it, the number of resources in the collection, and the
/// resource itself if it can be read.
async fn stored(
    service: &Service,
    key: &str,
    operation: &Operation,
    id: &str,
) -> (usize, Value, Value) {
    let list = collection(operation).replace("{uid}", COMPANY);
    let mut details = service.get_as(key, &format!("{list}/{id}")).await.body;
    // Signed anew for each answer.
    if let Some(job) = details["job"].as_object_mut() {
        job.remove("downloadUrl");
    }
    let list = service.get_as(key, &list).await.body;
    let items = list.as_array().expect("a list").clone();
    let item = items.iter().find(|it| it["id"] == id).cloned();
    (items.len(), item.unwrap_or_else(|| panic!("{id} in {list}")), details)
}

type Item = HashMap<String, AttributeValue>;

/// Everything that is stored of a team in any table, item by item.
pub(super) async fn items_of(service: &Service, team: &TeamId) -> BTreeMap<String, Item> {
    let client = dynamodb_client(&service.cloud.endpoints.dynamodb);
    let mut found = BTreeMap::new();
    for table in &service.cloud.tables {
        let pages = client.scan().table_name(table).into_paginator().items().send();
        for item in pages.collect::<Result<Vec<_>, _>>().await.expect("read") {
            let text = |name| item.get(name).and_then(|it| it.as_s().ok()).cloned();
            let key = format!("{table} {:?} {:?}", text("pk"), text("sk"));
            if format!("{item:?}").contains(&team.0) {
                found.insert(key, item);
            }
        }
    }
    found
}

/// A team keeps one of everything. Then other teams, one for each operation, send every operation: once about resources of their
/// own, and once about those of the first team.
#[tokio::test]
async fn no_operation_shows_or_changes_anything_of_another_team() {
    let service = service().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let owner = service.member(&team, Role::Owner).await;
    let operations = service.operations.clone();
    let mut kept: Vec<(&Operation, Ids)> = Vec::new();
    for operation in operations.iter().filter(|it| it.path.contains("{id}")) {
        let ids = match collection(operation) {
            MEMBERS => Ids { id: owner.id.clone(), ..Ids::default() },
            _ => resources(&service, &key, operation).await,
        };
        kept.push((operation, ids));
    }
    service.post_as(&key, "/v1/watches", json!({ "companyUid": COMPANY })).await;
    let before = items_of(&service, &team).await;
    assert!(before.len() > 50, "{} items", before.len());
    let mut secrets: Vec<&str> =
        kept.iter().flat_map(|(_, ids)| [ids.id.as_str(), ids.entry.as_str()]).collect();
    secrets.extend([team.0.as_str(), owner.email.as_str()]);
    secrets.retain(|it| it.len() > 10);
    for operation in &operations {
        let others = kept.iter().find(|it| it.0 == operation).map(|it| &it.1);
        for ids in others.map(Some).into_iter().chain([None]) {
            let caller = prepared(&service, Tier::Enterprise, operation).await;
            let path = ids.map_or_else(|| caller.path.clone(), |ids| path(operation, ids));
            let caller = Prepared { path, ..caller };
            let answer = send_prepared(&service, operation, &caller).await;
            let named = format!("{} {}: {}", operation.method, caller.path, answer.text);
            let headers = format!("{:?}", answer.headers);
            // A problem repeats the path of its request.
            let text = answer.text.replace(&caller.path, "");
            let shown = |it: &&&str| text.contains(**it) || headers.contains(**it);
            let is_asked =
                |it: &&&str| answer.status.is_client_error() && caller.path.contains(**it);
            let shown = secrets.iter().filter(|it| !is_asked(it)).find(shown);
            assert_eq!(shown, None, "{named}");
            if ids.is_some() && is_owned(operation) {
                assert_eq!(answer.status, StatusCode::NOT_FOUND, "{named}");
            }
        }
    }
    assert_eq!(items_of(&service, &team).await, before);
}

#[tokio::test]
async fn a_live_key_cannot_read_a_resource_of_its_teams_sandbox() {
    let service = service().await;
    // A sandbox has no members.
    let may_be_in_sandbox = |it: &&Operation| is_owned(it) && collection(it) != MEMBERS;
    for operation in service.operations.clone().iter().filter(may_be_in_sandbox) {
        let team = service.team(Tier::Enterprise).await;
        let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
        let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
        let ids = resources(&service, &sandbox, operation).await;
        let before = stored(&service, &sandbox, operation, &ids.id).await;
        let live = Some((live.as_str(), &team, None));
        let answer = send(&service, operation, live, &path(operation, &ids)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{} {}", operation.method, operation.path);
        assert_eq!(before, stored(&service, &sandbox, operation, &ids.id).await);
    }
}
