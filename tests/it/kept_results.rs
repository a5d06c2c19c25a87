//! Results that take long: computed once, whatever happens to the process that computes them.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use components::{Clock, Components};
use jiff::{Timestamp, ToSpan};
use kept_results::{Failure, KeptResults};
use objects::Objects;
use tests::cloud;
use tokio::time::{sleep, timeout};

/// Longer than what is too quick to be kept.
const SLOW: Duration = Duration::from_millis(600);
const KEY: &str = "analyses/one";

fn at(objects: &Objects, now: Timestamp) -> KeptResults {
    let clock = Clock::from_fn(move || now);
    let components = Components::given().with(objects.clone()).with(clock);
    components.get::<KeptResults>().with_patience(Duration::from_secs(2))
}

fn now() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().expect("a time")
}

/// Counts how often it is computed.
#[derive(Clone, Default)]
struct Computation(Arc<AtomicU32>);

impl Computation {
    async fn run(&self, takes: Duration) -> Result<Bytes, Infallible> {
        self.0.fetch_add(1, Ordering::SeqCst);
        sleep(takes).await;
        Ok("the result".into())
    }

    fn finished(&self) -> u32 {
        self.0.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn what_takes_long_is_kept_and_what_is_quick_is_not() {
    let cloud = cloud().await;
    let results = at(&cloud.objects, now());
    let computation = Computation::default();
    for takes in [Duration::ZERO, SLOW, SLOW, Duration::ZERO] {
        let result = results.of(KEY, computation.run(takes)).await.expect("computed");
        assert_eq!(result, "the result");
    }
    // Not the first one, which was quick.
    assert_eq!(computation.finished(), 2);
    assert_eq!(cloud.objects.keys("").await.expect("listed"), [KEY], "no announcement is left");
}

#[tokio::test]
async fn callers_wait_for_the_one_that_computes() {
    let cloud = cloud().await;
    let kept = AtomicU32::new(0);
    let ask = async |_| {
        let results = at(&cloud.objects, now());
        let computation = async {
            sleep(SLOW).await;
            // Reached by the process that announced it only.
            kept.fetch_add(1, Ordering::SeqCst);
            Ok::<_, Infallible>(Bytes::from("the result"))
        };
        results.of(KEY, computation).await.expect("computed")
    };
    let answers = futures_util::future::join_all((0..5).map(ask)).await;
    assert!(answers.iter().all(|it| it == "the result"), "{answers:?}");
    assert_eq!(kept.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_process_that_died_is_replaced_and_until_then_others_are_told_to_come_back() {
    let cloud = cloud().await;
    let forever = Duration::from_secs(3600);
    let dying = at(&cloud.objects, now());
    let computation = Computation::default();
    timeout(SLOW, dying.of(KEY, computation.run(forever))).await.expect_err("still running");

    let soon = at(&cloud.objects, now() + 29.seconds());
    let refused = soon.of(KEY, computation.run(SLOW)).await;
    assert!(matches!(refused, Err(Failure::Busy)), "{refused:?}");

    let later = at(&cloud.objects, now() + 30.seconds());
    assert_eq!(later.of(KEY, computation.run(SLOW)).await.expect("computed"), "the result");
    assert_eq!(cloud.objects.keys("").await.expect("listed"), [KEY]);
}

#[tokio::test]
async fn a_failure_is_not_kept_and_the_next_caller_computes() {
    let cloud = cloud().await;
    let results = at(&cloud.objects, now());
    let failing = async {
        sleep(SLOW).await;
        Err::<Bytes, _>("no columns")
    };
    let failed = results.of(KEY, failing).await;
    assert!(matches!(failed, Err(Failure::Computing("no columns"))), "{failed:?}");
    assert_eq!(cloud.objects.keys("").await.expect("listed"), [""; 0]);
    assert!(results.of(KEY, Computation::default().run(SLOW)).await.is_ok());
}

#[tokio::test]
async fn a_damaged_result_is_computed_again() {
    let cloud = cloud().await;
    let results = at(&cloud.objects, now());
    results.keep(KEY, b"the result").await;
    let mut object = cloud.objects.get(KEY).await.expect("read").expect("an object").to_vec();
    for damage in [object.len() - 1, 0] {
        object[damage] ^= 1;
        cloud.objects.put(KEY, object.clone()).await.expect("stored");
        assert_eq!(results.read(KEY).await, None);
    }
    cloud.objects.put(KEY, "short").await.expect("stored");
    assert_eq!(results.read(KEY).await, None);
    let computation = Computation::default();
    assert!(results.of(KEY, computation.run(SLOW)).await.is_ok());
    assert_eq!((computation.finished(), results.read(KEY).await), (1, Some("the result".into())));
}
