use crate::{Allowance, Tier, Window};

/// Maximum number of deliveries that wait for a webhook while those of the day are used up, for teams with more deliveries a day.
const MAX_WAITING: u32 = 100_000;

/// The deliveries that are made to the webhooks of a team on one day (UTC), repeated attempts, tests and replays included.
#[rustfmt::skip]
pub const fn webhook_deliveries(tier: Tier) -> Allowance {
    let requests = match tier {
        Tier::Free         =>     1_000,
        Tier::Starter      =>    10_000,
        Tier::Professional =>   100_000,
        Tier::Enterprise   => 1_000_000,
    };
    Allowance { requests, window: Window::Day }
}

/// The deliveries that may wait for one webhook while those of the day are used up: as many as are made on a day.
pub const fn waiting_deliveries(tier: Tier) -> u32 {
    let Allowance { requests, .. } = webhook_deliveries(tier);
    if requests < MAX_WAITING { requests } else { MAX_WAITING }
}
