//! The first of many documents, tier by tier.

use crate::documents::Documents;

/// The best so far, and those that are left.
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

    /// Those of the tier that are left come next.
    pub(crate) fn take(&mut self, tier: &Documents) {
        let mut next = tier.clone();
        next.intersect(&self.left);
        self.best.extend(next.iter().take(self.wanted - self.best.len()));
        self.left.subtract(&next);
    }

    /// Those that are left and in the tier come next, looked at one by one.
    pub(crate) fn take_where(&mut self, in_tier: impl Fn(u32) -> bool) {
        let missing = self.wanted - self.best.len();
        let next: Vec<u32> = self.left.iter().filter(|it| in_tier(*it)).take(missing).collect();
        next.iter().for_each(|it| self.left.remove(*it));
        self.best.extend(next);
    }

    /// The tiers, and behind them those that are left.
    pub(crate) fn into_best(mut self) -> Vec<u32> {
        self.best.extend(self.left.iter().take(self.wanted - self.best.len()));
        self.best
    }
}
