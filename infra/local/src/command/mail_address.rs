//! `clear-address`: lets an address get mails again.

use auth::Email;
use clap::Args;
use store::Tenants;

use crate::{CommandError, Context};

/// Forget what was reported about an e-mail address of a deployment, so that it gets mails again
///
/// Region and credentials come from the environment, as for any AWS tool.
#[derive(Debug, Args)]
pub(super) struct ClearAddress {
    /// Name of the deployment's table of tenants (the stack output `TenantsTable`)
    table: String,
    /// E-mail address
    email: Email,
}

impl ClearAddress {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let client = store::client(&aws::load().await);
        let tenants = Tenants::named(client, self.table);
        clear(&tenants, &self.email).await?;
        println!("{} gets mails again", self.email);
        Ok(())
    }
}

async fn clear(tenants: &Tenants, email: &Email) -> Result<(), CommandError> {
    match tenants.clear_suppressed(email).await.context("cannot change the list of addresses")? {
        true => Ok(()),
        false => Err(CommandError(format!("nothing was reported about {email}"))),
    }
}
