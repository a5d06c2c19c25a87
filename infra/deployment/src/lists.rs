//! What is generated outside of the template: the lists in which all functions stand, and how they are built.

use serde::Deserialize;
use toml::{Table, Value};

use crate::{Deployment, Function, Section};

/// What is read of the root manifest.
#[derive(Debug, Deserialize)]
pub(crate) struct Manifest {
    profile: Profiles,
}

#[derive(Debug, Deserialize)]
struct Profiles {
    ship: Table,
}

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
        Section { file: "Cargo.toml", name: "settings", text: deployment.manifest.settings() },
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

impl Manifest {
    /// The profile `ship` as settings of the profile `release`, one on each line: `sam build` accepts no other profile.
    fn settings(&self) -> String {
        let mut settings = Vec::new();
        collect("profile.release", &self.profile.ship, &mut settings);
        settings.iter().map(|it| format!("    \"{it}\",\n")).collect()
    }
}

/// The settings of a table and of the tables in it.
fn collect(path: &str, table: &Table, settings: &mut Vec<String>) {
    for (name, value) in table.iter().filter(|it| it.0 != "inherits") {
        match value {
            Value::Table(inner) => collect(&format!("{path}.{name}"), inner, settings),
            Value::String(text) => settings.push(format!("{path}.{name}='{text}'")),
            other => settings.push(format!("{path}.{name}={other}")),
        }
    }
}
