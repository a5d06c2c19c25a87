//! A data directory: what lies in it, and who holds it.
//!
//! | File | What it is |
//! |---|---|
//! | `dynamodb.sqlite`, `s3/` | the tables and the bucket |
//! | `registry.json` | written when the register is whole: without it, it is made anew |
//! | `keys.json` | the keys of the four teams, for this machine's eyes |
//! | `local.json` | where the server is; there while it is ready, and only then |
//! | `lock` | held by whoever works on the directory |

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Stop, teams::Keys};

/// A directory that this process holds; it is let go when this is dropped.
pub struct Directory {
    path: PathBuf,
    _lock: File,
}

/// What `registry.json` says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RegistryMarker {
    /// How many companies the demo put in.
    pub companies: usize,
    /// Whether the generation holds all that the registry holds. Not while something is imported.
    pub published: bool,
}

/// What `local.json` says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Local {
    /// The address of the API, ending in `/api`.
    pub url: String,
    pub keys: Keys,
    pub endpoints: Endpoints,
    /// The generation that is served.
    pub generation: String,
}

/// The emulators' addresses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Endpoints {
    pub dynamodb: String,
    pub s3: String,
    pub sqs: String,
}

const REGISTRY: &str = "registry.json";
const KEYS: &str = "keys.json";
const LOCAL: &str = "local.json";
const LOCK: &str = "lock";

impl Directory {
    /// Takes hold of a directory, which is made if it is not there.
    pub fn hold(path: &Path) -> Result<Self, Stop> {
        let because = |it: std::io::Error| Stop::because(&path.to_string_lossy(), it);
        std::fs::create_dir_all(path).map_err(because)?;
        // What is not ours is not written into, and never emptied.
        let is_empty = std::fs::read_dir(path).map_err(because)?.next().is_none();
        if !is_empty && !path.join(LOCK).exists() {
            return Err(Stop(format!("{} holds other things than a register", path.display())));
        }
        let lock = File::create(path.join(LOCK)).map_err(because)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Stop(format!("a server holds {}: stop it first", path.display())));
            }
            Err(TryLockError::Error(error)) => return Err(because(error)),
        }
        let directory = Self { path: path.to_owned(), _lock: lock };
        // Left by a server that was killed: it is not ready any more.
        directory.remove(LOCAL)?;
        Ok(directory)
    }

    /// What a server says that holds a directory and is ready.
    pub fn local(path: &Path) -> Result<Option<Local>, Stop> {
        read(&path.join(LOCAL))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a whole register lies here.
    pub fn registry(&self) -> Result<Option<RegistryMarker>, Stop> {
        read(&self.path.join(REGISTRY))
    }

    pub fn keys(&self) -> Result<Option<Keys>, Stop> {
        read(&self.path.join(KEYS))
    }

    pub fn put_registry(&self, marker: &RegistryMarker) -> Result<(), Stop> {
        self.write(REGISTRY, marker)
    }

    pub fn put_keys(&self, keys: &Keys) -> Result<(), Stop> {
        self.write(KEYS, keys)
    }

    /// Says that the server is ready.
    pub fn announce(&self, local: &Local) -> Result<PathBuf, Stop> {
        self.write(LOCAL, local)?;
        Ok(self.path.join(LOCAL))
    }

    /// Says that it is not ready any more.
    pub fn withdraw(&self) -> Result<(), Stop> {
        self.remove(LOCAL)
    }

    /// Empties the directory, but for the lock.
    pub fn reset(&self) -> Result<(), Stop> {
        let because = |it: std::io::Error| Stop::because(&self.path.to_string_lossy(), it);
        // The marker goes first: a reset that is interrupted must not leave half a register.
        for name in [REGISTRY, KEYS, LOCAL] {
            self.remove(name)?;
        }
        for suffix in ["", "-wal", "-shm"] {
            self.remove(&format!("dynamodb.sqlite{suffix}"))?;
        }
        let bucket = self.path.join("s3");
        if bucket.exists() {
            std::fs::remove_dir_all(bucket).map_err(because)?;
        }
        Ok(())
    }

    /// Whole or not at all, and for the owner only: there are keys among them.
    fn write(&self, name: &str, value: &impl Serialize) -> Result<(), Stop> {
        let (partial, path) = (self.path.join(format!("{name}.partial")), self.path.join(name));
        let because =
            |it: &dyn std::fmt::Display| Stop::because(&path.to_string_lossy(), it.to_string());
        let json = serde_json::to_vec_pretty(value).map_err(|it| because(&it))?;
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&partial).map_err(|it| because(&it))?;
        std::io::Write::write_all(&mut file, &json).map_err(|it| because(&it))?;
        std::fs::rename(&partial, &path).map_err(|it| because(&it))
    }

    fn remove(&self, name: &str) -> Result<(), Stop> {
        match std::fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Stop::because(name, error))
            }
            _ => Ok(()),
        }
    }
}

/// `None` where there is no such file. One that cannot be read is not none: what it marks must not be
/// made anew over what lies there.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Stop> {
    let because =
        |it: &dyn std::fmt::Display| Stop::because(&path.to_string_lossy(), it.to_string());
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|it| because(&it)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(because(&error)),
    }
}
