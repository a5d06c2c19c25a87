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

/// Workers that fail, panic, dawdle past the visibility of their messages and are killed at any
/// moment, in an order that follows from the seed. However it goes, each job is done or kept with
/// the dead letters, and none is left. Answers how many were done, and how many kept.
async fn nothing_is_lost(seed: u64) -> (usize, usize) {
    const JOBS: usize = 40;
    let world = World::new().await;
    let dice = Arc::new(Mutex::new(StdRng::seed_from_u64(seed)));
    let done = Arc::new(Mutex::new(BTreeSet::new()));
    let queue = jobs::Queue::<Numbered>::new(world.client(), world.url());
    let all: Vec<Numbered> = (0..JOBS).map(Numbered).collect();
    queue.send_all(&all).await.expect("sent");

    let worker = |lifetime: u64| {
        let (dice, done) = (dice.clone(), done.clone());
        let handler = async move |Numbered(job): Numbered| {
            let (fate, seconds) = {
                let mut dice = dice.lock().expect("not poisoned");
                (dice.random_range(0..10), dice.random_range(0..45))
            };
            sleep(Duration::from_secs(seconds)).await;
            match fate {
                0..2 => Err(Error::from("bad luck")),
                2 => panic!("worse luck"),
                _ => {
                    done.lock().expect("not poisoned").insert(job);
                    Ok(())
                }
            }
        };
        let life = sleep(Duration::from_secs(lifetime));
        tokio::spawn(poll(queue.clone(), handler, life))
    };
    for _ in 0..6 {
        let workers = [worker(600), worker(600), worker(600)];
        let lives: Vec<u64> = {
            let mut dice = dice.lock().expect("not poisoned");
            workers.iter().map(|_| dice.random_range(1..50)).collect()
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
    // The last one lives; each job has been received three times before it ends.
    worker(1_200).await.expect("a clean end");

    assert_eq!(world.left().await, 0, "seed {seed}");
    let done = done.lock().expect("not poisoned").clone();
    let dead = world.dead_bodies().await;
    let ends: BTreeSet<usize> = done.union(&dead).copied().collect();
    assert_eq!(ends, (0..JOBS).collect(), "seed {seed}");
    (done.len(), dead.len())
}

/// A job that is told from the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Numbered(usize);

impl jobs::Message for Numbered {
    fn group(&self) -> &str {
        "numbered"
    }

    const VARIABLE: &'static str = "TEST_QUEUE";
}

#[tokio::test(start_paused = true)]
async fn whatever_happens_each_job_is_done_or_kept() {
    let (mut all_done, mut all_dead) = (0, 0);
    for seed in 0..8 {
        let (done, dead) = nothing_is_lost(seed).await;
        (all_done, all_dead) = (all_done + done, all_dead + dead);
    }
    assert!(all_done > 0 && all_dead > 0, "{all_done} {all_dead}");
}
