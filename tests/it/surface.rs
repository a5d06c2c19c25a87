//! Rules for every operation, checked by enumerating all of them; new operations are included automatically.

use access::{Environment, RateGroup, Role, Scope, Tier};
use accounts::{AuditFilter, INVITATION_DURATION, Invitation};
use auth::{Language, OneTimeToken, Owner, Principal, TeamId};
use domain::persons::Person;
use http::{Method, StatusCode};
use http_service::Operation;
use publications::Publication;
use serde_json::{Value, json};
use store::{LinkPurpose, MagicLink, MailLink, Team};
use tests::{Answer, Service, bearing, company, operator, probes, request, sso};
use uuid::Uuid;

const COMPANY: &str = "CHE-107.787.577";

/// A service with two companies, one of which has an officer.
async fn service() -> Service {
    let companies = [company(COMPANY, "Muster AG"), company("CHE-600.000.001", "Zweite AG")];
    let service = Service::with(companies).await;
    service.ingest_publications([officers_publication()]).await;
    let team = sso_team();
    let named = Team { id: team.clone(), name: "Single sign-on".into(), tier: Tier::Enterprise };
    service.cloud.tenants.put_team(&named).await.expect("stored");
    service.store_single_sign_on(&team, sso::DOMAIN).await;
    service.identity_provider.sign_in(sso::user("eva", "eva.muster@example.ch"));
    service
}

/// A team to which everybody of its identity provider can sign in.
fn sso_team() -> TeamId {
    TeamId("0199c0de-5500-7000-8000-000000000000".into())
}

/// Where the identity provider sends browsers back. It may add parameters of its own.
const CALLBACK: &str = "/v1/auth/sso/callback";

/// Whether the operation has done its work: what it answers, or a redirect.
fn has_succeeded(answer: &Answer) -> bool {
    answer.status.is_success() || answer.status.is_redirection()
}

fn officers_publication() -> Publication {
    let officer = "Muster, Eva, von Chur, in Bern, Mitglied, mit Einzelunterschrift";
    Publication::mutation(COMPANY, "Muster AG").persons_entered(officer)
}

/// The id of that officer, which is derived from the publication.
fn officer() -> String {
    let person = Person {
        first_name: Some("Eva".into()),
        last_name: "Muster".into(),
        origin: Some("Chur".into()),
        residence: Some("Bern".into()),
        ..Person::default()
    };
    person.identity(COMPANY.parse().expect("a company number")).id.to_string()
}

/// The id of the change in this publication, which is derived from the publication alone.
fn change() -> String {
    let statements = tests::read_publications(&[officers_publication()]).statements;
    let facts = facts::facts(statements);
    let (_, history) = facts::fold_with_history(&facts).expect("a record");
    history.events[0].event.id.to_string()
}

/// Every operation of every function, and the probes that answer successfully.
fn operations(service: &Service) -> Vec<Operation> {
    let probes: Vec<Operation> = probes::api().operations().cloned().collect();
    let successful = probes
        .into_iter()
        .filter(|it| !it.path.contains("panicking") && !it.path.contains("failing"));
    service.operations.iter().cloned().chain(successful).collect()
}

/// Resources with an id that every team can read.
const SHARED: [&str; 2] = ["/v1/changes", "/v1/persons"];

/// The collection that a resource with an id belongs to, such as `/v1/api-keys`.
fn collection(operation: &Operation) -> &str {
    operation.path.split("/{id}").next().unwrap_or_default()
}

/// Collections of a team whose items are companies.
const WITH_COMPANIES: [&str; 2] = ["/v1/watches", "/v1/watchlists/{id}/companies"];

/// The collection that the company in the path belongs to, if the path ends with one.
fn list_of_companies(operation: &Operation) -> &str {
    operation.path.strip_suffix("/{uid}").unwrap_or_default()
}

/// Whether the operation is about a resource that belongs to one team.
fn is_owned(operation: &Operation) -> bool {
    operation.path.contains("{id}") && !SHARED.contains(&collection(operation))
}

/// A valid body for the creation of a resource in a collection. A resource with an id must have one here:
/// isolation must be tested with resources that exist.
fn creation(collection: &str) -> Option<Value> {
    Some(match collection {
        "/v1/alerts" => json!({ "name": "Zürich", "queryParams": { "canton": "ZH" } }),
        "/v1/api-keys" => json!({}),
        "/v1/companies/{uid}/notes" => json!({ "content": "Call back in May.", "rating": 4 }),
        "/v1/companies/{uid}/tags" => json!({ "tagName": "High risk", "color": "#C1121F" }),
        "/v1/pipelines" => json!({ "name": "New clients" }),
        "/v1/saved-searches" => json!({
            "name": "Zürich", "searchParams": { "canton": "ZH" }, "isScheduled": true,
        }),
        "/v1/pipelines/{id}/entries" => json!({ "companyUid": "CHE-600.000.001" }),
        "/v1/teams/me/invitations" => json!({ "email": new_address() }),
        "/v1/webhooks" => json!({ "url": "http://127.0.0.1:9/hook" }),
        "/v1/watches" => json!({ "companyUid": COMPANY }),
        // Names of watchlists are unique in a team.
        "/v1/watchlists" => json!({ "name": format!("Suppliers {}", Uuid::now_v7()) }),
        "/v1/watchlists/{id}/companies" => json!({ "uids": [COMPANY] }),
        _ => return None,
    })
}

/// A valid body for the operation, by a caller of this team.
async fn body(
    service: &Service,
    team: &TeamId,
    user: Option<&str>,
    operation: &Operation,
) -> String {
    let body = match operation.path.as_str() {
        "/v1/billing/checkout-session" => json!({ "tier": "professional" }),
        "/v1/webhooks/stripe" => {
            json!({ "id": "evt_1", "type": "customer.created", "data": { "object": {} } })
        }
        "/v1/companies/compare" => json!({ "uids": [COMPANY, "CHE-600.000.001"] }),
        "/v1/auth/magic-link" => json!({ "email": new_address() }),
        "/v1/auth/magic-link/verify" => json!({ "token": link(service).await.expose() }),
        CALLBACK => {
            let (state, code) = service.started_sso(&sso_team()).await;
            json!({ "state": state, "code": code })
        }
        sso::SETTINGS => sso::settings(&["muster.example"]),
        "/v1/auth/switch-team" => json!({ "teamId": team }),
        "/v1/teams/join" => json!({ "token": invitation(service, user).await.expose() }),
        "/v1/teams/me" => json!({ "name": "Muster AG" }),
        "/v1/webhooks/{id}/replay" => json!({ "from": "2026-11-01T00:00:00Z" }),
        "/v1/teams/me/members" => json!({ "email": new_address() }),
        "/v1/teams/me/members/{id}" => json!({ "role": "admin" }),
        path if operation.method == Method::POST => creation(path).unwrap_or_else(|| json!({})),
        _ => json!({}),
    };
    body.to_string()
}

fn new_address() -> String {
    format!("{}@example.ch", Uuid::new_v4().simple())
}

/// The token of a sign-in link that works.
async fn link(service: &Service) -> OneTimeToken {
    let token = OneTimeToken::generate();
    let link = MagicLink {
        email: new_address().parse().expect("an address"),
        language: Language::En,
        redirect_url: None,
        invitation: None,
        signs_in_until: service.now() + jiff::SignedDuration::from_mins(15),
        expires_at: service.now() + jiff::SignedDuration::from_mins(15),
    };
    service.cloud.tenants.put_magic_link(&token.hash(), &link).await.expect("stored");
    token
}

/// The token of an invitation of this user to another team.
async fn invitation(service: &Service, user: Option<&str>) -> OneTimeToken {
    let (tenants, token) = (&service.cloud.tenants, OneTimeToken::generate());
    let email = match user {
        Some(user) => tenants.user(user).await.expect("read").expect("a user").email,
        None => new_address().parse().expect("an address"),
    };
    let team = service.team(Tier::Free).await;
    let invitation = Invitation {
        id: Uuid::now_v7().to_string(),
        team_id: team.clone(),
        email,
        role: Role::Member,
        token_hash: token.hash(),
        created_by: Principal::user("somebody"),
        created_at: service.now(),
        expires_at: service.now() + INVITATION_DURATION,
    };
    tenants.create(&operator(team), Tier::Enterprise, &invitation).await.expect("created");
    token
}

const UNSUBSCRIBE: &str = "/v1/notifications/unsubscribe";
const CONFIRM: &str = "/v1/notifications/confirm-email";
/// The token of a link in a mail to nobody.
const MAIL_TOKEN: &str = "9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E";

/// Makes the link with [`MAIL_TOKEN`] work, if the operation needs one.
async fn put_mail_link(service: &Service, team: &TeamId, operation: &Operation) {
    let purpose = match operation.path.as_str() {
        UNSUBSCRIBE => LinkPurpose::Unsubscribe,
        CONFIRM => LinkPurpose::Confirm,
        _ => return,
    };
    let link = MailLink {
        purpose,
        team: team.clone(),
        owner: Owner::ApiKeys,
        email: new_address().parse().expect("an address"),
        language: Language::En,
        expires_at: service.now() + jiff::SignedDuration::from_mins(15),
    };
    let token: OneTimeToken = MAIL_TOKEN.parse().expect("a token");
    service.cloud.tenants.put_mail_link(&token.hash(), &link).await.expect("stored");
}

/// The ids in a path: of a resource, and of an entry in it.
#[derive(Default)]
struct Ids {
    id: String,
    entry: String,
}

/// The path of the operation for these resources.
fn path(operation: &Operation, ids: &Ids) -> String {
    let path = match collection(operation) {
        "/v1/persons" => operation.path.replace("{id}", &officer()),
        "/v1/changes" if operation.path.ends_with("/review") => {
            operation.path.replace("{id}", &change())
        }
        "/v1/changes" => operation.path.replace("{id}", COMPANY),
        _ => operation.path.replace("{id}", &ids.id).replace("{entry}", &ids.entry),
    };
    let path = path.replace("{uid}", COMPANY).replace("{slug}", "not-found");
    let path = path.replace("{tenant}", sso::DOMAIN);
    assert!(!path.contains('{'), "{path}: give this variable a value in this test");
    match operation.path.as_str() {
        "/v1/companies/nearby" => format!("{path}?lat=47.559&lng=7.588"),
        "/v1/companies/{uid}/diff" => format!("{path}?since=2026-01-01"),
        CALLBACK => format!("{path}?team={}", sso_team()),
        "/v1/auth/magic-link/verify" if operation.method == Method::GET => {
            format!("{path}?token={}", OneTimeToken::generate().expose())
        }
        UNSUBSCRIBE | CONFIRM => format!("{path}?token={MAIL_TOKEN}"),
        _ => path,
    }
}

/// A caller of a new team.
struct Prepared {
    team: TeamId,
    token: String,
    /// The user, if the caller is one.
    user: Option<String>,
    /// The ids of the resource that the operation is about.
    ids: Ids,
    /// The path of the operation for this resource.
    path: String,
}

/// The ids of new resources that the owner of the key creates for the operation; empty if it is about none.
async fn resources(service: &Service, key: &str, operation: &Operation) -> Ids {
    let create = async |collection: &str, path: String| {
        let body = creation(collection);
        let body = body.unwrap_or_else(|| panic!("{collection}: add a creation to this test"));
        // Invitations are created where members are listed.
        let path = path.replace("/teams/me/invitations", "/teams/me/members");
        let created = service.post_as(key, &path, body).await;
        // A webhook is answered with its key.
        let id = created.body["webhook"]["id"].as_str().or(created.body["id"].as_str());
        id.unwrap_or_else(|| panic!("{collection}: {created:?}")).to_owned()
    };
    let mut ids = Ids::default();
    if is_owned(operation) {
        let collection = collection(operation);
        ids.id = create(collection, collection.replace("{uid}", COMPANY)).await;
    }
    if let Some(companies) = WITH_COMPANIES.iter().find(|it| **it == list_of_companies(operation)) {
        let path = companies.replace("{id}", &ids.id);
        let added = service.post_as(key, &path, creation(companies).unwrap_or_default()).await;
        assert!(added.status.is_success(), "{companies}: {added:?}");
    }
    if let Some((entries, _)) = operation.path.split_once("/{entry}") {
        ids.entry = create(entries, entries.replace("{id}", &ids.id)).await;
    }
    ids
}

/// Who sends a request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sender {
    Key(Environment, &'static [Scope]),
    User(Role),
}

/// A caller who may call the operation: a key if it accepts one.
fn permitted(operation: &Operation) -> Sender {
    match operation.minimum_role {
        Some(_) => Sender::User(Role::Owner),
        None => Sender::Key(Environment::Live, &Scope::ALL),
    }
}

/// A team with a caller, and a key with all scopes that creates resources.
struct Acting {
    team: TeamId,
    token: String,
    user: Option<String>,
    creator: String,
}

/// A new team of this tier with a caller.
async fn acting(service: &Service, tier: Tier, sender: Sender) -> Acting {
    let team = service.team(tier).await;
    // Another owner, so that the caller can leave.
    service.member(&team, Role::Owner).await;
    match sender {
        Sender::Key(environment, scopes) => {
            let creator = service.key_of(&team, environment, &Scope::ALL).await;
            let token = match scopes == Scope::ALL {
                true => creator.clone(),
                false => service.key_of(&team, environment, scopes).await,
            };
            Acting { team, token, user: None, creator }
        }
        Sender::User(role) => {
            let creator = service.session(&team, Role::Owner).await;
            let member = service.member(&team, role).await;
            Acting { team, token: member.token, user: Some(member.id), creator }
        }
    }
}

/// The request of a caller for a new resource that the operation is about.
async fn prepared_for(service: &Service, acting: &Acting, operation: &Operation) -> Prepared {
    let Acting { team, token, user, creator } = acting;
    put_mail_link(service, team, operation).await;
    let ids = match collection(operation) {
        MEMBERS if is_owned(operation) => {
            let member = service.member(team, Role::Member).await;
            Ids { id: member.id, ..Ids::default() }
        }
        _ => resources(service, creator, operation).await,
    };
    let mut path = path(operation, &ids);
    if operation.path == CALLBACK && operation.method == Method::GET {
        let (state, code) = service.started_sso(&sso_team()).await;
        path = format!("{path}&state={state}&code={code}");
    }
    if operation.path.starts_with(sso::SETTINGS) {
        let domain = format!("{}.example", Uuid::now_v7());
        service.store_single_sign_on(team, &domain).await;
    }
    Prepared { team: team.clone(), token: token.clone(), user: user.clone(), ids, path }
}

const MEMBERS: &str = "/v1/teams/me/members";

async fn prepared(service: &Service, tier: Tier, operation: &Operation) -> Prepared {
    let acting = acting(service, tier, permitted(operation)).await;
    prepared_for(service, &acting, operation).await
}

/// Sends the operation as the prepared caller, or as nobody.
async fn send_prepared(service: &Service, operation: &Operation, by: &Prepared) -> Answer {
    let (team, user) = (&by.team, by.user.as_deref());
    send(service, operation, Some((&by.token, team, user)), &by.path).await
}

async fn send(
    service: &Service,
    operation: &Operation,
    caller: Option<(&str, &TeamId, Option<&str>)>,
    path: &str,
) -> Answer {
    let mut request = request(&operation.method, path);
    if operation.path == CALLBACK {
        let (name, value) = sso::COOKIE;
        request = request.header("cookie", format!("{name}={value}"));
    }
    if let Some((token, ..)) = caller {
        request = bearing(token, request);
    }
    match operation.method {
        Method::GET | Method::DELETE => service.send(request).await,
        _ => {
            let nobody = TeamId(String::new());
            let (team, user) = caller.map_or((&nobody, None), |(_, team, user)| (team, user));
            let body = body(service, team, user, operation).await;
            let request = request.header("content-type", "application/json");
            // Only an event of the payment provider needs it.
            let signature = stripe_emulator::sign(&body, service.now());
            service.send_with(request.header("stripe-signature", signature), body).await
        }
    }
}

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
        let renames = operation.method == Method::PUT && operation.path == "/v1/teams/me";
        // A webhook sends data to an address, which may contain a secret.
        let about_webhooks =
            operation.path.starts_with("/v1/webhooks") && operation.path != "/v1/webhooks/stripe";
        let manages = about_keys || about_webhooks || (about_members && !lists_members) || renames;
        assert_eq!(operation.scope == Scope::Manage, manages, "{operation:?}");
        let belongs_to_team = operation.group == RateGroup::Account;
        assert!(operation.needs_token || !(writes || belongs_to_team), "{operation:?}");
        let is_read = matches!(operation.method, Method::GET);
        assert!(!(is_read && writes), "{operation:?}");
    }
}

#[tokio::test]
async fn every_operation_refuses_a_key_without_its_scope() {
    let service = service().await;
    let team = service.team(Tier::Enterprise).await;
    // For each scope, a key that has only the others.
    let mut keys = Vec::new();
    for scope in Scope::ALL {
        let others: Vec<_> = Scope::ALL.into_iter().filter(|it| *it != scope).collect();
        keys.push((scope, service.key_of(&team, Environment::Live, &others).await));
    }
    for operation in operations(&service) {
        let (_, key) = keys.iter().find(|it| it.0 == operation.scope).expect("a key");
        let id = "0199c0de-0000-7000-8000-000000000000".to_owned();
        let ids = Ids { entry: id.clone(), id };
        let caller = Some((key.as_str(), &team, None));
        let answer = send(&service, &operation, caller, &path(&operation, &ids)).await;
        assert_eq!(
            (answer.status, answer.slug()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{operation:?}"
        );
    }
}

/// Every operation × {read key, write key, manage key, all scopes, session of each role}, live and in the sandbox.
#[tokio::test]
async fn every_operation_accepts_exactly_the_scopes_and_roles_that_it_declares() {
    const READ: &[Scope] = &[Scope::Read];
    const WRITE: &[Scope] = &[Scope::Write];
    const MANAGE: &[Scope] = &[Scope::Manage];
    let senders: Vec<Sender> = [Environment::Live, Environment::Test]
        .into_iter()
        .flat_map(|it| [READ, WRITE, MANAGE, &Scope::ALL].map(|scopes| Sender::Key(it, scopes)))
        .chain(Role::ALL.map(Sender::User))
        .collect();
    for sender in senders {
        let service = service().await;
        let key = acting(&service, Tier::Enterprise, sender).await;
        for operation in operations(&service) {
            let caller = match sender {
                Sender::Key(..) => prepared_for(&service, &key, &operation).await,
                // An operation may end the session or the membership.
                Sender::User(_) => {
                    let user = acting(&service, Tier::Enterprise, sender).await;
                    prepared_for(&service, &user, &operation).await
                }
            };
            let answer = send_prepared(&service, &operation, &caller).await;
            let is_permitted = match sender {
                Sender::Key(_, scopes) => {
                    operation.minimum_role.is_none() && scopes.contains(&operation.scope)
                }
                Sender::User(role) => role >= operation.lowest_role(),
            };
            let named =
                format!("{sender:?} {} {}: {}", operation.method, operation.path, answer.text);
            if !is_permitted {
                assert_eq!(
                    (answer.status, answer.slug()),
                    (StatusCode::FORBIDDEN, "forbidden"),
                    "{named}"
                );
                continue;
            }
            // A key with this scope alone may give nobody other scopes.
            if matches!(sender, Sender::Key(_, MANAGE)) {
                assert!(!answer.detail().starts_with("this operation requires"), "{named}");
                assert_ne!(answer.status, StatusCode::UNAUTHORIZED, "{named}");
                continue;
            }
            // The team itself is live: a test key does not see its members and cannot rename it.
            let expected = match (sender, operation.path.as_str(), &operation.method) {
                (Sender::Key(Environment::Test, _), "/v1/teams/me/members/{id}", _) => 404,
                (Sender::Key(Environment::Test, _), "/v1/teams/me", &Method::PUT) => 403,
                _ if has_succeeded(&answer) => 200,
                _ => answer.status.as_u16() / 100 * 100,
            };
            let found = if expected == 200 { 200 } else { answer.status.as_u16() };
            assert_eq!((found, has_succeeded(&answer)), (expected, expected == 200), "{named}");
        }
    }
}

#[tokio::test]
async fn every_response_has_the_standard_headers_and_every_error_is_a_problem() {
    let service = service().await;
    let mut answers = Vec::new();
    for operation in operations(&service) {
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let path = caller.path.clone();
        let (team, user) = (&caller.team, caller.user.as_deref());
        answers.push(send_prepared(&service, &operation, &caller).await);
        answers.push(send(&service, &operation, None, &path).await);
        answers.push(send(&service, &operation, Some(("not-a-key", team, user)), &path).await);
        let nonsense = with(&path, "nonsense=1");
        let key = Some((caller.token.as_str(), team, user));
        answers.push(send(&service, &operation, key, &nonsense).await);
        let wrong = service.send(request(&Method::PATCH, &path)).await;
        assert_eq!(wrong.slug(), "method-not-allowed", "{path}");
        assert!(wrong.header("allow").is_some_and(|it| it.contains(operation.method.as_str())));
        answers.push(wrong);
        answers.push(service.send(request(&Method::OPTIONS, &path)).await);
        answers.push(service.send(request(&Method::HEAD, &path)).await);
    }
    for path in [
        "/",
        "/v1",
        "/v1/nowhere",
        "/api",
        "/v1/companies/CHE-000.000.000",
        "/v1/companies/x",
        "/v1/probe/panicking",
        "/v1/probe/failing",
        "/v1/companies/%ff",
    ] {
        answers.push(service.get(path).await);
    }
    for answer in &answers {
        assert_complete(answer);
    }
    let mut ids: Vec<_> = answers.iter().filter_map(|it| it.header("x-request-id")).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), answers.len(), "every request has a different id");
}

fn with(path: &str, query: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{query}")
}

fn assert_complete(answer: &Answer) {
    let group = answer.header("x-ratelimit-group").expect("a group");
    assert!(RateGroup::ALL.iter().any(|it| it.name() == group), "{answer:?}");
    assert!(matches!(answer.header("x-ratelimit-window"), Some("1h" | "1d")), "{answer:?}");
    let (limit, remaining) =
        (answer.number("x-ratelimit-limit"), answer.number("x-ratelimit-remaining"));
    assert!(limit >= remaining && remaining >= 0, "{answer:?}");
    assert!((1..=86_400).contains(&answer.number("x-ratelimit-reset")), "{answer:?}");
    assert!(answer.header("ratelimit").is_some() && answer.header("ratelimit-policy").is_some());
    assert!(answer.header("access-control-allow-origin").is_some(), "{answer:?}");
    if answer.status.as_u16() == 401 {
        assert!(answer.header("www-authenticate").is_some_and(|it| it.starts_with("Bearer")));
    }
    if answer.status.is_server_error() {
        assert_eq!(answer.header("retry-after"), Some("1"), "{answer:?}");
    }
    let refused = answer.status.is_client_error() || answer.status.is_server_error();
    if !refused || answer.text.is_empty() {
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{answer:?}");
    let problem = answer.body.as_object().expect("an object");
    let kind = problem_details::PROBLEM_TYPES.iter().find(|it| it.slug == answer.slug());
    let kind = kind.unwrap_or_else(|| panic!("a known type: {answer:?}"));
    assert_eq!(problem["type"], format!("{}/errors/{}", tests::PUBLIC_URL, kind.slug));
    assert_eq!(problem["status"], answer.status.as_u16());
    assert_eq!(kind.status, answer.status);
    assert_eq!(problem["title"], kind.title);
    assert!(problem["detail"].as_str().is_some_and(|it| !it.is_empty()), "{answer:?}");
    assert!(problem["instance"].as_str().is_some_and(|it| it.starts_with('/')), "{answer:?}");
    for member in problem.keys() {
        let standard = ["type", "title", "status", "detail", "instance"].contains(&member.as_str());
        assert!(standard || kind.members.contains(&member.as_str()), "{member}: {answer:?}");
    }
    assert!(!problem.values().any(Value::is_null), "{answer:?}");
}

#[tokio::test]
async fn every_operation_refuses_an_unknown_parameter() {
    let service = service().await;
    let operations = service.operations.iter().filter(|it| it.path != CALLBACK).cloned();
    for operation in operations.collect::<Vec<_>>() {
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let path = with(&caller.path, "nonsense=1");
        let key = Some((caller.token.as_str(), &caller.team, caller.user.as_deref()));
        let answer = send(&service, &operation, key, &path).await;
        let named = format!("{} {path}: {}", operation.method, answer.text);
        assert_eq!(
            (answer.status, answer.slug()),
            (StatusCode::BAD_REQUEST, "bad-request"),
            "{named}"
        );
        assert_eq!(answer.body["errors"][0]["member"], "nonsense", "{named}");
    }
}

#[tokio::test]
async fn no_response_contains_null() {
    fn has_null(value: &Value) -> bool {
        match value {
            Value::Null => true,
            Value::Array(items) => items.iter().any(has_null),
            Value::Object(members) => members.values().any(has_null),
            _ => false,
        }
    }
    let service = service().await;
    for operation in service.operations.clone() {
        let caller = prepared(&service, Tier::Enterprise, &operation).await;
        let mut answer = send_prepared(&service, &operation, &caller).await;
        // The OpenAPI description may contain `null`.
        let is_json = answer.header("content-type") == Some("application/json")
            && !operation.path.ends_with("openapi.json");
        // A comparison has one value for each company, `null` if it is unknown.
        let dimensions = answer.body.get_mut("dimensions").and_then(Value::as_array_mut);
        for dimension in dimensions.into_iter().flatten() {
            let values = dimension["values"].as_array_mut();
            values.expect("a value for each company").retain(|it| !it.is_null());
        }
        assert!(!is_json || !has_null(&answer.body), "{} {}", operation.path, answer.text);
        // Clients expect no body of a new watch.
        let is_new_watch = operation.method == Method::POST && operation.path == "/v1/watches";
        let is_empty = answer.status == StatusCode::NO_CONTENT || answer.status.is_redirection();
        let empty = is_empty || is_new_watch;
        assert_eq!(
            answer.text.is_empty(),
            empty,
            "{}: 204 has no body, others have one",
            operation.path
        );
    }
}

/// The resource with this id as its collection lists it, the number of resources in the collection, and the
/// resource itself if it can be read.
async fn stored(
    service: &Service,
    key: &str,
    operation: &Operation,
    id: &str,
) -> (usize, Value, String) {
    let list = collection(operation).replace("{uid}", COMPANY);
    let details = service.get_as(key, &format!("{list}/{id}")).await.text;
    let list = service.get_as(key, &list).await.body;
    let items = list.as_array().expect("a list").clone();
    let item = items.iter().find(|it| it["id"] == id).cloned();
    (items.len(), item.unwrap_or_else(|| panic!("{id} in {list}")), details)
}

/// Every operation that needs a token is sent by one team for a resource of another team.
#[tokio::test]
async fn no_team_can_read_or_change_a_resource_of_another_team() {
    let service = service().await;
    for operation in service.operations.clone().iter().filter(|it| is_owned(it)) {
        let owner = prepared(&service, Tier::Enterprise, operation).await;
        let other = prepared(&service, Tier::Enterprise, operation).await;
        let id = owner.ids.id.clone();
        let before = stored(&service, &owner.token, operation, &id).await;
        let by_other = Prepared { path: owner.path.clone(), ..other };
        let answer = send_prepared(&service, operation, &by_other).await;
        let named = format!("{} {}: {}", operation.method, owner.path, answer.text);
        assert_eq!((answer.status, answer.slug()), (StatusCode::NOT_FOUND, "not-found"), "{named}");
        assert_eq!(before, stored(&service, &owner.token, operation, &id).await, "{named}");
        let list = request(&Method::GET, &collection(operation).replace("{uid}", COMPANY));
        let list = service.send(bearing(&by_other.token, list)).await;
        assert!(list.status.is_success() && !list.text.contains(&id), "{named}");
    }
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

/// Every operation that changes something, sent by a caller who may call it.
#[tokio::test]
async fn every_operation_that_changes_something_is_in_the_audit_log_of_the_team() {
    let service = service().await;
    let is_changing = |it: &&Operation| it.method != Method::GET && it.needs_token;
    let (mut recorded, mut left_out) = (0, Vec::new());
    for operation in service.operations.clone().iter().filter(is_changing) {
        let caller = prepared(&service, Tier::Enterprise, operation).await;
        let answer = send_prepared(&service, operation, &caller).await;
        let team = operator(caller.team.clone());
        let filter =
            AuditFilter { action: Some(operation.id.to_owned()), ..AuditFilter::default() };
        let log = service.cloud.tenants.audit_log(&team, &filter, (0, 1), service.now()).await;
        let Some(found) = log.expect("read").items.pop() else {
            left_out.push(operation.id);
            continue;
        };
        let path = caller.path.split('?').next().unwrap_or_default();
        assert_eq!(found.entry.target, path, "{}", operation.id);
        let status = found.outcome.map(|it| it.status);
        assert_eq!(status, Some(answer.status.as_u16()), "{}", operation.id);
        let id = answer.header("x-request-id").map(str::to_owned);
        assert_eq!(Some(found.entry.request_id), id, "{}", operation.id);
        recorded += 1;
    }
    assert_eq!(left_out, ["run_saved_search"]);
    assert!(recorded > 40, "{recorded}");
}

#[tokio::test]
async fn every_method_of_a_path_has_one_operation() {
    let service = Service::start().await;
    let mut named: Vec<_> =
        service.operations.iter().map(|it| (it.path.as_str(), it.method.as_str())).collect();
    let count = named.len();
    named.sort_unstable();
    named.dedup();
    assert_eq!(named.len(), count);
}
