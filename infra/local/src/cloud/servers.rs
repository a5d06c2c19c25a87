//! Starts the emulators, each on a free port of the loopback interface. They run until the process ends.

use std::path::Path;

use dynoxide::Database;
use emulators::sqs::Queues;
use tokio::net::TcpListener;

use crate::{CommandError, Context};

pub(super) async fn start_dynamodb(database: Database) -> Result<String, CommandError> {
    let (listener, address) = listen().await?;
    let shutdown = std::future::pending();
    tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, shutdown));
    Ok(address)
}

pub(super) async fn start_s3(root: &Path) -> Result<String, CommandError> {
    let (listener, address) = listen().await?;
    emulators::s3::start(listener, root).context("cannot start the S3 emulator")?;
    Ok(address)
}

pub(super) async fn start_sqs() -> Result<String, CommandError> {
    let (listener, address) = listen().await?;
    let shutdown = std::future::pending();
    tokio::spawn(emulators::sqs::serve(listener, Queues::default(), shutdown));
    Ok(address)
}

/// Listens on a free port. Returns the listener and its `http` address.
async fn listen() -> Result<(TcpListener, String), CommandError> {
    let context = "cannot listen on the loopback interface";
    let listener = TcpListener::bind("127.0.0.1:0").await.context(context)?;
    let address = listener.local_addr().context(context)?;
    Ok((listener, format!("http://{address}")))
}
