//! The least function that answers HTTP on Lambda: what the size and the start of ours are held
//! against.

use lambda_http::{Error, Request, run, service_fn};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    run(service_fn(async |_: Request| Ok::<_, Error>("Hello, world!"))).await
}
