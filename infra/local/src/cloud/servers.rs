//! Starts the emulators, each on a free port of the loopback interface. They run until the process ends.

use std::path::Path;

use dynoxide::Database;
use emulators::sqs::Queues;
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    service::TowerToHyperService,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tokio::net::TcpListener;

use super::{
    clients::{ACCESS_KEY, SECRET_KEY},
    uploads::Uploads,
};
use crate::{CommandError, Context};

pub(super) async fn start_dynamodb(database: Database) -> Result<String, CommandError> {
    let (listener, address) = listen().await?;
    let shutdown = std::future::pending();
    tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, shutdown));
    Ok(address)
}

pub(super) async fn start_s3(root: &Path) -> Result<String, CommandError> {
    let (listener, address) = listen().await?;
    let files = s3s_fs::FileSystem::new(root)
        .map_err(|it| CommandError::new("cannot start the S3 emulator", format!("{it:?}")))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let uploads = Uploads::new(service.build(), root);
    tokio::spawn(async move {
        let connections = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
        while let Ok((socket, _)) = listener.accept().await {
            // Otherwise the end of an object waits up to 40 ms for the client's acknowledgement of its start.
            let _ = socket.set_nodelay(true);
            let uploads = uploads.clone();
            let connections = connections.clone();
            tokio::spawn(async move {
                let service = TowerToHyperService::new(uploads);
                // The client sees a broken connection itself.
                let _ = connections.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
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
