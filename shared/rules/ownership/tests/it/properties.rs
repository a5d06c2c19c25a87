//! What holds for all structures.

use std::collections::BTreeMap;

use ownership::{
    Form, Link, LinkKind, MaxDepth, Party, Profile, Resolution, Structure,
    bods::{Publication, statements},
    flags::flags,
};
use proptest::prelude::*;

use crate::support::{company, link, person, resolved, shares, unknown};

const COMPANIES: u32 = 6;
const PERSONS: u128 = 3;

fn owners() -> impl Strategy<Value = Party> {
    prop_oneof![(1..=COMPANIES).prop_map(company), (1..=PERSONS).prop_map(person)]
}

fn links() -> impl Strategy<Value = Link> {
    let known = (owners(), 1..=COMPANIES, 0_u32..=1000, any::<bool>()).prop_map(
        |(owner, owned, thousandths, is_votes)| {
            let share = shares(owner, company(owned), f64::from(thousandths) / 10.0);
            let kind = if is_votes { LinkKind::VotingRights } else { LinkKind::Shares };
            Link { kind, ..share }
        },
    );
    let kinds = prop::sample::select(vec![
        LinkKind::Consolidation,
        LinkKind::UltimateConsolidation,
        LinkKind::Partnership,
        LinkKind::Office(domain::persons::RoleCategory::Board),
    ]);
    let unknown = (owners(), 1..=COMPANIES, kinds)
        .prop_map(|(owner, owned, kind)| unknown(owner, company(owned), kind));
    prop_oneof![4 => known, 1 => unknown]
}

/// At least one link. The known shares exceed no capital: the shares of each company are scaled down if necessary.
fn consistent_links() -> impl Strategy<Value = Vec<Link>> {
    prop::collection::vec(links(), 1..25).prop_map(|links| {
        // Several links between two parties, if they are of different kinds.
        let mut by_pair: BTreeMap<(Party, Party, LinkKind), Link> = BTreeMap::new();
        for link in links {
            by_pair.insert((link.owned, link.owner, link.kind), link);
        }
        let mut sums: BTreeMap<Party, f64> = BTreeMap::new();
        for it in by_pair.values() {
            *sums.entry(it.owned).or_default() += it.share.known().map_or(0.0, |it| it.get());
        }
        let scaled = by_pair.into_values().map(|it| match it.share.known() {
            Some(share) => {
                let sum = sums[&it.owned].max(100.0);
                link(it.owner, it.owned, it.kind, crate::support::known(share.get() / sum * 100.0))
            }
            None => it,
        });
        scaled.collect()
    })
}

fn structure(links: Vec<Link>) -> Structure {
    let mut profiles = BTreeMap::new();
    // One company is a foundation, so that something can end at a party without owners.
    profiles.insert(company(4), Profile { form: Form::WithoutOwners, ..Profile::default() });
    Structure::above(company(1), links, profiles, MaxDepth::default())
}

fn parts(resolution: &Resolution) -> f64 {
    let without: f64 = resolution.without_owners.iter().map(|it| it.percentage.get()).sum();
    resolution.attributed_to_persons.get() + without + resolution.unattributed_percentage.get()
}

proptest! {
    #[test]
    fn persons_own_at_most_the_whole(links in consistent_links()) {
        let resolution = resolved(&structure(links));
        let of_persons: f64 = resolution
            .holders
            .iter()
            .filter(|it| it.party.is_person())
            .map(|it| it.capital.get())
            .sum();
        // Each share is rounded to nine decimals.
        prop_assert!(of_persons <= 100.0 + 1e-8, "{of_persons}");
        prop_assert!(resolution.overstated.is_empty());
        prop_assert!((of_persons - resolution.attributed_to_persons.get()).abs() < 1e-6);
    }

    #[test]
    fn the_whole_company_is_accounted_for(links in prop::collection::vec(links(), 0..25)) {
        let resolution = resolved(&structure(links));
        prop_assert!((parts(&resolution) - 100.0).abs() < 1e-4, "{resolution:?}");
    }

    #[test]
    fn no_integrated_share_exceeds_the_whole(links in prop::collection::vec(links(), 0..25)) {
        for holder in resolved(&structure(links)).holders {
            prop_assert!(holder.capital.get() <= 100.0 + 1e-9, "{holder:?}");
            prop_assert!(holder.votes.get() <= 100.0 + 1e-9, "{holder:?}");
        }
    }

    #[test]
    fn order_and_repetition_of_links_do_not_matter(
        (ordered, shuffled) in prop::collection::vec(links(), 0..25)
            .prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
    ) {
        let repeated: Vec<Link> = shuffled.iter().cloned().chain(ordered.first().cloned()).collect();
        let (one, other) = (structure(ordered), structure(repeated));
        prop_assert_eq!(&one, &other);
        let (first, second) = (resolved(&one), resolved(&other));
        prop_assert_eq!(flags(&one, &first), flags(&other, &second));
        prop_assert_eq!(first, second);
    }

    #[test]
    fn adding_a_link_never_lowers_control(
        links in consistent_links(), added in any::<prop::sample::Index>(),
    ) {
        let mut fewer = links.clone();
        let added = fewer.remove(added.index(links.len()));
        // Stated votes replace those that were assumed from the shares, and can be fewer.
        let has_shares = fewer.iter().any(|it| {
            (it.owner, it.owned, it.kind) == (added.owner, added.owned, LinkKind::Shares)
        });
        prop_assume!(!(has_shares && added.kind == LinkKind::VotingRights));
        let (before, after) = (resolved(&structure(fewer)), resolved(&structure(links)));
        for controller in &before.controllers {
            let still = after.controllers.iter().any(|it| it.party == controller.party);
            prop_assert!(still, "{controller:?} lost control");
        }
        for holder in &before.holders {
            let now = after.holders.iter().find(|it| it.party == holder.party);
            let votes = now.map_or(0.0, |it| it.controlled_votes.get());
            prop_assert!(votes >= holder.controlled_votes.get() - 1e-9, "{holder:?} {now:?}");
        }
    }

    #[test]
    fn every_controller_is_justified_by_its_steps(links in prop::collection::vec(links(), 0..25)) {
        let resolution = resolved(&structure(links));
        for controller in resolution.controllers {
            let mut controlled = vec![controller.party];
            for step in controller.steps {
                prop_assert!(step.through.iter().all(|it| controlled.contains(it)), "{step:?}");
                controlled.push(step.company);
            }
            prop_assert_eq!(controlled.last(), Some(&company(1)));
        }
    }

    #[test]
    fn bods_records_refer_to_earlier_records(links in prop::collection::vec(links(), 0..25)) {
        let structure = structure(links);
        let resolution = resolved(&structure);
        let day = jiff::civil::date(2026, 1, 1);
        let publication =
            Publication { date: day, as_of: day, publisher: "Test".into(), url: None };
        let mut known = Vec::new();
        for statement in statements(&structure, &resolution, &publication) {
            for member in ["subject", "interestedParty"] {
                if let Some(id) = statement.record_details[member].as_str() {
                    prop_assert!(known.iter().any(|it| it == id), "{id} is not stated before");
                }
            }
            prop_assert!(!known.contains(&statement.record_id), "{} twice", statement.record_id);
            known.push(statement.record_id);
        }
    }
}
