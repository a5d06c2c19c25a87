//! One owner to which several sources refer in different ways.
//!
//! The register names a partner that is a firm, often without a number, and GLEIF names the parent by its identifier. Taken
//! as two owners, their shares would add up to more than the whole, and the sources would seem to contradict each other.

use std::collections::{BTreeMap, BTreeSet};

use domain::text;

use crate::{Link, Party, Profile};

/// Confidence in an owner that is identified by its name.
const CONFIDENCE: f64 = 0.9;

/// Makes legal entities with the same name that own the same company one party: the one in the Swiss register, or else the
/// one with a legal entity identifier. Nothing is done if two of them have different numbers or identifiers.
pub(crate) fn unify(root: Party, links: &mut [Link], profiles: &mut BTreeMap<Party, Profile>) {
    let mut same: BTreeMap<(Party, String), BTreeSet<Party>> = BTreeMap::new();
    for link in links.iter().filter(|it| it.kind.is_ownership() && it.owner != root) {
        let name = profiles.get(&link.owner).map(|it| text::fold(&it.name));
        if let Some(name) = name.filter(|it| !it.is_empty() && is_entity(link.owner)) {
            same.entry((link.owned, name)).or_default().insert(link.owner);
        }
    }
    let mut main: BTreeMap<Party, Party> = BTreeMap::new();
    for parties in same.into_values().filter(|it| it.len() > 1) {
        let count = |is: fn(&Party) -> bool| parties.iter().filter(|it| is(it)).count();
        let companies = count(|it| matches!(it, Party::Company(_)));
        let foreign = count(|it| matches!(it, Party::Foreign(_)));
        if companies > 1 || foreign > 1 {
            continue;
        }
        // Companies come first in the order of parties, then those with an identifier.
        if let Some((first, others)) = parties.iter().collect::<Vec<_>>().split_first() {
            for other in others {
                main.entry(**other).or_insert(**first);
            }
        }
    }
    if main.is_empty() {
        return;
    }
    // Twice, because a name can lead to an entity whose own name leads to a company.
    let of = |party: Party| {
        let once = main.get(&party).copied().unwrap_or(party);
        main.get(&once).copied().unwrap_or(once)
    };
    for link in links {
        let (owner, owned) = (of(link.owner), of(link.owned));
        if owner != link.owner {
            link.confidence = link.confidence.min(CONFIDENCE);
        }
        (link.owner, link.owned) = (owner, owned);
    }
    for other in main.keys() {
        if let Some(profile) = profiles.remove(other) {
            profiles.entry(of(*other)).or_insert(profile);
        }
    }
}

fn is_entity(party: Party) -> bool {
    matches!(party, Party::Company(_) | Party::Foreign(_) | Party::Firm(_))
}
