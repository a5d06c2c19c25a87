//! The sources of the members of a record, as stored.
//!
//! They are folded with the record, so that a request for the current state does not have to read all facts of the company.

use std::collections::BTreeMap;

use domain::Provenance;
use serde::{Deserialize, Serialize};

/// The source of each member. Many members have the same one, which is stored once.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Proofs {
    sources: Vec<Provenance>,
    /// Position of the source of each member, by the member's JSON name.
    members: BTreeMap<String, usize>,
}

impl Proofs {
    pub(crate) fn of(members: BTreeMap<String, Provenance>) -> Self {
        let mut sources = Vec::new();
        let mut position = |source: Provenance| {
            let known = sources.iter().position(|it| *it == source);
            known.unwrap_or_else(|| {
                sources.push(source);
                sources.len() - 1
            })
        };
        let members = members.into_iter().map(|(member, it)| (member, position(it))).collect();
        Self { sources, members }
    }

    pub(super) fn into_members(self) -> BTreeMap<String, Provenance> {
        let Self { sources, members } = self;
        let proof = |(member, at): (String, usize)| Some((member, sources.get(at)?.clone()));
        members.into_iter().filter_map(proof).collect()
    }
}
