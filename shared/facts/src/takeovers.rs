//! What a publication says of the companies that its own one takes over.

use gazette_notice::{Change, Combination, Party};
use statements::{Statement, gazette::Publication};

use crate::Fact;

/// How many companies one publication takes over at most: each gets a copy of it, and a long text can name
/// thousands. No real merger is of more than a few dozen.
pub const MOST_TAKEN_OVER: usize = 100;

/// What publications say of other companies: facts of those that theirs take over. The own notice of a
/// merged company tells as a rule that it is deleted, and not who goes on.
pub fn takeovers(facts: &[Fact]) -> Vec<Fact> {
    let mut takeovers = Vec::new();
    for fact in facts {
        let Statement::Shab(publication) = &fact.statement else { continue };
        let acquired = acquired(publication).into_iter().filter_map(|it| it.uid);
        for uid in acquired.filter(|it| *it != fact.uid) {
            let statement = Statement::Takeover(publication.clone());
            takeovers.push(Fact { uid, statement, ..fact.clone() });
        }
    }
    takeovers
}

/// Those that the company takes over, by their numbers, each once: at most [`MOST_TAKEN_OVER`].
pub(crate) fn acquired(publication: &Publication) -> Vec<Party> {
    let mut acquired: Vec<Party> = Vec::new();
    for change in gazette_notice::read(&publication.text).changes {
        if acquired.len() == MOST_TAKEN_OVER {
            break;
        }
        if let Change::Combination { combination: Combination::TakesOver, party } = change
            && party.uid.is_some()
            && acquired.iter().all(|it| it.uid != party.uid)
        {
            acquired.push(party);
        }
    }
    acquired
}

#[cfg(test)]
mod tests;
