//! The one company at the top.

use ::ownership::{LinkKind, Party};

use super::assessment::Assessment;

/// The legal entity at the top: it controls the company, and no other legal entity is known to control it. Of several, the one
/// that is reported as the ultimate parent, then the most distant one.
pub fn ultimate_parent(assessment: &Assessment) -> Option<Party> {
    let (structure, resolution) = (&assessment.structure, &assessment.resolution);
    let entities = resolution.controllers.iter().filter(|it| it.party.is_entity());
    let entities: Vec<Party> = entities.map(|it| it.party).collect();
    let is_ultimate = |party: Party| {
        let mut links = structure.links().iter();
        links.any(|it| it.owner == party && it.kind == LinkKind::UltimateConsolidation)
    };
    let controls = |owner: Party, owned: Party| {
        let links = structure.links().iter();
        let mut controlling = links.filter(|it| {
            let majority =
                it.share.known().is_some_and(|it| it > assessment.scope.criteria.majority);
            it.kind.gives_control() || (it.kind.is_ownership() && majority)
        });
        controlling.any(|it| (it.owner, it.owned) == (owner, owned))
    };
    // Also if several companies that another entity controls hold the majority together.
    let is_controlled_jointly = |party: Party| {
        let mut others = resolution.controllers.iter().filter(|it| it.party.is_entity());
        others.any(|it| it.party != party && it.steps.iter().any(|step| step.company == party))
    };
    let is_controlled = |party: Party| {
        is_controlled_jointly(party)
            || entities.iter().any(|it| *it != party && controls(*it, party))
    };
    let candidates = entities.iter().copied().filter(|it| is_ultimate(*it) || !is_controlled(*it));
    let key = |it: &Party| {
        let depth = structure.depths().get(it).copied().unwrap_or_default();
        (is_ultimate(*it), depth, std::cmp::Reverse(*it))
    };
    candidates.max_by_key(key)
}
