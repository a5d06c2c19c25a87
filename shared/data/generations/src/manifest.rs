use std::{collections::BTreeMap, ops::Deref};

use jiff::{Timestamp, civil::Date};
use objects::Objects;
use published::{Description, File, Location};
use risk::MeasuredRates;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::Error;

/// The format of the files of a generation. Each has a folder of its own with its own pointer, so that two versions of the
/// service, of which one writes another layout, read their generations side by side: during a deployment, and after it was
/// rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Layout(pub u32);

impl Layout {
    /// The layout that this version reads and writes. Raised with every change that earlier versions cannot read.
    pub const PRESENT: Self = Self(8);

    /// The layouts of earlier versions.
    pub(crate) fn earlier() -> impl Iterator<Item = Self> {
        (1..Self::PRESENT.0).map(Self)
    }

    fn folder(self) -> String {
        format!("generations/{}/", self.0)
    }

    /// Where generations of this layout are published.
    pub(crate) fn location(self, objects: &Objects) -> Location {
        Location::new(objects, self.folder(), "")
    }
}

/// Description of a generation and its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    pub layout: Layout,
    /// A UUIDv7, so that ids sort by time.
    pub id: String,
    #[serde(flatten)]
    pub contents: Contents,
    pub files: Vec<File>,
}

/// What a generation contains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contents {
    /// When reading the registry started. Data stored before that time is included.
    pub built_at: Timestamp,
    /// Version of the registry before it was read. Equal to the registry's version if nothing has changed since.
    #[serde(default)]
    pub registry_version: u64,
    /// Sequence number of the last event included; 0 without events. All events up to it are included.
    pub as_of_sequence: u64,
    /// Number of companies.
    pub companies: u64,
    /// Number of companies that are not included because their stored data cannot be decoded.
    #[serde(default)]
    pub left_out: u64,
    /// Completeness counts.
    #[serde(default)]
    pub counts: Counts,
    /// Base rates of the register. Absent in generations of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<MeasuredRates>,
    /// Since when the register is known.
    #[serde(default)]
    pub coverage: Coverage,
}

/// Since when the register is known: how much each month contains.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Coverage {
    /// The months of publications, by source.
    pub publications: BTreeMap<String, Months>,
    /// The months in which companies were deleted from the register. Absent if no day of a deletion is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletions: Option<Months>,
}

/// The months from which something is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Months {
    /// First month, such as `2001-01`.
    pub first_month: String,
    /// Last month.
    pub last_month: String,
    /// First day from which it is complete: no later month has less than a tenth of what is usual. Absent if that cannot be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete_from: Option<Date>,
}

impl Deref for Manifest {
    type Target = Contents;

    fn deref(&self) -> &Contents {
        &self.contents
    }
}

/// Completeness of a generation, counted when it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Counts {
    /// Companies with data from sources other than the register.
    pub enriched: u64,
    pub with_canton: u64,
    pub with_status: u64,
    pub with_legal_form: u64,
    pub with_capital: u64,
    pub with_industry: u64,
    pub with_coordinates: u64,
    pub with_auditor: u64,
    /// Persons, including firms that hold a role, as far as publications distinguish them.
    pub persons: u64,
    /// Events, without internal ones.
    pub changes: u64,
    /// Publications from which the events were derived.
    pub publications: u64,
}

impl Description for Manifest {
    const NAME: &'static str = "manifest.json";

    fn folder(&self) -> String {
        self.layout.folder()
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn files(&self) -> &[File] {
        &self.files
    }
}

impl Manifest {
    /// The key of the object with this file.
    pub fn key_of(&self, objects: &Objects, file: &File) -> String {
        self.layout.location(objects).key(&self.id, &file.path)
    }

    /// What a JSON file describes. `None` if the generation has no such file, or is deleted.
    pub(crate) async fn described<T: DeserializeOwned>(
        &self,
        objects: &Objects,
        path: &str,
    ) -> Result<Option<T>, Error> {
        let location = self.layout.location(objects);
        let Some(file) = self.files.iter().find(|it| it.path == path) else { return Ok(None) };
        let Some(bytes) = location.get(&self.id, path, &file.sha256).await? else {
            return Ok(None);
        };
        let invalid = |it| published::Error::damaged(&location.key(&self.id, path), it);
        Ok(Some(serde_json::from_slice(&bytes).map_err(invalid)?))
    }

    /// The files in a folder, such as those of an index.
    pub(crate) fn files_in(&self, folder: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |it| it.path.split('/').next() == Some(folder))
    }
}
