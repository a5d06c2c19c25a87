//! Limits on the mails, the look-ups of domains and the replays that clients cause.

use std::net::IpAddr;

use access::{NETWORKS_PER_SITE, Network, RateGroup};
use auth::{Caller, Email};
use jiff::Timestamp;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use sha2::{Digest, Sha256};
use store::{CountError, Counted, Counters, MAIL_WINDOW};

/// Maximum number of mails to one address in 10 minutes.
pub(crate) const MAX_PER_RECIPIENT: u32 = 5;
/// Maximum number of mails that one client address (IPv6: one /64) or one team causes in 10 minutes.
pub(crate) const MAX_PER_SENDER: u32 = 20;

/// What is limited in 10 minutes.
pub(crate) struct Limited {
    /// The rate group that the refusal names.
    group: RateGroup,
    /// The policy that the refusal names.
    policy: &'static str,
    /// What is allowed, in the refusal.
    allowed: &'static str,
    /// What cannot be counted, in the answer when counting fails.
    several: &'static str,
    /// One of them, in the log.
    one: &'static str,
}

const MAILS: Limited = Limited {
    group: RateGroup::Public,
    policy: "mails",
    allowed: "mails",
    several: "mails",
    one: "mail",
};

/// Requests about single sign-on that make us ask others.
pub(crate) const SSO_CHANGES: Limited = Limited {
    group: RateGroup::Account,
    policy: "single_sign_on",
    allowed: "changes and verifications of single sign-on",
    several: "changes",
    one: "change of single sign-on",
};

pub(crate) const REPLAYS: Limited = Limited {
    group: RateGroup::Account,
    policy: "replays",
    allowed: "replays",
    several: "replays",
    one: "replay",
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

/// Counts one, or refuses it with 429.
pub(crate) async fn count(
    counters: &Counters,
    limited: &Limited,
    subject: &str,
    limit: u32,
    now: Timestamp,
) -> Result<(), Problem> {
    let Limited { group, policy, allowed, several, one } = limited;
    match counters.count_mail(subject, limit, now).await {
        // A lost answer follows a count, usually.
        Ok(Counted::Now { .. }) | Err(CountError::AnswerLost(_)) => Ok(()),
        Ok(Counted::Full) => {
            let retry_after = MAIL_WINDOW - now.as_second().rem_euclid(MAIL_WINDOW);
            let detail = format!(
                "{limit} {allowed} are allowed in 10 minutes; try again in {retry_after} seconds"
            );
            Err(Problem::new(&RATE_LIMIT_EXCEEDED, detail)
                .with("group", *group)
                .with("window", "10m")
                .with("limit", limit)
                .with("retryAfterSeconds", retry_after)
                .with("violatedPolicies", [policy]))
        }
        // Without limits, anybody could have mails sent to others.
        Err(failure) => {
            tracing::error!(
                metric = "MeteringFailure",
                failure = errors::chain(&failure),
                "{one} not counted"
            );
            let detail = format!("{several} cannot be counted at the moment; try again later");
            Err(Problem::new(&SERVICE_UNAVAILABLE, detail))
        }
    }
}
