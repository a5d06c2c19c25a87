//! The mail that goes out: how much of each kind, to whom, and that only once it was counted.
//!
//! Invariants: a mail is sent with a [`Permit`] only, which counts it; an address that mail servers refuse, or whose reader has
//! complained, gets no more mails than [`SuppressedAddress`](teams::SuppressedAddress) allows; if mail servers refuse too many
//! mails of a day, only addresses with an account get some; what others cause never keeps a person from signing in.

mod budget;
mod limits;

use auth::Email;
use components::{Component, Components};
use jiff::Timestamp;
use mail::{Mail, Mailer, NotSent};
use store::{CountError, Counted, Counters, MailWindow, REFUSED_MAILS, Tenants};
use teams::{MailKind, Suppression, Verdict};

pub use self::budget::Budget;
pub use self::limits::{
    Cause, Counts, Limit, MAX_NOTIFICATIONS_A_DAY, Reader, Requester, WhenFull, limits,
};

/// The part of the mails of a day that mail servers may refuse, in percent. Amazon SES reviews a sender from 5 % on.
const MAX_REFUSED: u32 = 4;
/// So many refused mails on a day do not matter.
const MIN_REFUSED: u32 = 50;

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
    #[error(transparent)]
    NotRead(#[from] store::Error),
}

/// What became of a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    Sent,
    /// The address gets no such mails.
    Stopped(Suppression),
    /// Mail servers have refused too many mails of this day, and the address has no account.
    TooManyRefused,
}

/// Whether an address gets a mail now.
enum Check {
    Passed,
    /// The mail takes the only attempt for a while.
    Attempt,
    NotPassed(Sent),
}

/// Why it is not known whether a mail was sent.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotSent(#[from] NotSent),
}

impl Component for OutgoingMail {
    fn open(components: &Components) -> Self {
        Self::new(components.get(), components.get(), components.get(), components.get())
    }
}

impl OutgoingMail {
    pub fn new(tenants: Tenants, counters: Counters, mailer: Mailer, budget: Budget) -> Self {
        Self { tenants, counters, mailer, budget }
    }

    /// Whether mails can be sent: a sender is configured.
    pub fn can_send(&self) -> bool {
        self.mailer.can_send()
    }

    /// Counts a mail. `None`: none is sent, because a sign-in link that was sent to the address before still works, or because the
    /// address has no account and too many others have asked for links.
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
        let limits = limits(cause, to, self.budget);
        let mut is_slow = false;
        for limit in &limits {
            if limit.counts == Counts::RecipientSlowly && !is_slow {
                continue;
            }
            if let Some(number) = self.count(limit, now).await? {
                if permit.counted.is_empty() {
                    permit.number = number;
                }
                permit.counted.push(limit.clone());
                continue;
            }
            let is_of_all = matches!(limit.counts, Counts::Share | Counts::Deployment);
            if is_of_all && limit.when_full != WhenFull::Send {
                tracing::error!(
                    metric = "MailsExhausted",
                    kind = ?cause.kind(),
                    limit = limit.max,
                    window = limit.window.name(),
                    "the deployment has sent all mails that it may send"
                );
                // Nobody has got it, and it must not count against anybody.
                self.refund(&permit, |_| true).await;
            }
            match limit.when_full {
                WhenFull::Slower => is_slow = true,
                WhenFull::Send => {}
                WhenFull::EarlierLink => return Ok(None),
                WhenFull::NothingSent => {
                    return match self.exhausted(&limits, now).await? {
                        Some(of_all) => Err(NotAllowed::Exhausted(of_all.clone())),
                        None => Ok(None),
                    };
                }
                WhenFull::Refuse if is_of_all => return Err(NotAllowed::Exhausted(limit.clone())),
                WhenFull::Refuse => return Err(NotAllowed::Limit(limit.clone())),
            }
        }
        Ok(Some(permit))
    }

    /// The limit of the whole deployment that is reached: then an address with an account gets no mail either, and the sender must
    /// not learn the difference.
    async fn exhausted<'l>(
        &self,
        limits: &'l [Limit],
        now: Timestamp,
    ) -> Result<Option<&'l Limit>, store::Error> {
        let of_all: Vec<&Limit> =
            limits.iter().filter(|it| it.counts == Counts::Deployment).collect();
        let counters: Vec<_> = of_all.iter().map(|it| (it.window, it.subject.as_str())).collect();
        let counted = self.counters.mails(&counters, now).await?;
        Ok(of_all.into_iter().zip(counted).find(|(it, counted)| *counted >= it.max).map(|it| it.0))
    }

    /// Sends a mail that is allowed. If that fails and it may be sent later, it is not counted.
    pub async fn send(&self, permit: Permit, mail: &Mail, now: Timestamp) -> Result<Sent, Failed> {
        if permit.to != mail.to {
            let text = "the mail was counted for another address";
            return Err(NotSent::Refused(text.into()).into());
        }
        let is_attempt = match self.check(&permit, now).await {
            Ok(Check::Passed) => false,
            Ok(Check::Attempt) => true,
            Ok(Check::NotPassed(why)) => {
                tracing::info!(kind = ?permit.kind, why = ?why, "the address gets no such mails");
                let of_all = |it: &Limit| matches!(it.counts, Counts::Share | Counts::Deployment);
                self.refund(&permit, of_all).await;
                return Ok(why);
            }
            Err(failure) => {
                self.refund(&permit, |_| true).await;
                return Err(failure.into());
            }
        };
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
                    if is_attempt {
                        self.tenants.give_back_attempt(&permit.to, now).await?;
                    }
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

    /// Whether the address gets the mail. Takes the attempt, if the address is tried.
    async fn check(&self, permit: &Permit, now: Timestamp) -> Result<Check, store::Error> {
        let Permit { kind, to, .. } = permit;
        let suppressed = self.tenants.suppressed_address(to).await?;
        let are_too_many_refused =
            *kind != MailKind::Security && self.too_many_refused(now).await?;
        if suppressed.is_none() && !are_too_many_refused {
            return Ok(Check::Passed);
        }
        let has_account = self.tenants.user_with(to).await?.is_some();
        if are_too_many_refused && !has_account {
            return Ok(Check::NotPassed(Sent::TooManyRefused));
        }
        let Some(address) = suppressed else { return Ok(Check::Passed) };
        Ok(match address.verdict(*kind, has_account, now) {
            Verdict::Send => Check::Passed,
            Verdict::Stop(why) => Check::NotPassed(Sent::Stopped(why)),
            Verdict::Try => match self.tenants.try_address(to, *kind, has_account, now).await? {
                true => Check::Attempt,
                false => Check::NotPassed(Sent::Stopped(Suppression::Refused)),
            },
        })
    }

    /// Whether mail servers have refused so many mails of this day (UTC) that the next ones only go to addresses that are known to
    /// work.
    async fn too_many_refused(&self, now: Timestamp) -> Result<bool, store::Error> {
        let counters = [(MailWindow::Day, limits::ALL), (MailWindow::Day, REFUSED_MAILS)];
        let [sent, refused] = self.counters.mails(&counters, now).await?[..] else {
            return Ok(false);
        };
        let share = u64::from(refused) * 100;
        if refused < MIN_REFUSED || share <= u64::from(sent) * u64::from(MAX_REFUSED) {
            return Ok(false);
        }
        tracing::error!(
            metric = "MailsRefused",
            sent,
            refused,
            "mail servers refuse too many mails: only addresses with an account get mails today"
        );
        Ok(true)
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
