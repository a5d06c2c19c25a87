//! The machine and the resources that processes use.

use std::{fs, path::Path, process::Command, time::Duration};

use jiff::{Timestamp, tz::TimeZone};

use crate::Error;

/// The current time.
#[expect(clippy::disallowed_methods, reason = "the measurements are the outermost code")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The line above the tables: date, processor, memory, compiler and load before the run.
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
    let today = now().to_zoned(TimeZone::system()).date();
    Ok(format!(
        "Measured on {today}: {cpu}, {cores} cores, {memory:.0} GiB, rustc {rustc}; load before the run {load}."
    ))
}

/// Memory of a process, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Heap and stacks.
    pub(crate) own: f64,
    /// Mapped files such as the indexes. The kernel can reclaim these pages.
    pub(crate) files: f64,
    /// Peak of both together.
    pub(crate) peak: f64,
}

/// The memory of a process, given by its id or as `self`.
pub(crate) fn memory(process: &str) -> Result<Memory, Error> {
    let status = fs::read_to_string(Path::new("/proc").join(process).join("status"))?;
    let bytes = |name| kilobytes(&status, name) * 1_024.0;
    Ok(Memory { own: bytes("RssAnon"), files: bytes("RssFile"), peak: bytes("VmHWM") })
}

/// Resets the peak memory of a process; see `clear_refs` in `proc(5)`.
pub(crate) fn reset_peak(process: &str) -> Result<(), Error> {
    Ok(fs::write(Path::new("/proc").join(process).join("clear_refs"), "5")?)
}

/// Processor time that a process has used so far.
pub(crate) fn cpu_time(process: u32) -> Result<Duration, Error> {
    /// The unit of `/proc/PID/stat`: hundredths of a second on common Linux systems.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The program name is in parentheses and may contain spaces.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
    Ok(TICK * ticks.sum::<Result<u32, _>>()?)
}

/// Processor time that all threads of this process have used so far.
pub(crate) fn own_cpu_time() -> Result<Duration, Error> {
    // Without this, the kernel adds the time of the running thread at the next tick only.
    std::thread::yield_now();
    let mut nanoseconds = 0;
    for thread in fs::read_dir("/proc/self/task")? {
        // The first number is the time on a processor; see `schedstat` in `proc(5)`.
        let Ok(statistics) = fs::read_to_string(thread?.path().join("schedstat")) else {
            // The thread has ended meanwhile.
            continue;
        };
        nanoseconds += statistics.split(' ').next().unwrap_or_default().parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanoseconds))
}

/// Restricts every thread of a process to these cores, such as `0` or `0-1`.
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
