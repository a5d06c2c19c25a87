//! Which teams are notified of an event, with the watchers already read.

use std::{
    collections::{HashMap, HashSet},
    hint::black_box,
    time::Instant,
};

use access::Environment;
use auth::{Owner, Principal, TeamId};
use domain::{ChangeKind, Event, Provenance, Uid, changes::PublishedEvent};
use jiff::{Timestamp, tz::TimeZone};
use rand::{Rng, SeedableRng, rngs::StdRng};
use teams::{
    NotificationPreferences, Watcher,
    watch::{self, Added, WatchingTeam},
};
use uuid::Uuid;

use crate::{Error, machine, samples::row};

const TEAMS: usize = 200;
const WATCHES: usize = 100_000;
/// The whole register, so that most events concern nobody, as on a real day.
const COMPANIES: usize = 790_000;
const EVENTS: usize = 200_000;

pub(super) fn measure() -> Result<(), Error> {
    let mut random = StdRng::seed_from_u64(7);
    let teams: HashMap<TeamId, WatchingTeam> = (0..TEAMS).map(team).collect();
    let names: Vec<TeamId> = teams.keys().cloned().collect();
    let mut watchers: HashMap<Uid, Vec<Watcher>> = HashMap::new();
    let mut watched = Vec::with_capacity(WATCHES);
    for number in 0..WATCHES {
        let company = company(random.random_range(0..COMPANIES))?;
        let watcher = Watcher {
            team: names[number % TEAMS].clone(),
            environment: Environment::Live,
            watchlist: (number % 2 == 0).then(|| "list".to_owned()),
            webhook: None,
            added: Some(Added { at: Timestamp::UNIX_EPOCH, company }),
            created_by: Principal::api_key("k"),
            after_sequence: 0,
        };
        watchers.entry(company).or_default().push(watcher);
        watched.push(company);
    }
    let mut events = Vec::with_capacity(EVENTS);
    for number in 0..EVENTS {
        let company = company(random.random_range(0..COMPANIES))?;
        events.push(event(number, company));
    }
    let (mut notified, started) = (0, Instant::now());
    for event in &events {
        let Some(watchers) = watchers.get(&event.event.uid) else { continue };
        let found = watch::notifications(event, watchers, |it| teams.get(&it.team));
        notified += black_box(found).len();
    }
    let any = EVENTS as f64 / started.elapsed().as_secs_f64();
    for event in &mut events {
        event.event.uid = watched[random.random_range(0..WATCHES)];
    }
    let (mut of_watched, started) = (0, Instant::now());
    for event in &events {
        let Some(watchers) = watchers.get(&event.event.uid) else { continue };
        let found = watch::notifications(event, watchers, |it| teams.get(&it.team));
        of_watched += black_box(found).len();
    }
    let watched = EVENTS as f64 / started.elapsed().as_secs_f64();
    row([
        &format!(
            "matching, events of any company: events per second on one core ({notified} notifications of {EVENTS} events)"
        ),
        &format!("{any:.0}"),
    ]);
    row([
        &format!(
            "matching, events of watched companies only ({of_watched} notifications of {EVENTS} events)"
        ),
        &format!("{watched:.0}"),
    ]);
    Ok(())
}

fn team(number: usize) -> (TeamId, WatchingTeam) {
    let id = TeamId(format!("0199c0de-0000-7000-8000-{number:012}"));
    let owner = Owner::ApiKeys;
    let preferences = NotificationPreferences::default_of(&id, Environment::Live, &owner);
    let team = WatchingTeam {
        preferences: HashMap::from([(owner, preferences)]),
        watchlists: HashSet::from(["list".to_owned()]),
        ..WatchingTeam::default()
    };
    (id, team)
}

fn company(index: usize) -> Result<Uid, Error> {
    Ok(format!("CHE{}", 100_000_000 + index).parse()?)
}

fn event(number: usize, uid: Uid) -> PublishedEvent {
    let now = machine::now();
    let date = now.to_zoned(TimeZone::UTC).date();
    PublishedEvent {
        sequence: number as u64 + 1,
        recorded_at: now,
        replaces: Vec::new(),
        event: Event {
            id: Uuid::from_u128(number as u128),
            uid,
            company_name: "Muster Treuhand AG".to_owned(),
            canton: None,
            kind: ChangeKind::AuditorChange,
            field: None,
            old_value: Some("Alte Revision AG".to_owned()),
            new_value: Some("Neue Revision AG".to_owned()),
            summary: "The auditor changed from Alte Revision AG to Neue Revision AG.".to_owned(),
            date,
            source: Provenance { source: "shab".to_owned(), reference: None, date: Some(date) },
            subject: None,
            legal_event: None,
            journal_date: None,
            decision_date: None,
            currencies: None,
            transfer: None,
        },
    }
}
