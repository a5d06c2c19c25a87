//! `openapi`: writes the generated files.

use std::path::PathBuf;

use clap::Args;

use crate::{CommandError, Context, openapi};

/// Regenerate openapi.json and the other files that depend on the API's routes
///
/// Writes functions/api/public/openapi.json and operations.txt, and the generated sections of template.yaml
/// and Cargo.toml. `cargo openapi` is an alias of this command.
#[derive(Debug, Args)]
pub(super) struct WriteFiles {
    /// Root directory of the checkout
    #[arg(default_value = ".", value_name = "DIR")]
    root: PathBuf,
}

impl WriteFiles {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let read = |path: &str| std::fs::read_to_string(self.root.join(path));
        for (path, text) in openapi::generated_files(read).await? {
            std::fs::write(self.root.join(path), text).context(path)?;
        }
        Ok(())
    }
}
