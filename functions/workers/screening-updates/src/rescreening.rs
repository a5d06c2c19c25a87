//! Screening of the monitored subjects after a list was updated.

use access::Environment;
use accounts::{Addressed, MonitoredSubject, PendingMail, monitoring::news, screening::Screening};
use domain::lists::List;
use futures_util::future::try_join_all;
use jiff::Timestamp;
use jobs::{ListJob, MailJob};
use screening_lists::{Changes, Search, current};
use store::{Rescreened, SUBJECT_SHARDS, TeamKey};

use crate::{Error, Worker};

/// Number of subjects that a job reads. Few of them are concerned by an update, and comparing takes microseconds.
const PART: usize = 1_000;
/// Number of subjects that are screened again in parallel.
const PARALLEL: usize = 8;

/// A part of the subjects to screen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) list: List,
    pub(crate) version: String,
    pub(crate) before: Option<String>,
    pub(crate) shard: u32,
    pub(crate) after: Option<String>,
}

impl From<Part> for ListJob {
    fn from(Part { list, version, before, shard, after }: Part) -> Self {
        Self::RescreenSubjects { list, version, before, shard, after }
    }
}

impl Worker {
    /// The first part of the subjects to screen again with the current version of a list. `None` if all were.
    ///
    /// Asked after each file, also after one without changes: an earlier job may have been killed after it had published.
    pub(crate) async fn first_part(&self, list: List) -> Result<Option<Part>, Error> {
        let Some(current) = current(&self.objects, list).await? else { return Ok(None) };
        let done = self.tenants.rescreened(list).await?.map(|it| it.version);
        let is_needed = done.as_ref() != Some(&current.id);
        let part = || Part { list, version: current.id, before: done, shard: 0, after: None };
        Ok(is_needed.then(part))
    }

    /// Screens a part again. Returns the next one.
    pub(crate) async fn rescreen(&self, part: Part, now: Timestamp) -> Result<Option<Part>, Error> {
        let read = self.tenants.subjects_of_all(part.shard, part.after.as_deref(), PART).await?;
        if !read.subjects.is_empty() {
            self.rescreen_all(&part, read.subjects, now).await?;
        }
        if read.next.is_some() {
            return Ok(Some(Part { after: read.next, ..part }));
        }
        if part.shard + 1 < SUBJECT_SHARDS {
            return Ok(Some(Part { shard: part.shard + 1, after: None, ..part }));
        }
        let done = Rescreened { version: part.version, at: now };
        self.tenants.put_rescreened(part.list, &done).await?;
        Ok(None)
    }

    async fn rescreen_all(
        &self,
        part: &Part,
        subjects: Vec<(TeamKey, MonitoredSubject)>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (before, version) = (part.before.as_deref(), part.version.as_str());
        let changes = Changes::between(&self.objects, part.list, before, version).await?;
        let Some(changes) = changes else { return Ok(()) };
        let mut concerned = Vec::new();
        for (team, subject) in subjects {
            if subject.query.lists.contains(&part.list) && changes.concern(&search(&subject))? {
                concerned.push((team, subject));
            }
        }
        for together in concerned.chunks(PARALLEL) {
            let each = together.iter().map(|(team, it)| self.rescreen_one(team, it, &changes, now));
            try_join_all(each).await?;
        }
        Ok(())
    }

    /// Screens a subject again and notifies its team of new hits, unless this was done. What marks it as done is stored last; all
    /// that is stored before has the same id each time.
    async fn rescreen_one(
        &self,
        team: &TeamKey,
        subject: &MonitoredSubject,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (list, version) = (changes.version.version.list, changes.version.id.as_str());
        let last = self.tenants.last_screenings(team, &[subject.id]).await?.remove(&subject.id);
        let last = last.unwrap_or_default();
        if last.of(list).is_some_and(|it| it.version.as_str() >= version) {
            return Ok(());
        }
        let Some(screening) = self.evidence(team, subject, changes, now).await? else {
            return Ok(());
        };
        let previous = match last.of(list) {
            Some(last) => self.tenants.screening(team, last.screening).await?,
            None => None,
        };
        let found = changes.hits(&search(subject))?;
        let decisions = self.tenants.decisions_on(team, &screening, &found).await?;
        let new = news(&found, &screening, previous.as_ref(), &decisions, now);
        if !new.is_empty() {
            let of = (team.team(), team.environment());
            let (notification, mail) = subject.notification(of.0, of.1, &screening, &new);
            self.tenants.notify(team, &[notification]).await?;
            self.queue_mail(team, subject, mail).await?;
        }
        Ok(self.tenants.record_screening(team, subject.id, &screening).await?)
    }

    /// The screening of a subject with the new version, which is stored once. `None` if the version is not stored any more.
    async fn evidence(
        &self,
        team: &TeamKey,
        subject: &MonitoredSubject,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<Option<Screening>, Error> {
        let version = &changes.version;
        let of = (version.version.list, version.id.as_str());
        let published = (of.0, of.1, version.published_at);
        let id = subject.rescreening_id(team.team(), team.environment(), published);
        if let Some(stored) = self.tenants.screening(team, id).await? {
            return Ok(Some(stored));
        }
        let (query, by) = (subject.query.clone(), subject.created_by.clone());
        let screened = self.lists.screen_version(id, query, of, by, now).await;
        let Some(screening) = screened.map_err(|it| it.0)? else { return Ok(None) };
        self.tenants.put_screening(team, &screening, self.retention.expiry(now)).await?;
        Ok(Some(screening))
    }

    /// Queues the mail to the one who monitors the subject, if that one gets mails. A test key sends none.
    async fn queue_mail(
        &self,
        team: &TeamKey,
        subject: &MonitoredSubject,
        mail: PendingMail,
    ) -> Result<(), Error> {
        let owner = subject.created_by.owner();
        let preferences = self.tenants.notification_preferences(team, &owner).await?;
        if team.environment() != Environment::Live || preferences.mail_to().is_none() {
            return Ok(());
        }
        let at = mail.created_at;
        let mail = Addressed { mail, to: vec![owner.clone()] };
        self.tenants.queue_mails(team, &[mail]).await?;
        if preferences.digest().is_none() {
            self.tenants.wake_mails(&[(team.clone(), owner.clone())], at).await?;
            let (team, environment) = (team.team().clone(), team.environment());
            self.mails.send(&MailJob::Send { team, environment, owner }).await?;
        }
        Ok(())
    }
}

fn search(subject: &MonitoredSubject) -> Search {
    Search::new(&subject.query.subject(), subject.query.threshold)
}
