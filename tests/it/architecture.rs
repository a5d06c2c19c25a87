//! The layers of the workspace: a crate depends only on crates of lower layers.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

/// The layers from top to bottom: the beginnings of the paths of their crates. ARCHITECTURE.md describes them.
const LAYERS: [&[&str]; 6] = [
    &["infra/", "tests", "benches", "fuzz"],
    &["functions/"],
    &["shared/frames/"],
    &["shared/data/"],
    &["shared/outside/"],
    &["shared/rules/"],
];

/// The index of the layer of which no crate uses another.
const FUNCTIONS: usize = 1;

/// A crate of the workspace.
struct Member {
    /// Its folder, from the root of the workspace.
    path: String,
    /// The crates of the workspace it depends on, without dev-dependencies.
    uses: Vec<String>,
    /// The other crates it depends on, without dev-dependencies.
    external: Vec<String>,
}

impl Member {
    /// The index of its layer.
    fn layer(&self) -> usize {
        let contains = |beginnings: &&[&str]| beginnings.iter().any(|it| self.path.starts_with(it));
        LAYERS.iter().position(contains).unwrap_or_else(|| panic!("no layer has `{}`", self.path))
    }
}

/// The crates of the workspace, by name.
fn members() -> BTreeMap<String, Member> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("json");
    let root = format!("{}/", metadata["workspace_root"].as_str().expect("a folder"));
    let packages = metadata["packages"].as_array().expect("packages");
    let is_used = |it: &&Value| it["kind"].is_null();
    let named = |it: &Value| it["name"].as_str().expect("a name").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let manifest = package["manifest_path"].as_str().expect("a path");
            let path = manifest.strip_prefix(&root).expect("below the root").to_owned();
            let used = dependencies.iter().filter(is_used);
            let (own, external): (Vec<&Value>, _) = used.partition(|it| it["path"].is_string());
            let [uses, external] = [own, external].map(|it| it.into_iter().map(named).collect());
            (named(package), Member { path, uses, external })
        })
        .collect()
}

/// The workspace crates that a crate depends on, directly or through others.
fn dependencies_with_indirect<'a>(
    members: &'a BTreeMap<String, Member>,
    name: &str,
) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = members[name].uses.iter().map(String::as_str).collect();
    while let Some(dependency) = next.pop() {
        if found.insert(dependency) {
            next.extend(members[dependency].uses.iter().map(String::as_str));
        }
    }
    found
}

#[test]
fn crates_depend_only_on_their_own_and_lower_layers_and_no_function_on_another() {
    let members = members();
    assert!(members.len() > 50, "{}", members.len());
    for (name, member) in &members {
        for dependency in &member.uses {
            let (from, to) = (member.layer(), members[dependency].layer());
            let is_allowed = from < to || (from == to && from != FUNCTIONS);
            assert!(is_allowed, "{name} ({}) uses {dependency}", member.path);
        }
    }
}

/// The folders of crates have no other crates, and their names are those of the crates.
#[test]
fn every_crate_is_found_by_its_name() {
    for (name, member) in members() {
        let folder = member.path.strip_suffix("/Cargo.toml").expect("a manifest");
        assert_eq!(folder.rsplit('/').next(), Some(name.as_str()), "{folder}");
    }
}

#[test]
fn rules_do_not_read_the_clock() {
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/rules");
    let mut files = 0;
    for entry in std::fs::read_dir(rules).expect("a folder") {
        let mut folders = vec![entry.expect("an entry").path().join("src")];
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
    let members = members();
    let used = members["http-service"].uses.iter();
    let clients: Vec<_> =
        used.filter(|it| !members[*it].path.starts_with("shared/rules/")).collect();
    // `network` for the keys of identity providers, and for the records of the domains of ID tokens.
    assert_eq!(clients, ["aws", "components", "network", "store", "telemetry"]);
}

/// A worker is called by a queue: what only answers HTTP would make its binary larger and its start slower.
#[test]
fn workers_do_not_use_the_frame_of_http() {
    let members = members();
    let workers = || members.iter().filter(|(_, it)| it.path.starts_with("functions/workers/"));
    assert!(workers().count() > 10);
    for (name, _) in workers() {
        for used in dependencies_with_indirect(&members, name).into_iter().chain([name.as_str()]) {
            assert_ne!(used, "http-service", "{name}");
            let external = &members[used].external;
            assert!(!external.iter().any(|it| it == "axum"), "{name} uses {used}, which uses axum");
        }
    }
}

#[test]
fn gazette_notice_depends_on_no_crate_of_the_workspace() {
    assert!(members()["gazette-notice"].uses.is_empty());
}

#[test]
fn sources_and_facts_do_not_depend_on_each_other() {
    let members = members();
    for (from, to) in [("sources", "facts"), ("facts", "sources")] {
        assert!(!dependencies_with_indirect(&members, from).contains(to), "{from} uses {to}");
    }
}

#[test]
fn versions_and_features_are_only_in_the_root_manifest() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
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
    for member in members().values() {
        let manifest = root.join(&member.path);
        let text = std::fs::read_to_string(&manifest).expect("a manifest");
        // It is generated.
        if text.contains("BEGIN HAKARI SECTION") {
            continue;
        }
        for line in text.lines().filter(|it| it.contains(" = ")) {
            let shared = line.contains(".workspace = true");
            let is_own = own.iter().any(|it| line.starts_with(&format!("{it} =")));
            assert!(shared || is_own, "{}: {line}", manifest.display());
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
    for package in members().keys() {
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
