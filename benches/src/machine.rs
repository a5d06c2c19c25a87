//! The machine, and what its processes use of it.

use std::{fs, path::Path, process::Command, time::Duration};

use jiff::Zoned;

use crate::Error;

/// What stands above the tables: machine, compiler, date, and how busy the machine was already.
pub(crate) fn heading() -> Result<String, Error> {
    let cpu = fs::read_to_string("/proc/cpuinfo")?;
    let cpu = field(&cpu, "model name").unwrap_or("unknown processor").to_owned();
    let cores = std::thread::available_parallelism()?;
    let memory = fs::read_to_string("/proc/meminfo")?;
    let memory = kilobytes(&memory, "MemTotal") / 1_048_576.0;
    let rustc = Command::new("rustc").arg("--version").output()?.stdout;
    let rustc = String::from_utf8(rustc)?;
    let rustc = rustc.split(' ').nth(1).unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg")?;
    let load = load.split(' ').next().unwrap_or_default();
    let today = Zoned::now().date();
    Ok(format!(
        "Measured on {today}: {cpu}, {cores} cores, {memory:.0} GiB, rustc {rustc}; load before the run {load}."
    ))
}

/// What a process keeps in memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Its own: heap and stacks.
    pub(crate) own: f64,
    /// Of mapped files, the index among them: the kernel may take it back.
    pub(crate) files: f64,
    /// The most there ever was of both.
    pub(crate) peak: f64,
}

/// The memory of a process; of this one for `self`.
pub(crate) fn memory(process: &str) -> Result<Memory, Error> {
    let status = fs::read_to_string(Path::new("/proc").join(process).join("status"))?;
    let bytes = |name| kilobytes(&status, name) * 1_024.0;
    Ok(Memory { own: bytes("RssAnon"), files: bytes("RssFile"), peak: bytes("VmHWM") })
}

/// Measures the most memory of a process from now on: `proc(5)`, `clear_refs`.
pub(crate) fn forget_peak(process: &str) -> Result<(), Error> {
    Ok(fs::write(Path::new("/proc").join(process).join("clear_refs"), "5")?)
}

/// How long a process has kept cores busy so far.
pub(crate) fn cpu_time(process: u32) -> Result<Duration, Error> {
    /// Linux tells it in hundredths of a second on every machine we know.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name of the program, in parentheses, may hold spaces.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
    Ok(TICK * ticks.sum::<Result<u32, _>>()?)
}

/// Keeps every thread of a process on these cores, such as `0` or `0-1`.
pub(crate) fn pin(process: u32, cores: &str) -> Result<(), Error> {
    let pinned = Command::new("taskset")
        .args(["--all-tasks", "--cpu-list", "--pid", cores, &process.to_string()])
        .output()?;
    if !pinned.status.success() {
        return Err(format!("taskset: {}", String::from_utf8_lossy(&pinned.stderr)).into());
    }
    Ok(())
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|it| it.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim())
}

fn kilobytes(text: &str, name: &str) -> f64 {
    let number = field(text, name).and_then(|it| it.split(' ').next());
    number.and_then(|it| it.parse().ok()).unwrap_or_default()
}
