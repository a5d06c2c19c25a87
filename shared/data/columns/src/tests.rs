use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use analytics::{
    Count, Currency, Day, FirmId, LegalFormCode, Money, Needs, Noga,
    columns::{
        ChangeColumn, ChangeRow, Changes, Companies, CompanyColumn, CompanyRow, Firm, Firms,
        Leading,
    },
};
use aws_sdk_s3::{
    config::{
        Builder as ConfigBuilder, ConfigBag, Credentials, Intercept, Region, RuntimeComponents,
        interceptors::BeforeTransmitInterceptorContextMut,
    },
    error::BoxError,
};
use bytes::Bytes;
use domain::{
    Amount, AuditorCategory, Canton, ChangeKind, Status, Uid, changes::LegalEvent,
    company::StatusReason,
};
use emulators::s3::{ACCESS_KEY, SECRET_KEY};
use objects::Objects;
use obligations::{Basis, RegimeKind};
use parquet::file::reader::{FileReader, SerializedFileReader};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::{
    Builder, CHUNKS, Chunks, Columns, Error, Tables,
    chunks::{Chunk, Place},
    layout::Table,
};

const COMPANIES: usize = 700;
/// The folder of the columns in the bucket.
const FOLDER: &str = "generation/columns";
const REGIMES: [RegimeKind; 4] =
    [RegimeKind::Ordinary, RegimeKind::Limited, RegimeKind::OptingOut, RegimeKind::None];
const BASES: [Basis; 4] = [Basis::Stated, Basis::Assumed, Basis::Unknown, Basis::General];

/// One of all values, or none after the last one.
fn any<T: Copy>(all: &[T], at: usize) -> Option<T> {
    all.get(at % (all.len() + 1)).copied()
}

fn days() -> Vec<Day> {
    [-719_162, -25_169, -1, 0, 1, 20_000, 2_932_896].map(Day::new).into()
}

fn amounts() -> Vec<Money> {
    let amounts = [i64::MIN + 1, -1, 0, 1, 1_000_000_000, i64::MAX];
    amounts.map(|it| Amount::from_ten_thousandths(it).into()).into()
}

fn counts() -> Vec<Count> {
    [0, 1, 2, 65_536, i32::MAX as u32, u32::MAX - 1].map(Count::new).into()
}

fn firm(at: usize) -> Option<FirmId> {
    any(&[0, 1, 2, 3, 4].map(FirmId::at), at)
}

/// The firms of the rows, sorted by key.
fn firms() -> Firms {
    let mut firms = Firms::default();
    for key in ["CHE-100.000.001", "a treuhand", "b", "z", "ç révision"] {
        firms.add(Firm { key: key.to_owned(), name: format!("Name of {key}") });
    }
    firms
}

fn company(at: usize) -> (CompanyRow, Vec<ChangeRow>) {
    let uid = Uid::from_number(999_999_999 - at as u32 * 3).expect("nine digits");
    let row = CompanyRow {
        uid,
        status: any(&Status::ALL, at),
        reason: any(StatusReason::ALL, at),
        canton: any(&Canton::ALL, at),
        legal_form: any(&["0106", "0001", "9999"], at).and_then(LegalFormCode::new),
        noga: any(&["62", "011", "6201", "960900", "000000"], at).and_then(Noga::new),
        capital: any(&amounts(), at),
        currency: any(&["CHF", "EUR", "AAA", "ZZZ"], at).and_then(Currency::new),
        founding: any(&days(), at),
        registration: any(&days(), at + 1),
        deletion: any(&days(), at + 2),
        officers: any(&counts(), at),
        leaders: any(&counts(), at + 1),
        signers: any(&counts(), at + 2),
        sole_signers: any(&counts(), at + 3),
        auditor: firm(at),
        auditor_category: any(&AuditorCategory::ALL, at),
        auditor_since: any(&days(), at + 3),
        opted_out: any(&[true, false], at),
        employees: any(&counts(), at + 4),
        finma: any(&[false, true], at + 1),
        last_change: any(&days(), at + 4),
        at_address: any(&counts(), at + 5),
        quality: any(&[0, 1, 100, 255], at),
        industry_confidence: any(&[0, 1, 100, 255], at + 1),
        audit_kind: any(&REGIMES, at),
        audit_basis: any(&BASES, at + 1),
        waiver_since: any(&days(), at + 5),
        changes: (at % 5) as u32,
    };
    let changes = (at * 3..at * 3 + at % 5).map(|at| ChangeRow {
        day: days()[at % 7],
        kind: ChangeKind::ALL[at % 22],
        legal_event: any(LegalEvent::ALL, at),
        from_canton: any(&Canton::ALL, at),
        to_canton: any(&Canton::ALL, at + 1),
        old_capital: any(&amounts(), at),
        new_capital: any(&amounts(), at + 1),
        from_auditor: firm(at),
        to_auditor: firm(at + 1),
        leading: any(&[Leading::Entered, Leading::Left], at),
    });
    (row, changes.collect())
}

/// What was written, and what is to be read.
fn expected() -> Tables {
    let (mut companies, mut changes) = (Companies::default(), Changes::default());
    for at in 0..COMPANIES {
        let (row, rows) = company(at);
        companies.push(row);
        rows.into_iter().for_each(|it| changes.push(it));
    }
    Tables { companies, changes, firms: Arc::new(firms()) }
}

/// Writes the companies after they were added in another order.
fn write(order: impl Iterator<Item = usize>, to: &Path) -> Chunks {
    let mut builder = Builder::new();
    for at in order {
        let (row, changes) = company(at);
        builder.push_rows(&CompanyRow { at_address: None, ..row }, &changes, &firms());
    }
    let documents = (0..COMPANIES).map(|at| {
        let (row, _) = company(at);
        (row.uid, row.at_address.map(Count::get))
    });
    builder.finish(to, documents).expect("written")
}

fn all() -> Needs {
    Needs {
        companies: CompanyColumn::ALL.iter().copied().collect(),
        changes: ChangeColumn::ALL.iter().copied().collect(),
    }
}

/// Each column alone, with the name of its table and its own.
fn each() -> Vec<(&'static str, &'static str, Needs)> {
    let companies = CompanyColumn::ALL.iter().map(|it| {
        let needs = Needs { companies: [*it].into(), ..Needs::default() };
        (Companies::NAME, it.name(), needs)
    });
    let changes = ChangeColumn::ALL.iter().map(|it| {
        let needs = Needs { changes: [*it].into(), ..Needs::default() };
        (Changes::NAME, it.name(), needs)
    });
    companies.chain(changes).collect()
}

/// Counts requests.
#[derive(Debug)]
struct Counts(Arc<AtomicUsize>);

impl Intercept for Counts {
    fn name(&self) -> &'static str {
        "Counts"
    }

    fn modify_before_signing(
        &self,
        _: &mut BeforeTransmitInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A bucket with columns.
struct World {
    objects: Objects,
    requests: Arc<AtomicUsize>,
    chunks: Chunks,
    folder: TempDir,
}

impl World {
    #[expect(clippy::disallowed_methods, reason = "`objects::client` has no path-style addresses")]
    async fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        let columns = folder.path().join("bucket").join(FOLDER);
        fs::create_dir_all(&columns).expect("created");
        let chunks = write(0..COMPANIES, &columns);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        emulators::s3::start(listener, folder.path()).expect("started");
        let requests = Arc::new(AtomicUsize::default());
        let config = ConfigBuilder::new()
            .behavior_version_latest()
            .region(Region::new("eu-central-2"))
            .endpoint_url(address)
            .credentials_provider(Credentials::new(ACCESS_KEY, SECRET_KEY, None, None, "test"))
            .force_path_style(true)
            .interceptor(Counts(requests.clone()));
        let objects = Objects::named(objects::Client::from_conf(config.build()), "bucket");
        Self { objects, requests, chunks, folder }
    }

    /// A process that has no column yet.
    fn columns(&self) -> Columns {
        self.with(self.chunks.clone())
    }

    fn with(&self, chunks: Chunks) -> Columns {
        Columns::new(self.objects.clone(), FOLDER.to_owned(), chunks)
    }

    fn path(&self, table: &str) -> std::path::PathBuf {
        self.folder.path().join("bucket").join(FOLDER).join(format!("{table}.parquet"))
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::Relaxed)
    }

    /// Changes a file while the test reads it.
    async fn with_file<T>(
        &self,
        table: &str,
        change: impl FnOnce(&mut Vec<u8>),
        test: impl Future<Output = T>,
    ) -> T {
        let path = self.path(table);
        let before = fs::read(&path).expect("a file");
        let mut bytes = before.clone();
        change(&mut bytes);
        fs::write(&path, bytes).expect("written");
        let result = test.await;
        fs::write(&path, before).expect("written");
        result
    }
}

fn damaged(read: Result<Tables, Error>) -> (&'static str, String) {
    match read {
        Err(Error::Damaged { table, column, .. }) => (table, column),
        read => panic!("{:?}", read.map(drop)),
    }
}

#[tokio::test]
async fn all_columns_come_back() {
    let world = World::start().await;
    assert!(world.columns().get(&all()).await.expect("read") == expected());
}

#[tokio::test]
async fn each_column_comes_back_alone() {
    let (world, expected) = (World::start().await, expected());
    for (table, name, needs) in each() {
        let columns = world.columns();
        let read = columns.get(&needs).await.expect("read");
        let (companies, changes) =
            needs.select(expected.companies.clone(), expected.changes.clone());
        assert!(read.companies == companies && read.changes == changes, "{table} {name}");
        let names_firms = ["auditor", "fromAuditor", "toAuditor"].contains(&name);
        assert_eq!(read.firms.len(), if names_firms { 5 } else { 0 }, "{table} {name}");
        assert_eq!(columns.needed(), needs);
    }
}

/// Fails if a column is added to the tables and the companies of these tests do not have its values.
#[test]
fn all_columns_are_tested_with_known_and_unknown_values() {
    let (row, _) = company(0);
    for (at, column) in CompanyColumn::ALL.iter().enumerate() {
        let column = Companies::column(*column);
        let codes = (0..COMPANIES).map(|it| Companies::codes(&company(it).0).nth(at).flatten());
        let (known, unknown): (Vec<_>, Vec<_>) = codes.partition(Option::is_some);
        assert!(!known.is_empty() && unknown.is_empty() != column.is_optional, "{column:?}");
    }
    assert_eq!(Companies::codes(&row).count(), CompanyColumn::ALL.len());
    let changes: Vec<ChangeRow> = (0..COMPANIES).flat_map(|it| company(it).1).collect();
    for (at, column) in ChangeColumn::ALL.iter().enumerate() {
        let column = Changes::column(*column);
        let codes = changes.iter().map(|it| Changes::codes(it).nth(at).flatten());
        let (known, unknown): (Vec<_>, Vec<_>) = codes.partition(Option::is_some);
        assert!(!known.is_empty() && unknown.is_empty() != column.is_optional, "{column:?}");
    }
}

#[test]
fn the_same_companies_give_the_same_bytes() {
    let files = |order: &mut dyn Iterator<Item = usize>| {
        let folder = TempDir::new().expect("a folder");
        write(order, folder.path());
        ["companies.parquet", "changes.parquet", "firms.parquet", CHUNKS]
            .map(|it| fs::read(folder.path().join(it)).expect("a file"))
    };
    let in_order = files(&mut (0..COMPANIES));
    assert!(files(&mut (0..COMPANIES).rev()) == in_order);
    assert!(files(&mut (0..COMPANIES).map(|it| (it * 11 + 5) % COMPANIES)) == in_order);
}

#[test]
fn a_register_without_companies_has_empty_tables() {
    let folder = TempDir::new().expect("a folder");
    let chunks = Builder::new().finish(folder.path(), []).expect("written");
    assert_eq!((chunks.companies(), chunks.changes()), (0, 0));
    let file = fs::read(folder.path().join("companies.parquet")).expect("a file");
    let file = SerializedFileReader::new(Bytes::from(file)).expect("a Parquet file");
    assert_eq!(file.metadata().file_metadata().num_rows(), 0);
}

#[test]
fn other_documents_than_companies_are_refused() {
    let (folder, [one, two]) = (TempDir::new().expect("a folder"), [0, 1].map(|it| company(it).0));
    for documents in [vec![], vec![one.uid], vec![one.uid; 2], vec![one.uid, one.uid, two.uid]] {
        let mut builder = Builder::new();
        for row in [&one, &two] {
            builder.push_rows(row, &[], &firms());
        }
        let finished = builder.finish(folder.path(), documents.iter().map(|it| (*it, None)));
        assert!(matches!(finished, Err(Error::OtherCompanies)), "{documents:?}");
    }
}

#[test]
fn a_firm_has_the_name_that_most_companies_use() {
    let folder = TempDir::new().expect("a folder");
    let mut builder = Builder::new();
    let documents = ["B", "C", "A", "C", "A"].iter().enumerate().map(|(at, name)| {
        let mut firms = Firms::default();
        firms.add(Firm { key: "unused".into(), name: "Unused".into() });
        let id = firms.add(Firm { key: "key".into(), name: (*name).into() });
        let uid = company(at).0.uid;
        builder.push_rows(
            &CompanyRow { auditor: Some(id), ..CompanyRow::unknown(uid) },
            &[],
            &firms,
        );
        (uid, None)
    });
    let documents: Vec<_> = documents.collect();
    builder.finish(folder.path(), documents).expect("written");
    let file = fs::read(folder.path().join("firms.parquet")).expect("a file");
    let file = SerializedFileReader::new(Bytes::from(file)).expect("a Parquet file");
    let rows = file.get_row_iter(None).expect("rows").map(|it| it.expect("a row").to_string());
    assert_eq!(rows.collect::<Vec<_>>(), [r#"{key: "key", name: "A"}"#]);
}

#[tokio::test]
async fn files_are_in_the_standard_format_with_the_names_of_their_numbers() {
    let world = World::start().await;
    let read = |table| {
        let bytes = fs::read(world.path(table)).expect("a file");
        SerializedFileReader::new(Bytes::from(bytes)).expect("a Parquet file")
    };
    let file = read("companies");
    let metadata = file.metadata();
    assert_eq!(metadata.num_row_groups(), 1);
    let columns = metadata.row_group(0).columns().iter();
    let names: Vec<String> = columns.map(|it| it.column_path().string()).collect();
    assert!(names.iter().eq(CompanyColumn::ALL.iter().map(|it| it.name())));
    let about = metadata.file_metadata().key_value_metadata().expect("metadata");
    let status = about.iter().find(|it| it.key == "status.names").expect("names");
    assert_eq!(status.value.as_deref(), Some(r#"["ACTIVE","BEING_CANCELLED","CANCELLED"]"#));
    let rows: Vec<String> = file
        .get_row_iter(None)
        .expect("rows")
        .take(4)
        .map(|it| it.expect("a row").to_string())
        .collect();
    assert!(rows[1].contains("uid: 999999996, status: 1, reason: 1, canton: 1, legalForm: 1"));
    assert!(rows[3].contains("founding: 1970-01-01"), "{}", rows[3]);
    assert!(rows[3].contains("status: null"), "{}", rows[3]);
    assert_eq!(read("changes").metadata().file_metadata().num_rows(), 1_400);
}

#[tokio::test]
async fn a_damaged_byte_is_found_by_those_who_read_its_column() {
    let world = World::start().await;
    let places = [("companies", &world.chunks.companies), ("changes", &world.chunks.changes)];
    for (table, place) in places {
        for chunk in &place.columns {
            let of_table = |it: &(&'static str, &'static str, Needs)| it.0 == table;
            let (damaged_one, others): (Vec<_>, Vec<_>) =
                each().into_iter().filter(of_table).partition(|it| it.1 == chunk.name);
            let others = others.into_iter().fold(Needs::default(), |all, it| all.and(it.2));
            for offset in [0, chunk.size / 2, chunk.size - 1] {
                let at = (chunk.offset + offset) as usize;
                let test = async {
                    let columns = world.columns();
                    let found = damaged(columns.get(&damaged_one[0].2).await);
                    assert_eq!(found, (table, chunk.name.clone()));
                    assert_eq!(damaged(columns.get(&all()).await), found);
                    columns.get(&others).await.expect("not damaged");
                };
                world.with_file(table, |it| it[at] ^= 0x10, test).await;
            }
        }
    }
    for chunk in &world.chunks.firms.columns {
        let test = async { damaged(world.columns().get(&all()).await) };
        let found = world.with_file("firms", |it| it[chunk.offset as usize] ^= 1, test).await;
        assert_eq!(found, ("firms", chunk.name.clone()));
    }
}

#[tokio::test]
async fn a_file_that_is_too_short_or_missing_is_damage() {
    let world = World::start().await;
    let last = world.chunks.companies.columns.last().expect("a column").clone();
    let needs = Needs { companies: [CompanyColumn::Changes].into(), ..Needs::default() };
    for left in [0, last.offset, last.end() - 1] {
        let test = async { damaged(world.columns().get(&needs).await) };
        let found = world.with_file("companies", |it| it.truncate(left as usize), test).await;
        assert_eq!(found, ("companies", "changes".to_owned()), "{left}");
    }
    fs::remove_file(world.path("companies")).expect("removed");
    assert_eq!(damaged(world.columns().get(&needs).await).1, "changes");
}

fn change(chunks: &Chunks, name: &str, change: impl FnOnce(&mut Place, usize)) -> Chunks {
    let mut chunks = chunks.clone();
    let position = chunks.companies.columns.iter().position(|it| it.name == name);
    change(&mut chunks.companies, position.expect("a column"));
    chunks
}

#[tokio::test]
async fn a_description_that_does_not_fit_is_damage() {
    let world = World::start().await;
    let status = Needs { companies: [CompanyColumn::Status].into(), ..Needs::default() };
    let names = |names: &[&str]| Some(names.iter().map(|it| (*it).to_owned()).collect());
    type Change = Box<dyn FnOnce(&mut Place, usize)>;
    let of_chunk = |it: fn(&mut Chunk)| -> Change {
        Box::new(move |place, position| it(&mut place.columns[position]))
    };
    let fewer = names(&["ACTIVE", "BEING_CANCELLED"]);
    let unknown = names(&["ACTIVE", "BEING_CANCELLED", "new"]);
    let changes: Vec<Change> = vec![
        Box::new(|place, position| drop(place.columns.remove(position))),
        Box::new(|place, _| place.rows += 1),
        of_chunk(|it| it.names = None),
        Box::new(|place, position| place.columns[position].names = fewer),
        Box::new(|place, position| place.columns[position].names = unknown),
        of_chunk(|it| it.size += 1_000_000),
        of_chunk(|it| it.offset += 1_000_000),
        of_chunk(|it| it.size = 0),
    ];
    for wrong in changes {
        let chunks = change(&world.chunks, "status", wrong);
        assert_eq!(damaged(world.with(chunks).get(&status).await), ("companies", "status".into()));
    }
}

#[tokio::test]
async fn numbers_mean_the_names_that_are_stored_beside_them() {
    let world = World::start().await;
    let needs = Needs { companies: [CompanyColumn::Status].into(), ..Needs::default() };
    // As an earlier version wrote it, which had fewer names in another order.
    let chunks = change(&world.chunks, "status", |place, position| {
        let names = ["CANCELLED", "ACTIVE", "BEING_CANCELLED"];
        place.columns[position].names = Some(names.map(str::to_owned).into());
    });
    let read = world.with(chunks).get(&needs).await.expect("read");
    let expected =
        [Some(Status::Cancelled), Some(Status::Active), Some(Status::BeingCancelled), None];
    assert_eq!(read.companies.status[..4], expected);
}

#[tokio::test]
async fn each_column_is_fetched_once() {
    let world = World::start().await;
    let needs = |columns: &[CompanyColumn]| Needs {
        companies: columns.iter().copied().collect(),
        ..Needs::default()
    };
    let columns = world.columns();
    let neighbours = needs(&[CompanyColumn::Status, CompanyColumn::Reason, CompanyColumn::Canton]);
    columns.get(&neighbours).await.expect("read");
    assert_eq!(world.requests(), 1, "neighbours are one request");
    columns.get(&neighbours).await.expect("read");
    columns.get(&needs(&[CompanyColumn::Reason])).await.expect("read");
    assert_eq!(world.requests(), 1);
    columns.get(&needs(&[CompanyColumn::Status, CompanyColumn::Changes])).await.expect("read");
    assert_eq!(world.requests(), 2, "only what is missing");
    let reason = columns.get(&needs(&[CompanyColumn::Reason])).await.expect("read");
    assert!(reason.companies.status.is_empty(), "not what others needed");
    columns.get(&needs(&[CompanyColumn::Uid, CompanyColumn::Quality])).await.expect("read");
    assert_eq!(world.requests(), 4, "what is between them is not fetched");

    let columns = world.columns();
    let all = all();
    let read = futures_util::future::join_all((0..8).map(|_| columns.get(&all))).await;
    assert_eq!(world.requests(), 7, "a request for each of the three files");
    let first = read[0].as_ref().expect("read");
    for read in &read {
        let read = read.as_ref().expect("read");
        assert!(Arc::ptr_eq(&read.companies.uid, &first.companies.uid), "they share one copy");
    }
}
