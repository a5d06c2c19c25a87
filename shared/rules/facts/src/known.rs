//! Detection of facts that contain nothing new.

use std::collections::HashMap;

use domain::Source;

use crate::Fact;

/// Whether a fact contains nothing new: it is already known, or the previous fact of its source has the same
/// content. A source that states A, then B, then A again yields three facts; one that states A every day
/// yields one.
pub fn is_known(fact: &Fact, known: &[Fact]) -> bool {
    let same = |it: &&Fact| it.fingerprint == fact.fingerprint;
    if known.iter().filter(same).any(|it| it.published == fact.published) {
        return true;
    }
    let before =
        known.iter().filter(|it| it.source == fact.source && it.published <= fact.published);
    match fact.publication {
        // A numbered publication counts once, on whatever dates it is quoted.
        Some(_) => known.iter().any(|it| same(&it)),
        None => before.max_by_key(|it| it.order()).is_some_and(|it| same(&it)),
    }
}

/// Returns the facts in the order of the fold, without those that repeat the previous fact of their source.
/// Facts that arrive in order are not stored if they repeat; this removes those that arrived out of order, so
/// that the result does not depend on the order of arrival.
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
