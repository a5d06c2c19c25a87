//! What is found by its key: the partitions of a team with the copies of its items elsewhere, and what a user has in a team.

use access::Environment;
use auth::{Identity, Owner, Principal, TeamId};
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;
use teams::{
    Alert, Invitation, MonitoredSubject, Note, Pipeline, PipelineEntry, SavedSearch, SingleSignOn,
    Tag, Watch, Watchlist, WatchlistEntry, Webhook, dossier::Dossier,
};
use tokio::time::Instant;

use super::{
    Erased, Erasure,
    items::{self, Treatment},
};
use crate::{
    ATTEMPTS, ApiKeyRecord, Error, TeamKey, Tenants,
    keys::{self, Key},
    kind::Kind,
    pause_after_conflict,
    resources::{Resource, deletion},
    single_sign_on,
    table::{RawItem, Write},
};

/// Number of notes that are read together.
const NOTES: i32 = 200;

impl Tenants {
    /// Deletes what is found by its key. `false`: the time was not enough; the next run continues.
    pub async fn empty(&self, erasure: &Erasure, deadline: Instant) -> Result<bool, Error> {
        // Again, if the process that has started it was killed.
        self.put_on_list(erasure, false).await?;
        let since = erasure.requested_at;
        let is_empty = match &erasure.erased {
            Erased::Team { team, keeps_evidence_for } => {
                self.empty_team(team, keeps_evidence_for.is_some(), deadline).await?
            }
            Erased::User { user, teams, .. } => {
                for team in teams {
                    let team = TeamKey::of_user(team);
                    if !self.delete_leftovers(&team, user, since, deadline).await? {
                        return Ok(false);
                    }
                }
                let own = keys::user(user).partition;
                self.empty_partition(None, own, deadline).await?
            }
            Erased::Member { team, user, .. } => {
                self.delete_leftovers(&TeamKey::of_user(team), user, since, deadline).await?
            }
            Erased::Address { .. } => true,
        };
        if is_empty && !erasure.is_emptied {
            let emptied = Erasure { is_emptied: true, ..erasure.clone() };
            let put = Write::put_document(erasure.erased.key(), &emptied)?.if_present();
            // Ended by another process meanwhile.
            self.table.try_transact(vec![put]).await?;
        }
        Ok(is_empty)
    }

    async fn empty_team(
        &self,
        team: &TeamId,
        keeps_evidence: bool,
        deadline: Instant,
    ) -> Result<bool, Error> {
        for (partition, treatment) in items::partitions_of(team) {
            if treatment == Treatment::Evidence && keeps_evidence {
                continue;
            }
            let environment = match partition.ends_with("#test") {
                true => Environment::Test,
                false => Environment::Live,
            };
            let key = TeamKey::of_erasure(team, environment);
            if !self.empty_partition(Some(&key), partition, deadline).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Deletes all items of a partition of a team, or of a user. Copies first: only with the item they are found.
    async fn empty_partition(
        &self,
        team: Option<&TeamKey>,
        partition: String,
        deadline: Instant,
    ) -> Result<bool, Error> {
        let all = Key { partition, sort: String::new() };
        loop {
            let page = self.table.first_items(&all).await?;
            if page.is_empty() {
                return Ok(true);
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
            if let Some(team) = team {
                let mut copies = Vec::new();
                for item in &page {
                    copies.extend(self.elsewhere(team, item, deadline).await?);
                }
                self.table.delete_each(copies).await?;
            }
            self.table.delete_each(page.iter().map(RawItem::key).collect()).await?;
        }
    }

    /// The keys of what is stored elsewhere about an item of a team. What cannot be decoded is found by the sweep.
    async fn elsewhere(
        &self,
        team: &TeamKey,
        item: &RawItem,
        deadline: Instant,
    ) -> Result<Vec<Key>, Error> {
        let key = item.key();
        let found: Vec<_> = items::items_with_key(&key.partition, &key.sort).collect();
        let is = |kind: Kind| found.contains(&items::of_kind(kind));
        if let Some(kind) = Kind::ALL.into_iter().find(|it| is(*it)) {
            if kind == Kind::Member {
                let user = key.sort.split('#').nth(1).unwrap_or_default();
                self.leave_erased_team(team.team(), user).await?;
            }
            if kind == Kind::Webhook {
                let id = key.sort.split('#').nth(1).unwrap_or_default();
                let partition = keys::webhook_state(team, id).partition;
                Box::pin(self.empty_partition(None, partition, deadline)).await?;
            }
            return Ok(copies(kind, team, item));
        }
        Ok(match key.sort.split('#').next().unwrap_or_default() {
            "API-KEY" => {
                let key: Option<ApiKeyRecord> = item.read().ok();
                key.map(|it| keys::presented_key(&it.credential.key_id)).into_iter().collect()
            }
            "SSO" => {
                let settings: Option<SingleSignOn> = item.read().ok();
                settings.map(|it| single_sign_on::claims_of(&it)).unwrap_or_default()
            }
            "SSO-USER" => {
                let identity: Option<Identity> = item.read().ok();
                identity.map(|it| keys::sso_identity(&it.subject)).into_iter().collect()
            }
            _ => Vec::new(),
        })
    }

    /// Deletes the copy of a membership in an erased team, and counts it.
    pub(super) async fn leave_erased_team(&self, team: &TeamId, user: &str) -> Result<(), Error> {
        let copy = Write::delete(keys::team_of_user(user, team)).if_present();
        let count = Write::count_down_above(keys::number_of_teams(user), 0);
        for attempt in 0..ATTEMPTS {
            match self.table.try_transact(vec![copy.clone(), count.clone()]).await {
                // A condition that does not hold: done before, or the user is erased, too.
                Ok(_) => return Ok(()),
                Err(Error::Changed) => pause_after_conflict(attempt).await,
                Err(failure) => return Err(failure),
            }
        }
        Err(Error::Changed)
    }

    /// Deletes what a user has for herself in a team: private notes from before the request, settings, preferences, mails
    /// that wait, and the account at the team's identity provider. Of a user who is a member again, only the notes. `false`: the time
    /// was not enough.
    async fn delete_leftovers(
        &self,
        team: &TeamKey,
        user: &str,
        since: Timestamp,
        deadline: Instant,
    ) -> Result<bool, Error> {
        let notes = keys::resource(team, Kind::Note, "");
        let to = format!("{}~", notes.sort);
        let range = (notes.sort.as_str(), to.as_str());
        let pages = self.table.query_forwards_consistently(&notes.partition, range, NOTES);
        pin_mut!(pages);
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                let Ok(note) = row.read_revised::<Note>() else { continue };
                if is_private_of(&note.value, user, since) {
                    self.table.try_transact(deletion(team, &note)).await?;
                }
            }
            if Instant::now() >= deadline {
                return Ok(false);
            }
        }
        if self.member(team, user).await?.is_some() {
            return Ok(true);
        }
        let owner = Owner::User(user.to_owned());
        let mut left = vec![
            keys::settings(team, &owner),
            keys::notification_preferences(team, &owner),
            keys::last_digest(team, &owner),
        ];
        let identity = keys::sso_identity_of(team, user);
        if let Some(item) = self.table.raw(&identity).await? {
            left.extend(item.read::<Identity>().ok().map(|it| keys::sso_identity(&it.subject)));
            left.push(identity);
        }
        self.table.delete_each(left).await?;
        for prefix in [keys::pending_mails(team, &owner), keys::queued_mails(team, &owner)] {
            loop {
                let page = self.table.first_items(&prefix).await?;
                if page.is_empty() {
                    break;
                }
                if Instant::now() >= deadline {
                    return Ok(false);
                }
                self.table.delete_each(page.iter().map(RawItem::key).collect()).await?;
            }
        }
        Ok(true)
    }
}

/// Whether a note is a private one of this user, from before a time.
pub(super) fn is_private_of(note: &Note, user: &str, since: Timestamp) -> bool {
    note.is_private && note.created_by == Principal::user(user) && note.created_at <= since
}

/// The keys of the copies of a resource of this kind, and of its first period if it runs by itself.
fn copies(kind: Kind, team: &TeamKey, item: &RawItem) -> Vec<Key> {
    match kind {
        Kind::Alert => copies_of::<Alert>(team, item),
        Kind::Dossier => copies_of::<Dossier>(team, item),
        Kind::Invitation => copies_of::<Invitation>(team, item),
        // With the number of the user's teams.
        Kind::Member => Vec::new(),
        Kind::MonitoredSubject => copies_of::<MonitoredSubject>(team, item),
        Kind::Note => copies_of::<Note>(team, item),
        Kind::Pipeline => copies_of::<Pipeline>(team, item),
        Kind::PipelineEntry => copies_of::<PipelineEntry>(team, item),
        Kind::SavedSearch => copies_of::<SavedSearch>(team, item),
        Kind::Tag => copies_of::<Tag>(team, item),
        Kind::Watch => copies_of::<Watch>(team, item),
        Kind::Watchlist => copies_of::<Watchlist>(team, item),
        Kind::WatchlistEntry => copies_of::<WatchlistEntry>(team, item),
        Kind::Webhook => copies_of::<Webhook>(team, item),
    }
}

fn copies_of<T: Resource>(team: &TeamKey, item: &RawItem) -> Vec<Key> {
    let Ok(resource) = item.read::<T>() else { return Vec::new() };
    let due = resource.first_due(team).map(|it| it.key());
    resource.copies(team).into_iter().map(|it| it.key).chain(due).collect()
}
