//! Every kind of caller, and the resources that its requests are about.

use access::{Environment, Role, Scope, Tier};
use auth::{Delegation, Language, Principal, TeamId};
use http::Method;
use http_service::Operation;
use jobs::ExportJob;
use teams::{
    Export, ExportFormat, ExportRows, SearchParams, Verification, WebhookState,
    dossier::{Dossier, DossierLevel, DossierRequest},
};
use tests::{Answer, Service, bearing, operator_in, request, sso};
use uuid::Uuid;

use super::requests::{
    CALLBACK, COMPANY, DOSSIERS, EXPORTS, HOOK, Ids, LINK, MEMBERS, OWN_DOMAIN, SCREENINGS,
    SUBJECTS, WEBHOOKS, WITH_COMPANIES, body, collection, creation, is_owned, list_of_companies,
    media_type, path, put_mail_link, sso_team,
};

/// A caller of a new team.
pub(super) struct Prepared {
    pub(super) team: TeamId,
    pub(super) token: String,
    /// The user, if the caller is one.
    pub(super) user: Option<String>,
    /// The path of the operation for this resource.
    pub(super) path: String,
}

/// Who sends a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sender {
    Key(Environment, &'static [Scope]),
    User(Role),
}

/// A team with a caller, and a key with all scopes that creates resources.
pub(super) struct Acting {
    pub(super) team: TeamId,
    pub(super) token: String,
    pub(super) user: Option<String>,
    pub(super) creator: String,
}

/// A caller who may call the operation: a key if it accepts one.
pub(super) fn permitted(operation: &Operation) -> Sender {
    match operation.minimum_role {
        Some(_) => Sender::User(Role::Owner),
        None => Sender::Key(Environment::Live, &Scope::ALL),
    }
}

/// A new team of this tier with a caller.
pub(super) async fn acting(service: &Service, tier: Tier, sender: Sender) -> Acting {
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

pub(super) async fn prepared(service: &Service, tier: Tier, operation: &Operation) -> Prepared {
    let acting = acting(service, tier, permitted(operation)).await;
    prepared_for(service, &acting, operation).await
}

/// The request of a caller for a new resource that the operation is about.
pub(super) async fn prepared_for(
    service: &Service,
    acting: &Acting,
    operation: &Operation,
) -> Prepared {
    let Acting { team, token, user, creator } = acting;
    put_mail_link(service, team, operation).await;
    let ids = match collection(operation) {
        MEMBERS if is_owned(operation) => {
            let member = service.member(team, Role::Member).await;
            Ids { id: member.id, ..Ids::default() }
        }
        // Teams of lower tiers may read what they created before.
        EXPORTS if is_owned(operation) => Ids { id: export(service, team).await, ..Ids::default() },
        DOSSIERS if is_owned(operation) => {
            Ids { id: dossier(service, team).await, ..Ids::default() }
        }
        _ => resources(service, creator, operation).await,
    };
    if collection(operation) == WEBHOOKS && is_owned(operation) {
        prove_webhook(service, team, &ids.id).await;
    }
    let mut path = path(operation, &ids);
    if operation.path == CALLBACK && operation.method == Method::GET {
        let (state, code) = service.started_sso(&sso_team()).await;
        path = format!("{path}&state={state}&code={code}");
    }
    if operation.path.starts_with(sso::SETTINGS) {
        // Admins save the same domain again. Others are free, so that each team can verify its own.
        let domain = match operation.method {
            Method::PUT => OWN_DOMAIN.to_owned(),
            _ => format!("{}.example", Uuid::now_v7()),
        };
        service.store_single_sign_on(team, &domain).await;
    }
    Prepared { team: team.clone(), token: token.clone(), user: user.clone(), path }
}

/// Lets a webhook of the team count as proven, in both of its environments.
async fn prove_webhook(service: &Service, team: &TeamId, id: &str) {
    for environment in [Environment::Live, Environment::Test] {
        let team = operator_in(team.clone(), environment);
        let proof = Verification::proven(HOOK, service.now());
        let change = |it: &mut WebhookState| it.verification = Some(proof.clone());
        service.cloud.tenants.change_webhook_state(&team, id, change).await.expect("stored");
    }
}

/// The id of an export of the team that is complete, in both of its environments.
async fn export(service: &Service, team: &TeamId) -> String {
    let columns = Some(vec!["uid".to_owned()]);
    let filter = SearchParams::default();
    let rows = ExportRows::Companies { filter, tagged: None, columns, max_rows: None };
    let generation = service.generations.serving().await.expect("a generation");
    let creator = Principal::user(service.member(team, Role::Member).await.id);
    let now = service.now();
    let export = Export::new(
        uuid::Uuid::now_v7(),
        rows,
        ExportFormat::Csv,
        &generation.manifest.id,
        Delegation::new(creator, now),
    );
    for environment in [Environment::Live, Environment::Test] {
        let team = operator_in(team.clone(), environment);
        service.cloud.tenants.create_export(&team, &export, now).await.expect("created");
    }
    service.export_worker().handle(ExportJob::Sweep, now).await.expect("sent");
    service.run_exports().await;
    export.id.to_string()
}

/// The id of a dossier of the team that failed, in both of its environments.
async fn dossier(service: &Service, team: &TeamId) -> String {
    let request = DossierRequest {
        company_uid: COMPANY.parse().expect("a UID"),
        level: DossierLevel::Summary,
        language: Language::En,
        as_of: None,
    };
    let now = service.now();
    let dossier =
        Dossier::new(uuid::Uuid::now_v7(), request, "Muster AG", Principal::user("somebody"), now);
    let dossier = dossier.failed("The text model did not answer.", now);
    for environment in [Environment::Live, Environment::Test] {
        let team = operator_in(team.clone(), environment);
        let created = service.cloud.tenants.create(&team, Tier::Enterprise, &dossier).await;
        created.expect("created");
    }
    dossier.id.to_string()
}

/// The ids of new resources that the owner of the key creates for the operation; empty if it is about none.
pub(super) async fn resources(service: &Service, key: &str, operation: &Operation) -> Ids {
    let create = async |collection: &str, path: String| {
        let body = creation(collection);
        let body = body.unwrap_or_else(|| panic!("{collection}: add a creation to this test"));
        // Invitations are created where members are listed.
        let path = path.replace("/teams/me/invitations", "/teams/me/members");
        let path = path.replace(SCREENINGS, "/v1/screening").replace(SUBJECTS, "/v1/screening");
        let created = service.post_as(key, &path, body).await;
        // A webhook is answered with its key, a monitored subject with its screening.
        let body = &created.body;
        let id = [&body["webhook"]["id"], &body["subjectId"], &body["id"]];
        let id = id.into_iter().find_map(|it| it.as_str());
        id.unwrap_or_else(|| panic!("{collection}: {created:?}")).to_owned()
    };
    let mut ids = Ids::default();
    if is_owned(operation) {
        let collection = collection(operation);
        ids.id = create(collection, collection.replace("{uid}", COMPANY)).await;
        if collection == EXPORTS {
            service.run_exports().await;
        }
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

/// Sends the operation as the prepared caller, or as nobody.
pub(super) async fn send_prepared(
    service: &Service,
    operation: &Operation,
    by: &Prepared,
) -> Answer {
    let (team, user) = (&by.team, by.user.as_deref());
    send(service, operation, Some((&by.token, team, user)), &by.path).await
}

pub(super) async fn send(
    service: &Service,
    operation: &Operation,
    caller: Option<(&str, &TeamId, Option<&str>)>,
    path: &str,
) -> Answer {
    let mut request = request(&operation.method, path);
    if [CALLBACK, LINK].contains(&operation.path.as_str()) {
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
            let request = request.header("content-type", media_type(operation));
            // Only an event of the payment provider needs it.
            let signature = emulators::stripe::sign(&body, service.now());
            service.send_with(request.header("stripe-signature", signature), body).await
        }
    }
}

/// Whether the operation has done its work: what it answers, or a redirect.
pub(super) fn has_succeeded(answer: &Answer) -> bool {
    answer.status.is_success() || answer.status.is_redirection()
}
