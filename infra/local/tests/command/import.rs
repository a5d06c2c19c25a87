//! `import` and `reprocess`.

use std::time::{Duration, Instant};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use publications::Publication;

use crate::{
    process::{empty_register, run, serve},
    support::{get, send, temporary_directory, text, wait_for, write, zefix_record},
};

#[test]
fn importing_a_file_twice_adds_its_company_once() {
    let data = empty_register();
    let files = temporary_directory();
    let file = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));

    let output = run(&["import", "zefix", &file, "--data", text(data.path())]).stdout;
    assert!(
        output.contains("companies: 1 added, 0 changed, 0 unchanged; 0 records quarantined"),
        "{output}"
    );
    let server = serve(data.path(), &[]);
    let generation = server.info["generation"].as_str().expect("an id").to_owned();
    let published = format!("published generation {generation} with 1 companies");
    assert!(output.contains(&published), "{output}");
    assert_eq!(server.company_name("CHE-600.000.012").as_deref(), Some("Wollgras AG"));
    assert_eq!(server.search("wollgras"), ["CHE-600.000.012"]);
    drop(server);

    let output = run(&["import", "zefix", &file, "--data", text(data.path())]).stdout;
    assert!(
        output.contains("companies: 0 added, 0 changed, 1 unchanged; 0 records quarantined"),
        "{output}"
    );
    let server = serve(data.path(), &[]);
    assert_ne!(server.info["generation"], generation);
    assert_eq!(server.search("wollgras"), ["CHE-600.000.012"]);
}

#[test]
fn a_running_server_imports_the_files() {
    let data = empty_register();
    let server = serve(data.path(), &[]);
    let files = temporary_directory();
    let one = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    let two = write(&files, "two.json", &zefix_record("CHE600000029", "Silberdistel GmbH"));
    let output = run(&["import", "zefix", &one, &two, "--data", text(data.path())]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert_eq!(output.stdout.matches("the running server imports it").count(), 2, "{output:?}");
    let key = server.info["keys"]["enterprise"].as_str();
    for uid in ["CHE-600.000.012", "CHE-600.000.029"] {
        let url = format!("{}/v1/companies/{uid}", server.url());
        wait_for(uid, || (get(&url, key).0 == 200).then_some(()));
    }
}

/// From the import to the list of notifications, and to the mail.
#[test]
fn a_change_that_a_running_server_imports_notifies_within_seconds() {
    const UID: &str = "CHE-600.000.012";
    let data = empty_register();
    let files = temporary_directory();
    let register = write(&files, "one.json", &zefix_record(UID, "Wollgras AG"));
    run(&["import", "zefix", &register, "--data", text(data.path())]);
    let server = serve(data.path(), &[]);
    let key = server.info["keys"]["free"].as_str();
    let send = |method: &str, path: &str, body: &str| {
        let (status, body) = send(method, &format!("{}/v1/{path}", server.url()), key, body);
        assert!((200..300).contains(&status), "{path}: {status} {body}");
        body
    };
    send("POST", "watches", &format!("{{ \"companyUid\": \"{UID}\" }}"));
    let preferences = "{ \"channel\": \"Email\", \"emailAddress\": \"alerts@muster.example\", \"language\": \"de\" }";
    send("PUT", "notifications/preferences", preferences);
    let outbox = server.url().replace("/api", "/local/outbox");
    let newest = || get(&outbox, None).1[0].clone();
    let asked = newest()["text"].as_str().expect("a text").to_owned();
    let (_, token) = asked.split_once("confirm-email?token=").expect("a link");
    let token = token.split_whitespace().next().expect("a token");
    send("POST", &format!("notifications/confirm-email?token={token}"), "{}");

    let change = Publication::mutation(UID, "Wollgras AG").on(&today().to_string());
    let change = change.new_purpose("Handel mit Wolle", "Handel mit Gras").json();
    let change = write(&files, "change.json", &format!("[{change}]"));
    let started = Instant::now();
    let output = run(&["import", "shab", &change, "--data", text(data.path())]);
    assert_eq!(output.code, Some(0), "{output:?}");
    let notification = wait_for("notification", || {
        let list = send("GET", "notifications", "");
        list["items"].get(0).cloned()
    });
    let mail = wait_for("mail", || Some(newest()).filter(|it| it["messageId"].is_string()));
    // A second locally, plus five minutes at most in the cloud; here with room for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(notification["title"], "Wollgras AG: Change of purpose");
    assert_eq!(notification["companyUid"], UID);
    assert_eq!(mail["to"], "alerts@muster.example");
    assert_eq!(mail["subject"], "Wollgras AG: Änderung des Zwecks");
    assert!(mail["text"].as_str().is_some_and(|it| it.contains("Neu: Handel mit Gras")), "{mail}");
}

#[expect(clippy::disallowed_methods, reason = "the server uses the real time")]
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

#[test]
fn several_files_can_be_imported_together() {
    let data = empty_register();
    let files = temporary_directory();
    let one = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));
    let two = write(&files, "two.json", &zefix_record("CHE600000029", "Silberdistel GmbH"));
    let output = run(&["import", "zefix", &one, &two, "--data", text(data.path())]);
    assert!(output.stdout.contains(" with 2 companies"), "{output:?}");
}

#[test]
fn dry_run_prints_the_changes_without_making_them() {
    let data = temporary_directory();
    let mut before = serve(data.path(), &["--companies", "0"]);
    before.stop();
    let files = temporary_directory();
    let file = write(&files, "one.json", &zefix_record("CHE600000012", "Wollgras AG"));

    let output = run(&["import", "zefix", &file, "--data", text(data.path()), "--dry-run"]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.stdout.contains("companies: 1 to add, 0 to change"), "{output:?}");
    assert!(output.stdout.contains("CHE-600.000.012 Wollgras AG: canton, "), "{output:?}");

    let after = serve(data.path(), &[]);
    assert_eq!(after.info["generation"], before.info["generation"]);
    assert_eq!(after.company_name("CHE-600.000.012"), None);
    assert!(after.search("wollgras").is_empty());
}

#[test]
fn an_unreadable_record_is_quarantined_and_the_others_are_imported() {
    let data = empty_register();
    let files = temporary_directory();
    let one = zefix_record("CHE600000012", "Wollgras AG");
    let two = zefix_record("CHE600000029", "Silberdistel GmbH");
    let unreadable = r#"{"uid": "CHE600000035", "name": "Nirgendwo AG"}"#;
    let file = write(&files, "three.json", &format!("[{one}, {unreadable}, {two}]"));

    let output = run(&["import", "zefix", &file, "--data", text(data.path())]);
    assert_eq!(output.code, Some(0), "{output:?}");
    assert!(output.stdout.contains("3 records read; companies: 2 added"), "{output:?}");
    assert!(output.stdout.contains("1 records quarantined\n  quarantined: "), "{output:?}");
    assert!(output.stdout.contains("canton: is missing"), "{output:?}");

    let server = serve(data.path(), &[]);
    assert_eq!(server.search("wollgras"), ["CHE-600.000.012"]);
    assert_eq!(server.search("silberdistel"), ["CHE-600.000.029"]);
    assert_eq!(server.company_name("CHE-600.000.035"), None);
}

#[test]
fn reprocess_leaves_records_that_are_still_unreadable_in_quarantine() {
    let data = empty_register();
    let files = temporary_directory();
    let file = write(&files, "one.json", r#"{"uid": "CHE600000035", "name": "Nirgendwo AG"}"#);
    run(&["import", "zefix", &file, "--data", text(data.path())]);
    for _ in 0..2 {
        let output = run(&["reprocess", "zefix", "--data", text(data.path())]);
        assert_eq!(output.code, Some(0), "{output:?}");
        assert!(
            output.stdout.contains("zefix: 0 quarantined records and 0 publications"),
            "{output:?}"
        );
        assert!(output.stdout.contains(" with 0 companies"), "{output:?}");
    }
}
