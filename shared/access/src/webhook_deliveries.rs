use crate::{Allowance, Tier, Window};

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
