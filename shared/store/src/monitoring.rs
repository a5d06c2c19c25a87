//! Subjects that teams monitor, and how far they have been screened again.
//!
//! Invariants: a team monitors a subject once; a subject and its copies appear and disappear together; the last screening
//! against a list never goes back to an earlier version of it.

use std::collections::HashMap;

use access::Tier;
use accounts::{LastScreenings, MonitoredSubject, screening::Screening};
use domain::lists::List;
use futures_util::{TryStreamExt, pin_mut};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    ATTEMPTS, Error, Refused, TeamKey, Tenants,
    keys::{self, Key},
    kind::Kind,
    resources::{Copy, Limit, Resource},
};

/// Number of partitions of the copies of all subjects.
pub const SUBJECT_SHARDS: u32 = keys::SUBJECT_SHARDS;

impl Resource for MonitoredSubject {
    const KIND: Kind = Kind::MonitoredSubject;

    fn path(&self) -> String {
        self.id.to_string()
    }

    fn limits(&self) -> Vec<Limit> {
        vec![Limit::by_tier(|it| it.monitored_subjects)]
    }

    fn copies(&self, team: &TeamKey) -> Vec<Copy> {
        let identity = keys::subject_identity(team, &self.query.identity_hash());
        let of_all = keys::subject_of_all(team, self.id);
        vec![Copy { key: identity, is_unique: true }, Copy { key: of_all, is_unique: false }]
    }
}

/// Subjects of several teams, in the order in which they are stored.
#[derive(Debug)]
pub struct SubjectPart {
    pub subjects: Vec<(TeamKey, MonitoredSubject)>,
    /// Where the next part of the shard starts. `None`: this is the last one.
    pub next: Option<String>,
}

/// The version of a list with which all subjects were last screened again.
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
        self.forget_screenings(team, id).await?;
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

    /// The screenings with these ids that are stored. Consistent.
    pub async fn screenings_with(
        &self,
        team: &TeamKey,
        ids: impl IntoIterator<Item = Uuid>,
    ) -> Result<HashMap<Uuid, Screening>, Error> {
        let ids: std::collections::BTreeSet<Uuid> = ids.into_iter().collect();
        let mut found = HashMap::new();
        for row in
            self.table.get_rows(ids.iter().map(|it| keys::screening(team, *it)).collect()).await?
        {
            let screening: Screening = row.read()?;
            found.insert(screening.id, screening);
        }
        Ok(found)
    }

    /// Records a screening of a subject as the last one against its lists.
    pub async fn record_screening(
        &self,
        team: &TeamKey,
        subject: Uuid,
        screening: &Screening,
    ) -> Result<(), Error> {
        let record = |it: &mut LastScreenings| it.record(screening);
        self.table.update(keys::last_screenings(team, subject), record).await?;
        // A subject that was deleted meanwhile keeps nothing.
        if self.resource::<MonitoredSubject>(team, &subject.to_string()).await?.is_none() {
            self.forget_screenings(team, subject).await?;
        }
        Ok(())
    }

    async fn forget_screenings(&self, team: &TeamKey, subject: Uuid) -> Result<(), Error> {
        self.table.delete_all(vec![keys::last_screenings(team, subject)]).await
    }

    /// The subjects of all teams in a shard, below [`SUBJECT_SHARDS`]: at most `limit`, after the key `after`. Consistent.
    pub async fn subjects_of_all(
        &self,
        shard: u32,
        after: Option<&str>,
        limit: usize,
    ) -> Result<SubjectPart, Error> {
        let partition = keys::subjects_of_all(shard);
        // A blank sorts before everything that continues a key.
        let from = after.map_or_else(|| " ".to_owned(), |it| format!("{it} "));
        let page = i32::try_from(limit).unwrap_or(i32::MAX);
        let pages = self.table.query_forwards_consistently(&partition, (&from, "~"), page);
        pin_mut!(pages);
        let mut part = SubjectPart { subjects: Vec::new(), next: None };
        while let Some(rows) = pages.try_next().await? {
            for row in rows {
                let sort = row.sort.clone();
                if let Some(team) = keys::team_of_subject(&sort) {
                    part.subjects.push((team, row.read()?));
                }
                if part.subjects.len() == limit {
                    part.next = Some(sort);
                    return Ok(part);
                }
            }
        }
        Ok(part)
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
