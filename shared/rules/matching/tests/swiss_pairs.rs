//! Precision and recall on pairs of Swiss names: persons and companies in four languages.

use matching::{Kind, Name, Prepared, Subject, compare};

fn subject(kind: Kind, name: &str) -> Prepared {
    Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
}

#[test]
fn swiss_names_are_matched() {
    let mut reader = csv::Reader::from_reader(include_str!("swiss_pairs.csv").as_bytes());
    let (mut found, mut right, mut positive) = (0.0, 0.0, 0.0);
    let mut wrong = Vec::new();
    for row in reader.records() {
        let row = row.expect("a CSV row");
        let kind = if &row[0] == "person" { Kind::Person } else { Kind::Organisation };
        let is_match = &row[3] == "true";
        let comparison = compare(&subject(kind, &row[1]), &subject(kind, &row[2]));
        found += f64::from(comparison.is_match());
        right += f64::from(comparison.is_match() && is_match);
        positive += f64::from(is_match);
        if comparison.is_match() != is_match {
            wrong.push(format!(
                "{:.4} {} | {} ({}; match: {is_match})",
                comparison.score, &row[1], &row[2], &row[4]
            ));
        }
    }
    let f1 = 2.0 * right / (found + positive);
    println!("F1 {f1:.3}; wrong:\n{}", wrong.join("\n"));
    assert!(f1 >= 0.95, "F1 {f1:.3}; wrong:\n{}", wrong.join("\n"));
}
