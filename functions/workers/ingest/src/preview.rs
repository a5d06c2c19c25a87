//! A dry run: what a file would change.

use std::collections::BTreeMap;

use domain::{Company, Source, Uid};
use facts::{facts, fold, is_known, without_repetitions};
use jiff::Timestamp;
use objects::Objects;
use sources::{Batch, Rejected};
use store::Registry;

use crate::{
    Error, Report,
    file::{by_company, compared_with_lists, records},
    locations,
};

/// What a file would change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    pub report: Report,
    /// For each company that would change: its name and the JSON members that would change.
    pub changes: BTreeMap<Uid, (String, Vec<String>)>,
    pub rejected: Vec<Rejected>,
    /// Number of companies on the previous list and on this one, if the list would be refused because it
    /// is more than a tenth shorter.
    pub shrunk: Option<(u64, u64)>,
}

/// Compares a file with the registry and changes nothing.
pub async fn preview(
    registry: &Registry,
    objects: &Objects,
    source: Source,
    batch: Batch,
    now: Timestamp,
) -> Result<Preview, Error> {
    let Batch { statements, rejected, unreadable } = batch;
    let report = Report {
        read: records(&statements, &rejected),
        quarantined: rejected.iter().filter(|it| !it.is_read).count() as u64,
        incomplete: rejected.iter().filter(|it| it.is_read).count() as u64,
        ..Report::default()
    };
    let erasures = registry.erasures().await?;
    let facts = erasures.apply(facts(statements));
    let (facts, list) = compared_with_lists(objects, source, facts, &unreadable, now).await?;
    let facts = erasures.apply(facts);
    let mut preview = Preview {
        report,
        changes: BTreeMap::new(),
        rejected,
        shrunk: list.and_then(|it| it.shrunk),
    };
    let localities = locations::newest(objects).await?;
    for (uid, facts) in by_company(facts) {
        let mut all = registry.facts(uid).await?;
        let known = all.len();
        for fact in facts {
            if !is_known(&fact, &all) {
                all.push(fact);
            }
        }
        if all.len() == known {
            preview.report.unchanged += 1;
            continue;
        }
        let before = registry.company(uid).await?;
        let after = fold(&without_repetitions(&all));
        // A fact about a company from another company's publication does not create its record.
        if before.is_none() && after.is_some() {
            preview.report.new += 1;
        } else {
            preview.report.changed += 1;
        }
        if let Some(after) = after {
            let after = locations::with_location(&localities, after);
            let members = differing_members(before.as_ref(), &after);
            preview.changes.insert(uid, (after.name, members));
        }
    }
    Ok(preview)
}

/// The names of the JSON members in which two records differ. For a new record: all members it has.
fn differing_members(before: Option<&Company>, after: &Company) -> Vec<String> {
    let members = |company: &Company| match serde_json::to_value(company) {
        Ok(serde_json::Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let (before, after) = (before.map(members).unwrap_or_default(), members(after));
    let names = before.keys().chain(after.keys()).filter(|it| before.get(*it) != after.get(*it));
    let mut names: Vec<String> = names.cloned().collect();
    names.sort_unstable();
    names.dedup();
    names
}
