//! The mail that goes out: how much of each kind, to whom, and that only once it was counted.
//!
//! Invariants: a mail is sent with a [`Permit`] only, which counts it; an address that mail servers refuse, or whose reader has
//! complained, gets no more mails than [`SuppressedAddress`](accounts::SuppressedAddress) allows; what others cause never keeps a
//! person from signing in.

mod budget;
mod limits;

use accounts::{MailKind, Suppression, Verdict};
use auth::Email;
use aws_environment::SdkConfig;
use jiff::Timestamp;
use mail::{Mail, Mailer, NotSent};
use store::{CountError, Counted, Counters, Tenants};

pub use budget::Budget;
pub use limits::{
    Cause, Counts, Limit, MAX_NOTIFICATIONS_A_DAY, Reader, Requester, WhenFull, limits,
};

/// Sends mails within their limits.
#[derive(Clone, Debug)]
pub struct OutgoingMail {
    tenants: Tenants,
    counters: Counters,
    mailer: Mailer,
    budget: Budget,
}

/// Allows one mail to an address, which is counted.
#[derive(Debug)]
pub struct Permit {
    kind: MailKind,
    to: Email,
    counted: Vec<Limit>,
    counted_at: Timestamp,
    /// Number of mails that the first of its limits has counted with this one.
    pub number: u32,
}

/// Why a mail is not allowed.
#[derive(Debug, thiserror::Error)]
pub enum NotAllowed {
    /// Its sender or its recipient has had too many.
    #[error("{} mails in {} are the limit", .0.max, .0.window.words())]
    Limit(Limit),
    /// The whole deployment has sent its mails, or those of this kind.
    #[error("the deployment has sent its {} mails of this kind in {}", .0.max, .0.window.words())]
    Exhausted(Limit),
    #[error(transparent)]
    NotCounted(#[from] CountError),
}

/// What became of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    Sent,
    /// The address gets no such mails.
    Stopped(Suppression),
}

/// Why it is not known whether a mail was sent.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotSent(#[from] NotSent),
}

impl OutgoingMail {
    pub fn new(tenants: Tenants, counters: Counters, mailer: Mailer, budget: Budget) -> Self {
        Self { tenants, counters, mailer, budget }
    }

    /// Reads the configuration from the environment.
    ///
    /// # Panics
    /// If a number in it is not one.
    pub fn from_env(environment: &SdkConfig, tenants: Tenants, counters: Counters) -> Self {
        Self::new(tenants, counters, Mailer::from_env(environment), Budget::from_env())
    }

    /// Whether mails can be sent: a sender is configured.
    pub fn can_send(&self) -> bool {
        self.mailer.can_send()
    }

    /// Counts a mail. `None`: none is needed, because a sign-in link that was sent to the address before still works.
    pub async fn allow(
        &self,
        cause: &Cause<'_>,
        to: &Email,
        now: Timestamp,
    ) -> Result<Option<Permit>, NotAllowed> {
        let mut permit = Permit {
            kind: cause.kind(),
            to: to.clone(),
            counted: Vec::new(),
            counted_at: now,
            number: 1,
        };
        // Whether the next limit counts only because this one is reached.
        let mut decides_next = None;
        for limit in limits(cause, to, self.budget) {
            if decides_next.take() == Some(false) {
                continue;
            }
            let is_alternative = limit.when_full == WhenFull::Next;
            match self.count(&limit, now).await? {
                Some(number) => {
                    if permit.counted.is_empty() {
                        permit.number = number;
                    }
                    permit.counted.push(limit);
                    decides_next = is_alternative.then_some(false);
                }
                None => match (limit.when_full, limit.counts) {
                    (WhenFull::Next, _) => decides_next = Some(true),
                    (WhenFull::Send, _) => {}
                    (WhenFull::EarlierLink, _) => return Ok(None),
                    (WhenFull::Refuse, Counts::Share | Counts::Deployment) => {
                        tracing::error!(
                            metric = "MailsExhausted",
                            kind = ?cause.kind(),
                            limit = limit.max,
                            window = limit.window.name(),
                            "the deployment has sent all mails that it may send"
                        );
                        // Nobody has got it, and it must not count against anybody.
                        self.refund(&permit, |_| true).await;
                        return Err(NotAllowed::Exhausted(limit));
                    }
                    (WhenFull::Refuse, _) => return Err(NotAllowed::Limit(limit)),
                },
            }
        }
        Ok(Some(permit))
    }

    /// Sends a mail that is allowed. If that fails and it may be sent later, it is not counted.
    pub async fn send(&self, permit: Permit, mail: &Mail, now: Timestamp) -> Result<Sent, Failed> {
        if permit.to != mail.to {
            let text = "the mail was counted for another address";
            return Err(NotSent::Refused(text.into()).into());
        }
        match self.stopped(&permit, now).await {
            Ok(None) => {}
            Ok(Some(why)) => {
                tracing::info!(kind = ?permit.kind, why = ?why, "the address gets no such mails");
                let of_all = |it: &Limit| matches!(it.counts, Counts::Share | Counts::Deployment);
                self.refund(&permit, of_all).await;
                return Ok(Sent::Stopped(why));
            }
            Err(failure) => {
                self.refund(&permit, |_| true).await;
                return Err(failure.into());
            }
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the mail is counted and its address checked"
        )]
        let sent = self.mailer.send(mail).await;
        match sent {
            Ok(()) => Ok(Sent::Sent),
            Err(failure) => {
                if matches!(failure, NotSent::Failed(_)) {
                    self.refund(&permit, |_| true).await;
                }
                Err(failure.into())
            }
        }
    }

    /// After a sign-in link was used that was sent at this time: its address may get another one. So if all links are counted
    /// that an address may get, one of them was not used.
    pub async fn link_used(&self, to: &Email, sent_at: Timestamp) {
        for limit in limits::links_to(to) {
            self.refund_limit(&limit, sent_at).await;
        }
    }

    /// Why the address does not get the mail. Takes the attempt, if the address is tried.
    async fn stopped(
        &self,
        permit: &Permit,
        now: Timestamp,
    ) -> Result<Option<Suppression>, store::Error> {
        let Permit { kind, to, .. } = permit;
        let Some(address) = self.tenants.suppressed_address(to).await? else { return Ok(None) };
        match address.verdict(*kind, now) {
            Verdict::Send => Ok(None),
            Verdict::Stop(why) => Ok(Some(why)),
            Verdict::Try => match self.tenants.try_address(to, *kind, now).await? {
                true => Ok(None),
                false => Ok(Some(Suppression::Refused)),
            },
        }
    }

    /// Counts a mail by one limit, and returns how many it has counted. `None`: the limit is reached.
    async fn count(&self, limit: &Limit, now: Timestamp) -> Result<Option<u32>, CountError> {
        let Limit { window, max, subject, .. } = limit;
        match self.counters.count_mail_in(*window, subject, *max, now).await {
            Ok(Counted::Now { taken, .. }) => Ok(Some(taken)),
            Ok(Counted::Full) => Ok(None),
            // A lost answer follows a count, usually.
            Err(CountError::AnswerLost(_)) => Ok(Some(1)),
            Err(failure) => Err(failure),
        }
    }

    async fn refund(&self, permit: &Permit, which: impl Fn(&Limit) -> bool) {
        for limit in permit.counted.iter().filter(|it| which(it)) {
            self.refund_limit(limit, permit.counted_at).await;
        }
    }

    /// If this fails, the mail stays counted.
    async fn refund_limit(&self, limit: &Limit, counted_at: Timestamp) {
        let Limit { window, max, subject, .. } = limit;
        if let Err(failure) = self.counters.refund_mail(*window, subject, *max, counted_at).await {
            tracing::warn!(failure = errors::chain(&failure), "a mail stays counted");
        }
    }
}
