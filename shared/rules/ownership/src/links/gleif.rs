//! Links from the Global LEI Index (GLEIF).

use domain::{
    Provenance,
    statements::gleif::{Group, RelatedEntity},
};

use crate::{Link, LinkKind, Party, Percent, ReportingException, Share, UnknownShare};

/// The links that level 2 data ("who owns whom") states about an entity: its parents, its head office and its direct
/// subsidiaries.
///
/// If the direct parent is the ultimate parent too, only the link to the direct parent is made.
pub fn of_group(entity: Party, group: &Group, source: &Provenance) -> Vec<Link> {
    let link = |owner: Party, owned: Party, kind: LinkKind, share: Share, it: &RelatedEntity| {
        Link { owner, owned, kind, share, since: it.since, source: source.clone(), confidence: 1.0 }
    };
    let party = |it: &RelatedEntity| Party::entity(it.uid, it.lei);
    let mut links = Vec::new();
    if let Some(parent) = &group.direct_parent {
        links.push(link(party(parent), entity, LinkKind::Consolidation, stated(parent), parent));
    }
    let direct = group.direct_parent.as_ref().map(|it| it.lei);
    if let Some(parent) = group.ultimate_parent.as_ref().filter(|it| Some(it.lei) != direct) {
        let indirect = Share::Unknown(UnknownShare::Indirect);
        links.push(link(party(parent), entity, LinkKind::UltimateConsolidation, indirect, parent));
    }
    if let Some(head) = &group.head_office {
        links.push(link(
            party(head),
            entity,
            LinkKind::HeadOffice,
            Share::Known(Percent::WHOLE),
            head,
        ));
    }
    for child in &group.children {
        links.push(link(entity, party(child), LinkKind::Consolidation, stated(child), child));
    }
    links
}

/// The reasons for naming no parent, with their source.
pub fn exceptions_of(group: &Group, source: &Provenance) -> Vec<ReportingException> {
    let with_source = |exception: &domain::statements::gleif::Exception| ReportingException {
        exception: exception.clone(),
        source: source.clone(),
    };
    group.exceptions.iter().map(with_source).collect()
}

fn stated(it: &RelatedEntity) -> Share {
    let percent = it.percentage.and_then(Percent::new);
    percent.map_or(Share::Unknown(UnknownShare::NotStated), Share::Known)
}
