//! Checks that reading a file of any screening list never panics: `cargo fuzz run list_files`. The first byte selects the
//! format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sources::lists::{ListFormat, read_bytes};

fuzz_target!(|input: (u8, &[u8])| {
    let (selected, bytes) = input;
    let format = ListFormat::ALL[usize::from(selected) % ListFormat::ALL.len()];
    if let Ok(file) = read_bytes(format, bytes) {
        for entry in file.entries {
            let _ = entry.digest();
        }
    }
});
