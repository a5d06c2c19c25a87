//! The program under test, as a process of its own.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{get, temporary_directory, text, wait_for};

/// A running program with its own temporary directory. Dropping it kills the program.
pub(crate) struct Process {
    child: Child,
    folder: TempDir,
}

/// The exit code and output of a program that has ended.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A server that is ready.
pub(crate) struct Server {
    pub(crate) process: Process,
    /// The content of `local.json`.
    pub(crate) info: Value,
}

/// Runs a command until it ends.
pub(crate) fn run(arguments: &[&str]) -> Output {
    Process::start(arguments).wait()
}

/// Starts a server on a free port, and waits until it is ready.
pub(crate) fn serve(data: &Path, arguments: &[&str]) -> Server {
    let file = data.join("local.json");
    let old = fs::read(&file).ok();
    let always = ["--port", "0", "--data", text(data)];
    let mut process = Process::start(&[&always, arguments].concat());
    let info = wait_for("local.json", || {
        assert!(process.is_running(), "{:?}", process.wait());
        fs::read(&file).ok().filter(|it| old.as_ref() != Some(it))
    });
    Server { process, info: serde_json::from_slice(&info).expect("JSON") }
}

/// A data directory with a register of 0 companies.
pub(crate) fn empty_register() -> TempDir {
    let data = temporary_directory();
    drop(serve(data.path(), &["--companies", "0"]));
    data
}

impl Process {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(arguments, |it| it)
    }

    /// Starts the program, with changes to its environment or streams.
    pub(crate) fn start_with(
        arguments: &[&str],
        change: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Self {
        let folder = temporary_directory();
        let file = |name| File::create(folder.path().join(name)).expect("create a file");
        fs::create_dir(folder.path().join("temporary")).expect("create a directory");
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        command
            .args(arguments)
            .env("TMPDIR", folder.path().join("temporary"))
            .env_remove("RUST_LOG")
            .stdin(Stdio::null())
            .stdout(file("stdout"))
            .stderr(file("stderr"));
        let child = change(&mut command).spawn().expect("start the program");
        Self { child, folder }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("read the status").is_none()
    }

    pub(crate) fn send(&self, signal: &str) {
        let kill = format!("kill -s {signal} {}", self.child.id());
        let sent = Command::new("sh").args(["-c", &kill]).status().expect("run a shell");
        assert!(sent.success(), "{kill}");
    }

    /// Waits until the program ends.
    pub(crate) fn wait(&mut self) -> Output {
        let status = wait_for("end", || self.child.try_wait().expect("read the status"));
        Output { code: status.code(), stdout: self.stdout(), stderr: self.read("stderr") }
    }

    /// The output so far.
    pub(crate) fn stdout(&self) -> String {
        self.read("stdout")
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect("read the output")
    }

    /// The files in its temporary directory.
    pub(crate) fn temporary_files(&self) -> Vec<PathBuf> {
        let entries =
            fs::read_dir(self.folder.path().join("temporary")).expect("list the directory");
        entries.map(|it| it.expect("an entry").path()).collect()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Fails if the program has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Output {
    /// The error message of a command that failed. It must be the only output, on one line.
    pub(crate) fn error(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        self.stderr.trim_end()
    }
}

impl Server {
    /// The address of the API.
    pub(crate) fn url(&self) -> &str {
        self.info["url"].as_str().expect("an address")
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        get(&format!("{}{path}", self.url()), None)
    }

    /// The name of a company; `None` if there is no such company.
    pub(crate) fn company_name(&self, uid: &str) -> Option<String> {
        let (status, company) = self.get(&format!("/v1/companies/{uid}"));
        (status != 404).then(|| company["name"].as_str().expect("a name").to_owned())
    }

    /// The UIDs of the companies that a search finds.
    pub(crate) fn search(&self, text: &str) -> Vec<String> {
        let (_, list) = self.get(&format!("/v1/companies?search={text}"));
        let items = list["items"].as_array().expect("items").iter();
        items.map(|it| it["uid"].as_str().expect("a UID").to_owned()).collect()
    }

    /// The number of companies in the register.
    pub(crate) fn total(&self) -> u64 {
        self.get("/v1/companies").1["total"].as_u64().expect("a total")
    }

    pub(crate) fn stop(&mut self) -> Output {
        self.process.send("TERM");
        self.process.wait()
    }
}
