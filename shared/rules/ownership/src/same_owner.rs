//! One owner to which several sources refer in different ways.
//!
//! The register names a partner that is a firm, often without a number, and GLEIF names the parent by its identifier. Taken
//! as two owners, their shares would add up to more than the whole, and the sources would seem to contradict each other. A holder
//! of whom a disclosure does not say what it is, is the entity of that name.

use std::collections::{BTreeMap, BTreeSet};

use domain::text;

use crate::{Link, Party, Profile};

/// Confidence in an owner that is identified by its name.
const CONFIDENCE: f64 = 0.9;

/// Makes legal entities with the same name that own the same company one party: the one in the Swiss register, or else the
/// one with a legal entity identifier. Nothing is done if two of them have different numbers or identifiers: a company in the
/// register can have an identifier too. It gets that of the party that it replaces.
///
/// `root` stays what it is: the company whose owners are wanted may be one abroad.
pub fn unify(root: Option<Party>, links: &mut [Link], profiles: &mut BTreeMap<Party, Profile>) {
    let mut same: BTreeMap<(Party, String), BTreeSet<Party>> = BTreeMap::new();
    for link in links.iter().filter(|it| it.kind.is_ownership() && Some(it.owner) != root) {
        let name = profiles.get(&link.owner).map(|it| text::fold(&it.name));
        if let Some(name) = name.filter(|it| !it.is_empty() && !link.owner.is_person()) {
            same.entry((link.owned, name)).or_default().insert(link.owner);
        }
    }
    let mut main: BTreeMap<Party, Party> = BTreeMap::new();
    for parties in same.into_values().filter(|it| it.len() > 1) {
        let count = |is: fn(&Party) -> bool| parties.iter().filter(|it| is(it)).count();
        let companies = count(|it| matches!(it, Party::Company(_)));
        let foreign = count(|it| matches!(it, Party::Foreign(_)));
        let of_company = parties.iter().filter(|it| matches!(it, Party::Company(_)));
        let own = of_company.filter_map(|it| profiles.get(it)?.lei).next();
        let is_other =
            |it: &Party| matches!(it, Party::Foreign(lei) if own.is_some_and(|own| own != *lei));
        if companies > 1 || foreign > 1 || parties.iter().any(is_other) {
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
        if let (Party::Foreign(lei), Some(profile)) = (other, profiles.get_mut(&of(*other))) {
            profile.lei.get_or_insert(*lei);
        }
    }
}
