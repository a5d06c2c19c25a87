//! What somebody has delegated ends or shrinks with the rights of those who have delegated it.
//!
//! A new way to delegate something needs a [`Delegation`]: a new kind of resource does not compile without a line in
//! [`of_resource`], and a new stored type that names a person or a key, or that a secret leads to, fails a test here.

use std::{collections::BTreeMap, fs, path::Path};

use access::{Environment, Role, Scope, Tier};
use auth::{Principal, TeamId};
use http::StatusCode;
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use store::{Kind, Team, Tenants};
use tests::{
    Answer, Service, SignedInMember, company,
    faults::Faults,
    link_token, operator,
    sso::{CONFIRM, SETTINGS, SsoTeam, VERIFY, settings, user},
};

use super::{
    callers::send,
    requests::{COMPANY, EXPORTS, Ids, MEMBERS, operations, path},
};
use crate::notification_mails::confirm_path;

const KEYS: &str = "/v1/api-keys";
const PREFERENCES: &str = "/v1/notifications/preferences";
const INVITATIONS: &str = "/v1/teams/me/invitations";

/// What a user or a key lets others do, or lets act in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delegation {
    /// Accepted with its token.
    Invitation,
    /// Accepted with the link in its mail.
    InvitationMail,
    /// Sent by an API key of the author.
    InvitationByKey,
    ApiKey,
    /// Created by an API key of the author.
    KeyOfKey,
    /// Requested, and not written yet.
    Export,
    ExportByKey,
    /// The address of a file, which needs no key. Nobody can take it back, so it ends by itself.
    FileAddress,
    Session,
    /// Sign-ins of other members, with the provider that the author has chosen.
    SignIns,
    /// Mails about what the keys of the team watch, to an address that a key of the author has set.
    MailsOfKeys,
}

use Delegation::{
    ApiKey, Export, ExportByKey, FileAddress, Invitation, InvitationByKey, InvitationMail,
    KeyOfKey, MailsOfKeys, Session, SignIns,
};

const ALL: [Delegation; 11] = [
    Invitation,
    InvitationMail,
    InvitationByKey,
    ApiKey,
    KeyOfKey,
    Export,
    ExportByKey,
    FileAddress,
    Session,
    SignIns,
    MailsOfKeys,
];

/// How the author loses rights.
#[derive(Clone, Copy, Debug)]
enum Loss {
    Removed,
    /// From owner to member.
    Demoted,
    Left,
    /// The author deletes the own user.
    Erased,
    /// The key of the author is revoked, with which some things were delegated.
    KeyRevoked,
}

/// What is left of something that was delegated.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rest {
    All,
    /// Without what only an admin may do.
    Less,
    Nothing,
}

fn expected(delegation: Delegation, loss: Loss) -> Rest {
    match (delegation, loss) {
        (FileAddress, _) => Rest::All,
        (InvitationByKey | ExportByKey | MailsOfKeys, Loss::KeyRevoked) => Rest::Nothing,
        (_, Loss::KeyRevoked) => Rest::All,
        // Until another owner has confirmed the provider, its users delegate nothing; after seven days, nobody signs in.
        (SignIns, Loss::Removed | Loss::Left | Loss::Erased | Loss::Demoted) => Rest::Less,
        (_, Loss::Removed | Loss::Left | Loss::Erased) => Rest::Nothing,
        (Invitation | InvitationMail | InvitationByKey, Loss::Demoted) => Rest::Nothing,
        // What every member may do.
        (Export | ExportByKey | MailsOfKeys, Loss::Demoted) => Rest::All,
        (ApiKey | KeyOfKey | Session, Loss::Demoted) => Rest::Less,
    }
}

/// The delegations that a kind of resource is, or why it is none.
fn of_resource(kind: Kind) -> Result<&'static [Delegation], &'static str> {
    match kind {
        Kind::Invitation => Ok(&[Invitation, InvitationMail, InvitationByKey]),
        // The membership is the right itself.
        Kind::Member => Err("what others depend on"),
        Kind::Webhook => {
            Err("sends for the team; its admins see its address, and who has created it")
        }
        Kind::Alert | Kind::SavedSearch => {
            Err("runs for the team; mails go where the preferences say, webhooks are the team's")
        }
        Kind::Watch | Kind::Watchlist | Kind::WatchlistEntry => {
            Err("notifies the team; mails go where the preferences say")
        }
        Kind::MonitoredSubject => Err("notifies the team"),
        Kind::Dossier => Err("written for the team, which alone reads it"),
        Kind::Note | Kind::Pipeline | Kind::PipelineEntry | Kind::Tag => {
            Err("data of the team; acts for nobody")
        }
    }
}

/// The stored types that name a user or an API key, and what follows.
const STORED: [(&str, &str); 29] = [
    ("Alert", "resource"),
    ("ApiKeyRecord", "delegation"),
    ("AuditEntry", "record of what happened"),
    ("Author", "part of an API key, and of the settings of single sign-on"),
    ("Delegation", "part of an address for notifications"),
    ("Dossier", "resource"),
    ("EarlierDecision", "record of what happened"),
    ("Erased", "what is deleted of a user who has left"),
    ("Export", "delegation"),
    ("HitDecision", "record of what happened"),
    ("Identity", "signs in its own user; the membership is read each time"),
    ("Invitation", "delegation"),
    ("MailLink", "confirms or ends mails to its own address"),
    ("Member", "resource"),
    ("MonitoredSubject", "resource"),
    ("Note", "resource"),
    ("NotificationPreferences", "delegation"),
    ("Pipeline", "resource"),
    ("PipelineEntry", "resource"),
    ("SavedSearch", "resource"),
    ("Screening", "record of what happened"),
    ("Session", "delegation"),
    ("SingleSignOn", "delegation"),
    ("Tag", "resource"),
    ("UserId", "leads from an address to its user"),
    ("Watch", "resource"),
    ("Watchlist", "resource"),
    ("WatchlistEntry", "resource"),
    ("Webhook", "resource"),
];

/// Types with such a member that are not stored by themselves.
const NOT_STORED: [&str; 6] =
    ["Caller", "DossierView", "NewApiKey", "SessionClaims", "Watched", "Watcher"];

/// The items to which a secret leads: the rows of the data model.
const BEHIND_SECRETS: [&str; 7] = [
    "sign-in that a browser has started",
    "account at a provider that waits for the confirmation of a user",
    "sign-in link",
    "link that confirms an address or ends mails",
    "copy of an invitation, by its token",
    "session",
    "location of the record of a presented key",
];

/// A team whose author delegates.
struct World<'a> {
    service: &'a Service,
    team: TeamId,
    /// Session of another owner, and her id.
    keeper: String,
    keeper_id: String,
    author: SignedInMember,
    /// A key of the author, and its id.
    key: String,
    key_id: String,
}

/// Something that was delegated, with what uses it.
enum Delegated {
    /// A body for an operation that anyone may call with this token.
    Token(&'static str, Option<String>, Value),
    /// A credential.
    Credential(String),
    SignIn((SsoTeam, Value)),
    Export(String),
    Address(String),
    Mails,
}

impl<'a> World<'a> {
    async fn new(service: &'a Service) -> Self {
        let team = service.team(Tier::Enterprise).await;
        let SignedInMember { id: keeper_id, token: keeper, .. } =
            service.member(&team, Role::Owner).await;
        let author = service.member(&team, Role::Owner).await;
        let made = new_key(service, &author.token).await;
        let (key, key_id) = (text(&made, "key"), text(&made, "id"));
        Self { service, team, keeper, keeper_id, author, key, key_id }
    }

    async fn delegated(&self, delegation: Delegation) -> Delegated {
        let service = self.service;
        let invite = async |by: &str, email: &str| {
            let body = json!({ "email": email, "role": "admin" });
            let invited = service.post_as(by, MEMBERS, body).await;
            assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
            invited
        };
        let export = async |by: &str| {
            let body = json!({ "format": "csv", "fields": ["uid"] });
            let requested = service.post_as(by, EXPORTS, body).await;
            assert_eq!(requested.status, StatusCode::ACCEPTED, "{}", requested.text);
            text(&requested, "id")
        };
        match delegation {
            Invitation | InvitationByKey => {
                let by = if delegation == Invitation { &self.author.token } else { &self.key };
                let other = service.team(Tier::Free).await;
                let user = service.member(&other, Role::Member).await;
                let invited = invite(by, &user.email).await;
                let body = json!({ "token": invited.body["token"] });
                Delegated::Token("/v1/teams/join", Some(user.id), body)
            }
            InvitationMail => {
                let email = format!("{}@example.ch", self.author.id);
                invite(&self.author.token, &email).await;
                let link = link_token(&service.mails()[0]);
                Delegated::Token("/v1/auth/magic-link/verify", None, json!({ "token": link }))
            }
            ApiKey => {
                Delegated::Credential(text(&new_key(service, &self.author.token).await, "key"))
            }
            KeyOfKey => Delegated::Credential(text(&new_key(service, &self.key).await, "key")),
            Session => Delegated::Credential(self.author.token.clone()),
            SignIns => Delegated::SignIn(self.with_provider().await),
            Export => Delegated::Export(export(&self.author.token).await),
            ExportByKey => Delegated::Export(export(&self.key).await),
            MailsOfKeys => {
                let address = format!("{}@abroad.example", self.author.id);
                let wanted = json!({ "channel": "email", "emailAddress": address });
                let set = service.put_as(&self.key, PREFERENCES, wanted).await;
                assert_eq!(set.status, StatusCode::OK, "{}", set.text);
                let confirm = http::Request::post(confirm_path(&service.mails()[0]));
                let confirmed = service.send_with(confirm, String::new()).await;
                assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
                Delegated::Mails
            }
            FileAddress => {
                let id = export(&self.author.token).await;
                service.run_exports().await;
                let path = format!("{EXPORTS}/{id}");
                let job = service.get_as(&self.author.token, &path).await.body["job"].clone();
                Delegated::Address(job["downloadUrl"].as_str().expect("an address").to_owned())
            }
        }
    }

    /// The account of an admin at the provider that the author chooses.
    async fn with_provider(&self) -> (SsoTeam, Value) {
        let (service, domain) = (self.service, format!("{}.example", self.author.id));
        let put = service.put_as(&self.author.token, SETTINGS, settings(&[&domain])).await;
        assert_eq!(put.status, StatusCode::OK, "{}", put.text);
        service.publish_records(&put.body);
        service.post_as(&self.author.token, VERIFY, json!({})).await;
        let team = SsoTeam { id: self.team.clone(), owner: self.keeper.clone() };
        let account = user(&self.author.id, &format!("admin@{domain}"));
        let signed_in = service.sso(&team, account.clone()).await;
        let admin = signed_in.body["user"]["id"].as_str().expect(&signed_in.text).to_owned();
        let path = format!("{MEMBERS}/{admin}");
        let promoted = service.put_as(&self.keeper, &path, json!({ "role": "admin" })).await;
        assert_eq!(promoted.status, StatusCode::OK, "{}", promoted.text);
        (team, account)
    }

    /// The world of a user whom the provider signs in.
    async fn signed_in(&self, team: &SsoTeam, account: Value) -> World<'a> {
        let (service, email) = (self.service, account["email"].clone());
        let signed_in = service.sso(team, account).await;
        let id = signed_in.body["user"]["id"].as_str().expect(&signed_in.text).to_owned();
        let email = email.as_str().expect("an address").to_owned();
        let author = SignedInMember { id, email, token: text(&signed_in, "token") };
        let made = new_key(service, &author.token).await;
        let (key, key_id) = (text(&made, "key"), text(&made, "id"));
        let (team, keeper) = (self.team.clone(), self.keeper.clone());
        let keeper_id = self.keeper_id.clone();
        World { service, team, keeper, keeper_id, author, key, key_id }
    }

    async fn lose(&self, loss: Loss) {
        let (service, member) = (self.service, format!("{MEMBERS}/{}", self.author.id));
        let done = match loss {
            Loss::Removed => service.delete_as(&self.keeper, &member).await,
            Loss::Demoted => {
                service.put_as(&self.keeper, &member, json!({ "role": "member" })).await
            }
            Loss::Left => {
                service.post_as(&self.author.token, "/v1/teams/me/leave", json!({})).await
            }
            Loss::Erased => service.delete_as(&self.author.token, "/v1/auth/me").await,
            Loss::KeyRevoked => {
                service.delete_as(&self.keeper, &format!("{KEYS}/{}", self.key_id)).await
            }
        };
        assert!(done.status.is_success(), "{}", done.text);
        // So that no process remembers more.
        service.pass_seconds(60);
    }

    async fn rest(&self, delegated: &Delegated) -> Rest {
        let service = self.service;
        match delegated {
            Delegated::Token(path, user, body) => {
                let answer = match user {
                    Some(user) => {
                        let teams = service.cloud.tenants.teams_of(user).await.expect("read");
                        let token = service.session_of(&teams[0].team, user).await;
                        service.post_as(&token, path, body.clone()).await
                    }
                    None => {
                        let request = http::Request::post(*path);
                        let request = request.header("content-type", "application/json");
                        service.send_with(request, body.to_string()).await
                    }
                };
                match answer.status {
                    StatusCode::OK => Rest::All,
                    StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED => Rest::Nothing,
                    _ => panic!("{answer:?}"),
                }
            }
            Delegated::SignIn((team, account)) => {
                let signed_in = service.sso(team, account.clone()).await;
                let token = Delegated::Credential(text(&signed_in, "token"));
                Box::pin(self.rest(&token)).await
            }
            Delegated::Credential(token) => {
                let reads = service.get_as(token, "/v1/companies/count").await.status;
                match (reads, service.get_as(token, KEYS).await.status) {
                    (StatusCode::OK, StatusCode::OK) => Rest::All,
                    (StatusCode::OK, StatusCode::FORBIDDEN) => Rest::Less,
                    (StatusCode::UNAUTHORIZED, StatusCode::UNAUTHORIZED) => Rest::Nothing,
                    other => panic!("{other:?}"),
                }
            }
            Delegated::Export(id) => {
                service.run_exports().await;
                let path = format!("{EXPORTS}/{id}");
                let job = service.get_as(&self.keeper, &path).await.body["job"].clone();
                match job["status"].as_str() {
                    Some("completed") => Rest::All,
                    Some("failed") => {
                        let reason = job["errorMessage"].as_str().expect("a reason");
                        assert!(reason.contains("requested the export"), "{reason}");
                        Rest::Nothing
                    }
                    _ => panic!("{job}"),
                }
            }
            Delegated::Mails => {
                // What another key of the team causes.
                let made = new_key(service, &self.keeper).await;
                let key = text(&made, "key");
                let tested = service.post_as(&key, "/v1/notifications/test", json!({})).await;
                assert_eq!(tested.status, StatusCode::OK, "{}", tested.text);
                let to = format!("{}@abroad.example", self.author.id);
                let of_address = || service.mails().iter().filter(|it| it.to == to).count();
                let before = of_address();
                service.run_mails().await;
                match of_address() - before {
                    0 => {
                        let now = service.get_as(&key, PREFERENCES).await;
                        assert_eq!(now.body["channel"], "InApp", "{}", now.text);
                        Rest::Nothing
                    }
                    _ => Rest::All,
                }
            }
            Delegated::Address(address) => {
                assert!(address.contains("X-Amz-Expires=60&"), "{address}");
                Rest::All
            }
        }
    }
}

async fn new_key(service: &Service, by: &str) -> Answer {
    let made = service.post_as(by, KEYS, json!({ "scopes": Scope::ALL })).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    made
}

fn text(answer: &Answer, member: &str) -> String {
    answer.body[member].as_str().expect(member).to_owned()
}

#[tokio::test]
async fn everything_delegated_ends_or_shrinks_with_the_rights_of_its_author() {
    let service = Service::with([company(COMPANY, "Muster AG")]).await;
    for delegation in ALL {
        for loss in [Loss::Removed, Loss::Demoted, Loss::Left, Loss::Erased, Loss::KeyRevoked] {
            let world = World::new(&service).await;
            let delegated = world.delegated(delegation).await;
            world.lose(loss).await;
            let rest = world.rest(&delegated).await;
            assert_eq!(rest, expected(delegation, loss), "{delegation:?} {loss:?}");
        }
        let world = World::new(&service).await;
        let delegated = world.delegated(delegation).await;
        assert_eq!(world.rest(&delegated).await, Rest::All, "{delegation:?}");
    }
}

#[tokio::test]
async fn an_ended_invitation_is_not_listed() {
    let service = Service::start().await;
    for loss in [Loss::Removed, Loss::Demoted, Loss::Left, Loss::Erased, Loss::KeyRevoked] {
        let world = World::new(&service).await;
        let by = if matches!(loss, Loss::KeyRevoked) { &world.key } else { &world.author.token };
        service.post_as(by, MEMBERS, json!({ "email": "lea@example.ch" })).await;
        let listed = async || service.get_as(&world.keeper, INVITATIONS).await.body;
        assert_eq!(listed().await.as_array().map(Vec::len), Some(1), "{loss:?}");
        world.lose(loss).await;
        assert_eq!(listed().await, json!([]), "{loss:?}");
        // The limit of mails to one address.
        service.pass_seconds(600);
    }
}

/// How a team loses an identity provider.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ProviderLoss {
    Removed,
    /// By another registration at it.
    Replaced,
    /// The owner who chose it is no longer an owner, and for seven days the users may still sign in.
    Unanswered,
    Unconfirmed,
    /// The same, and another owner has confirmed it.
    Confirmed,
    /// The same, after the seven days.
    ConfirmedLate,
    /// The domain of its users was left out.
    DomainLeftOut,
    /// The team has a tier without single sign-on.
    Downgraded,
    /// The same, and the earlier tier again.
    UpgradedAgain,
}

/// Who controls the provider can sign in as its users. What was delegated then must not outlive it.
#[tokio::test]
async fn what_users_of_a_provider_have_delegated_ends_or_shrinks_with_the_provider() {
    use ProviderLoss::{
        Confirmed, ConfirmedLate, DomainLeftOut, Downgraded, Removed, Replaced, Unanswered,
        Unconfirmed, UpgradedAgain,
    };
    let service = Service::with([company(COMPANY, "Muster AG")]).await;
    let delegations = [
        ApiKey,
        KeyOfKey,
        Invitation,
        InvitationMail,
        InvitationByKey,
        Export,
        ExportByKey,
        MailsOfKeys,
    ];
    for delegation in delegations {
        for loss in [
            Removed,
            Replaced,
            Unanswered,
            Unconfirmed,
            Confirmed,
            ConfirmedLate,
            DomainLeftOut,
            Downgraded,
            UpgradedAgain,
        ] {
            let chooser = World::new(&service).await;
            let (team, account) = chooser.with_provider().await;
            let world = chooser.signed_in(&team, account).await;
            let delegated = world.delegated(delegation).await;
            let (keeper, domain) = (&world.keeper, format!("{}.example", chooser.author.id));
            let give_tier = async |tier| {
                let team = Team { id: world.team.clone(), name: "Muster AG".to_owned(), tier };
                service.cloud.tenants.put_team(&team).await.expect("stored");
            };
            let done = match loss {
                Removed => service.delete_as(keeper, SETTINGS).await,
                DomainLeftOut => {
                    service.put_as(keeper, SETTINGS, settings(&["other.example"])).await
                }
                Downgraded | UpgradedAgain => {
                    give_tier(Tier::Free).await;
                    service.pass_seconds(60);
                    if loss == UpgradedAgain {
                        give_tier(Tier::Enterprise).await;
                    }
                    service.get_as(keeper, "/v1/auth/me").await
                }
                Replaced => {
                    let mut settings = settings(&[&domain]);
                    settings["clientId"] = "another".into();
                    service.put_as(keeper, SETTINGS, settings).await
                }
                Unanswered | Unconfirmed | Confirmed | ConfirmedLate => {
                    let path = format!("{MEMBERS}/{}", chooser.author.id);
                    service.put_as(keeper, &path, json!({ "role": "member" })).await
                }
            };
            assert!(done.status.is_success(), "{}", done.text);
            match loss {
                Confirmed => {
                    let confirmed = service.post_as(keeper, CONFIRM, json!({})).await;
                    assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
                }
                // Exports do not wait that long.
                Unconfirmed | ConfirmedLate if matches!(delegation, Export | ExportByKey) => {
                    continue;
                }
                Unconfirmed => service.pass_seconds(7 * 24 * 3_600),
                ConfirmedLate => {
                    service.pass_seconds(7 * 24 * 3_600);
                    let keeper = service.session_of(&world.team, &world.keeper_id).await;
                    let confirmed = service.post_as(&keeper, CONFIRM, json!({})).await;
                    assert_eq!(confirmed.status, StatusCode::OK, "{}", confirmed.text);
                }
                // The tier of the team has other limits.
                Downgraded if matches!(delegation, Export | ExportByKey) => continue,
                _ => {}
            }
            service.pass_seconds(60);
            let expected = match (loss, delegation) {
                (Removed | Replaced | Unconfirmed | DomainLeftOut | Downgraded, _) => Rest::Nothing,
                // What only pauses goes on.
                (UpgradedAgain, _) => Rest::All,
                (Unanswered, ApiKey | KeyOfKey) => Rest::Less,
                // The confirmation comes too late for what has ended.
                (_, Invitation | InvitationMail | InvitationByKey) => Rest::Nothing,
                (Unanswered | Confirmed | ConfirmedLate, _) => Rest::All,
            };
            let keeper = service.session_of(&world.team, &world.keeper_id).await;
            let world = World { keeper, ..world };
            assert_eq!(world.rest(&delegated).await, expected, "{delegation:?} {loss:?}");
        }
    }
}

/// Rejoining does not bring back what has ended.
#[tokio::test]
async fn what_has_ended_stays_ended_if_the_author_joins_again() {
    let service = Service::start().await;
    let world = World::new(&service).await;
    let delegated = [world.delegated(ApiKey).await, world.delegated(Invitation).await];
    world.lose(Loss::Removed).await;
    let body = json!({ "email": world.author.email, "role": "owner" });
    let invited = service.post_as(&world.keeper, MEMBERS, body).await;
    let own = service.team(Tier::Free).await;
    let (tenants, now) = (&service.cloud.tenants, service.now());
    let added = local::teams::add_member(tenants, &own, &world.author.id, Role::Owner, now).await;
    added.expect("a member");
    let session = service.session_of(&own, &world.author.id).await;
    let joined = json!({ "token": invited.body["token"] });
    let joined = service.post_as(&session, "/v1/teams/join", joined).await;
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    for it in &delegated {
        assert_eq!(world.rest(it).await, Rest::Nothing);
    }
}

#[tokio::test]
async fn an_admin_sees_which_keys_have_ended_and_takes_one_over() {
    let service = Service::start().await;
    let world = World::new(&service).await;
    let find = |list: &Answer| {
        let keys = list.body.as_array().expect("a list");
        keys.iter().find(|it| it["id"] == json!(world.key_id)).expect("the key").clone()
    };
    let listed = async || find(&service.get_as(&world.keeper, KEYS).await);
    let by_author = json!({ "type": "user", "id": world.author.id });
    let entry = listed().await;
    assert_eq!((&entry["status"], &entry["createdBy"]), (&json!("active"), &by_author));
    assert_eq!(entry.get("effectiveScopes"), None);

    world.lose(Loss::Demoted).await;
    let entry = listed().await;
    assert_eq!(entry["effectiveScopes"], json!(["read", "write"]));
    assert_eq!((&entry["status"], &entry["scopes"]), (&json!("active"), &json!(Scope::ALL)));
    let refused = service.post_as(&world.key, KEYS, json!({})).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.text);

    world.lose(Loss::Removed).await;
    let entry = listed().await;
    assert_eq!((&entry["status"], &entry["createdBy"]), (&json!("suspended"), &by_author));
    let refused = service.get_as(&world.key, "/v1/companies/count").await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert!(refused.detail().contains("rotate the key to take it over"), "{}", refused.text);

    let path = format!("{KEYS}/{}/rotate", world.key_id);
    let rotated = service.post_as(&world.keeper, &path, json!({})).await;
    let key = text(&rotated, "key");
    assert_eq!(service.get_as(&key, KEYS).await.status, StatusCode::OK);
    let entry = listed().await;
    assert_eq!(entry["status"], "active");
    assert_ne!(entry["createdBy"], by_author);
}

/// Otherwise those who leave could come back with an invitation as soon as the key is used again.
#[tokio::test]
async fn taking_over_a_key_does_not_bring_back_what_its_author_has_delegated_with_it() {
    let service = Service::start().await;
    let world = World::new(&service).await;
    let invitation = world.delegated(InvitationByKey).await;
    service.pass_seconds(1);
    let path = format!("{KEYS}/{}/rotate", world.key_id);
    let rotated = service.post_as(&world.keeper, &path, json!({})).await;
    assert_eq!(rotated.status, StatusCode::OK, "{}", rotated.text);
    world.lose(Loss::Removed).await;
    assert_eq!(world.rest(&invitation).await, Rest::Nothing);

    // The operator is another author, too.
    let world = World::new(&service).await;
    let invitation = world.delegated(InvitationByKey).await;
    service.pass_seconds(1);
    let operators = service.key_of(&world.team, Environment::Live, &Scope::ALL).await;
    let path = format!("{KEYS}/{}/rotate", world.key_id);
    let rotated = service.post_as(&operators, &path, json!({})).await;
    assert_eq!(rotated.status, StatusCode::OK, "{}", rotated.text);
    assert_eq!(world.rest(&invitation).await, Rest::Nothing);

    // A person who rotates the own key ends nothing.
    let world = World::new(&service).await;
    let invitation = world.delegated(InvitationByKey).await;
    service.pass_seconds(1);
    let path = format!("{KEYS}/{}/rotate", world.key_id);
    service.post_as(&world.author.token, &path, json!({})).await;
    assert_eq!(world.rest(&invitation).await, Rest::All);
}

#[tokio::test]
async fn keys_of_the_operator_depend_on_no_person() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let made = new_key(&service, &key).await;
    let made = text(&made, "key");
    service.pass_seconds(60);
    for key in [&key, &made] {
        let listed = service.get_as(key, KEYS).await;
        assert_eq!(listed.status, StatusCode::OK, "{}", listed.text);
        assert!(!listed.text.contains("createdBy"), "{}", listed.text);
    }
}

/// The author is removed after the request has read everything, and before it writes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_invitation_is_refused_if_its_author_is_removed_at_the_same_moment() {
    let mut cloud = tests::cloud().await;
    let (endpoint, table) = (cloud.endpoints.dynamodb.clone(), cloud.tables[1].clone());
    let faults = Faults::before(&endpoint).await;
    cloud.tenants = Tenants::named(dynamodb_client(&faults.address), &table);
    let service = Service::over(cloud).await;
    let team = service.team(Tier::Free).await;
    service.member(&team, Role::Owner).await;
    for by_key in [false, true] {
        let author = service.member(&team, Role::Owner).await;
        let key = text(&new_key(&service, &author.token).await, "key");
        let own = service.team(Tier::Free).await;
        let invited = service.member(&own, Role::Owner).await;
        let body = json!({ "email": invited.email, "role": "admin" });
        let by = if by_key { &key } else { &author.token };
        let invitation = service.post_as(by, MEMBERS, body).await;
        assert_eq!(invitation.status, StatusCode::CREATED, "{}", invitation.text);

        let (endpoint, table, author) = (endpoint.clone(), table.clone(), author.id);
        let (removed, team_key) = (format!("MEMBER#{}", invited.id), operator(team.clone()));
        let now = service.now();
        let mut is_first = true;
        faults.decide(move |operation, request| {
            let joins = operation == "TransactWriteItems" && request.to_string().contains(&removed);
            if joins && std::mem::take(&mut is_first) {
                // So that this thread's other tasks go on, which may be those of the database.
                tokio::task::block_in_place(|| {
                    std::thread::scope(|scope| {
                        let remove = async {
                            let tenants = Tenants::named(dynamodb_client(&endpoint), &table);
                            tenants.remove_member(&team_key, &author, |_| true, now).await
                        };
                        let run = || {
                            let mut runtime = tokio::runtime::Builder::new_current_thread();
                            let runtime = runtime.enable_all().build().expect("a runtime");
                            runtime.block_on(remove).expect("removed").expect("a member")
                        };
                        scope.spawn(run).join().expect("removed");
                    });
                });
            }
            None
        });
        let body = json!({ "token": invitation.body["token"] });
        let joined = service.post_as(&invited.token, "/v1/teams/join", body).await;
        assert_eq!(joined.status, StatusCode::NOT_FOUND, "{}", joined.text);
        let member = service.cloud.tenants.member(&operator(team.clone()), &invited.id).await;
        assert_eq!(member.expect("read"), None);
    }
}

#[test]
fn every_kind_of_resource_is_a_delegation_or_has_a_reason_why_not() {
    assert!(of_resource(Kind::Invitation).is_ok_and(|it| it.len() == 3));
    assert!(of_resource(Kind::Webhook).is_err_and(|it| !it.is_empty()));
}

/// The names of the types in this folder that have a member for a user or an API key.
fn types_that_name_somebody(folder: &Path, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            types_that_name_somebody(&path, found);
            continue;
        }
        let source = fs::read_to_string(&path).expect("a text");
        let source = source.split("\nmod tests {").next().unwrap_or_default();
        let mut current = None;
        for line in source.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let start = words.iter().position(|it| matches!(*it, "struct" | "enum" | "fn"));
            if let Some(start) = start.filter(|_| !line.trim_start().starts_with("//")) {
                current = (words[start] != "fn")
                    .then(|| words.get(start + 1).copied().unwrap_or_default())
                    .map(|it| it.trim_end_matches(|it: char| !it.is_alphanumeric()).to_owned());
            }
            let Some((member, kind)) = line.trim().trim_start_matches("pub ").split_once(": ")
            else {
                continue;
            };
            let kind =
                kind.trim_end_matches(',').trim_start_matches("Option<").trim_end_matches('>');
            let names_somebody =
                matches!(kind, "Principal" | "Author" | "KeyAuthor" | "Owner" | "AuditActor")
                    || (kind == "String" && matches!(member, "user" | "user_id"));
            if let (true, Some(current)) = (names_somebody, &current) {
                found.insert(current.clone(), path.display().to_string());
            }
        }
    }
}

#[test]
fn every_stored_type_that_names_a_user_or_key_is_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut found = BTreeMap::new();
    for folder in ["rules/teams", "rules/auth", "data/store"] {
        types_that_name_somebody(&root.join("shared").join(folder).join("src"), &mut found);
    }
    let mut listed: Vec<&str> = STORED.iter().map(|it| it.0).chain(NOT_STORED).collect();
    listed.sort_unstable();
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, listed, "can others act with it? {found:?}");
}

#[test]
fn every_item_to_which_a_secret_leads_is_in_the_list() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let model = fs::read_to_string(root.join("shared/data/store/src/keys.rs")).expect("a text");
    let rows = model.lines().filter_map(|it| it.strip_prefix("//! | tenants | "));
    let is_behind_secret = |row: &&str| {
        let partition = row.split(" | ").nth(1).unwrap_or_default();
        let beginnings = ["hash of the token", "hash of the state", "`SESSION#", "`KEY#"];
        beginnings.iter().any(|it| partition.contains(it))
    };
    let found = rows.filter(is_behind_secret).filter_map(|it| it.split(" | ").next());
    let found: Vec<&str> = found.collect();
    assert_eq!(found, BEHIND_SECRETS, "whose rights does it depend on?");
}

/// The principal of a stored invitation decides.
#[tokio::test]
async fn an_invitation_of_a_key_that_no_longer_exists_has_ended() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let tenants = &service.cloud.tenants;
    let by = auth::Delegation::new(Principal::api_key("unknown"), service.now());
    let rights = tenants.rights_of(&operator(team), &by, service.now()).await.expect("read");
    assert!(rights.scopes.is_empty() && !rights.may_assign(Role::Member));
}

/// A person who controls a provider can sign in there as the members who have linked an account. Every operation for which an
/// admin's rights are not enough, or that is about more than the team, refuses them.
#[tokio::test]
async fn an_owner_who_signs_in_with_single_sign_on_acts_as_an_admin() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let owner = service.member(&team.id, Role::Owner).await;
    let other = service.member(&team.id, Role::Owner).await;
    let signed_in = service.linked_sso(&team, user("owner", &owner.email)).await;
    let session = text(&signed_in, "token");
    let me = service.get_as(&session, "/v1/auth/me").await;
    assert_eq!((&me.body["role"], &me.body["authMethod"]), (&json!("admin"), &json!("sso")));
    let ids = Ids { id: other.id.clone(), entry: other.id.clone() };
    let mut refused = Vec::new();
    for operation in operations(&service) {
        if !operation.needs_link && operation.lowest_role() < Role::Owner {
            continue;
        }
        let by = Some((session.as_str(), &team.id, Some(owner.id.as_str())));
        let answer = send(&service, &operation, by, &path(&operation, &ids)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}: {}", operation.id, answer.text);
        assert!(answer.detail().contains("sign in with a link"), "{}", answer.text);
        refused.push(operation.id);
    }
    refused.sort_unstable();
    let expected = [
        "audit_log",
        "change_role",
        "confirm_provider",
        "create_checkout_session",
        "create_portal_session",
        "create_team",
        "delete_single_sign_on",
        "delete_team",
        "delete_user",
        "end_member_sessions",
        "join_team",
        "put_single_sign_on",
        "switch_team",
        "update_profile",
        "verify_domains",
    ];
    assert_eq!(refused, expected);
    // Nor an owner's role, through operations that admins may call.
    for answer in [
        service.delete_as(&session, &format!("{MEMBERS}/{}", other.id)).await,
        service
            .post_as(&session, MEMBERS, json!({ "email": "lea@example.ch", "role": "owner" }))
            .await,
    ] {
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.text);
    }
    let invited = json!({ "email": "lea@example.ch", "role": "admin" });
    assert_eq!(service.post_as(&session, MEMBERS, invited).await.status, StatusCode::CREATED);
}

/// A process may know a caller for 60 seconds. What changes something asks for the present rights, before it reads the body.
#[tokio::test]
async fn nothing_is_changed_by_a_member_who_was_just_removed_or_a_key_just_revoked() {
    let service = Service::start().await;
    let team = service.sso_team().await;
    let tenants = &service.cloud.tenants;
    let partition = operator(team.id.clone());
    let ids = Ids { id: "0199c0de-0000-7000-8000-000000000001".into(), entry: "1".into() };
    let mut checked = 0;
    for operation in operations(&service) {
        // Screenings are kept as evidence.
        let changes = operation.scope != Scope::Read || operation.screens;
        if !changes || !operation.needs_token {
            continue;
        }
        let member = service.member(&team.id, Role::Owner).await;
        let me = service.get_as(&member.token, "/v1/auth/me").await;
        assert_eq!(me.status, StatusCode::OK, "{me:?}");
        let removed = tenants.remove_member(&partition, &member.id, |_| true, service.now()).await;
        assert!(removed.expect("removed").is_some());
        let by = Some((member.token.as_str(), &team.id, Some(member.id.as_str())));
        let answer = send(&service, &operation, by, &path(&operation, &ids)).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}: {}", operation.id, answer.text);
        checked += 1;
    }
    assert!(checked > 60, "{checked}");
}

/// The whole attack: the author has chosen a provider of her own, and an owner has linked an account there.
#[tokio::test]
async fn a_removed_owner_does_not_come_back_by_means_of_her_provider() {
    let service = Service::start().await;
    let world = World::new(&service).await;
    let (team, _) = world.with_provider().await;
    let tenants = &service.cloud.tenants;
    let owner = tenants.owners(&team.id).await.expect("read").into_iter();
    let owner = owner.map(|it| it.id).find(|it| *it != world.author.id).expect("the keeper");
    // The keeper signs in with the provider, too.
    let domain = format!("{}.example", world.author.id);
    let keeper = service.sso(&team, user("keeper", &format!("keeper@{domain}"))).await;
    let keeper = keeper.body["user"]["id"].as_str().expect(&keeper.text).to_owned();
    let promoted = json!({ "role": "owner" });
    service.put_as(&world.keeper, &format!("{MEMBERS}/{keeper}"), promoted).await;
    world.lose(Loss::Removed).await;
    let as_keeper = service.sso(&team, user("keeper", &format!("keeper@{domain}"))).await;
    let session = text(&as_keeper, "token");
    for answer in [
        service.post_as(&session, MEMBERS, json!({ "email": world.author.email })).await,
        service.post_as(&session, KEYS, json!({})).await,
        service.post_as(&session, "/v1/teams/me/sso/confirm", json!({})).await,
        service.delete_as(&session, &format!("{MEMBERS}/{owner}")).await,
        service.delete_as(&session, "/v1/teams/me").await,
    ] {
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.text);
    }
    assert_eq!(service.get_as(&session, "/v1/companies/count").await.status, StatusCode::OK);
}

#[tokio::test]
async fn mails_of_the_keys_to_a_removed_member_end() {
    let service = Service::start().await;
    let world = World::new(&service).await;
    let preferences = "/v1/notifications/preferences";
    let body = json!({ "emailAddress": world.author.email, "channel": "Email" });
    let put = service.put_as(&world.key, preferences, body).await;
    assert_eq!(put.status, StatusCode::OK, "{}", put.text);
    let link = service.mails()[0].text.clone();
    let token = link.split("confirm-email?token=").nth(1).expect("a link");
    let token = token.split_whitespace().next().expect("a token");
    let confirm = http::Request::post(format!("/v1/notifications/confirm-email?token={token}"));
    assert!(service.send(confirm).await.status.is_success());
    let team = service.get_as(&world.keeper, "/v1/teams/me").await.body["id"].clone();
    let team = TeamId(team.as_str().expect("an id").to_owned());
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let before = service.get_as(&key, preferences).await;
    assert!(before.body.get("emailConfirmedAt").is_some(), "{}", before.text);
    world.lose(Loss::Removed).await;
    let after = service.get_as(&key, preferences).await;
    assert_eq!(
        (after.body.get("emailConfirmedAt"), &after.body["channel"]),
        (None, &json!("InApp"))
    );
}
