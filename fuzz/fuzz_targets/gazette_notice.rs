//! Checks that the reader of notice texts never panics: `cargo fuzz run gazette_notice`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gazette_notice::read(text);
});
