//! `team`: changes a team of a deployment.

use access::Tier;
use auth::{Email, TeamId};
use clap::Args;
use components::Clock;
use store::Tenants;

use crate::{CommandError, Context, teams};

/// Give a team of a deployment a tier or an owner, and print the team as JSON
///
/// Region and credentials come from the environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct ChangeTeam {
    /// Name of the deployment's table of tenants (the stack output `TenantsTable`)
    table: String,
    /// Id of the team, as in `GET /v1/teams/me`
    team: String,
    /// Lowest tier of the team: `free`, `starter`, `professional` or `enterprise`. A paid tier counts if it is higher
    #[arg(long, value_parser = tier, required_unless_present = "owner")]
    tier: Option<Tier>,
    /// E-mail address of a user who has signed in before, and becomes an owner
    #[arg(long, value_name = "EMAIL")]
    owner: Option<Email>,
}

impl ChangeTeam {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let client = store::client(&aws::load().await);
        let tenants = Tenants::named(client, self.table);
        let (id, now) = (TeamId(self.team), Clock::system().now());
        if let Some(tier) = self.tier {
            teams::set_tier(&tenants, &id, tier, now).await?;
        }
        if let Some(email) = self.owner {
            teams::add_owner(&tenants, &id, &email, now).await?;
        }
        let json = serde_json::to_string_pretty(&teams::find(&tenants, &id, now).await?);
        println!("{}", json.context("cannot print the team")?);
        Ok(())
    }
}

fn tier(text: &str) -> Result<Tier, String> {
    let names = Tier::ALL.map(|it| it.to_string());
    let named = Tier::ALL.into_iter().find(|it| it.to_string() == text);
    named.ok_or_else(|| format!("must be one of {}", names.join(", ")))
}
