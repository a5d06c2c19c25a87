//! `erase-user` and `erase-team`: erase users and teams of a deployment, also from audit logs.

use auth::TeamId;
use clap::Args;
use components::Clock;
use objects::Objects;
use store::Tenants;

use crate::{CommandError, erasures};

/// What the commands have in common.
#[derive(Debug, Args)]
struct Deployment {
    /// Name of the deployment's table of tenants (the stack output `TenantsTable`)
    table: String,
    /// Name of the deployment's bucket (the stack output `Bucket`)
    bucket: String,
}

impl Deployment {
    async fn connect(self) -> (Tenants, Objects) {
        let aws = aws::load().await;
        let tenants = Tenants::named(store::client(&aws), self.table);
        (tenants, Objects::named(objects::client(&aws), self.bucket))
    }
}

/// Erase a user of a deployment with everything that is stored about the user
///
/// As `DELETE /v1/auth/me`, at once, and also in audit logs: of the user's entries, time and operation stay. Reads the whole
/// table. What a process writes for the user in the minutes after the start is deleted the next day; run the command again to
/// change its audit log entries. Also erases in audit logs a user who has deleted the account, and continues what was
/// interrupted. Region and credentials come from the environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct EraseUser {
    #[command(flatten)]
    deployment: Deployment,
    /// Id or e-mail address of the user, also of one who is deleted already
    user: String,
    /// Also erase teams of which the user is the only member
    #[arg(long)]
    delete_teams: bool,
    /// Legal duty because of which evidence of screenings of these teams is kept
    #[arg(long, value_name = "REASON")]
    keep_evidence: Option<String>,
}

impl EraseUser {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let (tenants, objects) = self.deployment.connect().await;
        let (now, duty) = (Clock::system().now(), self.keep_evidence.as_deref());
        erasures::erase_user(&tenants, &objects, &self.user, self.delete_teams, duty, now).await?;
        println!("erased");
        Ok(())
    }
}

/// Erase a team of a deployment with everything that is stored about it
///
/// As `DELETE /v1/teams/me`, at once, and also in its audit log: times and operations stay, under a name that says nothing. Reads
/// the whole table. Also erases the audit log of a team that its owner has deleted. Region and credentials come from the
/// environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct EraseTeam {
    #[command(flatten)]
    deployment: Deployment,
    /// Id of the team, as in `GET /v1/teams/me`
    team: String,
    /// Legal duty because of which evidence of screenings is kept
    #[arg(long, value_name = "REASON")]
    keep_evidence: Option<String>,
}

impl EraseTeam {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let (tenants, objects) = self.deployment.connect().await;
        let (now, duty) = (Clock::system().now(), self.keep_evidence.as_deref());
        erasures::erase_team(&tenants, &objects, &TeamId(self.team), duty, now).await?;
        println!("erased");
        Ok(())
    }
}
