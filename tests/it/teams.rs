//! Teams: members, roles and invitations.

use access::{Environment, Role, Scope, Tier};
use http::{Request, StatusCode};
use serde_json::{Value, json};
use tests::{Answer, Service, SignedInMember, link_token};

const ME: &str = "/v1/teams/me";
const MEMBERS: &str = "/v1/teams/me/members";
const INVITATIONS: &str = "/v1/teams/me/invitations";

fn member_path(member: &SignedInMember) -> String {
    format!("{MEMBERS}/{}", member.id)
}

/// The roles of all members, sorted.
async fn roles(service: &Service, token: &str) -> Vec<String> {
    let list = service.get_as(token, MEMBERS).await.body;
    let role = |it: &Value| it["role"].as_str().expect("a role").to_owned();
    let mut roles: Vec<String> = list.as_array().expect("a list").iter().map(role).collect();
    roles.sort_unstable();
    roles
}

#[tokio::test]
async fn a_user_creates_a_team_and_switches_to_it() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Starter).await, Role::Member).await;
    let body = json!({ "name": "Müller & Söhne Treuhand" });
    let created = service.post_as(&user.token, "/v1/teams", body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    assert_eq!(
        (&created.body["slug"], &created.body["tier"]),
        (&json!("muller-sohne-treuhand"), &json!("free"))
    );
    let id = created.body["id"].clone();
    let switched =
        service.post_as(&user.token, "/v1/auth/switch-team", json!({ "teamId": id })).await;
    let token = switched.body["token"].as_str().expect("a token");
    let team = service.get_as(token, ME).await.body;
    for (member, value) in created.body.as_object().expect("an object") {
        assert_eq!(team[member], *value, "{member}");
    }
    let members = service.get_as(token, MEMBERS).await.body;
    assert_eq!(members[0]["id"], json!(user.id));
    assert_eq!((&members[0]["role"], &members[0]["email"]), (&json!("owner"), &json!(user.email)));
    let renamed = service.put_as(token, ME, json!({ "name": "Treuhand AG" })).await;
    assert_eq!(renamed.body["name"], "Treuhand AG", "{}", renamed.text);
    assert_eq!(service.get_as(token, ME).await.body["slug"], renamed.body["slug"]);
}

#[tokio::test]
async fn renaming_a_team_does_not_change_its_tier() {
    let service = Service::start().await;
    let team = service.team(Tier::Professional).await;
    let admin = service.session(&team, Role::Admin).await;
    service.put_as(&admin, ME, json!({ "name": "Neu" })).await;
    let found = service.second_process().get_as(&admin, ME).await;
    assert_eq!((&found.body["name"], &found.body["tier"]), (&json!("Neu"), &json!("professional")));
}

#[tokio::test]
async fn the_operator_gives_a_team_without_members_an_owner() {
    let service = Service::start().await;
    let keys_only = service.team(Tier::Professional).await;
    let user = service.member(&service.team(Tier::Free).await, Role::Member).await;
    let email = user.email.parse().expect("an address");
    // Twice, as after a lost answer.
    for _ in 0..2 {
        let now = service.now();
        let added = local::teams::add_owner(&service.cloud.tenants, &keys_only, &email, now).await;
        added.expect("an owner");
    }
    let switched = service
        .post_as(&user.token, "/v1/auth/switch-team", json!({ "teamId": keys_only.0 }))
        .await;
    let token = switched.body["token"].as_str().expect("a token");
    assert_eq!(roles(&service, token).await, ["owner"]);
    assert_eq!(service.get_as(token, ME).await.body["tier"], "professional");
}

#[tokio::test]
async fn a_user_can_be_in_20_teams() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Member).await;
    for _ in 1..20 {
        let created = service.post_as(&user.token, "/v1/teams", json!({})).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    }
    let refused = service.post_as(&user.token, "/v1/teams", json!({})).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::CONFLICT, "conflict"));
    // Leaving one makes room.
    let left = service.post_as(&user.token, "/v1/teams/me/leave", json!({})).await;
    assert_eq!(left.status, StatusCode::NO_CONTENT, "{}", left.text);
    let refused = service.post_as(&user.token, "/v1/teams", json!({})).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    let others = service.cloud.tenants.teams_of(&user.id).await.expect("read");
    let session = service.session_of(&others[0].team, &user.id).await;
    let created = service.post_as(&session, "/v1/teams", json!({})).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
}

/// Each role tries each operation on members. The numbers are the statuses for member, admin, owner, and a key with
/// all scopes.
#[tokio::test]
async fn roles_decide_about_members_as_in_this_table() {
    let service = Service::start().await;
    #[rustfmt::skip]
    let table: [(&str, Role, [u16; 4]); 11] = [
        //  operation          on a     member admin owner  key
        ("list members",    Role::Member, [200, 200, 200, 200]),
        ("rename",          Role::Member, [403, 200, 200, 200]),
        ("list invitations",Role::Member, [403, 200, 200, 200]),
        ("invite",          Role::Member, [403, 201, 201, 201]),
        ("invite",          Role::Admin,  [403, 201, 201, 201]),
        ("invite",          Role::Owner,  [403, 403, 201, 403]),
        ("make an admin",   Role::Member, [403, 403, 200, 403]),
        ("make an admin",   Role::Owner,  [403, 403, 200, 403]),
        ("remove",          Role::Member, [403, 204, 204, 204]),
        ("remove",          Role::Admin,  [403, 204, 204, 204]),
        ("remove",          Role::Owner,  [403, 403, 204, 403]),
    ];
    for (operation, of, expected) in table {
        let mut found = Vec::new();
        for caller in [Some(Role::Member), Some(Role::Admin), Some(Role::Owner), None] {
            let team = service.team(Tier::Free).await;
            // So that none of the others is the last owner.
            service.member(&team, Role::Owner).await;
            let token = match caller {
                Some(role) => service.session(&team, role).await,
                None => service.key_of(&team, Environment::Live, &Scope::ALL).await,
            };
            let target = service.member(&team, of).await;
            let answer = match operation {
                "list members" => service.get_as(&token, MEMBERS).await,
                "rename" => service.put_as(&token, ME, json!({ "name": "Neu" })).await,
                "list invitations" => service.get_as(&token, INVITATIONS).await,
                "invite" => {
                    let body = json!({ "email": "lea@example.ch", "role": of });
                    // The limit of mails to one address.
                    service.pass_seconds(600);
                    service.post_as(&token, MEMBERS, body).await
                }
                "make an admin" => {
                    service.put_as(&token, &member_path(&target), json!({ "role": "admin" })).await
                }
                _ => service.delete_as(&token, &member_path(&target)).await,
            };
            found.push(answer.status.as_u16());
        }
        assert_eq!(found, expected, "{operation} {of}");
    }
}

#[tokio::test]
async fn the_last_owner_stays() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.member(&team, Role::Owner).await;
    let path = member_path(&owner);
    for answer in [
        service.put_as(&owner.token, &path, json!({ "role": "admin" })).await,
        service.delete_as(&owner.token, &path).await,
        service.post_as(&owner.token, "/v1/teams/me/leave", json!({})).await,
    ] {
        assert_eq!((answer.status, answer.slug()), (StatusCode::CONFLICT, "conflict"));
        assert!(answer.detail().contains("needs an owner"), "{}", answer.text);
    }
    let other = service.member(&team, Role::Admin).await;
    let promoted =
        service.put_as(&owner.token, &member_path(&other), json!({ "role": "owner" })).await;
    assert_eq!(promoted.status, StatusCode::OK, "{}", promoted.text);
    let left = service.post_as(&owner.token, "/v1/teams/me/leave", json!({})).await;
    assert_eq!(left.status, StatusCode::NO_CONTENT);
    service.pass_seconds(60);
    assert_eq!(roles(&service, &other.token).await, ["owner"]);
}

#[tokio::test]
async fn of_owners_who_leave_at_the_same_time_one_stays() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let mut owners = Vec::new();
    for _ in 0..4 {
        owners.push(service.member(&team, Role::Owner).await);
    }
    let requests = owners.iter().enumerate().map(async |(index, owner)| match index % 2 {
        0 => service.post_as(&owner.token, "/v1/teams/me/leave", json!({})).await,
        _ => service.put_as(&owner.token, &member_path(owner), json!({ "role": "member" })).await,
    });
    let answers: Vec<Answer> = futures_util::future::join_all(requests).await;
    let refused = answers.iter().filter(|it| it.status == StatusCode::CONFLICT);
    assert_eq!(refused.count(), 1, "{answers:?}");
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let owners = roles(&service, &key).await.into_iter().filter(|it| it == "owner");
    assert_eq!(owners.count(), 1);
}

#[tokio::test]
async fn the_link_of_an_invitation_signs_in_and_joins_the_team() {
    let service = Service::start().await;
    let team = service.team(Tier::Starter).await;
    let admin = service.session(&team, Role::Admin).await;
    let invited = service
        .post_as(&admin, MEMBERS, json!({ "email": "Lea@Example.ch", "role": "Admin" }))
        .await;
    assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
    assert_eq!(
        (&invited.body["email"], &invited.body["role"], &invited.body["status"]),
        (&json!("lea@example.ch"), &json!("admin"), &json!("pending"))
    );
    assert_eq!(invited.header("cache-control"), Some("no-store"));
    let listed = service.get_as(&admin, INVITATIONS).await;
    assert_eq!(listed.body[0]["id"], invited.body["id"]);
    let token = invited.body["token"].as_str().expect("a token");
    assert!(!listed.text.contains("token"), "{}", listed.text);

    let mail = service.mails().into_iter().next().expect("a mail");
    assert_eq!(
        (mail.to.as_str(), mail.subject.as_str()),
        ("lea@example.ch", "Invitation to a team on Gotthard")
    );
    let link = link_token(&mail);
    assert!(
        !mail.text.contains(token) && link != token,
        "the inviter cannot sign in as the invited"
    );
    let body = json!({ "token": token });
    let refused = service.post_as(&admin, "/v1/auth/magic-link/verify", body).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);

    let body = json!({ "token": link });
    let signed_in = service.post_as(&admin, "/v1/auth/magic-link/verify", body.clone()).await;
    assert_eq!(signed_in.body["team"]["id"], json!(team.0), "{}", signed_in.text);
    let lea = signed_in.body["token"].as_str().expect("a token");
    assert_eq!(service.get_as(lea, "/v1/auth/me").await.body["role"], "admin");
    assert_eq!(service.get_as(&admin, INVITATIONS).await.body, json!([]));
    let again = service.post_as(&admin, "/v1/auth/magic-link/verify", body).await;
    assert_eq!(again.status, StatusCode::UNAUTHORIZED);
}

/// An invitation stays in a mailbox for days. It must not be a week's access to an account with other teams.
#[tokio::test]
async fn an_old_link_of_an_invitation_sends_a_new_one_to_an_existing_account() {
    let service = Service::start().await;
    let (team, own) = (service.team(Tier::Starter).await, service.team(Tier::Free).await);
    let owner = service.session(&team, Role::Owner).await;
    let user = service.member(&own, Role::Owner).await;
    let verify = async |token: &str| {
        let request = Request::post("/v1/auth/magic-link/verify");
        let request = request.header("content-type", "application/json");
        service.send_with(request, json!({ "token": token }).to_string()).await
    };
    for email in [user.email.as_str(), "lea@example.ch"] {
        service.post_as(&owner, MEMBERS, json!({ "email": email })).await;
    }
    let links: Vec<String> = service.mails().iter().map(link_token).collect();
    let [new, existing] = &links[..] else { panic!("two mails, newest first: {links:?}") };
    service.pass_seconds(15 * 60);
    let refused = verify(existing).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{}", refused.text);
    assert!(refused.detail().contains("a new link was sent"), "{}", refused.text);
    let mails = service.mails();
    assert_eq!((mails.len(), &mails[0].to), (3, &user.email));
    let signed_in = verify(&link_token(&mails[0])).await;
    assert_eq!(signed_in.body["team"]["id"], json!(team.0), "{}", signed_in.text);
    assert_eq!(verify(existing).await.status, StatusCode::UNAUTHORIZED, "the invitation is used");
    let signed_up = verify(new).await;
    assert_eq!(signed_up.body["team"]["id"], json!(team.0), "{}", signed_up.text);
}

#[tokio::test]
async fn a_user_joins_with_the_token_of_an_invitation_to_the_own_address() {
    let service = Service::start().await;
    let (team, own) = (service.team(Tier::Starter).await, service.team(Tier::Free).await);
    let owner = service.session(&team, Role::Owner).await;
    let (user, other) =
        (service.member(&own, Role::Owner).await, service.member(&own, Role::Member).await);
    let invited = service.post_as(&owner, MEMBERS, json!({ "email": user.email })).await;
    let join = async |token: &str, invitation: &Answer| {
        let body = json!({ "token": invitation.body["token"] });
        service.post_as(token, "/v1/teams/join", body).await
    };
    let refused = join(&other.token, &invited).await;
    assert_eq!((refused.status, refused.slug()), (StatusCode::FORBIDDEN, "forbidden"));
    let joined = join(&user.token, &invited).await;
    assert_eq!(
        joined.body,
        json!({ "teamId": team.0, "teamName": "Local starter", "role": "member" })
    );
    assert_eq!(join(&user.token, &invited).await.status, StatusCode::NOT_FOUND, "once");
    let again = service.post_as(&owner, MEMBERS, json!({ "email": user.email })).await;
    assert_eq!(again.status, StatusCode::CONFLICT, "a member already: {}", again.text);

    // Replaced, cancelled and expired invitations.
    let invite = async || service.post_as(&owner, MEMBERS, json!({ "email": other.email })).await;
    let (replaced, cancelled) = (invite().await, invite().await);
    assert_eq!(join(&other.token, &replaced).await.status, StatusCode::NOT_FOUND);
    assert_eq!(service.get_as(&owner, INVITATIONS).await.body.as_array().map(Vec::len), Some(1));
    let path = format!("{INVITATIONS}/{}", cancelled.body["id"].as_str().expect("an id"));
    assert_eq!(service.delete_as(&owner, &path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete_as(&owner, &path).await.status, StatusCode::NOT_FOUND);
    assert_eq!(join(&other.token, &cancelled).await.status, StatusCode::NOT_FOUND);
    let link = json!({ "token": link_token(&service.mails()[0]) });
    let refused = service.post_as(&owner, "/v1/auth/magic-link/verify", link).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "a cancelled invitation signs nobody in");
    let expired = invite().await;
    service.pass_seconds(7 * 24 * 3_600);
    let other = service.session_of(&own, &other.id).await;
    assert_eq!(join(&other, &expired).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_api_key_invites_only_with_rights_that_it_has() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let key = service.key_of(&team, Environment::Live, &[Scope::Read, Scope::Manage]).await;
    for role in ["member", "admin", "owner"] {
        let body = json!({ "email": "lea@example.ch", "role": role });
        let refused = service.post_as(&key, MEMBERS, body).await;
        assert_eq!(
            (refused.status, refused.slug()),
            (StatusCode::FORBIDDEN, "forbidden"),
            "{role}"
        );
    }
    assert_eq!(service.mails(), []);
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    for path in ["/v1/teams", "/v1/teams/me/leave", "/v1/auth/logout"] {
        let refused = service.post_as(&key, path, json!({})).await;
        assert_eq!(refused.status, StatusCode::FORBIDDEN, "{path}");
        assert!(refused.detail().contains("requires the session of a user"), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_team_sends_20_invitations_in_10_minutes() {
    let service = Service::start().await;
    let owner = service.session(&service.team(Tier::Free).await, Role::Owner).await;
    let invite = async |number: usize| {
        let body = json!({ "email": format!("user{number}@example.ch") });
        service.post_as(&owner, MEMBERS, body).await
    };
    for number in 0..20 {
        assert_eq!(invite(number).await.status, StatusCode::CREATED);
    }
    assert_eq!(invite(20).await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(service.get_as(&owner, INVITATIONS).await.body.as_array().map(Vec::len), Some(20));
}

#[tokio::test]
async fn a_user_without_a_team_gets_a_new_one_at_the_next_sign_in() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let owner = service.session(&team, Role::Owner).await;
    let user = service.member(&team, Role::Member).await;
    service.delete_as(&owner, &member_path(&user)).await;
    let body = json!({ "email": user.email });
    service.post_as(&owner, "/v1/auth/magic-link", body).await;
    let link = json!({ "token": link_token(&service.mails()[0]) });
    let signed_in = service.post_as(&owner, "/v1/auth/magic-link/verify", link).await;
    assert_eq!(signed_in.body["user"]["id"], json!(user.id), "{}", signed_in.text);
    assert_ne!(signed_in.body["team"]["id"], json!(team.0));
}
