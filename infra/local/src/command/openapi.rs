//! `openapi`: writes the generated files.

use std::path::PathBuf;

use clap::Args;

use crate::{CommandError, Context, openapi};

/// Regenerate openapi.json and what else follows from the routes and declarations of the functions
///
/// Writes functions/api/public/openapi.json and operations.txt, and the generated sections of template.yaml, Cargo.toml,
/// infra/local/Cargo.toml and functions/README.md. `cargo openapi` is an alias of this command.
#[derive(Debug, Args)]
pub(super) struct WriteFiles {
    /// Root directory of the checkout
    #[arg(default_value = ".", value_name = "DIR")]
    root: PathBuf,
}

impl WriteFiles {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        for (path, text) in openapi::generated_files(&self.root).await? {
            std::fs::write(self.root.join(path), text).context(path)?;
        }
        Ok(())
    }
}
