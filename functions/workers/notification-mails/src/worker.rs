//! What each job does.

use access::{Environment, Scope, Window};
use auth::{Email, Entitlement, Language, OneTimeToken, Owner};
use components::PublicUrl;
use jiff::{SignedDuration, Timestamp};
use jobs::{JobId, MailJob};
use mail::{Mail, NotSent, Reader, ShownName};
use outgoing::mail::{
    Cause, Failed, MAX_NOTIFICATIONS_A_DAY, NotAllowed, OutgoingMail, Permit, Sent,
};
use store::{CountError, LinkPurpose, MailLink, TeamKey, Tenants};
use teams::{MailTo, NotificationPreferences, Suppression, digest_id, swiss_day};

/// How long the link in a mail works that ends the mails.
const UNSUBSCRIBE_DURATION: SignedDuration = SignedDuration::from_hours(2 * 365 * 24);

/// Why not all mails of a job were sent.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    NotCounted(#[from] CountError),
    #[error(transparent)]
    Text(#[from] askama::Error),
    #[error(transparent)]
    NotSent(#[from] NotSent),
}

impl From<Failed> for Error {
    fn from(failure: Failed) -> Self {
        match failure {
            Failed::Store(failure) => failure.into(),
            Failed::NotSent(failure) => failure.into(),
        }
    }
}

components::component! {
    /// The dependencies of the jobs.
    pub struct Worker {
        pub tenants: Tenants,
        pub outgoing: OutgoingMail,
        /// URL of the API, for links.
        pub public_url: PublicUrl,
    }
}

/// Whose notifications a job sends, and to whom.
struct Recipient {
    team: TeamKey,
    owner: Owner,
    address: Email,
    language: Language,
    /// Its name, if it may be shown.
    team_name: Option<ShownName>,
    /// What the limits of the team depend on.
    entitlement: Entitlement,
}

impl queue_worker::Worker for Worker {
    type Job = MailJob;
    type Error = Error;
    const NAME: &str = "notification-mails";
    const PARALLEL: usize = 2;

    async fn work(&self, job: MailJob, _: JobId, now: Timestamp) -> Result<(), Error> {
        self.handle(job, now).await
    }
}

impl Worker {
    /// Runs a job.
    pub async fn handle(&self, job: MailJob, now: Timestamp) -> Result<(), Error> {
        let (team, environment, owner, period) = match job {
            MailJob::Send { team, environment, owner } => (team, environment, owner, None),
            MailJob::Digest { team, environment, owner, period } => {
                (team, environment, owner, Some(period))
            }
            MailJob::TellOwners { team } => return self.tell_owners(&team, now).await,
        };
        if self.tenants.is_erased(&team).await? {
            return Ok(());
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the sender read the team from what the team watches, searches or schedules"
        )]
        let team = TeamKey::as_operator(team, environment);
        if !self.outgoing.can_send() {
            // Without a sender's address, mails wait for one, at most 30 days.
            tracing::error!("mails cannot be sent: no sender's address is configured");
            return Ok(());
        }
        let preferences = self.tenants.notification_preferences(&team, &owner).await?;
        let digest = preferences.digest();
        let Some(recipient) = self.recipient(team.clone(), owner.clone(), preferences, now).await?
        else {
            let pending = self.tenants.pending_mails(&team, &owner).await?;
            let ids = pending.into_iter().map(|it| it.notification);
            return Ok(self.tenants.delete_pending_mails(&team, &owner, ids).await?);
        };
        match (period, digest) {
            // The mails wait for the digest.
            (None, Some(_)) => Ok(()),
            (None, None) => self.send_each(&recipient, now).await,
            // The owner has chosen another time of day meanwhile.
            (Some(period), Some(schedule)) if schedule.newest(period) != Some(period) => Ok(()),
            (Some(period), _) => self.send_digest(&recipient, period, now).await,
        }
    }

    /// Whom the mails go to. `None`: no mails are wanted, or may be sent, any more.
    async fn recipient(
        &self,
        team: TeamKey,
        owner: Owner,
        preferences: NotificationPreferences,
        now: Timestamp,
    ) -> Result<Option<Recipient>, Error> {
        let Some(to) = preferences.mail_to() else { return Ok(None) };
        if team.environment() != Environment::Live {
            return Ok(None);
        }
        let user = match owner.user() {
            // Former members of the team get none of its mails, to any address.
            Some(id) if self.tenants.member(&team, id).await?.is_none() => return Ok(None),
            Some(id) => self.tenants.user(id).await?,
            None => None,
        };
        let address = match (to, &user) {
            (MailTo::Address { address, set_by }, _) => {
                let rights = self.tenants.rights_of(&team, set_by, now).await?;
                if !rights.may(Scope::Write) {
                    self.tenants.end_mails_set_by(&team, &owner, set_by, now).await?;
                    return Ok(None);
                }
                address.clone()
            }
            (MailTo::User(_), Some(user)) => user.email.clone(),
            (MailTo::User(_), None) => return Ok(None),
        };
        let Some(name) = self.tenants.team_name(team.team()).await? else { return Ok(None) };
        let team_name = ShownName::of_team(name.name, name.since, now);
        let language = preferences.language.or(user.and_then(|it| it.language));
        let language = language.unwrap_or_default();
        let entitlement = self.tenants.entitlement(team.team(), now).await?;
        Ok(Some(Recipient { team, owner, address, language, team_name, entitlement }))
    }

    /// Sends what waits: what had to wait for this day in one mail, the others each in its own. What the limits do not allow waits;
    /// the scheduler looks for it at each full hour.
    async fn send_each(&self, to: &Recipient, now: Timestamp) -> Result<(), Error> {
        let Recipient { team, owner, .. } = to;
        let pending = self.tenants.pending_mails(team, owner).await?;
        let today = Timestamp::from_second(Window::Day.start(now)).unwrap_or(now);
        let (waited, new): (Vec<_>, Vec<_>) =
            pending.into_iter().partition(|it| it.created_at < today);
        if let [_, .., newest] = &waited[..] {
            let Some(permit) = self.count(Cause::Digest(to.reader()), to, now).await? else {
                return Ok(());
            };
            let id = digest_id(team.team(), owner, newest.created_at);
            let mail = |reader: Reader<'_>| mail::digest(reader, id, swiss_day(today), &waited);
            if !self.send(permit, to, now, mail).await? {
                return Ok(());
            }
            let ids = waited.iter().map(|it| it.notification);
            self.tenants.delete_pending_mails(team, owner, ids).await?;
        }
        let each = if waited.len() > 1 { new } else { [waited, new].concat() };
        for one in &each {
            let Some(permit) = self.count(Cause::Notification(to.reader()), to, now).await? else {
                return Ok(());
            };
            let last_of =
                (permit.number >= MAX_NOTIFICATIONS_A_DAY).then_some(MAX_NOTIFICATIONS_A_DAY);
            let mail = |reader: Reader<'_>| mail::notification(reader, one.id(owner), one, last_of);
            if !self.send(permit, to, now, mail).await? {
                return Ok(());
            }
            self.tenants.delete_pending_mails(team, owner, [one.notification]).await?;
        }
        Ok(())
    }

    async fn send_digest(
        &self,
        to: &Recipient,
        period: Timestamp,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Recipient { team, owner, .. } = to;
        if self.tenants.last_digest(team, owner).await?.is_some_and(|it| it >= period) {
            return Ok(());
        }
        let pending = self.tenants.pending_mails(team, owner).await?;
        if pending.is_empty() {
            return Ok(());
        }
        // Otherwise the next digest contains this one.
        let Some(permit) = self.count(Cause::Digest(to.reader()), to, now).await? else {
            return Ok(());
        };
        let id = digest_id(team.team(), owner, period);
        let mail = |reader: Reader<'_>| mail::digest(reader, id, swiss_day(period), &pending);
        if !self.send(permit, to, now, mail).await? {
            return Ok(());
        }
        // In this order: a job that is killed in between finds nothing to send.
        let ids = pending.iter().map(|it| it.notification);
        self.tenants.delete_pending_mails(team, owner, ids).await?;
        Ok(self.tenants.put_last_digest(team, owner, period).await?)
    }

    /// Counts a mail. `None`: it waits.
    async fn count(
        &self,
        cause: Cause<'_>,
        to: &Recipient,
        now: Timestamp,
    ) -> Result<Option<Permit>, Error> {
        match self.outgoing.allow(&cause, &to.address, now).await {
            Ok(permit) => Ok(permit),
            Err(NotAllowed::Limit(limit) | NotAllowed::Exhausted(limit)) => {
                tracing::warn!(team = %to.team.team(), limit = ?limit.counts, "mails wait");
                Ok(None)
            }
            Err(NotAllowed::NotCounted(failure)) => Err(failure.into()),
            Err(NotAllowed::NotRead(failure)) => Err(failure.into()),
        }
    }

    /// Sends a mail that was counted. `false`: it waits.
    async fn send(
        &self,
        permit: Permit,
        to: &Recipient,
        now: Timestamp,
        mail: impl FnOnce(Reader<'_>) -> Result<Mail, askama::Error>,
    ) -> Result<bool, Error> {
        let token = OneTimeToken::generate();
        let link = MailLink {
            purpose: LinkPurpose::Unsubscribe,
            team: to.team.team().clone(),
            owner: to.owner.clone(),
            email: to.address.clone(),
            language: to.language,
            expires_at: now + UNSUBSCRIBE_DURATION,
        };
        self.tenants.put_mail_link(&token.hash(), &link).await?;
        let api = &*self.public_url;
        let unsubscribe = format!("{api}/v1/notifications/unsubscribe?token={}", token.expose());
        let mail = mail(Reader {
            to: &to.address,
            language: to.language,
            team: to.team_name.as_ref(),
            unsubscribe: &unsubscribe,
            api,
        })?;
        match self.outgoing.send(permit, &mail, now).await {
            Ok(Sent::Sent) => Ok(true),
            Ok(Sent::TooManyRefused) => Ok(false),
            Ok(Sent::Stopped(why)) => {
                tracing::warn!(why = ?why, team = %to.team.team(), "mail left out");
                if why == Suppression::Complaint {
                    // The reader has refused these mails, as with their link.
                    self.tenants.follow(&link, now).await?;
                }
                Ok(true)
            }
            // It would be refused again, and the mails of the whole team would wait for it.
            Err(Failed::NotSent(failure @ NotSent::Refused(_))) => {
                tracing::error!(failure = errors::chain(&failure), team = %to.team.team(), "mail left out");
                Ok(true)
            }
            Err(failure) => Err(failure.into()),
        }
    }
}

impl Recipient {
    fn reader(&self) -> outgoing::mail::Reader {
        outgoing::mail::Reader::of(self.team.team(), &self.entitlement, &self.owner)
    }
}
