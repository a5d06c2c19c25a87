//! Comparing all companies of the register, their officers and their parents with a list.
//!
//! A run compares the names of one generation with one version of a list, part by part. If a result is known, a company is
//! compared with the whole list only if its names have changed, or if a changed entry may be the company or an officer.

use std::sync::Arc;

use domain::{
    lists::{HitMeaning, List},
    names::RegisteredNames,
};
use futures_util::{Stream, StreamExt, TryStreamExt};
use generations::{Batch, Records};
use jiff::Timestamp;
use jobs::ListJob;
use screening_lists::{Changes, Hit, OpenList, Search};
use screening_results::{
    About, CompanyHit, EarlierResult, HitSubject, Run, ScreenedCompany, fingerprint,
};
use teams::screening::{ScreeningHit, ScreeningQuery};

use crate::{Error, Worker};

/// Number of blocks of names that a job compares: 51,200 companies, which take about half a minute. With another number, parts of a run
/// that are stored would be of other companies: raise the layout of `screening_results`.
pub const BLOCKS_PER_PART: usize = 100;
/// The lowest score of a hit of a company: names with small differences, or equal but common ones.
const MIN_SCORE_OF_COMPANY: f64 = 0.8;
/// The lowest score of a hit of an officer: equal rare names. Equal common names of persons are mostly chance.
const MIN_SCORE_OF_OFFICER: f64 = 0.9;
/// Maximum number of hits of a subject on a list.
const MAX_HITS: usize = 5;
/// Maximum number of hits of a subject among which they are chosen.
const MAX_FOUND: usize = 50;

impl Worker {
    /// The jobs that compare all companies with a list, part by part. None: the current result is that of the current version and
    /// generation, a run is under way, or there is nothing to compare.
    ///
    /// All are sent at once, and send nothing, so that a register of any size makes no chain of jobs. A change of the list or the
    /// register during the run is found by the next `ScreenRegister` of the schedule.
    pub(crate) async fn screening_parts(
        &self,
        list: List,
        now: Timestamp,
    ) -> Result<Vec<ListJob>, Error> {
        // Nobody looks for companies with a licence here.
        if list.meaning() != HitMeaning::Risk {
            return Ok(Vec::new());
        }
        let Some(version) = screening_lists::current(&self.objects, list).await? else {
            return Ok(Vec::new());
        };
        let Some(generation) = generations::published(&self.objects).await? else {
            return Ok(Vec::new());
        };
        let run = Run { list, version: version.id, generation: generation.id };
        let current = screening_results::current(&self.objects, list).await?;
        if current.as_ref().is_some_and(|it| run.is_done(it)) {
            return Ok(Vec::new());
        }
        if screening_results::is_running(&self.objects, list, now).await? {
            return Ok(Vec::new());
        }
        let Some(names) = Records::names_of(&self.objects, &run.generation).await? else {
            return Ok(Vec::new());
        };
        let before = current.filter(|it| it.is_of_present_matcher()).map(|it| it.id);
        // Of an empty register, too, a result is published.
        let parts = 0..names.parts(self.blocks_per_part).max(1);
        let job = |part| {
            let Run { list, version, generation } = run.clone();
            ListJob::ScreenPart { list, version, generation, before: before.clone(), part }
        };
        Ok(parts.map(job).collect())
    }

    /// Compares the companies of a part, unless that is done. Whichever part is stored last publishes the result.
    pub(crate) async fn screen_part(
        &self,
        run: Run,
        before: Option<String>,
        part: usize,
        now: Timestamp,
    ) -> Result<(), Error> {
        let current = screening_results::current(&self.objects, run.list).await?;
        if current.is_some_and(|it| run.is_done(&it)) {
            // A job that was repeated may have recorded it again after the end.
            return Ok(run.delete_running(&self.objects).await?);
        }
        let Some(names) = Records::names_of(&self.objects, &run.generation).await? else {
            // The generation was deleted, so there are newer ones.
            return Ok(run.delete_running(&self.objects).await?);
        };
        let Some(open) = self.lists.version(run.list, &run.version).await.map_err(|it| it.0)?
        else {
            return Ok(());
        };
        let parts = names.parts(self.blocks_per_part);
        if part < parts && !run.has_part(&self.objects, part).await? {
            let comparison = self.comparison(&run, open.clone(), before.as_deref()).await?;
            let companies =
                compare_part(names.of_part(part, self.blocks_per_part), comparison).await?;
            // First, so that a part that is stored always belongs to a run that is known to be under way.
            run.put_running(&self.objects, now).await?;
            run.put_part(&self.objects, part, &companies).await?;
        }
        // A part that failed for good is missing, and is compared by the next run, which keeps the others.
        if run.parts(&self.objects).await? < parts {
            return Ok(());
        }
        let published = &open.published;
        let about = About {
            date: published.version.date,
            published_at: published.published_at,
            screened_at: now,
        };
        Ok(run.publish(&self.objects, parts, about).await?)
    }

    async fn comparison(
        &self,
        run: &Run,
        open: Arc<OpenList>,
        before: Option<&str>,
    ) -> Result<Comparison, Error> {
        let earlier = match before {
            Some(id) => EarlierResult::read(&self.objects, run.list, id, &self.last_result).await?,
            None => None,
        };
        let changes = match &earlier {
            Some(earlier) if earlier.published.version != run.version => {
                let before = Some(earlier.published.version.as_str());
                let changes =
                    self.last_changes.between(&self.objects, run.list, before, &run.version);
                changes.await?
            }
            _ => None,
        };
        Ok(Comparison { open, earlier, changes })
    }
}

/// Compares companies on all processors.
async fn compare_part(
    names: impl Stream<Item = Result<Batch, generations::Error>>,
    comparison: Comparison,
) -> Result<Vec<ScreenedCompany>, Error> {
    let comparison = Arc::new(comparison);
    let compared = names.map(|batch| {
        let comparison = comparison.clone();
        async move {
            let batch = batch?;
            let compare = move || comparison.batch(&batch);
            tokio::task::spawn_blocking(compare).await.map_err(std::io::Error::other)?
        }
    });
    let processors = std::thread::available_parallelism().map_or(1, Into::into);
    let batches: Vec<Vec<ScreenedCompany>> = compared.buffered(processors).try_collect().await?;
    Ok(batches.into_iter().flatten().collect())
}

/// What companies are compared with.
struct Comparison {
    open: Arc<OpenList>,
    /// The result of an earlier version, or of earlier names. `None`: every company is compared with the whole list.
    earlier: Option<Arc<EarlierResult>>,
    /// The entries that have changed since. `None`: none has.
    changes: Option<Arc<Changes>>,
}

impl Comparison {
    fn batch(&self, batch: &Batch) -> Result<Vec<ScreenedCompany>, Error> {
        batch
            .records()
            .map(|record| {
                let record = record?;
                let (uid, fingerprint) = (record.uid, fingerprint(record.json));
                let earlier = self.earlier.as_ref().and_then(|it| it.of(uid, fingerprint));
                match (earlier, &self.changes) {
                    (Some(known), None) => Ok(known),
                    (known, changes) => {
                        let names = record.names().map_err(generations::Error::from)?;
                        let subjects = subjects(&names, self.open.list());
                        match known.zip(changes.as_deref()) {
                            Some((known, changes)) if !concern(changes, &subjects)? => Ok(known),
                            _ => {
                                let parents = names.parents.iter().map(|it| it.lei).collect();
                                let hits = self.hits(&subjects)?;
                                Ok(ScreenedCompany { uid, fingerprint, parents, hits })
                            }
                        }
                    }
                }
            })
            .collect()
    }

    /// Compares subjects with the whole list.
    fn hits(&self, subjects: &[NamedSubject]) -> Result<Vec<CompanyHit>, Error> {
        let mut hits = Vec::new();
        for subject in subjects {
            let found = subject.search.find(&self.open, MAX_FOUND)?;
            let mut found: Vec<_> = found.hits.into_iter().map(|it| subject.hit(it)).collect();
            // A sanction is not left out for better hits of another kind. The order stays that of the scores.
            let list = self.open.list();
            let is_sanction = |it: &CompanyHit| it.is_sanction(list);
            let sanctions = found.iter().filter(|it| is_sanction(it)).count();
            let mut others = MAX_HITS.saturating_sub(sanctions);
            found.retain(|it| {
                let is_kept = is_sanction(it) || others > 0;
                others -= usize::from(is_kept && !is_sanction(it));
                is_kept
            });
            found.truncate(MAX_HITS);
            hits.extend(found);
        }
        Ok(hits)
    }
}

fn concern(changes: &Changes, subjects: &[NamedSubject]) -> Result<bool, Error> {
    for subject in subjects {
        if changes.concern(&subject.search)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A company, a parent or an officer.
struct NamedSubject {
    subject: HitSubject,
    name: String,
    search: Search,
}

impl NamedSubject {
    fn new(subject: HitSubject, query: ScreeningQuery, threshold: f64) -> Self {
        let search = Search::new(&query.subject(), threshold).one_of_many();
        Self { subject, name: query.name, search }
    }

    fn hit(&self, found: Hit) -> CompanyHit {
        // As in the evidence of a screening.
        let hit = ScreeningHit::new(&found.entry, found.explained);
        CompanyHit {
            subject: self.subject,
            name: self.name.clone(),
            entry_id: hit.entry_id,
            listed_name: hit.name,
            kind: hit.kind,
            score: hit.score,
            risk_level: hit.risk_level,
            topics: hit.topics,
            source_url: Some(hit.source_url),
            listed: hit.listed,
            changed: hit.changed,
        }
    }
}

/// The company, its parents and its officers.
fn subjects(names: &RegisteredNames, list: List) -> Vec<NamedSubject> {
    let query = ScreeningQuery::of_names(names, vec![list]);
    let mut subjects = vec![NamedSubject::new(HitSubject::Company, query, MIN_SCORE_OF_COMPANY)];
    subjects.extend(names.parents.iter().map(|parent| {
        let query = ScreeningQuery::of_parent(parent, vec![list]);
        NamedSubject::new(HitSubject::Parent(parent.lei), query, MIN_SCORE_OF_COMPANY)
    }));
    subjects.extend(names.officers.iter().map(|officer| {
        let query = ScreeningQuery::of_officer(officer, vec![list]);
        NamedSubject::new(HitSubject::Officer(officer.id), query, MIN_SCORE_OF_OFFICER)
    }));
    subjects
}
