//! What the server prints when it is ready.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{
    process::Process,
    support::{KEYS, get, wait_for},
};

/// Starts a server, and waits for the end of its start screen.
fn start(arguments: &[&str]) -> (Process, String) {
    let mut process = Process::start(&[&["--port", "0"], arguments].concat());
    let screen = wait_for("start screen", || {
        assert!(process.is_running(), "{:?}", process.wait());
        Some(process.stdout()).filter(|it| it.contains("Press Ctrl-C to stop."))
    });
    (process, screen)
}

/// Runs the printed commands. Returns their answers.
fn run_commands(screen: &str) -> [Value; 3] {
    let answers = screen.split("  curl '").skip(1).map(|command| {
        let (url, rest) = command.split_once('\'').expect("a quoted address");
        let key = rest.split_once("Bearer ").and_then(|(_, it)| it.split_once('\'')).map(|it| it.0);
        let (status, body) = get(url, key);
        assert_eq!(status, 200, "{url}: {body}");
        body
    });
    answers.collect::<Vec<_>>().try_into().expect("three commands")
}

#[test]
fn start_screen_shows_address_keys_and_local_json() {
    let (mut process, screen) = start(&["--companies", "20"]);
    let (_, path) = screen.split_once("keys as JSON: ").expect("the path of local.json");
    let path = Path::new(path.lines().next().expect("a path"));
    let info: Value = serde_json::from_slice(&fs::read(path).expect("read")).expect("JSON");
    let url = info["url"].as_str().expect("an address");
    assert!(screen.contains(&format!("20 companies at {url} ")), "{screen}");
    for name in KEYS {
        let key = info["keys"][name].as_str().expect("a key");
        let is_line = |it: &str| it.split_whitespace().eq([name, key]);
        assert!(screen.lines().any(is_line), "{name} in {screen}");
    }
    assert_eq!(get(&format!("{url}/openapi.json"), None).0, 200);

    process.send("TERM");
    process.wait();
    assert_eq!(process.temporary_files(), Vec::<PathBuf>::new());
}

#[test]
fn printed_commands_show_a_company_with_board_history_auditor_and_relationships() {
    let (_process, screen) = start(&[]);
    let [search, full, timeline] = run_commands(&screen);
    let company = &full["company"];
    assert_eq!(search["items"][0]["uid"], company["uid"], "{search}");
    let is_filled = |list: &Value| list.as_array().is_some_and(|it| !it.is_empty());
    assert!(is_filled(&full["persons"]), "{full}");
    assert!(is_filled(&full["recentChanges"]), "{full}");
    assert!(is_filled(&full["relationships"]), "{full}");
    assert!(company["auditorName"].is_string(), "{full}");
    assert!(is_filled(&timeline["events"]), "{timeline}");
}

#[test]
fn nothing_is_wrong_at_the_start() {
    let (mut process, _) = start(&["--companies", "100"]);
    process.send("TERM");
    assert_eq!(process.wait().stderr, "");
}

#[test]
fn printed_commands_work_without_the_example_company() {
    let (_process, screen) = start(&["--companies", "0"]);
    let [companies, changes, usage] = run_commands(&screen);
    assert!(companies["items"].is_array() && changes["items"].is_array() && usage.is_object());
}
