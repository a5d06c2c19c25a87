//! The floors, held by the manifests: dependencies point down only.

use std::{collections::BTreeMap, process::Command};

use serde_json::Value;

/// The floors, the highest first, and what stands on each.
const FLOORS: [(&str, &[&str]); 6] = [
    (
        "infra",
        &["local", "demo-registry", "queue-emulator", "tests", "publications", "benches", "hello"],
    ),
    ("functions", &["search-read", "standard-read", "account", "public", "ingest", "indexer"]),
    ("frames", &["http-service", "generations", "queue-worker"]),
    ("seams", &["store", "objects", "jobs", "fetch", "text-index", "telemetry"]),
    ("environment", &["aws-environment"]),
    ("pure", &["domain", "sources", "access", "auth", "problem-details", "errors"]),
];

fn floor(name: &str) -> usize {
    let stands = |(_, crates): &(&str, &[&str])| crates.contains(&name);
    FLOORS.iter().position(stands).unwrap_or_else(|| panic!("`{name}` stands on no floor"))
}

/// The workspace's crates and which of each other they depend on, tests aside.
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

#[test]
fn dependencies_point_down_only() {
    let dependencies = dependencies();
    assert!(dependencies.len() > 15, "{dependencies:?}");
    for (name, below) in &dependencies {
        for dependency in below {
            let (from, to) = (floor(name), floor(dependency));
            let pure = FLOORS.len() - 1;
            let infra = 0;
            let may = from < to || (from == to && (from == pure || from == infra));
            assert!(may, "{name} ({}) uses {dependency} ({})", FLOORS[from].0, FLOORS[to].0);
        }
    }
}

#[test]
fn the_http_frame_uses_one_seam_and_the_log() {
    let used = &dependencies()["http-service"];
    let seams: Vec<_> = used.iter().filter(|it| FLOORS[floor(it)].0 == "seams").collect();
    assert_eq!(seams, ["store", "telemetry"]);
}

#[test]
fn versions_and_features_stand_in_the_root_manifest_only() {
    for folder in [".", "shared", "functions/api", "functions/workers", "infra", "tests", "benches"]
    {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
        for entry in std::fs::read_dir(root).expect("a folder") {
            let manifest = entry.expect("an entry").path().join("Cargo.toml");
            let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
            // The fuzz targets are a workspace of their own.
            if text.contains("[workspace]") {
                continue;
            }
            for line in text.lines().filter(|it| it.contains(" = ")) {
                let shared = line.contains(".workspace = true");
                let own = ["name", "path", "test", "workspace", "default-run"];
                let is_own = own.iter().any(|it| line.starts_with(&format!("{it} =")));
                assert!(shared || is_own, "{}: {line}", manifest.display());
            }
        }
    }
}
