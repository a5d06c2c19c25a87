//! `cargo run` without a subcommand: serves the API.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use account::AllowedOrigins;
use billing::PaymentProvider;
use clap::Args;
use components::{Clock, Components};
use domain::{
    Source,
    lists::{HitMeaning, List},
};
use dynoxide::Database;
use fetch::Fetcher;
use futures_util::FutureExt;
use generations::Generations;
use http_service::Providers;
use jiff::tz::TimeZone;
use jobs::{IndexJob, Queue};
use network::outgoing::OutgoingHttp;
use objects::Objects;
use outgoing::webhooks::{KeySecret, WebhookSender};
use tokio::{net::TcpListener, sync::oneshot};

use super::{arguments, start_screen};
use crate::{
    CommandError, Context,
    cloud::{self, Cloud, clients::emulator_config},
    data_directory::{DataDirectory, ServerInfo},
    functions::{self, Site},
    outbox,
    register::{
        self,
        demo::{self, DemoSettings},
        import::{self, Import},
    },
    teams::{self, Keys},
    workers,
};

const DEFAULT_COMPANIES: usize = 5_000;
/// Time that running requests have to finish after the server is asked to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Listen on this port of 127.0.0.1 (0 picks a free port)
    #[arg(long, default_value_t = 9000)]
    port: u16,
    /// Keep the register and the API keys in this directory [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Number of companies in a new register, from 0 to 3,000,000 [default: 5000]
    #[arg(long, value_name = "N", value_parser = arguments::companies)]
    companies: Option<usize>,
    /// Load all gazette notices, not only the newest, also with 50,000 companies or more
    #[arg(long)]
    all_notices: bool,
    /// Import a file of a source before serving; may be repeated
    #[arg(long, value_name = "SOURCE=FILE", value_parser = arguments::source_and_file)]
    import: Vec<(Source, PathBuf)>,
    /// Allow sign-in links to continue at applications of this origin; may be repeated
    #[arg(long, value_name = "ORIGIN", default_values = ["http://localhost:3000", "http://localhost:5173"])]
    allow_origin: Vec<String>,
    /// Deliver webhooks also to this machine, such as `http://127.0.0.1:8000/hook`
    #[arg(long)]
    allow_loopback_webhooks: bool,
    /// Allow identity providers of teams on this machine, also without TLS, for tests of single sign-on
    #[arg(long)]
    allow_local_providers: bool,
    /// Delete the register in DIR and create a new one
    #[arg(long, requires = "data")]
    reset: bool,
}

impl Serve {
    pub(super) async fn run(self, temporary: &Path) -> Result<(), CommandError> {
        let (started, started_at) = (Instant::now(), Clock::system().now());
        // Check files and port before creating anything.
        let imports: Result<Vec<Import>, CommandError> =
            self.import.iter().map(|(source, file)| import::read_file(*source, file)).collect();
        let imports = imports?;
        let origins = AllowedOrigins::parse(&self.allow_origin.join(" "));
        let origins = origins.context("--allow-origin")?;
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let listener = TcpListener::bind(address).await;
        let listener =
            listener.context(format_args!("cannot listen on port {} (see --port)", self.port))?;
        let port = listener.local_addr().map_or(self.port, |it| it.port());

        let data = self.data.clone().unwrap_or_else(|| temporary.join("data"));
        let directory = DataDirectory::lock(&data)?;
        // Handle signals from here on, so that temporary files are deleted even if loading is interrupted.
        let mut stop_signal = std::pin::pin!(stop_signal()?);
        let (cloud, database) = tokio::select! {
            prepared = self.prepare(&directory, temporary, imports) => prepared?,
            () = &mut stop_signal => return Err(CommandError("stopped before it was ready".into())),
        };
        let keys = keys(&directory, &cloud).await?;

        let url = format!("http://127.0.0.1:{port}/api");
        let site = Site {
            public_url: url.clone(),
            session_secret: directory.session_secret()?,
            sso_secret: directory.sso_secret()?,
            api_key_secret: directory.api_key_secret()?,
            webhooks: WebhookSender::new(
                KeySecret::given(directory.webhook_secret()?),
                http(self.allow_loopback_webhooks),
            ),
            outbox: directory.outbox(),
        };
        let generations = Generations::new(cloud.objects.clone(), temporary).with_copies();
        let environment = Components::of(emulator_config(&cloud.endpoints.dynamodb));
        let payments = billing::Settings::of(&environment).context("the payment provider")?;
        let components = site
            .components(&cloud, &generations, &Clock::system())
            .with(origins)
            .with(Providers::new(http(self.allow_local_providers)))
            .with(payments.map_or_else(PaymentProvider::none, PaymentProvider::new))
            .with::<Fetcher>(environment.get());
        let router = outbox::with_list(functions::router(&components), site.outbox.clone());
        let context = "cannot open the generation";
        let generation = generations.current().await.context(context)?;
        generation.open_all().await.context(context)?;
        let server = ServerInfo {
            url,
            keys,
            endpoints: cloud.endpoints.clone(),
            generation: generation.manifest.id.clone(),
        };
        cloud::delete_expired_in_background(database);

        let (stop, stopping) = oneshot::channel::<()>();
        let stopping = stopping.map(drop).shared();
        workers::start(&workers::components(components, temporary), stopping.clone())?;
        // Exports of a new register would lack the results until the next change.
        if generation.manifest.built_at > started_at {
            let (objects, queue) = (cloud.objects.clone(), cloud.index_queue.clone());
            tokio::spawn(publish_with_screened(objects, queue));
        }
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, service).with_graceful_shutdown(stopping);
        let serving = tokio::spawn(serving.into_future());
        let server_info = directory.put_server_info(&server)?;
        let start = start_screen::Start {
            server: &server,
            server_info: &server_info,
            companies: generation.manifest.companies,
            example: start_screen::example_company(&cloud.registry).await?,
            seconds: started.elapsed().as_secs_f64(),
        };
        // Keep serving if standard output is closed.
        let _ = start.print();
        stop_signal.await;
        directory.remove_server_info()?;
        drop(stop);
        // A client that does not finish its request must not keep the server running.
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, serving).await;
        Ok(())
    }

    /// Opens the register in the directory, or creates one; imports the files; publishes if needed.
    async fn prepare(
        &self,
        directory: &DataDirectory,
        temporary: &Path,
        imports: Vec<Import>,
    ) -> Result<(Cloud, Database), CommandError> {
        let existing = if self.reset { None } else { directory.registry()? };
        if let (Some(_), Some(companies)) = (&existing, self.companies) {
            println!(
                "--companies {companies} is ignored: {} already contains a register (--reset creates a new one)",
                directory.path().display()
            );
        }
        if existing.is_none() {
            directory.reset()?;
        }
        let (cloud, database) = Cloud::in_folder(directory.path()).await?;
        let (companies, loaded) = match &existing {
            Some(marker) => (marker.companies, None),
            None => {
                let companies = self.companies.unwrap_or(DEFAULT_COMPANIES);
                let settings = DemoSettings { companies, all_notices: self.all_notices };
                let today = Clock::system().now().to_zoned(TimeZone::UTC).date();
                let loaded = demo::load(&cloud, database.clone(), settings, today).await?;
                (companies, Some(loaded))
            }
        };
        register::lists::publish(&cloud.objects, Clock::system().now()).await?;
        // An earlier version of this program may have published files of another layout.
        let generation = generations::published(&cloud.objects).await;
        let is_published = existing.is_some_and(|it| it.published)
            && generation.context("the generation in the data directory")?.is_some();
        match loaded {
            Some(loaded) if imports.is_empty() => {
                let publish = loaded.publish(&cloud, temporary);
                register::with_marker(directory, companies, publish).await?;
            }
            _ if imports.is_empty() && is_published => {}
            _ => {
                let import_and_publish = async {
                    import::import(&cloud, imports, false).await?;
                    register::publish(&cloud, temporary, companies as u64).await
                };
                register::with_marker(directory, companies, import_and_publish).await?;
            }
        }
        Ok((cloud, database))
    }
}

/// Requests a generation once the companies of the first one have been compared with every list of risks.
async fn publish_with_screened(objects: Objects, queue: Queue<IndexJob>) {
    let risks = List::ALL.into_iter().filter(|it| it.meaning() == HitMeaning::Risk);
    for list in risks {
        while !matches!(screening_results::current(&objects, list).await, Ok(Some(_))) {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
    let requested_at = Clock::system().now();
    if let Err(error) = queue.send(&IndexJob::Publish { requested_at }).await {
        let error = errors::chain(&error);
        tracing::warn!(error, "no generation with the results of the lists was requested");
    }
}

/// What reaches services of others on the internet, and on this machine if that is allowed.
fn http(is_loopback_allowed: bool) -> OutgoingHttp {
    match is_loopback_allowed {
        true => OutgoingHttp::with_loopback(),
        false => OutgoingHttp::public(),
    }
}

/// The API keys of the directory's teams. The first call creates the teams.
async fn keys(directory: &DataDirectory, cloud: &Cloud) -> Result<Keys, CommandError> {
    if let Some(keys) = directory.keys()? {
        return Ok(keys);
    }
    let keys = teams::create_with_members(&cloud.tenants, Clock::system().now()).await?;
    directory.put_keys(&keys)?;
    Ok(keys)
}

/// Installs handlers for SIGINT and SIGTERM. The future is ready after the first signal, even if that
/// arrives before the future is awaited.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()>, CommandError> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).context("cannot install a signal handler");
    let mut interrupted = listen(SignalKind::interrupt())?;
    let mut terminated = listen(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn stop_signal() -> Result<impl Future<Output = ()>, CommandError> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
