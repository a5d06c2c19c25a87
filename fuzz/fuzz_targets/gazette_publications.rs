//! Checks that the reader of publication files never panics: `cargo fuzz run gazette_publications`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = sources::gazette::read(bytes);
});
