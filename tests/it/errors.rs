//! An error's message leaves out its source, and one helper prints the chain of sources.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The workspace's Rust files, build output and other workspaces excluded.
fn rust_files() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> =
        ["shared", "functions", "infra", "benches", "tests/it"].map(|it| root.join(it)).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.file_name().is_some_and(|it| it != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).expect("a file");
                files.push((path, text));
            }
        }
    }
    files
}

/// The `#[error(…)]` attributes of a file that print the source of their variant or struct.
fn repeated_sources(text: &str) -> Vec<String> {
    let attributes = text.split("#[error(").skip(1);
    let mut repeated = Vec::new();
    for attribute in attributes {
        let (message, item) = attribute.split_once(")]").expect("a closed attribute");
        let code: String = item.lines().filter(|it| !it.trim().starts_with("///")).collect();
        let item = code.split([';', '}']).next().unwrap_or_default();
        let markers = ["#[source]", "#[from]", " source:"];
        let Some(place) = markers.iter().find_map(|it| item.find(it)) else { continue };
        let before = &item[..place];
        let name = if before.contains('(') {
            before.matches(',').count().to_string()
        } else {
            let field = item[place..].trim_start_matches("#[source]").trim_start_matches("#[from]");
            field.trim().split(':').next().expect("a name").to_owned()
        };
        let printed = [format!("{{{name}}}"), format!("{{{name}:"), format!(".{name}")];
        if printed.iter().any(|it| message.contains(it)) || message.contains(&format!(", {name}")) {
            repeated.push(format!("{message} [{name}]"));
        }
    }
    repeated
}

#[test]
fn no_error_repeats_its_source() {
    let mut errors = 0;
    for (path, text) in rust_files() {
        if path.ends_with("tests/it/errors.rs") {
            continue;
        }
        errors += text.matches("#[error(").count();
        let repeated = repeated_sources(&text);
        assert!(repeated.is_empty(), "{}: {repeated:?}", path.display());
    }
    assert!(errors > 80, "only {errors} errors were found");
}

#[test]
fn a_repeated_source_is_found() {
    for bad in [
        r#"#[error("no answer: {0}")] Unavailable(#[source] Box<dyn Error>),"#,
        r#"#[error("no file {0}: {1}")] File(String, #[from] io::Error),"#,
        r#"#[error("no answer: {}", .0)] Unavailable(#[from] io::Error),"#,
        r#"#[error("no answer: {source}")] Unavailable { name: String, source: io::Error }"#,
        r#"#[error("no answer: {cause:?}")] Unavailable { #[source] cause: io::Error }"#,
        r#"#[error("no answer: {0}")] struct Unavailable(#[source] io::Error);"#,
    ] {
        assert_eq!(repeated_sources(bad).len(), 1, "{bad}");
    }
    for good in [
        r#"#[error("no answer")] Unavailable(#[source] Box<dyn Error>),"#,
        r#"#[error("no file {0}")] File(String, #[from] io::Error),"#,
        r#"#[error("no file {name}")] File { name: String, source: io::Error }"#,
        r#"#[error("no company {0}")] Missing(Uid), #[error("no answer")] Silent(#[from] io::Error),"#,
    ] {
        assert_eq!(repeated_sources(good), [""; 0], "{good}");
    }
}

#[test]
fn only_one_helper_walks_the_sources_of_an_error() {
    for (path, text) in rust_files() {
        let is_helper = path.ends_with("shared/rules/errors/src/lib.rs");
        let walks = |it: &str| it.contains("successors(") && it.contains(".source()");
        let own = text.lines().find(|it| walks(it) && !it.contains("contains("));
        assert!(is_helper || own.is_none(), "{}: use `errors::chain`", path.display());
    }
}

#[test]
fn logs_name_the_sources_of_an_error() {
    let without_sources = ["%error,", "%failure,", "%cause,"];
    for (path, text) in rust_files().into_iter().filter(|it| !it.0.ends_with("tests/it/errors.rs"))
    {
        let found = without_sources.iter().find(|it| text.contains(**it));
        assert!(found.is_none(), "{}: {found:?}: use `errors::chain`", path.display());
    }
}
