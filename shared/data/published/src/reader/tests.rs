use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

use tokio::{sync::Semaphore, task::yield_now, time::advance};

use super::*;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Numbered versions.
#[derive(Clone)]
struct Numbers(Arc<Shared>);

struct Shared {
    /// The number that is published. `None`: the bucket does not answer.
    published: Mutex<Option<u32>>,
    /// The number that cannot be opened, and the pause after that.
    broken: Mutex<Option<(u32, Option<Duration>)>>,
    kept_for: Duration,
    /// One permit is needed to ask what is published.
    line: Semaphore,
    /// One permit is needed to open a version.
    room: Semaphore,
    checks: AtomicUsize,
    opened: AtomicUsize,
}

impl Source for Numbers {
    type Version = u32;
    type Opened = u32;
    type Error = &'static str;

    async fn current(&self) -> Result<u32, &'static str> {
        self.0.checks.fetch_add(1, Ordering::Relaxed);
        drop(self.0.line.acquire().await.expect("open"));
        self.0.published.lock().expect("sound").ok_or("silent")
    }

    async fn open(&self, version: &u32, _: Option<&u32>) -> Result<u32, &'static str> {
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        drop(self.0.room.acquire().await.expect("open"));
        let broken = *self.0.broken.lock().expect("sound");
        if broken.is_some_and(|(it, _)| it == *version) { Err("broken") } else { Ok(*version) }
    }

    fn pause(&self, failure: &&'static str) -> Option<Duration> {
        let broken = *self.0.broken.lock().expect("sound");
        broken.filter(|_| *failure == "broken").and_then(|(_, pause)| pause)
    }

    fn kept_for(&self, opened: &u32) -> Duration {
        if *opened == 0 { MINUTE } else { self.0.kept_for }
    }

    fn log(&self, _: &&'static str) {}
}

impl Numbers {
    fn new(kept_for: Duration) -> Self {
        Self(Arc::new(Shared {
            kept_for,
            published: Mutex::new(Some(1)),
            broken: Mutex::default(),
            line: Semaphore::new(1),
            room: Semaphore::new(1),
            checks: AtomicUsize::default(),
            opened: AtomicUsize::default(),
        }))
    }

    fn publish(&self, number: u32) {
        *self.0.published.lock().expect("sound") = Some(number);
    }

    fn fall_silent(&self) {
        *self.0.published.lock().expect("sound") = None;
    }

    fn break_one(&self, number: u32, pause: Option<Duration>) {
        *self.0.broken.lock().expect("sound") = Some((number, pause));
    }

    /// How often it was asked what is published, and how often a version was opened.
    fn counts(&self) -> (usize, usize) {
        (self.0.checks.load(Ordering::Relaxed), self.0.opened.load(Ordering::Relaxed))
    }
}

/// As the screening lists: every request waits for a check that is due.
fn strict() -> Freshness {
    Freshness {
        check_every: MINUTE..=MINUTE,
        retry_after: Duration::ZERO,
        outdated_for: Duration::ZERO,
        wait_at_most: Duration::MAX,
    }
}

/// As generations: checks in the background.
fn relaxed() -> Freshness {
    Freshness {
        check_every: MINUTE..=2 * MINUTE,
        retry_after: MINUTE,
        outdated_for: HOUR,
        wait_at_most: Duration::from_secs(10),
    }
}

fn reader(freshness: Freshness) -> (Numbers, Arc<Reader<Numbers>>) {
    let is_strict = freshness.outdated_for.is_zero();
    let numbers = Numbers::new(if is_strict { HOUR } else { Duration::MAX });
    (numbers.clone(), Reader::new(numbers, freshness, None))
}

/// Lets the tasks in the background run until they wait.
async fn run_others() {
    for _ in 0..20 {
        yield_now().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_is_opened_once_and_the_first_request_gets_the_error() {
    let (numbers, reader) = reader(relaxed());
    numbers.fall_silent();
    assert_eq!(reader.current().await, Err("silent"));
    assert_eq!(reader.open(), None);
    numbers.publish(1);
    let (one, other) = tokio::join!(reader.current(), reader.current());
    assert_eq!((one, other), (Ok(1), Ok(1)));
    assert_eq!(numbers.counts(), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn no_request_waits_until_a_newer_version_has_been_known_for_long() {
    let (numbers, reader) = reader(relaxed());
    assert_eq!(reader.current().await, Ok(1));
    numbers.publish(2);
    assert_eq!(reader.current().await, Ok(1), "no check is due");
    let room = numbers.0.room.acquire().await.expect("open");
    advance(2 * MINUTE).await;
    let before = Instant::now();
    assert_eq!(reader.current().await, Ok(1));
    run_others().await;
    assert_eq!(numbers.counts(), (2, 2), "it is being opened");
    assert_eq!((reader.current().await, before.elapsed()), (Ok(1), Duration::ZERO));
    advance(HOUR).await;
    let before = Instant::now();
    assert_eq!((reader.current().await, before.elapsed()), (Ok(1), relaxed().wait_at_most));
    drop(room);
    assert_eq!(reader.current().await, Ok(2));
    assert_eq!(numbers.counts().1, 2, "it was opened once");
}

#[tokio::test(start_paused = true)]
async fn a_version_is_served_while_the_bucket_is_silent() {
    let (numbers, reader) = reader(relaxed());
    assert_eq!(reader.current().await, Ok(1));
    numbers.fall_silent();
    for _ in 0..100 {
        advance(HOUR).await;
        let before = Instant::now();
        assert_eq!((reader.current().await, before.elapsed()), (Ok(1), Duration::ZERO));
        run_others().await;
    }
    assert_eq!(numbers.counts().0, 101);
    numbers.publish(2);
    assert_eq!(reader.current().await, Ok(1));
    advance(MINUTE).await;
    reader.current().await.expect("served");
    run_others().await;
    assert_eq!(reader.current().await, Ok(2));
}

#[tokio::test(start_paused = true)]
async fn with_no_time_to_be_outdated_every_request_waits_for_a_check_that_is_due() {
    let (numbers, reader) = reader(strict());
    assert_eq!(reader.current().await, Ok(1));
    numbers.publish(2);
    advance(MINUTE - Duration::from_secs(1)).await;
    assert_eq!(reader.current().await, Ok(1));
    advance(Duration::from_secs(1)).await;
    let (one, other) = tokio::join!(reader.current(), reader.current());
    assert_eq!((one, other), (Ok(2), Ok(2)));
    assert_eq!(numbers.counts(), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_version_is_kept_for_a_limited_time_without_an_answer() {
    let (numbers, reader) = reader(strict());
    assert_eq!(reader.current().await, Ok(1));
    numbers.fall_silent();
    advance(HOUR - Duration::from_secs(1)).await;
    for _ in 0..3 {
        assert_eq!(reader.current().await, Ok(1));
    }
    assert_eq!(numbers.counts().0, 4, "each request asks again");
    advance(Duration::from_secs(1)).await;
    assert_eq!(reader.current().await, Err("silent"));
    assert_eq!(reader.open(), Some(1));
    numbers.publish(1);
    assert_eq!(reader.current().await, Ok(1));
    assert_eq!(numbers.counts().1, 1, "it is still open");
}

#[tokio::test(start_paused = true)]
async fn what_is_not_kept_needs_an_answer_when_a_check_is_due() {
    let (numbers, reader) = reader(strict());
    numbers.publish(0);
    assert_eq!(reader.current().await, Ok(0));
    numbers.fall_silent();
    assert_eq!(reader.current().await, Ok(0));
    advance(MINUTE).await;
    assert_eq!(reader.current().await, Err("silent"));
}

#[tokio::test(start_paused = true)]
async fn requests_wait_for_a_limited_time_if_there_is_something_to_serve() {
    let numbers = Numbers::new(Duration::MAX);
    let freshness =
        Freshness { wait_at_most: Duration::from_secs(3), retry_after: MINUTE, ..strict() };
    let reader = Reader::new(numbers.clone(), freshness, Some((0, 7)));
    let room = numbers.0.room.acquire().await.expect("open");
    let before = Instant::now();
    assert_eq!((reader.current().await, before.elapsed()), (Ok(7), Duration::from_secs(3)));
    drop(room);
    assert_eq!(reader.current().await, Ok(1));
    assert_eq!(numbers.counts(), (1, 1), "the check went on");
}

#[tokio::test(start_paused = true)]
async fn a_version_that_failed_to_open_is_tried_again_after_its_pause() {
    let (numbers, reader) = reader(relaxed());
    assert_eq!(reader.current().await, Ok(1));
    let look = async || {
        advance(2 * MINUTE).await;
        let served = reader.current().await;
        run_others().await;
        served
    };
    numbers.publish(2);
    numbers.break_one(2, Some(10 * MINUTE));
    for _ in 0..4 {
        assert_eq!(look().await, Ok(1));
    }
    assert_eq!(numbers.counts(), (5, 2));
    assert_eq!(reader.refresh().await, Err("broken"), "tries at once");
    advance(10 * MINUTE).await;
    assert_eq!((look().await, numbers.counts().1), (Ok(1), 4));
    // Another one is opened at once, and one without a pause is tried each time.
    numbers.publish(3);
    look().await.expect("served");
    assert_eq!(reader.current().await, Ok(3));
    numbers.publish(4);
    numbers.break_one(4, None);
    for _ in 0..3 {
        assert_eq!(look().await, Ok(3));
    }
    assert_eq!(numbers.counts().1, 8);
}

/// A damaged version is no reason to let requests wait.
#[tokio::test(start_paused = true)]
async fn no_request_waits_for_a_version_that_is_refused() {
    let (numbers, reader) = reader(relaxed());
    assert_eq!(reader.current().await, Ok(1));
    numbers.publish(2);
    numbers.break_one(2, Some(Duration::MAX));
    advance(2 * MINUTE).await;
    assert_eq!(reader.current().await, Ok(1));
    run_others().await;
    let _busy = numbers.0.line.acquire().await.expect("open");
    for _ in 0..5 {
        advance(HOUR).await;
        let before = Instant::now();
        assert_eq!((reader.current().await, before.elapsed()), (Ok(1), Duration::ZERO));
        run_others().await;
    }
    assert_eq!(numbers.counts().1, 2);
}

#[tokio::test(start_paused = true)]
async fn a_version_that_is_refused_does_not_keep_the_one_before_current() {
    let (numbers, reader) = reader(strict());
    assert_eq!(reader.current().await, Ok(1));
    numbers.publish(2);
    numbers.break_one(2, Some(Duration::MAX));
    for _ in 0..59 {
        advance(MINUTE).await;
        assert_eq!(reader.current().await, Ok(1));
    }
    advance(MINUTE).await;
    assert_eq!(reader.current().await, Err("broken"));
}
