//! The command line as whoever types it meets it: arguments in; lines, files and an exit code out.

// Servers are stopped by signals.
#![cfg(unix)]

use std::{
    fs::{self, File},
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

const KEYS: [&str; 5] = ["free", "starter", "professional", "enterprise", "sandbox"];

#[test]
fn local_json_says_where_a_ready_server_is() {
    let data = folder();
    let server = serve(data.path(), &["--companies", "20"]);
    let (status, health) = server.get("/health");
    assert_eq!((status, &health["status"]), (200, &json!("healthy")));
    assert!(server.url().starts_with("http://127.0.0.1:") && server.url().ends_with("/api"));
    for endpoint in ["dynamodb", "s3"] {
        let address = server.local["endpoints"][endpoint].as_str().expect("an address");
        assert!(TcpStream::connect(host_and_path(address).0).is_ok(), "{endpoint}: {address}");
    }
    assert_eq!(server.local["keys"].as_object().map(|it| it.len()), Some(KEYS.len()));
    for name in KEYS {
        let key = server.local["keys"][name].as_str().expect("a key");
        let (status, usage) = get(&format!("{}/v1/usage/current", server.url()), Some(key));
        assert_eq!(status, 200, "{name}: {usage}");
    }
    assert!(server.local["generation"].is_string());
}

#[test]
fn local_json_goes_when_the_server_is_asked_to_stop() {
    let data = folder();
    for signal in ["TERM", "INT"] {
        let mut server = serve(data.path(), &["--companies", "0"]);
        server.process.send(signal);
        assert_eq!(server.process.end().code, Some(0), "{signal}");
        assert!(!data.path().join("local.json").exists(), "{signal}");
    }
}

#[test]
fn a_request_that_never_ends_does_not_keep_the_server() {
    let data = folder();
    let mut server = serve(data.path(), &["--companies", "0"]);
    let mut client = TcpStream::connect(host_and_path(server.url()).0).expect("a connection");
    client.write_all(b"GET /api/hea").expect("written");
    // Answered on another connection: the server has accepted the first one by then.
    assert_eq!(server.get("/health").0, 200);
    server.process.send("INT");
    assert_eq!(server.process.end().code, Some(0));
    assert!(!data.path().join("local.json").exists());
}

#[test]
fn local_json_of_a_killed_server_is_gone_before_the_next_one_is_ready() {
    let data = folder();
    fs::write(data.path().join("local.json"), "{}").expect("written");
    fs::write(data.path().join("registry.json"), r#"{"companies": 0, "published": true}"#)
        .expect("written");
    fs::write(data.path().join("lock"), "").expect("written");
    // A database that cannot be opened: this start gets that far and no further.
    fs::create_dir(data.path().join("dynamodb.sqlite")).expect("a folder");
    let ended = run(&["--port", "0", "--data", text(data.path())]);
    assert!(ended.refusal().contains("dynamodb.sqlite"), "{ended:?}");
    assert!(!data.path().join("local.json").exists());
}

#[test]
fn what_the_greeting_prints_works_as_printed() {
    let mut process = Process::start(&["--port", "0", "--companies", "20"]);
    let greeting = until("the greeting", || {
        assert!(process.is_running(), "{:?}", process.end());
        Some(process.output()).filter(|it| it.contains("Ctrl-C stops it."))
    });
    let (_, announced) = greeting.split_once("The same for programs: ").expect("a path");
    let announced = Path::new(announced.lines().next().expect("a path"));
    let local: Value = serde_json::from_slice(&fs::read(announced).expect("read")).expect("JSON");

    let url = local["url"].as_str().expect("an address");
    assert!(greeting.contains(&format!("Gotthard serves 20 companies at {url} ")), "{greeting}");
    for name in KEYS {
        let key = local["keys"][name].as_str().expect("a key");
        let is_line = |it: &str| it.split_whitespace().eq([name, key]);
        assert!(greeting.lines().any(is_line), "{name} in {greeting}");
    }

    let commands: Vec<&str> = greeting.split("  curl '").skip(1).collect();
    let answers = commands.iter().map(|command| {
        let (url, rest) = command.split_once('\'').expect("a quoted address");
        let key = rest.split_once("Bearer ").and_then(|(_, it)| it.split_once('\'')).map(|it| it.0);
        let (status, body) = get(url, key);
        assert_eq!(status, 200, "{command}: {body}");
        body
    });
    let [search, list, usage] =
        <[Value; 3]>::try_from(answers.collect::<Vec<_>>()).expect("three commands");
    assert_eq!(search["items"][0]["name"], "Nestlé S.A.");
    assert!(list["items"].is_array() && usage.is_object());

    process.send("TERM");
    process.end();
    assert_eq!(process.left_behind(), Vec::<PathBuf>::new());
}

#[test]
fn a_greeting_that_nobody_reads_does_not_end_the_server() {
    let data = folder();
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let arguments = ["--port", "0", "--data", text(data.path()), "--companies", "0"];
    let mut process = Process::start_with(&arguments, |it| it.stdout(writer));
    until("local.json", || data.path().join("local.json").exists().then_some(()));
    process.send("TERM");
    assert_eq!(process.end().code, Some(0));
}

#[test]
fn a_kept_register_and_its_keys_survive_even_a_killed_server() {
    let data = folder();
    let mut first = serve(data.path(), &["--companies", "20"]);
    first.process.send("KILL");
    first.process.end();

    let mut kept = serve(data.path(), &["--companies", "30"]);
    assert_eq!(kept.local["keys"], first.local["keys"]);
    assert_eq!(kept.local["generation"], first.local["generation"]);
    assert_eq!(kept.get("/v1/companies").1["total"], 20);
    kept.process.send("TERM");
    let said = kept.process.end().out;
    assert!(said.contains("--companies 30 is ignored"), "{said}");

    let anew = serve(data.path(), &["--companies", "30", "--reset"]);
    assert_eq!(anew.get("/v1/companies").1["total"], 30);
    assert_ne!(anew.local["keys"], first.local["keys"]);
}

#[test]
fn a_register_that_was_killed_while_it_was_loading_is_made_anew() {
    let data = folder();
    let generations = data.path().join("s3/gotthard/generations");
    fs::create_dir_all(&generations).expect("a folder");
    fs::write(generations.join("current.json"), "{").expect("written");
    fs::write(data.path().join("dynamodb.sqlite"), "half a register").expect("written");
    fs::write(data.path().join("lock"), "").expect("written");
    let server = serve(data.path(), &["--companies", "20"]);
    assert_eq!(server.get("/v1/companies").1["total"], 20);
}

#[test]
fn an_import_that_died_before_it_was_published_is_published_by_the_next_start() {
    let data = empty_register();
    let files = folder();
    let file = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));
    run(&["import", "zefix", &file, "--data", text(data.path())]);
    // The mark of a run that stored and did not come to publish; the generation is the empty one.
    let generations = data.path().join("s3/gotthard/generations");
    let before = generation_of(&generations);
    fs::write(data.path().join("registry.json"), r#"{"companies": 0, "published": false}"#)
        .expect("written");
    let server = serve(data.path(), &[]);
    assert_ne!(generation_of(&generations), before);
    assert_eq!(server.get("/v1/companies?search=wollgras").1["total"], 1);
}

fn generation_of(generations: &Path) -> String {
    fs::read_to_string(generations.join("current.json")).expect("read")
}

#[test]
fn a_register_whose_mark_cannot_be_read_is_not_made_anew() {
    let data = empty_register();
    fs::write(data.path().join("registry.json"), "{").expect("written");
    let keys = fs::read_to_string(data.path().join("keys.json")).expect("read");
    let ended = run(&["--port", "0", "--data", text(data.path())]);
    assert!(ended.refusal().contains("registry.json"), "{ended:?}");
    assert_eq!(fs::read_to_string(data.path().join("keys.json")).expect("read"), keys);
}

#[test]
fn a_folder_of_other_things_is_left_alone() {
    let data = folder();
    fs::create_dir_all(data.path().join("s3/photographs")).expect("a folder");
    let ended = run(&["--port", "0", "--data", text(data.path())]);
    assert!(ended.refusal().contains("other things than a register"), "{ended:?}");
    assert!(data.path().join("s3/photographs").exists());
}

#[test]
fn a_register_may_be_empty() {
    let data = folder();
    let server = serve(data.path(), &["--companies", "0"]);
    let (status, list) = server.get("/v1/companies?search=nestle");
    assert_eq!((status, &list["items"]), (200, &json!([])));
}

#[test]
fn an_imported_company_is_found_and_comes_only_once() {
    let data = empty_register();
    let files = folder();
    let file = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));

    let said = run(&["import", "zefix", &file, "--data", text(data.path())]).out;
    assert!(said.contains("1 companies new, 0 changed, 0 unchanged, 0 quarantined"), "{said}");
    let server = serve(data.path(), &[]);
    let published = server.local["generation"].as_str().expect("an id").to_owned();
    assert!(said.contains(&format!("generation {published} of 1 companies")), "{said}");
    assert_eq!(server.name_of("CHE-600.000.012").as_deref(), Some("Wollgras AG"));
    assert_eq!(server.found("wollgras"), ["CHE-600.000.012"]);
    drop(server);

    let said = run(&["import", "zefix", &file, "--data", text(data.path())]).out;
    assert!(said.contains("0 companies new, 0 changed, 1 unchanged, 0 quarantined"), "{said}");
    let server = serve(data.path(), &[]);
    assert_ne!(server.local["generation"], published);
    assert_eq!(server.found("wollgras"), ["CHE-600.000.012"]);
}

#[test]
fn several_files_are_imported_at_once() {
    let data = empty_register();
    let files = folder();
    let one = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));
    let other = write(&files, "other.json", &record("CHE600000029", "Silberdistel GmbH"));
    let ended = run(&["import", "zefix", &one, &other, "--data", text(data.path())]);
    assert!(ended.out.contains("of 2 companies is published"), "{ended:?}");
}

#[test]
fn a_dry_run_tells_what_would_change_and_changes_nothing() {
    let data = folder();
    let mut before = serve(data.path(), &["--companies", "0"]);
    before.process.send("TERM");
    before.process.end();
    let files = folder();
    let file = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));

    let ended = run(&["import", "zefix", &file, "--data", text(data.path()), "--dry-run"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.out.contains("1 companies would be new, 0 would change"), "{ended:?}");
    assert!(ended.out.contains("CHE-600.000.012 Wollgras AG: canton, "), "{ended:?}");

    let after = serve(data.path(), &[]);
    assert_eq!(after.local["generation"], before.local["generation"]);
    assert_eq!(after.name_of("CHE-600.000.012"), None);
    assert!(after.found("wollgras").is_empty());
}

#[test]
fn a_bad_record_is_quarantined_and_the_good_ones_are_in() {
    let data = empty_register();
    let files = folder();
    let (one, other) =
        (record("CHE600000012", "Wollgras AG"), record("CHE600000029", "Silberdistel GmbH"));
    let bad = r#"{"uid": "CHE600000035", "name": "Nirgendwo AG"}"#;
    let file = write(&files, "three.json", &format!("[{one}, {bad}, {other}]"));

    let ended = run(&["import", "zefix", &file, "--data", text(data.path())]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.out.contains("3 records read, 2 companies new"), "{ended:?}");
    assert!(ended.out.contains("1 quarantined\n  quarantined: "), "{ended:?}");
    assert!(ended.out.contains("missing field `canton`"), "{ended:?}");

    let server = serve(data.path(), &[]);
    assert_eq!(server.found("wollgras"), ["CHE-600.000.012"]);
    assert_eq!(server.found("silberdistel"), ["CHE-600.000.029"]);
    assert_eq!(server.name_of("CHE-600.000.035"), None);
}

#[test]
fn a_server_starts_with_the_files_it_is_given() {
    let data = folder();
    let files = folder();
    let one = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));
    let other = write(&files, "other.json", &record("CHE600000029", "Silberdistel GmbH"));

    let new = serve(data.path(), &["--companies", "20", "--import", &format!("zefix={one}")]);
    assert_eq!(new.found("wollgras"), ["CHE-600.000.012"]);
    assert_eq!(new.get("/v1/companies").1["total"], 21);
    drop(new);

    let kept = serve(data.path(), &["--import", &format!("zefix={other}")]);
    assert_eq!(kept.found("silberdistel"), ["CHE-600.000.029"]);
    assert_eq!(kept.get("/v1/companies").1["total"], 22);
}

#[test]
fn a_directory_that_a_server_holds_is_left_alone() {
    let data = folder();
    let server = serve(data.path(), &["--companies", "0"]);
    let files = folder();
    let file = write(&files, "one.json", &record("CHE600000012", "Wollgras AG"));
    let here = text(data.path());
    for arguments in [
        &["import", "zefix", &file, "--data", here][..],
        &["import", "zefix", &file, "--data", here, "--dry-run"],
        &["--port", "0", "--data", here],
        &["--port", "0", "--data", here, "--reset"],
    ] {
        let ended = run(arguments);
        assert_eq!(ended.refusal(), format!("error: a server holds {here}: stop it first"));
    }
    assert!(data.path().join("local.json").exists());
    assert_eq!(server.name_of("CHE-600.000.012"), None);
}

#[test]
fn teams_are_made_in_the_deployment_that_the_environment_names() {
    let data = folder();
    let server = serve(data.path(), &["--companies", "0"]);
    let deployment = run(&["env", "--data", text(data.path())]).out;
    let variables = deployment.lines().map(|it| {
        it.strip_prefix("export ").and_then(|it| it.split_once('=')).expect("a variable")
    });
    let mut process = Process::start_with(&["teams", "tenants"], |it| it.envs(variables));
    let ended = process.end();
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let keys: Value = serde_json::from_str(&ended.out).expect("JSON");
    for name in KEYS {
        let key = keys[name].as_str().expect("a key");
        assert_ne!(keys[name], server.local["keys"][name]);
        let (status, usage) = get(&format!("{}/v1/usage/current", server.url()), Some(key));
        assert_eq!(status, 200, "{name}: {usage}");
        let tier = if name == "sandbox" { "enterprise" } else { name };
        assert_eq!(usage["tier"], tier);
    }
}

#[test]
fn what_cannot_be_done_is_refused_in_one_line_before_anything_is_made() {
    let folder = folder();
    let data = folder.path().join("data");
    let here = text(&data);
    let garbage = write(&folder, "garbage.json", "neither here nor there");
    let good = write(&folder, "one.json", &record("CHE600000012", "Wollgras AG"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let busy = listener.local_addr().expect("an address").port().to_string();
    for (arguments, reason) in [
        (&["--port", &busy, "--data", here][..], &*format!("port {busy} cannot be used")),
        (
            &["--port", "0", "--data", here, "--import", "zefix=nowhere.json"],
            "nowhere.json: No such file",
        ),
        (
            &["--port", "0", "--data", here, "--import", &format!("zefix={garbage}")],
            "garbage.json: ",
        ),
        (&["--port", "0", "--data", here, "--import", &format!("gazette={good}")], "`gazette`"),
        (&["--port", "0", "--data", here, "--import", &good], "SOURCE=FILE"),
        (&["--port", "0", "--data", here, "--companies", "many"], "'many'"),
        (&["--port", "0", "--data", here, "--companies", "-1"], "-1"),
        (&["--port", "65536", "--data", here], "65536"),
        (&["--data", here, "--verbose"], "--verbose"),
        (&["--reset"], "--data"),
        (&["import", "zefix", "nowhere.json", "--data", here], "nowhere.json: No such file"),
        (&["import", "zefix", &garbage, "--data", here], "garbage.json: "),
        (&["import", "gazette", &good, "--data", here], "gazette"),
        (&["import", "zefix", "--data", here], "<FILES>"),
        (&["import", "zefix", &good], "--data"),
        (&["import", "zefix", &good, "--data", here], "is not a data directory"),
        (
            &["import", "zefix", &good, "--data", text(folder.path())],
            "holds other things than a register",
        ),
    ] {
        let ended = run(arguments);
        assert!(ended.refusal().contains(reason), "{arguments:?}: {ended:?}");
        assert!(!data.exists(), "{arguments:?}");
    }
}

#[test]
fn help_is_not_a_mistake() {
    let ended = run(&["--help"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    for option in ["[default: 9000]", "--data", "--companies", "--import", "--reset", "import"] {
        assert!(ended.out.contains(option), "{option}");
    }
}

/// A process that does not outlive its test, with a temporary folder of its own.
struct Process {
    child: Child,
    folder: TempDir,
}

/// What a process has left when it is over.
#[derive(Debug)]
struct Ended {
    code: Option<i32>,
    out: String,
    err: String,
}

/// A server that is ready, and what its `local.json` says.
struct Server {
    process: Process,
    local: Value,
}

/// Runs a command that ends by itself.
fn run(arguments: &[&str]) -> Ended {
    Process::start(arguments).end()
}

/// Serves a data directory on a port that is free.
fn serve(data: &Path, arguments: &[&str]) -> Server {
    let file = data.join("local.json");
    let stale = fs::read(&file).ok();
    let always = ["--port", "0", "--data", text(data)];
    let mut process = Process::start(&[&always, arguments].concat());
    let local = until("local.json", || {
        assert!(process.is_running(), "{:?}", process.end());
        fs::read(&file).ok().filter(|it| stale.as_ref() != Some(it))
    });
    Server { process, local: serde_json::from_slice(&local).expect("JSON") }
}

/// A data directory with a register of no companies.
fn empty_register() -> TempDir {
    let data = folder();
    drop(serve(data.path(), &["--companies", "0"]));
    data
}

impl Process {
    fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |it| it)
    }

    fn start_with(arguments: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let folder = folder();
        let file = |name| File::create(folder.path().join(name)).expect("a file");
        fs::create_dir(folder.path().join("temporary")).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        command
            .args(arguments)
            .env("TMPDIR", folder.path().join("temporary"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"));
        let child = change(&mut command).spawn().expect("started");
        Self { child, folder }
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a status").is_none()
    }

    fn send(&self, signal: &str) {
        let kill = format!("kill -s {signal} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        assert!(sent.success(), "{kill}");
    }

    fn end(&mut self) -> Ended {
        let status = until("the end", || self.child.try_wait().expect("a status"));
        Ended { code: status.code(), out: self.output(), err: self.read("err") }
    }

    /// What it has printed so far.
    fn output(&self) -> String {
        self.read("out")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("text")
    }

    /// What is in its temporary folder.
    fn left_behind(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder.path().join("temporary")).expect("a folder");
        entries.map(|it| it.expect("an entry").path()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    /// The one line of a command that was refused.
    fn refusal(&self) -> &str {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        self.err.trim_end()
    }
}

impl Server {
    fn url(&self) -> &str {
        self.local["url"].as_str().expect("an address")
    }

    fn get(&self, path: &str) -> (u16, Value) {
        get(&format!("{}{path}", self.url()), None)
    }

    /// The name of a company; `None` where it is not found.
    fn name_of(&self, uid: &str) -> Option<String> {
        let (status, company) = self.get(&format!("/v1/companies/{uid}"));
        (status != 404).then(|| company["name"].as_str().expect("a name").to_owned())
    }

    /// The numbers of the companies that a search finds.
    fn found(&self, search: &str) -> Vec<String> {
        let (_, list) = self.get(&format!("/v1/companies?search={search}"));
        let items = list["items"].as_array().expect("items").iter();
        items.map(|it| it["uid"].as_str().expect("a number").to_owned()).collect()
    }
}

/// Asks for an address as curl does, and reads the answer whole.
fn get(url: &str, key: Option<&str>) -> (u16, Value) {
    let (host, path) = host_and_path(url);
    let token = key.map(|it| format!("Authorization: Bearer {it}\r\n")).unwrap_or_default();
    let mut connection = TcpStream::connect(host).expect("a connection");
    connection.set_read_timeout(Some(PATIENCE)).expect("set");
    write!(connection, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{token}\r\n")
        .expect("written");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
    (status, serde_json::from_str(body).expect("JSON"))
}

fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").expect("an address");
    rest.split_once('/').unwrap_or((rest, ""))
}

/// An invented record of the commercial register, with what every one has.
fn record(uid: &str, name: &str) -> String {
    json!({"uid": uid, "name": name, "canton": "UR", "sogcDate": "2026-03-24"}).to_string()
}

fn write(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("written");
    text(&path).to_owned()
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of characters")
}

/// How long a machine that has much else to do may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Looks until there is something to see.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
