//! Comparing watched companies, their officers and their parents with the entries that an update has changed.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use access::Environment;
use auth::{Owner, TeamId};
use domain::{
    Company, History, Lei, Uid,
    lists::HitMeaning,
    names::{OfficerName, ParentName},
};
use jiff::Timestamp;
use jobs::ListJob;
use screening_lists::{Changes, Search};
use store::{MissedUpdates, TeamKey, Wanted};
use teams::{
    Watcher, Webhook,
    monitoring::{Concerned, WatchedRelation, news},
    screening::{ScreeningHit, ScreeningQuery, Trigger, TriggerReason},
};
use uuid::Uuid;

use crate::{
    Error, Worker,
    evidence::{New, hit_ids},
    rescreening::{Failed, PART, in_parallel},
    update::Update,
};

/// Number of companies that are read together, with their officers.
const TOGETHER: usize = 50;
/// Of a history, the current officers.
const OFFICERS: Wanted = Wanted { board: usize::MAX, former: 0, events: 0, mergers: false };

/// Who is compared because a company is watched.
#[derive(Clone, Copy)]
enum Who {
    Company,
    /// A parent.
    Parent(Lei),
    Officer(Uuid),
}

impl Who {
    fn reason(self) -> TriggerReason {
        match self {
            Self::Company => TriggerReason::WatchedCompany,
            Self::Parent(_) => TriggerReason::ParentOfWatchedCompany,
            Self::Officer(_) => TriggerReason::OfficerOfWatchedCompany,
        }
    }

    fn relation(self, company: &Company) -> Option<WatchedRelation> {
        match self {
            Self::Company => None,
            Self::Parent(_) => Some(WatchedRelation::ParentOf(company.name.clone())),
            Self::Officer(_) => Some(WatchedRelation::OfficerOf(company.name.clone())),
        }
    }
}

/// A company, one of its parents or officers, that may be a changed entry.
struct Candidate {
    query: ScreeningQuery,
    who: Who,
    company: Company,
    changed: Vec<ScreeningHit>,
}

/// A company that was not compared for everybody.
enum Unfinished {
    Failed(Error),
    /// A team whose tier does not allow its watch at present has not been notified.
    Paused,
}

/// Those in a team who get the hits of a watched company.
struct Recipients {
    team: TeamKey,
    /// Those who watch the company and want notifications.
    owners: Vec<Owner>,
    webhooks: Vec<Webhook>,
    /// Watchlists that contain the company.
    watchlists: Vec<String>,
}

impl Worker {
    /// Compares a part of the watched companies. Returns where the next part of the shard starts, and the companies that failed.
    pub(crate) async fn rescreen_companies(
        &self,
        update: &Update,
        shard: u32,
        after: Option<&str>,
        now: Timestamp,
    ) -> Result<(Option<String>, Vec<Failed>), Error> {
        // Nobody is notified of a licence.
        if update.list.meaning() != HitMeaning::Risk {
            return Ok((None, Vec::new()));
        }
        let read = self.tenants.watched_companies(shard, after, PART).await?;
        if read.companies.is_empty() {
            return Ok((read.next, Vec::new()));
        }
        let mut missed = self.tenants.missed_updates(update.list).await?;
        // Companies whose last comparison is older, by the version with which they were compared.
        let mut from: BTreeMap<Option<String>, Vec<Uid>> = BTreeMap::new();
        let mut others = Vec::with_capacity(read.companies.len());
        for uid in read.companies {
            match missed.remove(&uid) {
                Some(missed) => from.entry(missed.before).or_default().push(uid),
                None => others.push(uid),
            }
        }
        let mut failed = self.compare_from(update, &others, now).await?;
        for (before, companies) in from {
            let update = Update { before, ..update.clone() };
            let unfinished = self.compare_from(&update, &companies, now).await?;
            let has_failed: HashSet<Uid> = unfinished.iter().map(|(uid, _)| *uid).collect();
            for uid in companies.into_iter().filter(|it| !has_failed.contains(it)) {
                self.tenants.unmark_missed_updates(update.list, uid, &update.version).await?;
            }
            failed.extend(unfinished);
        }
        let mut retries = Vec::new();
        for (uid, unfinished) in failed {
            let Update { list, version, before } = update.clone();
            // Before the chain goes on: if the retries are lost, or a watch pauses, a later update compares the company with this one
            // too. Who was notified is not notified again.
            let missed = MissedUpdates { before: before.clone(), version: version.clone() };
            self.tenants.mark_missed_update(list, uid, &missed).await?;
            let Unfinished::Failed(cause) = unfinished else { continue };
            let company = uid.to_string();
            let retry = ListJob::RescreenCompany { list, version, before, company };
            retries.push(Failed { retry, cause });
        }
        Ok((read.next, retries))
    }

    /// Compares again a company that has failed in its part.
    pub(crate) async fn rescreen_company(
        &self,
        update: &Update,
        company: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Ok(uid) = company.parse::<Uid>() else { return Ok(()) };
        let (list, version) = (update.list, update.version.as_str());
        // Without a mark, a later update has compared the company.
        let Some(missed) = self.tenants.missed_updates_of(list, uid).await? else { return Ok(()) };
        let update = Update { before: missed.before, ..update.clone() };
        let Some(changes) = self.changes(&update).await? else { return Ok(()) };
        for (company, history) in self.registry.companies_with(&[uid], OFFICERS).await? {
            if self.compare(company, &history, &changes, now).await? {
                return Ok(());
            }
        }
        Ok(self.tenants.unmark_missed_updates(list, uid, version).await?)
    }

    /// Compares companies with what an update has changed. Returns those that are not finished.
    async fn compare_from(
        &self,
        update: &Update,
        companies: &[Uid],
        now: Timestamp,
    ) -> Result<Vec<(Uid, Unfinished)>, Error> {
        if companies.is_empty() {
            return Ok(Vec::new());
        }
        let Some(changes) = self.changes(update).await? else { return Ok(Vec::new()) };
        let each = companies.chunks(TOGETHER).map(|it| self.compare_all(it, &changes, now));
        Ok(in_parallel(each).await.into_iter().flatten().collect())
    }

    /// Compares companies. Returns those that are not finished: one that cannot be read does not stop the others.
    async fn compare_all(
        &self,
        uids: &[Uid],
        changes: &Changes,
        now: Timestamp,
    ) -> Vec<(Uid, Unfinished)> {
        let mut unfinished = Vec::new();
        let together = self.registry.companies_with(uids, OFFICERS).await;
        let companies = match together {
            Ok(companies) => companies,
            Err(_) => {
                let mut companies = Vec::new();
                for uid in uids {
                    match self.registry.companies_with(&[*uid], OFFICERS).await {
                        Ok(read) => companies.extend(read),
                        Err(cause) => unfinished.push((*uid, Unfinished::Failed(cause.into()))),
                    }
                }
                companies
            }
        };
        for (company, history) in companies {
            let uid = company.uid;
            match self.compare(company, &history, changes, now).await {
                Ok(false) => {}
                Ok(true) => unfinished.push((uid, Unfinished::Paused)),
                Err(cause) => unfinished.push((uid, Unfinished::Failed(cause))),
            }
        }
        unfinished
    }

    /// Compares a company and its officers, and notifies each team that watches the company of the new hits. Returns whether a watch
    /// pauses that would have led to a notification.
    async fn compare(
        &self,
        company: Company,
        history: &History,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let candidates = candidates(&company, history, changes)?;
        if candidates.is_empty() {
            return Ok(false);
        }
        let watchers = self.tenants.watchers(company.uid).await?;
        let teams = self.tenants.watching_teams(&watchers, now).await?;
        let is_present = |it: &&Watcher| {
            let team = teams.get(&TeamKey::of_watcher(it));
            it.webhook.is_none() && team.is_some_and(|team| team.is_present(it))
        };
        let is_paused = |it: &Watcher| {
            let team = teams.get(&TeamKey::of_watcher(it));
            it.webhook.is_none() && team.is_some_and(|team| team.is_paused(it))
        };
        let mut of_teams: BTreeMap<(&TeamId, Environment), Vec<&Watcher>> = BTreeMap::new();
        for watcher in watchers.iter().filter(is_present) {
            of_teams.entry((&watcher.team, watcher.environment)).or_default().push(watcher);
        }
        for watchers in of_teams.into_values() {
            let Some(team) = watchers.first().map(|it| TeamKey::of_watcher(it)) else { continue };
            let preferences = teams.get(&team).map(|it| &it.preferences);
            let is_enabled = |it: &Owner| {
                preferences.and_then(|all| all.get(it)).is_some_and(|it| it.is_enabled)
            };
            let owners: BTreeSet<Owner> = watchers.iter().map(|it| it.created_by.owner()).collect();
            let recipients = Recipients {
                owners: owners.into_iter().filter(is_enabled).collect(),
                webhooks: self.tenants.webhooks_of_hits(&team, now).await?,
                watchlists: watchers.iter().filter_map(|it| it.watchlist.clone()).collect(),
                team,
            };
            if recipients.owners.is_empty() && recipients.webhooks.is_empty() {
                continue;
            }
            for candidate in &candidates {
                self.send_new(candidate, &recipients, changes, now).await?;
            }
        }
        Ok(watchers.iter().any(is_paused))
    }

    /// Stores the evidence of the new hits and sends them to a team. Both happen once, although jobs are repeated.
    async fn send_new(
        &self,
        candidate: &Candidate,
        Recipients { team, owners, webhooks, watchlists }: &Recipients,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let query = &candidate.query;
        let company = candidate.company.uid;
        let concerned = Concerned {
            name: query.name.clone(),
            relation: candidate.who.relation(&candidate.company),
            company_uid: Some(company),
            is_watched: true,
            watchlist_ids: watchlists.clone(),
        };
        let webhooks: Vec<&Webhook> =
            webhooks.iter().filter(|it| it.accepts_hits(&concerned)).collect();
        if owners.is_empty() && webhooks.is_empty() {
            return Ok(());
        }
        let pairs: Vec<String> = candidate.changed.iter().map(|it| query.pair(&it.id())).collect();
        let decisions = self.tenants.hit_decisions(team, pairs, now).await?;
        let mut new = news(&candidate.changed, query, None, &decisions, now);
        if new.is_empty() {
            return Ok(());
        }
        let published = &changes.version;
        let of @ (list, version) = (published.version.list, published.id.as_str());
        let subject = candidate.subject();
        let before = changes.earlier_version();
        let mut notified = self.tenants.notified_hits(team, list, company, &subject).await?;
        new.retain(|it| !notified.contains(it, before, version));
        if new.is_empty() {
            return Ok(());
        }
        let id = candidate.rescreening_id(team, of, published.published_at);
        let screening = match self.tenants.screening(team, id, now).await? {
            Some(stored) => stored,
            None => {
                let included: BTreeSet<String> = new.iter().map(|it| it.entry_id.clone()).collect();
                let screened = self.lists.screen_version(id, query, of, &included, now).await;
                let Some(mut screening) = screened.map_err(|it| it.0)? else { return Ok(()) };
                let found = screening.hits.iter().filter(|it| included.contains(&it.entry_id));
                screening.trigger = Some(Trigger {
                    reason: candidate.who.reason(),
                    subject_id: None,
                    company_uid: Some(company),
                    person_id: match candidate.who {
                        Who::Officer(id) => Some(id),
                        Who::Company | Who::Parent(_) => None,
                    },
                    new_hits: hit_ids(found),
                });
                self.put_screening(team, &screening, now).await?;
                screening
            }
        };
        let news = New { concerned: &concerned, screening: &screening, hits: &new };
        self.deliver(team, &news, &webhooks).await?;
        if !owners.is_empty() {
            self.notify(team, &news, owners).await?;
        }
        notified.add(&new, before, version);
        Ok(self.tenants.put_notified_hits(team, list, (company, &subject), &notified, now).await?)
    }
}

impl Candidate {
    /// The id of the officer, the identifier of the parent or the number of the company.
    fn subject(&self) -> String {
        match self.who {
            Who::Company => self.company.uid.to_string(),
            Who::Parent(lei) => lei.to_string(),
            Who::Officer(person) => person.to_string(),
        }
    }

    /// The id of the screening against a version of a list: the same each time. An officer or a parent of several watched companies
    /// is one subject.
    fn rescreening_id(
        &self,
        team: &TeamKey,
        (list, version): (domain::lists::List, &str),
        published_at: Timestamp,
    ) -> Uuid {
        let parts = ["rescreening", "watch", &self.subject(), list.name(), version];
        teams::notification_id(team.team(), team.environment(), published_at, &parts)
    }
}

/// The company, and those of its parents and officers, that may be changed entries.
fn candidates(
    company: &Company,
    history: &History,
    changes: &Changes,
) -> Result<Vec<Candidate>, Error> {
    let lists = vec![changes.version.version.list];
    let itself = ScreeningQuery::of_company(company, lists.clone());
    let mut queries = vec![(itself, Who::Company)];
    let parents = ParentName::of(company).into_iter();
    queries.extend(parents.map(|parent| {
        (ScreeningQuery::of_parent(&parent, lists.clone()), Who::Parent(parent.lei))
    }));
    let mut seen = HashSet::new();
    for mandate in history.current_mandates().filter(|it| seen.insert(it.person_id)) {
        let query = ScreeningQuery::of_officer(&OfficerName::of(mandate), lists.clone());
        queries.push((query, Who::Officer(mandate.person_id)));
    }
    let mut candidates = Vec::new();
    for (query, who) in queries {
        let changed = changes.hits(&Search::new(&query.subject(), query.threshold))?;
        if !changed.is_empty() {
            let company = company.clone();
            candidates.push(Candidate { query, who, company, changed });
        }
    }
    Ok(candidates)
}
