use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    io::Read,
};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use statements::{
    CompanyStatement, Isin, Lei, Source, Statement,
    gleif::{Entity, Exception},
};

use crate::{
    Batch, Rejected, Unreadable,
    gleif::{
        Level1, Relationship, exceptions, isins, join, join::MOST_ISINS, read_answer, relationships,
    },
};

/// How the file of an excerpt begins, by which it is told from an answer of the interface.
const BEGINNING: &[u8] = b"{\"excerpt\":";

/// What GLEIF says of the Swiss companies: level 1 of them, the rows of the golden copy and of the table
/// of securities that name them, and level 1 of whom these name. As a file it is kept and read like any
/// other: the whole is 150 times as long.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The day on which it was true.
    day: Option<Date>,
    entities: BTreeMap<Lei, Entity>,
    relationships: Vec<Relationship>,
    exceptions: Vec<Exception>,
    isins: Vec<(Lei, Isin)>,
    rejected: Vec<Rejected>,
    /// Whom relationships name that cannot be read.
    #[serde(default)]
    unclear: BTreeSet<Lei>,
}

/// How many rows of each table an excerpt has.
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
    /// Nothing yet, of what was true on this day.
    pub fn of_day(day: Option<Date>) -> Self {
        Self { day, ..Self::default() }
    }

    /// Adds level 1: an answer of the interface. Of two records of an entity the newer counts. Another
    /// excerpt is passed over: what it has of level 1 was an answer once.
    pub fn add_level1(&mut self, bytes: &[u8]) -> Result<(), Unreadable> {
        if bytes.starts_with(BEGINNING) {
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

    /// Whether there is a Swiss company in it.
    pub fn has_companies(&self) -> bool {
        self.entities.values().any(|it| it.uid().is_some())
    }

    /// Adds the rows of the golden copy's relationships that name a company.
    pub fn add_relationships(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let companies = self.companies();
        let rows = relationships(table, |it| companies.contains(&it))?;
        let known = self.rejected.len();
        gather(rows, &mut self.relationships, &mut self.rejected)?;
        let words = self.rejected[known..].iter().flat_map(|it| {
            it.record
                .split(|it: char| !it.is_ascii_alphanumeric())
                .filter_map(|it| it.parse::<Lei>().ok())
        });
        self.unclear.extend(words);
        Ok(())
    }

    /// Adds the rows of the golden copy's reporting exceptions that are of a company.
    pub fn add_exceptions(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let companies = self.companies();
        let rows = exceptions(table, |it| companies.contains(&it))?;
        gather(rows, &mut self.exceptions, &mut self.rejected)
    }

    /// Adds the securities of the companies. A bank has a hundred thousand: no more are kept of one than
    /// it takes to know that they are too many.
    pub fn add_isins(&mut self, table: impl Read) -> Result<(), Unreadable> {
        let companies = self.companies();
        let mut counts: HashMap<Lei, usize> = HashMap::new();
        let mut is_one_too_many = |lei: Lei| {
            let count = counts.entry(lei).or_default();
            *count += 1;
            *count > MOST_ISINS + 1
        };
        let rows = isins(table, |it| companies.contains(&it))?;
        let rows = rows.filter(|it| !it.as_ref().is_ok_and(|(lei, _)| is_one_too_many(*lei)));
        gather(rows, &mut self.isins, &mut self.rejected)
    }

    /// How many rows of each table name a company.
    pub fn counts(&self) -> Counts {
        Counts {
            relationships: self.relationships.len() as u64,
            exceptions: self.exceptions.len() as u64,
            isins: self.isins.len() as u64,
        }
    }

    /// Whom the relationships name, and level 1 does not: relatives abroad.
    pub fn unnamed(&self) -> Vec<Lei> {
        let ends = self.relationships.iter().flat_map(|it| [it.child, it.parent]);
        let unnamed: BTreeSet<Lei> = ends.filter(|it| !self.entities.contains_key(it)).collect();
        unnamed.into_iter().collect()
    }

    /// The file, as [`read`](super::read) takes it.
    pub fn written(&self) -> Result<Vec<u8>, Unreadable> {
        let written = serde_json::to_vec(self).map_err(|it| unreadable(it.to_string()))?;
        Ok([BEGINNING, written.as_slice(), b"}"].concat())
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, Unreadable> {
        if !bytes.starts_with(BEGINNING) {
            return Ok(None);
        }
        let file: Result<File, _> = serde_json::from_slice(bytes);
        file.map(|it| Some(it.excerpt)).map_err(|it| unreadable(it.to_string()))
    }

    /// Facts with parents, children and securities, which are as new as the excerpt: a relationship that
    /// is no more has left no trace by which its end could be dated. Of a company whose relationships cannot all be
    /// read, nothing is said: what is missing may be its parent.
    pub(super) fn joined(self) -> Batch {
        let is_clear = |it: &CompanyStatement| match &it.statement {
            Statement::Gleif(entity) => !self.unclear.contains(&entity.lei),
            _ => true,
        };
        let mut level1 = Level1::from_iter(self.entities.into_values());
        level1.issue(self.isins);
        let mut batch = join(&level1, self.relationships, self.exceptions);
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

/// Takes the rows of a table. One that breaks off is refused: what comes behind may be anybody's parent.
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
