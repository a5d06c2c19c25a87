//! Notifications of a re-screening.

use access::Environment;
use auth::Owner;
use jiff::Timestamp;
use jobs::MailJob;
use store::TeamKey;
use teams::{
    Addressed, PendingDelivery, Webhook,
    monitoring::Concerned,
    screening::{Screening, ScreeningHit},
};

use crate::{Error, Worker};

/// New hits of which a team is notified.
pub(crate) struct New<'a> {
    pub(crate) concerned: &'a Concerned,
    /// The evidence.
    pub(crate) screening: &'a Screening,
    pub(crate) hits: &'a [&'a ScreeningHit],
}

/// The ids of hits.
pub(crate) fn hit_ids<'a>(hits: impl Iterator<Item = &'a ScreeningHit>) -> Vec<String> {
    hits.map(ScreeningHit::id).collect()
}

impl Worker {
    /// Stores the evidence of a screening, for as long as the team's tier says.
    pub(crate) async fn put_screening(
        &self,
        team: &TeamKey,
        screening: &Screening,
        now: Timestamp,
    ) -> Result<(), Error> {
        let tier = self.tenants.tier(team.team(), now).await?;
        let expires = self.retention.expiry(tier, team.environment(), now);
        Ok(self.tenants.put_screening(team, screening, expires).await?)
    }

    /// Stores the deliveries of new hits to the webhooks of a team, and lets the scheduler send their jobs. Has the same effect if
    /// it is repeated.
    pub(crate) async fn deliver(
        &self,
        team: &TeamKey,
        new: &New<'_>,
        webhooks: &[&Webhook],
    ) -> Result<(), Error> {
        let New { concerned, screening, hits } = new;
        let of = (team.team(), team.environment());
        for Webhook { id, .. } in webhooks {
            let source = &self.public_url;
            let delivery = PendingDelivery::of_hits(concerned, screening, hits, id, of, source);
            self.tenants.add_webhook_deliveries(team, id, &[delivery]).await?;
        }
        let due: Vec<_> = webhooks.iter().map(|it| (team.clone(), it.id.clone())).collect();
        Ok(self.tenants.schedule_webhooks(&due, screening.screened_at).await?)
    }

    /// Notifies a team of new hits, and queues the mails to those of the owners who get mails. Has the same effect if it is
    /// repeated.
    pub(crate) async fn notify(
        &self,
        team: &TeamKey,
        new: &New<'_>,
        owners: &[Owner],
    ) -> Result<(), Error> {
        let (of, environment) = (team.team(), team.environment());
        let (notification, mail) =
            new.concerned.notification(of, environment, new.screening, new.hits);
        self.tenants.notify(team, &[notification]).await?;
        // A test key sends none.
        if environment != Environment::Live {
            return Ok(());
        }
        for owner in owners {
            let preferences = self.tenants.notification_preferences(team, owner).await?;
            if preferences.mail_to().is_none() {
                continue;
            }
            let at = mail.created_at;
            let addressed = Addressed { mail: mail.clone(), to: vec![owner.clone()] };
            self.tenants.queue_mails(team, &[addressed]).await?;
            if preferences.digest().is_none() {
                self.tenants.schedule_mails(&[(team.clone(), owner.clone())], at).await?;
                let (team, owner) = (of.clone(), owner.clone());
                self.mails.send(&MailJob::Send { team, environment, owner }).await?;
            }
        }
        Ok(())
    }
}
