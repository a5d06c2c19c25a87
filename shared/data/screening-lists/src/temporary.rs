//! Temporary files, whose space killed processes must not take up for ever: Lambda keeps `/tmp` when it stops a process.

use std::{fs, io, path::Path, sync::Once, time::Duration};

use tempfile::NamedTempFile;

/// Start of the names of the files.
const PREFIX: &str = "screening-list-";
/// Age from which on a file is a leftover. No import takes that long, so other processes can use the same folder.
const LEFTOVER: Duration = Duration::from_secs(60 * 60);

/// A new file in the folder for temporary files. The first one of a process deletes the leftovers of others.
pub(crate) fn file() -> io::Result<NamedTempFile> {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        if let Err(error) = delete_leftovers(&std::env::temp_dir()) {
            tracing::warn!(error = errors::chain(&error), "leftovers of lists are not deleted");
        }
    });
    tempfile::Builder::new().prefix(PREFIX).tempfile()
}

fn delete_leftovers(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Another process may delete it meanwhile.
        let age = || entry.metadata().and_then(|it| it.modified()).ok()?.elapsed().ok();
        if is_ours && age().is_some_and(|it| it > LEFTOVER) && fs::remove_file(entry.path()).is_ok()
        {
            tracing::info!(path = %entry.path().display(), "leftover deleted");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_files_of_lists_are_deleted_and_no_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let create = |name: &str, hours: u64| {
            let file = fs::File::create(folder.path().join(name)).expect("created");
            let created = file.metadata().and_then(|it| it.modified()).expect("a time");
            file.set_modified(created - Duration::from_secs(hours * 3600)).expect("set");
        };
        create("screening-list-abandoned", 2);
        create("screening-list-in-use", 0);
        create("of-somebody-else", 2);
        delete_leftovers(folder.path()).expect("a folder");
        let entries = fs::read_dir(folder.path()).expect("a folder");
        let mut left: Vec<_> = entries.map(|it| it.expect("an entry").file_name()).collect();
        left.sort();
        assert_eq!(left, ["of-somebody-else", "screening-list-in-use"]);
        assert!(delete_leftovers(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn files_have_the_name_of_leftovers() {
        let file = file().expect("a file");
        let name = file.path().file_name().expect("a name").to_string_lossy().into_owned();
        assert!(name.starts_with(PREFIX), "{name}");
    }
}
