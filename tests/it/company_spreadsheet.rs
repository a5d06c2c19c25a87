//! The companies that match filters, as a CSV file or an Excel workbook.

use std::io::Cursor;

use access::Tier;
use bytes::Bytes;
use calamine::{Data, Range, Reader, Xlsx};
use domain::{Canton, History, Provenance, Status, Uid};
use http::{Request, StatusCode, header};
use indexer::{About, Builder};
use serde_json::{Value, json};
use tests::{Answer, Service, company};

const PATH: &str = "/v1/companies/export/excel";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ZURICH: &str = "CHE-600.000.029";
const DELETED: &str = "CHE-600.000.012";
const BERN: &str = "CHE-600.000.001";

async fn service() -> (Service, String) {
    let mut zurich = company(ZURICH, "=1+1 AG");
    zurich.canton = Some(Canton::Zh);
    zurich.status = Some(Status::Active);
    zurich.share_capital = "100000.5".parse().ok();
    zurich.founding_date = Some(jiff::civil::date(2001, 2, 3));
    zurich.is_finma_regulated = Some(true);
    zurich.old_names = Some(vec!["Alt AG".to_owned(), "Älter AG".to_owned()]);
    let date = Some(jiff::civil::date(2026, 3, 4));
    zurich.sources = vec![Provenance { source: "zefix".to_owned(), reference: None, date }];
    let mut deleted = company(DELETED, "Muster, Söhne & Co AG");
    deleted.canton = Some(Canton::Zh);
    deleted.status = Some(Status::Cancelled);
    deleted.founding_date = Some(jiff::civil::date(1900, 2, 28));
    let mut bern = company(BERN, "Bern AG");
    bern.canton = Some(Canton::Be);
    bern.status = Some(Status::BeingCancelled);
    let service = Service::with([zurich, deleted, bern]).await;
    let key = service.key(Tier::Professional).await;
    (service, key)
}

fn lines(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    answer.text.trim_end().split("\r\n").collect()
}

/// The sheets `Companies` and `About`.
fn sheets(file: &Bytes) -> [Range<Data>; 2] {
    let mut workbook: Xlsx<_> =
        calamine::open_workbook_from_rs(Cursor::new(file)).expect("a workbook");
    assert_eq!(workbook.sheet_names(), ["Companies", "About"]);
    ["Companies", "About"].map(|it| workbook.worksheet_range(it).expect("a sheet"))
}

#[tokio::test]
async fn a_csv_file_has_exactly_the_companies_that_match_in_the_order_of_their_numbers() {
    let (service, key) = service().await;
    let everything = service.post_as(&key, PATH, json!({})).await;
    let generation = service.generations.current().await.expect("published");
    assert_eq!(everything.header("x-data-generation"), Some(generation.manifest.id.as_str()));
    let file = "attachment; filename=\"companies-export.csv\"";
    assert_eq!(everything.header(header::CONTENT_DISPOSITION.as_str()), Some(file));
    let expected = [
        "uid,name,canton,status,legalForm,shareCapital,industry",
        "CHE-600.000.001,Bern AG,BE,BEING_CANCELLED,,,",
        "CHE-600.000.012,\"Muster, Söhne & Co AG\",ZH,CANCELLED,,,",
        "CHE-600.000.029,'=1+1 AG,ZH,ACTIVE,,100000.5,",
    ];
    assert_eq!(lines(&everything), expected);

    let of = async |body: Value| {
        let answer = service.post_as(&key, PATH, body).await;
        lines(&answer)[1..].iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()
    };
    let fields = json!(["uid"]);
    let zurich = json!({ "filter": { "canton": "ZH" }, "fields": fields });
    assert_eq!(of(zurich).await, [DELETED, ZURICH]);
    let active =
        json!({ "filter": { "canton": ["ZH", "BE"], "status": "ACTIVE" }, "fields": fields });
    assert_eq!(of(active).await, [ZURICH]);
    let chosen = json!({ "uids": [ZURICH, "CHE600000001"], "fields": fields });
    assert_eq!(of(chosen).await, [BERN, ZURICH]);
    let both = json!({ "uids": [ZURICH, BERN], "filter": { "canton": "BE" }, "fields": fields });
    assert_eq!(of(both).await, [BERN]);
    assert!(of(json!({ "filter": { "canton": "GE" } })).await.is_empty());
}

#[tokio::test]
async fn chosen_companies_that_are_not_in_the_generation_are_named() {
    let (service, key) = service().await;
    let unknown = "CHE-109.322.551";
    for body in [
        json!({ "uids": [BERN, unknown] }),
        json!({ "uids": [BERN, unknown], "filter": { "canton": "ZH" }, "format": "xlsx" }),
    ] {
        let answer = service.post_as(&key, PATH, body).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{answer:?}");
        let detail = answer.detail();
        assert!(detail.contains(unknown) && !detail.contains(BERN), "{detail}");
    }
    // A filter leaves companies out without an error.
    let none = json!({ "uids": [BERN], "filter": { "canton": "ZH" }, "fields": ["uid"] });
    assert_eq!(lines(&service.post_as(&key, PATH, none).await), ["uid"]);
}

#[tokio::test]
async fn every_member_of_the_record_can_be_chosen() {
    let (service, key) = service().await;
    let body = json!({ "uids": [BERN], "fields": ["uid", "duns", "name"] });
    let expected = ["uid,duns,name".to_owned(), format!("{BERN},,Bern AG")];
    assert_eq!(lines(&service.post_as(&key, PATH, body).await), expected);
}

#[tokio::test]
async fn tags_are_those_of_the_team() {
    let (service, key) = service().await;
    let other = service.key(Tier::Professional).await;
    let path = format!("/v1/companies/{BERN}/tags");
    let tagged = service.post_as(&key, &path, json!({ "tagName": "audit" })).await;
    assert_eq!(tagged.status, StatusCode::CREATED);
    let body = json!({ "filter": { "tag": "audit" }, "fields": ["uid"] });
    assert_eq!(lines(&service.post_as(&key, PATH, body.clone()).await), ["uid", BERN]);
    assert_eq!(lines(&service.post_as(&other, PATH, body).await), ["uid"]);
}

#[tokio::test]
async fn a_workbook_has_typed_cells_and_says_where_they_come_from() {
    let (service, key) = service().await;
    let fields = [
        "uid",
        "name",
        "share_capital",
        "foundingDate",
        "isFinmaRegulated",
        "old_names",
        "purpose",
    ];
    let body = json!({ "filter": { "canton": "ZH" }, "fields": fields, "format": "xlsx" });
    let answer = service.post_as(&key, PATH, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    assert_eq!(answer.header("content-type"), Some(XLSX));
    let file = "attachment; filename=\"companies-export.xlsx\"";
    assert_eq!(answer.header(header::CONTENT_DISPOSITION.as_str()), Some(file));
    let [companies, about] = sheets(&answer.bytes);
    let rows: Vec<&[Data]> = companies.rows().collect();
    assert_eq!(rows.len(), 3);
    let header: Vec<String> = rows[0].iter().map(ToString::to_string).collect();
    assert_eq!(header, fields);
    let text = |it: &str| Data::String(it.to_owned());
    // Excel's calendar differs before March 1900: such a day is text.
    assert_eq!(rows[1][1], text("Muster, Söhne & Co AG"));
    assert_eq!((&rows[1][2], &rows[1][3]), (&Data::Empty, &text("1900-02-28")));
    assert_eq!((&rows[2][0], &rows[2][1]), (&text(ZURICH), &text("=1+1 AG")));
    assert_eq!(rows[2][2], Data::Float(100_000.5));
    let Data::DateTime(founded) = &rows[2][3] else { panic!("not a date: {:?}", rows[2][3]) };
    assert_eq!(founded.to_ymd_hms_milli(), (2001, 2, 3, 0, 0, 0, 0));
    assert_eq!((&rows[2][4], &rows[2][5]), (&Data::Bool(true), &text("Alt AG; Älter AG")));

    let generation = service.generations.current().await.expect("published");
    let about: Vec<[String; 2]> =
        about.rows().map(|it| [it[0].to_string(), it[1].to_string()]).collect();
    let expected = [
        ["Companies", "2"],
        ["Generation of the register", &generation.manifest.id],
        ["Data as of", &generation.manifest.built_at.to_string()],
        ["Filter `canton`", "ZH"],
        ["Source `zefix`", "newest statement: 2026-03-04"],
    ];
    assert_eq!(about, expected.map(|it| it.map(str::to_owned)));
}

#[tokio::test]
async fn the_header_accept_chooses_the_format_unless_the_body_does() {
    let (service, key) = service().await;
    let send = async |accept: &str, body: Value| {
        let request = Request::post(PATH)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, accept);
        let answer = service.send_with(request, body.to_string()).await;
        answer.header("content-type").unwrap_or_default().to_owned()
    };
    assert_eq!(send(&format!("{XLSX}, */*;q=0.1"), json!({})).await, XLSX);
    assert_eq!(send(XLSX, json!({ "format": "csv" })).await, "text/csv; charset=utf-8");
    assert_eq!(send("*/*", json!({})).await, "text/csv; charset=utf-8");
}

#[tokio::test]
async fn wrong_requests_are_refused_with_the_reason() {
    let (service, key) = service().await;
    for (body, member, reason) in [
        (json!({ "fields": ["uid", "nme"] }), "fields", "`nme`. Did you mean `name`?"),
        (json!({ "fields": ["nme", "uid", "cantn"] }), "fields", "got `nme`, `cantn`."),
        (json!({ "fields": [] }), "fields", "1 to 100"),
        (json!({ "fields": ["legal_form", "legalForm"] }), "fields", "occurs twice"),
        (json!({ "filter": { "canton": "XX" } }), "filter.canton", "`XX`"),
        (json!({ "filter": { "cantn": "ZH" } }), "filter.cantn", "cantn"),
        (json!({ "uids": [BERN], "filter": { "uids": BERN } }), "filter", "`uids`"),
        (json!({ "uids": [BERN], "filter": { "UIDs": BERN } }), "filter", "`uids`"),
        (json!({ "uids": [] }), "uids", "1 to 500"),
        (json!({ "format": "pdf" }), "format", "pdf"),
    ] {
        let answer = service.post_as(&key, PATH, body.clone()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}: {answer:?}");
        let errors = answer.body["errors"].to_string();
        assert!(errors.contains(member) && errors.contains(reason), "{body}: {errors}");
    }
}

#[tokio::test]
async fn more_than_50000_rows_and_too_large_files_are_refused() {
    let (service, key) = service().await;
    let mut builder = Builder::new(jiff::civil::date(2026, 10, 30));
    for number in 100_000_000..100_050_001 {
        let uid = Uid::from_number(number).expect("nine digits");
        let mut company = domain::Company::new(uid, "Muster AG");
        company.legal_form = Some("x".repeat(1_300));
        company.canton = (number < 100_040_000).then_some(Canton::Zh);
        builder.push(&company, &History::default()).expect("added");
    }
    let (objects, folder) = (&service.cloud.objects, service.downloads.path());
    let about =
        About { built_at: service.now(), registry_version: 0, as_of_sequence: 0, left_out: 0 };
    builder.publish(objects, folder, about).await.expect("published");
    service.generations.refresh().await.expect("opened");
    let answer = service.post_as(&key, PATH, json!({})).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    let errors = answer.body["errors"].to_string();
    for reason in ["50001", "Narrow the filter", "/v1/exports", "`enterprise`"] {
        assert!(errors.contains(reason), "{answer:?}");
    }
    // 40,000 texts with 1,300 letters each. The legal form is one of the columns without `fields`.
    for (member, large) in [
        ("fields", json!({ "filter": { "canton": "ZH" }, "fields": ["legalForm"] })),
        ("filter", json!({ "filter": { "canton": "ZH" } })),
    ] {
        let large = service.post_as(&key, PATH, large).await;
        assert_eq!(large.status, StatusCode::BAD_REQUEST, "{large:?}");
        assert_eq!(large.body["errors"][0]["member"], member, "{large:?}");
        let detail = large.detail();
        assert!(detail.contains("fewer columns") && detail.contains("`enterprise`"), "{detail}");
    }
    let uids: Vec<String> = (100_000_000..100_000_500)
        .map(|it| Uid::from_number(it).expect("nine digits").to_string())
        .collect();
    let some = service.post_as(&key, PATH, json!({ "uids": uids, "fields": ["name"] })).await;
    assert_eq!(lines(&some).len(), 501);
    let one = json!({ "filter": { "uids": "CHE-100.050.000" }, "fields": ["uid"] });
    assert_eq!(lines(&service.post_as(&key, PATH, one).await), ["uid", "CHE-100.050.000"]);
}
