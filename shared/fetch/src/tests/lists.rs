//! The two lists that are no source of companies.

use std::io::{Cursor, Write};

use axum::response::IntoResponse;

use super::played::Played;
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
async fn the_directory_of_localities_is_taken_out_of_its_archive() {
    let table = include_bytes!("answers/localities.csv");
    let files: [(&str, &[u8]); 2] =
        [("AMTOVZ_CSV_LV95/readme.txt", b"x"), ("AMTOVZ_CSV_LV95/AMTOVZ_CSV_LV95.csv", table)];
    let two: [(&str, &[u8]); 2] = [("a.csv", table), ("b.CSV", table)];
    let bomb = vec![b' '; 17 * 1024 * 1024];
    let played = Played::in_order([
        archive(&files).into_response(),
        archive(&two).into_response(),
        archive(&[("a.csv", &bomb)]).into_response(),
        "<html>".into_response(),
    ]);
    let fetcher = played.fetcher();
    let bytes = fetcher.localities().await.expect("a table");
    assert_eq!(sources::localities::read(&bytes).expect("a table").len(), 1);
    let failure = fetcher.localities().await.expect_err("which?").to_string();
    assert!(failure.ends_with("it has 2 tables"), "{failure}");
    let failure = fetcher.localities().await.expect_err("too long");
    assert!(matches!(failure, Error::TooLarge { .. }), "{failure}");
    let failure = fetcher.localities().await.expect_err("no archive");
    assert!(matches!(failure, Error::NoTable { .. }) && !failure.is_temporary(), "{failure}");
    let url = "https://data.geo.admin.ch/ch.swisstopo-vd.ortschaftenverzeichnis_plz/";
    assert!(played.asked()[0].address.as_str().starts_with(url));
}

#[tokio::test(start_paused = true)]
async fn the_list_of_activities_is_one_file() {
    let played = Played::in_order([include_str!("answers/noga.json").into_response()]);
    let bytes = played.fetcher().noga().await.expect("a list");
    assert_eq!(sources::noga::read(&bytes).expect("json").len(), 1);
}
