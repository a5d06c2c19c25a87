//! Files that are fetched as a whole.

use std::io::{Cursor, Write};

use axum::response::IntoResponse;

use domain::{Source, statements::Statement};
use sources::gleif::Excerpt;

use super::fake_sources::{FakeSources, ReceivedRequest, unexpected_request};
use crate::Error;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).expect("a file");
        archive.write_all(bytes).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

#[tokio::test(start_paused = true)]
async fn directory_of_localities_is_extracted_from_its_archive() {
    let table = include_bytes!("answers/localities.csv");
    let files: [(&str, &[u8]); 2] =
        [("AMTOVZ_CSV_LV95/readme.txt", b"x"), ("AMTOVZ_CSV_LV95/AMTOVZ_CSV_LV95.csv", table)];
    let two: [(&str, &[u8]); 2] = [("a.csv", table), ("b.CSV", table)];
    let bomb = vec![b' '; 17 * 1024 * 1024];
    let fake_sources = FakeSources::in_order([
        archive(&files).into_response(),
        archive(&two).into_response(),
        archive(&[("a.csv", &bomb)]).into_response(),
        "<html>".into_response(),
    ]);
    let fetcher = fake_sources.fetcher();
    let bytes = fetcher.localities().await.expect("a table");
    assert_eq!(sources::localities::read(&bytes).expect("a table").len(), 1);
    let failure = fetcher.localities().await.expect_err("two tables").to_string();
    assert!(failure.ends_with("it contains 2 CSV files; expected one"), "{failure}");
    let failure = fetcher.localities().await.expect_err("too long");
    assert!(matches!(failure, Error::TooLarge { .. }), "{failure}");
    let failure = fetcher.localities().await.expect_err("no archive");
    assert!(
        matches!(failure, Error::InvalidArchive { .. }) && !failure.is_temporary(),
        "{failure}"
    );
    let url = "https://data.geo.admin.ch/ch.swisstopo-vd.ortschaftenverzeichnis_plz/";
    assert!(fake_sources.requests()[0].address.as_str().starts_with(url));
}

#[tokio::test(start_paused = true)]
async fn list_of_activities_is_one_file() {
    let fake_sources = FakeSources::in_order([include_str!("answers/noga.json").into_response()]);
    let bytes = fake_sources.fetcher().noga().await.expect("a list");
    assert_eq!(sources::noga::read(&bytes).expect("json").len(), 1);
}

const SWISS: &str = "999900MUSTERAGCH0008";
const CHILD: &str = "999900SUBSIDIARY0002";

fn gleif_record(lei: &str, company: &str) -> String {
    include_str!("answers/gleif_record.json").replace("LEI", lei).replace("COMPANY", company)
}

fn gleif(request: &ReceivedRequest) -> axum::response::Response {
    let table = |text: &str| {
        let text = text.replace("SWISS", SWISS).replace("CHILD", CHILD);
        archive(&[("table.csv", text.as_bytes())]).into_response()
    };
    match (request.host(), request.address.path()) {
        ("goldencopy.gleif.org", "/api/v2/golden-copies/publishes/rr/latest.csv") => {
            table(include_str!("answers/gleif_relationships.csv"))
        }
        ("goldencopy.gleif.org", "/api/v2/golden-copies/publishes/repex/latest.csv") => {
            table(include_str!("answers/gleif_exceptions.csv"))
        }
        ("mapping.gleif.org", "/api/v2/isin-lei/latest/download") => {
            table(include_str!("answers/gleif_isins.csv"))
        }
        ("api.gleif.org", "/api/v1/lei-records") => {
            assert_eq!(request.parameter("filter[lei]"), CHILD);
            let record = gleif_record(CHILD, "12345").replace("RA000549", "RA000585");
            format!(r#"{{"links": {{"next": null}}, "data": [{record}]}}"#).into_response()
        }
        _ => unexpected_request(),
    }
}

#[tokio::test(start_paused = true)]
async fn excerpt_is_completed_with_relationships_and_missing_names() {
    let fake_sources = FakeSources::from_fn(gleif);
    let mut excerpt = Excerpt::default();
    let record = gleif_record(SWISS, "CHE-600.000.026");
    excerpt.add_level1(format!(r#"{{"data": [{record}]}}"#).as_bytes()).expect("json");
    let excerpt = fake_sources.fetcher().complete(excerpt).await.expect("fetched");
    assert_eq!(fake_sources.requests().len(), 4);
    assert_eq!(excerpt.missing_entities(), []);
    let bytes = excerpt.to_bytes().expect("plain data");
    let batch = sources::read(Source::Gleif, &bytes).expect("readable");
    assert_eq!((batch.statements.len(), batch.rejected.as_slice()), (1, [].as_slice()));
    let Statement::Gleif(entity) = &batch.statements[0].statement else { panic!("{batch:?}") };
    let group = entity.group.as_ref().expect("a group");
    assert_eq!(group.children[0].name.as_deref(), Some("Muster Uhren AG"));
    assert_eq!(group.exceptions[0].reasons, ["NATURAL_PERSONS"]);
    assert_eq!(entity.isins.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn invalid_golden_copy_is_an_error() {
    let fake_sources =
        FakeSources::from_fn(|_| archive(&[("rr.csv", b"a,b\n1,2\n")]).into_response());
    let failure =
        fake_sources.fetcher().complete(Excerpt::default()).await.expect_err("no relationships");
    assert!(matches!(failure, Error::Unreadable(_)) && !failure.is_temporary(), "{failure}");
    let fake_sources = FakeSources::from_fn(|_| "<html>".into_response());
    let failure =
        fake_sources.fetcher().complete(Excerpt::default()).await.expect_err("no archive");
    assert!(matches!(failure, Error::InvalidArchive { .. }), "{failure}");
}
