//! The files that `cargo openapi` writes.

use std::{fs, path::Path};

use deployment::{Deployment, Section, section};

use crate::{CommandError, Context, examples::ExampleApi, gateway, trials};

/// Each file that is generated, in whole or in sections, from the functions and their declarations: its path from the root of the
/// checkout, and its whole new text.
pub async fn generated_files(root: &Path) -> Result<Vec<(&'static str, String)>, CommandError> {
    let mut examples = ExampleApi::start().await?;
    let apis = examples.apis();
    let mut document = http_service::openapi::document(&apis);
    examples.add_to(&mut document).await?;
    examples.check_links(&document).await?;
    let json = serde_json::to_string_pretty(&document);
    let json = json.context("cannot write openapi.json")?;
    let mut files = vec![
        ("functions/api/public/openapi.json", json + "\n"),
        ("functions/api/public/operations.txt", http_service::openapi::operations(&apis)),
    ];
    let trials = trials::requests(&apis, &document);
    let mut sections = vec![
        Section { file: "template.yaml", name: "gateway", text: gateway::definition(&apis) },
        Section { file: "template.yaml", name: "trials", text: trials },
        Section { file: "Cargo.toml", name: "routes", text: gateway::watch_routes(&apis) },
    ];
    sections.extend(Deployment::read(root).context("cannot read the declarations")?.sections());
    for Section { file, name, text: generated } in sections {
        let text = match files.iter().position(|it| it.0 == file) {
            Some(position) => files.swap_remove(position).1,
            None => fs::read_to_string(root.join(file)).context(file)?,
        };
        files.push((file, section::replace(&text, name, &generated).context(file)?));
    }
    Ok(files)
}
