//! Files, requests and waiting.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Names of the API keys in `local.json`.
pub(crate) const KEYS: [&str; 5] = ["free", "starter", "professional", "enterprise", "sandbox"];

/// Long enough for a machine that is busy with other work.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Polls until there is a result.
pub(crate) fn wait_for<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        if let Some(result) = poll() {
            return result;
        }
        assert!(Instant::now() < deadline, "no {what} after {TIMEOUT:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a GET request. Returns the status and the JSON body.
pub(crate) fn get(url: &str, key: Option<&str>) -> (u16, Value) {
    send("GET", url, key, "")
}

/// Sends a request with a JSON body. Returns the status and the JSON body, `null` if there is none.
pub(crate) fn send(method: &str, url: &str, key: Option<&str>, body: &str) -> (u16, Value) {
    let (host, path) = host_and_path(url);
    let mut head = format!("{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    if let Some(key) = key {
        head += &format!("Authorization: Bearer {key}\r\n");
    }
    if !body.is_empty() {
        let length = body.len();
        head += &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
    }
    let mut connection = TcpStream::connect(host).expect("connect");
    connection.set_read_timeout(Some(TIMEOUT)).expect("set the timeout");
    write!(connection, "{head}\r\n{body}").expect("send the request");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("read the answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("head and body");
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
    let body = if body.is_empty() { "null" } else { body };
    (status, serde_json::from_str(body).expect("JSON"))
}

pub(crate) fn host_and_path(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").expect("an http address");
    rest.split_once('/').unwrap_or((rest, ""))
}

/// An invented Zefix record with the required members.
pub(crate) fn zefix_record(uid: &str, name: &str) -> String {
    json!({"uid": uid, "name": name, "canton": "UR", "sogcDate": "2026-03-24"}).to_string()
}

/// Writes a file. Returns its path.
pub(crate) fn write(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("write the file");
    text(&path).to_owned()
}

pub(crate) fn temporary_directory() -> TempDir {
    TempDir::new().expect("create a temporary directory")
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("a UTF-8 path")
}
