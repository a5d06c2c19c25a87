//! Checks that comparing two names of any text never panics, gives a score from 0 to 1, and does not depend on their order:
//! `cargo fuzz run names`. The first byte selects the kinds of the subjects.

#![no_main]

use libfuzzer_sys::fuzz_target;
use matching::{Candidates, Kind, Name, Prepared, Subject, compare, explain};

fuzz_target!(|input: (u8, &str, &str)| {
    let (selected, one, other) = input;
    let kinds = [Kind::Person, Kind::Organisation, Kind::Vessel, Kind::Other];
    let subject = |kind: u8, name: &str| {
        let kind = kinds[usize::from(kind) % kinds.len()];
        Prepared::new(&Subject { kind, names: vec![Name::new(name)], ..Subject::default() })
    };
    let (one, other) = (subject(selected, one), subject(selected / 4, other));
    let forwards = explain(&one, &other).comparison;
    assert!((0.0..=1.0).contains(&forwards.score));
    assert_eq!(forwards, compare(&other, &one));
    let index = Candidates::new([&other]);
    assert!(index.find(&one).len() <= 1);
});
