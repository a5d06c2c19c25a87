//! Names of persons that are written differently, beside `nomenklatura`: the share of each kind that is found, and of
//! unlisted persons with a hit.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

use invented_names::{Disturbance, People};
use matching::{Candidates, Kind, Prepared, THRESHOLD, compare};
use tempfile::TempDir;

use super::{
    pairs::{python, run},
    subject,
};
use crate::{
    Error,
    samples::{self, row},
};

/// Listed persons of eight regions.
const LISTED: usize = 1_600;
/// Disturbed names of each kind.
const EACH: usize = 250;
/// Persons who are not listed; the other matcher compares as many of them with all listed ones as it can in minutes.
const UNLISTED: usize = 1_000;
const UNLISTED_OF_REFERENCE: usize = 20;
/// The kind of a pair whose first name is that of nobody listed.
const NOBODY: &str = "unlisted, with a hit";

/// Searches each name in the list, and lets the other matcher compare the same names.
pub(super) fn measure() -> Result<(), Error> {
    let mut people = People::new(5);
    let names: Vec<_> = (0..LISTED).map(|at| people.listed(at)).collect();
    let listed: Vec<Prepared> =
        names.iter().map(|it| subject(Kind::Person, &it.join(" "))).collect();
    let index = Candidates::new(&listed);
    let folder = TempDir::new()?;
    let path = folder.path().join("pairs.csv");
    let mut pairs = csv::Writer::from_path(&path)?;
    pairs.write_record(["group", "name", "listed"])?;
    let mut found = BTreeMap::new();
    for disturbance in Disturbance::ALL {
        let of_name = |id: usize| people.disturbed(&names[id], disturbance).map(|it| (id, it));
        let disturbed: Vec<_> =
            (0..).map(|at| at * 7 % LISTED).filter_map(of_name).take(EACH).collect();
        let mut own = 0;
        for (id, name) in &disturbed {
            let query = subject(Kind::Other, name);
            let is_candidate = index.find(&query).contains(&u32::try_from(*id)?);
            own += u32::from(is_candidate && compare(&query, &listed[*id]).score >= THRESHOLD);
            pairs.write_record([&format!("{disturbance:?}"), name, &names[*id].join(" ")])?;
        }
        found.insert(format!("{disturbance:?}"), f64::from(own) / EACH as f64);
    }
    let mut hits = 0;
    for at in 0..UNLISTED {
        let name = people.unlisted(at).join(" ");
        let query = subject(Kind::Other, &name);
        let is_hit = |it: &u32| compare(&query, &listed[*it as usize]).is_match();
        hits += u32::from(index.find(&query).iter().any(is_hit));
        if at < UNLISTED_OF_REFERENCE {
            for other in &names {
                pairs.write_record([NOBODY, &name, &other.join(" ")])?;
            }
        }
    }
    found.insert(NOBODY.to_owned(), f64::from(hits) / UNLISTED as f64);
    pairs.flush()?;
    let reference = reference(&path).unwrap_or_else(|failure| {
        eprintln!("nomenklatura was not measured: {failure}");
        BTreeMap::new()
    });
    samples::header(&["Disturbed names of persons, share found", "Gotthard", "nomenklatura"]);
    for (group, own) in &found {
        let other = reference.get(group).map_or_else(|| "–".to_owned(), |it| format!("{it:.3}"));
        row([group, &format!("{own:.3}"), &other]);
    }
    println!();
    Ok(())
}

/// The share of each group that the other matcher finds.
fn reference(pairs: &Path) -> Result<BTreeMap<String, f64>, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let script: PathBuf = root.join("benches/src/screening/reference_found.py");
    let printed = run(Command::new(python(&root)?).arg(script).arg(pairs))?;
    let line = |it: &str| {
        let (group, share) = it.split_once('\t').ok_or("a group and a share")?;
        Ok::<_, Error>((group.to_owned(), share.parse()?))
    };
    printed.lines().map(line).collect()
}
