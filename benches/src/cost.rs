//! The processor time of the most expensive request of every operation that reads.
//!
//! The routers of all functions run in this process on one thread, as on Lambda. Their tables and bucket are
//! those of a server in another process, so that the time is that of a function: middleware, index, handler,
//! SDK and JSON, without the database. Processor time and not duration, because duration depends on what else
//! the machine does.
//!
//! Functions remember parsed facts of companies, which answer `asOf`. Such a request is measured without them, as the
//! first one about a company.
//!
//! There are two registers. One is as large as asked for, for what depends on the size of the indexes; the other
//! is small and contains the largest companies and persons (see [`largest`]). [`requests`] lists the
//! requests of each operation; an operation without requests is an error.

mod largest;
mod requests;
mod team;

use std::{
    net::{IpAddr, Ipv4Addr},
    path::Path,
    time::Duration,
};

use access::{Environment, Scope, Tier};
use axum::{Router, body::Body};
use bytes::Bytes;
use generations::Generations;
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use http_service::ClientAddress;
use local::{
    cloud::{Cloud, TABLES, clients},
    functions,
    register::demo::DemoSettings,
    teams,
};
use serde_json::Value;
use store::{Client, MAX_LISTED_COMPANIES, Registry, TeamKey};
use tempfile::TempDir;
use tower::ServiceExt;

use self::{
    requests::{Costly, LAST_PAGE, Subjects},
    team::Kept,
};
use crate::{
    Error, machine, process,
    samples::{self, Samples, milliseconds, row},
    server::Server,
};

/// Every request is sent once to warm up, then this often. The median counts.
const REPETITIONS: usize = 5;
/// No request should need more.
const TARGET: Duration = Duration::from_millis(200);
/// Number of companies in the register with the largest companies.
const SMALL_REGISTER: usize = 1_000;

pub(crate) fn measure(demo: DemoSettings, data: Option<&Path>) -> Result<(), Error> {
    // As on Lambda.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let temporary = TempDir::new()?;
    let data = data.unwrap_or(temporary.path());
    eprintln!("cost: a server of {} companies …", demo.companies);
    let server = Server::start_in(&data.join("wide"), demo)?;
    let mut highest = runtime.block_on(async {
        let mut functions = Functions::of(&server).await?;
        let subjects = functions.subjects().await?;
        functions.highest(&subjects).await
    })?;
    let (companies, ready) = (runtime.block_on(company_count(&server))?, server.ready);
    drop(server);

    eprintln!("cost: a server with the largest companies …");
    let demo = DemoSettings { companies: SMALL_REGISTER, all_notices: true };
    let server = Server::start_in(&data.join("largest"), demo)?;
    let loaded = data.join("largest-loaded");
    let of_largest = runtime.block_on(async {
        if !loaded.exists() {
            largest::load(&Cloud::of_server(&server.local.endpoints)).await?;
            server.publish().await?;
            std::fs::write(&loaded, "")?;
        }
        let mut functions = Functions::of(&server).await?;
        let subjects = Subjects { kept: functions.kept().await?, ..largest::subjects()? };
        functions.highest(&subjects).await
    })?;
    for (one, other) in highest.iter_mut().zip(of_largest) {
        if other.time > one.time {
            *one = other;
        }
    }

    highest.sort_by_key(|it| std::cmp::Reverse(it.time));
    eprintln!("cost: the server was ready after {}", samples::seconds(ready));
    samples::header(&[
        &format!("Operation ({companies} companies)"),
        "Most expensive request",
        "Processor time, ms",
        "Answer, kB",
    ]);
    let above = highest.iter().filter(|it| it.time > TARGET).count();
    for Cost { operation, label, time, bytes } in highest {
        let size = format!("{:.0}", bytes as f64 / 1_000.0);
        row([operation.as_str(), &label, &milliseconds(time), &size]);
    }
    println!("\n{above} operations need more than {} ms.\n", TARGET.as_millis());
    Ok(())
}

async fn company_count(server: &Server) -> Result<u64, Error> {
    let objects = Cloud::of_server(&server.local.endpoints).objects;
    Ok(generations::published(&objects).await?.map_or(0, |it| it.companies))
}

/// The most expensive request of an operation.
struct Cost {
    operation: String,
    label: String,
    time: Duration,
    bytes: usize,
}

/// All functions in this process, and a client with the highest allowance.
struct Functions {
    router: Router,
    cloud: Cloud,
    tables: Client,
    generations: Generations,
    key: String,
    team: TeamKey,
    _downloads: TempDir,
}

impl Functions {
    async fn of(server: &Server) -> Result<Self, Error> {
        let (cloud, downloads) = (Cloud::of_server(&server.local.endpoints), TempDir::new()?);
        let team = teams::create_team(&cloud.tenants, Tier::Enterprise).await?;
        let (live, scopes) = (Environment::Live, [Scope::Read, Scope::Write]);
        let key = teams::create_key(&cloud.tenants, &team, live, &scopes, machine::now()).await?;
        #[expect(clippy::disallowed_methods, reason = "the team was created for the measurement")]
        let team = TeamKey::as_operator(team, live);
        let (router, generations) = process::functions(&cloud, downloads.path());
        generations.refresh().await?.open_all().await?;
        let tables = clients::dynamodb_client(&server.local.endpoints.dynamodb);
        Ok(Self { router, cloud, tables, generations, key, team, _downloads: downloads })
    }

    /// Replaces the functions by new ones that remember nothing but the key.
    async fn forget(&mut self) -> Result<(), Error> {
        self.cloud.registry = Registry::named(self.tables.clone(), TABLES[0]);
        let folder = self._downloads.path();
        let components = process::components(&self.cloud, folder).with(self.generations.clone());
        self.router = functions::router(&components);
        self.json("/v1/usage/current").await?;
        Ok(())
    }

    /// Deletes the stored PDF files, so that they are typeset again.
    async fn forget_files(&self) -> Result<(), Error> {
        let objects = &self.cloud.objects;
        for key in objects.keys("company-pdfs/").await? {
            objects.delete(&key).await?;
        }
        Ok(())
    }

    /// The most expensive request of every operation that reads.
    async fn highest(&mut self, subjects: &Subjects) -> Result<Vec<Cost>, Error> {
        let mut all = Vec::new();
        for operation in requests::operations() {
            let requests = requests::of(operation, subjects)
                .ok_or_else(|| format!("{operation} has no requests: add them to `requests.rs`"))?;
            let mut highest: Option<Cost> = None;
            for request in requests {
                let cost = self.cost(operation, request).await?;
                eprintln!(
                    "  {operation}: {} ms, {} bytes: {}",
                    milliseconds(cost.time),
                    cost.bytes,
                    cost.label
                );
                if highest.as_ref().is_none_or(|it| cost.time > it.time) {
                    highest = Some(cost);
                }
            }
            all.extend(highest);
        }
        Ok(all)
    }

    /// The cost of a request, repeated.
    async fn cost(&mut self, operation: &str, mut request: Costly) -> Result<Cost, Error> {
        if request.path.contains(LAST_PAGE) {
            let first = self.json(&request.path.replace(LAST_PAGE, "page=1")).await?;
            let last = first["total"].as_u64().unwrap_or_default().div_ceil(100).max(1);
            request.path = request.path.replace(LAST_PAGE, &format!("page={last}"));
        }
        let mut samples = Samples::new();
        let mut bytes = self.send(&request).await?.len();
        for _ in 0..REPETITIONS {
            if request.is_of_a_day() {
                self.forget().await?;
            }
            if request.path.contains("pdf") {
                self.forget_files().await?;
            }
            let before = machine::own_cpu_time()?;
            bytes = self.send(&request).await?.len();
            samples.push(machine::own_cpu_time()?.saturating_sub(before));
        }
        let (operation, label) = (operation.to_owned(), request.label);
        Ok(Cost { operation, label, time: samples.median(), bytes })
    }

    async fn json(&self, path: &str) -> Result<Value, Error> {
        Ok(serde_json::from_slice(&self.send(&Costly::get(path, path)).await?)?)
    }

    async fn send(&self, request: &Costly) -> Result<Bytes, Error> {
        let (Costly { path, body, status: expected, .. }, is_of_a_day) =
            (request, request.is_of_a_day());
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let address = IpAddr::V4(Ipv4Addr::from_bits(rand::random()));
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .header(header::CONTENT_TYPE, "application/json")
            // Some operations are counted by address.
            .extension(ClientAddress(address))
            .body(Body::from(body.clone().unwrap_or_default()))?;
        let response = self.router.clone().oneshot(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        // A company may have been registered after the day `asOf`.
        let is_answer = status == *expected || (status == StatusCode::NOT_FOUND && is_of_a_day);
        match is_answer {
            true => Ok(body),
            false => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into()),
        }
    }

    /// Creates what the team keeps, about the first companies of the register.
    async fn kept(&self) -> Result<Kept, Error> {
        let mut companies = Vec::new();
        for page in 1..=MAX_LISTED_COMPANIES / 100 {
            let found = self.json(&format!("/v1/companies?pageSize=100&page={page}")).await?;
            for item in found["items"].as_array().into_iter().flatten() {
                companies.push(item["uid"].as_str().unwrap_or_default().parse()?);
            }
        }
        let kept = team::create(&self.cloud.tenants, &self.team, &companies).await?;
        let body = Some(requests::longest_name());
        let screening = Costly { body, ..Costly::get("", "/v1/screening") };
        let screening: Value = serde_json::from_slice(&self.send(&screening).await?)?;
        let screening = screening["id"].as_str().unwrap_or_default().to_owned();
        Ok(Kept { screening, ..kept })
    }

    /// The companies and persons of the register about which there is most to say.
    async fn subjects(&self) -> Result<Subjects, Error> {
        // Of a group, and with subsidiaries abroad; see the showcase of the demo register.
        let mut companies = vec!["CHE-812.460.660".to_owned(), "CHE-839.511.126".to_owned()];
        let (mut least, mut above) = (1_u64, 1 << 20);
        // The greatest number of changes that a company has, by bisection.
        while above - least > 1 {
            let middle = least + (above - least) / 2;
            let found = self.json(&format!("/v1/companies?minChanges={middle}&pageSize=1")).await?;
            match found["items"][0]["uid"].as_str() {
                Some(uid) => {
                    companies.push(uid.to_owned());
                    least = middle;
                }
                None => above = middle,
            }
        }
        companies.drain(2..companies.len().saturating_sub(2).max(2));
        let mut persons = Vec::new();
        for entities in [true, false] {
            let query =
                format!("sortBy=roleCount&sortDesc=true&pageSize=2&includeEntities={entities}");
            let found = self.json(&format!("/v1/persons/search?{query}")).await?;
            let ids = found["items"].as_array().into_iter().flatten();
            persons.extend(ids.filter_map(|it| it["id"].as_str().map(str::to_owned)));
        }
        let compared = self.json("/v1/companies?pageSize=100").await?;
        let uids = compared["items"].as_array().into_iter().flatten();
        let uids = uids.filter_map(|it| it["uid"].as_str().map(str::to_owned)).collect();
        let kept = self.kept().await?;
        Ok(Subjects { companies, persons, uids, kept })
    }
}
