//! PostgreSQL, started for this run in a temporary folder and queried over its socket: full-text search for
//! words and prefixes, `pg_trgm` for typos, B-trees for filters, a `GiST` index for places.

use std::{
    collections::HashMap,
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use domain::{Uid, text::fold};
use postgres::{
    Client, NoTls, Statement,
    types::{FromSqlOwned, ToSql},
};
use tempfile::TempDir;

use super::{FEW, Rival, Row, Value, condition, plane, value};
use crate::{
    Error,
    questions::{Answer, Filter, PAGE, Question},
};

pub(super) struct Postgres {
    client: Client,
    prepared: HashMap<String, Statement>,
    // Dropped after the client, which must close first.
    _server: Server,
}

const TABLE: &str = "
    CREATE EXTENSION pg_trgm;
    CREATE TABLE companies (
        id INTEGER PRIMARY KEY, uid INTEGER NOT NULL, names TEXT NOT NULL, canton TEXT,
        legal_form TEXT, status TEXT, division TEXT, capital BIGINT, place POINT,
        words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', names)) STORED
    );
";

const INDEXES: &str = "
    CREATE INDEX ON companies USING gin (words);
    CREATE INDEX ON companies USING gin (names gin_trgm_ops);
    CREATE INDEX ON companies (canton, legal_form, status);
    CREATE INDEX ON companies (legal_form, status);
    CREATE INDEX ON companies (status);
    CREATE INDEX ON companies (division, canton);
    CREATE INDEX ON companies (capital DESC NULLS LAST);
    -- Deleted companies are left out of nearby queries.
    CREATE INDEX ON companies USING gist (place) WHERE status <> 'CANCELLED';
";

impl Postgres {
    /// `None` where PostgreSQL is not installed.
    pub(super) fn of(rows: &[Row]) -> Result<Option<Self>, Error> {
        let Some(server) = Server::start()? else { return Ok(None) };
        let host = server.folder.path().to_string_lossy();
        let mut client =
            Client::connect(&format!("host={host} user=postgres dbname=postgres"), NoTls)?;
        client.batch_execute(TABLE)?;
        let mut copy = client.copy_in(
            "COPY companies (id, uid, names, canton, legal_form, status, division, capital, place) FROM STDIN",
        )?;
        for (id, row) in (1..).zip(rows) {
            copy.write_all(line(id, row)?.as_bytes())?;
        }
        copy.finish()?;
        client.batch_execute(INDEXES)?;
        // VACUUM cannot run in a transaction.
        client.batch_execute("VACUUM (ANALYZE) companies")?;
        Ok(Some(Self { client, prepared: HashMap::new(), _server: server }))
    }

    fn rows<T: FromSqlOwned>(
        &mut self,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
        column: usize,
    ) -> Result<Vec<T>, Error> {
        if !self.prepared.contains_key(sql) {
            self.prepared.insert(sql.to_owned(), self.client.prepare(sql)?);
        }
        let rows = self.client.query(&self.prepared[sql], parameters)?;
        Ok(rows.iter().map(|it| it.get(column)).collect())
    }

    fn uids(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Uid>, Error> {
        let numbers: Vec<i32> = self.rows(sql, parameters, 0)?;
        Ok(numbers.into_iter().filter_map(|it| Uid::from_number(it.cast_unsigned())).collect())
    }

    fn total(&mut self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<u64, Error> {
        let counts: Vec<i64> = self.rows(sql, parameters, 0)?;
        Ok(counts.first().copied().unwrap_or_default().cast_unsigned())
    }

    fn named(&mut self, text: &str, unfinished: bool, filters: &[Filter]) -> Result<Answer, Error> {
        let folded = fold(text);
        let search = folded.replace(' ', " & ") + if unfinished { ":*" } else { "" };
        let mut conditions = "words @@ to_tsquery('simple', $1)".to_owned();
        for (at, filter) in (2..).zip(filters) {
            write!(conditions, " AND {}", condition(filter, &format!("${at}")))?;
        }
        let values: Vec<Value> = filters.iter().map(value).collect();
        let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&search];
        parameters.extend(values.iter().map(Value::parameter));
        let total =
            self.total(&format!("SELECT count(*) FROM companies WHERE {conditions}"), &parameters)?;
        let page = format!(
            "SELECT uid FROM companies WHERE {conditions}
             ORDER BY ts_rank(words, to_tsquery('simple', $1), 1) DESC, id LIMIT {PAGE}"
        );
        let uids = self.uids(&page, &parameters)?;
        if total >= FEW || !filters.is_empty() {
            return Ok(Answer { uids, total: Some(total) });
        }
        let alike = format!(
            "SELECT uid FROM companies WHERE $1 <% names ORDER BY $1 <<-> names, id LIMIT {PAGE}"
        );
        let total = self.total("SELECT count(*) FROM companies WHERE $1 <% names", &[&folded])?;
        Ok(Answer { uids: self.uids(&alike, &[&folded])?, total: Some(total) })
    }

    fn list(&mut self, filters: &[Filter], by_capital: bool) -> Result<Answer, Error> {
        let conditions: Vec<String> =
            (1..).zip(filters).map(|(at, it)| condition(it, &format!("${at}"))).collect();
        let conditions = conditions.join(" AND ");
        let values: Vec<Value> = filters.iter().map(value).collect();
        let parameters: Vec<&(dyn ToSql + Sync)> = values.iter().map(Value::parameter).collect();
        let order = if by_capital { "capital DESC NULLS LAST, id" } else { "id" };
        let page =
            format!("SELECT uid FROM companies WHERE {conditions} ORDER BY {order} LIMIT {PAGE}");
        let total = format!("SELECT count(*) FROM companies WHERE {conditions}");
        Ok(Answer {
            uids: self.uids(&page, &parameters)?,
            total: Some(self.total(&total, &parameters)?),
        })
    }

    fn statistics(&mut self) -> Result<Answer, Error> {
        let mut total = 0;
        for column in ["status", "canton", "legal_form"] {
            let sql = format!("SELECT {column}, count(*) FROM companies GROUP BY {column}");
            let counts: Vec<i64> = self.rows(&sql, &[], 1)?;
            total = counts.into_iter().sum::<i64>().cast_unsigned();
        }
        Ok(Answer { uids: Vec::new(), total: Some(total) })
    }

    fn nearby(&mut self, latitude: f64, longitude: f64, radius_km: f64) -> Result<Answer, Error> {
        let (east, north) = plane(latitude, longitude);
        let near = format!(
            "SELECT uid FROM companies
             WHERE status <> 'CANCELLED' AND place <@ circle(point($1, $2), $3)
             ORDER BY place <-> point($1, $2) LIMIT {PAGE}"
        );
        Ok(Answer { uids: self.uids(&near, &[&east, &north, &radius_km])?, total: None })
    }
}

impl Rival for Postgres {
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

impl Value<'_> {
    fn parameter(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number,
        }
    }
}

/// A row in the format of `COPY`. Codes and folded names contain no special characters.
fn line(id: i32, row: &Row) -> Result<String, std::fmt::Error> {
    let mut line = format!("{id}\t{}\t{}", row.uid.number(), row.names);
    for text in [row.canton, row.legal_form.as_deref(), row.status, row.division.as_deref()] {
        write!(line, "\t{}", text.unwrap_or("\\N"))?;
    }
    match row.capital {
        Some(units) => write!(line, "\t{units}")?,
        None => line.push_str("\t\\N"),
    }
    match row.place {
        Some((east, north)) => writeln!(line, "\t({east},{north})")?,
        None => line.push_str("\t\\N\n"),
    }
    Ok(line)
}

/// A server for this run. Dropping it stops it.
struct Server {
    programs: PathBuf,
    /// Contains data and socket.
    folder: TempDir,
}

/// Caches larger than the data, plans made for each query, no durable writes.
const SETTINGS: &str = "-c listen_addresses= -c shared_buffers=2GB -c effective_cache_size=8GB \
    -c work_mem=256MB -c maintenance_work_mem=1GB -c random_page_cost=1.1 -c jit=off \
    -c plan_cache_mode=force_custom_plan -c fsync=off -c full_page_writes=off -c autovacuum=off";

impl Server {
    fn start() -> Result<Option<Self>, Error> {
        let Some(programs) = programs() else { return Ok(None) };
        let server = Self { programs, folder: TempDir::new()? };
        let folder = server.folder.path();
        if is_root()? {
            let owned = Command::new("chown").arg("postgres").arg(folder).status()?;
            if !owned.success() {
                return Err("there is no user `postgres`, and root may not run PostgreSQL".into());
            }
        }
        let socket = format!("{SETTINGS} -k {}", folder.display());
        server.run(
            "initdb",
            &["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"],
        )?;
        let log = folder.join("log");
        server.run("pg_ctl", &["start", "--wait", "-o", &socket, "-l", &log.to_string_lossy()])?;
        Ok(Some(server))
    }

    /// Runs a program on the data. As root, it runs as the user `postgres`, because PostgreSQL refuses root.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), Error> {
        let program = self.programs.join(program);
        let mut command = match is_root()? {
            true => {
                let mut command = Command::new("setpriv");
                command
                    .args(["--reuid=postgres", "--regid=postgres", "--clear-groups"])
                    .arg(&program);
                command
            }
            false => Command::new(&program),
        };
        let data = self.folder.path().join("data");
        let status = command
            .args(arguments)
            .arg("--pgdata")
            .arg(&data)
            // The user `postgres` may not be allowed to read the current folder.
            .current_dir("/")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("{}: {status}", program.display()).into()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The data folder is deleted too; at worst a process without data is left.
        let _ = self.run("pg_ctl", &["stop", "--mode=immediate"]);
    }
}

/// The folder of PostgreSQL's programs; Debian has one for each version.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    debian.sort();
    let elsewhere = ["/usr/local/bin", "/usr/bin"].map(PathBuf::from);
    let all = debian.into_iter().rev().chain(elsewhere);
    let has_all = |it: &PathBuf| {
        ["initdb", "pg_ctl", "postgres"].iter().all(|program| it.join(program).is_file())
    };
    all.into_iter().find(has_all)
}

fn is_root() -> Result<bool, Error> {
    Ok(std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(Path::new("/proc/self"))?) == 0)
}
