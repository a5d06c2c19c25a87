//! A valid request for every operation.

use access::{Role, Tier};
use auth::{Language, OneTimeToken, Owner, Principal, TeamId};
use domain::persons::Person;
use http::Method;
use http_service::{BodyType, Operation};
use publications::Publication;
use serde_json::{Value, json};
use store::{LinkPurpose, MagicLink, MailLink, Team};
use teams::{INVITATION_DURATION, Invitation};
use tests::{Service, company, operator, probes, sso};
use uuid::Uuid;

pub(super) const COMPANY: &str = "CHE-107.787.577";

/// Where the identity provider sends browsers back. It may add parameters of its own.
pub(super) const CALLBACK: &str = "/v1/auth/sso/callback";

/// Where a member confirms that an account at the identity provider is theirs.
pub(super) const LINK: &str = "/v1/auth/sso/link";
/// The domain in settings of single sign-on.
pub(super) const OWN_DOMAIN: &str = "muster.example";

/// Resources with an id that every team can read.
const SHARED: [&str; 3] = ["/v1/changes", "/v1/methodology/obligations", "/v1/persons"];

/// Collections of a team whose items are companies.
pub(super) const WITH_COMPANIES: [&str; 2] = ["/v1/watches", "/v1/watchlists/{id}/companies"];

const UNSUBSCRIBE: &str = "/v1/notifications/unsubscribe";

const CONFIRM: &str = "/v1/notifications/confirm-email";

/// The token of a link in a mail to nobody.
const MAIL_TOKEN: &str = "9mZ2x0v5bqf7nJ1sT4kYw8eRcUgHdLaPoXi3MtVjS6E";

/// Screenings of a team. They are created by `POST /v1/screening`.
pub(super) const SCREENINGS: &str = "/v1/screenings";

/// Monitored subjects of a team. They are created by `POST /v1/screening`, too.
pub(super) const SUBJECTS: &str = "/v1/screening/subjects";

/// Dossiers of a team.
pub(super) const DOSSIERS: &str = "/v1/dossiers";

/// Exports of a team.
pub(super) const EXPORTS: &str = "/v1/exports";

/// Webhooks of a team, and the address of those that tests create, at which nobody answers.
pub(super) const WEBHOOKS: &str = "/v1/webhooks";
pub(super) const HOOK: &str = "http://127.0.0.1:9/hook";

/// A hit of the screenings that tests create.
pub(super) const HIT: &str = "seco:95001";

pub(super) const MEMBERS: &str = "/v1/teams/me/members";

/// A service with two companies, one of which has an officer.
pub(super) async fn service() -> Service {
    let companies = [company(COMPANY, "Muster AG"), company("CHE-600.000.001", "Zweite AG")];
    let service = Service::with(companies).await;
    service.publish_lists().await;
    service.ingest_publications([officers_publication()]).await;
    let team = sso_team();
    let named = Team { id: team.clone(), name: "Single sign-on".into(), tier: Tier::Enterprise };
    service.cloud.tenants.put_team(&named).await.expect("stored");
    service.store_single_sign_on(&team, sso::DOMAIN).await;
    service.identity_provider.sign_in(sso::user("eva", "eva.muster@example.ch"));
    service
}

/// A team to which everybody of its identity provider can sign in.
pub(super) fn sso_team() -> TeamId {
    TeamId("0199c0de-5500-7000-8000-000000000000".into())
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
pub(super) fn operations(service: &Service) -> Vec<Operation> {
    let probes: Vec<Operation> = probes::api().operations().cloned().collect();
    let successful = probes
        .into_iter()
        .filter(|it| !it.path.contains("panicking") && !it.path.contains("failing"));
    service.operations.iter().cloned().chain(successful).collect()
}

/// The collection that a resource with an id belongs to, such as `/v1/api-keys`.
pub(super) fn collection(operation: &Operation) -> &str {
    match operation.path.split("/{id}").next().unwrap_or_default() {
        "/v1/bulk/watchlist" => "/v1/watchlists",
        collection => collection,
    }
}

/// The collection that the company in the path belongs to, if the path ends with one.
pub(super) fn list_of_companies(operation: &Operation) -> &str {
    operation.path.strip_suffix("/{uid}").unwrap_or_default()
}

/// Whether the operation is about a resource that belongs to one team.
pub(super) fn is_owned(operation: &Operation) -> bool {
    operation.path.contains("{id}") && !SHARED.contains(&collection(operation))
}

/// A valid body for the creation of a resource in a collection. A resource with an id must have one here:
/// isolation must be tested with resources that exist.
pub(super) fn creation(collection: &str) -> Option<Value> {
    Some(match collection {
        "/v1/alerts" => json!({ "name": "Zürich", "queryParams": { "canton": "ZH" } }),
        "/v1/api-keys" => json!({}),
        "/v1/companies/{uid}/notes" => json!({ "content": "Call back in May.", "rating": 4 }),
        "/v1/companies/{uid}/tags" => json!({ "tagName": "High risk", "color": "#C1121F" }),
        DOSSIERS => json!({ "uid": COMPANY, "level": "summary" }),
        EXPORTS => json!({ "format": "csv", "fields": ["uid", "name"] }),
        "/v1/pipelines" => json!({ "name": "New clients" }),
        "/v1/saved-searches" => json!({
            "name": "Zürich", "searchParams": { "canton": "ZH" }, "isScheduled": true,
        }),
        "/v1/pipelines/{id}/entries" => json!({ "companyUid": "CHE-600.000.001" }),
        SCREENINGS => json!({ "name": "Mikalaj Dovreshenka" }),
        SUBJECTS => json!({ "name": "Mikalaj Dovreshenka", "monitor": true }),
        "/v1/teams/me/invitations" => json!({ "email": new_address() }),
        WEBHOOKS => json!({ "url": HOOK }),
        "/v1/watches" => json!({ "companyUid": COMPANY }),
        // Names of watchlists are unique in a team.
        "/v1/watchlists" => json!({ "name": format!("Suppliers {}", Uuid::now_v7()) }),
        "/v1/watchlists/{id}/companies" => json!({ "uids": [COMPANY] }),
        _ => return None,
    })
}

/// A valid body for the operation, by a caller of this team.
pub(super) async fn body(
    service: &Service,
    team: &TeamId,
    user: Option<&str>,
    operation: &Operation,
) -> String {
    let body = match operation.path.as_str() {
        // The capital of the companies is not known.
        "/v1/analytics/cluster" => {
            json!({ "algorithm": "kmeans", "k": 2, "features": ["changesLastThreeYears"] })
        }
        "/v1/analytics/anomalies" => {
            json!({ "algorithm": "zscore", "features": ["changesLastThreeYears"] })
        }
        "/v1/billing/checkout-session" => json!({ "tier": "professional" }),
        "/v1/webhooks/stripe" => {
            json!({ "id": "evt_1", "type": "customer.created", "data": { "object": {} } })
        }
        "/v1/companies/compare" | "/v1/network/analyze" => {
            json!({ "uids": [COMPANY, "CHE-600.000.001"] })
        }
        "/v1/bulk/export" | "/v1/companies/export/excel" => json!({ "uids": [COMPANY] }),
        "/v1/exports/bulk-profiles" => json!({ "uids": [COMPANY] }),
        "/v1/bulk/screening" => {
            json!({ "entities": [{ "name": "Mikalaj Dovreshenka", "type": "person" }] })
        }
        "/v1/screening" => creation(SCREENINGS).unwrap_or_default(),
        "/v1/screening/batch" => json!({ "uids": [COMPANY, "LEI:506700GE1G29325QX363"] }),
        "/v1/screenings/{id}/hits/{hitId}/decision" => json!({ "verdict": "false_positive" }),
        "/v1/auth/magic-link" => json!({ "email": new_address() }),
        "/v1/auth/magic-link/verify" => json!({ "token": link(service).await.expose() }),
        CALLBACK => {
            let (state, code) = service.started_sso(&sso_team()).await;
            json!({ "state": state, "code": code })
        }
        sso::SETTINGS => sso::settings(&[OWN_DOMAIN]),
        "/v1/auth/switch-team" => json!({ "teamId": team }),
        "/v1/teams/join" => json!({ "token": invitation(service, user).await.expose() }),
        "/v1/teams/me" => json!({ "name": "Muster AG" }),
        "/v1/webhooks/{id}/replay" => json!({ "from": "2026-11-01T00:00:00Z" }),
        "/v1/teams/me/members" => json!({ "email": new_address() }),
        "/v1/teams/me/members/{id}" => json!({ "role": "admin" }),
        "/v1/bulk/watchlist/{id}" => {
            let part = "Content-Disposition: form-data; name=\"file\"; filename=\"uids.csv\"";
            return format!("--part\r\n{part}\r\n\r\n{COMPANY}\r\n--part--\r\n");
        }
        path if operation.method == Method::POST => creation(path).unwrap_or_else(|| json!({})),
        _ => json!({}),
    };
    body.to_string()
}

/// The media type of the operation's body.
pub(super) fn media_type(operation: &Operation) -> &'static str {
    match operation.body {
        BodyType::File => "multipart/form-data; boundary=part",
        _ => "application/json",
    }
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
        created_by: Principal::user(service.member(&team, Role::Owner).await.id),
        created_at: service.now(),
        through: None,
        expires_at: service.now() + INVITATION_DURATION,
    };
    tenants.invite(&operator(team), &invitation, service.now()).await.expect("created");
    token
}

/// Makes the link with [`MAIL_TOKEN`] work, if the operation needs one.
pub(super) async fn put_mail_link(service: &Service, team: &TeamId, operation: &Operation) {
    if operation.path == LINK {
        service.put_pending_identity(&sso_team(), MAIL_TOKEN).await;
        return;
    }
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
pub(super) struct Ids {
    pub(super) id: String,
    pub(super) entry: String,
}

/// The path of the operation for these resources.
pub(super) fn path(operation: &Operation, ids: &Ids) -> String {
    let path = match collection(operation) {
        "/v1/persons" => operation.path.replace("{id}", &officer()),
        "/v1/methodology/obligations" => operation.path.replace("{id}", "co-727"),
        "/v1/changes" if operation.path.ends_with("/review") => {
            operation.path.replace("{id}", &change())
        }
        "/v1/changes" => operation.path.replace("{id}", COMPANY),
        _ => operation.path.replace("{id}", &ids.id).replace("{entry}", &ids.entry),
    };
    let path =
        path.replace("{hitId}", HIT).replace("{uid}", COMPANY).replace("{slug}", "not-found");
    let path = path.replace("{tenant}", sso::DOMAIN).replace("{industry}", "64");
    assert!(!path.contains('{'), "{path}: give this variable a value in this test");
    match operation.path.as_str() {
        "/v1/analytics/benchmark" => format!("{path}?uid={COMPANY}"),
        "/v1/companies/nearby" => format!("{path}?lat=47.559&lng=7.588"),
        "/v1/companies/{uid}/diff" => format!("{path}?since=2026-01-01"),
        CALLBACK => format!("{path}?team={}", sso_team()),
        "/v1/auth/magic-link/verify" if operation.method == Method::GET => {
            format!("{path}?token={}", OneTimeToken::generate().expose())
        }
        UNSUBSCRIBE | CONFIRM | LINK => format!("{path}?token={MAIL_TOKEN}"),
        _ => path,
    }
}

pub(super) fn with(path: &str, query: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{query}")
}
