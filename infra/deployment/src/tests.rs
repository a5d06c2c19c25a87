use std::path::Path;

use tempfile::TempDir;

use super::*;

/// The root of the checkout.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn deployment() -> Deployment {
    Deployment::read(root()).expect("declarations")
}

/// The error of a checkout with one function.
fn refused(kind: &str, declaration: &str) -> String {
    let root = TempDir::new().expect("a folder");
    for folder in ["functions/api", "functions/workers"] {
        fs::create_dir_all(root.path().join(folder)).expect("a folder");
    }
    let every = "caller = \"KEY#*\"\n[may]\n";
    fs::write(root.path().join("functions/api/deployment.toml"), every).expect("written");
    let manifest = "[profile.ship]\n";
    fs::write(root.path().join("Cargo.toml"), manifest).expect("written");
    let folder = root.path().join(kind).join("example");
    fs::create_dir_all(&folder).expect("a folder");
    let head = "called_by = \"\"\npurpose = \"\"\nmemory = 512\n";
    fs::write(folder.join("deployment.toml"), format!("{head}{declaration}")).expect("written");
    let error = Deployment::read(root.path()).expect_err("an error");
    let cause = std::error::Error::source(&error).map(|it| format!(": {it}"));
    format!("{error}{}", cause.unwrap_or_default())
}

/// So no permission, and no setting of a function, can be added to the template alone.
#[test]
fn committed_files_are_what_the_declarations_say() {
    for Section { file, name, text: generated } in deployment().sections() {
        let text = fs::read_to_string(root().join(file)).expect("a file");
        let replaced = section::replace(&text, name, &generated).expect(file);
        assert!(
            text == replaced,
            "{file}, section `{name}`: run `cargo openapi` and review the difference"
        );
    }
}

#[test]
fn every_name_in_a_block_is_replaced() {
    for section in deployment().sections() {
        let mut rest = section.text.as_str();
        while let Some((_, after)) = rest.split_once('<') {
            let name = after.split('>').next().unwrap_or_default();
            assert!(!name.bytes().all(|it| it.is_ascii_lowercase() || it == b'_'), "<{name}>");
            rest = after;
        }
    }
}

#[test]
fn mistakes_are_named_with_their_file_and_member() {
    let queue = "timeout = 60\n[queue]\nname = \"examples\"\nconcurrency = 2\ndead_letters = \"\"\nwaiting = { what = \"\", hours = 1 }\n";
    for (kind, declaration, expected) in [
        ("functions/api", "memroy = 1024\n", "unknown field `memroy`"),
        ("functions/api", queue, "`queue` is not allowed"),
        ("functions/api", "may_loop = true\n", "`may_loop` is for workers only"),
        ("functions/workers", "timeout = 60\n", "`queue` is missing"),
        ("functions/workers", queue.trim_start_matches("timeout = 60\n"), "`timeout` is missing"),
        ("functions/api", "[may]\n\"Tenant\" = \"GetItem\"\n", "`may.\"Tenant\"` names no table"),
        ("functions/api", "[may]\n\"Tenants\" = \"GetItm\"\n", "has no operation `GetItm`"),
        ("functions/api", "[may]\n\"Tenants\" = \"*\"\n", "has no operation `*`"),
        ("functions/api", "[may]\n\"Tenants/KEY\" = \"GetItem\"\n", "has a path"),
        ("functions/api", "[may]\n\"Tenants if KEY#*\" = \"Scan\"\n", "has `Scan`"),
        ("functions/api", "[may]\n\"MailIdentity if a\" = \"SendEmail\"\n", "has a restriction"),
        (
            "functions/api",
            "[may]\n\"Counters\" = \"GetItem\"\n\"Counters\" = \"PutItem\"\n",
            "duplicate key",
        ),
    ] {
        let error = refused(kind, declaration);
        let file = format!("{kind}/example/deployment.toml");
        assert!(error.starts_with(&file) && error.contains(expected), "{error}");
    }
}

#[test]
fn what_is_read_in_the_bucket_may_be_listed() {
    let deployment = deployment();
    let public = deployment.api.iter().find(|it| it.name == "public").expect("a function");
    let lines: Vec<String> = public.statements.iter().flat_map(|it| it.lines()).collect();
    let listed = "  Condition: { StringLike: { \"s3:prefix\": [generations/*] } }";
    assert!(lines.iter().any(|it| it == listed), "{lines:#?}");
}

#[test]
fn only_the_text_between_the_comments_is_replaced() {
    for (begin, end) in [("#", ""), ("//", ""), ("<!--", " -->")] {
        let text = |content: &str| {
            format!(
                "before\n  {begin} >>> cargo openapi: a{end}\n{content}  {begin} <<< cargo openapi: a{end}\nafter\n"
            )
        };
        assert_eq!(section::replace(&text("old\n"), "a", "new\n"), Ok(text("new\n")));
        assert!(section::replace(&text("old\n"), "b", "new\n").is_err());
    }
}

#[test]
fn logical_names_are_in_camel_case() {
    assert_eq!(resource_of("search-read"), "SearchRead");
    assert_eq!(resource_of("public"), "Public");
    let workers = deployment().workers;
    let delivery = workers.iter().find(|it| it.name == "delivery").expect("a worker");
    assert_eq!(delivery.resource(), "Deliverer");
}
