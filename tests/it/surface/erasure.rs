//! Nothing is left of an erased user or team, whatever was stored about them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use access::{Environment, Role, Scope, Tier};
use auth::TeamId;
use aws_sdk_dynamodb::types::AttributeValue;
use flate2::read::GzDecoder;
use http::Method;
use http_service::Operation;
use local::{cloud::clients::dynamodb_client, erasures};
use serde_json::Value;
use store::{
    erasures::items::{StoredItem, Treatment, items_with_key, of_tenants},
    keys::Key,
};
use tests::{Service, SignedInMember, bearing};
use uuid::Uuid;

use super::{
    callers::{Acting, prepared_for, send_prepared},
    requests::service,
};

type Item = HashMap<String, AttributeValue>;

/// Operations that end what the test still needs.
const ENDING: [&str; 3] = ["sign_out", "leave_team", "switch_team"];

/// Key of an item: its table, partition and sort key.
type Place = (String, String, String);

/// Every item of every table.
async fn all_items(service: &Service) -> BTreeMap<Place, Item> {
    let client = dynamodb_client(&service.cloud.endpoints.dynamodb);
    let mut found = BTreeMap::new();
    for table in &service.cloud.tables {
        let pages = client.scan().table_name(table).into_paginator().items().send();
        for item in pages.collect::<Result<Vec<_>, _>>().await.expect("read") {
            let text = |name: &str| item[name].as_s().expect("a text").clone();
            found.insert((table.clone(), text("pk"), text("sk")), item);
        }
    }
    found
}

/// Everything that an item says.
fn text(item: &Item) -> String {
    fn append(text: &mut String, value: &AttributeValue) {
        match value {
            AttributeValue::S(it) => text.push_str(it),
            AttributeValue::B(bytes) => {
                let mut gzip = GzDecoder::new(bytes.as_ref());
                std::io::Read::read_to_string(&mut gzip, text).expect("a document");
            }
            AttributeValue::M(values) => values.values().for_each(|it| append(text, it)),
            AttributeValue::L(values) => values.iter().for_each(|it| append(text, it)),
            _ => {}
        }
        text.push('\n');
    }
    let mut all = String::new();
    item.values().for_each(|it| append(&mut all, it));
    all
}

/// The items of the tenants that mention a value, by key.
async fn mentioning(service: &Service, values: &BTreeSet<String>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for ((table, partition, sort), item) in all_items(service).await {
        let text = text(&item);
        if let Some(value) = values.iter().find(|it| text.contains(it.as_str())) {
            let is_counter = table == service.cloud.tables[2];
            if is_counter {
                let expires = item["expires"].as_n().expect("a time").parse::<i64>();
                let soon = service.now().as_second() + 2 * 86_400;
                assert!(expires.expect("a number") <= soon, "{partition} stays too long");
                continue;
            }
            found.push((partition, sort, value.clone()));
        }
    }
    found
}

/// The only kind of item that a key is of.
fn kind_of(partition: &str, sort: &str) -> StoredItem {
    let kinds: Vec<StoredItem> = items_with_key(partition, sort).collect();
    let [kind] = kinds[..] else {
        panic!("{partition} {sort} is of {kinds:?}; classify it in store/src/erasures/items.rs")
    };
    kind
}

/// The ids in a JSON document.
fn ids_in(value: &Value, ids: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if Uuid::try_parse(text).is_ok() => drop(ids.insert(text.clone())),
        Value::Array(values) => values.iter().for_each(|it| ids_in(it, ids)),
        Value::Object(values) => values.values().for_each(|it| ids_in(it, ids)),
        _ => {}
    }
}

/// A team with everything that operations can create, by its keys and by its owner.
struct Full {
    id: TeamId,
    owner: SignedInMember,
    /// Whatever names the team, its members or their resources.
    values: BTreeSet<String>,
}

/// Creates a team and sends every POST and PUT for it, with a live and a test key, and as its owner.
async fn full_team(service: &Service) -> Full {
    let id = service.team(Tier::Enterprise).await;
    let owner = service.member(&id, Role::Owner).await;
    // So that the owner is not the last one.
    let other = service.member(&id, Role::Owner).await;
    let mut values = BTreeSet::from([id.0.clone(), owner.id.clone(), owner.email.clone()]);
    values.extend([other.id, other.email]);
    let live = service.key_of(&id, Environment::Live, &Scope::ALL).await;
    let test = service.key_of(&id, Environment::Test, &Scope::ALL).await;
    let is_changing = |it: &&Operation| {
        matches!(it.method, Method::POST | Method::PUT)
            && it.needs_token
            && !ENDING.contains(&it.id)
    };
    for operation in service.operations.clone().iter().filter(is_changing) {
        for key in [&live, &test] {
            let by_user = operation.minimum_role.is_some();
            if by_user && key == &test {
                continue;
            }
            let acting = Acting {
                team: id.clone(),
                token: if by_user { owner.token.clone() } else { key.clone() },
                user: by_user.then(|| owner.id.clone()),
                creator: key.clone(),
            };
            let prepared = prepared_for(service, &acting, operation).await;
            let answer = send_prepared(service, operation, &prepared).await;
            assert!(!answer.status.is_server_error(), "{}: {}", operation.id, answer.text);
            if operation.path != "/v1/companies/compare" {
                ids_in(&answer.body, &mut values);
            }
            values.extend(
                prepared
                    .path
                    .split('/')
                    .filter(|it| Uuid::try_parse(it).is_ok())
                    .map(str::to_owned),
            );
        }
        // Also what belongs to the owner alone.
        if !operation.path.contains('{') && operation.minimum_role.is_none() {
            let acting = Acting {
                team: id.clone(),
                token: owner.token.clone(),
                user: Some(owner.id.clone()),
                creator: live.clone(),
            };
            let prepared = prepared_for(service, &acting, operation).await;
            ids_in(&send_prepared(service, operation, &prepared).await.body, &mut values);
        }
    }
    let note = serde_json::json!({ "content": "Between us.", "isPrivate": true });
    let path = format!("/v1/companies/{}/notes", super::requests::COMPANY);
    let created = service.post_as(&owner.token, &path, note).await;
    ids_in(&created.body, &mut values);
    let request = bearing(&live, http::Request::post("/v1/pipelines"))
        .header("content-type", "application/json")
        .header("idempotency-key", "once");
    let repeatable = service.send_with(request, r#"{"name":"Once"}"#).await;
    ids_in(&repeatable.body, &mut values);
    service.run_exports().await;
    Full { id, owner, values }
}

/// The values that belong to one team and no other thing: not companies, changes or generations.
async fn private(service: &Service, full: &Full, others: &BTreeSet<String>) -> BTreeSet<String> {
    let mut public = String::new();
    for ((table, ..), item) in all_items(service).await {
        if table == service.cloud.tables[0] {
            public.push_str(&text(&item));
        }
    }
    let keys = service.cloud.objects.keys("").await.expect("listed");
    let shared = keys.into_iter().filter(|it| !it.contains(&full.id.0)).collect::<String>();
    let mut values = full.values.clone();
    values.retain(|it| !public.contains(it) && !shared.contains(it) && !others.contains(it));
    values
}

/// The items that name the team, byte by byte, without those of the audit log.
async fn of_team(service: &Service, team: &TeamId) -> BTreeMap<Place, Item> {
    let mut items = all_items(service).await;
    items.retain(|(table, ..), item| {
        *table == service.cloud.tables[1] && text(item).contains(&team.0)
    });
    items
}

fn is_log(found: &(String, String, String)) -> bool {
    kind_of(&found.0, &found.1).treatment == Treatment::AuditLog
}

#[tokio::test]
async fn nothing_but_the_audit_log_is_left_of_an_erased_team_and_its_users() {
    let service = service().await;
    let (team, other) = (full_team(&service).await, full_team(&service).await);
    let other_values = other.values.clone();
    let values = private(&service, &team, &other_values).await;
    assert!(values.len() > 60, "{}", values.len());
    for ((table, partition, sort), _) in all_items(&service).await {
        if table != service.cloud.tables[0] {
            kind_of(&partition, &sort);
        }
    }
    let before = of_team(&service, &other.id).await;
    assert!(before.len() > 60, "{}", before.len());
    let deleted = service.delete_as(&team.owner.token, "/v1/teams/me").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    service.erase().await;
    let tenants = &service.cloud.tenants;
    assert_eq!(tenants.erasures().await.expect("read"), []);
    // Its members stay users.
    let members: BTreeSet<String> = values
        .iter()
        .filter(|it| it.contains('@'))
        .cloned()
        .chain([team.owner.id.clone()])
        .collect();
    let mut of_team_only = values.clone();
    for ((table, partition, _), item) in all_items(&service).await {
        let is_user = partition.starts_with("USER#") && table == service.cloud.tables[1];
        let text = text(&item);
        of_team_only.retain(|it| !(is_user && text.contains(it.as_str())));
    }
    of_team_only.retain(|it| !members.contains(it));
    let left = mentioning(&service, &of_team_only).await;
    let (logs, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_log);
    assert_eq!(others, []);
    assert!(!logs.is_empty());
    let objects = service.cloud.objects.keys("").await.expect("listed");
    assert!(!objects.iter().any(|it| it.contains(&team.id.0)), "{objects:?}");

    erasures::erase_team(tenants, &service.cloud.objects, &team.id, None, service.now())
        .await
        .expect("erased");
    assert_eq!(mentioning(&service, &of_team_only).await, []);
    assert_eq!(of_team(&service, &other.id).await, before);
}

#[tokio::test]
async fn nothing_but_the_audit_log_is_left_of_an_erased_user() {
    let service = service().await;
    let (team, other) = (full_team(&service).await, full_team(&service).await);
    let before = of_team(&service, &other.id).await;
    let values =
        BTreeSet::from([team.owner.id.clone(), team.owner.email.clone(), "Between us.".to_owned()]);
    let mentions = mentioning(&service, &values).await.len();
    assert!(mentions > 20, "{mentions}");
    let path = "/v1/auth/me?deleteTeams=true";
    let deleted = service.delete_as(&team.owner.token, path).await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    service.erase().await;
    let text_of_other = BTreeSet::from([team.owner.id.clone(), team.owner.email.clone()]);
    let left = mentioning(&service, &text_of_other).await;
    let (logs, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_log);
    assert_eq!(others, []);
    assert!(!logs.is_empty());
    let (tenants, objects) = (&service.cloud.tenants, &service.cloud.objects);
    let by_id = &team.owner.id;
    erasures::erase_user(tenants, objects, by_id, false, None, service.now())
        .await
        .expect("erased");
    assert_eq!(mentioning(&service, &text_of_other).await, []);
    assert_eq!(of_team(&service, &other.id).await, before);
}

/// A key of this kind about a team and a user.
fn example(kind: &StoredItem, environment: &str, team: &str, user: &str) -> Key {
    let filled = |pattern: &str| {
        let segments = pattern.split('#').map(|it| match it {
            "{team}" => team,
            "{environment}" => environment,
            "{user}" | "{owner}" => user,
            it if it.starts_with('{') => "x",
            it => it,
        });
        segments.collect::<Vec<_>>().join("#")
    };
    Key { partition: filled(kind.partition), sort: filled(kind.sort) }
}

/// Puts an item of this kind that mentions a team and a user. Its key says which, if the pattern does.
async fn put(service: &Service, key: &Key, team: &str, user: &str) {
    let client = dynamodb_client(&service.cloud.endpoints.dynamodb);
    let text = |it: &str| AttributeValue::S(it.to_owned());
    let document = serde_json::json!({ "team": team, "user": user });
    let request = client.put_item().table_name(&service.cloud.tables[1]);
    let put = request
        .item("pk", text(&key.partition))
        .item("sk", text(&key.sort))
        .item("document", text(&document.to_string()))
        .send();
    put.await.expect("stored");
}

/// Puts an item of every kind about a team and a user. Of the kinds in the list of erasures, none. Returns their keys.
async fn put_every_kind(service: &Service, team: &str, user: &str) -> Vec<(StoredItem, Key)> {
    let mut stored = Vec::new();
    for kind in of_tenants().filter(|it| it.treatment != Treatment::Erasure) {
        let key = example(&kind, "live", team, user);
        put(service, &key, team, user).await;
        stored.push((kind, key));
    }
    stored
}

/// Whether an item stays that says what no erasure may change, or nothing about anybody.
fn stays(kind: &StoredItem) -> bool {
    match kind.treatment {
        Treatment::Neutral | Treatment::AuditLog => true,
        Treatment::OfTeam
        | Treatment::Evidence
        | Treatment::CopyOfTeam
        | Treatment::OfSession
        | Treatment::OfUser => false,
        Treatment::Erasure | Treatment::Counter => panic!("{kind:?} is of nobody"),
    }
}

#[tokio::test]
async fn an_item_of_every_kind_goes_with_its_team() {
    let service = Service::start().await;
    let team = service.team(Tier::Enterprise).await;
    let owner = service.member(&team, Role::Owner).await;
    let deleted = service.delete_as(&owner.token, "/v1/teams/me").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    // As if a process had written all of it a moment later.
    let stored = put_every_kind(&service, &team.0, "u").await;
    let others = put_every_kind(&service, "other", "v").await;
    service.erase().await;
    let items = all_items(&service).await;
    let is_stored = |it: &Key| {
        let place = (service.cloud.tables[1].clone(), it.partition.clone(), it.sort.clone());
        items.contains_key(&place)
    };
    for (kind, key) in stored {
        let is_shared = others.iter().any(|it| it.1 == key);
        // A user stays without the team.
        let is_user = kind.treatment == Treatment::OfUser && !kind.sort.contains("{team}");
        assert!(is_stored(&key) == (stays(&kind) || is_shared || is_user), "{kind:?}");
    }
    for (kind, key) in others {
        assert!(is_stored(&key), "of another team: {kind:?}");
    }
}

#[tokio::test]
async fn an_item_of_every_kind_no_longer_mentions_an_erased_user() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let other = service.member(&team, Role::Owner).await;
    let user = service.member(&team, Role::Member).await;
    let deleted = service.delete_as(&user.token, "/v1/auth/me").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let mut stored = put_every_kind(&service, "team", &user.id).await;
    service.erase().await;
    // A writer that has read one before it was changed finds another revision, also if there was none.
    let items = all_items(&service).await;
    for (kind, key) in stored.iter().filter(|it| !stays(&it.0)) {
        let (partition, sort) = (key.partition.clone(), key.sort.clone());
        if let Some(item) = items.get(&(service.cloud.tables[1].clone(), partition, sort)) {
            assert!(item.contains_key("revision"), "{kind:?}");
        }
    }
    let left = mentioning(&service, &BTreeSet::from([user.id.clone()])).await;
    stored.retain(|it| stays(&it.0));
    let expected: BTreeSet<(String, String)> =
        stored.into_iter().map(|it| (it.1.partition, it.1.sort)).collect();
    let left: BTreeSet<(String, String)> = left.into_iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(left, expected);
    let stays = service.cloud.tenants.user(&other.id).await.expect("read");
    assert!(stays.is_some(), "the other member");
}

/// What an erasure does with the objects below a prefix of the bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Objects {
    /// Of a team, whose id follows: deleted with the team, and after an erasure from the register.
    OfTeam,
    /// From sources: what is erased from the register is removed from them.
    Searched,
    /// Made of the register: deleted after an erasure from the register, and made again.
    MadeAgain,
    /// Lists of authorities. They stay.
    Lists,
    /// Addresses of sources, which the operator writes. They stay.
    Settings,
}

const PREFIXES: [(&str, Objects); 10] = [
    ("analyses", Objects::MadeAgain),
    ("company-pdfs", Objects::MadeAgain),
    ("exports", Objects::OfTeam),
    ("generations", Objects::MadeAgain),
    ("incoming", Objects::Searched),
    ("lists", Objects::Searched),
    ("not-understood", Objects::Searched),
    ("quarantine", Objects::Searched),
    ("screening", Objects::Lists),
    ("settings", Objects::Settings),
];

/// Queues with jobs that name a team, and those without. A job that names one does nothing for an erased one:
/// `a_job_about_an_erased_team_does_nothing`.
const QUEUES_WITH_TEAMS: [&str; 5] = ["searches", "mails", "webhooks", "exports", "dossiers"];
const QUEUES_WITHOUT_TEAMS: [&str; 6] =
    ["ingest", "index", "schedule", "delivery", "lists", "feedback"];

#[test]
fn every_queue_and_every_prefix_of_the_bucket_is_classified() {
    let queues: BTreeSet<&str> = local::cloud::QUEUES.into_iter().collect();
    let classified = QUEUES_WITH_TEAMS.into_iter().chain(QUEUES_WITHOUT_TEAMS);
    assert_eq!(classified.collect::<BTreeSet<_>>(), queues);
    // A function can write only where the template allows it.
    let template = include_str!("../../../template.yaml");
    let granted = template.split("${Bucket.Arn}/").skip(1);
    let granted = granted.filter_map(|it| it.split(['/', '*', '"', '\n']).next());
    let granted: BTreeSet<&str> = granted.filter(|it| !it.is_empty()).collect();
    assert_eq!(PREFIXES.map(|it| it.0).into_iter().collect::<BTreeSet<_>>(), granted);
}

#[tokio::test]
async fn objects_of_an_erased_team_are_gone_and_those_of_others_stay() {
    let service = service().await;
    let (team, other) = (full_team(&service).await, full_team(&service).await);
    let objects = &service.cloud.objects;
    for (prefix, _) in PREFIXES {
        for id in [&team.id, &other.id] {
            let key = format!("{prefix}/{id}/live/an-object");
            objects.put(&key, "of a team").await.expect("stored");
        }
    }
    let deleted = service.delete_as(&team.owner.token, "/v1/teams/me").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let others = |keys: &[String]| keys.iter().filter(|it| it.contains(&other.id.0)).count();
    let before = objects.keys("").await.expect("listed");
    service.erase().await;
    let after = objects.keys("").await.expect("listed");
    for (prefix, treatment) in PREFIXES {
        let own = format!("{prefix}/{}/", team.id);
        let stays = after.iter().any(|it| it.starts_with(&own));
        assert_eq!(stays, treatment != Objects::OfTeam, "{prefix}");
    }
    assert_eq!(others(&after), others(&before));
    for key in &after {
        let prefix = key.split('/').next().unwrap_or_default();
        assert!(PREFIXES.iter().any(|it| it.0 == prefix), "{key} is not classified");
    }
}
