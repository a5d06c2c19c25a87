//! Limits on the mails, the look-ups of domains, and the replays and tests of webhooks that clients cause.

use std::net::IpAddr;

use access::{NETWORKS_PER_SITE, Network, RateGroup};
use auth::{Caller, Email};
use http_service::short_limits::{Limited, count};
use jiff::Timestamp;
use problem_details::Problem;
use sha2::{Digest, Sha256};
use store::Counters;

/// Maximum number of mails to one address in 10 minutes.
pub(crate) const MAX_PER_RECIPIENT: u32 = 5;
/// Maximum number of mails that one client address (IPv6: one /64) or one team causes in 10 minutes.
pub(crate) const MAX_PER_SENDER: u32 = 20;

const MAILS: Limited = Limited {
    group: RateGroup::Public,
    policy: "mails",
    allowed: "mails",
    plural: "mails",
    singular: "mail",
};

/// Requests about single sign-on that make us ask others.
pub(crate) const SSO_CHANGES: Limited = Limited {
    group: RateGroup::Account,
    policy: "single_sign_on",
    allowed: "changes and verifications of single sign-on",
    plural: "changes",
    singular: "change of single sign-on",
};

pub(crate) const REPLAYS: Limited = Limited {
    group: RateGroup::Account,
    policy: "replays",
    allowed: "replays",
    plural: "replays",
    singular: "replay",
};

/// Test deliveries, during which a request waits for a receiver.
pub(crate) const TESTS: Limited = Limited {
    group: RateGroup::Account,
    policy: "webhook_tests",
    allowed: "test deliveries",
    plural: "test deliveries",
    singular: "test delivery",
};

/// Counts a sign-in link, by the client's address and then by the recipient: a client that has reached its own limit
/// uses up nothing of others.
pub(crate) async fn count_link(
    counters: &Counters,
    client: IpAddr,
    to: &Email,
    now: Timestamp,
) -> Result<(), Problem> {
    let network = Network::from(client);
    count(counters, &MAILS, &format!("address#{network}"), MAX_PER_SENDER, now).await?;
    if let Some(site) = network.site() {
        let limit = MAX_PER_SENDER * NETWORKS_PER_SITE;
        count(counters, &MAILS, &format!("address#{site}"), limit, now).await?;
    }
    count_recipient(counters, to, now).await
}

/// Counts an invitation, or a mail that asks to confirm an address, by the team, by who causes it (who may be in several
/// teams), and then by the recipient.
pub(crate) async fn count_request_of_team(
    counters: &Counters,
    caller: &Caller,
    to: &Email,
    now: Timestamp,
) -> Result<(), Problem> {
    let (team, principal) = (caller.team(), &caller.principal().id);
    count(counters, &MAILS, &format!("team#{team}"), MAX_PER_SENDER, now).await?;
    count(counters, &MAILS, &format!("principal#{principal}"), MAX_PER_SENDER, now).await?;
    count_recipient(counters, to, now).await
}

async fn count_recipient(counters: &Counters, to: &Email, now: Timestamp) -> Result<(), Problem> {
    // The counters contain no addresses of persons.
    let hash = hex::encode(Sha256::digest(to.as_str()));
    count(counters, &MAILS, &format!("mail#{hash}"), MAX_PER_RECIPIENT, now).await
}
