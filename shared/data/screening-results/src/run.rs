//! A run: all companies of a generation compared with a version of a list, in parts.

use domain::lists::List;
use jiff::{SignedDuration, Timestamp, civil::Date};
use matching::ALGORITHM;
use objects::Objects;
use published::Error;
use serde::{Deserialize, Serialize};

use crate::{
    Published, ScreenedCompany, current,
    files::{FINGERPRINTS, HITS, NUMBERS, compress, decompress, from_lines, lines, location},
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

/// Where the parts of a run are.
const PARTS: &str = "parts/";

/// How long after its last part a run counts as under way. Then it was lost, and another one may start.
const LOST_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// The name of the object that says that a run is under way.
const RUNNING: &str = "running.json";

/// That a run is under way.
#[derive(Debug, Serialize, Deserialize)]
struct Running {
    /// Time at which its last part was compared.
    at: Timestamp,
    /// Id of the run.
    run: String,
}

/// Whether a run of a list is under way, so that no other one needs to start beside it.
pub async fn is_running(objects: &Objects, list: List, now: Timestamp) -> Result<bool, Error> {
    let running: Option<Running> = location(objects, list).read(RUNNING).await?;
    Ok(running.is_some_and(|it| now.duration_since(it.at) < LOST_AFTER))
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

    fn part_key(&self, objects: &Objects, part: usize) -> String {
        location(objects, self.list).key(&self.id(), &format!("{PARTS}{part:05}"))
    }

    /// Records that the run is under way.
    pub async fn put_running(&self, objects: &Objects, now: Timestamp) -> Result<(), Error> {
        let running = Running { at: now, run: self.id() };
        location(objects, self.list).write(RUNNING, &running).await
    }

    /// Records that the run has ended, so that another one may start. What another run has recorded stays.
    pub async fn delete_running(&self, objects: &Objects) -> Result<(), Error> {
        let location = location(objects, self.list);
        match location.read::<Running>(RUNNING).await? {
            Some(running) if running.run == self.id() => location.delete(RUNNING).await,
            _ => Ok(()),
        }
    }

    /// Whether a part is stored.
    pub async fn has_part(&self, objects: &Objects, part: usize) -> Result<bool, Error> {
        Ok(objects.exists(&self.part_key(objects, part)).await?)
    }

    /// How many parts are stored.
    pub async fn parts(&self, objects: &Objects) -> Result<usize, Error> {
        let parts = location(objects, self.list).key(&self.id(), PARTS);
        Ok(objects.keys(&parts).await?.len())
    }

    /// Stores the results of a part, in the order of the company numbers.
    pub async fn put_part(
        &self,
        objects: &Objects,
        part: usize,
        companies: &[ScreenedCompany],
    ) -> Result<(), Error> {
        let companies = compress(&lines(companies))?;
        Ok(objects.put(&self.part_key(objects, part), companies).await?)
    }

    /// Publishes the result of all parts, and deletes what is no longer needed. Changes nothing if the result or a newer one is
    /// published. Safe to interrupt at any step: the pointer is replaced after everything else is stored.
    pub async fn publish(
        &self,
        objects: &Objects,
        parts: usize,
        about: About,
    ) -> Result<(), Error> {
        let (location, id) = (location(objects, self.list), self.id());
        let pointer = location.begin().await?;
        let before = current(objects, self.list).await?;
        if before.as_ref().is_some_and(|it| self.is_done(it)) {
            // Another process has published it meanwhile.
            return self.delete_running(objects).await;
        }
        let (mut numbers, mut fingerprints, mut listed) = (Vec::new(), Vec::new(), Vec::new());
        for part in 0..parts {
            let key = self.part_key(objects, part);
            let companies = decompress(&key, objects.get(&key).await?)?;
            for company in from_lines::<ScreenedCompany>(&key, &companies)? {
                numbers.extend(company.uid.number().to_le_bytes());
                fingerprints.extend(company.fingerprint.to_le_bytes());
                if !company.hits.is_empty() || !company.parents.is_empty() {
                    listed.push(company);
                }
            }
        }
        let About { date, published_at, screened_at } = about;
        let put = async |file, bytes: &[u8]| location.put(&id, file, compress(bytes)?).await;
        let published = Published {
            id: id.clone(),
            list: self.list,
            version: self.version.clone(),
            date,
            published_at,
            algorithm: ALGORITHM.to_owned(),
            generation: self.generation.clone(),
            screened_at,
            companies: (numbers.len() / 4) as u64,
            with_hits: listed.iter().filter(|it| !it.hits.is_empty()).count() as u64,
            numbers_sha256: put(NUMBERS, &numbers).await?,
            fingerprints_sha256: put(FINGERPRINTS, &fingerprints).await?,
            hits_sha256: put(HITS, &lines(&listed)).await?,
        };
        // First, so that a publisher that is killed leaves nothing that holds back the next run.
        self.delete_running(objects).await?;
        location.point_to(&published, &pointer).await?;
        let Published { list, companies, with_hits, .. } = published;
        tracing::info!(%list, version = self.version, companies, with_hits, "companies screened");
        // Functions may be reading the result before. The next run deletes what could not be deleted now.
        let is_result = |it: &str, path: &str| it == id && !path.starts_with(PARTS);
        let is_before = |it: &str| before.as_ref().is_some_and(|before| before.id == it);
        let deleted = location.retain(|it, path| is_result(it, path) || is_before(it)).await;
        if let Err(failure) = deleted {
            let failure = errors::chain(&failure);
            tracing::warn!(%list, failure, "old results were not deleted");
        }
        Ok(())
    }
}
