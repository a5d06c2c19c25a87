//! Names in two spellings, written by somebody who had not seen this crate: see the head of the file.

use matching::{Candidates, Kind, Name, Prepared, Subject, THRESHOLD, compare};

const FIRST: &str = include_str!("transcribed_names.tsv");
const SECOND: &str = include_str!("transcribed_names_2.tsv");

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

fn pairs(text: &'static str) -> Vec<Pair> {
    let lines = text.lines().filter(|it| !it.starts_with('#'));
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
    are_found(FIRST);
}

#[test]
fn names_of_the_second_set_are_found() {
    are_found(SECOND);
}

fn are_found(text: &'static str) {
    let pairs = pairs(text);
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

/// Persons that both sets name, by the end of what is typed and the end of the entry.
const IN_BOTH: [(&str, &str); 5] = [
    ("Tschernyschow", "Tchernychov"),
    ("Chernyshov", "Чернышёв"),
    ("Scepanovic", "Šćepanović"),
    ("Scepanovic", "Шћепановић"),
    ("Shcherbinin", "Schtscherbinin"),
];

#[test]
fn other_names_are_hardly_ever_found() {
    let pairs: Vec<Pair> = [FIRST, SECOND].into_iter().flat_map(pairs).collect();
    let listed: Vec<_> = pairs.iter().map(|it| subject(it.kind, it.listed)).collect();
    let typed: Vec<_> = pairs.iter().map(|it| subject(it.kind, it.typed)).collect();
    let mut wrong = Vec::new();
    for (one, query) in pairs.iter().zip(&typed) {
        for (other, entry) in pairs.iter().zip(&listed) {
            let is_same = one.listed == other.listed
                || IN_BOTH
                    .iter()
                    .any(|it| one.typed.ends_with(it.0) && other.listed.ends_with(it.1));
            if !is_same && one.kind == other.kind {
                let score = compare(query, entry).score;
                if score >= THRESHOLD {
                    wrong.push(format!("{score:.3} {} / {}", one.typed, other.listed));
                }
            }
        }
    }
    // Of some 300,000 pairs.
    assert!(wrong.len() <= 2, "{}", wrong.join("\n"));
}

#[test]
fn foreign_names_in_greek_letters_are_found() {
    for (kind, listed, typed) in [
        (Kind::Person, "Yusuf Kurgan", "Γιουσούφ Κουργκάν"),
        (Kind::Person, "Yusuf Kurgan", "Γιουσούφ Κουργάν"),
        (Kind::Person, "Yasin Abdullah", "Γιασίν Αμπντουλλάχ"),
        (Kind::Person, "Bayazit Demirdag", "Μπαγιαζίτ Ντεμιρντάγκ"),
        (Kind::Organisation, "Tangrad Trading", "Τανγκράντ Τρέιντινγκ"),
    ] {
        let (typed_name, listed_name) = (subject(kind, typed), subject(kind, listed));
        let score = compare(&typed_name, &listed_name).score;
        let is_candidate = !Candidates::new([&listed_name]).find(&typed_name).is_empty();
        assert!(score >= THRESHOLD && is_candidate, "{typed} | {listed}: {score} {is_candidate}");
    }
}
