//! The local server of `cargo run` in its own process, and a client for it.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use access::{Environment, Scope, Tier};
use bytes::Bytes;
use generations::Manifest;
use http::{Request, StatusCode, header};
use http_body_util::{BodyExt, Empty};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use jiff::Timestamp;
use jobs::IndexJob;
use local::{
    cloud::{BUCKET, TABLES, clients},
    data_directory::{DataDirectory, RegistryMarker, ServerInfo},
    register::demo::DemoSettings,
    teams,
};
use objects::Objects;
use store::Tenants;

use crate::{Error, machine, samples::Samples};

/// A server in its own process. Dropping it stops the process.
pub(crate) struct Server {
    pub(crate) process: Child,
    pub(crate) local: ServerInfo,
    pub(crate) loaded: Duration,
    pub(crate) published: Duration,
    pub(crate) ready: Duration,
}

impl Server {
    /// Starts a server with a new register in a folder.
    pub(crate) fn start(folder: &Path, demo: DemoSettings) -> Result<Self, Error> {
        Self::start_in(&folder.join("data"), demo)
    }

    /// Starts a server on a data directory, which may contain a register already, and watches the progress
    /// markers in it until the server is ready.
    pub(crate) fn start_in(data: &Path, demo: DemoSettings) -> Result<Self, Error> {
        let companies = demo.companies.to_string();
        // A server that was killed leaves this file.
        let _ = std::fs::remove_file(data.join("local.json"));
        let started = Instant::now();
        let mut process = Command::new(std::env::current_exe()?)
            .args(["serve", "--port", "0", "--companies", &companies, "--data"])
            .arg(data)
            .args(demo.all_notices.then_some("--all-notices"))
            .stdout(Stdio::null())
            .spawn()?;
        // When the register was loaded, and when its generation was published.
        let mut reached = [None; 2];
        let local = loop {
            std::thread::sleep(Duration::from_millis(2));
            if let Some(ended) = process.try_wait()? {
                return Err(format!("the server ended: {ended}").into());
            }
            let marker = std::fs::read(data.join("registry.json")).ok();
            let marker: Option<RegistryMarker> =
                marker.and_then(|it| serde_json::from_slice(&it).ok());
            if let Some(RegistryMarker { published, .. }) = marker {
                reached[usize::from(published)].get_or_insert_with(|| started.elapsed());
            }
            if let Some(local) = DataDirectory::server_info(data)? {
                break local;
            }
        };
        let ready = started.elapsed();
        // A small register can pass a marker between two looks; then its phases are too short to matter.
        let published = reached[1].unwrap_or(ready);
        let loaded = reached[0].unwrap_or(published);
        Ok(Self { process, local, loaded, published: published.saturating_sub(loaded), ready })
    }

    /// Requests a generation with what has changed, as `ingest` does, and waits until it is published.
    pub(crate) async fn publish(&self) -> Result<Duration, Error> {
        let requested_at = machine::now();
        self.run(&IndexJob::Publish { requested_at }, requested_at).await
    }

    /// Requests a generation of the whole table, as the weekly schedule does, and waits until it is published.
    pub(crate) async fn rebuild(&self) -> Result<Duration, Error> {
        self.run(&IndexJob::Rebuild, machine::now()).await
    }

    async fn run(&self, job: &IndexJob, requested_at: Timestamp) -> Result<Duration, Error> {
        let started = Instant::now();
        self.local.endpoints.index_queue().send(job).await?;
        self.wait_for_generation(requested_at).await?;
        Ok(started.elapsed())
    }

    /// Waits for a generation whose build started after this moment.
    pub(crate) async fn wait_for_generation(&self, requested_at: Timestamp) -> Result<(), Error> {
        let objects = Objects::named(clients::s3_client(&self.local.endpoints.s3), BUCKET);
        let is_new = |it: &Manifest| it.built_at > requested_at;
        while !generations::published(&objects).await?.as_ref().is_some_and(is_new) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The data folder is deleted too, so no clean shutdown is needed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A client with the key of its own team, so that it stays within its allowance.
#[derive(Clone)]
pub(crate) struct Http {
    client: Client<HttpConnector, Empty<Bytes>>,
    url: String,
    key: String,
}

impl Http {
    pub(crate) async fn for_new_team(local: &ServerInfo) -> Result<Self, Error> {
        let tables = clients::dynamodb_client(&local.endpoints.dynamodb);
        let tenants = Tenants::named(tables, TABLES[1]);
        let team = teams::create_team(&tenants, Tier::Enterprise).await?;
        let now = machine::now();
        let key =
            teams::create_key(&tenants, &team, Environment::Live, &[Scope::Read], now).await?;
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(Self { client, url: local.url.clone(), key })
    }

    /// The key of the team.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// Sends a GET request and reads the whole answer.
    pub(crate) async fn get(&self, path: &str) -> Result<Bytes, Error> {
        let request = Request::get(format!("{}{path}", self.url))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .body(Empty::new())?;
        let response = self.client.request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        match status {
            StatusCode::OK => Ok(body),
            _ => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }

    /// Sends one request after the other on one connection, after a tenth of them to warm up.
    pub(crate) async fn samples(&self, paths: &[String]) -> Result<Samples, Error> {
        for path in paths.iter().take(paths.len() / 10) {
            self.get(path).await?;
        }
        let mut samples = Samples::default();
        for path in paths {
            let started = Instant::now();
            self.get(path).await?;
            samples.push(started.elapsed());
        }
        Ok(samples)
    }
}
