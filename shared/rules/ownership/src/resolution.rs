//! Who owns and controls the company at the root of a structure.

mod beneficial_owners;
mod circle_solver;
mod circles;
mod columns;
mod control;
mod integrated;

pub(crate) use circle_solver::LARGEST as MAX_MEMBERS;
use columns::{Columns, Measure, TOLERANCE};
use control::Control;
use integrated::{Integrated, integrated};
use serde::Serialize;

pub use beneficial_owners::{BeneficialOwner, Criteria, FallbackCause, Reason};
pub use circles::CircularOwnership;
pub use control::{ControlMeans, ControlStep};

use crate::{Party, Percent, Structure};

/// Who owns and controls a company, as far as the links show.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// Every direct and indirect owner, largest integrated share of the capital first. The company itself is included if
    /// it owns itself through a circle.
    pub holders: Vec<Holder>,
    /// Every party that controls the company, with the steps.
    pub controllers: Vec<Controller>,
    /// The beneficial owners, largest share first; if there are none, the persons of the statutory fallback.
    pub beneficial_owners: Vec<BeneficialOwner>,
    /// The part of the capital whose last owners are natural persons.
    pub attributed_to_persons: Percent,
    /// The part of the capital that ends at parties without owners: foundations, associations, the state.
    pub without_owners: Vec<Part>,
    /// The part of the capital whose last owners are unknown, by the entity whose owners are unknown. Largest first.
    pub unattributed: Vec<Part>,
    /// The part of the capital whose last owners are unknown, in total.
    pub unattributed_percentage: Percent,
    /// Companies that own each other.
    pub circles: Vec<CircularOwnership>,
    /// Circles whose members hold all of each other, so that nobody owns them, or that have more than 256 members. Their
    /// shares are unattributed.
    pub closed_circles: Vec<Vec<Party>>,
    /// Companies whose known shares exceed the capital, or whose known votes exceed all votes, with the sum. Their shares
    /// or votes do not count.
    pub overstated: Vec<Part>,
}

/// An owner of the company.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Holder {
    /// The owner.
    pub party: Party,
    /// Integrated share of the capital.
    pub capital: Percent,
    /// Integrated share of the votes. Differs from `capital` only if sources state votes that differ from the capital.
    pub votes: Percent,
    /// Share of the votes in the company that the owner and what it controls hold, of those that can be cast.
    #[serde(skip)]
    pub controlled_votes: Percent,
}

/// A party that controls the company.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// The party.
    pub party: Party,
    /// The steps of control, the nearest to the party first.
    pub steps: Vec<ControlStep>,
    /// Whether nobody is known to control this party.
    pub is_ultimate: bool,
}

/// A part of the capital, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The party.
    pub party: Party,
    /// The part in percent.
    pub percentage: Percent,
}

impl Resolution {
    /// Resolves who owns and controls the root of a structure.
    pub fn of(structure: &Structure, criteria: &Criteria) -> Self {
        let mut capital = Columns::of(structure, Measure::Capital);
        let mut votes = Columns::of(structure, Measure::Votes);
        let mut overstated = Vec::new();
        for columns in [&mut capital, &mut votes] {
            let found = columns.overstated();
            overstated
                .extend(found.iter().map(|it| part(columns.parties[*it], columns.stated[*it])));
            columns.clear_owners(&found);
        }
        overstated.sort_by_key(|it| (it.party, std::cmp::Reverse(it.percentage)));
        overstated.dedup_by_key(|it| it.party);

        let parties = capital.parties.clone();
        // The root is among the parties, because it has depth 0.
        let root = parties.binary_search(&structure.root()).unwrap_or_default();
        let by_votes = (capital != votes).then(|| integrated(votes.clone(), root));
        let by_capital = integrated(capital, root);
        let control = Control::of(structure, votes, criteria.majority.fraction());
        let ends = parties.iter().zip(&by_capital.ends);
        let ends_at_persons = ends.filter(|it| it.0.is_person()).map(|it| it.1);
        let mut without_owners = parts(&parties, &by_capital.ends);
        without_owners.retain(|it| !it.party.is_person());
        let mut resolution = Self {
            holders: holders(&parties, &by_capital, by_votes.as_ref(), &control, root),
            controllers: controllers(&parties, &control, root),
            beneficial_owners: Vec::new(),
            attributed_to_persons: percent(ends_at_persons.sum()),
            without_owners,
            unattributed: parts(&parties, &by_capital.unattributed),
            unattributed_percentage: percent(by_capital.unattributed.iter().sum()),
            circles: circles::circles(structure),
            closed_circles: closed_circles(&parties, &by_capital, by_votes.as_ref()),
            overstated,
        };
        resolution.beneficial_owners =
            beneficial_owners::beneficial_owners(structure, &resolution, criteria);
        resolution
    }

    /// Whether the last owners of all of the capital are known: natural persons, and parties without owners.
    pub fn is_fully_attributed(&self) -> bool {
        self.unattributed_percentage.fraction() <= TOLERANCE
            && (self.attributed_to_persons.get() > 0.0 || !self.without_owners.is_empty())
    }

    /// The root or its head office, if its owners are known, and all that is unattributed is how they divide it.
    pub fn divided_unknowingly(&self, structure: &Structure) -> Option<Party> {
        let entity = structure.legal_entity();
        match self.unattributed[..] {
            [only] if only.party == entity => {
                structure.has_owners_with_unknown_shares(entity).then_some(entity)
            }
            _ => None,
        }
    }

    /// Whether companies in the structure own each other.
    pub fn is_circular(&self) -> bool {
        !self.circles.is_empty()
    }

    /// The shortest path from a party to the root: the party, then what it owns, at the end the root.
    pub fn path(&self, structure: &Structure, from: Party) -> Vec<Party> {
        let mut path = vec![from];
        let mut last = from;
        while let Some(depth) = structure.depths().get(&last).filter(|it| **it > 0) {
            let nearer = structure.links().iter().find(|it| {
                it.owner == last
                    && it.kind.is_ownership()
                    && structure.depths().get(&it.owned) == Some(&(depth - 1))
            });
            let Some(link) = nearer else { break };
            last = link.owned;
            path.push(last);
        }
        path
    }
}

fn holders(
    parties: &[Party],
    capital: &Integrated,
    votes: Option<&Integrated>,
    control: &Control,
    root: usize,
) -> Vec<Holder> {
    let mut holders: Vec<Holder> = (0..parties.len())
        .filter(|it| *it != root || capital.shares[*it] > 0.0)
        .map(|it| Holder {
            party: parties[it],
            capital: percent(capital.shares[it]),
            votes: percent(votes.unwrap_or(capital).shares[it]),
            controlled_votes: if it == root {
                Percent::default()
            } else {
                control.percentage(it, root)
            },
        })
        .collect();
    holders.sort_by_key(|it| (std::cmp::Reverse(it.capital), it.party));
    holders
}

fn controllers(parties: &[Party], control: &Control, root: usize) -> Vec<Controller> {
    let all = 0..parties.len();
    let is_ultimate = |party: usize| {
        let mut above = all.clone().filter(|it| control.controls(*it, party));
        // Members of a circle that control each other are ultimate if nobody else controls them.
        above.all(|it| control.controls(party, it))
    };
    let controlling = all.clone().filter(|it| control.controls(*it, root));
    controlling
        .map(|it| Controller {
            party: parties[it],
            steps: control.steps(it, root),
            is_ultimate: is_ultimate(it),
        })
        .collect()
}

fn closed_circles(
    parties: &[Party],
    capital: &Integrated,
    votes: Option<&Integrated>,
) -> Vec<Vec<Party>> {
    let all = [Some(capital), votes].into_iter().flatten().flat_map(|it| &it.closed);
    let mut circles: Vec<Vec<Party>> =
        all.map(|circle| circle.iter().map(|it| parties[*it]).collect()).collect();
    circles.sort_unstable();
    circles.dedup();
    circles
}

/// The parts that are not zero, largest first.
fn parts(parties: &[Party], fractions: &[f64]) -> Vec<Part> {
    let with_party = parties.iter().zip(fractions).filter(|it| *it.1 > TOLERANCE);
    let mut parts: Vec<Part> = with_party.map(|(party, it)| part(*party, *it)).collect();
    parts.sort_by_key(|it| (std::cmp::Reverse(it.percentage), it.party));
    parts
}

fn part(party: Party, fraction: f64) -> Part {
    Part { party, percentage: percent(fraction) }
}

/// Rounded to nine decimals, so that 0.6 × 0.5 is 30 % and not 30.000000000000004 %. Fractions are finite and not negative:
/// they are sums, products and quotients of such numbers.
fn percent(fraction: f64) -> Percent {
    Percent::new((fraction * 1e11).round() / 1e9).unwrap_or_default()
}
