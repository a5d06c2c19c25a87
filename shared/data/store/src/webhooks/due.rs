//! Webhooks that may have a delivery that is due, in the order of the due times.

use access::Environment;
use auth::TeamId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Error, TeamKey, Tenants, companies::readable, keys};

/// If the message of a job for new deliveries is lost, the scheduler sends another after this time.
pub const LATEST_WEBHOOK_JOB: SignedDuration = SignedDuration::from_mins(15);

/// A webhook that may have a delivery that is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueWebhook {
    pub team: TeamId,
    pub environment: Environment,
    pub webhook: String,
    pub at: Timestamp,
}

impl Tenants {
    /// Lets the scheduler send a job for these webhooks at this time or soon afterwards.
    pub async fn schedule_webhooks(
        &self,
        webhooks: &[(TeamKey, String)],
        at: Timestamp,
    ) -> Result<(), Error> {
        let mut due = Vec::with_capacity(webhooks.len());
        for (team, id) in webhooks {
            let (environment, webhook) = (team.environment(), id.clone());
            let of = DueWebhook { team: team.team().clone(), environment, webhook, at };
            due.push((keys::due_webhook(team, id, at), of));
        }
        self.table.put_documents(due).await
    }

    /// The webhooks that may have a delivery that is due, of one of [`keys::WEBHOOK_SHARDS`] partitions, in the order of the
    /// due times. An item that cannot be decoded is left out and logged. It stays, and counts as soon as it can be decoded.
    pub async fn due_webhooks(&self, shard: u32, now: Timestamp) -> Result<Vec<DueWebhook>, Error> {
        // After every key with this time.
        let to = format!("{}~", keys::webhook_moment(now));
        let rows = self.table.query_between(keys::due_webhooks_from(shard), to).await?;
        rows.into_iter().filter_map(readable).collect()
    }

    /// Removes webhooks whose jobs were sent.
    pub async fn drop_due_webhooks(&self, due: &[DueWebhook]) -> Result<(), Error> {
        let key = |it: &DueWebhook| {
            let team = TeamKey::of_schedule(&it.team, it.environment);
            keys::due_webhook(&team, &it.webhook, it.at)
        };
        self.table.delete_all(due.iter().map(key).collect()).await
    }
}
