//! The folder for temporary files: downloads of readers, and builds.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::TempDir;

/// Start of the names of all folders that are created in it.
const PREFIX: &str = "published-";

/// A folder for temporary files, whose space killed processes must not take up for ever: Lambda keeps `/tmp` when it
/// stops a process. Every process that uses the folder holds a shared lock on it until it ends.
pub struct TemporaryFolder {
    path: PathBuf,
    lock: Lock,
}

/// Keeps other processes from deleting what this one creates. `None` if the folder cannot be locked; others then may
/// delete it, but only when they start.
type Lock = Option<Arc<File>>;

/// A folder that is deleted when it is dropped.
#[derive(Debug)]
pub struct TemporaryDirectory {
    directory: TempDir,
    _lock: Lock,
}

impl TemporaryDirectory {
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

impl TemporaryFolder {
    /// Opens an existing folder. If no other process uses it, deletes what earlier processes left in it.
    pub fn open(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let lock = lock_and_clean(&path);
        if let Err(error) = &lock {
            let (path, error) = (path.display(), errors::chain(error));
            tracing::warn!(%path, error, "leftovers in the temporary folder are not deleted");
        }
        Self { path, lock: lock.ok().map(Arc::new) }
    }

    /// Creates a folder in it. No other process deletes it as a leftover while it is used.
    pub fn create(&self, name: &str) -> io::Result<TemporaryDirectory> {
        let directory = TempDir::with_prefix_in(format!("{PREFIX}{name}-"), &self.path)?;
        Ok(TemporaryDirectory { directory, _lock: self.lock.clone() })
    }
}

/// Deletes leftovers if no other process holds a lock. Returns the folder with a shared lock. The folder itself is locked, so
/// that nothing is left in it.
fn lock_and_clean(folder: &Path) -> io::Result<File> {
    let lock = File::open(folder)?;
    match lock.try_lock() {
        Ok(()) => {
            delete_leftovers(folder)?;
            lock.unlock()?;
        }
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Waits only while another process that starts deletes leftovers.
    lock.lock_shared()?;
    Ok(lock)
}

fn delete_leftovers(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_ours || !entry.file_type()?.is_dir() {
            continue;
        }
        let path = entry.path();
        match fs::remove_dir_all(&path) {
            Ok(()) => tracing::info!(path = %path.display(), "leftover deleted"),
            // It may belong to another user. The others are deleted.
            Err(error) => {
                let error = errors::chain(&error);
                tracing::warn!(path = %path.display(), error, "leftover not deleted");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |it: fs::DirEntry| it.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|it| name(it.expect("an entry"))).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn leftovers_are_deleted_at_start_unless_another_process_uses_the_folder() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path();
        let running = TemporaryFolder::open(path);
        // As a killed process leaves it: not deleted, and the lock released.
        let leftover = running.create("companies").expect("created").directory.keep();
        fs::write(leftover.join("segment"), "bytes").expect("written");
        fs::create_dir(path.join("other")).expect("created");

        let second = TemporaryFolder::open(path);
        assert!(leftover.exists(), "the first process still runs");
        drop((running, second));
        let next = TemporaryFolder::open(path);
        assert_eq!(names(path), ["other"]);
        let used = next.create("build").expect("created");
        assert!(used.path().starts_with(path));
        assert!(names(path).iter().any(|it| it.starts_with(PREFIX)), "the name of leftovers");
        drop(next);
        TemporaryFolder::open(path);
        assert!(used.path().exists(), "a folder in use keeps the lock");
    }

    #[test]
    fn a_folder_that_does_not_exist_is_an_error_only_when_something_is_created() {
        let folder = TempDir::new().expect("a folder");
        let missing = TemporaryFolder::open(folder.path().join("missing"));
        assert!(missing.create("build").is_err());
    }
}
