//! Checks that reading a file of any source, and folding what it states into a record, never panics:
//! `cargo fuzz run source_files`. The first byte selects the source.

#![no_main]

use domain::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (selected, bytes) = input;
    let source = Source::ALL[usize::from(selected) % Source::ALL.len()];
    if let Ok(batch) = sources::read(source, bytes) {
        let _ = facts::fold(&facts::facts(batch.statements));
    }
});
