//! Every function that answers HTTP. A new one is mounted by one line here.

use std::path::Path;

use axum::Router;
use generations::Generations;
use http_service::{Api, Clock, Description, Middleware};

use crate::{Stop, cloud::Cloud, examples::World, gateway};

/// The functions over one cloud.
pub fn apis<D: Description>(
    cloud: &Cloud,
    generations: &Generations,
    clock: &Clock,
    public_url: &str,
) -> Vec<Api<D>> {
    let registry = cloud.registry.clone();
    let generations = generations.clone();
    vec![
        search_read::api(search_read::State {
            registry: registry.clone(),
            generations: generations.clone(),
            clock: clock.clone(),
        }),
        standard_read::api(standard_read::State {
            registry: registry.clone(),
            tenants: cloud.tenants.clone(),
            generations: generations.clone(),
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
        account::api(account::State {
            tenants: cloud.tenants.clone(),
            counters: cloud.counters.clone(),
            registry: registry.clone(),
            generations: generations.clone(),
            clock: clock.clone(),
        }),
        public::api(public::State {
            registry,
            generations,
            clock: clock.clone(),
            public_url: public_url.into(),
        }),
    ]
}

/// What is generated from the functions, as it is checked in: each file's path below the root, and
/// its whole text. `read` gives the text that a file has now.
pub async fn generated(
    read: impl Fn(&str) -> std::io::Result<String>,
) -> Result<Vec<(&'static str, String)>, Stop> {
    let mut world = World::make().await?;
    let apis = world.apis();
    let mut document = http_service::openapi::document(&apis);
    world.show(&mut document).await?;
    world.follow_links(&document).await?;
    let json = serde_json::to_string_pretty(&document);
    let json = json.map_err(|it| Stop::because("the description", it))?;
    let mut files = vec![
        ("functions/api/public/openapi.json", json + "\n"),
        ("functions/api/public/operations.txt", http_service::openapi::operations(&apis)),
    ];
    for (path, generate) in gateway::GENERATED {
        let text = read(path).map_err(|it| Stop::because(path, it))?;
        files.push((path, gateway::rewritten(&text, &generate(&apis))?));
    }
    Ok(files)
}

/// All functions as one service. `downloads` is a folder for the generations it opens.
pub fn router(
    cloud: &Cloud,
    public_url: &str,
    downloads: &Path,
    clock: Clock,
) -> (Router, Generations) {
    let generations = Generations::new(cloud.objects.clone(), downloads);
    let middleware =
        Middleware::new(cloud.tenants.clone(), cloud.counters.clone(), public_url, clock.clone());
    let apis = apis(cloud, &generations, &clock, public_url);
    (http_service::service(middleware, apis), generations)
}
