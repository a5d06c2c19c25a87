//! What the functions need in a deployment. Each declares it in the file `deployment.toml` of its folder; from these files follow the
//! blocks of the functions in `template.yaml`, and the lists in which all functions stand.
//!
//! | Module | Contents |
//! |---|---|
//! | `declaration` | what a declaration may say |
//! | `permissions` | the permissions of a function, as statements of its role |
//! | `template` | the sections of `template.yaml`: the blocks in `blocks/`, filled in |
//! | `dashboard` | the dashboard |
//! | `lists` | the lists of functions in manifests and in `functions/README.md`, and the settings of `sam build` |
//! | [`section`] | replaces a generated section of a file |
//!
//! Invariant: a function may do what its declaration says, and nothing else.

mod dashboard;
mod declaration;
mod lists;
mod permissions;
pub mod section;
mod template;
#[cfg(test)]
mod tests;

use std::{fs, io, path::Path};

pub use declaration::{Declaration, Queue, Schedule};
use declaration::{EveryFunction, Kind};

/// Why the declarations were not understood.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{file}")]
    Unreadable { file: String, source: io::Error },
    #[error("{file}")]
    Invalid { file: String, source: toml::de::Error },
    #[error("{file}: `{member}` {reason}")]
    Refused { file: String, member: String, reason: String },
}

/// A function and its declaration.
#[derive(Debug)]
pub struct Function {
    /// Its name: that of its folder, its crate and its binary.
    pub name: String,
    pub declaration: Declaration,
    kind: Kind,
    /// The statements of its role, beside those that all roles have.
    statements: Vec<permissions::Statement>,
}

impl Function {
    /// Its logical name in the template: `search-read` → `SearchRead`, if the declaration gives no other.
    pub fn resource(&self) -> String {
        self.declaration.resource.clone().unwrap_or_else(|| resource_of(&self.name))
    }

    /// Its folder, from the root of the checkout.
    fn folder(&self) -> String {
        format!("{}/{}", self.kind.folder(), self.name)
    }
}

/// All functions.
#[derive(Debug)]
pub struct Deployment {
    /// Those that answer requests, by name.
    pub api: Vec<Function>,
    /// Those that handle jobs, by name.
    pub workers: Vec<Function>,
    manifest: lists::Manifest,
}

/// A generated section of a file.
#[derive(Debug)]
pub struct Section {
    /// The path of the file, from the root of the checkout.
    pub file: &'static str,
    /// What its markers name.
    pub name: &'static str,
    pub text: String,
}

impl Deployment {
    /// Reads the declarations of a checkout.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let every: EveryFunction = parse(root, "functions/api/deployment.toml")?;
        Ok(Self {
            api: functions(root, Kind::Api, &every)?,
            workers: functions(root, Kind::Worker, &every)?,
            manifest: parse(root, "Cargo.toml")?,
        })
    }

    /// Everything that follows from the declarations.
    pub fn sections(&self) -> Vec<Section> {
        let mut sections = template::sections(self);
        sections.extend(lists::sections(self));
        sections
    }
}

/// The functions in the folder of their kind.
fn functions(root: &Path, kind: Kind, every: &EveryFunction) -> Result<Vec<Function>, Error> {
    let folder = kind.folder();
    let unreadable = |source| Error::Unreadable { file: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(folder)).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.path().is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    let function = |name: String| {
        let file = format!("{folder}/{name}/deployment.toml");
        let declaration: Declaration = parse(root, &file)?;
        let statements = declaration
            .check(kind)
            .and_then(|()| permissions::statements(&declaration, every, kind));
        let statements = statements.map_err(|it| Error::Refused {
            file,
            member: it.member,
            reason: it.reason,
        })?;
        Ok(Function { name, declaration, kind, statements })
    };
    names.into_iter().map(function).collect()
}

fn parse<T: serde::de::DeserializeOwned>(root: &Path, file: &str) -> Result<T, Error> {
    let text = fs::read_to_string(root.join(file));
    let text = text.map_err(|source| Error::Unreadable { file: file.to_owned(), source })?;
    toml::from_str(&text).map_err(|source| Error::Invalid { file: file.to_owned(), source })
}

/// The logical name that follows from a name: `search-read` → `SearchRead`.
pub fn resource_of(name: &str) -> String {
    let capitalized = |word: &str| match word.split_at_checked(1) {
        Some((first, rest)) => first.to_ascii_uppercase() + rest,
        None => word.to_owned(),
    };
    name.split('-').map(capitalized).collect()
}
