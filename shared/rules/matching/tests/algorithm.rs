//! A change of scores needs a new [`ALGORITHM`]: stored evidence names the version with which its scores were computed.

use std::fmt::Write;

use matching::{
    ALGORITHM, Candidates, Identifier, Kind, Name, PartialDate, Prepared, Subject, compare, explain,
};
use sha2::{Digest, Sha256};

/// The version, and the hash of the scores below. After a change of the scores: another version, and its hash.
const SCORES: (&str, &str) = ("gotthard-names-14", "357323cc30711c2f");

fn named(kind: Kind, name: &str) -> Subject {
    Subject { kind, names: vec![Name::new(name)], ..Subject::default() }
}

/// Subjects with and without each kind of evidence.
fn with_evidence() -> Vec<Subject> {
    let anna = named(Kind::Person, "Anna Muster");
    let number = |scheme: &str, value: &str| {
        vec![Identifier { scheme: scheme.to_owned(), value: value.to_owned() }]
    };
    let born = |date| Subject { birth_dates: vec![date], ..anna.clone() };
    let from = |code: &str| Subject { countries: vec![code.to_owned()], ..anna.clone() };
    let mut weak = anna.clone();
    weak.names[0].weak = true;
    vec![
        born(PartialDate::year(1970)),
        born(PartialDate::year(1971)),
        born(PartialDate::month(1970, 5)),
        born(PartialDate::day(1970, 5, 9)),
        born(PartialDate::day(1970, 9, 5)),
        born(PartialDate::day(1952, 1, 1)),
        from("CH"),
        from("DE"),
        Subject { identifiers: number("passport", "X1234567"), ..anna.clone() },
        Subject { identifiers: number("passport", "X1234567"), ..from("CH") },
        Subject { identifiers: number("passport", "Y7654321"), ..from("DE") },
        Subject { identifiers: number("national-id", "A1"), ..anna.clone() },
        Subject { identifiers: number("national-id", "B2"), ..anna.clone() },
        Subject {
            identifiers: [number("passport", "X1234567"), number("national-id", "B2")].concat(),
            ..anna.clone()
        },
        Subject { identifiers: number("uid", "CHE-105.909.036"), ..anna.clone() },
        Subject { identifiers: number("uid", "CHE-105909036"), ..named(Kind::Other, "Beta AG") },
        named(Kind::Vessel, "Anna Muster"),
        Subject { identifiers: number("imo", "IMO 9074729"), ..named(Kind::Vessel, "Beta Star") },
        Subject { identifiers: number("imo", "9074729"), ..named(Kind::Vessel, "Gamma Sun") },
        weak,
        anna,
    ]
}

#[test]
fn scores_change_only_with_the_version() {
    let mut scores = String::new();
    let mut add = |one: &Subject, other: &Subject| {
        let (one, other) = (Prepared::new(one), Prepared::new(other));
        let explained = explain(&one, &other);
        let reasons =
            explained.reasons.iter().map(|it| format!("{:?} {:.3}", it.feature, it.score));
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        // Nine decimals are answered; the last ones may differ with the mathematics of another processor.
        let score = compare(&one, &other).score;
        writeln!(scores, "{score:.5} {:.5} {reasons}", explained.comparison.name_score)
            .expect("memory");
    };
    let (mut queries, mut listed) = (Vec::new(), Vec::new());
    for row in csv::Reader::from_reader(include_str!("swiss_pairs.csv").as_bytes()).records() {
        let row = row.expect("a CSV row");
        let kind = if &row[0] == "person" { Kind::Person } else { Kind::Organisation };
        add(&named(kind, &row[1]), &named(kind, &row[2]));
        queries.push(Prepared::new(&named(kind, &row[1])));
        listed.push(Prepared::new(&named(kind, &row[2])));
    }
    let subjects = with_evidence();
    for (at, one) in subjects.iter().enumerate() {
        for other in &subjects[at..] {
            add(one, other);
        }
    }
    // Which entries are compared, and in which order.
    let candidates = Candidates::new(&listed);
    for query in &queries {
        writeln!(scores, "{:?}", candidates.find(query)).expect("memory");
    }
    let hash = &hex::encode(Sha256::digest(&scores))[..16];
    assert_eq!((ALGORITHM, hash), SCORES, "the scores:\n{scores}");
}
