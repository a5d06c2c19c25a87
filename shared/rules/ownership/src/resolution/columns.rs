//! The known shares of each company, one column for each company.

use std::collections::BTreeMap;

use crate::{LinkKind, Party, Structure};

/// Rounding of the sum of shares that is tolerated, as a fraction.
pub(super) const TOLERANCE: f64 = 1e-9;

/// Which share of a link counts if sources state both shares of the capital and voting rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The share of the capital. Disclosed voting rights are none: they may rest on rights to buy shares.
    Capital,
    /// The voting rights. The share of the capital stands for them where no source states them: one vote for each share
    /// of the same nominal value is the rule (CO 692, 806).
    Votes,
}

/// Known shares between the parties of a structure, which are numbered in their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    /// The parties, sorted. Their positions are their numbers.
    pub(super) parties: Vec<Party>,
    /// For each party: its owners by number, in ascending order, and the fraction that each holds, which is positive.
    pub(super) owners: Vec<Vec<(usize, f64)>>,
    /// For each party: the sum of the stated fractions. More than 1 if sources contradict each other.
    pub(super) stated: Vec<f64>,
    /// For each party: whether the law knows owners of it and its owners are wanted.
    pub(super) can_have_owners: Vec<bool>,
}

impl Columns {
    /// The shares of a structure. The largest share counts if several links state the share of one owner.
    pub(super) fn of(structure: &Structure, measure: Measure) -> Self {
        let parties: Vec<Party> = structure.depths().keys().copied().collect();
        let number = |party: Party| parties.binary_search(&party).ok();
        let can_have_owners: Vec<bool> = parties
            .iter()
            .map(|it| !it.is_person() && structure.form(*it).can_have_owners())
            .collect();
        let mut shares: BTreeMap<(usize, usize), [f64; 2]> = BTreeMap::new();
        for link in structure.links().iter().filter(|it| it.kind.is_ownership()) {
            let Some(share) = link.share.known() else { continue };
            let (Some(owned), Some(owner)) = (number(link.owned), number(link.owner)) else {
                continue;
            };
            let of_pair = shares.entry((owned, owner)).or_default();
            let largest = &mut of_pair[usize::from(link.kind == LinkKind::VotingRights)];
            *largest = largest.max(share.fraction());
        }
        let mut owners = vec![Vec::new(); parties.len()];
        for ((owned, owner), [capital, votes]) in shares {
            let by_preference = match measure {
                Measure::Capital => [capital, 0.0],
                Measure::Votes => [votes, capital],
            };
            let share = by_preference.into_iter().find(|it| *it > 0.0);
            if let Some(share) = share.filter(|_| can_have_owners[owned]) {
                owners[owned].push((owner, share));
            }
        }
        let stated = owners.iter().map(|it: &Vec<(usize, f64)>| it.iter().map(|it| it.1).sum());
        Self { stated: stated.collect(), owners, parties, can_have_owners }
    }

    /// Companies of which more than the whole is known to be held.
    pub(super) fn overstated(&self) -> Vec<usize> {
        (0..self.parties.len()).filter(|it| self.stated[*it] > 1.0 + TOLERANCE).collect()
    }

    /// Clears the owners of these companies.
    pub(super) fn clear_owners(&mut self, of: &[usize]) {
        for company in of {
            self.owners[*company].clear();
            self.stated[*company] = 0.0;
        }
    }

    /// The fraction of a company of which no owner is known.
    pub(super) fn unknown(&self, company: usize) -> f64 {
        let rest = 1.0 - self.stated[company];
        if rest > TOLERANCE { rest } else { 0.0 }
    }
}
