//! What is found by what it mentions: one search of the whole table for all erasures that wait.
//!
//! It starts at most once a day, however many erasures wait, and continues where it was interrupted.

use std::collections::BTreeSet;

use access::Role;
use auth::{Email, Identity, Member, Session, TeamId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teams::{Invitation, Note, NotificationPreferences};
use tokio::time::Instant;

use super::{
    Erased, Erasure, Failed, PLACEHOLDER, QUIET, TEAM,
    empty::is_private_of,
    hash,
    items::{StoredItem, Treatment, items_with_key, of_kind},
    whole,
};
use crate::{
    Error, LinkPurpose, MagicLink, MailLink, TeamKey, Tenants,
    companies::readable,
    keys::{self, Key},
    kind::Kind,
    resources::deletion,
    table::{RawItem, Read, Write},
};

/// Minimum time between the starts of two searches.
const INTERVAL: SignedDuration = SignedDuration::from_hours(20);
/// Number of attempts to change an item that others change, too.
const ATTEMPTS: usize = 5;
/// How long a sign-in link, a link that confirms an address, and one that ends mails work at most.
const SIGN_IN_LINK: SignedDuration = SignedDuration::from_mins(15);
const CONFIRMATION_LINK: SignedDuration = SignedDuration::from_hours(7 * 24);
const UNSUBSCRIBE_LINK: SignedDuration = SignedDuration::from_hours(2 * 365 * 24);
/// What stands for the address of an erased user, and for that of a client.
const NO_EMAIL: &str = "erased@erased.invalid";
const NO_ADDRESS: &str = "0.0.0.0";

/// What an erasure does with entries of the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditLogs {
    /// They stay until they expire. No function may change one.
    Stay,
    /// They become anonymous: time and operation stay. Only for the operator.
    BecomeAnonymous,
}

/// Where the search is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sweep {
    started_at: Timestamp,
    is_running: bool,
    /// The last item that was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<(String, String)>,
}

/// What becomes of an item.
enum Action {
    Stay,
    Delete,
    /// With what it counts.
    DeleteNote(Box<Read<Note>>),
    DeleteInvitation(Box<Read<Invitation>>),
    /// A membership that a restored backup has brought back.
    DeleteMember(Box<Read<Member>>),
    LeaveTeam(String),
    Change(Box<dyn Fn(&str) -> String + Send + Sync>),
    /// Of an entry of the audit log: to the key of an erased team.
    Move(Key, Box<dyn Fn(&str) -> String + Send + Sync>),
}

impl Tenants {
    /// Searches the table for what is left of erasures that wait for [`QUIET`]. Returns those of which nothing is left; they may
    /// end. Empty if the search goes on in the next run, if nothing waits, or if the last search was a short time ago.
    pub async fn sweep(&self, now: Timestamp, deadline: Instant) -> Result<Vec<Erasure>, Error> {
        // What cannot be decoded is logged, and the search starts again.
        let stored = self.table.get_row(keys::sweep()).await?.and_then(readable::<Sweep>);
        let stored = stored.transpose()?;
        let mut erasures = self.erasures().await?;
        let is_quiet = |it: &Erasure, at: Timestamp| it.queued_at + QUIET <= at;
        let mut sweep = match stored {
            Some(running) if running.is_running => running,
            // Nothing is left, but the process was killed before they ended.
            Some(last) if erasures.iter().any(|it| is_quiet(it, last.started_at)) => {
                erasures.retain(|it| is_quiet(it, last.started_at));
                return self.without_failed(erasures, last.started_at, now).await;
            }
            last => {
                let is_early = last.is_some_and(|it| it.started_at + INTERVAL > now);
                if is_early || !erasures.iter().any(|it| is_quiet(it, now)) {
                    return Ok(Vec::new());
                }
                Sweep { started_at: now, is_running: true, after: None }
            }
        };
        erasures.retain(|it| is_quiet(it, sweep.started_at));
        self.read_memberships(&mut erasures, now).await?;
        while sweep.is_running {
            let after = sweep.after.take().map(|(partition, sort)| Key { partition, sort });
            let next =
                self.search_page(after.as_ref(), &mut erasures, AuditLogs::Stay, now).await?;
            sweep.is_running = next.is_some();
            sweep.after = next.map(|it| (it.partition, it.sort));
            if !sweep.is_running || Instant::now() >= deadline {
                self.table.put(keys::sweep(), &sweep).await?;
                break;
            }
        }
        match sweep.is_running {
            true => Ok(Vec::new()),
            false => self.without_failed(erasures, sweep.started_at, now).await,
        }
    }

    /// Reads which former members are members again.
    async fn read_memberships(
        &self,
        erasures: &mut [Erasure],
        now: Timestamp,
    ) -> Result<(), Error> {
        for erasure in erasures {
            let Erased::Member { team, user, has_returned } = &mut erasure.erased else { continue };
            let (team, user) = (TeamKey::of_user(team), user.clone());
            match self.member(&team, &user).await {
                Ok(member) => *has_returned = member.is_some(),
                Err(failure) => {
                    *has_returned = true;
                    let key = keys::resource(&team, Kind::Member, &user);
                    erasure.has_failed_with(&key, &failure, now);
                    self.update_erasure(erasure).await?;
                }
            }
        }
        Ok(())
    }

    /// Those of which a search since this time has erased everything. The others wait for the next search.
    async fn without_failed(
        &self,
        erasures: Vec<Erasure>,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Erasure>, Error> {
        let has_failed = |it: &Erasure| it.failed.as_ref().is_some_and(|it| it.at >= since);
        let (failed, erased): (Vec<_>, Vec<_>) = erasures.into_iter().partition(has_failed);
        for erasure in failed {
            self.update_erasure(&Erasure { queued_at: now, ..erasure }).await?;
        }
        Ok(erased)
    }

    /// Replaces an erasure that is not finished. One that another process has ended meanwhile stays ended.
    pub(super) async fn update_erasure(&self, erasure: &Erasure) -> Result<(), Error> {
        self.table.try_transact(vec![erasure.start()?.if_present()]).await.map(drop)
    }

    /// Searches the whole table at once, for the operator. Returns those erasures that could not be completed.
    pub async fn search_all(
        &self,
        mut erasures: Vec<Erasure>,
        logs: AuditLogs,
        now: Timestamp,
    ) -> Result<Vec<Erasure>, Error> {
        erasures.iter_mut().for_each(|it| it.failed = None);
        self.read_memberships(&mut erasures, now).await?;
        let mut after = None;
        loop {
            after = self.search_page(after.as_ref(), &mut erasures, logs, now).await?;
            if after.is_none() {
                erasures.retain(|it| it.failed.is_some());
                return Ok(erasures);
            }
        }
    }

    /// Searches a page. Returns the key after which the next one starts. An item that cannot be erased is logged, named in the
    /// erasure, and left as it is.
    async fn search_page(
        &self,
        after: Option<&Key>,
        erasures: &mut [Erasure],
        logs: AuditLogs,
        now: Timestamp,
    ) -> Result<Option<Key>, Error> {
        let (items, next) = self.table.scan_page(after).await?;
        let mut failed = BTreeSet::new();
        for item in items {
            let key = item.key();
            let text = format!("{}\n{}\n{}", key.partition, key.sort, item.text());
            for (index, erasure) in erasures.iter_mut().enumerate() {
                if !erasure.is_mentioned(&text) {
                    continue;
                }
                if let Err(failure) = self.erase_item(&key, erasure, logs).await {
                    erasure.has_failed_with(&key, &failure, now);
                    failed.insert(index);
                }
            }
        }
        for index in failed {
            self.update_erasure(&erasures[index]).await?;
        }
        Ok(next)
    }

    /// Does with an item what an erasure asks for. Reads it again, because another erasure may have changed it.
    async fn erase_item(&self, key: &Key, erasure: &Erasure, logs: AuditLogs) -> Result<(), Error> {
        for _ in 0..ATTEMPTS {
            let Some(item) = self.table.raw(key).await? else { return Ok(()) };
            let done = match erasure.action(&item, logs)? {
                Action::Stay => true,
                Action::Delete => {
                    self.table.delete_each(vec![key.clone()]).await?;
                    true
                }
                Action::DeleteNote(note) => self.delete_counted(key, &note).await?,
                Action::DeleteInvitation(invitation) => {
                    self.delete_counted(key, &invitation).await?
                }
                Action::DeleteMember(member) => {
                    let is_owner = member.value.role == Role::Owner;
                    let done = self.delete_counted(key, &member).await?;
                    if done
                        && is_owner
                        && let Some(team) = team_of(key)
                    {
                        let owners = Write::count_down_above(keys::owners(&team), 0);
                        self.table.try_transact(vec![owners]).await?;
                    }
                    done
                }
                Action::LeaveTeam(user) => {
                    if let Erased::Team { team, .. } = &erasure.erased {
                        self.leave_erased_team(team, &user).await?;
                    }
                    self.table.delete_each(vec![key.clone()]).await?;
                    true
                }
                Action::Change(change) => self.table.change_texts(&item, &*change).await?,
                Action::Move(to, change) => {
                    self.table.move_item(&item, &to, &*change).await?;
                    true
                }
            };
            if done {
                return Ok(());
            }
        }
        Err(Error::Changed)
    }

    /// Deletes a resource with what it counts. `false`: it was changed meanwhile.
    async fn delete_counted<T: crate::Resource>(
        &self,
        key: &Key,
        read: &Read<T>,
    ) -> Result<bool, Error> {
        let Some(team) = team_of(key) else { return Ok(true) };
        match self.table.try_transact(deletion(&team, read)).await {
            Ok(failed) => Ok(failed.is_empty()),
            Err(Error::Changed) => Ok(false),
            Err(failure) => Err(failure),
        }
    }
}

/// The team in whose partition an item is.
fn team_of(key: &Key) -> Option<TeamKey> {
    let mut segments = key.partition.split('#').skip(1);
    let (team, environment) = (segments.next()?, segments.next()?);
    Some(TeamKey::of_erasure(&TeamId(team.to_owned()), environment.parse().ok()?))
}

/// Whether a segment of the key is this text.
fn names(key: &Key, id: &str) -> bool {
    [&key.partition, &key.sort].into_iter().any(|it| it.split('#').any(|segment| segment == id))
}

impl Erasure {
    /// Whether an item may be about what is erased.
    fn is_mentioned(&self, text: &str) -> bool {
        match &self.erased {
            Erased::Team { team, .. } => text.contains(&team.0),
            Erased::User { user, email, .. } => {
                let is_address = |it: &Email| whole::contains(text, it);
                text.contains(user) || email.as_ref().is_some_and(is_address)
            }
            Erased::Member { team, user, .. } => text.contains(&team.0) && text.contains(user),
            Erased::Address { email } => whole::contains(text, email),
        }
    }

    /// Notes that an item could not be erased, for the operator and the next search.
    fn has_failed_with(&mut self, key: &Key, failure: &Error, now: Timestamp) {
        let reason = errors::chain(failure);
        // The rest of a key may be an address.
        let beginning = key.partition.split('#').next().unwrap_or_default();
        let kind = self.erased.kind();
        tracing::error!(
            metric = "UnreadableRecord",
            kind,
            beginning,
            reason,
            "an item was not erased; the next search tries again"
        );
        let failed = self.failed.get_or_insert_with(|| Failed {
            at: now,
            items: 0,
            first: (key.partition.clone(), key.sort.clone()),
            reason,
        });
        (failed.at, failed.items) = (now, failed.items + 1);
    }

    fn action(&self, item: &RawItem, logs: AuditLogs) -> Result<Action, Error> {
        let key = item.key();
        let kind = items_with_key(&key.partition, &key.sort).next();
        if kind.is_none() {
            tracing::error!(
                metric = "UnreadableRecord",
                partition = key.partition,
                "an item of no known kind"
            );
        }
        let treatment = kind.map_or(Treatment::OfTeam, |it| it.treatment);
        Ok(match &self.erased {
            Erased::Team { team, keeps_evidence_for } => {
                let keeps = treatment == Treatment::Evidence && keeps_evidence_for.is_some();
                if keeps { Action::Stay } else { of_team(item, &key, treatment, team, logs) }
            }
            Erased::User { user, email, .. } => {
                let of_user = self.about_user(item, &key, kind, user, logs)?;
                match (of_user, email) {
                    (Action::Stay, Some(email)) => self.about_address(item, &key, kind, email)?,
                    (action, _) => action,
                }
            }
            Erased::Member { team, user, has_returned } => {
                self.about_member(item, &key, treatment, (team, user), *has_returned)
            }
            Erased::Address { email } => self.about_address(item, &key, kind, email)?,
        })
    }

    /// An item that mentions a user.
    fn about_user(
        &self,
        item: &RawItem,
        key: &Key,
        kind: Option<StoredItem>,
        user: &str,
        logs: AuditLogs,
    ) -> Result<Action, Error> {
        let replaced = || {
            let user = user.to_owned();
            Action::Change(Box::new(move |it| it.replace(&user, PLACEHOLDER)))
        };
        let is_mentioned = item.text().contains(user);
        Ok(match kind.map_or(Treatment::OfTeam, |it| it.treatment) {
            Treatment::Neutral | Treatment::Erasure | Treatment::Counter => Action::Stay,
            Treatment::AuditLog => match logs {
                AuditLogs::BecomeAnonymous if is_mentioned => {
                    let user = user.to_owned();
                    Action::Change(Box::new(move |it| anonymous_entry(it, Some(&user))))
                }
                _ => Action::Stay,
            },
            Treatment::OfUser | Treatment::OfSession if names(key, user) => Action::Delete,
            Treatment::OfSession if is_mentioned => Action::Delete,
            Treatment::OfUser | Treatment::OfSession => Action::Stay,
            Treatment::OfTeam | Treatment::Evidence | Treatment::CopyOfTeam => {
                if kind == Some(of_kind(Kind::Member)) && names(key, user) {
                    return Ok(match item.read_revised::<Member>() {
                        Ok(member) => Action::DeleteMember(Box::new(member)),
                        Err(_) => Action::Delete,
                    });
                }
                if names(key, user) {
                    return Ok(Action::Delete);
                }
                if kind == Some(of_kind(Kind::Note))
                    && let Ok(note) = item.read_revised::<Note>()
                    && is_private_of(&note.value, user, self.requested_at)
                {
                    return Ok(Action::DeleteNote(Box::new(note)));
                }
                if is_mentioned { replaced() } else { Action::Stay }
            }
        })
    }

    /// An item that may mention the address of an erased user. Another user may have it since. What cannot be decoded is an error:
    /// nobody knows from when it is.
    fn about_address(
        &self,
        item: &RawItem,
        key: &Key,
        kind: Option<StoredItem>,
        email: &Email,
    ) -> Result<Action, Error> {
        if !whole::contains(&item.text(), email) {
            return Ok(Action::Stay);
        }
        let since = self.requested_at;
        if kind == Some(of_kind(Kind::Invitation)) {
            let it = item.read_revised::<Invitation>()?;
            return Ok(match it.value.email == *email && it.value.created_at <= since {
                true => Action::DeleteInvitation(Box::new(it)),
                false => Action::Stay,
            });
        }
        let is_before = match key.partition.split('#').next().unwrap_or_default() {
            "INVITATION" => {
                let it = item.read::<Invitation>()?;
                it.email == *email && it.created_at <= since
            }
            "MAGIC-LINK" => {
                let it = item.read::<MagicLink>()?;
                it.email == *email && it.signs_in_until <= since + SIGN_IN_LINK
            }
            "MAIL-LINK" => {
                let it = item.read::<MailLink>()?;
                let longest = match it.purpose {
                    LinkPurpose::Confirm => CONFIRMATION_LINK,
                    LinkPurpose::Unsubscribe => UNSUBSCRIBE_LINK,
                };
                it.email == *email && it.expires_at <= since + longest
            }
            "NOTIFICATIONS" if key.sort.starts_with("PREFERENCES#") => {
                let it = item.read::<NotificationPreferences>()?;
                let is_old = it.email_address.as_ref() == Some(email)
                    && it.updated_at.is_none_or(|it| it <= since);
                return Ok(match is_old {
                    true => Action::Change(Box::new(without_address)),
                    false => Action::Stay,
                });
            }
            "IDEMPOTENCY" => {
                let email = email.clone();
                let replaced = move |it: &str| whole::replace(it, &email, NO_EMAIL);
                return Ok(Action::Change(Box::new(replaced)));
            }
            _ => false,
        };
        Ok(if is_before { Action::Delete } else { Action::Stay })
    }

    /// An item that mentions a team and a user who has left it.
    fn about_member(
        &self,
        item: &RawItem,
        key: &Key,
        treatment: Treatment,
        (team, user): (&TeamId, &str),
        has_returned: bool,
    ) -> Action {
        let is_personal = key.partition.starts_with("NOTIFICATIONS#")
            || ["SETTINGS#", "SSO-USER#"].iter().any(|it| key.sort.starts_with(it));
        let text = item.text();
        let is_of_both = text.contains(&team.0) && text.contains(user);
        match treatment {
            // A session, sign-in or link from after a return belongs to the member again.
            Treatment::OfSession if is_of_both => {
                let is_older = || started_at(item).is_none_or(|it| it <= self.requested_at);
                if !has_returned || is_older() { Action::Delete } else { Action::Stay }
            }
            Treatment::OfTeam if is_personal && names(key, user) && names(key, &team.0) => {
                if has_returned {
                    Action::Stay
                } else {
                    Action::Delete
                }
            }
            _ => Action::Stay,
        }
    }
}

/// When a session, the last sign-in of an identity, or a link began.
fn started_at(item: &RawItem) -> Option<Timestamp> {
    let session = item.read::<Session>().ok().map(|it| it.created_at);
    let identity = || item.read::<Identity>().ok().map(|it| it.signed_in_at);
    let link = || {
        let link = item.read::<MailLink>().ok()?;
        let longest = match link.purpose {
            LinkPurpose::Confirm => CONFIRMATION_LINK,
            LinkPurpose::Unsubscribe => UNSUBSCRIBE_LINK,
        };
        Some(link.expires_at - longest)
    };
    session.or_else(identity).or_else(link)
}

/// An item that mentions a team.
fn of_team(
    item: &RawItem,
    key: &Key,
    treatment: Treatment,
    team: &TeamId,
    logs: AuditLogs,
) -> Action {
    match treatment {
        Treatment::Neutral | Treatment::Erasure | Treatment::Counter => Action::Stay,
        Treatment::AuditLog if logs == AuditLogs::Stay => Action::Stay,
        Treatment::AuditLog if names(key, &team.0) => {
            let to = keys::anonymous_audit(key, team, &hash(TEAM, &team.0));
            Action::Move(to, Box::new(|it| anonymous_entry(it, None)))
        }
        Treatment::OfUser if names(key, &team.0) => {
            let user = key.partition.split('#').nth(1).unwrap_or_default();
            Action::LeaveTeam(user.to_owned())
        }
        Treatment::OfUser => {
            let team = team.0.clone();
            Action::Change(Box::new(move |it| without_last_team(it, &team)))
        }
        Treatment::CopyOfTeam | Treatment::OfSession => Action::Delete,
        Treatment::OfTeam | Treatment::Evidence if names(key, &team.0) => Action::Delete,
        // Something of another team that mentions this one, such as an answer that is kept for repetitions.
        Treatment::OfTeam | Treatment::Evidence | Treatment::AuditLog => {
            if !item.text().contains(&team.0) {
                return Action::Stay;
            }
            let team = team.0.clone();
            Action::Change(Box::new(move |it| it.replace(&team, PLACEHOLDER)))
        }
    }
}

/// Changes an object in a text of JSON. Another text stays.
fn edited(text: &str, edit: impl FnOnce(&mut serde_json::Map<String, Value>)) -> String {
    match serde_json::from_str(text) {
        Ok(Value::Object(mut object)) => {
            edit(&mut object);
            Value::Object(object).to_string()
        }
        _ => text.to_owned(),
    }
}

fn without_last_team(text: &str, team: &str) -> String {
    edited(text, |user| {
        if user.get("lastTeam").is_some_and(|it| it == team) {
            user.remove("lastTeam");
        }
    })
}

fn without_address(text: &str) -> String {
    edited(text, |preferences| {
        preferences.remove("emailAddress");
        preferences.remove("emailConfirmedAt");
        preferences.remove("emailSetBy");
    })
}

/// An entry of the audit log, or its outcome, without its actor, if that is this user, and without mentions of the user.
/// Without a user: of an erased team, of which only times and operations stay.
fn anonymous_entry(text: &str, user: Option<&str>) -> String {
    edited(text, |entry| {
        let actor = entry.get("actor").and_then(|it| it["id"].as_str());
        if actor.is_some() && user.is_none_or(|it| actor == Some(it)) {
            entry["actor"]["id"] = PLACEHOLDER.into();
        }
        let is_anonymous = entry.get("actor").is_some_and(|it| it["id"] == PLACEHOLDER);
        if entry.contains_key("actor") && (is_anonymous || user.is_none()) {
            entry.insert("clientAddress".to_owned(), NO_ADDRESS.into());
            entry.insert("requestId".to_owned(), "".into());
        }
        let target = entry.get("target").and_then(Value::as_str).map(|it| match user {
            Some(user) => it.replace(user, PLACEHOLDER),
            None => without_ids(it),
        });
        if let Some(target) = target {
            entry.insert("target".to_owned(), target.into());
        }
        match user {
            Some(user) if entry.get("createdId").is_some_and(|it| it == user) => {
                entry.insert("createdId".to_owned(), PLACEHOLDER.into());
            }
            None => drop(entry.remove("createdId")),
            Some(_) => {}
        }
    })
}

/// A path whose ids are left out.
fn without_ids(path: &str) -> String {
    let is_id = |it: &str| uuid::Uuid::try_parse(it).is_ok();
    let segments = path.split('/').map(|it| if is_id(it) { "{id}" } else { it });
    segments.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const USER: &str = "0199c0de-0ac1-7000-8000-000000000000";

    fn entry(actor: &str) -> Value {
        json!({
            "id": "0199c0de-0ac9-7000-8000-000000000000", "createdAt": "2026-11-20T12:30:00Z",
            "actor": { "type": "user", "id": actor, "role": "admin" }, "action": "change_role",
            "target": format!("/v1/teams/me/members/{USER}"), "clientAddress": "192.0.2.1",
            "requestId": "r-1",
        })
    }

    fn changed(entry: &Value, user: Option<&str>) -> Value {
        serde_json::from_str(&anonymous_entry(&entry.to_string(), user)).expect("JSON")
    }

    #[test]
    fn an_entry_by_an_erased_user_keeps_time_and_operation() {
        let anonymous = changed(&entry(USER), Some(USER));
        assert_eq!(anonymous["actor"]["id"], PLACEHOLDER);
        assert_eq!(anonymous["clientAddress"], NO_ADDRESS);
        assert_eq!(anonymous["requestId"], "");
        assert_eq!(anonymous["target"], format!("/v1/teams/me/members/{PLACEHOLDER}"));
        for kept in ["id", "createdAt", "action"] {
            assert_eq!(anonymous[kept], entry(USER)[kept]);
        }
        let read: Result<teams::AuditEntry, _> = serde_json::from_value(anonymous);
        assert!(read.is_ok(), "{read:?}");
    }

    #[test]
    fn an_entry_by_another_user_keeps_its_actor() {
        let other = changed(&entry("somebody"), Some(USER));
        assert_eq!(other["actor"]["id"], "somebody");
        assert_eq!(other["clientAddress"], "192.0.2.1");
        assert_eq!(other["target"], format!("/v1/teams/me/members/{PLACEHOLDER}"));
    }

    #[test]
    fn an_entry_of_an_erased_team_names_nobody() {
        let anonymous = changed(&entry("somebody"), None);
        assert_eq!(anonymous["actor"]["id"], PLACEHOLDER);
        assert_eq!(anonymous["target"], "/v1/teams/me/members/{id}");
        assert_eq!(anonymous["clientAddress"], NO_ADDRESS);
        let outcome = changed(&json!({ "status": 201, "createdId": USER }), None);
        assert_eq!(outcome, json!({ "status": 201 }));
    }
}
