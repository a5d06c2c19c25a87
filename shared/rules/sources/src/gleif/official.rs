//! The files that can be imported: official files of level 1 and 2, answers of the API, and excerpts.

use domain::{
    Source,
    statements::{
        Statement,
        gleif::{Entity, Exception, Kind, Relationship, Report},
    },
};
use jiff::civil::Date;

use crate::{
    Mention, Pending, Rejected, Unreadable, Unresolved,
    gleif::{
        Excerpt, exceptions, level1,
        level2::{EXCEPTION_COLUMNS, RELATIONSHIP_COLUMNS},
        read_answer, rejected, relationships, statement,
    },
    left_out::LeftOut,
    table::Table,
    text::without_mark,
};

/// Reads an [`Excerpt`] (companies with parents), an official table of level 1, of relationship records or of reporting
/// exceptions, or an answer of the API. Skips entities that are not in a Swiss register; rejects entities with an invalid
/// UID. A table with another header is an error.
pub(super) fn read(bytes: &[u8]) -> Result<Pending, Unreadable> {
    let bytes = without_mark(bytes);
    let mut file = File::default();
    if let Some(excerpt) = Excerpt::read(bytes)? {
        let batch = excerpt.into_batch();
        file.pending.rejected = batch.rejected;
        file.pending.unresolved = batch.statements.into_iter().map(Unresolved::from).collect();
    } else if bytes.trim_ascii_start().starts_with(b"{") {
        let answer = read_answer(bytes)?;
        answer.entities.into_iter().for_each(|it| file.add_entity(it));
        file.is_answer = true;
        answer.relationships.into_iter().for_each(|it| file.add_relationship(it));
        answer.exceptions.into_iter().for_each(|it| file.add_exception(it));
        file.pending.rejected.extend(answer.rejected);
    } else {
        match kind_of_table(bytes)? {
            TableKind::Level1 => file.add_all(level1(bytes, |_| false)?, File::add_entity),
            TableKind::Relationships => {
                file.add_all(relationships(bytes, |_| true)?, File::add_relationship);
            }
            TableKind::Exceptions => {
                file.add_all(exceptions(bytes, |_| true)?, File::add_exception);
            }
        }
    }
    Ok(file.pending)
}

enum TableKind {
    Level1,
    Relationships,
    Exceptions,
}

/// The kind of an official table by the first column that only it has.
fn kind_of_table(bytes: &[u8]) -> Result<TableKind, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Gleif, reason };
    let table = Table::open(bytes, b',').map_err(unreadable)?;
    if table.has(RELATIONSHIP_COLUMNS[0]) {
        Ok(TableKind::Relationships)
    } else if table.has(EXCEPTION_COLUMNS[1]) {
        Ok(TableKind::Exceptions)
    } else {
        // The reader of level 1 names what is missing.
        Ok(TableKind::Level1)
    }
}

/// What has been read of a file.
#[derive(Default)]
struct File {
    pending: Pending,
    /// Whether it is an answer of the API about few companies, so that a company that is not found is a fault. A table
    /// contains all companies of the world.
    is_answer: bool,
}

impl File {
    fn add_all<T>(
        &mut self,
        rows: impl Iterator<Item = Result<T, Rejected>>,
        add: fn(&mut Self, T),
    ) {
        for row in rows {
            match row {
                Ok(row) => add(self, row),
                Err(rejected) => self.pending.rejected.push(rejected),
            }
        }
    }

    fn add_entity(&mut self, entity: Entity) {
        match entity.uid() {
            None => {}
            Some(Ok(uid)) => self.pending.unresolved.push(statement(uid, entity).into()),
            Some(Err(reason)) => self.pending.rejected.push(rejected(&entity, reason)),
        }
    }

    /// Adds a relationship of a company to its parent. Those of funds to their managers are no ownership.
    fn add_relationship(&mut self, relationship: Relationship) {
        if matches!(relationship.kind, Kind::DirectParent | Kind::UltimateParent) {
            let published = relationship.last_update;
            self.add(Report::Relationship(relationship), published);
        }
    }

    fn add_exception(&mut self, exception: Exception) {
        self.add(Report::Exception(exception), None);
    }

    fn add(&mut self, report: Report, published: Option<Date>) {
        let record = self.is_answer.then(|| serde_json::to_string(&report).ok()).flatten();
        let left_out = LeftOut::default();
        self.pending.unresolved.push(Unresolved {
            mentions: vec![Mention::Lei(report.lei())],
            published,
            source: Source::Gleif,
            statement: Statement::GleifReport(Box::new(report)),
            record,
            left_out,
        });
    }
}
