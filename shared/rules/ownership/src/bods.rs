//! Statements of the Beneficial Ownership Data Standard (BODS), version 0.4: <https://standard.openownership.org/en/0.4.0/>.
//!
//! A record is an entity, a person or a relationship; a statement states a record on a day. Every record is stated once.
//! Records that another one refers to come before it. A relationship states the direct links between two parties; the
//! indirect ownership and control of a beneficial owner are stated in a relationship of its own, which names no components:
//! the direct relationships are complete statements themselves.

mod parties;
mod relationships;
mod statement;

use jiff::civil::Date;

pub use statement::{RecordType, Statement};

use crate::{Resolution, Structure};

/// Who publishes the statements, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Publication {
    /// Date of publication.
    pub date: Date,
    /// Day for which the structure was built. Not after `date`.
    pub as_of: Date,
    /// Name of the publisher.
    pub publisher: String,
    /// URL of the publisher.
    pub url: Option<String>,
}

/// The statements about the company at the root of a structure and its owners.
pub fn statements(
    structure: &Structure,
    resolution: &Resolution,
    publication: &Publication,
) -> Vec<Statement> {
    let parties = parties::records(structure, resolution);
    let relationships = relationships::records(structure, resolution);
    let subject = structure.root().to_string();
    parties
        .into_iter()
        .chain(relationships)
        .map(|record| Statement::new(record, &subject, publication))
        .collect()
}
