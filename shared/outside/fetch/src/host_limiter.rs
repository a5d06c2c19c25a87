//! Limits requests per host within one process. To respect the limits of a source, run only one process
//! that fetches.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Mutex as AsyncMutex, OwnedMutexGuard},
    time::{Instant, sleep_until},
};

/// The time of the next allowed request for each host.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostLimiter {
    hosts: Arc<Mutex<HashMap<String, Arc<AsyncMutex<Instant>>>>>,
}

/// Permission to send a request to a host. The pause starts when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    next: OwnedMutexGuard<Instant>,
    pause: Duration,
}

impl HostLimiter {
    /// Waits until no other request to the host is running and the pause is over.
    pub(crate) async fn acquire(&self, host: &str, interval: Duration) -> Permit {
        let host = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            let free = || Arc::new(AsyncMutex::new(Instant::now()));
            hosts.entry(host.to_owned()).or_insert_with(free).clone()
        };
        let next = host.lock_owned().await;
        sleep_until(*next).await;
        Permit { next, pause: interval }
    }
}

impl Permit {
    /// Extends the pause, if the host requested a longer one.
    pub(crate) fn pause_for(&mut self, pause: Duration) {
        self.pause = self.pause.max(pause);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.next = Instant::now() + self.pause;
    }
}
