//! `SQLite`: FTS5 for words and prefixes, a second FTS5 table of trigrams for typos, B-trees for filters, an
//! R*Tree for places. `SQLite` has no fuzzy search; its users join trigrams by OR and take the best matches.
//! The total of such a search would count every name that shares three letters, so it is not counted.

use std::path::Path;

use domain::{Uid, text::fold};
use rusqlite::{Connection, ToSql, params, types::ToSqlOutput};

use super::{FEW, Rival, Row, Value, condition, plane, value};
use crate::{
    Error,
    questions::{Answer, Filter, PAGE, Question},
};

pub(super) struct Sqlite {
    connection: Connection,
}

/// Cache and memory map are larger than the file.
const SETTINGS: &str = "
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -1000000;
    PRAGMA mmap_size = 4000000000;
";

const TABLES: &str = "
    CREATE TABLE companies (
        id INTEGER PRIMARY KEY, uid INTEGER NOT NULL, canton TEXT, legal_form TEXT, status TEXT,
        division TEXT, capital INTEGER
    );
    CREATE VIRTUAL TABLE words USING fts5(
        names, content = '', prefix = '2 3 4', tokenize = 'unicode61'
    );
    CREATE VIRTUAL TABLE trigrams USING fts5(names, content = '', tokenize = 'trigram');
    CREATE VIRTUAL TABLE places USING rtree(id, west, east, south, north);
";

const INDEXES: &str = "
    CREATE INDEX by_canton ON companies (canton, legal_form, status);
    CREATE INDEX by_legal_form ON companies (legal_form, status);
    CREATE INDEX by_status ON companies (status);
    CREATE INDEX by_division ON companies (division, canton);
    CREATE INDEX by_capital ON companies (capital DESC);
    INSERT INTO words (words) VALUES ('optimize');
    INSERT INTO trigrams (trigrams) VALUES ('optimize');
    ANALYZE;
";

impl Sqlite {
    pub(super) fn of(rows: &[Row], file: &Path) -> Result<Self, Error> {
        let mut connection = Connection::open(file)?;
        connection.set_prepared_statement_cache_capacity(200);
        connection.execute_batch(SETTINGS)?;
        connection.execute_batch(TABLES)?;
        let load = connection.transaction()?;
        {
            let mut company =
                load.prepare("INSERT INTO companies VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            let mut words = load.prepare("INSERT INTO words (rowid, names) VALUES (?1, ?2)")?;
            let mut trigrams =
                load.prepare("INSERT INTO trigrams (rowid, names) VALUES (?1, ?2)")?;
            let mut place = load.prepare("INSERT INTO places VALUES (?1, ?2, ?2, ?3, ?3)")?;
            for (id, row) in (1_i64..).zip(rows) {
                company.execute(params![
                    id,
                    row.uid.number(),
                    row.canton,
                    row.legal_form,
                    row.status,
                    row.division,
                    row.capital
                ])?;
                words.execute(params![id, row.names])?;
                trigrams.execute(params![id, row.names])?;
                // Deleted companies are left out of nearby queries.
                if let Some((east, north)) = row.place.filter(|_| row.is_active()) {
                    place.execute(params![id, east, north])?;
                }
            }
        }
        load.commit()?;
        connection.execute_batch(INDEXES)?;
        Ok(Self { connection })
    }

    /// The company numbers that a statement returns.
    fn uids(&self, sql: &str, parameters: &[&dyn ToSql]) -> Result<Vec<Uid>, Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let numbers = statement.query_map(parameters, |row| row.get::<_, u32>(0))?;
        let uids = numbers.map(|it| it.map(Uid::from_number)).collect::<Result<Vec<_>, _>>()?;
        Ok(uids.into_iter().flatten().collect())
    }

    fn count(&self, sql: &str, parameters: &[&dyn ToSql]) -> Result<u64, Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(parameters, |row| row.get(0))?)
    }

    fn named(&self, text: &str, unfinished: bool, filters: &[Filter]) -> Result<Answer, Error> {
        let folded = fold(text);
        let mut search: Vec<String> = folded.split(' ').map(|it| format!("\"{it}\"")).collect();
        if unfinished && let Some(last) = search.last_mut() {
            last.push('*');
        }
        let search = search.join(" ");
        let values: Vec<Value> = filters.iter().map(value).collect();
        let mut parameters: Vec<&dyn ToSql> = vec![&search];
        parameters.extend(values.iter().map(|it| it as &dyn ToSql));

        let mut matches = "words MATCH ?1".to_owned();
        for (at, filter) in (2..).zip(filters) {
            matches += &format!(" AND {}", condition(filter, &format!("?{at}")));
        }
        let joined = "words JOIN companies ON id = words.rowid";
        let counted = if filters.is_empty() { "words" } else { joined };
        let total =
            self.count(&format!("SELECT count(*) FROM {counted} WHERE {matches}"), &parameters)?;
        let page = format!("SELECT uid FROM {joined} WHERE {matches} ORDER BY rank LIMIT {PAGE}");
        let uids = self.uids(&page, &parameters)?;
        if total >= FEW || !filters.is_empty() {
            return Ok(Answer { uids, total: Some(total) });
        }
        let trigrams = trigrams(&folded);
        let alike = format!(
            "SELECT uid FROM trigrams JOIN companies ON id = trigrams.rowid
             WHERE trigrams MATCH ?1 ORDER BY rank LIMIT {PAGE}"
        );
        Ok(Answer { uids: self.uids(&alike, &[&trigrams])?, total: None })
    }

    fn list(&self, filters: &[Filter], by_capital: bool) -> Result<Answer, Error> {
        let values: Vec<Value> = filters.iter().map(value).collect();
        let parameters: Vec<&dyn ToSql> = values.iter().map(|it| it as &dyn ToSql).collect();
        let conditions: Vec<String> =
            (1..).zip(filters).map(|(at, it)| condition(it, &format!("?{at}"))).collect();
        let conditions = conditions.join(" AND ");
        let order = if by_capital { "capital DESC NULLS LAST, id" } else { "id" };
        let page =
            format!("SELECT uid FROM companies WHERE {conditions} ORDER BY {order} LIMIT {PAGE}");
        let total = format!("SELECT count(*) FROM companies WHERE {conditions}");
        Ok(Answer {
            uids: self.uids(&page, &parameters)?,
            total: Some(self.count(&total, &parameters)?),
        })
    }

    fn statistics(&self) -> Result<Answer, Error> {
        let mut total = 0;
        for column in ["status", "canton", "legal_form"] {
            let sql = format!("SELECT {column}, count(*) FROM companies GROUP BY {column}");
            let mut statement = self.connection.prepare_cached(&sql)?;
            let counts = statement.query_map([], |row| row.get::<_, u64>(1))?;
            total = counts.sum::<Result<u64, _>>()?;
        }
        Ok(Answer { uids: Vec::new(), total: Some(total) })
    }

    fn nearby(&self, latitude: f64, longitude: f64, radius_km: f64) -> Result<Answer, Error> {
        let (east, north) = plane(latitude, longitude);
        let near = format!(
            "SELECT uid FROM places JOIN companies USING (id)
             WHERE west >= ?1 - ?3 AND west <= ?1 + ?3 AND south >= ?2 - ?3 AND south <= ?2 + ?3
               AND (west - ?1) * (west - ?1) + (south - ?2) * (south - ?2) <= ?3 * ?3
             ORDER BY (west - ?1) * (west - ?1) + (south - ?2) * (south - ?2) LIMIT {PAGE}"
        );
        Ok(Answer { uids: self.uids(&near, &[&east, &north, &radius_km])?, total: None })
    }
}

impl Rival for Sqlite {
    fn answer(&mut self, question: &Question) -> Result<Answer, Error> {
        match question {
            Question::Name { text, unfinished, filters } => self.named(text, *unfinished, filters),
            Question::List { filters, by_capital } => self.list(filters, *by_capital),
            Question::Statistics => self.statistics(),
            Question::Nearby { latitude, longitude, radius_km } => {
                self.nearby(*latitude, *longitude, *radius_km)
            }
            Question::One(_) => Ok(Answer::default()),
        }
    }
}

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::Number(number) => number.to_sql(),
        }
    }
}

/// A query that matches any trigram of the words.
fn trigrams(folded: &str) -> String {
    let of_word = |word: &str| -> Vec<String> {
        let letters: Vec<char> = word.chars().collect();
        letters.windows(3).map(|it| format!("\"{}\"", it.iter().collect::<String>())).collect()
    };
    folded.split(' ').flat_map(of_word).collect::<Vec<_>>().join(" OR ")
}
