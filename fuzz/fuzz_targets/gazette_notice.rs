//! No notice text makes `gazette_notice::read` panic: `cargo fuzz run gazette_notice`.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    gazette_notice::read(text);
});
