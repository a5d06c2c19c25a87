//! Limits on mails: nobody sends mail in our name without bound, and nobody keeps another from signing in.

use access::{Role, Tier};
use auth::{Creator, Email, Owner, TeamId};
use http::{Request, StatusCode, header};
use jobs::ScheduleJob;
use outgoing::mail::OutgoingMail;
use outgoing::mail::{
    Budget, Cause, Counts, Limit, NotAllowed, Reader, Requester, Sent, WhenFull, limits,
};
use serde_json::{Value, json};
use store::Subject;
use teams::MailKind;
use tests::{Answer, Service, SignedInMember, bearing, from, link_token};

const LINK: &str = "/v1/auth/magic-link";
const VERIFY: &str = "/v1/auth/magic-link/verify";
const MEMBERS: &str = "/v1/teams/me/members";
const PREFERENCES: &str = "/v1/notifications/preferences";
const EVA: &str = "eva.muster@example.ch";
const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;
/// A client address.
const ADDRESS: &str = "203.0.113.7";

fn eva() -> Email {
    EVA.parse().expect("an address")
}

/// Requests a sign-in link from a client address.
async fn request_link(service: &Service, address: &str, email: &str) -> Answer {
    let request = from(address, Request::post(LINK));
    let request = request.header(header::CONTENT_TYPE, "application/json");
    service.send_with(request, json!({ "email": email }).to_string()).await
}

async fn verify(service: &Service, token: &str) -> Answer {
    let request = Request::post(VERIFY).header(header::CONTENT_TYPE, "application/json");
    service.send_with(request, json!({ "token": token }).to_string()).await
}

/// A key that a user has created.
async fn key_by(service: &Service, token: &str) -> String {
    let body = json!({ "name": "By a user", "scopes": ["read", "write", "manage"] });
    let created = service.post_as(token, "/v1/api-keys", body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.text);
    created.body["key"].as_str().expect("a key").to_owned()
}

/// Counts mails until the limit is reached.
async fn fill(service: &Service, limit: &Limit) {
    let counters = &service.cloud.counters;
    for _ in 0..limit.max {
        let counted =
            counters.count_mail_in(limit.window, &limit.subject, limit.max, service.now()).await;
        counted.expect("counted");
    }
}

/// Somebody who causes mails of a kind.
struct Sender {
    service: Service,
    team: TeamId,
    user: SignedInMember,
    key: String,
}

impl Sender {
    async fn start(kind: MailKind) -> Self {
        let service = Service::start().await;
        // Small, so that it is soon reached.
        let service = service.with_mail_budget(Budget { per_hour: 40, per_day: 100 });
        let team = service.team(Tier::Free).await;
        let user = service.member(&team, Role::Owner).await;
        let key = key_by(&service, &user.token).await;
        let sender = Self { service, team, user, key };
        let mode = if kind == MailKind::Digest { "DailyDigest" } else { "Immediate" };
        let body = json!({ "channel": "Email", "deliveryMode": mode, "digestTime": "12:00" });
        let stored = sender.service.put_as(&sender.user.token, PREFERENCES, body).await;
        assert_eq!(stored.status, StatusCode::OK, "{}", stored.text);
        sender
    }

    /// The limits on what [`Self::send`] does.
    fn limits(&self, kind: MailKind) -> Vec<Limit> {
        let client = ADDRESS.parse().expect("an address");
        let (team, person) = (&self.team, Some(Creator::user(&self.user.id)));
        let teams = Subject::Team(team.clone());
        let requester = Requester { teams, tier: Tier::Free, person, client };
        let owner = Owner::User(self.user.id.clone());
        let reader = Reader::of(team, &Tier::Free.into(), &owner);
        let to = match kind {
            MailKind::Notification | MailKind::Digest => self.user.email.parse().expect("one"),
            _ => eva(),
        };
        let cause = match kind {
            MailKind::SignIn => Cause::SignIn { client, has_account: false },
            MailKind::Invitation => Cause::Invitation(requester),
            MailKind::Confirmation => Cause::Confirmation(requester),
            MailKind::Notification => Cause::Notification(reader),
            MailKind::Digest => Cause::Digest(reader),
            MailKind::AccountLink => Cause::AccountLink { team, user: &self.user.id },
            MailKind::Security => Cause::Security,
        };
        limits(&cause, &to, self.service.components.get())
    }

    /// The status of a request with the key, from a client address.
    async fn request(&self, request: http::request::Builder, body: Value) -> StatusCode {
        let request = bearing(&self.key, from(ADDRESS, request));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        self.service.send_with(request, body.to_string()).await.status
    }

    /// Causes a mail. Returns the status of the request, and the number of mails that were sent.
    async fn send(&self, kind: MailKind) -> (StatusCode, usize) {
        let before = self.service.mails().len();
        let status = match kind {
            MailKind::SignIn => request_link(&self.service, ADDRESS, EVA).await.status,
            MailKind::Invitation => {
                self.request(Request::post(MEMBERS), json!({ "email": EVA })).await
            }
            MailKind::Confirmation => {
                self.request(Request::put(PREFERENCES), json!({ "emailAddress": EVA })).await
            }
            MailKind::Notification | MailKind::Digest => {
                let token = self.service.session_of(&self.team, &self.user.id).await;
                let test = "/v1/notifications/test";
                let status = self.service.post_as(&token, test, json!({})).await.status;
                let scheduled = self.service.scheduler();
                scheduled.handle(ScheduleJob::SendDue, self.service.now()).await.expect("sent");
                self.service.run_mails().await;
                status
            }
            // Through HTTP: `sso_sign_in.rs`.
            MailKind::AccountLink => {
                self.send_directly(&Cause::AccountLink { team: &self.team, user: &self.user.id })
                    .await
            }
            MailKind::Security => self.send_directly(&Cause::Security).await,
        };
        (status, self.service.mails().len() - before)
    }
}

impl Sender {
    /// Sends a mail without a request. Returns the status that a request would get.
    async fn send_directly(&self, cause: &Cause<'_>) -> StatusCode {
        let outgoing: OutgoingMail = self.service.components.get();
        let now = self.service.now();
        let permit = match outgoing.allow(cause, &eva(), now).await {
            Ok(permit) => permit.expect("a permit"),
            Err(NotAllowed::Limit(_)) => return StatusCode::TOO_MANY_REQUESTS,
            Err(NotAllowed::Exhausted(_)) => return StatusCode::SERVICE_UNAVAILABLE,
            Err(failure) => panic!("{failure}"),
        };
        let mail = mail::sign_in(eva(), auth::Language::En, "https://x").expect("a mail");
        let sent = outgoing.send(permit, &mail, now).await.expect("sent");
        assert_eq!(sent, Sent::Sent);
        StatusCode::OK
    }
}

/// For every kind of mail: each of its limits stops it.
#[tokio::test]
async fn each_limit_of_each_kind_of_mail_is_kept() {
    for kind in MailKind::ALL {
        let sender = Sender::start(kind).await;
        let service = &sender.service;
        for limit in sender.limits(kind) {
            // All windows end.
            service.pass_seconds(DAY);
            fill(service, &limit).await;
            let (status, mails) = sender.send(kind).await;
            let is_of_all = matches!(limit.counts, Counts::Share | Counts::Deployment);
            let expected = match (kind, limit.when_full) {
                (MailKind::Notification | MailKind::Digest, _) => (StatusCode::OK, 0),
                (_, WhenFull::EarlierLink | WhenFull::NothingSent) => (StatusCode::ACCEPTED, 0),
                (_, WhenFull::Slower) => (StatusCode::ACCEPTED, 1),
                (_, WhenFull::Send) => (StatusCode::OK, 1),
                (_, WhenFull::Refuse) if is_of_all => (StatusCode::SERVICE_UNAVAILABLE, 0),
                (_, WhenFull::Refuse) => (StatusCode::TOO_MANY_REQUESTS, 0),
            };
            // The slow limit counts only above the daily one, which is not reached.
            let expected = match limit.counts {
                Counts::RecipientSlowly => (StatusCode::ACCEPTED, 1),
                _ => expected,
            };
            assert_eq!((status, mails), expected, "{kind:?} {limit:?}");
        }
        service.pass_seconds(2 * DAY);
        let (status, mails) = sender.send(kind).await;
        // Notifications that had to wait are sent too.
        assert!(status.is_success() && mails > 0, "{kind:?} {status} {mails}");
    }
}

#[tokio::test]
async fn requests_by_others_never_keep_a_person_from_signing_in() {
    let service = Service::start().await;
    let mut sent = Vec::new();
    for window in 0..8 {
        let before = service.mails().len();
        for network in 0..6 {
            for _ in 0..3 {
                let address = format!("198.51.{}.7", 10 * window + network);
                let answer = request_link(&service, &address, EVA).await;
                assert_eq!(answer.status, StatusCode::ACCEPTED, "{}", answer.text);
            }
        }
        sent.push(service.mails().len() - before);
        // A request of her own gets the same answer, and a link in her mailbox works.
        let own = request_link(&service, "2001:db8:1::7", EVA).await;
        assert_eq!(own.status, StatusCode::ACCEPTED, "{}", own.text);
        service.pass_seconds(9 * MINUTE);
        let signed_in = verify(&service, &link_token(&service.mails()[0])).await;
        assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
        service.pass_seconds(MINUTE);
    }
    // Not more than ten, and after fifty that were not used one in ten minutes: links that she uses do not count.
    assert!(sent.iter().all(|it| *it <= 10), "{sent:?}");
    assert_eq!((sent[0], sent[7]), (10, 2), "{sent:?}");
}

#[tokio::test]
async fn a_link_that_was_used_makes_room_for_another() {
    let service = Service::start().await;
    let other = |it: usize| format!("198.51.{it}.7");
    for network in 0..10 {
        request_link(&service, &other(network), EVA).await;
    }
    assert_eq!(service.mails().len(), 10);
    request_link(&service, &other(10), EVA).await;
    assert_eq!(service.mails().len(), 10);
    let signed_in = verify(&service, &link_token(&service.mails()[0])).await;
    assert_eq!(signed_in.status, StatusCode::OK);
    request_link(&service, &other(11), EVA).await;
    assert_eq!(service.mails().len(), 11);
}

#[tokio::test]
async fn all_teams_and_keys_of_a_person_are_one_sender() {
    let service = Service::start().await;
    let team = service.team(Tier::Free).await;
    let user = service.member(&team, Role::Owner).await;
    let mut keys = vec![key_by(&service, &user.token).await];
    for number in 0..3 {
        let body = json!({ "name": format!("Team {number}") });
        let created = service.post_as(&user.token, "/v1/teams", body).await;
        let team = TeamId(created.body["id"].as_str().expect("an id").to_owned());
        let token = service.session_of(&team, &user.id).await;
        keys.push(key_by(&service, &token).await);
    }
    // A key that a key has created has the same author.
    let second = key_by(&service, &keys[3]).await;
    keys.push(second);
    // Each from another network.
    let invite = async |token: &str, number: usize| {
        let request = bearing(token, from(&format!("198.51.{number}.7"), Request::post(MEMBERS)));
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let body = json!({ "email": format!("user{number}@example.ch") });
        service.send_with(request, body.to_string()).await
    };
    let mut invited = 0;
    for number in 0..40 {
        let answer = invite(&keys[number % keys.len()], number).await;
        invited += usize::from(answer.status.is_success());
    }
    assert_eq!((invited, service.mails().len()), (20, 20));
    // Also on the same day.
    service.pass_seconds(20 * MINUTE);
    let refused = invite(&keys[1], 40).await;
    assert_eq!(
        (refused.status, &refused.body["window"], &refused.body["limit"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("1d"), &json!(20)),
        "{}",
        refused.text
    );
    assert_eq!(refused.header("retry-after"), Some("40200"));
    // Another person is not affected.
    let other = service.session(&service.team(Tier::Free).await, Role::Owner).await;
    assert_eq!(invite(&other, 41).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn neighbouring_networks_request_60_links_in_10_minutes() {
    for networks in [
        (0..5).map(|it| format!("2001:db8:1:{it}::1")).collect::<Vec<_>>(),
        (0..5).map(|it| format!("192.0.2.{it}")).collect(),
    ] {
        let service = Service::start().await;
        for (number, network) in networks.iter().enumerate() {
            for user in 0..16 {
                let email = format!("user{number}.{user}@example.ch");
                request_link(&service, network, &email).await;
            }
        }
        assert_eq!(service.mails().len(), 60, "{networks:?}");
    }
}

#[tokio::test]
async fn sign_in_links_are_sent_when_invitations_have_used_their_share() {
    let service = Service::start().await.with_mail_budget(Budget { per_hour: 20, per_day: 1_000 });
    let team = service.team(Tier::Enterprise).await;
    let owner = service.session(&team, Role::Owner).await;
    let invite = async |number: usize| {
        let body = json!({ "email": format!("user{number}@example.ch") });
        service.post_as(&owner, MEMBERS, body).await
    };
    for number in 0..4 {
        assert_eq!(invite(number).await.status, StatusCode::CREATED);
    }
    let refused = invite(4).await;
    assert_eq!(
        (refused.status, refused.slug()),
        (StatusCode::SERVICE_UNAVAILABLE, "service-unavailable")
    );
    let link = async |it: usize, email: &str| {
        let answer = request_link(&service, &format!("198.51.{it}.7"), email).await;
        (answer.status, service.mails().len())
    };
    // New addresses have a share too, and do not learn that it is used up.
    let new = async |it: usize| link(it, &format!("person{it}@example.ch")).await;
    for (number, sent) in [(0, 5), (1, 6), (2, 7), (3, 7), (4, 7)] {
        assert_eq!(new(number).await, (StatusCode::ACCEPTED, sent));
    }
    // The rest is for addresses with an account.
    for sent in 8..=20 {
        let user = service.member(&team, Role::Member).await;
        assert_eq!(link(sent, &user.email).await, (StatusCode::ACCEPTED, sent));
    }
    let user = service.member(&team, Role::Member).await;
    assert_eq!(link(21, &user.email).await, (StatusCode::SERVICE_UNAVAILABLE, 20));
    assert_eq!(new(22).await, (StatusCode::SERVICE_UNAVAILABLE, 20), "as an address with one");
    service.pass_seconds(3_600);
    assert_eq!(link(21, &user.email).await, (StatusCode::ACCEPTED, 21));
}

#[tokio::test]
async fn neighbours_never_keep_a_person_from_signing_in_and_nobody_learns_who_has_an_account() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    let flood = async || {
        for address in 0..4 {
            for number in 0..20 {
                let email = format!("nobody{address}.{number}@example.ch");
                request_link(&service, &format!("192.0.2.{address}"), &email).await;
            }
        }
    };
    flood().await;
    assert_eq!(service.mails().len(), 60);
    let own = request_link(&service, "192.0.2.77", &user.email).await;
    assert_eq!((own.status, service.mails().len()), (StatusCode::ACCEPTED, 61));
    let unknown = request_link(&service, "192.0.2.77", EVA).await;
    assert_eq!((unknown.status, service.mails().len()), (own.status, 61));
    assert_eq!(unknown.text, own.text);
    // Others in the network get the person no second one, and the first works.
    request_link(&service, "192.0.2.78", &user.email).await;
    assert_eq!(service.mails().len(), 61);
    let signed_in = verify(&service, &link_token(&service.mails()[0])).await;
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.text);
    request_link(&service, "192.0.2.77", &user.email).await;
    assert_eq!(service.mails().len(), 62, "the first one was used");
}

#[tokio::test]
async fn the_free_teams_of_a_creator_get_the_notifications_of_one_team() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    let mut teams = Vec::new();
    for number in 0..2 {
        let body = json!({ "name": format!("Team {number}") });
        let created = service.post_as(&user.token, "/v1/teams", body).await;
        teams.push(TeamId(created.body["id"].as_str().expect("an id").to_owned()));
    }
    let outgoing: OutgoingMail = service.components.get();
    // Of the notifications of API keys, to different addresses.
    let mail = async |team: &TeamId, number: u32| {
        let entitlement =
            service.cloud.tenants.entitlement(team, service.now()).await.expect("read");
        let cause = Cause::Notification(Reader::of(team, &entitlement, &Owner::ApiKeys));
        let to = format!("user{number}@example.ch").parse().expect("an address");
        outgoing.allow(&cause, &to, service.now()).await
    };
    for number in 0..outgoing::mail::MAX_NOTIFICATIONS_A_DAY {
        mail(&teams[number as usize % 2], number).await.expect("allowed");
    }
    for team in &teams {
        let refused = mail(team, 1_000).await.expect_err("refused");
        assert!(matches!(refused, NotAllowed::Limit(_)), "{refused}");
    }
    let paying = service.team(Tier::Starter).await;
    mail(&paying, 1_001).await.expect("allowed");
}

#[tokio::test]
async fn a_mail_that_cannot_be_sent_counts_nothing() {
    let service = Service::start().await;
    let outbox = service.outbox();
    std::fs::write(&outbox, "not a directory").expect("written");
    for _ in 0..6 {
        let failed = request_link(&service, ADDRESS, EVA).await;
        assert_eq!(failed.status, StatusCode::SERVICE_UNAVAILABLE, "{}", failed.text);
    }
    std::fs::remove_file(&outbox).expect("removed");
    assert_eq!(request_link(&service, ADDRESS, EVA).await.status, StatusCode::ACCEPTED);
    assert_eq!(service.mails().len(), 1);
}

#[tokio::test]
async fn the_name_of_a_team_stands_in_mails_after_a_week_and_in_no_subject() {
    let service = Service::start().await;
    let user = service.member(&service.team(Tier::Free).await, Role::Owner).await;
    let body = json!({ "name": "Ihr Konto ist gesperrt" });
    let created = service.post_as(&user.token, "/v1/teams", body).await;
    let team = TeamId(created.body["id"].as_str().expect("an id").to_owned());
    let mail = async |number: usize| {
        let token = service.session_of(&team, &user.id).await;
        let body = json!({ "email": format!("user{number}@example.ch") });
        let invited = service.post_as(&token, MEMBERS, body).await;
        assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text);
        let mail = service.mails().remove(0);
        assert_eq!(mail.subject, "Invitation to a team on Gotthard");
        mail
    };
    let rename = async |name: &str| {
        let token = service.session_of(&team, &user.id).await;
        let renamed = service.put_as(&token, "/v1/teams/me", json!({ "name": name })).await;
        assert_eq!(renamed.status, StatusCode::OK, "{}", renamed.text);
    };
    let says = |mail: &local::outbox::OutboxMail, name: &str| {
        (mail.text.contains(name), mail.html.contains(name))
    };
    assert_eq!(says(&mail(0).await, "gesperrt"), (false, false));
    service.pass_seconds(7 * DAY);
    assert_eq!(says(&mail(1).await, "gesperrt"), (true, true));
    rename("Muster Treuhand").await;
    assert_eq!(says(&mail(2).await, "Treuhand"), (false, false), "an old team, a new name");
    service.pass_seconds(7 * DAY);
    assert_eq!(says(&mail(3).await, "Treuhand"), (true, true));
    rename("evil.example").await;
    service.pass_seconds(7 * DAY);
    assert_eq!(says(&mail(4).await, "evil"), (false, false), "programs would make a link of it");
    let asked: Value = json!({ "emailAddress": EVA });
    let token = service.session_of(&team, &user.id).await;
    service.put_as(&token, PREFERENCES, asked).await;
    assert_eq!(says(&service.mails()[0], "evil"), (false, false));
}
