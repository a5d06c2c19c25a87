//! The S3 emulator `s3s-fs`, with what it lacks (`additions`).

mod additions;

use std::{io, path::Path};

use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
    service::TowerToHyperService,
};
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use tokio::net::TcpListener;

use self::additions::Additions;

/// The credentials that it accepts.
pub const ACCESS_KEY: &str = "test";
pub const SECRET_KEY: &str = "test";

/// Serves each directory below `root` as a bucket, until the process ends.
pub fn start(listener: TcpListener, root: &Path) -> io::Result<()> {
    let files = s3s_fs::FileSystem::new(root).map_err(|it| io::Error::other(format!("{it:?}")))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(ACCESS_KEY, SECRET_KEY));
    let additions = Additions::new(service.build(), root);
    tokio::spawn(async move {
        let connections = Builder::new(TokioExecutor::new());
        while let Ok((socket, _)) = listener.accept().await {
            // Otherwise the end of an object waits up to 40 ms for the client's acknowledgement of its start.
            let _ = socket.set_nodelay(true);
            let additions = additions.clone();
            let connections = connections.clone();
            tokio::spawn(async move {
                let service = TowerToHyperService::new(additions);
                // The client sees a broken connection itself.
                let _ = connections.serve_connection(TokioIo::new(socket), service).await;
            });
        }
    });
    Ok(())
}
