//! Names in two spellings, written by somebody who had not seen this crate: see the head of the file.

use screening::{Candidates, Kind, Name, Prepared, Subject, THRESHOLD, compare};

const PAIRS: &str = include_str!("transcribed_names.tsv");

/// The least share of pairs that are found, by the comparison and by the index.
const FOUND: f64 = 0.95;

fn subject(kind: Kind, name: &str) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
}

struct Pair {
    language: &'static str,
    kind: Kind,
    listed: &'static str,
    typed: &'static str,
}

fn pairs() -> Vec<Pair> {
    let lines = PAIRS.lines().filter(|it| !it.starts_with('#'));
    let pairs = lines.map(|line| {
        let [language, kind, listed, typed] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line:?}")
        };
        let kind = if kind == "person" { Kind::Person } else { Kind::Organisation };
        Pair { language, kind, listed, typed }
    });
    pairs.collect()
}

#[test]
fn names_are_found_in_another_transcription() {
    let pairs = pairs();
    assert_eq!(pairs.len(), 300);
    let lost: Vec<String> = pairs
        .iter()
        .filter_map(|it| {
            let (typed, listed) = (subject(it.kind, it.typed), subject(it.kind, it.listed));
            let score = compare(&typed, &listed).score;
            let is_candidate = Candidates::new([&listed]).find(&typed) == [0];
            (score < THRESHOLD || !is_candidate).then(|| {
                let why = if is_candidate { "" } else { " no candidate" };
                format!("{}: {} / {} {score:.2}{why}", it.language, it.listed, it.typed)
            })
        })
        .collect();
    let found = 1.0 - lost.len() as f64 / pairs.len() as f64;
    assert!(found >= FOUND, "{found:.3}\n{}", lost.join("\n"));
}

#[test]
fn other_names_are_not_found() {
    let pairs = pairs();
    let listed: Vec<_> = pairs.iter().map(|it| subject(it.kind, it.listed)).collect();
    let typed: Vec<_> = pairs.iter().map(|it| subject(it.kind, it.typed)).collect();
    let mut wrong = Vec::new();
    for (one, query) in pairs.iter().zip(&typed) {
        for (other, entry) in pairs.iter().zip(&listed) {
            if one.listed != other.listed && one.kind == other.kind {
                let score = compare(query, entry).score;
                if score >= THRESHOLD {
                    wrong.push(format!("{score:.3} {} / {}", one.typed, other.listed));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
