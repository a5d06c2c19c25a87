//! Classification of invented purposes in four languages, with a floor for its figures.

use domain::{industry::classify, noga};

/// Division and purpose in each line; `-` if the purpose states no activity.
const PURPOSES: &str = include_str!("purposes.tsv");

#[test]
fn purposes_are_classified_with_the_required_accuracy() {
    let mut wrong = Vec::new();
    let (mut stated, mut division, mut section, mut classified) = (0.0, 0.0, 0.0, 0.0);
    for (expected, purpose) in PURPOSES.lines().filter_map(|it| it.split_once('\t')) {
        let found = classify(purpose).map(|it| it.division);
        if expected == "-" {
            assert_eq!(found, None, "{purpose}");
            continue;
        }
        let expected = noga::division(expected).expect("a division");
        stated += 1.0;
        classified += f64::from(u8::from(found.is_some()));
        division += f64::from(u8::from(found == Some(expected)));
        section += f64::from(u8::from(found.is_some_and(|it| it.section == expected.section)));
        if found != Some(expected) {
            wrong.push((expected.code, found.map(|it| it.code), purpose));
        }
    }
    assert!(stated >= 250.0, "{stated}");
    assert!(division / stated >= 0.96, "{division} of {stated}: {wrong:#?}");
    assert!(section / stated >= 0.97, "{section} of {stated}: {wrong:#?}");
    assert!(division / classified >= 0.96, "{division} of {classified}: {wrong:#?}");
}
