//! `cargo run` without a subcommand: starting and stopping, and what a data directory keeps.

use std::{fs, io::Write, net::TcpStream, path::Path};

use serde_json::{Value, json};

use crate::{
    process::{Process, empty_register, run, serve},
    support::{
        KEYS, get, host_and_path, send, temporary_directory, text, wait_for, write, zefix_record,
    },
};

#[test]
fn local_json_contains_address_keys_and_endpoints() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "20"]);
    let (status, health) = server.get("/health");
    assert_eq!((status, &health["status"]), (200, &json!("healthy")));
    assert!(server.url().starts_with("http://127.0.0.1:") && server.url().ends_with("/api"));
    for endpoint in ["dynamodb", "s3", "sqs"] {
        let address = server.info["endpoints"][endpoint].as_str().expect("an address");
        assert!(TcpStream::connect(host_and_path(address).0).is_ok(), "{endpoint}: {address}");
    }
    assert_eq!(server.info["keys"].as_object().map(|it| it.len()), Some(KEYS.len()));
    for name in KEYS {
        let key = server.info["keys"][name].as_str().expect("a key");
        let (status, usage) = get(&format!("{}/v1/usage/current", server.url()), Some(key));
        assert_eq!(status, 200, "{name}: {usage}");
    }
    assert!(server.info["generation"].is_string());
}

#[test]
fn users_of_every_tier_and_role_can_sign_in() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "0"]);
    let url = server.url();
    let outbox = url.replace("/api", "/local/outbox");
    for (name, tier, role) in [
        ("free", "free", "owner"),
        ("starter", "starter", "owner"),
        ("professional", "professional", "owner"),
        ("enterprise", "enterprise", "owner"),
        ("admin", "enterprise", "admin"),
        ("member", "enterprise", "member"),
    ] {
        let address = format!("{name}@demo.example");
        let post = |path: &str, body: Value| {
            send("POST", &format!("{url}/v1/auth/{path}"), None, &body.to_string())
        };
        assert_eq!(post("magic-link", json!({"email": address})).0, 202);
        let text = wait_for("mail", || {
            let mails = get(&outbox, None).1;
            let mail = mails.as_array()?.iter().find(|it| it["to"] == address)?;
            Some(mail["text"].as_str()?.to_owned())
        });
        let (_, token) = text.split_once("token=").expect("a link");
        let token: String =
            token.chars().take_while(|it| it.is_alphanumeric() || "-_".contains(*it)).collect();
        let (status, session) = post("magic-link/verify", json!({"token": token}));
        assert_eq!(status, 200, "{session}");
        let me = get(&format!("{url}/v1/auth/me"), session["token"].as_str()).1;
        assert_eq!((&me["tier"], &me["role"]), (&json!(tier), &json!(role)), "{me}");
    }
    let members =
        get(&format!("{url}/v1/teams/me/members"), server.info["keys"]["enterprise"].as_str());
    assert_eq!(members.1.as_array().map(Vec::len), Some(3), "{}", members.1);
}

#[test]
fn local_json_is_removed_when_the_server_is_stopped() {
    let data = temporary_directory();
    for signal in ["TERM", "INT"] {
        let mut server = serve(data.path(), &["--companies", "0"]);
        server.process.send(signal);
        assert_eq!(server.process.wait().code, Some(0), "{signal}");
        assert!(!data.path().join("local.json").exists(), "{signal}");
    }
}

#[test]
fn an_unfinished_request_does_not_prevent_the_server_from_stopping() {
    let data = temporary_directory();
    let mut server = serve(data.path(), &["--companies", "0"]);
    let mut client = TcpStream::connect(host_and_path(server.url()).0).expect("connect");
    client.write_all(b"GET /api/hea").expect("send half a request");
    // The answer to a later connection shows that the server has accepted the first one.
    assert_eq!(server.get("/health").0, 200);
    server.process.send("INT");
    assert_eq!(server.process.wait().code, Some(0));
    assert!(!data.path().join("local.json").exists());
}

#[test]
fn local_json_of_a_killed_server_is_removed_by_the_next_start() {
    let data = temporary_directory();
    let write = |name: &str, content| fs::write(data.path().join(name), content).expect("write");
    write("local.json", "{}");
    write("registry.json", r#"{"companies": 0, "published": true}"#);
    write("lock", "");
    // The start fails here, because a directory is not a database.
    fs::create_dir(data.path().join("dynamodb.sqlite")).expect("create a directory");
    let output = run(&["--port", "0", "--data", text(data.path())]);
    assert!(output.error().contains("dynamodb.sqlite"), "{output:?}");
    assert!(!data.path().join("local.json").exists());
}

#[test]
fn register_and_keys_are_kept_after_the_server_is_killed() {
    let data = temporary_directory();
    let mut first = serve(data.path(), &["--companies", "20"]);
    first.process.send("KILL");
    first.process.wait();

    let mut second = serve(data.path(), &["--companies", "30"]);
    assert_eq!(second.info["keys"], first.info["keys"]);
    assert_eq!(second.info["generation"], first.info["generation"]);
    assert_eq!(second.total(), 20);
    let output = second.stop().stdout;
    assert!(output.contains("--companies 30 is ignored"), "{output}");

    let reset = serve(data.path(), &["--companies", "30", "--reset"]);
    assert_eq!(reset.total(), 30);
    assert_ne!(reset.info["keys"], first.info["keys"]);
}

#[test]
fn a_register_without_marker_is_loaded_again() {
    let data = temporary_directory();
    let layout = generations::Layout::PRESENT.0;
    let generations = data.path().join(format!("s3/gotthard/generations/{layout}"));
    fs::create_dir_all(&generations).expect("create a directory");
    fs::write(generations.join("current.json"), "{").expect("write");
    fs::write(data.path().join("dynamodb.sqlite"), "half a register").expect("write");
    fs::write(data.path().join("lock"), "").expect("write");
    let server = serve(data.path(), &["--companies", "20"]);
    assert_eq!(server.total(), 20);
}

#[test]
fn an_unpublished_import_is_published_by_the_next_start() {
    let data = empty_register();
    let files = temporary_directory();
    let file = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    run(&["import", "zefix", &file, "--data", text(data.path())]);
    // As if the import had stored the file and then died.
    let layout = generations::Layout::PRESENT.0;
    let generations = data.path().join(format!("s3/gotthard/generations/{layout}"));
    let before = current_generation(&generations);
    fs::write(data.path().join("registry.json"), r#"{"companies": 0, "published": false}"#)
        .expect("write");
    let server = serve(data.path(), &[]);
    assert_ne!(current_generation(&generations), before);
    assert_eq!(server.get("/v1/companies?search=wollgras").1["total"], 1);
}

fn current_generation(generations: &Path) -> String {
    fs::read_to_string(generations.join("current.json")).expect("read")
}

#[test]
fn an_unreadable_marker_is_an_error_and_the_register_is_kept() {
    let data = empty_register();
    fs::write(data.path().join("registry.json"), "{").expect("write");
    let keys = || fs::read_to_string(data.path().join("keys.json")).expect("read");
    let before = keys();
    let output = run(&["--port", "0", "--data", text(data.path())]);
    assert!(output.error().contains("registry.json"), "{output:?}");
    assert_eq!(keys(), before);
}

#[test]
fn a_directory_with_other_files_is_not_changed() {
    let data = temporary_directory();
    fs::create_dir_all(data.path().join("s3/photographs")).expect("create a directory");
    let output = run(&["--port", "0", "--data", text(data.path())]);
    assert!(output.error().contains("is not a data directory"), "{output:?}");
    assert!(data.path().join("s3/photographs").exists());
}

#[test]
fn a_register_of_0_companies_can_be_searched() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "0"]);
    let (status, list) = server.get("/v1/companies?search=nestle");
    assert_eq!((status, &list["items"]), (200, &json!([])));
}

#[test]
fn files_are_imported_before_the_server_is_ready() {
    let data = temporary_directory();
    let files = temporary_directory();
    let one = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    let two = write(&files, "two.json", &zefix_record("CHE600000029", "Silberdistel GmbH"));

    let new = serve(data.path(), &["--companies", "20", "--import", &format!("zefix={one}")]);
    assert_eq!(new.search("wollgras"), ["CHE-600.000.012"]);
    assert_eq!(new.total(), 21);
    drop(new);

    let existing = serve(data.path(), &["--import", &format!("zefix={two}")]);
    assert_eq!(existing.search("silberdistel"), ["CHE-600.000.029"]);
    assert_eq!(existing.total(), 22);
}

#[test]
fn a_closed_standard_output_does_not_stop_the_server() {
    let data = temporary_directory();
    let (reader, writer) = std::io::pipe().expect("create a pipe");
    drop(reader);
    let arguments = ["--port", "0", "--data", text(data.path()), "--companies", "0"];
    let mut process = Process::start_with(&arguments, |it| it.stdout(writer));
    wait_for("local.json", || data.path().join("local.json").exists().then_some(()));
    process.send("TERM");
    assert_eq!(process.wait().code, Some(0));
}

#[test]
fn teams_are_created_in_the_deployment_that_the_environment_names() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "0"]);
    let environment = run(&["print-env", "--data", text(data.path())]).stdout;
    let variables = environment.lines().map(|it| {
        it.strip_prefix("export ").and_then(|it| it.split_once('=')).expect("a variable")
    });
    let output = Process::start_with(&["create-teams", "tenants"], |it| it.envs(variables)).wait();
    assert_eq!(output.code, Some(0), "{output:?}");
    let keys: Value = serde_json::from_str(&output.stdout).expect("JSON");
    for name in KEYS {
        let key = keys[name].as_str().expect("a key");
        assert_ne!(keys[name], server.info["keys"][name]);
        let (status, usage) = get(&format!("{}/v1/usage/current", server.url()), Some(key));
        assert_eq!(status, 200, "{name}: {usage}");
        let tier = if name == "sandbox" { "enterprise" } else { name };
        assert_eq!(usage["tier"], tier);
    }
}

#[test]
fn the_operator_gives_a_team_a_tier_and_an_owner() {
    let data = temporary_directory();
    let server = serve(data.path(), &["--companies", "0"]);
    let environment = run(&["print-env", "--data", text(data.path())]).stdout;
    let variables = || {
        let lines = environment.lines().filter_map(|it| it.strip_prefix("export "));
        lines.map(|it| it.split_once('=').expect("a variable"))
    };
    let key = server.info["keys"]["free"].as_str().expect("a key");
    let (_, team) = get(&format!("{}/v1/teams/me", server.url()), Some(key));
    let team = team["id"].as_str().expect("an id");
    let change = |arguments: &[&str]| {
        let arguments = [&["change-team", "tenants", team], arguments].concat();
        Process::start_with(&arguments, |it| it.envs(variables())).wait()
    };

    let stranger = change(&["--owner", "nobody@example.ch"]);
    assert_eq!(stranger.code, Some(2), "{stranger:?}");
    assert!(stranger.stderr.contains("the user must sign in first"), "{}", stranger.stderr);
    let invalid = change(&["--tier", "gold"]);
    assert!(invalid.stderr.contains("must be one of free, starter"), "{}", invalid.stderr);
    assert_eq!(change(&[]).code, Some(2));

    let changed = change(&["--tier", "professional"]);
    assert_eq!(changed.code, Some(0), "{changed:?}");
    let changed: Value = serde_json::from_str(&changed.stdout).expect("JSON");
    assert_eq!((&changed["id"], &changed["tier"]), (&team.into(), &"professional".into()));
}
