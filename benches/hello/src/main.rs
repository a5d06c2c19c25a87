//! A minimal Lambda function that answers HTTP. The sizes and start times of our functions are compared
//! with it.

use lambda_http::{Error, Request, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    run(service_fn(async |_: Request| Ok::<_, Error>("Hello, world!"))).await
}
