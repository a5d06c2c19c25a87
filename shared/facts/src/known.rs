//! Which facts say nothing new.

use std::collections::HashMap;

use statements::Source;

use crate::Fact;

/// Whether a fact says nothing new: it is there, or what its source said last before it is the same. A
/// list that says A, then B, then A again has said three things; one that says A every day, one.
pub fn is_known(fact: &Fact, known: &[Fact]) -> bool {
    let same = |it: &&Fact| it.fingerprint == fact.fingerprint;
    if known.iter().filter(same).any(|it| it.published == fact.published) {
        return true;
    }
    let before =
        known.iter().filter(|it| it.source == fact.source && it.published <= fact.published);
    match fact.publication {
        // A publication is one, whenever it is quoted.
        Some(_) => known.iter().any(|it| same(&it)),
        None => before.max_by_key(|it| it.order()).is_some_and(|it| same(&it)),
    }
}

/// The facts in the order in which they are folded, without the lists that repeat what their source said
/// last before: they count as one, whether they arrived in their order and were not stored or did not.
pub fn without_repetitions(facts: &[Fact]) -> Vec<Fact> {
    let mut facts = facts.to_vec();
    facts.sort_by(|one, other| one.order().cmp(&other.order()));
    let mut last: HashMap<Source, String> = HashMap::new();
    facts.retain(|it| {
        let before = last.insert(it.source, it.fingerprint.clone());
        it.publication.is_some() || before.as_ref() != Some(&it.fingerprint)
    });
    facts
}
