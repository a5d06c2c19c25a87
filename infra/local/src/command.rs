//! The command line.

use std::{
    io::Write,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use clap::{Args, Parser, Subcommand};
use dynoxide::Database;
use fetch::Fetcher;
use futures_util::FutureExt;
use generations::Manifest;
use http_service::Clock;
use jobs::IngestJob;
use sources::{Source, noga};
use store::Tenants;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot};

use crate::{
    Stop,
    cloud::{self, Cloud},
    directory::{Directory, Endpoints, Local, RegistryMarker},
    functions,
    register::{self, Demo, Import},
    teams::{self, Keys},
    workers::Workers,
};

/// Serves the whole API on this machine, with a demonstration register.
#[derive(Debug, Parser)]
#[command(name = "gotthard", version, args_conflicts_with_subcommands = true)]
pub struct Command {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Reads files of a source into a data directory and publishes a new generation.
    Import(ImportFiles),
    /// Reads again what of a source could not be read or not be understood, and publishes a new
    /// generation: for when the reader has improved, or more companies are known.
    ReadAgain {
        source: Source,
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Reads swisstopo's directory of localities (`AMTOVZ_CSV_LV95.csv`) into a data directory, completes
    /// the records by it and publishes a new generation.
    Localities {
        file: PathBuf,
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Compares the codes by which companies are classified with the official list of NOGA 2008, which is
    /// fetched unless a file of it is named: who asks, the source is told by `FETCH_CONTACT`.
    Noga { file: Option<PathBuf> },
    /// Asks a running server to see what sources have published, as the schedules do in the cloud. Who
    /// asks is told to the sources: `FETCH_CONTACT`, and what else they need, is read from the server's
    /// environment.
    Look {
        #[arg(required = true)]
        sources: Vec<Source>,
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Prints the environment in which the functions find the tables and the bucket of a running
    /// server, for `cargo lambda watch` and for other tools of AWS.
    Env {
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// Where the functions will be reached.
        #[arg(long, default_value = "http://127.0.0.1:9100/api")]
        public_url: String,
    },
    /// Makes a team of each tier in a deployment that has none yet, and prints their keys as JSON.
    /// The environment says where that is, as it does for any tool of AWS.
    Teams {
        /// The deployment's table of tenants.
        #[arg(value_name = "TABLE")]
        table: String,
    },
    /// Writes what is generated from the code: the description of the interface, the list of its
    /// operations, the gateway's paths, the routes of `cargo lambda watch`.
    Openapi {
        /// The root of the checkout.
        #[arg(default_value = ".")]
        root: PathBuf,
    },
}

#[derive(Debug, Args)]
struct Serve {
    /// The port of the loopback to listen on.
    #[arg(long, default_value_t = 9000)]
    port: u16,
    /// Where the register is kept between runs; without it, in a temporary folder.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// How many companies the demonstration register has (5000 by default; 0 is allowed).
    #[arg(long, value_name = "N", value_parser = companies)]
    companies: Option<usize>,
    /// Reads every notice of the companies of a register of 50,000 and more, not the newest alone.
    #[arg(long)]
    all_notices: bool,
    /// Reads a file of a source on top of it.
    #[arg(long, value_name = "SOURCE=FILE", value_parser = source_and_file)]
    import: Vec<(Source, PathBuf)>,
    /// Starts with a new register, whatever DIR holds.
    #[arg(long, requires = "data")]
    reset: bool,
}

#[derive(Debug, Args)]
struct ImportFiles {
    source: Source,
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Prints what would change, and changes nothing.
    #[arg(long)]
    dry_run: bool,
    /// Takes a whole list in though it lost more than a tenth of what it had.
    #[arg(long)]
    accept_shrunk: bool,
}

fn source_and_file(text: &str) -> Result<(Source, PathBuf), String> {
    let (source, file) =
        text.split_once('=').ok_or_else(|| format!("`{text}` is not of the form SOURCE=FILE"))?;
    Ok((source.parse().map_err(|it: sources::UnknownSource| it.to_string())?, file.into()))
}

fn companies(text: &str) -> Result<usize, String> {
    let count = text.parse().map_err(|_| format!("`{text}` is not a whole number"))?;
    if count > demo_registry::CAPACITY {
        return Err(format!(
            "the demonstration register has at most {} companies",
            demo_registry::CAPACITY
        ));
    }
    Ok(count)
}

const COMPANIES_BY_DEFAULT: usize = 5_000;
/// How long requests that are under way may take to end when the server is asked to stop.
const GRACE: Duration = Duration::from_secs(2);

impl Command {
    /// Carries the command out.
    pub async fn run(self) -> Result<(), Stop> {
        match self.task {
            Some(Task::Import(files)) => files.run().await,
            Some(Task::ReadAgain { source, data }) => {
                changed(&data, async |cloud| register::read_again(cloud, source).await).await
            }
            Some(Task::Localities { file, data }) => {
                let list = register::read_list(&file)?;
                changed(&data, async |cloud| register::locate(cloud, &list).await).await
            }
            Some(Task::Noga { file }) => check_noga(file.as_deref()).await,
            Some(Task::Look { sources, data }) => {
                let job = IngestJob::FetchSources { sources };
                let sent = cloud::ingest_queue(&running(&data)?.endpoints).send(&job).await;
                sent.map_err(|it| Stop::because("the queue", it))
            }
            Some(Task::Env { data, public_url }) => {
                for (name, value) in cloud::environment(&running(&data)?.endpoints, &public_url) {
                    println!("export {name}={value}");
                }
                Ok(())
            }
            Some(Task::Teams { table }) => {
                let tenants = Tenants::named(store::client(&aws_environment::load().await), table);
                let keys = teams::create(&tenants, Clock::system().now()).await?;
                let json = serde_json::to_string_pretty(&keys);
                println!("{}", json.map_err(|it| Stop::because("the keys", it))?);
                Ok(())
            }
            Some(Task::Openapi { root }) => {
                let read = |path: &str| std::fs::read_to_string(root.join(path));
                for (path, text) in functions::generated(read).await? {
                    std::fs::write(root.join(path), text).map_err(|it| Stop::because(path, it))?;
                }
                Ok(())
            }
            None => self.serve.run().await,
        }
    }
}

/// Whether every code of ours is one of the official list, and no section or division is missing.
async fn check_noga(file: Option<&Path>) -> Result<(), Stop> {
    let because = |it: &(dyn std::error::Error + 'static)| {
        Stop::because("the list of NOGA 2008", errors::chain(it))
    };
    let list = match file {
        Some(file) => std::fs::read(file).map_err(|it| because(&it))?,
        None => {
            let fetcher = Fetcher::new(fetch::Settings::from_env());
            fetcher.noga().await.map_err(|it| because(&it))?
        }
    };
    let codes = noga::read(&list).map_err(|it| because(&it))?;
    let deviations = noga::deviations(&codes);
    if !deviations.is_empty() {
        return Err(Stop(format!("the list of NOGA 2008: {}", deviations.join("; "))));
    }
    println!(
        "of {} codes of NOGA 2008, all that companies are classified by are there",
        codes.len()
    );
    Ok(())
}

/// What the server in this directory says of itself.
fn running(data: &Path) -> Result<Local, Stop> {
    Directory::local(data)?.ok_or_else(|| Stop(format!("no server is ready in {}", data.display())))
}

/// A data directory that holds a register, for as long as nobody else needs it.
fn held(data: &Path) -> Result<(Directory, RegistryMarker), Stop> {
    let here = data.display();
    if !data.is_dir() {
        return Err(Stop(format!("{here} is not a data directory")));
    }
    let directory = Directory::hold(data)?;
    match directory.registry()? {
        Some(marker) => Ok((directory, marker)),
        None => {
            Err(Stop(format!("{here} holds no register: `cargo run -- --data {here}` makes one")))
        }
    }
}

/// Changes the register of a data directory, and publishes it.
async fn changed(
    data: &Path,
    change: impl AsyncFnOnce(&Cloud) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (directory, RegistryMarker { companies, .. }) = held(data)?;
    let (cloud, _) = Cloud::in_folder(directory.path()).await?;
    let manifest = published(&directory, companies, async {
        change(&cloud).await?;
        register::publish(&cloud, &std::env::temp_dir(), companies as u64).await
    });
    let manifest = manifest.await?;
    println!("generation {} of {} companies is published", manifest.id, manifest.companies);
    Ok(())
}

impl ImportFiles {
    async fn run(self) -> Result<(), Stop> {
        let imports: Result<Vec<Import>, Stop> =
            self.files.iter().map(|it| register::read(self.source, it)).collect();
        let imports = imports?;
        if self.dry_run {
            let (directory, _) = held(&self.data)?;
            let (cloud, _) = Cloud::in_folder(directory.path()).await?;
            return register::preview(&cloud, imports).await;
        }
        let import =
            async |cloud: &Cloud| register::import(cloud, imports, self.accept_shrunk).await;
        changed(&self.data, import).await
    }
}

impl Serve {
    async fn run(self) -> Result<(), Stop> {
        let started = Instant::now();
        // What can be refused is refused before anything is made.
        let imports: Result<Vec<Import>, Stop> =
            self.import.iter().map(|(source, file)| register::read(*source, file)).collect();
        let imports = imports?;
        let address = SocketAddr::from(([127, 0, 0, 1], self.port));
        let listener = TcpListener::bind(address).await;
        let listener = listener
            .map_err(|it| Stop::because(&format!("port {} cannot be used", self.port), it))?;
        let port = listener.local_addr().map_or(self.port, |it| it.port());

        let temporary = TempDir::new().map_err(|it| Stop::because("a temporary folder", it))?;
        let data = self.data.clone().unwrap_or_else(|| temporary.path().join("data"));
        let directory = Directory::hold(&data)?;
        // Asked from here on, so that whatever is being made is tidied up.
        let mut asked_to_stop = std::pin::pin!(asked_to_stop()?);
        let (cloud, database) = tokio::select! {
            prepared = self.prepare(&directory, temporary.path(), imports) => prepared?,
            () = &mut asked_to_stop => return Err(Stop("stopped before it was ready".into())),
        };
        let keys = keys(&directory, &cloud).await?;

        let url = format!("http://127.0.0.1:{port}/api");
        let (router, generations) =
            functions::router(&cloud, &url, temporary.path(), Clock::system());
        let generation = generations.current().await;
        let generation = generation.map_err(|it| Stop::because("the generation", it))?;
        let opened = generation.open_all().await;
        opened.map_err(|it| Stop::because("the generation", it))?;
        let endpoints = Endpoints {
            dynamodb: cloud.dynamodb.clone(),
            s3: cloud.s3.clone(),
            sqs: cloud.sqs.clone(),
        };
        let local = Local { url, keys, endpoints, generation: generation.manifest.id.clone() };
        cloud::sweep_in_background(database);

        let (stop, stopping) = oneshot::channel::<()>();
        let stopping = stopping.map(drop).shared();
        let fetcher = Fetcher::new(fetch::Settings::from_env());
        Workers::new(&cloud, &generations, fetcher, temporary.path())
            .start(&cloud, stopping.clone())?;
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, service).with_graceful_shutdown(stopping);
        let serving = tokio::spawn(serving.into_future());
        let announced = directory.announce(&local)?;
        // It serves even if nobody reads what it prints.
        let _ = greet(&local, generation.manifest.companies, started, &announced);
        asked_to_stop.await;
        directory.withdraw()?;
        drop(stop);
        // A client that never finishes its request does not keep the server.
        let _ = tokio::time::timeout(GRACE, serving).await;
        Ok(())
    }

    /// The cloud of a directory, with a whole register and its generation in it.
    async fn prepare(
        &self,
        directory: &Directory,
        temporary: &Path,
        imports: Vec<Import>,
    ) -> Result<(Cloud, Database), Stop> {
        let kept = if self.reset { None } else { directory.registry()? };
        if let (Some(_), Some(wanted)) = (&kept, self.companies) {
            let here = directory.path().display();
            println!(
                "--companies {wanted} is ignored: {here} holds a register (--reset starts anew)"
            );
        }
        if kept.is_none() {
            directory.reset()?;
        }
        let (cloud, database) = Cloud::in_folder(directory.path()).await?;
        let (companies, loaded) = match &kept {
            Some(marker) => (marker.companies, None),
            None => {
                let companies = self.companies.unwrap_or(COMPANIES_BY_DEFAULT);
                let demo = Demo { companies, all_notices: self.all_notices };
                (companies, Some(register::load_demo(database.clone(), demo).await?))
            }
        };
        let is_published = kept.is_some_and(|it| it.published);
        match loaded {
            Some(loaded) if imports.is_empty() => {
                published(directory, companies, loaded.publish(&cloud, temporary)).await?;
            }
            _ if imports.is_empty() && is_published => {}
            _ => {
                let imported = published(directory, companies, async {
                    register::import(&cloud, imports, false).await?;
                    register::publish(&cloud, temporary, companies as u64).await
                });
                imported.await?;
            }
        }
        Ok((cloud, database))
    }
}

/// Changes the register of a directory and publishes it. A run that dies on the way leaves the mark that
/// the next one publishes.
async fn published(
    directory: &Directory,
    companies: usize,
    publish: impl Future<Output = Result<Manifest, Stop>>,
) -> Result<Manifest, Stop> {
    directory.put_registry(&RegistryMarker { companies, published: false })?;
    let manifest = publish.await?;
    directory.put_registry(&RegistryMarker { companies, published: true })?;
    Ok(manifest)
}

/// The keys of the directory's teams, which are made the first time.
async fn keys(directory: &Directory, cloud: &Cloud) -> Result<Keys, Stop> {
    if let Some(keys) = directory.keys()? {
        return Ok(keys);
    }
    let keys = teams::create(&cloud.tenants, Clock::system().now()).await?;
    directory.put_keys(&keys)?;
    Ok(keys)
}

fn greet(local: &Local, companies: u64, started: Instant, announced: &Path) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Local { url, keys, .. } = local;
    let seconds = started.elapsed().as_secs_f64();
    writeln!(out, "\nGotthard serves {companies} companies at {url} (ready in {seconds:.1} s)\n")?;
    for (name, key) in keys.named() {
        writeln!(out, "  {name:<13} {key}")?;
    }
    writeln!(out, "\nTry:\n")?;
    writeln!(out, "  curl '{url}/v1/companies?search=nestle&pageSize=3'")?;
    writeln!(
        out,
        "  curl '{url}/v1/companies?canton=ZH&legalForm=AG&sortBy=shareCapital&sortDesc=true' \\\n    -H 'Authorization: Bearer {}'",
        keys.starter
    )?;
    writeln!(out, "  curl '{url}/v1/usage/current' -H 'Authorization: Bearer {}'", keys.starter)?;
    writeln!(out, "\nThe same for programs: {}\nCtrl-C stops it.", announced.display())
}

/// Ends when somebody asks the server to stop, be it before it is awaited.
#[cfg(unix)]
fn asked_to_stop() -> Result<impl Future<Output = ()>, Stop> {
    use tokio::signal::unix::{SignalKind, signal};
    let listen = |kind| signal(kind).map_err(|it| Stop::because("a signal", it));
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
fn asked_to_stop() -> Result<impl Future<Output = ()>, Stop> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
