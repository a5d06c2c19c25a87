//! Pairs of names, beside `nomenklatura`, the matcher of OpenSanctions.

use std::{
    fs,
    hint::black_box,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use matching::{Kind, compare};

use super::subject;
use crate::{
    Error,
    samples::{microseconds, row},
};

/// The labelled pairs of the repository.
const OWN: &str = "shared/rules/matching/tests/swiss_pairs.csv";
/// How often each pair is compared, because one comparison is short.
const ROUNDS: u32 = 200;

/// Compares each pair, with the preparation of both names, and lets the other matcher do the same.
pub(super) fn measure(labelled: Option<&Path>) -> Result<(), Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join(labelled.unwrap_or(Path::new(OWN)));
    let mut reader = csv::Reader::from_path(&path)?;
    let pairs =
        reader.records().map(|it| it.map(|it| (kind(&it[0]), it[1].to_owned(), it[2].to_owned())));
    let pairs: Vec<(Kind, String, String)> = pairs.collect::<Result<_, _>>()?;
    let started = Instant::now();
    for _ in 0..ROUNDS {
        for (kind, one, other) in &pairs {
            black_box(compare(&subject(*kind, one), &subject(*kind, other)));
        }
    }
    let own = started.elapsed() / (ROUNDS * pairs.len() as u32);
    let prepared: Vec<_> = pairs
        .iter()
        .map(|(kind, one, other)| (subject(*kind, one), subject(*kind, other)))
        .collect();
    let started = Instant::now();
    for _ in 0..ROUNDS {
        for (one, other) in &prepared {
            black_box(compare(one, other));
        }
    }
    let compared = started.elapsed() / (ROUNDS * pairs.len() as u32);
    row([
        &format!("a pair of names, prepared and compared ({} pairs)", pairs.len()),
        &microseconds(own),
    ]);
    row(["the same, names prepared before", &microseconds(compared)]);
    match nomenklatura(&root, &path) {
        Ok(other) => {
            row([
                "the same pairs by nomenklatura, logic-v2, entities made before",
                &microseconds(other),
            ]);
            row(["times faster", &format!("{:.0}", other.as_secs_f64() / own.as_secs_f64())]);
        }
        Err(failure) => eprintln!("nomenklatura was not measured: {failure}"),
    }
    Ok(())
}

/// Time of a pair in the other matcher.
fn nomenklatura(root: &Path, pairs: &Path) -> Result<Duration, Error> {
    let script = root.join("benches/src/screening/reference.py");
    let printed = run(Command::new(python(root)?).arg(script).arg(pairs))?;
    Ok(Duration::from_secs_f64(printed.trim().parse()?))
}

/// The Python of the other matcher, which is installed into `target/figures` if it is not there.
pub(super) fn python(root: &Path) -> Result<PathBuf, Error> {
    let environment = root.join("target/figures/nomenklatura");
    let python: PathBuf = environment.join("bin/python");
    if !python.exists() {
        eprintln!("screening: installing nomenklatura …");
        fs::create_dir_all(&environment)?;
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        // Version 2 of duckdb has no package for every platform.
        let packages = ["nomenklatura==4.17.4", "duckdb<2"];
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    }
    Ok(python)
}

pub(super) fn run(command: &mut Command) -> Result<String, Error> {
    let output = command.output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(String::from_utf8_lossy(&output.stderr).into()),
    }
}

fn kind(schema: &str) -> Kind {
    match schema.to_ascii_lowercase().as_str() {
        "person" => Kind::Person,
        "company" | "organization" | "organisation" => Kind::Organisation,
        "vessel" => Kind::Vessel,
        _ => Kind::Other,
    }
}
