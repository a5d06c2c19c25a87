use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use lambda_runtime::Error;
use rand::{Rng, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use super::{polling::World, *};
use crate::poll;

/// Runs workers that fail, panic, exceed the visibility timeout and are killed, at random times that follow from
/// the seed. In the end, each job is done or in the dead-letter queue. Returns the number of both.
async fn run_randomly(seed: u64) -> (usize, usize) {
    const JOBS: usize = 40;
    let world = World::new(3).await;
    let random = Arc::new(Mutex::new(StdRng::seed_from_u64(seed)));
    let done = Arc::new(Mutex::new(BTreeSet::new()));
    let queue = jobs::Queue::<Numbered>::new(world.client(), world.url());
    let all: Vec<Numbered> = (0..JOBS).map(Numbered::new).collect();
    queue.send_all(&all).await.expect("sent");

    let worker = |lifetime: u64| {
        let (random, done) = (random.clone(), done.clone());
        let handler = async move |Numbered { number, .. }: Numbered, _| {
            let (fate, seconds) = {
                let mut random = random.lock().expect("not poisoned");
                (random.random_range(0..10), random.random_range(0..45))
            };
            sleep(Duration::from_secs(seconds)).await;
            match fate {
                0..2 => Err(Error::from("failed")),
                2 => panic!("panicked"),
                _ => {
                    done.lock().expect("not poisoned").insert(number);
                    Ok(())
                }
            }
        };
        let life = sleep(Duration::from_secs(lifetime));
        let queue = queue.clone();
        tokio::spawn(async move { poll(&queue, FUNCTION, handler, life).await })
    };
    for _ in 0..6 {
        let workers = [worker(600), worker(600), worker(600)];
        let lives: Vec<u64> = {
            let mut random = random.lock().expect("not poisoned");
            workers.iter().map(|_| random.random_range(1..50)).collect()
        };
        for (worker, life) in workers.iter().zip(lives) {
            let worker = worker.abort_handle();
            tokio::spawn(async move {
                sleep(Duration::from_secs(life)).await;
                worker.abort();
            });
        }
        for it in workers {
            it.await.expect_err("killed");
        }
    }
    // The last worker is not killed and has time for three attempts of each job.
    worker(20_000).await.expect("no panic");

    assert_eq!(world.left().await, 0, "seed {seed}");
    let done = done.lock().expect("not poisoned").clone();
    let dead = world.dead_jobs::<Numbered>().await;
    let dead: BTreeSet<usize> = dead.into_iter().map(|it| it.number).collect();
    let finished: BTreeSet<usize> = done.union(&dead).copied().collect();
    assert_eq!(finished, (0..JOBS).collect(), "seed {seed}");
    (done.len(), dead.len())
}

/// A job in one of eight groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Numbered {
    number: usize,
    group: String,
}

impl Numbered {
    fn new(number: usize) -> Self {
        Self { number, group: (number % 8).to_string() }
    }
}

impl jobs::Message for Numbered {
    const VARIABLE: &'static str = "TEST_QUEUE";

    fn group(&self) -> &str {
        &self.group
    }
}

#[tokio::test(start_paused = true)]
async fn no_job_is_lost_when_workers_fail_panic_or_are_killed() {
    let (mut all_done, mut all_dead) = (0, 0);
    for seed in 0..8 {
        let (done, dead) = run_randomly(seed).await;
        (all_done, all_dead) = (all_done + done, all_dead + dead);
    }
    assert!(all_done > 0 && all_dead > 0, "{all_done} {all_dead}");
}
