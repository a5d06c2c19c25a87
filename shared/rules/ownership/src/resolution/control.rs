//! Control: who can decide in a company.
//!
//! A party controls a company if a link says so (consolidation, sole proprietorship, head office, merger), or if it and
//! what it controls hold more than half of the votes. This is applied until nothing changes.
//!
//! Own shares have no votes (CO 659a; own quotas: CO 783), and neither have the shares that a company holds through what
//! it controls (CO 659b). They count neither as held nor among all votes; except that the shares of a company which the
//! party controls too count for the party.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::{
    columns::{Columns, TOLERANCE},
    percent,
};
use crate::{LinkKind, Party, Percent, Structure};

/// One step of control: why a party controls a company.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControlStep {
    /// The company that is controlled.
    pub company: Party,
    /// How it is controlled.
    pub means: ControlMeans,
    /// Who has the votes or the link: the party itself or companies that it controls. Sorted.
    pub through: Vec<Party>,
}

/// How a company is controlled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlMeans {
    /// More than half of the votes; the share of all votes that can be cast.
    Votes(Percent),
    /// The accounts are consolidated.
    Consolidation,
    /// The company is a branch of its head office.
    HeadOffice,
    /// The company was absorbed.
    Merger,
    /// The company is a sole proprietorship.
    SoleProprietor,
}

impl ControlMeans {
    fn of(kind: LinkKind) -> Option<Self> {
        match kind {
            LinkKind::Consolidation | LinkKind::UltimateConsolidation => Some(Self::Consolidation),
            LinkKind::HeadOffice => Some(Self::HeadOffice),
            LinkKind::Merger => Some(Self::Merger),
            LinkKind::SoleProprietor => Some(Self::SoleProprietor),
            LinkKind::Shares
            | LinkKind::VotingRights
            | LinkKind::Partnership
            | LinkKind::Office(_) => None,
        }
    }
}

/// Who controls whom in a structure.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Control {
    votes: Columns,
    /// For each company: who controls it by a link, and how.
    stated: Vec<Vec<(usize, ControlMeans)>>,
    /// The round in which it was found that the first controls the second.
    rounds: HashMap<(usize, usize), u32>,
    /// For each party: the companies in which it has votes, or which it controls by a link.
    owned: Vec<Vec<usize>>,
    majority: f64,
}

impl Control {
    /// Finds who controls whom. `majority`: fraction of the votes that must be exceeded. Companies whose known votes exceed
    /// the whole must have been removed from `votes`.
    pub(super) fn of(structure: &Structure, votes: Columns, majority: f64) -> Self {
        let size = votes.parties.len();
        let number = |party: Party| votes.parties.binary_search(&party).ok();
        let mut stated = vec![Vec::new(); size];
        for link in structure.links() {
            let Some(means) = ControlMeans::of(link.kind) else { continue };
            if let (Some(owner), Some(owned)) = (number(link.owner), number(link.owned))
                && owner != owned
            {
                stated[owned].push((owner, means));
            }
        }
        let mut owned = vec![Vec::new(); size];
        for (company, stated) in stated.iter().enumerate() {
            let by_votes = votes.owners[company].iter().map(|it| it.0);
            let owners: BTreeSet<usize> = by_votes.chain(stated.iter().map(|it| it.0)).collect();
            for owner in owners {
                owned[owner].push(company);
            }
        }
        let mut control = Self { votes, stated, rounds: HashMap::new(), owned, majority };
        let owners = control.owned.iter().enumerate();
        let mut candidates: BTreeSet<(usize, usize)> =
            owners.flat_map(|(owner, owned)| owned.iter().map(move |it| (owner, *it))).collect();
        for round in 1.. {
            candidates.retain(|(party, company)| control.controls_by(*party, *company, round));
            if candidates.is_empty() {
                break;
            }
            control.rounds.extend(candidates.iter().map(|it| (*it, round)));
            candidates = control.affected_by(&candidates);
        }
        control
    }

    /// The pairs that may be in control after these pairs were found to be.
    fn affected_by(&self, found: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
        let mut affected = BTreeSet::new();
        for (party, company) in found {
            // The votes of the company count for the party.
            affected.extend(self.owned[*company].iter().map(|it| (*party, *it)));
            // The shares in the party that the company holds have no votes any more, which helps everybody.
            if self.owned[*company].contains(party) {
                affected.extend((0..self.owned.len()).map(|it| (it, *party)));
            }
        }
        affected.retain(|it| !self.rounds.contains_key(it));
        affected
    }

    /// Whether `party` controls `company`.
    pub(super) fn controls(&self, party: usize, company: usize) -> bool {
        self.rounds.contains_key(&(party, company))
    }

    /// Whether `party` is `other`, or was found to control it before this round.
    fn acts_for(&self, party: usize, other: usize, round: u32) -> bool {
        party == other || self.controlled_before(party, other, round)
    }

    fn controlled_before(&self, party: usize, other: usize, round: u32) -> bool {
        self.rounds.get(&(party, other)).is_some_and(|it| *it < round)
    }

    fn controls_by(&self, party: usize, company: usize, round: u32) -> bool {
        if party == company {
            return false;
        }
        let is_stated = || {
            let stated = self.stated[company].iter();
            stated.clone().any(|(owner, _)| self.acts_for(party, *owner, round))
        };
        let has_majority = || {
            let (held, all) = self.votes_before(party, company, round);
            held > all * self.majority + TOLERANCE
        };
        is_stated() || has_majority()
    }

    /// The votes in `company` that `party` and what it controls hold, and all that can be cast, as fractions of the
    /// capital.
    fn votes_before(&self, party: usize, company: usize, round: u32) -> (f64, f64) {
        let mut held = 0.0;
        let mut all = 1.0;
        for (owner, votes) in &self.votes.owners[company] {
            if *owner == company {
                all -= votes;
            } else if self.acts_for(party, *owner, round) {
                held += votes;
            } else if self.controlled_before(company, *owner, round) {
                all -= votes;
            }
        }
        (held, all)
    }

    /// The votes in `company` that `party` and what it controls hold, in percent of the votes that can be cast.
    pub(super) fn percentage(&self, party: usize, company: usize) -> Percent {
        let (held, all) = self.votes_before(party, company, u32::MAX);
        percent(if all > TOLERANCE { (held / all).min(1.0) } else { 0.0 })
    }

    /// The steps by which `party` controls `company`, the nearest to `party` first. Empty if it does not.
    pub(super) fn steps(&self, party: usize, company: usize) -> Vec<ControlStep> {
        let mut steps = Vec::new();
        self.add_steps(party, company, &mut steps);
        steps
    }

    fn add_steps(&self, party: usize, company: usize, steps: &mut Vec<ControlStep>) {
        let name = |it: usize| self.votes.parties[it];
        let Some(round) = self.rounds.get(&(party, company)).copied() else { return };
        if steps.iter().any(|it| it.company == name(company)) {
            return;
        }
        let stated = self.stated[company].iter();
        let stated = stated.filter(|it| self.acts_for(party, it.0, round)).min_by_key(|it| it.0);
        let (through, means) = match stated {
            Some((owner, means)) => (vec![*owner], *means),
            None => {
                let owners = self.votes.owners[company].iter().map(|it| it.0);
                let acting = owners.filter(|it| *it != company && self.acts_for(party, *it, round));
                let (held, all) = self.votes_before(party, company, round);
                (acting.collect(), ControlMeans::Votes(percent((held / all).min(1.0))))
            }
        };
        for owner in &through {
            self.add_steps(party, *owner, steps);
        }
        let mut through: Vec<Party> = through.into_iter().map(name).collect();
        through.sort_unstable();
        steps.push(ControlStep { company: name(company), means, through });
    }
}
