//! The part of all links that is above one company.

use std::collections::{BTreeMap, BTreeSet};

use domain::statements::gleif::Category;

use crate::{
    Form, Link, LinkKind, Party, Percent, Profile, ReportingException, Share, UnknownShare,
    same_owner::unify,
};

/// How many levels of owners are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MaxDepth(u8);

impl MaxDepth {
    /// The greatest depth.
    pub const GREATEST: Self = Self(20);

    /// `None` if the number is not between 1 and 20.
    pub fn new(levels: u8) -> Option<Self> {
        (1..=Self::GREATEST.0).contains(&levels).then_some(Self(levels))
    }

    /// Number of levels.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl Default for MaxDepth {
    fn default() -> Self {
        Self(10)
    }
}

/// A company, its direct and indirect owners up to a depth, and everything that links them.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    root: Party,
    links: Vec<Link>,
    depths: BTreeMap<Party, u8>,
    profiles: BTreeMap<Party, Profile>,
    cut_off: BTreeSet<Party>,
}

impl Structure {
    /// The natural persons who are known as direct owners of a party, but not with which share. Without those who fell below a
    /// threshold of disclosure: what they still hold, if anything, is little.
    pub fn persons_with_unknown_shares(&self, of: Party) -> impl Iterator<Item = Party> {
        let is_below = |it: &Link| it.share == Share::Unknown(UnknownShare::BelowThreshold);
        let links = move || {
            let links = self.links_to(of).filter(|it| it.kind.is_ownership());
            links.filter(move |it| it.owner.is_person() && !is_below(it))
        };
        let is_known =
            move |owner: Party| links().any(|it| it.owner == owner && it.share.known().is_some());
        links().map(|it| it.owner).filter(move |it| !is_known(*it))
    }

    /// Whether a natural person is an owner of a company only because a disclosure to the exchange names somebody of the same name, and
    /// not because a source identifies the person. The share is then one of voting rights, which may contain rights to buy shares.
    pub fn is_identified_by_name(&self, person: Party, owned: Party) -> bool {
        let is_share = |it: &&Link| it.owner == person && it.kind.is_ownership();
        let mut links = self.links_to(owned).filter(is_share).peekable();
        person.is_person()
            && links.peek().is_some()
            && links.all(|it| it.kind == LinkKind::VotingRights)
    }

    /// Whether a person is [identified by name](Self::is_identified_by_name) as an owner of any company.
    pub fn has_holders_by_name(&self) -> bool {
        self.links.iter().any(|it| it.owner.is_person() && it.kind == LinkKind::VotingRights)
    }

    /// Follows the links from `root` to its owners. The order and the repetition of links do not matter. Links that
    /// are not above `root` are ignored, and so are links that say that someone owns a natural person. Legal entities of the
    /// same name that own the same company are one party.
    ///
    /// Persons in office are not followed: an office leads to the persons of each company only.
    pub fn above(
        root: Party,
        links: impl IntoIterator<Item = Link>,
        mut profiles: BTreeMap<Party, Profile>,
        max_depth: MaxDepth,
    ) -> Self {
        let mut links: Vec<Link> = links.into_iter().filter(|it| !it.owned.is_person()).collect();
        unify(Some(root), &mut links, &mut profiles);
        links.sort_by(Link::order);
        links.dedup();
        let owners = |of: Party| {
            let first = links.partition_point(|it| it.owned < of);
            let of_this = links[first..].iter().take_while(move |it| it.owned == of);
            of_this.filter(|it| it.kind.is_ownership()).map(|it| it.owner)
        };
        let mut depths = BTreeMap::from([(root, 0)]);
        let mut level = vec![root];
        for depth in 1..=max_depth.get() {
            let mut next = Vec::new();
            for owner in level.iter().flat_map(|it| owners(*it)) {
                depths.entry(owner).or_insert_with(|| {
                    next.push(owner);
                    depth
                });
            }
            level = next;
        }
        let is_cut_off = |it: &Party| owners(*it).any(|owner| !depths.contains_key(&owner));
        let cut_off: BTreeSet<Party> = level.into_iter().filter(is_cut_off).collect();
        links.retain(|it| {
            let is_followed = !it.kind.is_ownership() || depths.contains_key(&it.owner);
            depths.contains_key(&it.owned) && is_followed
        });
        let named: BTreeSet<Party> = links.iter().flat_map(|it| [it.owner, it.owned]).collect();
        profiles.retain(|it, _| *it == root || named.contains(it));
        Self { root, links, depths, profiles, cut_off }
    }

    /// Marks parties whose owners were not looked up, because there are too many parties. Parties that are not part of the
    /// structure are ignored.
    #[must_use]
    pub fn with_unread_owners(mut self, parties: impl IntoIterator<Item = Party>) -> Self {
        let unread = parties.into_iter().filter(|it| self.depths.contains_key(it));
        let unread: Vec<Party> = unread.collect();
        self.cut_off.extend(unread);
        self
    }

    /// The company whose owners are wanted.
    pub fn root(&self) -> Party {
        self.root
    }

    /// The links, sorted by what is owned, then by owner.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Root and owners with their distance from the root, in links. Persons with an office only are not included.
    pub fn depths(&self) -> &BTreeMap<Party, u8> {
        &self.depths
    }

    /// Number of levels of owners.
    pub fn depth(&self) -> u8 {
        self.depths.values().copied().max().unwrap_or_default()
    }

    /// The level of a link: 1 if it leads to the root.
    pub fn level(&self, link: &Link) -> u8 {
        self.depths.get(&link.owned).map_or(0, |it| it + 1)
    }

    /// Companies of which an owner was not followed, because they are at the greatest depth or their owners were not looked
    /// up. The shares of such owners are unattributed.
    pub fn cut_off(&self) -> &BTreeSet<Party> {
        &self.cut_off
    }

    /// What is known about a party.
    pub fn profile(&self, party: Party) -> Option<&Profile> {
        self.profiles.get(&party)
    }

    /// Who owns a party, by its legal form.
    pub fn form(&self, party: Party) -> Form {
        self.profile(party).map(|it| it.form).unwrap_or_default()
    }

    /// Whether the root is a branch of another company.
    pub fn is_branch(&self) -> bool {
        self.links_to(self.root).any(|it| it.kind == LinkKind::HeadOffice)
    }

    /// Whether another company has absorbed the root.
    pub fn is_absorbed(&self) -> bool {
        self.links_to(self.root).any(|it| it.kind == LinkKind::Merger)
    }

    /// Whether the root has a capital of which shares are parts. What is a part of its owner has none, nor has a partnership.
    pub fn has_capital(&self) -> bool {
        let has_proprietor = self.links_to(self.root).any(|it| it.kind == LinkKind::SoleProprietor);
        let is_part = self.is_branch() || self.is_absorbed() || has_proprietor;
        self.form(self.root) == Form::WithOwners && !is_part
    }

    /// The entity whose organs decide for the root: the root itself, the head office of a branch (CO 931), or the company that
    /// absorbed it. A circle of head offices ends where it began.
    pub fn legal_entity(&self) -> Party {
        let mut passed = BTreeSet::from([self.root]);
        let mut entity = self.root;
        let is_of = |it: &&Link| matches!(it.kind, LinkKind::HeadOffice | LinkKind::Merger);
        while let Some(link) = self.links_to(entity).find(is_of)
            && passed.insert(link.owner)
        {
            entity = link.owner;
        }
        entity
    }

    /// Whether the register names all owners of a company, as it does the partners of partnerships and limited liability companies
    /// (CO 554, 596, 791), but not all of their shares.
    pub fn has_owners_with_unknown_shares(&self, of: Party) -> bool {
        let is_partner = |it: &Link| matches!(it.kind, LinkKind::Shares | LinkKind::Partnership);
        let mut links = self.links_to(of);
        links.any(|it| is_partner(it) && it.share.known().is_none())
            && self.profile(of).is_none_or(|it| !it.has_undisclosed_holders)
            && !self.cut_off.contains(&of)
    }

    /// Whether a share is what the holder has by a link to what is owned: no other path and no circle adds to it.
    pub fn is_direct(&self, holder: Party, owned: Party, share: Percent) -> bool {
        let mut links = self.links_to(owned).filter(|it| it.owner == holder);
        links.any(|it| it.share.known().is_some_and(|it| (it.get() - share.get()).abs() < 0.005))
    }

    /// The direct owners of a company, each once.
    pub fn owners_of(&self, company: Party) -> BTreeSet<Party> {
        let links = self.links_to(company).filter(|it| it.kind.is_ownership());
        links.map(|it| it.owner).collect()
    }

    /// The reasons for naming no parent that a party reported to GLEIF. Without those that a report names a parent of the same
    /// category for.
    pub fn exceptions_of(&self, party: Party) -> impl Iterator<Item = &ReportingException> {
        let exceptions = self.profile(party).map(|it| it.exceptions.as_slice());
        exceptions.unwrap_or_default().iter().filter(move |it| {
            let parent = match it.exception.category {
                Category::DirectParent => LinkKind::Consolidation,
                Category::UltimateParent => LinkKind::UltimateConsolidation,
            };
            !self.links_to(party).any(|it| it.kind == parent)
        })
    }

    /// The name of a party, or its identifier if the name is unknown.
    pub fn name(&self, party: Party) -> String {
        let name = self.profile(party).map(|it| it.name.as_str()).filter(|it| !it.is_empty());
        name.map_or_else(|| party.to_string(), str::to_owned)
    }

    /// The links to a company.
    pub fn links_to(&self, owned: Party) -> impl Iterator<Item = &Link> {
        let first = self.links.partition_point(|it| it.owned < owned);
        self.links[first..].iter().take_while(move |it| it.owned == owned)
    }
}
