mod batches;
mod polling;
mod random;

use serde::{Deserialize, Serialize};

/// The function that runs the jobs.
const FUNCTION: crate::Function = crate::Function { name: "Test", may_loop: false };

/// A job that says how its handler behaves. Each kind is a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Job {
    Succeed,
    Fail,
    Panic,
}

impl jobs::Message for Job {
    const VARIABLE: &'static str = "TEST_QUEUE";

    fn group(&self) -> &str {
        match self {
            Self::Succeed => "succeed",
            Self::Fail => "fail",
            Self::Panic => "panic",
        }
    }
}

/// The handler of [`Job`].
async fn run(job: Job, _: jobs::JobId) -> Result<(), lambda_runtime::Error> {
    match job {
        Job::Succeed => Ok(()),
        Job::Fail => Err("as requested".into()),
        Job::Panic => panic!("as requested"),
    }
}
