mod batches;
mod polling;
mod schedules;

use serde::{Deserialize, Serialize};

/// A job that says what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Job {
    Succeed,
    Fail,
    Panic,
}

impl jobs::Message for Job {
    fn group(&self) -> &str {
        "jobs"
    }

    const VARIABLE: &'static str = "TEST_QUEUE";
}

async fn obey(job: Job) -> Result<(), lambda_runtime::Error> {
    match job {
        Job::Succeed => Ok(()),
        Job::Fail => Err("as asked".into()),
        Job::Panic => panic!("as asked"),
    }
}
