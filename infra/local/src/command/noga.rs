//! `noga`: checks our industry codes.

use std::path::PathBuf;

use aws::SdkConfig;
use clap::Args;
use components::Components;
use fetch::Fetcher;
use sources::noga;

use crate::{CommandError, Context};

/// Compare the industry codes in this project with the official NOGA 2008 list
///
/// Fails if one of our codes is not in the list, or if one of its sections or divisions is missing.
#[derive(Debug, Args)]
pub(super) struct CheckCodes {
    /// Official list as JSON or CSV [default: fetch it; needs FETCH_CONTACT]
    file: Option<PathBuf>,
}

impl CheckCodes {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let context = "cannot read the NOGA 2008 list";
        let list = match self.file {
            Some(file) => std::fs::read(file).context(context)?,
            None => {
                let fetcher = Components::of(SdkConfig::builder().build()).get::<Fetcher>();
                fetcher.noga().await.context(context)?
            }
        };
        let codes = noga::read(&list).context(context)?;
        let deviations = noga::deviations(&codes);
        if !deviations.is_empty() {
            return Err(CommandError::new(
                "our codes differ from the NOGA 2008 list",
                deviations.join("; "),
            ));
        }
        println!("all our codes are in the NOGA 2008 list ({} codes)", codes.len());
        Ok(())
    }
}
