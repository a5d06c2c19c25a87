//! `import`, `reprocess` and `localities`: change the register in a data directory, and publish it.

use std::path::PathBuf;

use clap::Args;
use domain::Source;

use super::arguments;
use crate::{
    CommandError,
    cloud::Cloud,
    data_directory::DataDirectory,
    register::{self, import, localities},
};

/// Import files of a source into a data directory
///
/// Records that cannot be read are quarantined and listed; the others are imported. Importing a file
/// again changes nothing. If a server is using the data directory, it imports the files, and notifies
/// teams that watch the companies within seconds.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo run -- import zefix companies.json --data register
  cargo run -- import shab 2026-10.xml 2026-11.xml --data register --dry-run")]
pub(super) struct ImportFiles {
    /// Source that the files come from
    #[arg(value_parser = arguments::source_of_files())]
    source: Source,
    /// Files to import
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Data directory with the register
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Print what would change, but change nothing; no server may be using the data directory
    #[arg(long)]
    dry_run: bool,
    /// Accept a complete list that has lost more than a tenth of its companies
    #[arg(long)]
    accept_shrunk: bool,
}

impl ImportFiles {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let imports: Result<Vec<_>, _> =
            self.files.iter().map(|it| import::read_file(self.source, it)).collect();
        let imports = imports?;
        if self.dry_run {
            let (directory, _) = DataDirectory::lock_existing(&self.data)?;
            let (cloud, _) = Cloud::in_folder(directory.path()).await?;
            return import::preview(&cloud, imports).await;
        }
        if let Some(server) = DataDirectory::server_using(&self.data)? {
            return import::import_through_server(&server, imports, self.accept_shrunk).await;
        }
        let import = async |cloud: &Cloud| import::import(cloud, imports, self.accept_shrunk).await;
        register::change_and_publish(&self.data, import).await
    }
}

/// Reprocess quarantined records, and publications that changed nothing
///
/// Useful after a reader has been improved, or after more companies have been imported.
#[derive(Debug, Args)]
pub(super) struct Reprocess {
    /// Source of the records
    #[arg(value_parser = arguments::source())]
    source: Source,
    /// Data directory with the register; no server may be using it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl Reprocess {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let reprocess = async |cloud: &Cloud| import::reprocess(cloud, self.source).await;
        register::change_and_publish(&self.data, reprocess).await
    }
}

/// Add coordinates and missing municipalities from swisstopo's directory of localities
#[derive(Debug, Args)]
pub(super) struct ImportLocalities {
    /// swisstopo's file `AMTOVZ_CSV_LV95.csv`
    file: PathBuf,
    /// Data directory with the register; no server may be using it
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

impl ImportLocalities {
    pub(super) async fn run(self) -> Result<(), CommandError> {
        let directory = localities::read_file(&self.file)?;
        let import = async |cloud: &Cloud| localities::import(cloud, &directory).await;
        register::change_and_publish(&self.data, import).await
    }
}
