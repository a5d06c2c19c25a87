//! Starts exports again whose worker was killed or whose message was lost, and deletes what is left of those that have expired.

use jiff::{SignedDuration, Timestamp};
use jobs::ExportJob;
use store::{DueExport, TeamKey};
use teams::{
    Export,
    export::{LAST_WRITE, RETENTION},
};
use uuid::Uuid;

use crate::{Error, Worker, worker::prefix};

/// Time after which a job is sent again if no worker has started, or half the age of the export if that is longer. A job that is
/// sent too often does nothing.
const RESEND_AFTER: SignedDuration = SignedDuration::from_mins(5);

impl Worker {
    /// Checks every export that is due. A failure with one does not keep the others waiting.
    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<(), Error> {
        let mut failed = None;
        for due in self.tenants.due_exports(now).await? {
            if let Err(failure) = self.sweep_one(&due, now).await {
                let (export, failure_text) = (due.export, errors::chain(&failure));
                tracing::warn!(%export, failure = failure_text, "the sweep failed for an export");
                failed = Some(failure);
            }
        }
        failed.map_or(Ok(()), Err)
    }

    async fn sweep_one(&self, due: &DueExport, now: Timestamp) -> Result<(), Error> {
        let (team, id) = (due.team_key(), due.export);
        let Some(export) = self.tenants.export(&team, id).await? else {
            // Deleted by its team, or a moment ago by this worker. A worker that still writes notices it, and deletes its object;
            // if it is killed before, what it has left is deleted after the last write.
            self.discard_all(&team, id).await?;
            return Ok(self.tenants.drop_due_export(due).await?);
        };
        if export.has_ended() {
            return self.sweep_ended(due, &team, &export, now).await;
        }
        if let Some(lease) = export.lease.filter(|it| it.until > now) {
            return Ok(self.tenants.move_due_export(due, lease.until).await?);
        }
        if let Some(reason) = export.reason_to_give_up(now) {
            // Unless a worker has started meanwhile.
            let fail = |it: &Export| {
                (!it.is_leased(now)).then(|| it.failed(&reason, now)).filter(|_| !it.has_ended())
            };
            self.tenants.change_export(&team, id, fail).await?;
            return Ok(self.tenants.move_due_export(due, now + LAST_WRITE).await?);
        }
        self.jobs.send(&run(due)).await?;
        tracing::info!(export = %id, attempts = export.attempts, "export sent again");
        let resend_after = RESEND_AFTER.max(now.duration_since(export.created_at) / 2);
        Ok(self.tenants.move_due_export(due, now + resend_after).await?)
    }

    /// Deletes the files of killed workers, and in the end the export itself.
    async fn sweep_ended(
        &self,
        due: &DueExport,
        team: &TeamKey,
        export: &Export,
        now: Timestamp,
    ) -> Result<(), Error> {
        let expires = export.expires_at.unwrap_or(export.created_at + RETENTION);
        if expires <= now {
            self.discard_all(team, export.id).await?;
            self.tenants.delete_export(team, export.id).await?;
            return Ok(self.tenants.drop_due_export(due).await?);
        }
        self.clean(team, export).await?;
        let last_write = export.completed_at.unwrap_or(now) + LAST_WRITE;
        let next = if last_write > now { last_write } else { expires };
        Ok(self.tenants.move_due_export(due, next).await?)
    }

    /// Deletes every object of an export that has ended but its file, and aborts every upload.
    pub(crate) async fn clean(&self, team: &TeamKey, export: &Export) -> Result<(), Error> {
        let prefix = prefix(team, export.id);
        self.objects.abort_uploads(&prefix).await?;
        let kept = export.file.as_ref().map(|it| it.key.as_str());
        for key in self.objects.keys(&prefix).await? {
            if Some(key.as_str()) != kept {
                self.objects.delete(&key).await?;
            }
        }
        Ok(())
    }

    /// Deletes what one worker has left.
    pub(crate) async fn discard(&self, team: &TeamKey, id: Uuid, key: &str) -> Result<(), Error> {
        let prefix = prefix(team, id);
        debug_assert!(key.starts_with(&prefix));
        self.objects.abort_uploads(key).await?;
        Ok(self.objects.delete(key).await?)
    }

    async fn discard_all(&self, team: &TeamKey, id: Uuid) -> Result<(), Error> {
        let prefix = prefix(team, id);
        self.objects.abort_uploads(&prefix).await?;
        for key in self.objects.keys(&prefix).await? {
            self.objects.delete(&key).await?;
        }
        Ok(())
    }
}

/// The job of an export, sent again.
fn run(due: &DueExport) -> ExportJob {
    ExportJob::Run {
        team: due.team.clone(),
        environment: due.environment,
        export: due.export.to_string(),
        again: Some(Uuid::new_v4().to_string()),
    }
}
