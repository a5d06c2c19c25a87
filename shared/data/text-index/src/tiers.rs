//! Ranking by tiers: all matches of a better kind come before those of the next.

use crate::documents::Documents;

/// The documents ranked so far, and those that are not ranked yet.
pub(crate) struct Tiers {
    left: Documents,
    best: Vec<u32>,
    wanted: usize,
}

impl Tiers {
    pub(crate) fn new(all: &Documents, wanted: usize) -> Self {
        Self { left: all.clone(), best: Vec::new(), wanted }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.best.len() >= self.wanted
    }

    /// Ranks the documents of the next tier.
    pub(crate) fn take(&mut self, tier: &Documents) {
        let mut next = tier.clone();
        next.intersect(&self.left);
        self.best.extend(next.iter().take(self.wanted - self.best.len()));
        self.left.subtract(&next);
    }

    /// Ranks the documents that satisfy the condition next, checking one by one.
    pub(crate) fn take_where(&mut self, in_tier: impl Fn(u32) -> bool) {
        let missing = self.wanted - self.best.len();
        let next: Vec<u32> = self.left.iter().filter(|it| in_tier(*it)).take(missing).collect();
        next.iter().for_each(|it| self.left.remove(*it));
        self.best.extend(next);
    }

    /// The ranked documents, followed by those in no tier.
    pub(crate) fn into_best(mut self) -> Vec<u32> {
        self.best.extend(self.left.iter().take(self.wanted - self.best.len()));
        self.best
    }
}
