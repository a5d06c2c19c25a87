//! Facts about companies that are taken over, derived from the publication of the acquirer.

use domain::statements::{Statement, gazette::Publication};
use gazette_notice::{Change, Party};

use crate::{Fact, notice};

/// Maximum number of acquired companies per publication. Each gets a copy of the publication, and a long text
/// could name thousands. Real mergers have a few dozen at most.
pub const MAX_TAKEOVERS: usize = 100;

/// Returns a fact for each company that a publication of another company takes over. They are needed because a
/// merged company's own publications usually state that it is deleted, but not which company took it over.
pub fn takeovers(facts: &[Fact]) -> Vec<Fact> {
    let mut takeovers = Vec::new();
    for fact in facts {
        let Statement::Shab(publication) = &fact.statement else { continue };
        let acquired =
            acquired(publication).into_iter().filter_map(|it| it.uid.and_then(notice::uid));
        for uid in acquired.filter(|it| *it != fact.uid) {
            let statement = Statement::Takeover(publication.clone());
            takeovers.push(Fact { uid, statement, ..fact.clone() });
        }
    }
    takeovers
}

/// The companies with a UID that the publication's company takes over, each once; at most [`MAX_TAKEOVERS`].
pub(crate) fn acquired(publication: &Publication) -> Vec<Party> {
    let mut acquired: Vec<Party> = Vec::new();
    for change in gazette_notice::read(&publication.text).changes {
        if acquired.len() == MAX_TAKEOVERS {
            break;
        }
        if let Change::Combination { combination, party, .. } = change
            && combination.takes_over()
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
