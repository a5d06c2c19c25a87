use std::{fs, path::Path};

use domain::search::CompanyQuery;
use tempfile::TempDir;

use super::{Builder, Companies, built, company};
use crate::{Error, damage::assert_refuses_truncated_files};

fn files(directory: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries.map(|it| it.expect("an entry").path()).collect()
}

#[test]
fn finish_leaves_only_the_files_of_the_index() {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), [company(1, "Muster AG")]);
    for file in files(directory.path()) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(!name.starts_with('.'), "{name}");
        let contents = fs::read(&file).expect("contents");
        fs::remove_file(&file).expect("removed");
        let opened = Companies::open(directory.path());
        assert!(opened.is_err() || name.ends_with(".pos"), "{name} is not needed");
        fs::write(&file, contents).expect("written");
    }
    assert!(Companies::open(directory.path()).is_ok());
}

#[test]
fn truncated_files_are_refused() {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), (1..200).map(|it| company(it, &format!("Muster {it} AG"))));
    assert_refuses_truncated_files(directory.path(), |it| Companies::open(it).map(drop));
}

#[test]
fn directory_without_index_is_refused() {
    let directory = TempDir::new().expect("a directory");
    assert!(matches!(Companies::open(directory.path()), Err(Error::Unreadable { .. })));
    assert!(matches!(
        Companies::open(&directory.path().join("nowhere")),
        Err(Error::Unreadable { .. })
    ));
}

#[test]
fn index_with_another_layout_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let mut schema = tantivy::schema::Schema::builder();
    schema.add_u64_field("Uid", tantivy::schema::FAST);
    crate::segment::write(directory.path(), schema.build(), std::iter::empty()).expect("an index");
    assert!(matches!(Companies::open(directory.path()), Err(Error::OtherLayout { .. })));
}

#[test]
fn finish_refuses_a_directory_that_is_not_empty() {
    let directory = TempDir::new().expect("a directory");
    built(directory.path(), [company(1, "Muster AG")]);
    let again = Builder::new().finish(directory.path());
    assert!(matches!(again, Err(Error::Unwritable { .. })));
}

#[test]
fn empty_index_answers_queries() {
    let directory = TempDir::new().expect("a directory");
    let (companies, _) = built(directory.path(), []);
    assert_eq!(companies.company_count(), 0);
    let query = CompanyQuery { search: Some("muster".into()), ..Default::default() };
    for query in [CompanyQuery::default(), query] {
        assert_eq!(companies.search(&query).expect("an answer").total, 0);
    }
    assert!(companies.nearby(47.0, 8.0, 10.0, 5).expect("an answer").is_empty());
}

#[test]
fn index_answers_many_threads() {
    let directory = TempDir::new().expect("a directory");
    let (companies, _) = built(directory.path(), (1..100).map(|it| company(it, "Muster AG")));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let query = CompanyQuery { search: Some("muster".into()), ..Default::default() };
                assert_eq!(companies.search(&query).expect("an answer").total, 99);
            });
        }
    });
}
