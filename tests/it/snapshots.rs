//! The response of every operation to the examples of its parameters, as files in `snapshots/`.
//!
//! After an intended change: `INSTA_UPDATE=always cargo test -p tests --test it -- snapshots`, then review the
//! differences with `git diff`.

use std::{collections::BTreeSet, path::Path};

use http::header;
use local::examples::{ExampleApi, order};
use serde_json::Value;

const DESCRIPTION: &str = include_str!("../../functions/api/public/openapi.json");

/// Their response is the file `openapi.json`, which is in the repository already.
const WITHOUT_SNAPSHOT: [&str; 2] = ["/openapi.json", "/v1/openapi.json"];

#[tokio::test]
async fn every_operation_answers_its_example_as_in_its_snapshot() {
    let description: Value = serde_json::from_str(DESCRIPTION).expect("json");
    let mut api = ExampleApi::start().await.expect("a service with the demo register");
    let mut snapshots = BTreeSet::new();
    for (method, path, operation) in operations(&description) {
        let id = operation["operationId"].as_str().expect("an operation id");
        let (uri, response) = api.example_answer(method, path, operation).await.expect(id);
        let media_type = response.headers().get(header::CONTENT_TYPE);
        let media_type = media_type.map(|it| it.to_str().expect("text")).unwrap_or("no body");
        let body = match serde_json::from_str::<Value>(response.body()) {
            Ok(mut json) => {
                hide_measured_times(&mut json);
                serde_json::to_string_pretty(&json).expect("json")
            }
            Err(_) if media_type == "application/pdf" => "[a PDF file]".to_owned(),
            Err(_) => response.body().clone(),
        };
        let status = response.status().as_u16();
        let snapshot = format!("{} {uri}\n{status} {media_type}\n\n{body}", method.to_uppercase());
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(id, snapshot);
        });
        snapshots.insert(format!("{id}.snap"));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("it/snapshots");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the folder of snapshots")
        .map(|it| it.expect("an entry").file_name().into_string().expect("a file name"))
        .collect();
    assert_eq!(files, snapshots, "one snapshot for every operation, and no others");
}

/// Replaces the members that depend on how long an ingest took, which is measured with the system clock.
fn hide_measured_times(value: &mut Value) {
    const MEASURED: [&str; 3] = ["durationSeconds", "lastCompletedAt", "lastReadAt"];
    match value {
        Value::Array(items) => items.iter_mut().for_each(hide_measured_times),
        Value::Object(members) => {
            for (name, member) in members {
                match MEASURED.contains(&name.as_str()) {
                    true => *member = "[measured]".into(),
                    false => hide_measured_times(member),
                }
            }
        }
        _ => {}
    }
}

/// Method, path and description of every operation, in an order that makes the responses deterministic: usage
/// before the operations that use up allowances, then as for the examples.
fn operations(description: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = description["paths"].as_object().expect("paths");
    let mut operations: Vec<_> = paths
        .iter()
        .filter(|(path, _)| !WITHOUT_SNAPSHOT.contains(&path.as_str()))
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("methods");
            methods.iter().map(move |(method, it)| (method.as_str(), path.as_str(), it))
        })
        .collect();
    let shows_usage = |method: &str, path: &str| {
        let starts = ["/v1/credits/", "/v1/teams/me/billing-summary", "/v1/usage/"];
        let is_of_usage = path == "/v1/teams/me" || starts.iter().any(|it| path.starts_with(it));
        method == "get" && is_of_usage
    };
    operations.sort_by_key(|(method, path, _)| (!shows_usage(method, path), order(method, path)));
    operations
}
