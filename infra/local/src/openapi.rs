//! The files that `cargo openapi` writes.

use crate::{CommandError, Context, examples::ExampleApi, gateway, trials};

/// The file with two generated sections.
const TEMPLATE: &str = "template.yaml";

/// Each file that is generated from the functions: its path from the root of the checkout, and its whole
/// new text. `read` returns the current text of a file.
pub async fn generated_files(
    read: impl Fn(&str) -> std::io::Result<String>,
) -> Result<Vec<(&'static str, String)>, CommandError> {
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
    for (path, generate) in gateway::GENERATED {
        let text = read(path).context(path)?;
        let text = gateway::replace_generated(&text, "", &generate(&apis));
        let mut text = text.context(path)?;
        if path == TEMPLATE {
            let trials = trials::requests(&apis, &document);
            text = gateway::replace_generated(&text, ": trials", &trials).context(path)?;
        }
        files.push((path, text));
    }
    Ok(files)
}
