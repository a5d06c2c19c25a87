//! Limits on the mails that clients cause.

use std::net::IpAddr;

use access::{NETWORKS_PER_SITE, Network, RateGroup};
use auth::{Email, TeamId};
use jiff::Timestamp;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use sha2::{Digest, Sha256};
use store::{CountError, Counted, Counters, MAIL_WINDOW};

/// Maximum number of mails to one address in 10 minutes.
pub(crate) const MAX_PER_RECIPIENT: u32 = 5;
/// Maximum number of mails that one client address (IPv6: one /64) or one team causes in 10 minutes.
pub(crate) const MAX_PER_SENDER: u32 = 20;

/// Counts a sign-in link, by the client's address and then by the recipient: a client that has reached its own limit
/// uses up nothing of others.
pub(crate) async fn count_link(
    counters: &Counters,
    client: IpAddr,
    to: &Email,
    now: Timestamp,
) -> Result<(), Problem> {
    let network = Network::from(client);
    count(counters, &format!("address#{network}"), MAX_PER_SENDER, now).await?;
    if let Some(site) = network.site() {
        let limit = MAX_PER_SENDER * NETWORKS_PER_SITE;
        count(counters, &format!("address#{site}"), limit, now).await?;
    }
    count_recipient(counters, to, now).await
}

/// Counts an invitation, or a mail that asks to confirm an address, by the team and then by the recipient.
pub(crate) async fn count_request_of_team(
    counters: &Counters,
    team: &TeamId,
    to: &Email,
    now: Timestamp,
) -> Result<(), Problem> {
    count(counters, &format!("team#{team}"), MAX_PER_SENDER, now).await?;
    count_recipient(counters, to, now).await
}

async fn count_recipient(counters: &Counters, to: &Email, now: Timestamp) -> Result<(), Problem> {
    // The counters contain no addresses of persons.
    let hash = hex::encode(Sha256::digest(to.as_str()));
    count(counters, &format!("mail#{hash}"), MAX_PER_RECIPIENT, now).await
}

async fn count(
    counters: &Counters,
    subject: &str,
    limit: u32,
    now: Timestamp,
) -> Result<(), Problem> {
    match counters.count_mail(subject, limit, now).await {
        // A lost answer follows a count, usually.
        Ok(Counted::Now { .. }) | Err(CountError::AnswerLost(_)) => Ok(()),
        Ok(Counted::Full) => {
            let retry_after = MAIL_WINDOW - now.as_second().rem_euclid(MAIL_WINDOW);
            let detail = format!(
                "{limit} mails are allowed in 10 minutes; try again in {retry_after} seconds"
            );
            Err(Problem::new(&RATE_LIMIT_EXCEEDED, detail)
                .with("group", RateGroup::Public)
                .with("window", "10m")
                .with("limit", limit)
                .with("retryAfterSeconds", retry_after)
                .with("violatedPolicies", ["mails"]))
        }
        // Without limits, anybody could have mails sent to others.
        Err(failure) => {
            tracing::error!(
                metric = "MeteringFailure",
                failure = errors::chain(&failure),
                "mail not counted"
            );
            let detail = "mails cannot be counted at the moment; try again later";
            Err(Problem::new(&SERVICE_UNAVAILABLE, detail))
        }
    }
}
