//! Finding companies, and the lists that filters are chosen from. Rate group: `search_read`.

mod companies;
mod reference;

use access::RateGroup;
use generations::Generations;
use http_service::{Api, Clock, Description, Routes};
use store::Registry;

/// What this function reads: company records, and the generation that finds them.
#[derive(Clone)]
pub struct State {
    pub registry: Registry,
    pub generations: Generations,
    /// Nobody is asked for a day that is still to come.
    pub clock: Clock,
}

pub fn api<D: Description>(state: State) -> Api<D> {
    Routes::new().merge(companies::routes()).merge(reference::routes()).into_api(
        "search-read",
        RateGroup::SearchRead,
        state,
    )
}
