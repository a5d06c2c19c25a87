use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

use access::{Environment, Tier};
use auth::{Owner, Principal, TeamId};
use domain::{
    Event, Uid,
    changes::{PublishedEvent, Severity},
};
use jiff::{Timestamp, tz::TimeZone};
use risk::RiskLevel;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    Addressed, News, Notification, NotificationCategory, NotificationPreferences, PausedReason,
    PendingMail, notification_id,
};

/// A company that a team watches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoredWatch)]
pub struct Watch {
    /// Company number (UID).
    #[schema(value_type = String, example = "CHE-812.460.660")]
    pub company_uid: Uid,
    /// Last sequence number of the change feed when the watch was added. Only later changes cause notifications.
    pub after_sequence: u64,
    /// Who added the watch.
    pub created_by: Principal,
    /// Time when the watch was added.
    pub added_at: Timestamp,
}

/// A watch, and whether it pauses.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Watch)]
pub struct WatchView {
    #[serde(flatten)]
    pub watch: Watch,
    /// Why the watch causes no notifications at present. Absent if it does.
    pub paused_reason: Option<PausedReason>,
}

/// A named list of companies that a team watches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Watchlist {
    /// Id of the watchlist.
    #[schema(example = "0199c0de-0040-7000-8000-000000000000")]
    pub id: String,
    /// Name of the watchlist.
    #[schema(example = "Suppliers")]
    pub name: String,
    /// Description. Empty if none was given.
    pub description: String,
    /// Who created the watchlist.
    pub created_by: Principal,
    /// Time when the watchlist was created.
    pub created_at: Timestamp,
    /// Time when name or description last changed.
    pub updated_at: Timestamp,
}

impl Watchlist {
    /// Two names with the same result are the same name: case, accents and punctuation do not matter.
    pub fn folded_name(&self) -> String {
        domain::text::fold(&self.name)
    }
}

/// A watchlist with its number of companies.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistSummary {
    #[serde(flatten)]
    pub watchlist: Watchlist,
    /// Number of companies.
    pub company_count: u32,
    /// Number of those that cause no notifications, because the team has more companies in watchlists than its tier allows. Absent if
    /// there are none.
    pub paused_company_count: Option<u32>,
}

/// A company in a watchlist, as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WatchlistEntry {
    pub watchlist_id: String,
    pub company_uid: Uid,
    /// Last sequence number of the change feed when the company was added. Only later changes cause notifications.
    pub after_sequence: u64,
    pub created_by: Principal,
    pub added_at: Timestamp,
}

/// Who watches a company: the watch of a team, one of its watchlists, or one of its webhooks.
#[derive(Clone, Debug, PartialEq)]
pub struct Watcher {
    pub team: TeamId,
    pub environment: Environment,
    /// The watchlist. `None`: a watch or a webhook.
    pub watchlist: Option<String>,
    /// The webhook that names the company, whose events are not notifications.
    pub webhook: Option<String>,
    /// The place in the order of the team's watches, or of the companies in a watchlist. `None`: a webhook.
    pub added: Option<Added>,
    pub created_by: Principal,
    pub after_sequence: u64,
}

/// When a company was added to the watches of a team or to a watchlist. Of several at the same time, the company number decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Added {
    pub at: Timestamp,
    pub company: Uid,
}

impl Watch {
    /// The place in the order of the team's watches.
    pub fn added(&self) -> Added {
        Added { at: self.added_at, company: self.company_uid }
    }
}

impl WatchlistEntry {
    /// The place in the order of the watchlist's companies.
    pub fn added(&self) -> Added {
        Added { at: self.added_at, company: self.company_uid }
    }
}

/// What a team watches within the limits of its present tier. The default: everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchesWithinTier {
    /// Of the watches: those up to this one. `None`: all.
    pub newest_watch: Option<Added>,
    /// Of the companies in watchlists: those in older lists than this one, and the oldest in it. `None`: all.
    pub newest_list: Option<ListWithinTier>,
}

/// The oldest watchlist that is not wholly within the limit of companies in watchlists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListWithinTier {
    /// Its id. Ids sort by time.
    pub id: String,
    /// Its companies up to this one are within the limit. `None`: none of them is.
    pub newest: Option<Added>,
}

impl WatchesWithinTier {
    /// Whether the watch with this place is within the limit.
    pub fn includes_watch(&self, added: Added) -> bool {
        self.newest_watch.is_none_or(|newest| added <= newest)
    }

    /// Whether the company with this place in a watchlist is within the limit.
    pub fn includes_listed(&self, watchlist: &str, added: Added) -> bool {
        let Some(limit) = &self.newest_list else { return true };
        match watchlist.cmp(limit.id.as_str()) {
            Ordering::Less => true,
            Ordering::Equal => limit.newest.is_some_and(|newest| added <= newest),
            Ordering::Greater => false,
        }
    }

    /// Whether what this watcher watches is within the limit. A webhook has a limit of its own.
    pub fn includes(&self, watcher: &Watcher) -> bool {
        let Some(added) = watcher.added else { return true };
        match &watcher.watchlist {
            Some(list) => self.includes_listed(list, added),
            None => self.includes_watch(added),
        }
    }
}

/// Maximum number of days between the publication of a change and its entry in the feed. Older changes are backfilled
/// history, without notifications.
const MAX_AGE_DAYS: i32 = 7;

/// Whether the change was new when it entered the feed, so that watchers are notified.
pub fn is_recent(event: &PublishedEvent) -> bool {
    let entered = TimeZone::UTC.to_datetime(event.recorded_at).date();
    entered.duration_since(event.event.date).as_hours() <= i64::from(MAX_AGE_DAYS) * 24
}

/// What the rules need to know of a team: the preferences of those who watch, the watchlists that exist, and what pauses.
#[derive(Clone, Debug)]
pub struct WatchingTeam {
    pub tier: Tier,
    pub preferences: HashMap<Owner, NotificationPreferences>,
    pub watchlists: HashSet<String>,
    pub within_tier: WatchesWithinTier,
}

impl Default for WatchingTeam {
    fn default() -> Self {
        Self {
            tier: Tier::Free,
            preferences: HashMap::new(),
            watchlists: HashSet::new(),
            within_tier: WatchesWithinTier::default(),
        }
    }
}

impl WatchingTeam {
    fn accepts(&self, watcher: &Watcher, event: &PublishedEvent) -> bool {
        let Event { kind, .. } = event.event;
        self.watches(watcher, event, |it| it.accept(kind, event.event.severity()))
    }

    /// Whether the watcher still exists and does not pause.
    pub fn is_present(&self, watcher: &Watcher) -> bool {
        self.exists(watcher) && self.within_tier.includes(watcher)
    }

    /// Whether the watcher still exists and pauses.
    pub fn is_paused(&self, watcher: &Watcher) -> bool {
        self.exists(watcher) && !self.within_tier.includes(watcher)
    }

    fn exists(&self, watcher: &Watcher) -> bool {
        watcher.watchlist.as_ref().is_none_or(|it| self.watchlists.contains(it))
    }

    /// Whether the watcher existed before the change, is present, and has preferences that accept it.
    fn watches(
        &self,
        watcher: &Watcher,
        event: &PublishedEvent,
        accept: impl FnOnce(&NotificationPreferences) -> bool,
    ) -> bool {
        let preferences = self.preferences.get(&watcher.created_by.owner());
        event.sequence > watcher.after_sequence
            && watcher.webhook.is_none()
            && self.is_present(watcher)
            && preferences.is_some_and(accept)
    }
}

/// A team that is notified of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Notified<'a> {
    /// Those of its watchers that accept the change, at least one.
    pub watchers: Vec<&'a Watcher>,
    pub notification: Notification,
    /// What an e-mail says.
    pub news: News,
}

impl Notified<'_> {
    /// The owners who get the notification by e-mail. A test key sends none.
    pub fn mail(&self, team: &WatchingTeam) -> Addressed {
        let owners: BTreeSet<Owner> = self
            .watchers
            .iter()
            .filter(|it| it.environment == Environment::Live)
            .map(|it| it.created_by.owner())
            .filter(|it| team.preferences.get(it).is_some_and(|it| it.mail_to().is_some()))
            .collect();
        let mail = PendingMail {
            notification: self.notification.id,
            created_at: self.notification.created_at,
            link: self.notification.link.clone(),
            news: self.news.clone(),
        };
        Addressed { mail, to: owners.into_iter().collect() }
    }
}

/// The notifications of a change: one for each team with a watcher that accepts it, whether the team watches the company
/// once or several times. `team_of` returns what is known of a team; without it, the team is not notified.
pub fn notifications<'a>(
    event: &PublishedEvent,
    watchers: &'a [Watcher],
    team_of: impl Fn(&Watcher) -> Option<&'a WatchingTeam>,
) -> Vec<Notified<'a>> {
    if !is_recent(event) {
        return Vec::new();
    }
    let accepts = |it: &&Watcher| team_of(it).is_some_and(|team| team.accepts(it, event));
    let notified = |watchers: Vec<&'a Watcher>| {
        let notification = notification(event, &watchers);
        Notified { watchers, notification, news: News::of_change(&event.event) }
    };
    by_team(watchers.iter().filter(accepts)).map(notified).collect()
}

/// Watchers of the same team and environment together.
fn by_team<'a>(
    watchers: impl Iterator<Item = &'a Watcher>,
) -> impl Iterator<Item = Vec<&'a Watcher>> {
    let mut teams: BTreeMap<(&TeamId, Environment), Vec<&Watcher>> = BTreeMap::new();
    for watcher in watchers {
        teams.entry((&watcher.team, watcher.environment)).or_default().push(watcher);
    }
    teams.into_values()
}

/// A change that moved a company to another risk level.
#[derive(Clone, Debug, PartialEq)]
pub struct RiskChange {
    /// The first event of the publication day: the notification is the same, whichever event of the day caused it.
    pub event: PublishedEvent,
    /// The level on the day before.
    pub before: RiskLevel,
    /// The level on the publication day.
    pub after: RiskLevel,
}

impl RiskChange {
    /// The severity that a reader's preferences compare.
    fn severity(&self) -> Severity {
        self.news().severity()
    }

    fn news(&self) -> News {
        let event = &self.event.event;
        News::of_risk_level(event, self.before, self.after)
    }

    fn notification(&self, watchers: &[&Watcher]) -> Notification {
        let (event, first) = (&self.event.event, watchers[0]);
        let (before, after, at) = (self.before.name(), self.after.name(), self.event.recorded_at);
        let (uid, day) = (event.uid.to_string(), event.date.to_string());
        let parts = ["risk", &uid, &day, before, after];
        Notification {
            id: notification_id(&first.team, first.environment, at, &parts),
            title: format!("{}: Risk level {after}", event.company_name),
            body: format!(
                "What was published on {day} moved the risk level from {before} to {after}."
            ),
            category: NotificationCategory::RiskLevelChange,
            severity: Some(self.severity()),
            is_read: false,
            // The level of that day: today's also depends on what was published later.
            link: Some(format!("/v1/risk/v2/{uid}?asOf={day}")),
            company_uid: Some(event.uid),
            event_id: Some(event.id),
            watchlist_ids: watchers.iter().filter_map(|it| it.watchlist.clone()).collect(),
            saved_search_id: None,
            created_at: at,
        }
    }
}

/// The notifications of a new risk level: one for each team with a watcher whose preferences accept its severity, whatever
/// types of changes they name. `team_of` returns a team only if its tier includes the risk.
pub fn risk_notifications<'a>(
    change: &RiskChange,
    watchers: &'a [Watcher],
    team_of: impl Fn(&Watcher) -> Option<&'a WatchingTeam>,
) -> Vec<Notified<'a>> {
    let severity = change.severity();
    let accept = |it: &NotificationPreferences| it.is_enabled && severity >= it.minimum_severity;
    let accepts =
        |it: &&Watcher| team_of(it).is_some_and(|team| team.watches(it, &change.event, accept));
    let notified = |watchers: Vec<&'a Watcher>| {
        let notification = change.notification(&watchers);
        Notified { watchers, notification, news: change.news() }
    };
    by_team(watchers.iter().filter(accepts)).map(notified).collect()
}

/// The notification of a team, from those of its watchers that accept the change.
fn notification(published: &PublishedEvent, watchers: &[&Watcher]) -> Notification {
    let (event, first) = (&published.event, watchers[0]);
    let (id, at) = (event.id.to_string(), published.recorded_at);
    Notification {
        id: notification_id(&first.team, first.environment, at, &["change", &id]),
        title: format!("{}: {}", event.company_name, event.kind.name()),
        body: event.summary.clone(),
        category: NotificationCategory::Change,
        severity: Some(event.severity()),
        is_read: false,
        link: Some(format!("/v1/companies/{}/events", event.uid)),
        company_uid: Some(event.uid),
        event_id: Some(event.id),
        watchlist_ids: watchers.iter().filter_map(|it| it.watchlist.clone()).collect(),
        saved_search_id: None,
        created_at: at,
    }
}

#[cfg(test)]
mod tests {
    use domain::{ChangeKind, Event, Provenance};
    use jiff::civil::{Date, date};
    use uuid::Uuid;

    use super::*;
    use crate::Channel;

    fn event(sequence: u64, published: Date) -> PublishedEvent {
        let uid = "CHE-100.000.001".parse().expect("a company number");
        PublishedEvent {
            sequence,
            recorded_at: "2026-11-20T23:30:00Z".parse().expect("a moment"),
            replaces: Vec::new(),
            event: Event {
                id: Uuid::from_u128(sequence.into()),
                uid,
                company_name: "Muster AG".into(),
                canton: None,
                kind: ChangeKind::AuditorChange,
                field: None,
                old_value: None,
                new_value: None,
                summary: "The auditor changed.".into(),
                date: published,
                source: Provenance {
                    source: "shab".into(),
                    reference: None,
                    date: Some(published),
                },
                subject: None,
                legal_event: None,
                journal_date: None,
                decision_date: None,
                currencies: None,
                transfer: None,
            },
        }
    }

    fn watcher(team: &str, watchlist: Option<&str>, after_sequence: u64) -> Watcher {
        Watcher {
            team: TeamId(team.into()),
            environment: Environment::Live,
            watchlist: watchlist.map(str::to_owned),
            webhook: None,
            added: Some(added(after_sequence)),
            created_by: Principal::api_key("k"),
            after_sequence,
        }
    }

    fn added(second: u64) -> Added {
        let second = i64::try_from(second).expect("a second");
        let at = Timestamp::from_second(second).expect("a time");
        Added { at, company: "CHE-107.787.577".parse().expect("a number") }
    }

    fn team() -> WatchingTeam {
        let of = |it: &Owner| {
            NotificationPreferences::default_of(&TeamId("a".into()), Environment::Live, it)
        };
        let preferences = HashMap::from([(Owner::ApiKeys, of(&Owner::ApiKeys))]);
        let watchlists = ["one".into(), "two".into()].into();
        WatchingTeam { preferences, watchlists, ..WatchingTeam::default() }
    }

    #[test]
    fn the_oldest_watches_and_the_oldest_companies_of_the_oldest_lists_are_within_the_tier() {
        let list = |newest| Some(ListWithinTier { id: "b".into(), newest });
        let all = WatchesWithinTier::default();
        let some =
            WatchesWithinTier { newest_watch: Some(added(5)), newest_list: list(Some(added(3))) };
        assert!(all.includes_watch(added(9)) && all.includes_listed("z", added(9)));
        assert_eq!([4, 5, 6].map(|it| some.includes_watch(added(it))), [true, true, false]);
        for (id, second, expected) in
            [("a", 9, true), ("b", 3, true), ("b", 4, false), ("c", 0, false)]
        {
            assert_eq!(some.includes_listed(id, added(second)), expected, "{id} {second}");
        }
        let none = WatchesWithinTier { newest_watch: None, newest_list: list(None) };
        assert!(!none.includes_listed("b", added(0)) && none.includes_listed("a", added(0)));
        let webhook = Watcher { added: None, ..watcher("a", None, 0) };
        assert!(some.includes(&webhook), "has a limit of its own");
        assert!(!some.includes(&watcher("a", Some("b"), 4)));
    }

    const TODAY: Date = date(2026, 11, 20);

    #[test]
    fn a_team_is_notified_once_however_often_it_watches() {
        let watchers = [
            watcher("a", None, 0),
            watcher("a", Some("one"), 0),
            watcher("b", Some("two"), 0),
            watcher("a", Some("two"), 0),
            watcher("a", Some("deleted"), 0),
        ];
        let team = team();
        let notified = notifications(&event(1, TODAY), &watchers, |_| Some(&team));
        let found: Vec<_> = notified
            .iter()
            .map(|it| (it.watchers[0].team.0.as_str(), &it.notification.watchlist_ids[..]))
            .collect();
        assert_eq!(
            found,
            [("a", &["one".to_owned(), "two".to_owned()][..]), ("b", &["two".to_owned()])]
        );
        let again = notifications(&event(1, TODAY), &watchers[1..], |_| Some(&team));
        assert_eq!(
            again[0].notification.id, notified[0].notification.id,
            "the id does not depend on the watchers"
        );
        assert!(notifications(&event(1, TODAY), &watchers[4..], |_| Some(&team)).is_empty());
        assert!(notifications(&event(1, TODAY), &watchers, |_| None).is_empty());
    }

    #[test]
    fn only_new_changes_after_the_watch_notify() {
        let (team, watchers) = (team(), [watcher("a", None, 5)]);
        let count = |sequence, published| {
            notifications(&event(sequence, published), &watchers, |_| Some(&team)).len()
        };
        assert_eq!((count(5, TODAY), count(6, TODAY)), (0, 1));
        assert_eq!((count(6, date(2026, 11, 13)), count(6, date(2026, 11, 12))), (1, 0));
        assert_eq!(count(6, date(2026, 11, 25)), 1, "dated in the future");
    }

    #[test]
    fn each_owner_whose_watch_accepts_the_change_gets_one_mail() {
        let by = |watchlist, user: Option<&str>| {
            let created_by = user.map_or(Principal::api_key("k"), Principal::user);
            Watcher { created_by, ..watcher("a", watchlist, 0) }
        };
        let watchers = [
            by(None, None),
            by(Some("one"), Some("eva")),
            by(Some("two"), Some("eva")),
            by(Some("one"), Some("hans")),
        ];
        let mut team = team();
        for (user, channel) in [("eva", Channel::Email), ("hans", Channel::InApp)] {
            let owner = Owner::User(user.into());
            let of =
                NotificationPreferences::default_of(&TeamId("a".into()), Environment::Live, &owner);
            team.preferences.insert(owner, NotificationPreferences { channel, ..of });
        }
        let event = event(1, TODAY);
        let notified = notifications(&event, &watchers, |_| Some(&team));
        let mail = notified[0].mail(&team);
        assert_eq!(mail.to, [Owner::User("eva".into())]);
        assert_eq!(mail.mail.notification, notified[0].notification.id);
        let sandbox = watchers.map(|it| Watcher { environment: Environment::Test, ..it });
        let notified = notifications(&event, &sandbox, |_| Some(&team));
        assert_eq!(notified[0].mail(&team).to, []);
    }

    #[test]
    fn preferences_of_the_creator_apply() {
        let (mut team, watchers) = (team(), [watcher("a", None, 0)]);
        for preferences in team.preferences.values_mut() {
            preferences.watched_change_types = vec![ChangeKind::Merger];
        }
        assert!(notifications(&event(1, TODAY), &watchers, |_| Some(&team)).is_empty());
    }
}
