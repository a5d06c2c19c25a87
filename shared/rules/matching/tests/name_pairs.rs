//! Precision and recall on labelled pairs of names.
//!
//! `NAME_PAIRS=shared/data/names.csv cargo test -p matching --release --test name_pairs -- --ignored --nocapture` reads
//! a CSV with the columns `schema,name1,name2,is_match,quality,category,reference_score`; its path is absolute or
//! relative to the root of the workspace.

use std::path::Path;

use matching::{Kind, Name, Prepared, Subject, THRESHOLD, compare};

/// A labelled pair and its score.
struct Scored {
    row: csv::StringRecord,
    is_match: bool,
    is_strong: bool,
    /// In the half on which the matcher was developed.
    is_development: bool,
    score: f64,
    reference: f64,
}

fn subject(kind: Kind, name: &str) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
}

fn kind(schema: &str) -> Kind {
    match schema.to_ascii_lowercase().as_str() {
        "person" => Kind::Person,
        "company" | "organization" | "organisation" => Kind::Organisation,
        "vessel" => Kind::Vessel,
        _ => Kind::Other,
    }
}

/// FNV-1a, so that the halves never change.
fn half(name1: &str, name2: &str) -> u64 {
    let pair = format!("{name1}|{name2}");
    let hash = pair.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash >> 20 & 1
}

fn read(path: &Path) -> Vec<Scored> {
    let mut reader =
        csv::Reader::from_path(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = reader.records().map(|it| it.expect("a CSV row"));
    rows.map(|row| {
        let kind = kind(&row[0]);
        let score = compare(&subject(kind, &row[1]), &subject(kind, &row[2])).score;
        Scored {
            is_match: &row[3] == "true",
            is_strong: row.get(4) == Some("STRONG"),
            is_development: half(&row[1], &row[2]) == 0,
            reference: row.get(6).and_then(|it| it.parse().ok()).unwrap_or_default(),
            row,
            score,
        }
    })
    .collect()
}

/// Precision, recall and F1.
fn quality<'a>(
    pairs: impl IntoIterator<Item = &'a Scored>,
    score: impl Fn(&Scored) -> f64,
) -> (f64, f64, f64) {
    let (mut found, mut right, mut positive) = (0.0, 0.0, 0.0);
    for it in pairs {
        let is_found = score(it) >= THRESHOLD;
        found += f64::from(is_found);
        right += f64::from(is_found && it.is_match);
        positive += f64::from(it.is_match);
    }
    (right / found, right / positive, 2.0 * right / (found + positive))
}

#[test]
#[ignore = "needs NAME_PAIRS=<a CSV of labelled pairs of names>"]
#[expect(clippy::disallowed_methods, reason = "the data is not in the repository")]
fn name_pairs() {
    let path = std::env::var("NAME_PAIRS").expect("NAME_PAIRS names a CSV");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    let pairs = read(&path);
    for (name, is_in) in
        [("development half", Some(true)), ("blind half", Some(false)), ("all", None)]
    {
        let half = || pairs.iter().filter(|it| is_in.is_none_or(|half| it.is_development == half));
        let (precision, recall, f1) = quality(half(), |it| it.score);
        let (_, _, reference) = quality(half(), |it| it.reference);
        println!(
            "{name}: {} pairs, precision {precision:.3}, recall {recall:.3}, F1 {f1:.3} (reference {reference:.3})",
            half().count()
        );
    }
    // Only of the half on which the matcher is developed: who reads the others develops on them.
    for it in pairs.iter().filter(|it| it.is_development && it.is_match != (it.score >= THRESHOLD))
    {
        println!("wrong: {:.4} {:?}", it.score, it.row.iter().take(5).collect::<Vec<_>>());
    }
    let strong = pairs.iter().filter(|it| it.is_strong && it.is_match != (it.score >= THRESHOLD));
    println!("wrong STRONG cases: {}", strong.count());
    let mut scores: Vec<f64> =
        pairs.iter().map(|it| it.score).filter(|it| *it >= THRESHOLD).collect();
    scores.sort_by(f64::total_cmp);
    let top = scores.last().copied().unwrap_or_default();
    let ties = scores.iter().filter(|it| **it == top).count();
    println!("pairs with the highest score {top}: {ties} of {} matches", scores.len());
    let (_, _, f1) = quality(&pairs, |it| it.score);
    assert!(f1 >= 0.88, "F1 {f1:.3}");
}
