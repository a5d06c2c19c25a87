//! A run: all companies of a generation compared with a version of a list, in parts.

use domain::lists::List;
use jiff::{SignedDuration, Timestamp, civil::Date};
use matching::ALGORITHM;
use objects::Objects;
use serde::{Deserialize, Serialize};

use crate::{
    Error, Published, ScreenedCompany,
    files::{damaged, from_lines, get, lines, put},
};

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The list.
    pub list: List,
    /// Id of its version.
    pub version: String,
    /// Id of the generation with the names.
    pub generation: String,
}

/// What else a result states.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Day of the list, as its file states it.
    pub date: Option<Date>,
    /// Time when the version was published.
    pub published_at: Timestamp,
    /// Time at which the comparison of the last part began.
    pub screened_at: Timestamp,
}

/// The layout of the files. Raised with every change that earlier versions of the service cannot read: they and this one keep
/// their own results, during a deployment and after it was rolled back.
const LAYOUT: u32 = 2;

fn folder(list: List) -> String {
    // Earlier versions delete all other objects in `screening/{list}/companies/`.
    format!("screening/{list}/{LAYOUT}/companies/")
}

/// How long after its last part a run counts as under way. Then it was lost, and another one may start.
const LOST_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// That a run is under way: the content of `running.json`.
#[derive(Debug, Serialize, Deserialize)]
struct Running {
    /// Time at which its last part was stored.
    at: Timestamp,
    /// Id of the run.
    run: String,
}

fn running_key(list: List) -> String {
    format!("{}running.json", folder(list))
}

/// Whether a run of a list is under way, so that no other one needs to start beside it.
pub async fn is_running(objects: &Objects, list: List, now: Timestamp) -> Result<bool, Error> {
    let key = running_key(list);
    let Some(bytes) = objects.get(&key).await? else { return Ok(false) };
    let running: Running = serde_json::from_slice(&bytes).map_err(|it| damaged(&key, it))?;
    Ok(now.duration_since(running.at) < LOST_AFTER)
}

fn current_key(list: List) -> String {
    format!("{}current.json", folder(list))
}

/// The current result of a list. `None` before the first.
pub async fn current(objects: &Objects, list: List) -> Result<Option<Published>, Error> {
    let key = current_key(list);
    let Some(bytes) = objects.get(&key).await? else { return Ok(None) };
    Ok(Some(serde_json::from_slice(&bytes).map_err(|it| damaged(&key, it))?))
}

impl Published {
    pub(crate) fn key(&self, file: &str) -> String {
        format!("{}{}/{file}", folder(self.list), self.id)
    }
}

impl Run {
    /// The id of the run and of its result.
    pub fn id(&self) -> String {
        format!("{}.{}.{ALGORITHM}", self.generation, self.version)
    }

    /// Whether this result makes the run unnecessary: it is that of the run, or a newer one.
    pub fn is_done(&self, current: &Published) -> bool {
        let (version, generation) = (&current.version, &current.generation);
        match current.is_of_present_matcher() {
            true => (version, generation) >= (&self.version, &self.generation),
            false => (version, generation) > (&self.version, &self.generation),
        }
    }

    fn key(&self, file: &str) -> String {
        format!("{}{}/{file}", folder(self.list), self.id())
    }

    fn part_key(&self, part: usize) -> String {
        self.key(&format!("{PARTS}{part:05}"))
    }

    /// Records that the run is under way.
    pub async fn put_running(&self, objects: &Objects, now: Timestamp) -> Result<(), Error> {
        #[expect(clippy::expect_used, reason = "plain data")]
        let running = serde_json::to_vec(&Running { at: now, run: self.id() }).expect("plain data");
        Ok(objects.put(&running_key(self.list), running).await?)
    }

    /// Records that the run has ended, so that another one may start. What another run has recorded stays.
    pub async fn delete_running(&self, objects: &Objects) -> Result<(), Error> {
        let key = running_key(self.list);
        let Some(bytes) = objects.get(&key).await? else { return Ok(()) };
        let running: Running = serde_json::from_slice(&bytes).map_err(|it| damaged(&key, it))?;
        match running.run == self.id() {
            true => Ok(objects.delete(&key).await?),
            false => Ok(()),
        }
    }

    /// Whether a part is stored.
    pub async fn has_part(&self, objects: &Objects, part: usize) -> Result<bool, Error> {
        Ok(objects.exists(&self.part_key(part)).await?)
    }

    /// How many parts are stored.
    pub async fn parts(&self, objects: &Objects) -> Result<usize, Error> {
        Ok(objects.keys(&self.key(PARTS)).await?.len())
    }

    /// Stores the results of a part, in the order of the company numbers.
    pub async fn put_part(
        &self,
        objects: &Objects,
        part: usize,
        companies: &[ScreenedCompany],
    ) -> Result<(), Error> {
        put(objects, &self.part_key(part), &lines(companies)).await.map(drop)
    }

    /// Publishes the result of all parts, and deletes what is no longer needed. Changes nothing if the result or a newer one is
    /// published. Safe to interrupt at any step: the pointer is replaced after everything else is stored.
    ///
    /// Only one publisher of a list may run at a time. The message group of the list ensures this.
    pub async fn publish(
        &self,
        objects: &Objects,
        parts: usize,
        about: About,
    ) -> Result<(), Error> {
        let before = current(objects, self.list).await?;
        if before.as_ref().is_some_and(|it| self.is_done(it)) {
            // Another process has published it meanwhile.
            return self.delete_running(objects).await;
        }
        let (mut numbers, mut fingerprints, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..parts {
            let key = self.part_key(part);
            let companies: Vec<ScreenedCompany> =
                from_lines(&key, &get(objects, &key, None).await?)?;
            for company in companies {
                numbers.extend(company.uid.number().to_le_bytes());
                fingerprints.extend(company.fingerprint.to_le_bytes());
                if !company.hits.is_empty() || !company.parents.is_empty() {
                    listed.push(company);
                }
            }
        }
        let About { date, published_at, screened_at } = about;
        let published = Published {
            id: self.id(),
            list: self.list,
            version: self.version.clone(),
            date,
            published_at,
            algorithm: ALGORITHM.to_owned(),
            generation: self.generation.clone(),
            screened_at,
            companies: (numbers.len() / 4) as u64,
            with_hits: listed.iter().filter(|it| !it.hits.is_empty()).count() as u64,
            numbers_sha256: put(objects, &self.key(NUMBERS), &numbers).await?,
            fingerprints_sha256: put(objects, &self.key(FINGERPRINTS), &fingerprints).await?,
            hits_sha256: put(objects, &self.key(HITS), &lines(&listed)).await?,
        };
        #[expect(clippy::expect_used, reason = "plain data")]
        let pointer = serde_json::to_vec(&published).expect("plain data");
        // First, so that a publisher that is killed leaves nothing that holds back the next run.
        self.delete_running(objects).await?;
        objects.put(&current_key(self.list), pointer).await?;
        let Published { list, companies, with_hits, .. } = published;
        tracing::info!(%list, version = self.version, companies, with_hits, "companies screened");
        // The next run deletes what could not be deleted now.
        if let Err(failure) = self.delete_others(objects, before.map(|it| it.id)).await {
            let failure = errors::chain(&failure);
            tracing::warn!(%list, failure, "old results were not deleted");
        }
        Ok(())
    }

    /// Deletes the parts of this run, and all other runs but the result before, which functions may be reading.
    async fn delete_others(&self, objects: &Objects, before: Option<String>) -> Result<(), Error> {
        let all = folder(self.list);
        let parts = self.key(PARTS);
        for key in objects.keys(&all).await? {
            let Some((id, _)) = key.strip_prefix(&all).and_then(|it| it.split_once('/')) else {
                continue;
            };
            let is_kept = id == self.id() || before.as_deref() == Some(id);
            if !is_kept || key.starts_with(&parts) {
                objects.delete(&key).await?;
            }
        }
        Ok(())
    }
}

/// Where the parts of a run are.
const PARTS: &str = "parts/";
pub(crate) const NUMBERS: &str = "numbers.zst";
pub(crate) const FINGERPRINTS: &str = "fingerprints.zst";
pub(crate) const HITS: &str = "hits.jsonl.zst";
