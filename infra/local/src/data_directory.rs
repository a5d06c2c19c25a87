//! A data directory: its files, and its lock.
//!
//! | File | Contents |
//! |---|---|
//! | `dynamodb.sqlite`, `s3/` | the tables and the bucket |
//! | `registry.json` | written once the register is complete; without it, the next start loads a new one |
//! | `keys.json` | the API keys of the four teams |
//! | `session-secret` | the secret from which the key of session tokens is derived |
//! | `outbox/` | the mails, as files `*.eml` |
//! | `local.json` | the address of the server and its keys; exists only while the server is ready |
//! | `lock` | locked by the process that uses the directory |

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use auth::{OneTimeToken, Secret};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{CommandError, Context, cloud::Endpoints, teams::Keys};

/// A data directory that this process has locked. Dropping it releases the lock.
pub struct DataDirectory {
    path: PathBuf,
    _lock: File,
}

/// The content of `registry.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RegistryMarker {
    /// Number of demo companies that were loaded.
    pub companies: usize,
    /// Whether the published generation contains everything in the registry. `false` during an import.
    pub published: bool,
}

/// The content of `local.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServerInfo {
    /// The address of the API, ending in `/api`.
    pub url: String,
    pub keys: Keys,
    pub endpoints: Endpoints,
    /// Id of the generation that the server started with.
    pub generation: String,
}

const REGISTRY: &str = "registry.json";
const KEYS: &str = "keys.json";
const SESSION_SECRET: &str = "session-secret";
const WEBHOOK_SECRET: &str = "webhook-secret";
const SSO_SECRET: &str = "sso-secret";
const API_KEY_SECRET: &str = "api-key-secret";
const OUTBOX: &str = "outbox";
const SERVER_INFO: &str = "local.json";
const LOCK: &str = "lock";

impl DataDirectory {
    /// Locks a directory, and creates it if it does not exist.
    pub fn lock(path: &Path) -> Result<Self, CommandError> {
        std::fs::create_dir_all(path).context(path.display())?;
        // Never write into a directory that holds other files: `reset` would delete them.
        let is_empty = std::fs::read_dir(path).context(path.display())?.next().is_none();
        if !is_empty && !path.join(LOCK).exists() {
            return Err(CommandError(format!(
                "{} is not a data directory; choose an empty or a new directory",
                path.display()
            )));
        }
        let lock = File::create(path.join(LOCK)).context(path.display())?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CommandError(format!(
                    "another process uses {}; stop it first",
                    path.display()
                )));
            }
            Err(TryLockError::Error(error)) => {
                return Err(CommandError::new(path.display(), error));
            }
        }
        let directory = Self { path: path.to_owned(), _lock: lock };
        // A server that was killed leaves this file.
        directory.remove(SERVER_INFO)?;
        Ok(directory)
    }

    /// Locks a directory that must already contain a register.
    pub fn lock_existing(path: &Path) -> Result<(Self, RegistryMarker), CommandError> {
        let here = path.display();
        if !path.is_dir() {
            return Err(CommandError(format!(
                "{here} is not a directory; create a register with `cargo run -- --data {here}`"
            )));
        }
        let directory = Self::lock(path)?;
        match directory.registry()? {
            Some(marker) => Ok((directory, marker)),
            None => Err(CommandError(format!(
                "{here} contains no register; create one with `cargo run -- --data {here}`"
            ))),
        }
    }

    /// The server that uses this directory; an error if none is ready.
    pub fn running_server(path: &Path) -> Result<ServerInfo, CommandError> {
        Self::server_info(path)?.ok_or_else(|| {
            let here = path.display();
            CommandError(format!(
                "no server is running on {here}; start one with `cargo run -- --data {here}`"
            ))
        })
    }

    /// The server that uses this directory now. `None`: no process does, or the server is not ready.
    pub fn server_using(path: &Path) -> Result<Option<ServerInfo>, CommandError> {
        let Ok(lock) = File::open(path.join(LOCK)) else { return Ok(None) };
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Self::server_info(path),
            _ => Ok(None),
        }
    }

    /// The content of `local.json`; `None` until the server is ready.
    pub fn server_info(path: &Path) -> Result<Option<ServerInfo>, CommandError> {
        read(&path.join(SERVER_INFO))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The marker of a completely loaded register.
    pub fn registry(&self) -> Result<Option<RegistryMarker>, CommandError> {
        read(&self.path.join(REGISTRY))
    }

    pub fn keys(&self) -> Result<Option<Keys>, CommandError> {
        read(&self.path.join(KEYS))
    }

    pub fn put_registry(&self, marker: &RegistryMarker) -> Result<(), CommandError> {
        self.write(REGISTRY, marker)
    }

    pub fn put_keys(&self, keys: &Keys) -> Result<(), CommandError> {
        self.write(KEYS, keys)
    }

    /// The secret of the session tokens. The first call creates it.
    pub fn session_secret(&self) -> Result<Secret, CommandError> {
        self.secret(SESSION_SECRET)
    }

    /// The secret of the keys of webhooks. The first call creates it.
    pub fn webhook_secret(&self) -> Result<Secret, CommandError> {
        self.secret(WEBHOOK_SECRET)
    }

    /// The secret that encrypts the client secrets of single sign-on. The first call creates it.
    pub fn sso_secret(&self) -> Result<Secret, CommandError> {
        self.secret(SSO_SECRET)
    }

    /// The secret with which verified API keys are remembered. The first call creates it.
    pub fn api_key_secret(&self) -> Result<Secret, CommandError> {
        self.secret(API_KEY_SECRET)
    }

    fn secret(&self, name: &str) -> Result<Secret, CommandError> {
        let path = self.path.join(name);
        match std::fs::read_to_string(&path) {
            Ok(secret) => Ok(Secret::new(secret)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // As random as a token that is used once.
                let secret = OneTimeToken::generate();
                self.write_bytes(name, secret.expose().as_bytes())?;
                Ok(Secret::new(secret.expose().to_owned()))
            }
            Err(error) => Err(CommandError::new(path.display(), error)),
        }
    }

    /// The directory of the mails.
    pub fn outbox(&self) -> PathBuf {
        self.path.join(OUTBOX)
    }

    /// The environment variables with which a function uses the secrets and the mails of this directory.
    pub fn environment(path: &Path) -> [(&'static str, String); 5] {
        let file = |name| path.join(name).display().to_string();
        [
            ("SESSION_SECRET_FILE", file(SESSION_SECRET)),
            ("WEBHOOK_SECRET_FILE", file(WEBHOOK_SECRET)),
            ("SSO_SECRET_FILE", file(SSO_SECRET)),
            ("API_KEY_SECRET_FILE", file(API_KEY_SECRET)),
            ("MAIL_OUTBOX", file(OUTBOX)),
        ]
    }

    /// Writes `local.json`: the server is ready. Returns the path of the file.
    pub fn put_server_info(&self, server: &ServerInfo) -> Result<PathBuf, CommandError> {
        self.write(SERVER_INFO, server)?;
        Ok(self.path.join(SERVER_INFO))
    }

    /// Removes `local.json`: the server is stopping.
    pub fn remove_server_info(&self) -> Result<(), CommandError> {
        self.remove(SERVER_INFO)
    }

    /// Deletes everything except the lock.
    pub fn reset(&self) -> Result<(), CommandError> {
        // The marker first: an interrupted reset must not leave an incomplete register with a marker.
        for name in [
            REGISTRY,
            KEYS,
            SESSION_SECRET,
            WEBHOOK_SECRET,
            SSO_SECRET,
            API_KEY_SECRET,
            SERVER_INFO,
        ] {
            self.remove(name)?;
        }
        for suffix in ["", "-wal", "-shm"] {
            self.remove(&format!("dynamodb.sqlite{suffix}"))?;
        }
        for name in ["s3", OUTBOX] {
            let directory = self.path.join(name);
            if directory.exists() {
                std::fs::remove_dir_all(&directory).context(directory.display())?;
            }
        }
        Ok(())
    }

    /// Writes a file atomically, readable by its owner only: some contain API keys.
    fn write(&self, name: &str, value: &impl Serialize) -> Result<(), CommandError> {
        let json = serde_json::to_vec_pretty(value).context(self.path.join(name).display())?;
        self.write_bytes(name, &json)
    }

    fn write_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), CommandError> {
        let (partial, path) = (self.path.join(format!("{name}.partial")), self.path.join(name));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&partial).context(path.display())?;
        std::io::Write::write_all(&mut file, bytes).context(path.display())?;
        std::fs::rename(&partial, &path).context(path.display())
    }

    fn remove(&self, name: &str) -> Result<(), CommandError> {
        let path = self.path.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(CommandError::new(path.display(), error))
            }
            _ => Ok(()),
        }
    }
}

/// `None` if the file does not exist. A file that cannot be read is an error, not `None`: otherwise the
/// next start would delete the register and load a new one.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, CommandError> {
    match std::fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).context(path.display()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CommandError::new(path.display(), error)),
    }
}
