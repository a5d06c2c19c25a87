//! Shared by tests: every index refuses truncated files; records on this machine need no waiting.

use std::{
    fs,
    path::{Path, PathBuf},
};

use futures_util::FutureExt;

use crate::Error;

/// The result of reading records of files on this machine, which never waits.
pub(crate) fn now<F: Future>(reading: F) -> F::Output {
    reading.now_or_never().expect("files on this machine")
}

/// Truncates every file at many lengths and asserts that opening fails each time.
pub(crate) fn assert_refuses_truncated_files(
    directory: &Path,
    open: impl Fn(&Path) -> Result<(), Error>,
) {
    for file in files_below(directory) {
        let contents = fs::read(&file).expect("contents");
        // A missing line break at the end is not damage.
        let shortest = contents.trim_ascii_end().len();
        let lengths = (0..shortest).filter(|it| *it < 64 || it % 97 == 0 || it + 32 > shortest);
        for length in lengths {
            fs::write(&file, &contents[..length]).expect("written");
            assert!(
                matches!(open(directory), Err(Error::Unreadable { .. })),
                "{} cut to {length}",
                file.display()
            );
        }
        fs::write(&file, contents).expect("written");
    }
    open(directory).expect("the index as it was");
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    let paths = entries.map(|it| it.expect("an entry").path());
    paths.flat_map(|it| if it.is_dir() { files_below(&it) } else { vec![it] }).collect()
}
