use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io::Read,
};

use domain::{
    Isin, Lei, Source,
    statements::{
        CompanyStatement, Statement,
        gleif::{Entity, Exception},
    },
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    Batch, Rejected, Unreadable,
    gleif::{
        Level1, Relationship, exceptions, isins, join, join::MAX_ISINS,
        level2::relationships_of_children, read_answer, relationships,
    },
};

/// Start of an excerpt file. Distinguishes it from an API response.
const PREFIX: &[u8] = b"{\"excerpt\":";

/// All GLEIF records about Swiss companies: their level 1, the rows of the golden copy and of the table
/// of securities that contain them or an entity above them, and level 1 of the other entities in these rows. Stored as a file
/// in place of the complete data, which is 150 times larger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// Date of the data.
    day: Option<Date>,
    entities: BTreeMap<Lei, Entity>,
    relationships: Vec<Relationship>,
    exceptions: Vec<Exception>,
    isins: Vec<(Lei, Isin)>,
    rejected: Vec<Rejected>,
    /// Entities that appear in a relationship that could not be read.
    #[serde(default)]
    unclear: BTreeSet<Lei>,
    /// Entities abroad whose own rows of the relationships were added.
    #[serde(default)]
    looked_up: BTreeSet<Lei>,
}

/// Number of rows of each table in an excerpt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub relationships: u64,
    pub exceptions: u64,
    pub isins: u64,
}

#[derive(Deserialize)]
struct File {
    excerpt: Excerpt,
}

impl Excerpt {
    /// An empty excerpt with this date.
    pub fn of_day(day: Option<Date>) -> Self {
        Self { day, ..Self::default() }
    }

    /// Adds the entities of an API response. If an entity has several records, the newest is used. Ignores
    /// excerpts, since their entities come from API responses that are added anyway.
    pub fn add_level1(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        if bytes.starts_with(PREFIX) {
            return Ok(());
        }
        let answer = read_answer(bytes)?;
        self.rejected.extend(answer.rejected);
        for entity in answer.entities {
            let known = self.entities.get(&entity.lei);
            if known.is_none_or(|it| it.last_update <= entity.last_update) {
                self.entities.insert(entity.lei, entity);
            }
        }
        Ok(())
    }

    /// Whether the excerpt contains a Swiss company.
    pub fn has_companies(&self) -> bool {
        self.entities.values().any(|it| it.uid().is_some())
    }

    /// Adds the rows of the golden copy's relationships that contain a company of the excerpt.
    pub fn add_relationships(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let companies = self.companies();
        self.add_rows(relationships(table, |it| companies.contains(&it))?)
    }

    /// Adds the rows of the same table in which an entity abroad, that is above a company of the excerpt, names its parents.
    /// Returns whether it looked for any: the rows may name further entities, whose rows are added by the next call.
    pub fn add_parents_abroad(&mut self, table: impl Read) -> Result<bool, Unreadable> {
        let wanted = self.abroad();
        let wanted: BTreeSet<Lei> = wanted.difference(&self.looked_up).copied().collect();
        if wanted.is_empty() {
            return Ok(false);
        }
        let companies = self.companies();
        // Rows that contain a company of the excerpt were added before.
        let is_new = |it: &Result<Relationship, Rejected>| {
            it.as_ref().map_or(true, |it| !companies.contains(&it.parent))
        };
        let rows = relationships_of_children(table, |it| wanted.contains(&it))?;
        self.add_rows(rows.filter(is_new))?;
        self.looked_up.extend(wanted);
        Ok(true)
    }

    fn add_rows(
        &mut self,
        rows: impl Iterator<Item = Result<Relationship, Rejected>>,
    ) -> Result<(), Unreadable> {
        let known = self.rejected.len();
        gather(rows, &mut self.relationships, &mut self.rejected)?;
        let unread = self.rejected[known..].iter().filter(|it| !it.is_read);
        let leis = unread.flat_map(|it| {
            it.record
                .split(|it: char| !it.is_ascii_alphanumeric())
                .filter_map(|it| it.parse::<Lei>().ok())
        });
        self.unclear.extend(leis);
        Ok(())
    }

    /// The entities above Swiss companies that are in no Swiss register.
    fn abroad(&self) -> BTreeSet<Lei> {
        let companies = self.companies();
        let mut parents: BTreeMap<Lei, Vec<Lei>> = BTreeMap::new();
        for it in self.relationships.iter().filter(|it| it.is_active()) {
            parents.entry(it.child).or_default().push(it.parent);
        }
        let mut abroad = BTreeSet::new();
        let mut next: Vec<Lei> = companies.iter().copied().collect();
        while let Some(child) = next.pop() {
            let above = parents.get(&child).into_iter().flatten().copied();
            next.extend(above.filter(|it| !companies.contains(it) && abroad.insert(*it)));
        }
        abroad
    }

    /// Adds the rows of the golden copy's reporting exceptions that belong to a company of the excerpt, or to an entity above.
    pub fn add_exceptions(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let reporting: BTreeSet<Lei> = self.companies().into_iter().chain(self.abroad()).collect();
        let rows = exceptions(table, |it| reporting.contains(&it))?;
        gather(rows, &mut self.exceptions, &mut self.rejected)
    }

    /// Adds the securities of the companies. A bank may have 100,000: of each company at most one more
    /// than [`MAX_ISINS`] is added, which shows that there are too many.
    pub fn add_isins(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let companies = self.companies();
        let mut counts: HashMap<Lei, usize> = HashMap::new();
        let mut exceeds_maximum = |lei: Lei| {
            let count = counts.entry(lei).or_default();
            *count += 1;
            *count > MAX_ISINS + 1
        };
        let rows = isins(table, |it| companies.contains(&it))?;
        let rows = rows.filter(|it| !it.as_ref().is_ok_and(|(lei, _)| exceeds_maximum(*lei)));
        gather(rows, &mut self.isins, &mut self.rejected)
    }

    /// Number of rows of each table.
    pub fn counts(&self) -> Counts {
        Counts {
            relationships: self.relationships.len() as u64,
            exceptions: self.exceptions.len() as u64,
            isins: self.isins.len() as u64,
        }
    }

    /// Entities in relationships whose level 1 is missing: mostly foreign parents and subsidiaries.
    pub fn missing_entities(&self) -> Vec<Lei> {
        let ends = self.relationships.iter().flat_map(|it| [it.child, it.parent]);
        let missing: BTreeSet<Lei> = ends.filter(|it| !self.entities.contains_key(it)).collect();
        missing.into_iter().collect()
    }

    /// The excerpt as a file for [`read`](super::read).
    pub fn to_bytes(&self) -> Result<Vec<u8>, Unreadable> {
        let excerpt = serde_json::to_vec(self).map_err(|it| unreadable(it.to_string()))?;
        Ok([PREFIX, excerpt.as_slice(), b"}"].concat())
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, Unreadable> {
        if !bytes.starts_with(PREFIX) {
            return Ok(None);
        }
        let file: Result<File, _> = serde_json::from_slice(bytes);
        file.map(|it| Some(it.excerpt)).map_err(|it| unreadable(it.to_string()))
    }

    /// Statements with parents, children and securities. They have at least the date of the excerpt,
    /// because the data does not contain the date on which a relationship ended. Companies with an
    /// unreadable relationship get no statement, because it may name their parent; entities abroad with one are incomplete.
    pub(super) fn into_batch(self) -> Batch {
        let abroad = self.abroad();
        let incomplete =
            abroad.iter().filter(|it| !self.looked_up.contains(it) || self.unclear.contains(it));
        let incomplete = incomplete.copied().collect();
        let is_clear = |it: &CompanyStatement| match &it.statement {
            Statement::Gleif(entity) => !self.unclear.contains(&entity.lei),
            _ => true,
        };
        let mut level1 = Level1::from_iter(self.entities.into_values());
        level1.add_isins(self.isins);
        let mut batch = join(&level1, self.relationships, self.exceptions, incomplete);
        batch.statements.retain(is_clear);
        for statement in &mut batch.statements {
            statement.published = statement.published.max(self.day);
        }
        batch.rejected.extend(self.rejected);
        batch
    }

    fn companies(&self) -> BTreeSet<Lei> {
        self.entities.values().filter(|it| it.uid().is_some()).map(|it| it.lei).collect()
    }
}

/// Collects the rows of a table. A truncated table is an error, because the missing rows may name the
/// parent of any company.
fn gather<T>(
    rows: impl Iterator<Item = Result<T, Rejected>>,
    read: &mut Vec<T>,
    rejected: &mut Vec<Rejected>,
) -> Result<(), Unreadable> {
    for row in rows {
        match row {
            Ok(row) => read.push(row),
            Err(broken) if broken.record.is_empty() => return Err(unreadable(broken.reason)),
            Err(broken) => rejected.push(broken),
        }
    }
    Ok(())
}

fn unreadable(reason: String) -> Unreadable {
    Unreadable { source_name: Source::Gleif, reason }
}
