//! The examples of the description: what the functions answer.
//!
//! Every operation is asked as the examples of its parameters say, over a small demonstration register,
//! at a moment that does not pass. So an example that is refused, an answer of another kind, or a header
//! that is not described stops `cargo openapi`, and none of the examples grows old.

mod links;

use std::{
    net::{IpAddr, Ipv4Addr},
    path::Path,
};

use access::{Environment, Scope, Tier};
use axum::{Router, body::Body};
use domain::{
    Uid,
    company::{Affiliation, AffiliationKind},
};
use generations::Generations;
use http::{Request, Response, header};
use http_body_util::BodyExt;
use http_service::{Annotations, Api, ClientAddress, Clock, openapi};
use jiff::{Timestamp, civil::time, tz::TimeZone};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};
use sources::Source;
use store::Registry;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::{
    Stop,
    cloud::Cloud,
    functions,
    register::{self, Demo},
    teams,
};

/// How many companies there are: enough that every list has something in it.
const COMPANIES: usize = 300;
/// How many items of a list are shown.
const ITEMS: usize = 2;
/// How many characters of a text that is no JSON are shown.
const CHARACTERS: usize = 600;
/// The address of the API.
const PUBLIC_URL: &str = "https://api.example/api";

/// What nobody publishes of the demonstration's companies.
const MORE: [(Source, &str); 2] = [
    (Source::News, include_str!("examples/news.json")),
    (Source::Reports, include_str!("examples/reports.csv")),
];

/// The company that the examples name, its branch, and a company that it took over.
const COMPANY: u32 = 895_111_004;
const BRANCH: u32 = 790_852_446;
const TAKEN_OVER: u32 = 609_385_778;

/// What chance makes is shown as these: the key that is created and rotated, and the generation.
const KEY_ID: &str = "0b7a6c1e-3f52-4d4e-9a57-6d1f8c2b4e90";
const KEY_PREFIX: &str = "gth_live_8q2mz1k0v5rt";
const KEY: &str = "gth_live_8q2mz1k0v5rt_…";
const GENERATION: &str = "01997a51-4c00-7000-8000-000000000000";

/// Everything but what stands in an address as it is.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b',');

/// A small service, to be asked.
pub struct World {
    cloud: Cloud,
    generations: Generations,
    clock: Clock,
    router: Router,
    /// Of a team that may do everything.
    key: String,
    /// What chance made, and what is shown in its place.
    stand_ins: Vec<(String, &'static str)>,
    _folder: TempDir,
}

impl World {
    /// A service over the demonstration register, on its day.
    pub async fn make() -> Result<Self, Stop> {
        let folder = TempDir::new().map_err(because)?;
        let (cloud, database) = Cloud::in_folder(folder.path()).await?;
        let demo = Demo { companies: COMPANIES, all_notices: false };
        register::load_demo(database, demo).await?;
        let noon = demo_registry::DEMO_DATE.to_datetime(time(12, 30, 0, 0));
        let now = noon.to_zoned(TimeZone::UTC).map_err(because)?.timestamp();
        for (source, text) in MORE {
            read(&cloud, folder.path(), source, text, now).await?;
        }
        give_relatives(&cloud.registry).await?;
        let published =
            indexer::publish(&cloud.registry, &cloud.objects, folder.path(), now, |_| ());
        let manifest = published.await.map_err(because)?;

        let clock = Clock::from_fn(move || now);
        let (router, generations) =
            functions::router(&cloud, PUBLIC_URL, folder.path(), clock.clone());
        let team = teams::create_team(&cloud.tenants, Tier::Enterprise).await?;
        let scopes = [Scope::Read, Scope::Write];
        let key = teams::create_key(&cloud.tenants, &team, Environment::Live, &scopes, now).await?;
        let stand_ins = vec![(manifest.id, GENERATION)];
        Ok(Self { cloud, generations, clock, router, key, stand_ins, _folder: folder })
    }

    /// The functions that are asked.
    pub fn apis(&self) -> Vec<Api<Annotations>> {
        functions::apis(&self.cloud, &self.generations, &self.clock, PUBLIC_URL)
    }

    /// Shows with every operation of the description what it answers.
    pub async fn show(&mut self, document: &mut Value) -> Result<(), Stop> {
        let schemas = document["components"]["schemas"].clone();
        let mut operations: Vec<(&String, &String, &mut Value)> = Vec::new();
        for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
            for (method, operation) in item.as_object_mut().into_iter().flatten() {
                operations.push((method, path, operation));
            }
        }
        // What was made is used before it is deleted.
        operations.sort_by_key(|(method, ..)| *method == "delete");
        for (method, path, operation) in operations {
            show_body(operation, &schemas);
            let shown = self.show_operation(method, path, operation).await;
            shown.map_err(|it| Stop(format!("{method} {path}: {it}")))?;
        }
        Ok(())
    }

    async fn show_operation(
        &mut self,
        method: &str,
        path: &str,
        operation: &mut Value,
    ) -> Result<(), Stop> {
        let parameters = Parameters::of(operation);
        let uri = parameters.uri(path);
        let body = operation["requestBody"]["content"]["application/json"]["example"].clone();
        let ask = |header: &str, value: &str| {
            let ask = Request::builder().method(method.to_ascii_uppercase().as_str());
            (ask.header(header, value), body.clone())
        };
        for media_type in media_types(operation) {
            let answer = self.answer(&uri, ask("accept", &media_type)).await?;
            openapi::add_example(operation, &answer).map_err(because)?;
            if answer.headers().contains_key(header::ETAG) {
                let held = self.answer(&uri, ask("if-none-match", "*")).await?;
                openapi::add_example(operation, &held).map_err(because)?;
            }
        }
        // The second answer is the first one's replay, or says that there is none.
        if let Some(key) = parameters.example("Idempotency-Key") {
            for _ in 0..2 {
                let answer = self.ask(&uri, ask("idempotency-key", &key)).await?;
                if answer.status().is_success() {
                    openapi::add_example(operation, &answer).map_err(because)?;
                }
            }
        }
        for filter in parameters.optional() {
            let and = if uri.contains('?') { '&' } else { '?' };
            self.answer(&format!("{uri}{and}{filter}"), ask("accept", "*/*")).await?;
        }
        Ok(())
    }

    /// The answer to a request that must be accepted.
    async fn answer(
        &mut self,
        uri: &str,
        request: (http::request::Builder, Value),
    ) -> Result<Response<Value>, Stop> {
        let answer = self.ask(uri, request).await?;
        let status = answer.status();
        if status.is_success() || status == http::StatusCode::NOT_MODIFIED {
            return Ok(answer);
        }
        Err(Stop(format!("its examples, as {uri}, are answered with {status}: {}", answer.body())))
    }

    async fn ask(
        &mut self,
        uri: &str,
        (request, body): (http::request::Builder, Value),
    ) -> Result<Response<Value>, Stop> {
        // The latest key that was made is the one that the examples mean.
        let uri = self
            .stand_ins
            .iter()
            .rev()
            .fold(uri.to_owned(), |it, (made, shown)| it.replace(shown, made));
        let mut request = request
            .uri(uri)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .extension(ClientAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        let mut text = String::new();
        if !body.is_null() {
            request = request.header(header::CONTENT_TYPE, "application/json");
            text = body.to_string();
        }
        let request = request.body(Body::from(text)).map_err(because)?;
        let Ok(answer) = self.router.clone().oneshot(request).await;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.map_err(because)?.to_bytes();
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if let Ok(body) = serde_json::from_str(&text) {
            self.note_keys(&body);
        }
        for (made, shown) in &self.stand_ins {
            text = text.replace(made, shown);
        }
        let body = match serde_json::from_str(&text) {
            Ok(body) => shortened(body),
            Err(_) => cut(&text).into(),
        };
        Ok(Response::from_parts(parts, body))
    }

    /// Notes the keys in an answer: their secrets and ids are of chance.
    fn note_keys(&mut self, body: &Value) {
        let keys = body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice);
        for key in keys.iter().filter(|it| it["prefix"].is_string()) {
            // The key begins with its prefix.
            for (member, shown) in [("key", KEY), ("prefix", KEY_PREFIX), ("id", KEY_ID)] {
                if let Some(made) = key[member].as_str() {
                    self.stand_ins.push((made.to_owned(), shown));
                }
            }
        }
    }
}

fn because(error: impl Into<Box<dyn std::error::Error>>) -> Stop {
    Stop::because("the examples", error)
}

async fn read(
    cloud: &Cloud,
    folder: &Path,
    source: Source,
    text: &str,
    now: Timestamp,
) -> Result<(), Stop> {
    let read = ingest::resolve::read(source, text.as_bytes()).map_err(because)?;
    let generations = Generations::new(cloud.objects.clone(), folder);
    let batch = read.resolve_in(&generations, &cloud.registry).await.map_err(because)?;
    if let Some(rejected) = batch.rejected.first() {
        return Err(because(rejected.reason.as_str()));
    }
    let stored = ingest::ingest(&cloud.registry, &cloud.objects, source, batch, now).await;
    stored.map_err(because).map(drop)
}

/// Gives the company of the examples a branch and a company that it took over: the demonstration's
/// companies have no relatives.
async fn give_relatives(registry: &Registry) -> Result<(), Stop> {
    let relatives = [
        (AffiliationKind::BranchOffice, BRANCH, "Belintum AG"),
        (AffiliationKind::HasTakenOver, TAKEN_OVER, "Camenzind & Ziegler"),
    ];
    let mut companies = demo_registry::companies(COMPANIES);
    let company = companies.find(|it| it.uid.number() == COMPANY);
    let mut company = company.ok_or_else(|| because("the company is not in the register"))?;
    for (kind, number, name) in relatives {
        let (uid, name) = (Uid::from_number(number), name.to_owned());
        company.affiliations.push(Affiliation { kind, uid, name });
    }
    registry.put_companies(vec![company]).await.map_err(because)
}

/// The parameters of an operation: each with its place, its name and its example.
struct Parameters(Vec<Value>);

impl Parameters {
    fn of(operation: &Value) -> Self {
        Self(operation["parameters"].as_array().cloned().unwrap_or_default())
    }

    /// The example of the parameter of this name, as it is sent.
    fn example(&self, name: &str) -> Option<String> {
        self.0.iter().find(|it| it["name"] == name).map(|it| sent(&it["example"]))
    }

    /// Sends this value for the parameter of this name.
    fn give(&mut self, name: &str, value: &Value) -> Result<(), Stop> {
        let parameter = self.0.iter_mut().find(|it| it["name"] == name);
        let parameter = parameter.ok_or_else(|| Stop(format!("it takes no `{name}`")))?;
        parameter["example"] = value.clone();
        parameter["required"] = true.into();
        Ok(())
    }

    /// The address with what it needs, of lists a few items.
    fn uri(&self, path: &str) -> String {
        let (mut path, mut query) = (path.to_owned(), Vec::new());
        for parameter in &self.0 {
            let name = parameter["name"].as_str().unwrap_or_default();
            let value = sent(&parameter["example"]);
            match (parameter["in"].as_str(), name) {
                (Some("path"), _) => path = path.replace(&format!("{{{name}}}"), &value),
                (Some("query"), "pageSize" | "limit") => query.push(format!("{name}={ITEMS}")),
                (Some("query"), _) if parameter["required"] == true => {
                    query.push(format!("{name}={value}"));
                }
                _ => {}
            }
        }
        match query.is_empty() {
            true => path,
            false => format!("{path}?{}", query.join("&")),
        }
    }

    /// What may be asked beside, each with its example.
    fn optional(&self) -> Vec<String> {
        let optional = self.0.iter().filter(|it| it["in"] == "query" && it["required"] != true);
        let named = optional.filter(|it| it["name"] != "pageSize" && it["name"] != "limit");
        named
            .map(|it| {
                format!("{}={}", it["name"].as_str().unwrap_or_default(), sent(&it["example"]))
            })
            .collect()
    }
}

/// A value as it stands in an address; several values between commas.
fn sent(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(sent).collect::<Vec<_>>().join(","),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    match value {
        Value::Array(_) => text,
        _ => utf8_percent_encode(&text, ESCAPED).to_string(),
    }
}

/// The media types that an operation answers in.
fn media_types(operation: &Value) -> Vec<String> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    let mut answers = responses.filter(|(status, _)| status.starts_with('2'));
    let content = answers.find_map(|(_, it)| it["content"].as_object());
    content.map_or_else(|| vec!["*/*".to_owned()], |it| it.keys().cloned().collect())
}

/// Shows the body of a request, as its members' examples say.
fn show_body(operation: &mut Value, schemas: &Value) {
    let Some(content) = operation.pointer_mut("/requestBody/content/application~1json") else {
        return;
    };
    let reference = content["schema"]["$ref"].as_str().unwrap_or_default();
    let schema = &schemas[reference.rsplit('/').next().unwrap_or_default()];
    let members = schema["properties"].as_object().into_iter().flatten();
    let examples =
        members.filter_map(|(name, it)| Some((name.clone(), it.get("example")?.clone())));
    content["example"] = examples.collect::<Map<String, Value>>().into();
}

/// The answer with the beginnings of its lists.
fn shortened(mut value: Value) -> Value {
    match &mut value {
        Value::Array(items) => {
            items.truncate(ITEMS);
            items.iter_mut().for_each(|it| *it = shortened(it.take()));
        }
        Value::Object(members) => {
            members.values_mut().for_each(|it| *it = shortened(it.take()));
        }
        _ => {}
    }
    value
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
