//! Whose turn it is at a host. Holds for one process: to be polite from several, let one fetch.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Mutex as AsyncMutex, OwnedMutexGuard},
    time::{Instant, sleep_until},
};

/// The hosts that were asked, and when each may be asked again.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostLimiter {
    hosts: Arc<Mutex<HashMap<String, Arc<AsyncMutex<Instant>>>>>,
}

/// The right to ask a host. Ends when it is dropped; the pause begins then.
#[derive(Debug)]
pub(crate) struct Turn {
    next: OwnedMutexGuard<Instant>,
    pause: Duration,
}

impl HostLimiter {
    /// Waits until nobody else asks the host and its pause is over.
    pub(crate) async fn turn(&self, host: &str, interval: Duration) -> Turn {
        let host = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            let free = || Arc::new(AsyncMutex::new(Instant::now()));
            hosts.entry(host.to_owned()).or_insert_with(free).clone()
        };
        let next = host.lock_owned().await;
        sleep_until(*next).await;
        Turn { next, pause: interval }
    }
}

impl Turn {
    /// The host wants to be left alone for longer.
    pub(crate) fn pause_for(&mut self, pause: Duration) {
        self.pause = self.pause.max(pause);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *self.next = Instant::now() + self.pause;
    }
}
