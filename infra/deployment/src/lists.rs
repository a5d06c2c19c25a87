//! The lists outside of the template in which all functions stand.

use crate::{Deployment, Function, Section};

/// The head of the table of functions.
const HEADER: &str = "| Crate | Called by | What it is for |\n|---|---|---|\n";

pub(crate) fn sections(deployment: &Deployment) -> Vec<Section> {
    let functions = || deployment.api.iter().chain(&deployment.workers);
    let mut names: Vec<&str> = functions().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    let dependencies: String = names.iter().map(|it| format!("{it}.workspace = true\n")).collect();
    let mut paths: Vec<String> =
        functions().map(|it| format!("{}.path = \"{}\"\n", it.name, it.folder())).collect();
    paths.sort_unstable();
    let table = HEADER.to_owned() + &functions().map(row).collect::<String>();
    vec![
        Section { file: "Cargo.toml", name: "functions", text: paths.concat() },
        Section { file: "infra/local/Cargo.toml", name: "functions", text: dependencies },
        Section { file: "functions/README.md", name: "functions", text: table },
    ]
}

/// A row of the table of functions.
fn row(function: &Function) -> String {
    let folder = function.folder();
    let path = folder.strip_prefix("functions/").unwrap_or(&folder);
    let declaration = &function.declaration;
    format!("| `{path}` | {} | {} |\n", declaration.called_by, declaration.purpose)
}
