//! Mails, and limits on them, on the look-ups of domains, and on the replays of webhooks that clients cause.

use access::RateGroup;
use auth::Email;
use http_service::short_limits::Limited;
use jiff::Timestamp;
use mail::Mail;
use outgoing::mail::{Cause, Counts, Limit, NotAllowed, Permit};
use problem_details::{Problem, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE};
use store::MailWindow;

/// Requests about single sign-on that make us ask others.
pub(crate) const SSO_CHANGES: Limited = Limited {
    group: RateGroup::Account,
    policy: "single_sign_on",
    allowed: "changes and verifications of single sign-on",
    plural: "changes",
    singular: "change of single sign-on",
    window: MailWindow::TenMinutes,
};

/// What leads to mails to all owners: another provider. A confirmation sends none, but each makes a new reminder possible.
pub(crate) const SSO_ANNOUNCEMENTS: Limited = Limited {
    group: RateGroup::Account,
    policy: "identity_providers",
    allowed: "choices and confirmations of the identity provider",
    plural: "choices of the identity provider",
    singular: "choice of the identity provider",
    window: MailWindow::Day,
};

pub(crate) const REPLAYS: Limited = Limited {
    group: RateGroup::Account,
    policy: "replays",
    allowed: "replays",
    plural: "replays",
    singular: "replay",
    window: MailWindow::TenMinutes,
};

impl crate::State {
    /// Counts a mail, or refuses it. `None`: none is sent, and the caller does not learn of it.
    ///
    /// # Errors
    /// 429 if its sender or its recipient has had too many, 503 if the deployment has, or if it cannot be counted.
    pub(crate) async fn allow_mail(
        &self,
        cause: &Cause<'_>,
        to: &Email,
        now: Timestamp,
    ) -> Result<Option<Permit>, Problem> {
        self.outgoing.allow(cause, to, now).await.map_err(|it| match it {
            NotAllowed::Limit(limit) => too_many(&limit, now),
            NotAllowed::Exhausted(_) => cannot_be_sent(),
            NotAllowed::NotRead(failure) => failure.into(),
            // What is limited here burdens the recipients of mails.
            NotAllowed::NotCounted(failure) => {
                tracing::error!(
                    metric = "MeteringFailure",
                    failure = errors::chain(&failure),
                    "mail not counted"
                );
                let detail = "mails cannot be counted at the moment; try again later";
                Problem::new(&SERVICE_UNAVAILABLE, detail)
            }
        })
    }

    /// Sends a mail that was counted; 503 if it cannot be sent. The caller does not learn whether its address gets mails.
    pub(crate) async fn send(&self, permit: Permit, mail: &Mail) -> Result<(), Problem> {
        let sent = self.outgoing.send(permit, mail, self.clock.now()).await;
        sent.map(drop).map_err(|failure| {
            tracing::error!(failure = errors::chain(&failure), "mail not sent");
            cannot_be_sent()
        })
    }
}

fn too_many(limit: &Limit, now: Timestamp) -> Problem {
    let Limit { max, window, counts, .. } = limit;
    let retry_after = window.seconds_to_reset(now);
    let words = window.words();
    let detail = match counts {
        Counts::RecipientByNetwork => format!(
            "{max} mails to one address are allowed in {words}; use the newest one, or try again in {retry_after} seconds"
        ),
        Counts::Network
        | Counts::Block
        | Counts::Team
        | Counts::Person
        | Counts::Recipient
        | Counts::RecipientSlowly
        | Counts::Share
        | Counts::Deployment => {
            format!("{max} mails are allowed in {words}; try again in {retry_after} seconds")
        }
    };
    Problem::new(&RATE_LIMIT_EXCEEDED, detail)
        .with("group", RateGroup::Public)
        .with("window", window.name())
        .with("limit", max)
        .with("retryAfterSeconds", retry_after)
        .with("violatedPolicies", ["mails"])
}

fn cannot_be_sent() -> Problem {
    Problem::new(&SERVICE_UNAVAILABLE, "mails cannot be sent at the moment; try again later")
}
