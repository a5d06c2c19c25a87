//! Subjects that teams monitor, and how far they have been screened again.
//!
//! Invariants: a team monitors a subject once; a subject and its copies appear and disappear together; the last screening
//! against a list never goes back to an earlier version of it; a subject that could not be screened is marked until it is.

use std::collections::{HashMap, HashSet};

use access::{TeamLimits, Tier};
use domain::lists::List;
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use teams::{LastScreenings, MonitoredSubject, screening::Screening};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Refused, TeamKey, Tenants,
    keys::{self, Key},
    kind::Kind,
    resources::{Copy, Limit, LimitedByTier, Resource},
    table::Row,
    within_tier::SortedByAge,
};

/// Number of partitions of the copies of all subjects.
pub const SUBJECT_SHARDS: u32 = keys::SUBJECT_SHARDS;

impl Resource for MonitoredSubject {
    const KIND: Kind = Kind::MonitoredSubject;

    fn path(&self) -> String {
        self.id.to_string()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier::<Self>()]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let identity = keys::subject_identity(team, &self.query.identity_hash());
        let of_all = keys::subject_of_all(team, self.id);
        vec![Copy { key: identity, is_unique: true }, Copy { key: of_all, is_unique: false }]
    }
}

impl LimitedByTier for MonitoredSubject {
    fn max(limits: &TeamLimits) -> u32 {
        limits.monitored_subjects
    }
}

impl SortedByAge for MonitoredSubject {}

/// Subjects of several teams, in the order in which they are stored.
#[derive(Debug)]
pub struct SubjectPart {
    pub subjects: Vec<StoredSubject>,
    /// Where the next part of the shard starts. `None`: this is the last one.
    pub next: Option<String>,
}

/// A subject of any team.
#[derive(Debug)]
pub struct StoredSubject {
    /// The key in its shard.
    pub key: String,
    pub team: TeamKey,
    pub id: Uuid,
    /// An error: the item is damaged.
    pub subject: Result<MonitoredSubject, Error>,
}

impl StoredSubject {
    fn of(row: Row) -> Option<Self> {
        let key = row.sort.clone();
        let (team, id) = keys::subject_of_key(&key)?;
        Some(Self { key, team, id, subject: row.read() })
    }
}

/// What has become of a subject before.
#[derive(Debug)]
pub struct SubjectState {
    /// An error: the item is damaged.
    pub last: Result<LastScreenings, Error>,
    /// Whether the screening after an earlier update of the list failed.
    pub has_failed: bool,
}

/// The mark of a subject that could not be screened after an update.
#[derive(Serialize)]
struct Failed {}

/// The version of a list with which all subjects and watched companies were last screened again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rescreened {
    pub version: String,
    pub at: Timestamp,
}

impl Tenants {
    /// Monitors a subject, and returns its id. If the team already monitors it, it is compared as in the new query from now on.
    pub async fn monitor(
        &self,
        team: &TeamKey,
        tier: Tier,
        new: &MonitoredSubject,
    ) -> Result<Uuid, Refused> {
        for _ in 0..ATTEMPTS {
            match self.create(team, tier, new).await {
                Err(Refused::Exists) => {}
                done => return done.map(|()| new.id),
            }
            let identity = keys::subject_identity(team, &new.query.identity_hash());
            let known: Option<MonitoredSubject> = self.table.get(identity).await?;
            let Some(known) = known else { continue };
            let with_new_query = |old: &MonitoredSubject| {
                Some(MonitoredSubject { query: new.query.clone(), ..old.clone() })
            };
            let path = known.path();
            if self.change::<MonitoredSubject>(team, &path, with_new_query).await?.is_some() {
                return Ok(known.id);
            }
        }
        Err(Error::Changed.into())
    }

    /// The subjects that a team monitors, newest first: at most `limit`, and only those before the one with the id `before`.
    /// Consistent.
    pub async fn subjects(
        &self,
        team: &TeamKey,
        before: Option<Uuid>,
        limit: usize,
    ) -> Result<Vec<MonitoredSubject>, Error> {
        self.newest(keys::resource(team, Kind::MonitoredSubject, ""), before, limit).await
    }

    /// Ends the monitoring of a subject. `false`: the team does not monitor it.
    pub async fn delete_subject(&self, team: &TeamKey, id: Uuid) -> Result<bool, Error> {
        let deleted = self.delete::<MonitoredSubject>(team, &id.to_string(), |_| true).await?;
        self.delete_screenings(team, id).await?;
        Ok(deleted.is_some())
    }

    /// The last screenings of these subjects. Consistent.
    pub async fn last_screenings(
        &self,
        team: &TeamKey,
        subjects: &[Uuid],
    ) -> Result<HashMap<Uuid, LastScreenings>, Error> {
        let keys = subjects.iter().map(|it| (keys::last_screenings(team, *it), *it));
        let keys: HashMap<Key, Uuid> = keys.collect();
        let mut found = HashMap::new();
        for row in self.table.get_rows(keys.keys().cloned().collect()).await? {
            let key = Key { partition: row.partition.clone(), sort: row.sort.clone() };
            if let Some(id) = keys.get(&key) {
                found.insert(*id, row.read()?);
            }
        }
        Ok(found)
    }

    /// Records a screening that somebody requested, as [`LastScreenings::record_request`].
    pub async fn record_requested_screening(
        &self,
        team: &TeamKey,
        subject: Uuid,
        screening: &Screening,
    ) -> Result<(), Error> {
        self.record_screening(team, subject, |it| it.record_request(screening)).await
    }

    /// Records a screening after an update, as [`LastScreenings::record_update`].
    pub async fn record_screening_after_update(
        &self,
        team: &TeamKey,
        subject: Uuid,
        screening: &Screening,
    ) -> Result<(), Error> {
        self.record_screening(team, subject, |it| it.record_update(screening)).await
    }

    async fn record_screening(
        &self,
        team: &TeamKey,
        subject: Uuid,
        record: impl Fn(&mut LastScreenings),
    ) -> Result<(), Error> {
        self.table.update(keys::last_screenings(team, subject), record).await?;
        // A subject that was deleted meanwhile keeps nothing.
        if self.resource::<MonitoredSubject>(team, &subject.to_string()).await?.is_none() {
            self.delete_screenings(team, subject).await?;
        }
        Ok(())
    }

    async fn delete_screenings(&self, team: &TeamKey, subject: Uuid) -> Result<(), Error> {
        let failed = List::ALL.into_iter().map(|it| keys::failed_rescreening(team, subject, it));
        let last = keys::last_screenings(team, subject);
        self.table.delete_all(failed.chain([last]).collect()).await
    }

    /// Marks a subject that could not be screened after an update of this list.
    pub async fn mark_failed_rescreening(
        &self,
        team: &TeamKey,
        subject: Uuid,
        list: List,
    ) -> Result<(), Error> {
        self.table.put(keys::failed_rescreening(team, subject, list), &Failed {}).await
    }

    /// Removes the mark of a subject.
    pub async fn unmark_failed_rescreening(
        &self,
        team: &TeamKey,
        subject: Uuid,
        list: List,
    ) -> Result<(), Error> {
        self.table.delete_all(vec![keys::failed_rescreening(team, subject, list)]).await
    }

    /// The subjects of a team that could not be screened after an update, each with the list. Consistent.
    pub async fn failed_rescreenings(
        &self,
        team: &TeamKey,
    ) -> Result<HashSet<(Uuid, List)>, Error> {
        let rows = self.table.query_rows(keys::failed_rescreenings(team)).await?;
        Ok(rows.iter().filter_map(|it| keys::failed_subject(&it.sort)).collect())
    }

    /// What has become of these subjects before, in their order. Consistent.
    pub async fn subject_states(
        &self,
        list: List,
        subjects: &[StoredSubject],
    ) -> Result<Vec<SubjectState>, Error> {
        let last = |it: &StoredSubject| keys::last_screenings(&it.team, it.id);
        let mark = |it: &StoredSubject| keys::failed_rescreening(&it.team, it.id, list);
        let wanted = subjects.iter().flat_map(|it| [last(it), mark(it)]).collect();
        let rows = self.table.get_rows(wanted).await?.into_iter();
        let of_row = |it: &Row| Key { partition: it.partition.clone(), sort: it.sort.clone() };
        let mut rows: HashMap<Key, Row> = rows.map(|it| (of_row(&it), it)).collect();
        let state = |it: &StoredSubject| SubjectState {
            last: rows.remove(&last(it)).map_or_else(|| Ok(LastScreenings::default()), Row::read),
            has_failed: rows.contains_key(&mark(it)),
        };
        Ok(subjects.iter().map(state).collect())
    }

    /// The subjects of all teams in a shard, below [`SUBJECT_SHARDS`]: at most `limit`, after the key `after`. Consistent.
    pub async fn subjects_of_all(
        &self,
        shard: u32,
        after: Option<&str>,
        limit: usize,
    ) -> Result<SubjectPart, Error> {
        let (rows, next) = self.rows_of_shard(&keys::subjects_of_all(shard), after, limit).await?;
        Ok(SubjectPart { subjects: rows.into_iter().filter_map(StoredSubject::of).collect(), next })
    }

    /// The subject with this key in its shard. `None`: no team monitors it any more.
    pub async fn subject_with_key(&self, key: &str) -> Result<Option<StoredSubject>, Error> {
        let Some((team, id)) = keys::subject_of_key(key) else { return Ok(None) };
        let rows = self.table.get_rows(vec![keys::subject_of_all(&team, id)]).await?;
        Ok(rows.into_iter().find_map(StoredSubject::of))
    }

    /// Items of a partition, at most `limit`, after the sort key `after`; and where the next part starts. Consistent.
    pub(crate) async fn rows_of_shard(
        &self,
        partition: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Row>, Option<String>), Error> {
        // A blank sorts before everything that continues a key.
        let from = after.map_or_else(|| " ".to_owned(), |it| format!("{it} "));
        let page = i32::try_from(limit).unwrap_or(i32::MAX);
        let pages = self.table.query_forwards_consistently(partition, (&from, "~"), page);
        pin_mut!(pages);
        let mut found: Vec<Row> = Vec::new();
        while let Some(rows) = pages.try_next().await? {
            found.extend(rows);
            if found.len() >= limit {
                found.truncate(limit);
                let next = found.last().map(|it| it.sort.clone());
                return Ok((found, next));
            }
        }
        Ok((found, None))
    }

    /// The version of a list with which all subjects were last screened again. `None` before the first.
    pub async fn rescreened(&self, list: List) -> Result<Option<Rescreened>, Error> {
        self.table.get(keys::rescreened(list)).await
    }

    /// After all subjects were screened again with a version of a list. An earlier version than the stored one changes nothing.
    pub async fn put_rescreened(&self, list: List, done: &Rescreened) -> Result<(), Error> {
        let newer = |it: &mut Option<Rescreened>| {
            if it.as_ref().is_none_or(|it| it.version < done.version) {
                *it = Some(done.clone());
            }
        };
        self.table.update(keys::rescreened(list), newer).await.map(drop)
    }
}
