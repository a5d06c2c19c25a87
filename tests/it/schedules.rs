//! Saved searches and alerts run when they are due, once in each period, and notify of what is new.

use std::{collections::BTreeMap, ops::Deref, pin::pin};

use access::{Environment, Scope, Tier};
use auth::{Owner, TeamId};
use futures_util::future::join_all;
use jobs::{MailJob, ScheduleJob, SearchJob};
use local::cloud::clients::dynamodb_client;
use serde_json::{Value, json};
use store::{Kind, TeamKey, Tenants, keys};
use teams::{SearchKind, StoredSearch, Task};
use tests::{
    Service,
    faults::{Fault, Faults},
    in_canton, in_zurich, operator,
    workers_by_hand::{killed_after, polled, waiting},
};

use crate::{items::Items, logs::Log};

const SEARCHES: &str = "/v1/saved-searches";
const ALERTS: &str = "/v1/alerts";
const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;

/// A service with the scheduler and the worker that runs searches.
struct Scheduled {
    service: Service,
    scheduler: scheduler::Worker,
    worker: saved_searches::Worker,
}

/// A team with a saved search for companies in Zürich that runs daily.
struct Searching {
    id: TeamId,
    team: TeamKey,
    key: String,
    search: StoredSearch,
}

impl Deref for Scheduled {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

impl Scheduled {
    /// A service with one company in Zürich and one in Bern.
    async fn start() -> Self {
        let bern = in_canton("CHE-600.000.018", "Berner AG", "BE");
        Self::over(Service::with([in_zurich(0), bern]).await)
    }

    fn over(service: Service) -> Self {
        let (scheduler, worker) = (service.scheduler(), service.search_worker());
        Self { service, scheduler, worker }
    }

    /// Runs the scheduler, and returns the jobs that it has sent.
    async fn due(&self) -> Vec<SearchJob> {
        self.scheduler.handle(ScheduleJob::SendDue, self.now()).await.expect("sent");
        let last = SearchJob::Run {
            team: TeamId("nobody".into()),
            environment: Environment::Live,
            search: serde_json::from_value(json!({ "kind": "alert", "id": uuid::Uuid::new_v4() }))
                .expect("a search"),
            period: self.now(),
        };
        waiting(&self.cloud.searches_queue, &last).await
    }

    async fn run(&self, job: &SearchJob) {
        self.worker.handle(job.clone(), self.now()).await.expect("run");
    }

    /// Moves the clock, then runs what is due. Returns the number of jobs.
    async fn after(&self, seconds: i64) -> usize {
        self.pass_seconds(seconds);
        let jobs = self.due().await;
        for job in &jobs {
            self.run(job).await;
        }
        jobs.len()
    }

    /// The path of a new saved search for companies in Zürich.
    async fn search(&self, key: &str, frequency: &str) -> String {
        let body = json!({
            "name": "Zürich", "searchParams": { "canton": "ZH" }, "isScheduled": true,
            "scheduleFrequency": frequency,
        });
        let created = self.post_as(key, SEARCHES, body).await;
        assert_eq!(created.status, 201, "{created:?}");
        format!("{SEARCHES}/{}", created.body["id"].as_str().expect("an id"))
    }

    async fn searching(&self) -> Searching {
        let id = self.team(Tier::Starter).await;
        let key = self.key_of(&id, Environment::Live, &Scope::ALL).await;
        let path = self.search(&key, "daily").await;
        let search = StoredSearch { kind: SearchKind::SavedSearch, id: self::id(&path).to_owned() };
        Searching { team: operator(id.clone()), id, key, search }
    }

    async fn alert(&self, key: &str, params: Value) -> Value {
        let body = json!({ "name": "Alert", "queryParams": params, "frequency": "hourly" });
        let created = self.post_as(key, ALERTS, body).await;
        assert_eq!(created.status, 201, "{created:?}");
        created.body
    }

    /// The notifications of the owner of the key, newest first.
    async fn notifications(&self, key: &str) -> Vec<Value> {
        let list = self.get_as(key, "/v1/notifications?limit=100").await.body;
        list["items"].as_array().cloned().unwrap_or_else(|| panic!("{list}"))
    }

    /// The number of stored items whose key contains a text.
    async fn items_with(&self, text: &str) -> usize {
        let client = dynamodb_client(&self.cloud.endpoints.dynamodb);
        let items = client.scan().table_name(&self.cloud.tables[1]).send().await.expect("read");
        let contains =
            |it: &&std::collections::HashMap<String, _>| format!("{it:?}").contains(text);
        items.items().iter().filter(contains).count()
    }

    /// A due time in Swiss time.
    fn local(job: &SearchJob) -> String {
        let SearchJob::Run { period, .. } = job;
        let zone = jiff::tz::TimeZone::get("Europe/Zurich").expect("a time zone");
        period.to_zoned(zone).strftime("%m-%d %H:%M %Z").to_string()
    }
}

#[tokio::test]
async fn a_scheduled_search_notifies_only_of_what_no_earlier_run_has_found() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let path = service.search(&key, "daily").await;
    assert_eq!(service.after(DAY - 60).await, 0);
    assert_eq!(service.after(60).await, 1);
    assert_eq!(service.notifications(&key).await, [] as [Value; 0], "the first run only remembers");
    let search = service.get_as(&key, &path).await.body;
    assert_eq!(search["lastRunAt"], "2026-11-21T12:30:00Z");
    assert_eq!(
        (&search["lastResultCount"], &search["nextRunAt"]),
        (&json!(1), &json!("2026-11-22T12:30:00Z"))
    );

    let elsewhere = in_canton("CHE-600.000.024", "Genfer AG", "GE");
    service.register([in_zurich(1), in_zurich(2), elsewhere]).await;
    assert_eq!(service.after(HOUR).await, 0);
    assert_eq!(service.after(DAY).await, 1);
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    let notification = &notifications[0];
    assert_eq!(notification["title"], "Zürich: 2 new companies");
    let body = notification["body"].as_str().expect("a text");
    for part in ["saved search “Zürich”", "Zürcher 1 AG", "Zürcher 2 AG", "It finds 3 in all."]
    {
        assert!(body.contains(part), "{body}");
    }
    assert!(!body.contains("Zürcher 0") && !body.contains("Genfer"), "{body}");
    assert_eq!(notification["category"], "saved_search");
    assert_eq!(notification["link"], format!("{path}/run"));
    assert_eq!(notification["savedSearchId"], search["id"]);
    assert_eq!(notification["createdAt"], "2026-11-22T13:30:00Z");

    // A company moves away and comes back, and another one comes.
    service.register([in_canton("CHE-600.000.101", "Zürcher 1 AG", "BE")]).await;
    assert_eq!(service.after(DAY).await, 1);
    service.register([in_zurich(1), in_zurich(3)]).await;
    assert_eq!(service.after(DAY).await, 1);
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 2, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Zürich: 1 new company");
    assert!(
        notifications[0]["body"]
            .as_str()
            .is_some_and(|it| it.contains("matches") && it.contains("Zürcher 3 AG"))
    );
}

#[tokio::test]
async fn an_alert_counts_the_runs_that_found_something_new() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.alert(&key, json!({ "canton": "ZH" })).await;
    assert_eq!(service.after(HOUR).await, 1);
    let alert = service.get_as(&key, ALERTS).await.body[0].clone();
    assert_eq!((&alert["triggerCount"], &alert["lastResultCount"]), (&json!(0), &json!(1)));
    assert!(alert.get("lastTriggeredAt").is_none(), "{alert}");
    for number in 1..=2 {
        service.register([in_zurich(number)]).await;
        assert_eq!(service.after(HOUR).await, 1);
    }
    assert_eq!(service.after(HOUR).await, 1);
    let alert = service.get_as(&key, ALERTS).await.body[0].clone();
    assert_eq!((&alert["triggerCount"], &alert["lastResultCount"]), (&json!(2), &json!(3)));
    assert_eq!(alert["lastTriggeredAt"], "2026-11-20T15:30:00Z");
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 2, "{notifications:?}");
    assert_eq!(
        (&notifications[0]["category"], &notifications[0]["title"]),
        (&json!("alert"), &json!("Alert: 1 new company"))
    );
}

/// Moves the clock in steps and returns the due times of the jobs that were sent, by the id of the search.
async fn sent(service: &Scheduled, step: i64, steps: usize) -> BTreeMap<String, Vec<String>> {
    let mut sent: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for _ in 0..steps {
        service.pass_seconds(step);
        for job in service.due().await {
            let SearchJob::Run { search, .. } = &job;
            sent.entry(search.id.clone()).or_default().push(Scheduled::local(&job));
        }
    }
    sent
}

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

#[tokio::test]
async fn each_period_runs_once_in_the_nights_when_clocks_change() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.move_to("2027-03-26T02:30:00+01:00");
    let daily = service.search(&key, "daily").await;
    let sent_in_spring = sent(&service, 30 * 60, 3 * 48).await;
    assert_eq!(
        sent_in_spring[id(&daily)],
        ["03-27 02:30 CET", "03-28 03:30 CEST", "03-29 02:30 CEST"]
    );

    service.move_to("2027-10-30T02:15:00+02:00");
    service.due().await;
    let key = service.key(Tier::Starter).await;
    let daily = service.search(&key, "daily").await;
    let hourly = service.alert(&key, json!({})).await;
    let sent = sent(&service, 30 * 60, 54).await;
    assert_eq!(sent[id(&daily)], ["10-31 02:15 CEST"]);
    let hourly = &sent[hourly["id"].as_str().expect("an id")];
    assert_eq!(hourly.len(), 27);
    assert_eq!(hourly[23..26], ["10-31 02:15 CEST", "10-31 02:15 CET", "10-31 03:15 CET"]);
}

#[tokio::test]
async fn each_period_runs_once_at_month_ends_and_on_a_leap_day() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.move_to("2028-01-31T08:00:00+01:00");
    let monthly = service.search(&key, "monthly").await;
    let weekly = service.search(&key, "weekly").await;
    let sent = sent(&service, 6 * HOUR, 4 * 92).await;
    assert_eq!(sent[id(&monthly)], ["02-29 08:00 CET", "03-31 08:00 CEST", "04-30 08:00 CEST"]);
    let weekly = &sent[id(&weekly)];
    assert_eq!((weekly.len(), weekly[3].as_str()), (13, "02-28 08:00 CET"));
}

#[tokio::test]
async fn only_the_newest_missed_period_runs_after_a_long_pause() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let daily = service.search(&key, "daily").await;
    service.alert(&key, json!({})).await;
    service.pass_seconds(40 * DAY + HOUR / 2);
    let sent: Vec<String> = service.due().await.iter().map(Scheduled::local).collect();
    assert_eq!(sent, ["12-30 13:30 CET", "12-30 13:30 CET"]);
    assert_eq!(service.due().await, []);
    assert_eq!(service.get_as(&key, &daily).await.body["nextRunAt"], "2026-12-31T12:30:00Z");
    assert_eq!(service.after(HOUR / 2).await, 1);
}

#[tokio::test]
async fn a_scheduler_that_is_killed_or_runs_twice_loses_and_doubles_nothing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.search(&key, "daily").await;
    service.alert(&key, json!({})).await;
    let mut runs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut expected = Vec::new();
    for polls in (0..).step_by(3) {
        service.pass_seconds(DAY);
        let period = service.now().to_zoned(jiff::tz::TimeZone::UTC);
        expected.push(period.strftime("%m-%d 13:30 CET").to_string());
        // Killed ever later, then run by two processes at once.
        let sending = service.scheduler.handle(ScheduleJob::SendDue, service.now());
        let was_killed = killed_after(polls, sending).await;
        let handle = || service.scheduler.handle(ScheduleJob::SendDue, service.now());
        for sent in join_all([handle(), handle()]).await {
            sent.expect("sent");
        }
        for job in service.due().await {
            let SearchJob::Run { search, .. } = &job;
            runs.entry(search.id.clone()).or_default().push(Scheduled::local(&job));
        }
        if !was_killed {
            assert!(polls > 20, "{polls}");
            break;
        }
    }
    assert_eq!(runs.len(), 2);
    for periods in runs.values() {
        assert_eq!(*periods, expected, "each once");
    }
    assert_eq!(service.items_with("DUE#").await, 2);
}

#[tokio::test]
async fn a_schedule_that_cannot_be_decoded_stays_due_and_does_not_stop_the_others() {
    let service = Scheduled::start().await;
    let (damaged, other) = (service.searching().await, service.searching().await);
    assert_eq!(service.after(DAY).await, 2, "the first runs only remember");
    let next = service.now() + jiff::SignedDuration::from_secs(DAY);
    let due = keys::due(&damaged.team, &Task::Search(damaged.search.clone()), next);
    let items = Items::of_tenants(&service);
    let whole = items.damage(&due).await;
    service.register([in_zurich(1)]).await;
    assert_eq!(service.after(DAY).await, 1);
    assert_eq!(service.notifications(&other.key).await.len(), 1);
    assert_eq!(service.notifications(&damaged.key).await, [] as [Value; 0]);
    assert_eq!(service.due().await, []);
    assert_eq!(service.items_with("DUE#").await, 2);

    items.put(whole).await;
    assert_eq!(service.after(60).await, 1);
    assert_eq!(service.notifications(&damaged.key).await.len(), 1);
    assert_eq!(service.after(DAY - 60).await, 2);
    for key in [&damaged.key, &other.key] {
        assert_eq!(service.notifications(key).await.len(), 1);
    }
}

#[tokio::test]
async fn a_search_that_cannot_be_decoded_keeps_its_schedule_and_does_not_stop_the_others() {
    let log = Log::default();
    let _guard = tracing::subscriber::set_default(telemetry::log("tests", log.clone()));
    let service = Scheduled::start().await;
    let (damaged, other) = (service.searching().await, service.searching().await);
    assert_eq!(service.after(DAY).await, 2, "the first runs only remember");
    let items = Items::of_tenants(&service);
    let key = keys::resource(&damaged.team, Kind::SavedSearch, &damaged.search.id);
    let whole = items.damage(&key).await;
    service.register([in_zurich(1)]).await;
    service.pass_seconds(DAY);
    let (failing, others): (Vec<SearchJob>, Vec<SearchJob>) = service
        .due()
        .await
        .into_iter()
        .partition(|SearchJob::Run { search, .. }| *search == damaged.search);
    assert_eq!((failing.len(), others.len()), (1, 1));
    assert!(log.lines().iter().any(|it| it["UnreadableRecord"] == 1));
    service.run(&others[0]).await;
    assert_eq!(service.notifications(&other.key).await.len(), 1);
    let failed = service.worker.handle(failing[0].clone(), service.now()).await;
    failed.expect_err("unreadable");
    assert_eq!(service.due().await, [], "not before the next period");
    assert_eq!(service.items_with("DUE#").await, 2);

    items.put(whole).await;
    assert_eq!(service.after(DAY).await, 2);
    for key in [&damaged.key, &other.key] {
        assert_eq!(service.notifications(key).await.len(), 1);
    }
    service.run(&failing[0]).await;
    assert_eq!(service.notifications(&damaged.key).await.len(), 1, "a retry that came late");
}

#[tokio::test]
async fn mails_of_an_owner_whose_preferences_cannot_be_decoded_are_looked_for_again() {
    let service = Scheduled::start().await;
    let (damaged, other) = (service.searching().await, service.searching().await);
    let body = json!({ "minimumSeverity": "low" });
    let changed = service.put_as(&damaged.key, "/v1/notifications/preferences", body).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let owner = Owner::ApiKeys;
    let owners = [(damaged.team.clone(), owner.clone())];
    service.cloud.tenants.schedule_mails(&owners, service.now()).await.expect("stored");
    let items = Items::of_tenants(&service);
    let whole = items.damage(&keys::notification_preferences(&damaged.team, &owner)).await;
    service.pass_seconds(DAY);
    let searches: Vec<StoredSearch> =
        service.due().await.into_iter().map(|SearchJob::Run { search, .. }| search).collect();
    assert!(searches.len() == 2 && searches.contains(&other.search), "{searches:?}");
    let environment = Environment::Live;
    let last = MailJob::Send { team: TeamId("nobody".into()), environment, owner: owner.clone() };
    let sent = MailJob::Send { team: damaged.id, environment, owner };
    assert_eq!(waiting(&service.cloud.mails_queue, &last).await, [sent]);
    assert_eq!(service.items_with("DUE#").await, 3);

    items.put(whole).await;
    assert_eq!(service.after(HOUR).await, 0);
    assert_eq!(service.items_with("DUE#").await, 2, "no mails wait");
}

#[tokio::test]
async fn schedulers_whose_clocks_differ_leave_one_next_period() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.search(&key, "daily").await;
    service.pass_seconds(DAY);
    let handle = |hours: i64| {
        let now = service.now() + jiff::SignedDuration::from_hours(hours);
        service.scheduler.handle(ScheduleJob::SendDue, now)
    };
    for sent in join_all([handle(0), handle(24), handle(48)]).await {
        sent.expect("sent");
    }
    assert_eq!(service.items_with("DUE#").await, 1);
}

#[tokio::test]
async fn a_worker_killed_at_any_step_leaves_one_notification_and_none_is_missing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    let (mut polls, mut number) = (0, 0);
    loop {
        number += 1;
        service.register([in_zurich(number)]).await;
        service.pass_seconds(DAY);
        let jobs = service.due().await;
        let was_killed =
            killed_after(polls, service.worker.handle(jobs[0].clone(), service.now())).await;
        // Found between the two attempts: it belongs to this report or to the next one.
        number += 1;
        service.register([in_zurich(number)]).await;
        service.pass_seconds(60);
        service.run(&jobs[0]).await;
        let expected = format!("Zürcher {} AG", number - 1);
        let notifications = service.notifications(&key).await;
        let with = |name: &str| {
            let contains = |it: &&Value| it["body"].as_str().is_some_and(|it| it.contains(name));
            notifications.iter().filter(contains).count()
        };
        assert_eq!(with(&expected), 1, "killed after {polls} polls: {notifications:?}");
        if !was_killed {
            break;
        }
        polls += 1;
    }
    assert!(polls > 10, "the run was killed at {polls} steps only");
    assert_eq!(service.after(DAY).await, 1);
    // Every company was reported once.
    let notifications = service.get_as(&key, "/v1/notifications?limit=100").await.body;
    assert!(notifications["total"].as_u64().is_some_and(|it| it > polls as u64), "{notifications}");
    let bodies: Vec<String> = notifications["items"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["body"].as_str().expect("a text").to_owned())
        .collect();
    for number in 1..=number {
        let name = format!("Zürcher {number} AG");
        let reports = bodies.iter().filter(|it| it.contains(&name)).count();
        assert_eq!(reports, 1, "{name}: {bodies:?}");
    }
}

#[tokio::test]
async fn doubled_late_and_unordered_jobs_change_nothing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let path = service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    let mut jobs = Vec::new();
    for number in 1..=4 {
        service.register([in_zurich(number)]).await;
        service.pass_seconds(DAY);
        jobs.extend(service.due().await);
    }
    assert_eq!(jobs.len(), 4);
    service.run(&jobs[1]).await;
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 1, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Zürich: 4 new companies");
    let search = service.get_as(&key, &path).await.body;
    service.pass_seconds(60);
    for index in [0, 1, 0, 1] {
        service.run(&jobs[index]).await;
    }
    assert_eq!(service.notifications(&key).await, notifications);
    assert_eq!(service.get_as(&key, &path).await.body, search);

    // The same job in several processes at once, whose clocks differ.
    service.register([in_zurich(5)]).await;
    let mut now = service.now();
    let mut handle = |job: &SearchJob| {
        now += jiff::SignedDuration::from_secs(1);
        service.worker.handle(job.clone(), now)
    };
    for run in
        join_all([handle(&jobs[3]), handle(&jobs[3]), handle(&jobs[2]), handle(&jobs[3])]).await
    {
        run.expect("run");
    }
    let notifications = service.notifications(&key).await;
    assert_eq!(notifications.len(), 2, "{notifications:?}");
    assert_eq!(notifications[0]["title"], "Zürich: 1 new company");
    service.run(&jobs[3]).await;
    assert_eq!(service.notifications(&key).await, notifications);
}

#[tokio::test]
async fn a_run_that_is_overtaken_at_any_step_changes_nothing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    let mut number = 0;
    for polls in (0..).step_by(3) {
        number += 1;
        service.register([in_zurich(number)]).await;
        service.pass_seconds(DAY);
        let jobs = service.due().await;
        let later = service.now() + jiff::SignedDuration::from_secs(1);
        let mut overtaken = pin!(service.worker.handle(jobs[0].clone(), later));
        let is_complete = polled(polls, overtaken.as_mut()).await.is_some();
        service.run(&jobs[0]).await;
        if !is_complete {
            overtaken.await.expect("run");
        }
        let list = service.get_as(&key, "/v1/notifications").await.body;
        assert_eq!(list["total"], number, "overtaken after {polls} polls: {list}");
        if is_complete {
            assert!(polls > 10, "{polls}");
            return;
        }
    }
}

#[tokio::test]
async fn a_run_that_the_table_refuses_is_completed_by_the_next_attempt() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    let faults = Faults::before(&service.cloud.endpoints.dynamodb).await;
    let tenants = Tenants::named(dynamodb_client(&faults.address), &service.cloud.tables[1]);
    let worker = saved_searches::Worker { tenants, ..service.search_worker() };
    // The transactions of a run: what it found, the notification, and that it was delivered.
    for (number, fault) in
        [(0, Fault::Down), (1, Fault::Down), (2, Fault::Down), (1, Fault::FailAfterwards)]
    {
        let company = 1 + service.notifications(&key).await.len() as u32;
        service.register([in_zurich(company)]).await;
        service.pass_seconds(DAY);
        let jobs = service.due().await;
        let mut transactions = 0;
        faults.decide(move |operation, _| {
            let is_wanted = operation == "TransactWriteItems" && {
                transactions += 1;
                transactions > number
            };
            is_wanted.then_some(fault)
        });
        let refused = worker.handle(jobs[0].clone(), service.now()).await;
        assert!(refused.is_err(), "{number} {fault:?}");
        faults.decide(|_, _| None);
        worker.handle(jobs[0].clone(), service.now()).await.expect("run");
        let notifications = service.notifications(&key).await;
        assert_eq!(notifications.len(), company as usize, "{number} {fault:?}: {notifications:?}");
        let name = format!("Zürcher {company} AG");
        assert!(notifications[0]["body"].as_str().is_some_and(|it| it.contains(&name)));
    }
}

#[tokio::test]
async fn a_deleted_search_does_not_run_and_leaves_nothing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let (first, second) =
        (service.search(&key, "daily").await, service.search(&key, "daily").await);
    let alert = service.alert(&key, json!({})).await;
    let alert = format!("{ALERTS}/{}", alert["id"].as_str().expect("an id"));
    assert_eq!(service.after(DAY).await, 3);
    assert!(service.items_with(id(&first)).await >= 3);
    for path in [&first, &alert] {
        assert_eq!(service.delete_as(&key, path).await.status, 204);
    }
    service.pass_seconds(DAY);
    let jobs = service.due().await;
    let ids: Vec<&str> =
        jobs.iter().map(|SearchJob::Run { search, .. }| search.id.as_str()).collect();
    assert_eq!(ids, [id(&second)]);
    // Deleted after its job was sent.
    assert_eq!(service.delete_as(&key, &second).await.status, 204);
    service.register([in_zurich(1)]).await;
    service.run(&jobs[0]).await;
    service.pass_seconds(DAY);
    assert_eq!(service.due().await, []);
    for path in [&first, &second, &alert] {
        assert_eq!(service.items_with(id(path)).await, 0, "{path}");
    }
    assert_eq!(service.notifications(&key).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_search_that_is_deleted_during_a_run_leaves_nothing() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    for polls in (0..).step_by(3) {
        let path = service.search(&key, "daily").await;
        service.pass_seconds(DAY);
        let jobs = service.due().await;
        let mut run = pin!(service.worker.handle(jobs[0].clone(), service.now()));
        let is_complete = polled(polls, run.as_mut()).await.is_some();
        assert_eq!(service.delete_as(&key, &path).await.status, 204);
        if !is_complete {
            run.await.expect("run");
        }
        service.pass_seconds(DAY);
        assert_eq!(service.due().await, []);
        assert_eq!(service.items_with(id(&path)).await, 0, "deleted after {polls} polls");
        if is_complete {
            assert!(polls > 6, "{polls}");
            return;
        }
    }
}

#[tokio::test]
async fn a_changed_schedule_replaces_the_old_one() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let path = service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    service.pass_seconds(HOUR);
    service.put_as(&key, &path, json!({ "scheduleFrequency": "weekly" })).await;
    assert_eq!(service.after(6 * DAY).await, 0);
    assert_eq!(service.after(DAY).await, 1);
    // The run of a schedule that was switched off meanwhile.
    service.pass_seconds(7 * DAY);
    let jobs = service.due().await;
    assert_eq!(jobs.len(), 1);
    service.put_as(&key, &path, json!({ "isScheduled": false })).await;
    let before = service.get_as(&key, &path).await.body;
    service.run(&jobs[0]).await;
    assert_eq!(service.get_as(&key, &path).await.body, before);
    assert_eq!(service.after(30 * DAY).await, 0);
    assert_eq!(service.items_with("DUE#").await, 0);
}

#[tokio::test]
async fn changed_filters_start_anew_and_renaming_does_not() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let path = service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    service.register([in_zurich(1)]).await;
    service.put_as(&key, &path, json!({ "searchParams": { "canton": "BE" } })).await;
    assert_eq!(service.after(DAY).await, 1);
    assert_eq!(service.notifications(&key).await, [] as [Value; 0]);
    service.put_as(&key, &path, json!({ "name": "Bern" })).await;
    service.register([in_canton("CHE-600.000.200", "Neue Berner AG", "BE")]).await;
    assert_eq!(service.after(DAY).await, 1);
    let notifications = service.notifications(&key).await;
    assert_eq!(
        (notifications.len(), &notifications[0]["title"]),
        (1, &json!("Bern: 1 new company"))
    );
}

#[tokio::test]
async fn a_run_by_hand_does_not_change_what_is_reported() {
    let service = Scheduled::start().await;
    let key = service.key(Tier::Starter).await;
    let path = service.search(&key, "daily").await;
    assert_eq!(service.after(DAY).await, 1);
    service.register([in_zurich(1)]).await;
    let run = service.post_as(&key, &format!("{path}/run"), json!({})).await;
    assert_eq!(run.body["total"], 2);
    assert_eq!(service.after(DAY).await, 1);
    assert_eq!(service.notifications(&key).await.len(), 1);
}

#[tokio::test]
async fn teams_and_sandboxes_are_notified_of_their_own_searches_only() {
    let service = Scheduled::start().await;
    let team = service.team(Tier::Starter).await;
    let live = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    let other = service.key(Tier::Starter).await;
    // Each for the companies with the tag of its own team and environment.
    for key in [&live, &sandbox, &other] {
        service.alert(key, json!({ "tag": "vip" })).await;
    }
    assert_eq!(service.after(HOUR).await, 3);
    let tags = "/v1/companies/CHE-600.000.018/tags";
    assert_eq!(service.post_as(&sandbox, tags, json!({ "tagName": "VIP" })).await.status, 201);
    assert_eq!(service.after(HOUR).await, 3);
    assert_eq!(service.notifications(&sandbox).await.len(), 1);
    for key in [&live, &other] {
        assert_eq!(service.notifications(key).await, [] as [Value; 0]);
        assert_eq!(service.get_as(key, ALERTS).await.body[0]["triggerCount"], 0);
    }
}
