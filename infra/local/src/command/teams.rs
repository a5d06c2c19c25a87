//! `teams`: creates the first teams of a deployment.

use clap::Args;
use components::Clock;
use store::Tenants;

use crate::{CommandError, Context, teams};

/// Create a team for each tier in a deployment, and print their API keys as JSON
///
/// Region and credentials come from the environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct CreateTeams {
    /// Name of the deployment's table of tenants (the stack output `TenantsTable`)
    table: String,
}

impl CreateTeams {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let client = store::client(&aws::load().await);
        let tenants = Tenants::named(client, self.table);
        let keys = teams::create(&tenants, Clock::system().now()).await?;
        let json = serde_json::to_string_pretty(&keys);
        println!("{}", json.context("cannot print the keys")?);
        Ok(())
    }
}
