//! Exports: what their files contain, how they end, and who sees them.

use std::pin::pin;

use access::{Environment, Scope, Tier};
use bytes::Bytes;
use domain::{Canton, Company, Status, Uid};
use http::StatusCode;
use jobs::ExportJob;
use local::cloud::clients::s3_client;
use objects::Objects;
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use serde_json::{Value, json};
use tests::{
    Answer, Service, company,
    faults::Faults,
    workers_by_hand::{polled, waiting},
};

pub(crate) const PATH: &str = "/v1/exports";
pub(crate) const PROFILES: &str = "/v1/exports/bulk-profiles";
/// More than one block of records.
const COMPANIES: u32 = 1_300;

/// A company whose members follow from its number.
pub(crate) fn numbered(number: u32) -> Company {
    let uid = Uid::from_number(100_000_000 + number * 7).expect("nine digits");
    let mut company = Company::new(uid, format!("Muster \"{number}\", Söhne\n& Co AG"));
    company.canton = Some([Canton::Zh, Canton::Be, Canton::Ge][number as usize % 3]);
    let status = [Status::Active, Status::BeingCancelled, Status::Cancelled];
    company.status = Some(status[number as usize / 3 % 3]);
    company.legal_form_code =
        Some(if number.is_multiple_of(2) { "0106" } else { "0107" }.to_owned());
    company.share_capital = number.is_multiple_of(5).then(|| "100000.5".parse().expect("it"));
    let day =
        if number.is_multiple_of(4) { "2026-03-04T00:00:00Z" } else { "2025-01-01T00:00:00Z" };
    company.updated_at = day.parse().ok();
    company.industry = number.is_multiple_of(7).then(|| "Financial services".to_owned());
    company.noga_code = number.is_multiple_of(7).then(|| "64".to_owned());
    company
}

/// A service with [`COMPANIES`] companies, and the key of a team.
pub(crate) async fn service() -> (Service, String) {
    let service = Service::with((0..COMPANIES).map(numbered)).await;
    let key = service.key(Tier::Enterprise).await;
    (service, key)
}

pub(crate) fn id(answer: &Answer) -> String {
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:?}");
    answer.body["id"].as_str().expect("an id").to_owned()
}

/// Creates an export, lets the worker write it, and returns its id.
pub(crate) async fn exported(service: &Service, key: &str, body: Value) -> String {
    let id = id(&service.post_as(key, PATH, body).await);
    service.run_exports().await;
    id
}

pub(crate) async fn job(service: &Service, key: &str, id: &str) -> Value {
    service.get_as(key, &format!("{PATH}/{id}")).await.body["job"].clone()
}

/// The company numbers of a file, in their order.
pub(crate) fn uids(format: &str, file: &Bytes) -> Vec<String> {
    let text = || std::str::from_utf8(file).expect("UTF-8");
    match format {
        "ndjson" => {
            let line = |it: &str| serde_json::from_str::<Value>(it).expect("JSON")["uid"].clone();
            text().lines().map(|it| line(it).as_str().expect("a number").to_owned()).collect()
        }
        "csv" => {
            let lines = text().split("\r\n").skip(1).filter(|it| it.starts_with("CHE-"));
            lines.map(|it| it[..15].to_owned()).collect()
        }
        "parquet" => {
            let reader = SerializedFileReader::new(file.clone()).expect("a file");
            let rows = reader.get_row_iter(None).expect("rows");
            let uid = |row: parquet::record::Row| {
                let columns = row.into_columns();
                match columns.into_iter().find(|(name, _)| name == "uid") {
                    Some((_, Field::Str(uid))) => uid,
                    other => panic!("{other:?}"),
                }
            };
            rows.map(|it| uid(it.expect("a row"))).collect()
        }
        other => panic!("{other}"),
    }
}

pub(crate) fn expected(matches: impl Fn(&u32) -> bool) -> Vec<String> {
    (0..COMPANIES).filter(matches).map(|it| numbered(it).uid.to_string()).collect()
}

#[tokio::test]
async fn a_file_has_exactly_the_companies_that_match_in_the_order_of_their_numbers() {
    let (service, key) = service().await;
    let cases: [(Value, Vec<String>); 8] = [
        (json!({}), expected(|_| true)),
        (json!({ "canton": "ZH" }), expected(|it| it % 3 == 0)),
        (json!({ "status": "active" }), expected(|it| it / 3 % 3 == 0)),
        (
            json!({ "legalForm": "GmbH", "canton": "Bern" }),
            expected(|it| it % 2 == 1 && it % 3 == 1),
        ),
        (json!({ "changed_since": "2026-01-01" }), expected(|it| it % 4 == 0)),
        (json!({ "industry": "Financial services" }), expected(|it| it % 7 == 0)),
        (
            json!({ "filter": { "capitalMin": 1 }, "canton": ["ZH", "GE"] }),
            expected(|it| it % 5 == 0 && it % 3 != 1),
        ),
        (json!({ "canton": "JU" }), Vec::new()),
    ];
    for (filter, expected) in cases {
        for format in ["ndjson", "csv", "parquet"] {
            let mut body = filter.clone();
            body["format"] = format.into();
            let id = exported(&service, &key, body).await;
            let file = service.get_as(&key, &format!("{PATH}/{id}/download")).await;
            assert_eq!(file.status, StatusCode::OK, "{filter}: {file:?}");
            assert_eq!(uids(format, &file.bytes), expected, "{filter} as {format}");
            let job = job(&service, &key, &id).await;
            assert_eq!(job["status"], "completed", "{job}");
            assert_eq!(
                (&job["totalRows"], &job["processedRows"]),
                (&json!(expected.len()), &json!(expected.len()))
            );
            assert_eq!(job["fileSizeBytes"], json!(file.bytes.len()));
        }
    }
}

#[tokio::test]
async fn a_record_is_that_of_the_register_and_columns_are_those_of_the_request() {
    let (service, key) = service().await;
    let download = async |body: Value| {
        let id = exported(&service, &key, body).await;
        service.get_as(&key, &format!("{PATH}/{id}/download")).await.text
    };
    let whole = download(json!({ "max_rows": 1 })).await;
    let record: Value = serde_json::from_str(whole.trim_end()).expect("JSON");
    let uid = record["uid"].as_str().expect("a number");
    let answered = service.get_as(&key, &format!("/v1/companies/{uid}")).await.body;
    for (name, value) in record.as_object().expect("an object") {
        assert_eq!(answered[name], *value, "{name}");
    }
    let fields = json!(["share_capital", "uid", "canton"]);
    let lines = download(json!({ "maxRows": 2, "fields": fields })).await;
    let expected = [
        json!({ "share_capital": 100_000.5, "uid": uid, "canton": "ZH" }),
        json!({ "uid": numbered(1).uid, "canton": "BE" }),
    ];
    let lines: Vec<Value> =
        lines.lines().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    assert_eq!(lines, expected);
    let csv = download(json!({ "maxRows": 2, "fields": fields, "format": "csv" })).await;
    assert_eq!(
        csv,
        format!("share_capital,uid,canton\r\n100000.5,{uid},ZH\r\n,{},BE\r\n", numbered(1).uid)
    );
    let all = download(json!({ "maxRows": 1, "format": "csv" })).await;
    assert!(all.starts_with("uid,name,canton,status,") && all.contains(",purpose,"), "{all}");
    // Nothing fills it yet, so it is only in tables that name it.
    assert!(!all.contains("duns"), "{all}");
    let duns = json!({ "maxRows": 1, "fields": ["uid", "duns"], "format": "csv" });
    assert_eq!(download(duns).await, format!("uid,duns\r\n{uid},\r\n"));
}

#[tokio::test]
async fn rows_are_from_the_generation_of_the_export_as_long_as_it_is_kept() {
    let (service, key) = service().await;
    let before = service.generations.current().await.expect("one").manifest.id.clone();
    let created = id(&service.post_as(&key, PATH, json!({ "canton": "ZH" })).await);
    assert_eq!(job(&service, &key, &created).await["generation"], before);
    let mut moved = numbered(0);
    moved.canton = Some(Canton::Vs);
    service.register([moved.clone()]).await;
    service.run_exports().await;
    let file = service.get_as(&key, &format!("{PATH}/{created}/download")).await;
    assert!(uids("ndjson", &file.bytes).contains(&moved.uid.to_string()));
    let late = id(&service.post_as(&key, PATH, json!({ "canton": "VS" })).await);
    for number in 0..4 {
        let other = company(&format!("CHE-{}", 900_000_000 + number), "Später AG");
        service.register([other]).await;
    }
    let newest = service.generations.current().await.expect("one").manifest.id.clone();
    let asked = job(&service, &key, &late).await["generation"].clone();
    service.delete_generation(asked.as_str().expect("an id")).await;
    service.run_exports().await;
    let job = job(&service, &key, &late).await;
    assert_eq!((&job["status"], &job["generation"]), (&json!("completed"), &json!(newest)));
    let file = service.get_as(&key, &format!("{PATH}/{late}/download")).await;
    assert_eq!(uids("ndjson", &file.bytes), [moved.uid.to_string()]);
}

#[tokio::test]
async fn wrong_requests_are_refused_with_the_reason_and_start_nothing() {
    let (service, key) = service().await;
    for (path, body, member, reason) in [
        (PATH, json!({ "fields": ["uid", "nme"] }), "fields", "`nme`. Did you mean `name`?"),
        (PATH, json!({ "fields": ["nme", "cantn"] }), "fields", "got `nme`, `cantn`."),
        (PATH, json!({ "fields": [] }), "fields", "1 to 100"),
        (PATH, json!({ "maxRows": 0 }), "maxRows", "at least 1"),
        (PATH, json!({ "maxRows": -1 }), "maxRows", "-1"),
        (PATH, json!({ "format": "xlsx" }), "format", "xlsx"),
        (PATH, json!({ "canton": "XX" }), "canton", "`XX`"),
        (PATH, json!({ "status": "gone" }), "status", "gone"),
        (PATH, json!({ "changedSince": "yesterday" }), "changedSince", "yesterday"),
        (PATH, json!({ "filter": { "cantn": "ZH" } }), "filter.cantn", "cantn"),
        (PATH, json!({ "filter": { "canton": "ZH" }, "canton": "BE" }), "filter", "`canton`"),
        (
            PATH,
            json!({ "filter": { "legal_form": "AG" }, "legalForm": "GmbH" }),
            "filter",
            "`legalForm`",
        ),
        (PATH, json!({ "rows": 5 }), "rows", "rows"),
        (PROFILES, json!({ "uids": [] }), "uids", "1 to 1000"),
        (PROFILES, json!({ "uids": ["CHE-1"] }), "uids", "CHE-1"),
    ] {
        let answer = service.post_as(&key, path, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {answer:?}");
        let errors = answer.body["errors"].to_string();
        assert!(errors.contains(member) && errors.contains(reason), "{body}: {errors}");
    }
    let unknown = json!({ "uids": [numbered(0).uid, "CHE-999.999.999"] });
    let unknown = service.post_as(&key, PROFILES, unknown).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND, "{unknown:?}");
    assert!(unknown.detail().contains("CHE-999.999.999"), "{unknown:?}");
    assert_eq!(service.get_as(&key, PATH).await.body, json!([]));
    let jobs = waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await;
    assert_eq!(jobs, Vec::new());
}

#[tokio::test]
async fn the_list_says_what_was_asked_for() {
    let (service, key) = service().await;
    let filtered = json!({
        "canton": "ZH",
        "filter": { "capitalMin": 1 },
        "fields": ["uid", "capital"],
        "maxRows": 5,
        "format": "csv",
    });
    let created = service.post_as(&key, PATH, filtered).await;
    id(&service.post_as(&key, PATH, json!({})).await);
    id(&service.post_as(&key, PROFILES, json!({ "uids": [numbered(0).uid] })).await);
    let asked = |it: &Value| {
        let members = ["kind", "filter", "fields", "maxRows"];
        members.map(|member| it.get(member).cloned().unwrap_or_default())
    };
    let list = service.get_as(&key, PATH).await.body;
    let list: Vec<_> = list.as_array().expect("a list").iter().map(asked).collect();
    let expected = [
        json!("companies"),
        json!({ "canton": "ZH", "capitalMin": 1 }),
        json!(["uid", "capital"]),
        json!(5),
    ];
    assert_eq!(asked(&created.body), expected);
    let alone = |kind: &str| [json!(kind), Value::Null, Value::Null, Value::Null];
    assert_eq!(list, [alone("profiles"), alone("companies"), expected]);
}

#[tokio::test]
async fn an_export_belongs_to_one_team_and_one_environment() {
    let (service, _) = service().await;
    let team = service.team(Tier::Enterprise).await;
    let key = service.key_of(&team, Environment::Live, &Scope::ALL).await;
    let id = exported(&service, &key, json!({ "maxRows": 1 })).await;
    let other = service.team(Tier::Enterprise).await;
    let other = service.key_of(&other, Environment::Live, &Scope::ALL).await;
    for path in [format!("{PATH}/{id}"), format!("{PATH}/{id}/download")] {
        let answer = service.get_as(&other, &path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
    }
    assert_eq!(
        service.delete_as(&other, &format!("{PATH}/{id}")).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(service.get_as(&other, PATH).await.body, json!([]));
    let sandbox = service.key_of(&team, Environment::Test, &Scope::ALL).await;
    assert_eq!(service.get_as(&sandbox, PATH).await.body, json!([]));
    let hidden = service.get_as(&sandbox, &format!("{PATH}/{id}")).await;
    assert_eq!(hidden.status, StatusCode::NOT_FOUND, "{hidden:?}");
    let of_sandbox = exported(&service, &sandbox, json!({ "maxRows": 2 })).await;
    let only = |answer: Answer| {
        let list = answer.body.as_array().expect("a list").clone();
        list.iter().map(|it| it["id"].as_str().expect("an id").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(only(service.get_as(&sandbox, PATH).await), [of_sandbox]);
    assert_eq!(only(service.get_as(&key, PATH).await), std::slice::from_ref(&id));
    assert_eq!(job(&service, &key, &id).await["status"], "completed");
    let free = service.key(Tier::Professional).await;
    let refused = service.post_as(&free, PATH, json!({})).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{refused:?}");
}

#[tokio::test]
async fn a_cancelled_export_fails_and_a_deleted_one_leaves_nothing() {
    let (service, key) = service().await;
    let cancelled = id(&service.post_as(&key, PATH, json!({})).await);
    let path = format!("{PATH}/{cancelled}");
    let unfinished = service.get_as(&key, &format!("{path}/download")).await;
    assert_eq!(unfinished.status, StatusCode::NOT_FOUND, "{unfinished:?}");
    assert!(unfinished.detail().contains("not ended yet"), "{unfinished:?}");
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
    service.run_exports().await;
    let ended = job(&service, &key, &cancelled).await;
    assert_eq!(
        (&ended["status"], &ended["errorMessage"]),
        (&json!("failed"), &json!("The export was cancelled."))
    );
    let objects = async || service.cloud.objects.keys("exports/").await.expect("listed").len();
    assert_eq!(objects().await, 0);
    let kept = exported(&service, &key, json!({ "maxRows": 2 })).await;
    assert_eq!(objects().await, 1);
    let file = service.cloud.objects.keys("exports/").await.expect("listed").remove(0);
    let list = service.get_as(&key, &format!("{PATH}?limit=1")).await.body;
    assert_eq!((list.as_array().map(Vec::len), &list[0]["id"]), (Some(1), &json!(kept)));
    let rest = service.get_as(&key, &format!("{PATH}?before={kept}")).await.body;
    assert_eq!(rest[0]["id"], json!(cancelled));
    for id in [&kept, &cancelled] {
        let path = format!("{PATH}/{id}");
        assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
        assert_eq!(service.get_as(&key, &path).await.status, StatusCode::NOT_FOUND);
        assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NOT_FOUND);
    }
    service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    assert_eq!(objects().await, 0);
    assert_eq!(service.get_as(&key, PATH).await.body, json!([]));
    // A worker that wrote meanwhile, and was killed before it noticed.
    let bucket = &service.cloud.objects;
    bucket.put(&file, "rows").await.expect("stored");
    let mut upload = bucket.start_upload(&file).await.expect("started");
    upload.add("more rows".into()).await.expect("a part");
    service.pass_seconds(21 * 60);
    service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    assert_eq!(objects().await, 0);
    assert_eq!(bucket.abort_uploads("exports/").await.expect("listed"), 0);
}

#[tokio::test]
async fn an_export_that_is_cancelled_while_it_is_written_leaves_no_object() {
    let (service, key) = service().await;
    let id = id(&service.post_as(&key, PATH, json!({})).await);
    let jobs = waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await;
    let worker = service.export_worker();
    let mut writing = pin!(worker.handle(jobs[0].clone(), service.now()));
    for step in 0.. {
        assert!(step < 1_000, "it does not start");
        assert!(polled(1, writing.as_mut()).await.is_none(), "it ended");
        let job = job(&service, &key, &id).await;
        if job["totalRows"] == json!(COMPANIES) {
            assert_eq!((&job["status"], &job["processedRows"]), (&json!("processing"), &json!(0)));
            break;
        }
    }
    let path = format!("{PATH}/{id}");
    assert_eq!(service.delete_as(&key, &path).await.status, StatusCode::NO_CONTENT);
    writing.await.expect("it notices");
    let ended = job(&service, &key, &id).await;
    assert_eq!(ended["errorMessage"], "The export was cancelled.", "{ended}");
    assert_eq!(service.cloud.objects.keys("exports/").await.expect("listed"), [""; 0]);
}

#[tokio::test]
async fn the_rows_that_are_written_are_counted_between_the_parts_of_a_file() {
    // Six parts, of which the first four are rows of the first two blocks.
    let companies = (0..COMPANIES).map(|number| {
        let mut company = numbered(number);
        company.purpose = Some("Zweck der Gesellschaft. ".repeat(1_000));
        company
    });
    let service = Service::with(companies).await;
    let key = service.key(Tier::Enterprise).await;
    let id = id(&service.post_as(&key, PATH, json!({})).await);
    let jobs = waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await;
    let bucket = Faults::before(&service.cloud.endpoints.s3).await;
    let objects = Objects::named(s3_client(&bucket.address), &service.cloud.bucket);
    let worker =
        bulk_export::Worker { objects, part: objects::MIN_PART, ..service.export_worker() };
    let mut writing = pin!(worker.handle(jobs[0].clone(), service.now()));
    let mut parts = 0;
    while parts == 0 {
        assert!(polled(1, writing.as_mut()).await.is_none(), "it ended");
        parts = bucket.seen().iter().filter(|it| it.contains("partNumber=")).count();
    }
    // Progress is stored at intervals. Meanwhile, nothing is written: the worker is not polled.
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let counted = loop {
        assert!(polled(1, writing.as_mut()).await.is_none(), "it ended");
        let job = job(&service, &key, &id).await;
        assert_eq!(job["status"], "processing", "{job}");
        if job["processedRows"] != json!(0) {
            break job["processedRows"].as_u64().expect("a number");
        }
    };
    assert!((1..u64::from(COMPANIES)).contains(&counted), "{counted}");
    writing.await.expect("written");
    let ended = job(&service, &key, &id).await;
    assert_eq!(
        (&ended["status"], &ended["processedRows"]),
        (&json!("completed"), &json!(COMPANIES))
    );
}

#[tokio::test]
async fn an_export_and_its_file_are_deleted_seven_days_after_its_end() {
    let (service, key) = service().await;
    let id = exported(&service, &key, json!({ "maxRows": 2 })).await;
    let sweep = async || {
        service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    };
    let path = format!("{PATH}/{id}");
    for _ in 0..6 {
        service.pass_seconds(24 * 3600);
        sweep().await;
    }
    assert_eq!(service.get_as(&key, &path).await.status, StatusCode::OK);
    service.pass_seconds(24 * 3600 + 60);
    assert_eq!(service.get_as(&key, &path).await.status, StatusCode::NOT_FOUND, "before the sweep");
    assert_eq!(service.get_as(&key, PATH).await.body, json!([]));
    sweep().await;
    assert_eq!(service.cloud.objects.keys("exports/").await.expect("listed").len(), 0);
    assert!(service.cloud.tenants.due_exports(service.now()).await.expect("read").is_empty());
}

#[tokio::test]
async fn the_message_of_a_dead_worker_does_not_keep_its_successor_waiting() {
    let (service, key) = service().await;
    let id = id(&service.post_as(&key, PATH, json!({ "maxRows": 2 })).await);
    let message = service.cloud.exports_queue.receive().await.expect("received");
    assert!(message.is_some_and(|it| it.body.contains(&id)), "and neither deleted nor given back");
    service.pass_seconds(61);
    service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    service.run_exports().await;
    assert_eq!(job(&service, &key, &id).await["status"], "completed");
}

#[tokio::test]
async fn an_export_that_waits_is_sent_again_less_and_less_often() {
    let (service, key) = service().await;
    service.post_as(&key, PATH, json!({ "maxRows": 2 })).await;
    let mut sent = 0;
    for _ in 0..23 * 12 {
        service.pass_seconds(300);
        service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
        sent += waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await.len();
    }
    assert!((8..20).contains(&sent), "{sent}");
}

#[tokio::test]
async fn an_export_that_never_started_fails_after_a_day_with_that_reason() {
    let (service, key) = service().await;
    let id = id(&service.post_as(&key, PATH, json!({ "maxRows": 2 })).await);
    service.pass_seconds(24 * 3600 + 60);
    service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    let ended = job(&service, &key, &id).await;
    assert_eq!(
        (&ended["status"], &ended["errorMessage"]),
        (&json!("failed"), &json!("The export was not started within 24 hours."))
    );
}

#[tokio::test]
async fn a_lost_message_is_sent_again() {
    let (service, key) = service().await;
    let id = id(&service.post_as(&key, PATH, json!({ "maxRows": 2 })).await);
    assert_eq!(waiting(&service.cloud.exports_queue, &ExportJob::Sweep).await.len(), 1);
    service.pass_seconds(61);
    service.export_worker().handle(ExportJob::Sweep, service.now()).await.expect("swept");
    service.run_exports().await;
    assert_eq!(job(&service, &key, &id).await["status"], "completed");
}
