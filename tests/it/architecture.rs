//! The layers of the workspace: a crate depends only on crates of lower layers.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

/// The layers from top to bottom, and their crates. ARCHITECTURE.md describes them.
const LAYERS: [(&str, &[&str]); 7] = [
    (
        "infrastructure",
        &[
            "local",
            "demo-registry",
            "queue-emulator",
            "identity-provider-emulator",
            "stripe-emulator",
            "account-check",
            "tests",
            "invented-names",
            "publications",
            "benches",
            "hello",
            "workspace-features",
        ],
    ),
    (
        "functions",
        &[
            "search-read",
            "standard-read",
            "methodology-read",
            "expensive-ai",
            "company-pdf",
            "account",
            "payments",
            "screenings",
            "bulk",
            "bulk-export",
            "public",
            "ingest",
            "indexer",
            "scheduler",
            "saved-searches",
            "notification-mails",
            "mail-feedback",
            "delivery",
            "webhooks",
            "screening-updates",
            "dossiers",
        ],
    ),
    ("assessments", &["assessments", "screening-views"]),
    (
        "frameworks",
        &[
            "http-service",
            "generations",
            "screening-lists",
            "screened-companies",
            "queue-worker",
            "webhook-sender",
            "outgoing-mail",
            "dossier-generation",
        ],
    ),
    (
        "clients",
        &[
            "store",
            "objects",
            "jobs",
            "fetch",
            "outgoing-http",
            "dns",
            "mail",
            "language",
            "billing",
            "records",
            "spreadsheet",
            "text-index",
            "typesetting",
            "telemetry",
        ],
    ),
    ("environment", &["aws-environment", "http-transport"]),
    (
        "pure",
        &[
            "domain",
            "statements",
            "gazette-notice",
            "facts",
            "sources",
            "screening",
            "ownership",
            "risk",
            "obligations",
            "dossier",
            "access",
            "accounts",
            "auth",
            "problem-details",
            "errors",
        ],
    ),
];

/// The index of a crate's layer.
fn layer(name: &str) -> usize {
    let contains = |(_, crates): &(&str, &[&str])| crates.contains(&name);
    LAYERS.iter().position(contains).unwrap_or_else(|| panic!("add `{name}` to `LAYERS`"))
}

/// The crates of the workspace and the workspace crates they depend on, without dev-dependencies.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("json");
    let packages = metadata["packages"].as_array().expect("packages");
    let of_workspace = |it: &&Value| it["path"].is_string() && it["kind"].is_null();
    let named = |it: &Value| it["name"].as_str().expect("a name").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            (named(package), dependencies.iter().filter(of_workspace).map(named).collect())
        })
        .collect()
}

/// The workspace crates that a crate depends on, directly or through others.
fn dependencies_with_indirect<'a>(
    dependencies: &'a BTreeMap<String, Vec<String>>,
    name: &str,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = dependencies[name].iter().map(String::as_str).collect();
    while let Some(dependency) = next.pop() {
        if found.insert(dependency) {
            next.extend(dependencies[dependency].iter().map(String::as_str));
        }
    }
    found
}

#[test]
fn crates_depend_only_on_lower_layers() {
    let dependencies = dependencies();
    assert!(dependencies.len() > 15, "{dependencies:?}");
    for (name, uses) in &dependencies {
        for dependency in uses {
            let (from, to) = (layer(name), layer(dependency));
            let pure = LAYERS.len() - 1;
            let infrastructure = 0;
            let is_allowed = from < to || (from == to && (from == pure || from == infrastructure));
            assert!(is_allowed, "{name} ({}) uses {dependency} ({})", LAYERS[from].0, LAYERS[to].0);
        }
    }
}

#[test]
fn pure_crates_do_not_read_the_clock() {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let (_, pure) = LAYERS[LAYERS.len() - 1];
    let mut files = 0;
    for name in pure {
        let mut folders = vec![shared.join(name).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    files += 1;
                    let text = std::fs::read_to_string(&path).expect("UTF-8");
                    // Clippy forbids the functions that tell the time of day everywhere.
                    for clock in ["now_v7()", "Instant::now", "SystemTime::now", "Timestamp::now"] {
                        assert!(!text.contains(clock), "{}: {clock}", path.display());
                    }
                }
            }
        }
    }
    assert!(files > 300, "{files}");
}

#[test]
fn http_service_uses_only_the_clients_that_every_request_needs() {
    let used = &dependencies()["http-service"];
    let clients: Vec<_> = used.iter().filter(|it| LAYERS[layer(it)].0 == "clients").collect();
    // Keys of identity providers, and the records of the domains of ID tokens.
    assert_eq!(clients, ["dns", "outgoing-http", "store", "telemetry"]);
}

#[test]
fn gazette_notice_depends_on_no_crate_of_the_workspace() {
    assert!(dependencies()["gazette-notice"].is_empty());
}

#[test]
fn sources_and_facts_do_not_depend_on_each_other() {
    let dependencies = dependencies();
    for (from, to) in [("sources", "facts"), ("facts", "sources")] {
        assert!(!dependencies_with_indirect(&dependencies, from).contains(to), "{from} uses {to}");
    }
}

#[test]
fn versions_and_features_are_only_in_the_root_manifest() {
    for folder in [".", "shared", "functions/api", "functions/workers", "infra", "tests", "benches"]
    {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        for entry in std::fs::read_dir(root).expect("a folder") {
            let manifest = entry.expect("an entry").path().join("Cargo.toml");
            let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
            // The root, and the manifest that is generated.
            if text.contains("[workspace]") || text.contains("BEGIN HAKARI SECTION") {
                continue;
            }
            for line in text.lines().filter(|it| it.contains(" = ")) {
                let shared = line.contains(".workspace = true");
                let own = [
                    "name",
                    "path",
                    "test",
                    "doc",
                    "bench",
                    "workspace",
                    "default-run",
                    "cargo-fuzz",
                    "libfuzzer",
                ];
                let is_own = own.iter().any(|it| line.starts_with(&format!("{it} =")));
                assert!(shared || is_own, "{}: {line}", manifest.display());
            }
        }
    }
}

/// `cargo tree`'s lines for third-party packages: name, version and features.
fn dependency_builds(selection: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = Command::new(cargo)
        .args(["tree", "--offline", "--prefix=none", "--format={p} {f}"])
        .args(selection)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo tree");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).expect("UTF-8");
    // Our own packages print their path.
    let external = lines.lines().filter(|it| !it.contains("(/"));
    // `(*)` marks a package whose dependencies were already printed.
    external.map(|it| it.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn every_selection_of_packages_builds_dependencies_with_the_same_features() {
    let workspace = dependency_builds(&["--workspace", "--edges=normal,build,dev"]);
    for package in dependencies().keys() {
        // `hello` measures the smallest possible function.
        if package == "hello" {
            continue;
        }
        // `cargo run` builds no dev-dependencies.
        let edges = if package == "local" { "normal,build" } else { "normal,build,dev" };
        let alone =
            dependency_builds(&[&format!("--package={package}"), &format!("--edges={edges}")]);
        let differing: Vec<_> = alone
            .difference(&workspace)
            // Small, and their features depend on the kind of build.
            .filter(|it| !it.starts_with("bitflags ") && !it.starts_with("simdutf8 "))
            .collect();
        assert!(
            differing.is_empty(),
            "`-p {package}` builds these again; run `cargo hakari generate`: {differing:#?}"
        );
    }
}

#[test]
fn every_file_of_integration_tests_is_compiled() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("it");
    // The crates of the tests and of what they share.
    let crates = ["main.rs", "service.rs"];
    let read = |name| std::fs::read_to_string(folder.join(name)).expect("a file");
    let modules = crates.map(read).concat();
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        if let Some(module) = name.strip_suffix(".rs")
            && !crates.contains(&name.as_str())
        {
            assert!(modules.contains(&format!("mod {module};\n")), "`{module}` is not declared");
        }
    }
}
