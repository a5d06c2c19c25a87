//! What exceeds the tier after a downgrade pauses, and continues after an upgrade: every kind of resource whose number the tier
//! limits. What is counted in an hour or on a day, and how long evidence is kept, follows the present tier at once.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

use access::{
    Environment, RateGroup, Scope, TeamLimits, Tier, screening_subjects, webhook_deliveries,
};
use auth::{Principal, TeamId};
use domain::{Source, Uid, lists::List};
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};
use jobs::{DeliveryJob, ScheduleJob, SearchJob, WebhookJob};
use outgoing::mail::{Cause, Counts, Requester, limits as limits_of_mail};
use publications::Publication;
use serde_json::{Value, json};
use store::{Kind, MailWindow, Subject, TeamKey};
use teams::{
    MonitoredSubject, SearchKind, StoredSearch, Watch, WatchlistEntry, screening::ScreeningQuery,
};
use tests::{operator, workers_by_hand::waiting};
use uuid::Uuid;

use crate::{
    billing::send_event,
    list_updates::{Updated, with_targets},
};

/// The companies that the oldest and the newest resource are about.
const OLD: &str = "CHE-107.787.577";
const NEW: &str = "CHE-600.000.001";
/// The persons that the oldest and the newest resource are about.
const OLD_NAME: &str = "Quirin Altbekannt";
const NEW_NAME: &str = "Zenobia Neugebauer";
/// So many exceed the lower tier.
const EXCESS: u32 = 2;
const DAY: i64 = 24 * 3_600;

/// The limits, each with the kind of resource that it limits. A new limit must be added here.
fn limits(tier: Tier) -> [(Kind, u32); 6] {
    let TeamLimits {
        watches,
        listed_companies,
        saved_searches,
        alerts,
        webhooks,
        monitored_subjects,
    } = TeamLimits::of(tier);
    [
        (Kind::Watch, watches),
        (Kind::WatchlistEntry, listed_companies),
        (Kind::SavedSearch, saved_searches),
        (Kind::Alert, alerts),
        (Kind::Webhook, webhooks),
        (Kind::MonitoredSubject, monitored_subjects),
    ]
}

/// Whether the tier limits the number of a kind. A new kind must be added here.
fn is_limited(kind: Kind) -> bool {
    match kind {
        Kind::Watch
        | Kind::WatchlistEntry
        | Kind::SavedSearch
        | Kind::Alert
        | Kind::Webhook
        | Kind::MonitoredSubject => true,
        // The same number for every tier.
        Kind::Dossier
        | Kind::Invitation
        | Kind::Member
        | Kind::Note
        | Kind::Pipeline
        | Kind::PipelineEntry
        | Kind::Tag
        | Kind::Watchlist => false,
    }
}

/// A team that pays for its tier, in a service with two companies.
struct Paying {
    service: Updated,
    id: TeamId,
    team: TeamKey,
    key: String,
    /// The number of the last event or publication.
    number: AtomicU64,
}

impl Paying {
    async fn start() -> Self {
        let service = Updated::start().await;
        let companies = [OLD, NEW].into_iter().zip(1..);
        let registered = |(uid, number)| {
            Publication::registration(uid, "Muster AG").number(number).on("2020-01-06")
        };
        service.ingest_publications(companies.map(registered)).await;
        let id = service.team(Tier::Free).await;
        let key = service.key_of(&id, Environment::Live, &Scope::ALL).await;
        let (team, number) = (operator(id.clone()), AtomicU64::new(100));
        Self { service, id, team, key, number }
    }

    fn next(&self) -> u64 {
        self.number.fetch_add(1, Ordering::Relaxed)
    }

    /// Starts to pay for a tier, or ends that. Returns once processes have forgotten the tier of before.
    async fn pays(&self, is_paying: bool) {
        let stripe = &self.service.stripe;
        let (event, status) = match is_paying {
            true => ("customer.subscription.created", "active"),
            false => ("customer.subscription.deleted", "canceled"),
        };
        stripe.put_subscription("sub_1", &self.id.0, "price_professional", status);
        let event = stripe.subscription_event(&format!("evt_{}", self.next()), event, "sub_1");
        assert_eq!(send_event(&self.service, &event).await.status, StatusCode::OK);
        self.service.pass_seconds(61);
    }

    async fn list(&self, path: &str) -> Vec<Value> {
        let listed = self.service.get_as(&self.key, path).await;
        assert_eq!(listed.status, StatusCode::OK, "{path}: {listed:?}");
        listed.body.as_array().unwrap_or_else(|| panic!("{path}: {listed:?}")).clone()
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let created = self.service.post_as(&self.key, path, body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{path}: {created:?}");
        created.body
    }

    /// Creates this number of resources. The first is about [`OLD`], the last about [`NEW`].
    async fn create(&self, kind: Kind, number: u32) {
        let tenants = &self.service.cloud.tenants;
        let tier = Tier::Professional;
        let company = |index: u32| -> Uid {
            let text = match index {
                0 => OLD.to_owned(),
                it if it + 1 == number => NEW.to_owned(),
                it => format!("CHE{}", 300_000_000 + it),
            };
            text.parse().expect("a company number")
        };
        let created_by = Principal::api_key("k");
        let added_at = |index: u32| -> Timestamp {
            self.service.now() + SignedDuration::from_millis(index.into())
        };
        match kind {
            Kind::Watch => {
                for index in 0..number {
                    let watch = Watch {
                        company_uid: company(index),
                        after_sequence: 0,
                        created_by: created_by.clone(),
                        added_at: added_at(index),
                    };
                    tenants.create(&self.team, tier, &watch).await.expect("created");
                }
            }
            Kind::WatchlistEntry => {
                // The limit is within the second list.
                for (name, range) in [("Old", 0..number - 4), ("New", number - 4..number)] {
                    let list = self.post("/v1/watchlists", json!({ "name": name })).await;
                    let list = list["id"].as_str().expect("an id").to_owned();
                    let entry = |index| WatchlistEntry {
                        watchlist_id: list.clone(),
                        company_uid: company(index),
                        after_sequence: 0,
                        created_by: created_by.clone(),
                        added_at: added_at(index),
                    };
                    let entries: Vec<WatchlistEntry> = range.map(entry).collect();
                    let added = tenants.add_to_watchlist(&self.team, tier, &list, &entries).await;
                    assert_eq!(added.expect("added"), entries.len());
                }
            }
            Kind::SavedSearch => {
                for index in 0..number {
                    let body = json!({
                        "name": format!("Search {index}"), "searchParams": {}, "isScheduled": true,
                        "scheduleFrequency": "daily",
                    });
                    self.post("/v1/saved-searches", body).await;
                }
            }
            Kind::Alert => {
                for index in 0..number {
                    let body = json!({ "name": format!("Alert {index}"), "queryParams": {} });
                    self.post("/v1/alerts", body).await;
                }
            }
            Kind::Webhook => {
                for _ in 0..number {
                    // Nothing listens at this port.
                    let body = json!({ "url": "http://127.0.0.1:9/hook" });
                    let created = self.post("/v1/webhooks", body).await;
                    let id = created["webhook"]["id"].as_str().expect("an id");
                    self.service.prove_receiver(&self.team, id).await;
                }
            }
            Kind::MonitoredSubject => {
                for index in 0..number {
                    let (name, list) = match index {
                        0 => (OLD_NAME.to_owned(), List::Seco),
                        it if it + 1 == number => (NEW_NAME.to_owned(), List::Seco),
                        // Of another list: the update of this one does not concern them.
                        it => (format!("Person {it}"), List::FinmaWarning),
                    };
                    let subject = MonitoredSubject {
                        id: Uuid::now_v7(),
                        query: ScreeningQuery::of(name, vec![list]),
                        created_by: created_by.clone(),
                        created_at: self.service.now(),
                    };
                    tenants.monitor(&self.team, tier, &subject).await.expect("monitored");
                }
            }
            other => panic!("{other} have no limit by tier"),
        }
    }

    /// Whether each of the newest resources pauses, newest last.
    async fn paused(&self, kind: Kind) -> Vec<bool> {
        let listed = match kind {
            Kind::Watch => self.list("/v1/watches").await,
            Kind::SavedSearch => self.list("/v1/saved-searches").await,
            Kind::Alert => self.list("/v1/alerts").await,
            Kind::Webhook => self.list("/v1/webhooks").await,
            Kind::WatchlistEntry => {
                let [old, new] = &self.list("/v1/watchlists").await[..] else { panic!("two") };
                let mut companies = Vec::new();
                for list in [old, new] {
                    let id = list["id"].as_str().expect("an id");
                    let path = format!("/v1/watchlists/{id}/companies");
                    let mut listed = self.service.get_as(&self.key, &path).await.body;
                    let listed = listed["companies"].as_array_mut().expect("companies");
                    let paused = listed.iter().filter(|it| it["pausedReason"] == "tier").count();
                    assert_eq!(list["pausedCompanyCount"].as_u64().unwrap_or(0), paused as u64);
                    // They are sorted by number.
                    listed.sort_by_key(|it| it["pausedReason"] == "tier");
                    companies.append(listed);
                }
                companies
            }
            Kind::MonitoredSubject => {
                let mut listed = self.list("/v1/screening/subjects?limit=100").await;
                listed.reverse();
                listed
            }
            other => panic!("{other} have no limit by tier"),
        };
        for resource in &listed {
            let is_paused = resource["pausedReason"] == "tier";
            assert!(is_paused || resource.get("pausedReason").is_none(), "{resource}");
            // Its own switch stays as it is.
            assert!(
                resource
                    .get("status")
                    .is_none_or(|it| it == "active" || kind == Kind::WatchlistEntry)
            );
            assert!(resource.get("isActive").is_none_or(|it| it == true));
            assert!(resource.get("isScheduled").is_none_or(|it| it == true));
            if kind == Kind::Alert || kind == Kind::SavedSearch {
                assert_eq!(resource.get("nextRunAt").is_none(), is_paused, "{resource}");
            }
        }
        listed.iter().map(|it| it["pausedReason"] == "tier").collect()
    }

    /// Lets something happen that concerns the oldest and the newest resource. Returns whether the team learns of each.
    async fn effects(&self, kind: Kind) -> [bool; 2] {
        let service = &self.service;
        match kind {
            Kind::Watch | Kind::WatchlistEntry => {
                let before = self.notified().await;
                self.publish().await;
                let after = self.notified().await;
                [OLD, NEW].map(|company| {
                    let of =
                        |all: &[Value]| all.iter().filter(|it| it["companyUid"] == company).count();
                    of(&after) > of(&before)
                })
            }
            Kind::Webhook => {
                let webhooks = self.list("/v1/webhooks").await;
                let ends = [&webhooks[0], &webhooks[webhooks.len() - 1]];
                let ids = ends.map(|it| it["id"].as_str().expect("an id"));
                let before = [self.delivered(ids[0]).await, self.delivered(ids[1]).await];
                self.publish().await;
                let after = [self.delivered(ids[0]).await, self.delivered(ids[1]).await];
                [after[0] > before[0], after[1] > before[1]]
            }
            Kind::SavedSearch | Kind::Alert => {
                let (path, kind) = match kind {
                    Kind::Alert => ("/v1/alerts", SearchKind::Alert),
                    _ => ("/v1/saved-searches", SearchKind::SavedSearch),
                };
                let searches = self.list(path).await;
                let ends = [&searches[0], &searches[searches.len() - 1]];
                let ids = ends.map(|it| it["id"].as_str().expect("an id"));
                service.pass_seconds(DAY);
                service
                    .scheduler()
                    .handle(ScheduleJob::SendDue, service.now())
                    .await
                    .expect("sent");
                let job = |id: &str| SearchJob::Run {
                    team: self.id.clone(),
                    environment: Environment::Live,
                    search: StoredSearch { kind, id: id.to_owned() },
                    period: service.now(),
                };
                let sent = waiting(&service.cloud.searches_queue, &job("last")).await;
                let is_sent =
                    |id: &str| sent.iter().any(|SearchJob::Run { search, .. }| search.id == id);
                let mut effects = [false, false];
                for (effect, id) in effects.iter_mut().zip(ids) {
                    // As if it had been sent before the tier changed.
                    let worker = service.search_worker();
                    worker.handle(job(id), service.now()).await.expect("run");
                    let search = StoredSearch { kind, id: id.to_owned() };
                    let last = service.cloud.tenants.last_run(&self.team, &search).await;
                    let has_run = last.expect("read").is_some_and(|it| it.run_at == service.now());
                    assert_eq!(has_run, is_sent(id), "the scheduler and the worker agree: {id}");
                    *effect = has_run;
                }
                effects
            }
            Kind::MonitoredSubject => {
                let number = u32::try_from(self.next()).expect("small");
                let before = self.notified().await;
                let of = |name: &str, all: &[Value]| {
                    all.iter()
                        .filter(|it| it["title"].as_str().is_some_and(|it| it.starts_with(name)))
                        .count()
                };
                let entries: Vec<(u32, &str, &str)> = (100..=number)
                    .flat_map(|it| {
                        [
                            (70_000 + 2 * it, "individual", OLD_NAME),
                            (70_001 + 2 * it, "individual", NEW_NAME),
                        ]
                    })
                    .collect();
                service.pass_seconds(60);
                service.update(&with_targets(&entries)).await;
                let after = self.notified().await;
                [OLD_NAME, NEW_NAME].map(|it| of(it, &after) > of(it, &before))
            }
            other => panic!("{other} have no limit by tier"),
        }
    }

    /// Publishes a change of both companies.
    async fn publish(&self) {
        let change = |company| {
            let number = self.next();
            Publication::mutation(company, "Muster AG")
                .number(number)
                .on("2026-11-20")
                .new_purpose("Bau", &format!("Handel {number}"))
        };
        let batch = tests::read_publications(&[change(OLD), change(NEW)]);
        self.service.ingest(Source::Shab, batch).await;
        let worker = self.service.delivery_worker();
        worker.handle(DeliveryJob::NotifyWatchers).await.expect("delivered");
    }

    async fn notified(&self) -> Vec<Value> {
        let page = self.service.get_as(&self.key, "/v1/notifications?limit=100").await.body;
        page["items"].as_array().expect("items").clone()
    }

    /// Number of deliveries to a webhook.
    async fn delivered(&self, webhook: &str) -> usize {
        let tenants = &self.service.cloud.tenants;
        tenants.webhook_deliveries(&self.team, webhook, 100).await.expect("read").len()
    }

    /// After a change of the tier.
    async fn check(&self, kind: Kind, exceeds: bool) {
        let paused = self.paused(kind).await;
        let excess = if exceeds { EXCESS as usize } else { 0 };
        let (within, newest) = paused.split_at(paused.len() - excess);
        assert!(within.iter().all(|it| !it) && newest.iter().all(|it| *it), "{kind}: {paused:?}");
        assert_eq!(self.effects(kind).await, [true, !exceeds], "{kind}");
    }
}

/// Down, up and down again, through the payment provider.
async fn pauses_and_continues(kind: Kind) {
    assert!(is_limited(kind));
    let (_, max) = limits(Tier::Free).into_iter().find(|it| it.0 == kind).expect("a limit");
    let team = Paying::start().await;
    team.pays(true).await;
    team.create(kind, max + EXCESS).await;
    team.check(kind, false).await;
    for is_paying in [false, true, false] {
        team.pays(is_paying).await;
        team.check(kind, !is_paying).await;
    }
}

#[tokio::test]
async fn what_exceeds_the_tier_pauses_and_continues_by_itself() {
    for (kind, _) in limits(Tier::Free) {
        Box::pin(pauses_and_continues(kind)).await;
    }
}

/// What the tier limits beside the numbers of resources. A new one must be added here, see
/// [`each_place_that_depends_on_the_tier_is_tested`].
#[derive(Clone, Copy, Debug)]
enum Counted {
    Requests,
    Deliveries,
    Subjects,
    Mails,
    Evidence,
}

impl Counted {
    const ALL: [Self; 5] =
        [Self::Requests, Self::Deliveries, Self::Subjects, Self::Mails, Self::Evidence];
}

impl Paying {
    fn subject(&self) -> Subject {
        Subject::Team(self.id.clone())
    }

    /// Uses up what the Free tier includes.
    async fn use_up(&self, counted: Counted) {
        let (counters, now) = (&self.service.cloud.counters, self.service.now());
        let (subject, all) = (self.subject(), u32::MAX);
        match counted {
            Counted::Requests => {
                let group = RateGroup::SearchRead;
                let free = group.allowance(Tier::Free).expect("included").requests;
                counters.take_units(&subject, group, free, all, now).await.expect("counted");
            }
            Counted::Deliveries => {
                let (free, paid) = (Tier::Free, Tier::Professional);
                let (free, paid) = (webhook_deliveries(free), webhook_deliveries(paid));
                let made = free.requests;
                let counted = counters.count_webhook_deliveries(&subject, made, paid, now).await;
                counted.expect("counted");
            }
            Counted::Subjects => {
                let free = screening_subjects(Tier::Free);
                counters.count_subjects(&subject, free, all, now).await.expect("counted");
            }
            Counted::Mails => {
                let (client, tier) = ("192.0.2.1".parse().expect("one"), Tier::Free);
                let teams = self.subject();
                let cause = Cause::Invitation(Requester { teams, tier, person: None, client });
                let to = "eva.muster@example.ch".parse().expect("an address");
                let of_day = limits_of_mail(&cause, &to, self.service.components.get())
                    .into_iter()
                    .find(|it| (it.counts, it.window) == (Counts::Team, MailWindow::Day))
                    .expect("a limit");
                for _ in 0..of_day.max {
                    let (window, subject) = (of_day.window, &of_day.subject);
                    counters.count_mail_in(window, subject, all, now).await.expect("counted");
                }
            }
            // Nothing is counted.
            Counted::Evidence => {}
        }
    }

    /// Whether more is allowed. Of evidence: whether that of now is kept for longer than a month.
    async fn allows(&self, counted: Counted) -> bool {
        let service = &self.service;
        match counted {
            Counted::Requests => {
                let read = service.get_as(&self.key, &format!("/v1/companies/{OLD}")).await;
                assert!(matches!(read.status.as_u16(), 200 | 429), "{read:?}");
                read.status == StatusCode::OK
            }
            Counted::Deliveries => {
                let webhook = &self.list("/v1/webhooks").await[0];
                let id = webhook["id"].as_str().expect("an id").to_owned();
                self.publish().await;
                let (team, environment) = (self.id.clone(), Environment::Live);
                let webhook = id.clone();
                let job = WebhookJob::Deliver { team, environment, webhook };
                // A waiting job after an upgrade: the scheduler sends it at once.
                let worker = service.webhook_worker();
                worker.handle(job, service.now()).await.expect("handled");
                let made = service.cloud.tenants.webhook_deliveries(&self.team, &id, 100).await;
                let made = made.expect("read");
                let waits = made.iter().filter(|it| it.attempt == 0).count();
                let shown = self.list(&format!("/v1/webhooks/{id}/deliveries?limit=100")).await;
                let told = shown.iter().filter(|it| it["waitsFor"] == "daily_limit").count();
                assert_eq!(waits > 0, told > 0, "{shown:?}");
                waits == 0
            }
            Counted::Subjects => {
                let body = json!({ "name": "Mikalaj Dovreshenka" });
                let screened = service.post_as(&self.key, "/v1/screening", body).await;
                assert!(matches!(screened.status.as_u16(), 200 | 429), "{screened:?}");
                screened.status == StatusCode::OK
            }
            Counted::Mails => {
                let body = json!({ "email": format!("user{}@example.ch", self.next()) });
                let invited = service.post_as(&self.key, "/v1/teams/me/members", body).await;
                assert!(matches!(invited.status.as_u16(), 201 | 429), "{invited:?}");
                invited.status == StatusCode::CREATED
            }
            Counted::Evidence => {
                let body = json!({ "name": format!("Person {}", self.next()) });
                let screened = service.post_as(&self.key, "/v1/screening", body).await;
                let id = screened.body["id"].as_str().expect("an id");
                let id = Uuid::parse_str(id).expect("an id");
                let later = service.now() + SignedDuration::from_hours(31 * 24);
                let kept = service.cloud.tenants.screening(&self.team, id, later).await;
                kept.expect("read").is_some()
            }
        }
    }
}

#[tokio::test]
async fn what_is_counted_and_how_long_evidence_is_kept_follows_the_present_tier() {
    for counted in Counted::ALL {
        let team = Paying::start().await;
        team.pays(true).await;
        if matches!(counted, Counted::Deliveries) {
            team.create(Kind::Webhook, 1).await;
        }
        team.use_up(counted).await;
        assert!(team.allows(counted).await, "{counted:?}");
        for is_paying in [false, true, false] {
            team.pays(is_paying).await;
            assert_eq!(team.allows(counted).await, is_paying, "{counted:?}");
        }
    }
}

/// The files in which something depends on whether a team pays, each with what it limits. Whoever adds one adds a row to a test of
/// this file, if it is a limit.
#[test]
fn each_place_that_depends_on_the_tier_is_tested() {
    let expected: BTreeMap<&str, &str> = [
        ("shared/rules/access/src/allowance.rs", "Counted::Requests"),
        ("shared/rules/access/src/screening_subjects.rs", "Counted::Subjects"),
        ("shared/rules/access/src/team_limits.rs", "limits()"),
        ("shared/rules/access/src/webhook_deliveries.rs", "Counted::Deliveries"),
        ("shared/data/screening-lists/src/retention.rs", "Counted::Evidence"),
        ("shared/frames/outgoing/src/mail/limits.rs", "Counted::Mails"),
        (
            "functions/api/account/src/webhooks/limits.rs",
            "tests in 10 minutes, by host, of Free teams",
        ),
        ("shared/outside/billing/src/settings.rs", "only other tiers have prices"),
        ("shared/frames/http-service/src/openapi.rs", "the description says what needs a token"),
        ("shared/rules/auth/src/entitlement.rs", "which teams share an allowance"),
    ]
    .into();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut found = Vec::new();
    for top in ["shared", "functions"] {
        files_with_tiers(&root.join(top), &mut found);
    }
    let relative =
        |it: &String| it.strip_prefix(&format!("{}/", root.display())).map(str::to_owned);
    let mut found: Vec<String> = found.iter().filter_map(relative).collect();
    found.sort_unstable();
    assert_eq!(found, expected.keys().copied().collect::<Vec<_>>());
}

/// The sources below a folder that treat the Free tier differently, outside their tests.
fn files_with_tiers(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_with_tiers(&path, found);
            continue;
        }
        let name = path.display().to_string();
        if !name.ends_with(".rs") || name.contains("/tests/") || name.ends_with("tests.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        let differs = words.windows(2).any(|it| {
            let [one, next] = [it[0], it[1]];
            let is_free =
                |word: &str| word.trim_end_matches([')', ',', ';', '|']).ends_with("Tier::Free");
            (is_free(one) && next == "=>") || (matches!(one, "==" | "!=" | ">") && is_free(next))
        });
        if differs {
            found.push(name);
        }
    }
}

#[tokio::test]
async fn a_watch_that_paused_when_a_list_changed_is_compared_when_it_continues() {
    let (_, max) = limits(Tier::Free)[0];
    let team = Paying::start().await;
    team.pays(true).await;
    team.create(Kind::Watch, max + EXCESS).await;
    let hits = async || {
        let all = team.service.notifications(&team.key).await;
        [OLD, NEW].map(|company| all.iter().filter(|it| it["companyUid"] == company).count())
    };
    let mut listed = vec![(70_001, "entity", "Muster AG")];
    team.pays(false).await;
    team.service.update(&with_targets(&listed)).await;
    assert_eq!(hits().await, [1, 0]);
    for (is_paying, number) in [(false, 70_002), (true, 70_003), (true, 70_004)] {
        team.pays(is_paying).await;
        listed.push((number, "entity", "Unrelated Holding"));
        team.service.update(&with_targets(&listed)).await;
        assert_eq!(hits().await, [1, u8::from(is_paying).into()], "{number}");
    }
    let list = List::Seco;
    let marks = team.service.cloud.tenants.missed_updates(list).await.expect("read");
    assert!(marks.is_empty(), "{marks:?}");
}
