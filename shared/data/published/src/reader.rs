use std::{
    ops::RangeInclusive,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use tokio::{sync::Mutex, time::Instant};

/// What a process reads: where it finds the current version, and how it opens one.
pub trait Source: Send + Sync + 'static {
    /// What distinguishes one version from the next.
    type Version: Clone + PartialEq + Send + Sync + 'static;
    /// An open version. Clones share it.
    type Opened: Clone + Send + Sync + 'static;
    type Error: Send + 'static;

    /// What is published at present.
    fn current(&self) -> impl Future<Output = Result<Self::Version, Self::Error>> + Send;

    /// Opens a version. `before` is the one that is served meanwhile, whose unchanged parts need not be opened again.
    fn open(
        &self,
        version: &Self::Version,
        before: Option<&Self::Opened>,
    ) -> impl Future<Output = Result<Self::Opened, Self::Error>> + Send;

    /// For how long a version that failed to open is not opened again. `None`: the next check tries again.
    fn pause(&self, _: &Self::Error) -> Option<Duration> {
        None
    }

    /// For how long a version may be used while the bucket does not answer.
    fn kept_for(&self, _: &Self::Opened) -> Duration {
        Duration::MAX
    }

    /// Logs why a check has failed while a version is served.
    fn log(&self, failure: &Self::Error);
}

/// When a reader looks for a newer version, and which requests wait for it.
///
/// A request that comes when a check is due starts it in the background. It waits for the check, at most for `wait_at_most`, if a
/// newer version has been known for `outdated_for` but is not open yet; with zero, every time. Then it uses the version that is open,
/// unless that is kept no longer ([`Source::kept_for`]). A request for which no version can be used waits until one is open.
#[derive(Clone, Debug)]
pub struct Freshness {
    /// Shortest and longest interval between checks. A random one between them, so that the processes of a function do not
    /// download a newer version all at once.
    pub check_every: RangeInclusive<Duration>,
    /// Time from the start of a check that fails to the next one.
    pub retry_after: Duration,
    pub outdated_for: Duration,
    pub wait_at_most: Duration,
}

/// The version that a process serves. Replaces it when a newer one is published.
pub struct Reader<S: Source> {
    source: S,
    freshness: Freshness,
    /// Changed only by the owner of `checking`.
    known: RwLock<Known<S::Version, S::Opened>>,
    checking: Mutex<()>,
}

#[derive(Clone)]
struct Known<V, O> {
    open: Option<(V, O)>,
    /// When `open` was the current version.
    confirmed: Instant,
    next_check: Instant,
    /// Since when a newer version is known that is not open yet.
    outdated_since: Option<Instant>,
    /// A version that could not be opened, when, and the pause until it is tried again.
    refused: Option<(V, Instant, Duration)>,
}

impl<S: Source> Reader<S> {
    /// A reader that serves `open` until it has opened the current version. `None`: the first request waits for that.
    pub fn new(
        source: S,
        freshness: Freshness,
        open: Option<(S::Version, S::Opened)>,
    ) -> Arc<Self> {
        let (now, outdated_since, refused) = (Instant::now(), None, None);
        let known = Known { open, confirmed: now, next_check: now, outdated_since, refused };
        let (known, checking) = (RwLock::new(known), Mutex::default());
        Arc::new(Self { source, freshness, known, checking })
    }

    pub fn source(&self) -> &S {
        &self.source
    }

    /// The version that is served. Looks for a newer one as [`Freshness`] says.
    pub async fn current(self: &Arc<Self>) -> Result<S::Opened, S::Error> {
        let Some(open) = self.usable() else {
            let _turn = self.checking.lock().await;
            return match self.usable() {
                Some(open) => Ok(open),
                None => self.check(true).await,
            };
        };
        let known = self.known();
        let is_due = known.next_check <= Instant::now();
        let checking = is_due.then(|| tokio::spawn(self.clone().check_if_due()));
        let Freshness { outdated_for, wait_at_most, .. } = self.freshness;
        if known.outdated_since.map_or(Duration::ZERO, |it| it.elapsed()) >= outdated_for {
            let checked = async {
                match checking {
                    Some(checking) => drop(checking.await),
                    // Another request may have started a check, which holds this lock.
                    None => drop(self.checking.lock().await),
                }
            };
            let _may_take_longer = tokio::time::timeout(wait_at_most, checked).await;
        }
        Ok(self.usable().unwrap_or(open))
    }

    /// Looks for a newer version now, and opens it, even if it could not be opened before.
    pub async fn refresh(&self) -> Result<S::Opened, S::Error> {
        let _turn = self.checking.lock().await;
        self.check(true).await
    }

    /// The version that is open, however old it is.
    pub fn open(&self) -> Option<S::Opened> {
        self.known().open.map(|(_, open)| open)
    }

    /// The version that is open, unless it is kept no longer.
    fn usable(&self) -> Option<S::Opened> {
        let Known { open, confirmed, .. } = self.known();
        let is_kept = |it: &S::Opened| confirmed.elapsed() < self.source.kept_for(it);
        open.map(|(_, open)| open).filter(is_kept)
    }

    async fn check_if_due(self: Arc<Self>) {
        let _turn = self.checking.lock().await;
        if self.known().next_check <= Instant::now()
            && let Err(failure) = self.check(false).await
        {
            self.source.log(&failure);
        }
    }

    async fn check(&self, even_if_refused: bool) -> Result<S::Opened, S::Error> {
        let Self { source, freshness, .. } = self;
        let later = || Instant::now() + rand::random_range(freshness.check_every.clone());
        let mut known = self.known();
        known.next_check = Instant::now() + freshness.retry_after;
        self.remember(&known);
        // In boxes, because the compiler limits how deeply futures contain each other.
        let version = Box::pin(source.current()).await?;
        let is_refused = known.refused.as_ref().is_some_and(|(it, since, pause)| {
            !even_if_refused && *it == version && since.elapsed() < *pause
        });
        if let Some((before, open)) = known.open.clone()
            && (before == version || is_refused)
        {
            if before == version {
                known.confirmed = Instant::now();
            }
            (known.next_check, known.outdated_since) = (later(), None);
            self.remember(&known);
            return Ok(open);
        }
        known.outdated_since.get_or_insert_with(Instant::now);
        self.remember(&known);
        let before = known.open.as_ref().map(|(_, open)| open);
        let opened = Box::pin(source.open(&version, before)).await;
        let now = Instant::now();
        match &opened {
            Ok(open) => {
                let open = Some((version, open.clone()));
                let (next_check, outdated_since, refused) = (later(), None, None);
                known = Known { open, confirmed: now, next_check, outdated_since, refused };
            }
            Err(failure) => {
                if let Some(pause) = source.pause(failure) {
                    (known.refused, known.outdated_since) = (Some((version, now, pause)), None);
                }
            }
        }
        self.remember(&known);
        opened
    }

    fn known(&self) -> Known<S::Version, S::Opened> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remember(&self, known: &Known<S::Version, S::Opened>) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = known.clone();
    }
}

#[cfg(test)]
mod tests;
