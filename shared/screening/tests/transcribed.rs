//! Names in two spellings, written by somebody who had not seen this crate: see the head of the file.

use screening::{Kind, Name, Prepared, Subject, THRESHOLD, compare};

const PAIRS: &str = include_str!("transcribed_names.tsv");

/// The least share of pairs that are found: what was measured first. The goal is 0.95.
const FOUND: f64 = 0.92;

fn subject(kind: Kind, name: &str) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
}

#[test]
fn names_are_found_in_another_transcription() {
    let lines: Vec<Vec<&str>> = PAIRS
        .lines()
        .filter(|it| !it.starts_with('#'))
        .map(|it| it.split('\t').collect())
        .collect();
    let lost: Vec<String> = lines
        .iter()
        .filter_map(|it| {
            let [language, kind, listed, typed] = it[..] else { panic!("{it:?}") };
            let kind = if kind == "person" { Kind::Person } else { Kind::Organisation };
            let score = compare(&subject(kind, typed), &subject(kind, listed)).score;
            (score < THRESHOLD).then(|| format!("{language}: {listed} / {typed} {score:.2}"))
        })
        .collect();
    let found = 1.0 - lost.len() as f64 / lines.len() as f64;
    assert_eq!(lines.len(), 300);
    assert!(found >= FOUND, "{found:.3}\n{}", lost.join("\n"));
}
