//! Limits on what a single request makes expensive, or a burden to others: so many in 10 minutes or on a day, of a team, a person or an address.

use access::RateGroup;
use jiff::Timestamp;
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::{CountError, Counted, Counters, MailWindow};

/// Something that is limited in a window, beside the limits of rate groups.
pub struct Limited {
    /// The rate group that the refusal names.
    pub group: RateGroup,
    /// The policy that the refusal names.
    pub policy: &'static str,
    /// What is allowed, in the refusal.
    pub allowed: &'static str,
    /// What cannot be counted, in the answer when counting fails.
    pub plural: &'static str,
    /// One of them, in the log.
    pub singular: &'static str,
    /// In which time.
    pub window: MailWindow,
}

/// Counts one by a subject, or refuses it with 429.
///
/// # Errors
/// 429 if `limit` were counted in the current window, 503 if it cannot be counted.
pub async fn count(
    counters: &Counters,
    limited: &Limited,
    subject: &str,
    limit: u32,
    now: Timestamp,
) -> Result<(), Problem> {
    let Limited { group, policy, allowed, plural, singular, window } = limited;
    match counters.count_mail_in(*window, subject, limit, now).await {
        // A lost answer follows a count, usually.
        Ok(Counted::Now { .. }) | Err(CountError::AnswerLost(_)) => Ok(()),
        Ok(Counted::Full) => {
            let retry_after = window.seconds_to_reset(now);
            let words = window.words();
            let detail = format!(
                "{limit} {allowed} are allowed in {words}; try again in {retry_after} seconds"
            );
            Err(Problem::new(&RATE_LIMIT_EXCEEDED, detail)
                .with("group", *group)
                .with("window", window.name())
                .with("limit", limit)
                .with("retryAfterSeconds", retry_after)
                .with("violatedPolicies", [policy]))
        }
        // What is limited here burdens others, such as the recipients of mails.
        Err(failure) => {
            tracing::error!(
                metric = "MeteringFailure",
                failure = errors::chain(&failure),
                "{singular} not counted"
            );
            let detail = format!("{plural} cannot be counted at the moment; try again later");
            Err(Problem::new(&SERVICE_UNAVAILABLE, detail))
        }
    }
}
