//! Replays: how far the changes of a past period have been delivered again.

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use teams::WebhookReplay;

use crate::{Error, TeamKey, Tenants, keys, table::Write};

/// A replay that has not ended after this time never will.
const REPLAY_RETENTION: SignedDuration = SignedDuration::from_hours(24);

/// A replay that is not finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayProgress {
    pub replay: WebhookReplay,
    /// Sequence number of the last change that was considered. `None`: none was.
    pub after_sequence: Option<u64>,
}

impl Tenants {
    /// Starts a replay. `false`: the last one has not ended.
    pub async fn start_webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
        replay: &WebhookReplay,
    ) -> Result<bool, Error> {
        let progress = ReplayProgress { replay: replay.clone(), after_sequence: None };
        let put = put_replay(team, webhook, &progress)?.if_absent();
        match self.table.transact(vec![put]).await {
            Ok(()) => Ok(true),
            Err(Error::Changed) => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// The replay of a webhook that has not ended.
    pub async fn webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
    ) -> Result<Option<ReplayProgress>, Error> {
        self.table.get(keys::webhook_replay(team, webhook)).await
    }

    /// Stores the progress of a replay. `None`: it has ended.
    pub async fn put_webhook_replay(
        &self,
        team: &TeamKey,
        webhook: &str,
        progress: Option<&ReplayProgress>,
    ) -> Result<(), Error> {
        match progress {
            Some(progress) => {
                let put = put_replay(team, webhook, progress)?;
                // A webhook that was deleted meanwhile gets no new item.
                match self.table.transact(vec![put.if_present()]).await {
                    Ok(()) | Err(Error::Changed) => Ok(()),
                    Err(failure) => Err(failure),
                }
            }
            None => self.table.delete_all(vec![keys::webhook_replay(team, webhook)]).await,
        }
    }
}

fn put_replay(team: &TeamKey, webhook: &str, progress: &ReplayProgress) -> Result<Write, Error> {
    let expires = (progress.replay.requested_at + REPLAY_RETENTION).as_second();
    let put = Write::put_document(keys::webhook_replay(team, webhook), progress)?;
    Ok(put.expiring(expires))
}
