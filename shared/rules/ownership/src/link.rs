use domain::{Provenance, persons::RoleCategory};
use jiff::civil::Date;

use crate::{Party, Share};

/// What connects an owner with what it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// Shares of the capital: quotas of a limited liability company, shares of a corporation.
    Shares,
    /// Voting rights, as disclosed to the stock exchange.
    VotingRights,
    /// The owner is the direct parent: it consolidates the accounts of the other.
    Consolidation,
    /// The owner is the ultimate parent: it consolidates the other, directly or through other companies.
    UltimateConsolidation,
    /// The owner is the head office, the other is its branch.
    HeadOffice,
    /// The owner absorbed the other in a merger.
    Merger,
    /// The owner is a partner of a partnership.
    Partnership,
    /// The owner runs a sole proprietorship.
    SoleProprietor,
    /// The person holds an office in the company. An office is no ownership: it names the controlling persons if there
    /// is no beneficial owner.
    Office(RoleCategory),
}

impl LinkKind {
    /// Name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shares => "shares",
            Self::VotingRights => "voting_rights",
            Self::Consolidation => "consolidation",
            Self::UltimateConsolidation => "ultimate_consolidation",
            Self::HeadOffice => "head_office",
            Self::Merger => "merger",
            Self::Partnership => "partnership",
            Self::SoleProprietor => "sole_proprietor",
            Self::Office(_) => "office",
        }
    }

    /// Whether the owner owns the other, wholly or partly. An office is no ownership.
    pub fn is_ownership(self) -> bool {
        !matches!(self, Self::Office(_))
    }

    /// Whether the link gives control whatever the share: consolidation means that the parent controls (CO 963), a
    /// sole proprietorship and a branch are parts of their owner, and an absorbed company became one.
    pub fn gives_control(self) -> bool {
        matches!(
            self,
            Self::Consolidation
                | Self::UltimateConsolidation
                | Self::HeadOffice
                | Self::Merger
                | Self::SoleProprietor
        )
    }
}

/// One statement of a source: this party owns, or directs, that one.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The owner, or the person with the office.
    pub owner: Party,
    /// What is owned or directed.
    pub owned: Party,
    /// What connects the two.
    pub kind: LinkKind,
    /// Share of the capital, or of the votes if the kind is [`LinkKind::VotingRights`].
    pub share: Share,
    /// Since when there is the link: the day that the source states, or else, in the commercial register, that of the publication.
    /// `None` if it is not known.
    pub since: Option<Date>,
    /// Source, its reference and its date.
    pub source: Provenance,
    /// Confidence that the owner is identified correctly and holds this share, 0 to 1.
    pub confidence: f64,
}

impl Link {
    /// A total order that depends on the contents only, so that the order of input does not matter.
    pub(crate) fn order(&self, other: &Self) -> std::cmp::Ordering {
        let key = |it: &Self| (it.owned, it.owner, it.kind, it.share, it.since);
        let source = |it: &Self| {
            let Provenance { source, reference, date } = it.source.clone();
            (source, reference, date)
        };
        key(self)
            .cmp(&key(other))
            .then_with(|| source(self).cmp(&source(other)))
            .then_with(|| self.confidence.total_cmp(&other.confidence))
    }
}
