use problem_details::{Problem, SERVICE_UNAVAILABLE};
use text_index::{changes::Changes, companies::Companies, persons::Persons, tenures::Tenures};

use crate::{
    Error, Manifest,
    index::{OnNeed, Source},
};

/// One state of the register. Its indexes are opened when they are first asked for, each once for all
/// who ask: a process downloads what it answers from, and nothing else.
pub struct Generation {
    pub manifest: Manifest,
    source: Source,
    companies: OnNeed<Companies>,
    changes: OnNeed<Changes>,
    persons: OnNeed<Persons>,
    tenures: OnNeed<Tenures>,
}

/// The indexes of a generation.
#[derive(Clone, Copy)]
enum Part {
    Companies,
    Changes,
    Persons,
    Tenures,
}

impl Part {
    const ALL: [Self; 4] = [Self::Companies, Self::Changes, Self::Persons, Self::Tenures];
}

impl Generation {
    /// A generation of which nothing is open yet.
    pub(crate) fn new(manifest: Manifest, source: Source) -> Self {
        Self {
            manifest,
            source,
            companies: OnNeed::default(),
            changes: OnNeed::default(),
            persons: OnNeed::default(),
            tenures: OnNeed::default(),
        }
    }

    pub async fn companies(&self) -> Result<&Companies, Unavailable> {
        self.companies.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn changes(&self) -> Result<&Changes, Unavailable> {
        self.changes.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn persons(&self) -> Result<&Persons, Unavailable> {
        self.persons.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    pub async fn tenures(&self) -> Result<&Tenures, Unavailable> {
        self.tenures.get(&self.manifest, &self.source).await.map_err(Unavailable)
    }

    /// Opens every index, for a process that answers from all of them.
    pub async fn open_all(&self) -> Result<(), Error> {
        for part in Part::ALL {
            self.open(part).await?;
        }
        Ok(())
    }

    /// Opens what another generation has open, also what that one is asked for meanwhile.
    pub(crate) async fn open_what_is_open_in(&self, other: &Self) -> Result<(), Error> {
        let is_missing = |it: &Part| other.has_open(*it) && !self.has_open(*it);
        while let Some(missing) = Part::ALL.into_iter().find(is_missing) {
            self.open(missing).await?;
        }
        Ok(())
    }

    async fn open(&self, part: Part) -> Result<(), Error> {
        match part {
            Part::Companies => self.companies().await.map(drop)?,
            Part::Changes => self.changes().await.map(drop)?,
            Part::Persons => self.persons().await.map(drop)?,
            Part::Tenures => self.tenures().await.map(drop)?,
        }
        Ok(())
    }

    fn has_open(&self, part: Part) -> bool {
        match part {
            Part::Companies => self.companies.is_open(),
            Part::Changes => self.changes.is_open(),
            Part::Persons => self.persons.is_open(),
            Part::Tenures => self.tenures.is_open(),
        }
    }

    /// The header that names the generation behind an answer.
    pub fn header(&self) -> [(&'static str, String); 1] {
        [("x-data-generation", self.manifest.id.clone())]
    }
}

/// Why the register cannot be searched at the moment. No error, so that `?` makes a 503 of it in a
/// handler; whoever is no handler turns it into the [`Error`] that it is.
#[derive(Debug)]
pub struct Unavailable(pub(crate) Error);

impl Unavailable {
    /// Whether none was published yet, and nothing is broken.
    pub fn is_before_the_first(&self) -> bool {
        matches!(self.0, Error::None)
    }
}

impl From<Unavailable> for Problem {
    /// The cause is for the log: it may name what is behind the service.
    fn from(Unavailable(failure): Unavailable) -> Self {
        tracing::error!(failure = errors::chain(&failure), "the generation cannot be asked");
        Self::new(&SERVICE_UNAVAILABLE, "the register cannot be searched at the moment")
    }
}

impl From<Unavailable> for Error {
    fn from(Unavailable(failure): Unavailable) -> Self {
        failure
    }
}
