//! Screening of monitored subjects after an update.

use std::collections::HashMap;

use jiff::Timestamp;
use jobs::ListJob;
use matching::ALGORITHM;
use screening_lists::{Changes, Search};
use store::{StoredSubject, SubjectState, TeamKey, WithinTier};
use teams::{
    LastScreening, MonitoredSubject,
    monitoring::news,
    screening::{Screening, ScreeningHit, Trigger, TriggerReason},
};

use crate::{
    Error, Worker,
    evidence::{New, hit_ids},
    rescreening::{Failed, PART, in_parallel},
    update::Update,
};

/// A subject that an update concerns.
struct SubjectUpdate<'a> {
    team: &'a TeamKey,
    subject: &'a MonitoredSubject,
    /// What the team knows of the list.
    known: Option<LastScreening>,
    /// Whether also entries count that have not changed: the subject was not compared with them, or by another matcher.
    is_full: bool,
}

impl Worker {
    /// Screens a part of the subjects again. Returns where the next part of the shard starts, and the subjects that failed.
    pub(crate) async fn rescreen_subjects(
        &self,
        update: &Update,
        shard: u32,
        after: Option<&str>,
        now: Timestamp,
    ) -> Result<(Option<String>, Vec<Failed>), Error> {
        let read = self.tenants.subjects_of_all(shard, after, PART).await?;
        if read.subjects.is_empty() {
            return Ok((read.next, Vec::new()));
        }
        let Some(changes) = self.changes(update).await? else {
            return Ok((read.next, Vec::new()));
        };
        let states = self.tenants.subject_states(update.list, &read.subjects).await?;
        let within = self.within_tiers(&read.subjects, now).await?;
        let each = read.subjects.iter().zip(states);
        let each =
            each.map(|(it, state)| self.rescreen_or_pause(it, state, &within, &changes, now));
        let mut failed = Vec::new();
        for (stored, done) in read.subjects.iter().zip(in_parallel(each).await) {
            let Err(cause) = done else { continue };
            // Before the chain goes on: until the retry succeeds, nobody is notified that the subject was screened.
            self.tenants.mark_failed_rescreening(&stored.team, stored.id, update.list).await?;
            let Update { list, version, before } = update.clone();
            let retry =
                ListJob::RescreenSubject { list, version, before, subject: stored.key.clone() };
            failed.push(Failed { retry, cause });
        }
        Ok((read.next, failed))
    }

    /// Screens again a subject that has failed in its part.
    pub(crate) async fn rescreen_subject(
        &self,
        update: &Update,
        key: &str,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Some(stored) = self.tenants.subject_with_key(key).await? else { return Ok(()) };
        let Some(changes) = self.changes(update).await? else { return Ok(()) };
        let stored = [stored];
        let states = self.tenants.subject_states(update.list, &stored).await?;
        let within = self.within_tiers(&stored, now).await?;
        for (stored, state) in stored.iter().zip(states) {
            self.rescreen_or_pause(stored, state, &within, &changes, now).await?;
        }
        Ok(())
    }

    /// Which subjects of these teams are within the limits of their present tiers.
    async fn within_tiers(
        &self,
        subjects: &[StoredSubject],
        now: Timestamp,
    ) -> Result<HashMap<TeamKey, WithinTier>, Error> {
        let teams = subjects.iter().map(|it| it.team.clone());
        Ok(self.tenants.within_present_tiers::<MonitoredSubject>(teams, now).await?)
    }

    /// Screens a subject again. One that exceeds the tier of its team is only marked: the first update after the pause compares it
    /// with all entries.
    async fn rescreen_or_pause(
        &self,
        stored: &StoredSubject,
        state: SubjectState,
        within: &HashMap<TeamKey, WithinTier>,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let is_within =
            within.get(&stored.team).is_none_or(|it| it.includes(&stored.id.to_string()));
        if is_within {
            return self.rescreen_stored(stored, state, changes, now).await;
        }
        let list = changes.version.version.list;
        let concerns =
            stored.subject.as_ref().map_or(true, |subject| subject.query.lists.contains(&list));
        if concerns && !state.has_failed {
            self.tenants.mark_failed_rescreening(&stored.team, stored.id, list).await?;
        }
        Ok(())
    }

    async fn rescreen_stored(
        &self,
        stored: &StoredSubject,
        SubjectState { last, has_failed }: SubjectState,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let (list, version) = (changes.version.version.list, changes.version.id.as_str());
        let readable = |failure: &store::Error| Error::Damaged(errors::chain(failure));
        let subject = stored.subject.as_ref().map_err(readable)?;
        let known = last.as_ref().map_err(readable)?.known(list).cloned();
        let is_done = known.as_ref().is_some_and(|it| it.version.as_str() >= version);
        if !is_done && subject.query.lists.contains(&list) {
            let is_full = has_failed
                || match &known {
                    None => changes.is_delta(),
                    Some(known) => known.algorithm != ALGORITHM || !changes.is_delta(),
                };
            let team = &stored.team;
            let subject_update = SubjectUpdate { team, subject, known, is_full };
            self.rescreen_one(subject_update, changes, now).await?;
        }
        if has_failed {
            self.tenants.unmark_failed_rescreening(&stored.team, stored.id, list).await?;
        }
        Ok(())
    }

    /// Screens a subject again and notifies its team of new hits. What marks it as done is stored last; all that is stored before
    /// has the same id each time.
    async fn rescreen_one(
        &self,
        subject_update: SubjectUpdate<'_>,
        changes: &Changes,
        now: Timestamp,
    ) -> Result<(), Error> {
        let SubjectUpdate { team, subject, known, is_full } = subject_update;
        let search = Search::new(&subject.query.subject(), subject.query.threshold);
        if !is_full && !changes.concern(&search)? {
            return Ok(());
        }
        let changed = changes.hits(&search)?;
        let published = &changes.version;
        let of = (published.version.list, published.id.as_str());
        let id = subject.rescreening_id(
            team.team(),
            team.environment(),
            (of.0, of.1, published.published_at),
        );
        let knows = |hit: &ScreeningHit| known.as_ref().is_some_and(|it| it.knows(hit));
        let screening = match self.tenants.screening(team, id, now).await? {
            Some(stored) => stored,
            None => {
                let included = changed.iter().filter(|it| !knows(it));
                let included = included.map(|it| it.entry_id.clone()).collect();
                let screened =
                    self.lists.screen_version(id, &subject.query, of, &included, now).await;
                let Some(mut screening) = screened.map_err(|it| it.0)? else { return Ok(()) };
                let new = screening
                    .hits
                    .iter()
                    .filter(|it| !knows(it) && (is_full || included.contains(&it.entry_id)));
                screening.trigger = Some(Trigger {
                    reason: TriggerReason::MonitoredSubject,
                    subject_id: Some(subject.id),
                    company_uid: None,
                    person_id: None,
                    new_hits: hit_ids(new),
                });
                self.put_screening(team, &screening, now).await?;
                screening
            }
        };
        let found = found(changed, &screening, is_full);
        let pairs = found.iter().map(|it| subject.query.pair(&it.id()));
        let decisions = self.tenants.hit_decisions(team, pairs.collect::<Vec<_>>(), now).await?;
        let new = news(&found, &subject.query, known.as_ref(), &decisions, now);
        if !new.is_empty() {
            let owners = [subject.created_by.owner()];
            let concerned = subject.concerned();
            let new = New { concerned: &concerned, screening: &screening, hits: &new };
            let webhooks = self.tenants.webhooks_of_hits(team, now).await?;
            let webhooks: Vec<_> =
                webhooks.iter().filter(|it| it.accepts_hits(&concerned)).collect();
            self.deliver(team, &new, &webhooks).await?;
            self.notify(team, &new, &owners).await?;
        }
        Ok(self.tenants.record_screening_after_update(team, subject.id, &screening).await?)
    }
}

/// The hits that may be new: those with the changed entries, and if all entries count, the others.
fn found(changed: Vec<ScreeningHit>, screening: &Screening, is_full: bool) -> Vec<ScreeningHit> {
    let mut found = changed;
    if is_full {
        let others = screening.hits.iter().filter(|it| found.iter().all(|one| one.id() != it.id()));
        let others: Vec<ScreeningHit> = others.cloned().collect();
        found.extend(others);
    }
    found
}
