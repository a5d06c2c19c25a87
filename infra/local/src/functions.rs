//! Every function that answers HTTP. To add a function, add it to the list in [`apis`].

use std::path::Path;

use axum::Router;
use generations::Generations;
use http_service::{Api, Clock, Description, Middleware};

use crate::cloud::Cloud;

/// Every function, with the state it needs.
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

/// All functions as one service, and the generations it serves from. Opened generations are stored in the
/// directory `downloads`.
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
