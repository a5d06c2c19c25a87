use std::{
    fmt,
    ops::RangeInclusive,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
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

    /// Whether a version may be used without an answer of the bucket when a check is due, as long as [`Freshness::kept_for`] allows.
    fn is_kept(&self, _: &Self::Opened) -> bool {
        true
    }

    /// Logs why a check has failed while a version is served.
    fn log(&self, failure: &Self::Error);
}

/// When a reader looks for a newer version, and which requests wait for it.
///
/// A request that comes when a check is due starts it in the background. It waits for the check, at most for `wait_at_most`, if a
/// newer version has been known for `outdated_for` but is not open yet; with zero, every time. Then it uses the version that is open,
/// unless the bucket has not answered for `kept_for`. A request for which no version can be used waits until one is open.
#[derive(Clone, Debug)]
pub struct Freshness {
    /// Shortest and longest interval between checks. A random one between them, so that the processes of a function do not
    /// download a newer version all at once.
    pub check_every: RangeInclusive<Duration>,
    /// Time from the start of a check that fails to the next one.
    pub retry_after: Duration,
    pub outdated_for: Duration,
    pub wait_at_most: Duration,
    pub kept_for: Duration,
}

/// The version that a process serves. Replaces it when a newer one is published. Clones share it.
pub struct Reader<S: Source>(Arc<State<S>>);

struct State<S: Source> {
    source: S,
    freshness: Freshness,
    known: RwLock<Known<S>>,
    /// Held during a check.
    checking: Mutex<()>,
}

struct Known<S: Source> {
    open: Option<(S::Version, S::Opened)>,
    /// When `open` was the current version.
    confirmed: Instant,
    next_check: Instant,
    /// Since when a newer version is known that is not open yet.
    outdated_since: Option<Instant>,
    refused: Option<Refused<S::Version>>,
}

/// A version that could not be opened, so that it is not downloaded again and again.
struct Refused<V> {
    version: V,
    since: Instant,
    pause: Duration,
}

impl<S: Source> Reader<S> {
    /// A reader that opens the current version when it is first asked for it.
    pub fn new(source: S, freshness: Freshness) -> Self {
        Self::with(source, freshness, None)
    }

    /// A reader that has something to serve until the current version is open.
    pub fn starting_with(
        source: S,
        freshness: Freshness,
        version: S::Version,
        opened: S::Opened,
    ) -> Self {
        Self::with(source, freshness, Some((version, opened)))
    }

    fn with(source: S, freshness: Freshness, open: Option<(S::Version, S::Opened)>) -> Self {
        let now = Instant::now();
        let (outdated_since, refused) = (None, None);
        let known = Known { open, confirmed: now, next_check: now, outdated_since, refused };
        let (known, checking) = (RwLock::new(known), Mutex::default());
        Self(Arc::new(State { source, freshness, known, checking }))
    }

    pub fn source(&self) -> &S {
        &self.0.source
    }

    /// The version that is served. Looks for a newer one as [`Freshness`] says.
    pub async fn current(&self) -> Result<S::Opened, S::Error> {
        let Freshness { outdated_for, wait_at_most, .. } = self.0.freshness;
        let Some(open) = self.usable() else {
            let _turn = self.0.checking.lock().await;
            return match self.usable() {
                Some(open) => Ok(open),
                None => self.check(true).await,
            };
        };
        let checking = self.is_due().then(|| tokio::spawn(self.clone().check_if_due()));
        let outdated_since = self.read(|it| it.outdated_since);
        if outdated_since.map_or(Duration::ZERO, |it| it.elapsed()) >= outdated_for {
            let checked = async {
                match checking {
                    Some(checking) => drop(checking.await),
                    // Another request may have started a check, which holds this lock.
                    None => drop(self.0.checking.lock().await),
                }
            };
            let _may_take_longer = tokio::time::timeout(wait_at_most, checked).await;
        }
        Ok(self.usable().unwrap_or(open))
    }

    /// Looks for a newer version now, and opens it, even if it could not be opened before.
    pub async fn refresh(&self) -> Result<S::Opened, S::Error> {
        let _turn = self.0.checking.lock().await;
        self.check(true).await
    }

    /// The version that is open, however old it is.
    pub fn open(&self) -> Option<S::Opened> {
        self.read(|it| it.open.as_ref().map(|(_, open)| open.clone()))
    }

    /// The version that is open, unless the bucket has not answered for too long.
    fn usable(&self) -> Option<S::Opened> {
        let State { source, freshness, .. } = &*self.0;
        let unconfirmed = self.read(|it| it.confirmed.elapsed());
        self.open().filter(|it| match source.is_kept(it) {
            true => unconfirmed < freshness.kept_for,
            false => unconfirmed < *freshness.check_every.end(),
        })
    }

    fn is_due(&self) -> bool {
        self.read(|it| it.next_check <= Instant::now())
    }

    async fn check_if_due(self) {
        let _turn = self.0.checking.lock().await;
        if self.is_due()
            && let Err(failure) = self.check(false).await
        {
            self.0.source.log(&failure);
        }
    }

    // In a box, because the compiler limits how deeply futures contain each other.
    fn check(&self, even_if_refused: bool) -> BoxFuture<'_, Result<S::Opened, S::Error>> {
        self.check_now(even_if_refused).boxed()
    }

    async fn check_now(&self, even_if_refused: bool) -> Result<S::Opened, S::Error> {
        let State { source, freshness, .. } = &*self.0;
        self.change(|it| it.next_check = Instant::now() + freshness.retry_after);
        let version = source.current().await?;
        let is_refused = |it: &Refused<_>| it.version == version && it.since.elapsed() < it.pause;
        let (before, is_refused) = self.read(|it| {
            (it.open.clone(), !even_if_refused && it.refused.as_ref().is_some_and(is_refused))
        });
        let before = match before {
            Some((known, open)) if known == version || is_refused => {
                self.change(|it| it.checked(freshness, known == version));
                return Ok(open);
            }
            before => before.map(|(_, open)| open),
        };
        self.change(|it| it.outdated_since = it.outdated_since.or(Some(Instant::now())));
        match source.open(&version, before.as_ref()).await {
            Ok(open) => {
                self.change(|it| {
                    it.open = Some((version, open.clone()));
                    it.refused = None;
                    it.checked(freshness, true);
                });
                Ok(open)
            }
            Err(failure) => {
                if let Some(pause) = source.pause(&failure) {
                    self.change(|it| {
                        it.refused = Some(Refused { version, since: Instant::now(), pause });
                        it.outdated_since = None;
                    });
                }
                Err(failure)
            }
        }
    }

    fn read<T>(&self, read: impl FnOnce(&Known<S>) -> T) -> T {
        read(&self.0.known.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn change(&self, change: impl FnOnce(&mut Known<S>)) {
        change(&mut self.0.known.write().unwrap_or_else(PoisonError::into_inner));
    }
}

impl<S: Source> Known<S> {
    /// Records a check after which nothing newer can be opened. `is_current`: what is open is the current version.
    fn checked(&mut self, freshness: &Freshness, is_current: bool) {
        let now = Instant::now();
        self.next_check = now + rand::random_range(freshness.check_every.clone());
        self.outdated_since = None;
        if is_current {
            self.confirmed = now;
        }
    }
}

impl<S: Source> Clone for Reader<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Source> fmt::Debug for Reader<S> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
