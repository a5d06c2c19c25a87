//! What the prose of a notice says about each person, put together from all its clauses.

use std::collections::HashMap;

use super::corrections::with_comma;
use crate::{
    EntryKind, ShareChange,
    entry::{Draft, MAX_LENGTH},
    item::FoundEntry,
    roles::{self, Organ, Role},
};

/// A person or firm, and what happens to it.
#[derive(Debug)]
pub(super) struct Person {
    pub(super) draft: Draft,
    /// Number of entries of lists before it.
    position: usize,
    /// The person gets an office, a signature or shares.
    appointed: bool,
    /// The person keeps an office, or a detail changes: it is registered already.
    known: bool,
    left: bool,
    /// The office that ends.
    lost: Option<String>,
    /// The offices after the notice, as stated by verbs.
    offices: Vec<String>,
    /// The office that the text names in passing: `l'associé X`.
    office: Option<String>,
    /// The office that the text names in passing is the former one: `der bisherige Geschäftsführer X`.
    is_office_former: bool,
    /// The body that the person leaves, which is no office: `ist aus dem Vorstand ausgetreten`.
    left_body: Option<String>,
    /// The shares after the notice.
    shares: Option<ShareBlock>,
    /// The shares that a person gets who may have had others.
    received: Option<ShareBlock>,
    has_sold_all: bool,
    /// The number of shares that a registered person gets, less those that the person gives away.
    balance: i64,
    /// Whether the person gets or gives away shares whose number is not known.
    has_unknown_change: bool,
    /// The shares that a person had who gave all of them away.
    sold: Option<ShareBlock>,
    /// The signature that ends, as written; empty if the text only says that it ends.
    ended: Option<Ended>,
    /// The person keeps a signature.
    retains_signature: bool,
    /// The person gets one more office beside the one that the text names in passing.
    retains_office: bool,
    /// The person of the new name, which has an entry of its own.
    renamed: Option<usize>,
}

/// A signature that ends.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// As written. `None` if the text only says that it ends.
    pub(super) signature: Option<String>,
    /// The phrase for no signature, in the language of the text.
    pub(super) none: &'static str,
}

/// Shares as a person holds them after the notice.
#[derive(Clone, Debug)]
pub(super) struct ShareBlock {
    pub(super) count: u64,
    pub(super) noun: String,
    pub(super) nominal: Option<String>,
}

/// All persons of the prose of a notice.
#[derive(Debug, Default)]
pub(super) struct Persons {
    all: Vec<Person>,
    by_name: HashMap<String, usize>,
    /// The nominal value of a share, as the text states it first.
    nominal: Option<String>,
}

impl Persons {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn draft(&mut self, at: usize) -> Option<&mut Draft> {
        self.current(at).map(|it| &mut it.draft)
    }

    /// The person of a draft: the one with the same name in an earlier clause, or a new one.
    pub(super) fn add(&mut self, draft: Draft, position: usize) -> usize {
        let name = draft.full_name().to_lowercase();
        let found =
            self.by_name.get(&name).copied().filter(|it| self.all[*it].draft.may_be_same(&draft));
        match found {
            Some(at) => {
                self.all[at].draft.add_details(draft);
                at
            }
            None => {
                let at = self.all.len();
                self.by_name.insert(name, at);
                self.all.push(Person {
                    draft,
                    position,
                    appointed: false,
                    known: false,
                    left: false,
                    lost: None,
                    offices: Vec::new(),
                    office: None,
                    is_office_former: false,
                    left_body: None,
                    shares: None,
                    received: None,
                    has_sold_all: false,
                    balance: 0,
                    has_unknown_change: false,
                    sold: None,
                    ended: None,
                    retains_signature: false,
                    retains_office: false,
                    renamed: None,
                });
                at
            }
        }
    }

    pub(super) fn appoint(&mut self, at: usize, office: Option<&str>) {
        self.with(at, |it| {
            it.appointed = true;
            it.add_office(office);
        });
    }

    /// The person keeps an office, or only a detail changes.
    pub(super) fn keep(&mut self, at: usize, office: Option<&str>) {
        self.with(at, |it| {
            it.known = true;
            it.add_office(office);
        });
    }

    /// The only person or firm from this one on was entered by this name, which a correction takes back. Returns false if it is
    /// not certain that both names are of one person.
    pub(super) fn correct_name(&mut self, from: usize, name: &str) -> bool {
        let [person] = &mut self.all[from..] else { return false };
        let new = person.draft.full_name().to_lowercase();
        let is_of_new = |word: &str| new.split([' ', ',']).any(|it| it == word);
        let mut words = name.split([' ', ',']).map(str::to_lowercase);
        let has_common_word = words.any(|it| it.len() > 1 && is_of_new(&it));
        if !person.draft.is_entity() && !has_common_word {
            return false;
        }
        person.draft.before = Some(name.to_owned());
        person.draft.was_entered = true;
        person.known = true;
        true
    }

    /// The auditors from this one on take the place of the former one.
    pub(super) fn succeed_from(&mut self, at: usize) {
        self.all[at..].iter_mut().for_each(|it| it.draft.is_successor = it.appointed);
    }

    /// The persons from this one on hold an office unless they leave or the text names another office. A person with a place and
    /// a signature, but without a verb, is new; the others are registered already.
    pub(super) fn hold_office_from(&mut self, at: usize, office: &str) {
        for person in self.all[at..].iter_mut().filter(|it| !it.left && !it.appointed) {
            let is_listed = person.draft.has_place() && person.draft.signature.is_some();
            let is_new = is_listed && !person.known && person.lost.is_none();
            let has_none = person.offices.is_empty() && person.office.is_none();
            if has_none && (is_new || person.lost.is_some()) {
                person.add_office(Some(office));
            }
            person.appointed |= is_new;
            person.known |= !is_new;
        }
    }

    pub(super) fn leave(&mut self, at: usize, office: Option<&str>) {
        self.with(at, |it| {
            it.left = true;
            it.lost = it.lost.take().or_else(|| office.map(str::to_owned));
        });
    }

    /// The person leaves a body; the text names no office in it.
    pub(super) fn leave_body(&mut self, at: usize, body: &str) {
        self.with(at, |it| {
            it.left = true;
            it.left_body = it.left_body.take().or_else(|| Some(body.to_owned()));
        });
    }

    /// The person had this office until now. Whether the person leaves follows from other statements.
    pub(super) fn lose(&mut self, at: usize, office: Option<&str>) {
        self.with(at, |it| it.lost = it.lost.take().or_else(|| office.map(str::to_owned)));
    }

    /// The office that the text names in passing.
    pub(super) fn name_office(&mut self, at: usize, office: Option<&str>, is_definite: bool) {
        self.with(at, |it| {
            it.known |= is_definite && office.is_some();
            it.office = it.office.take().or_else(|| office.map(str::to_owned));
        });
    }

    /// The office that the text names in passing is the former one.
    pub(super) fn make_office_former(&mut self, at: usize) {
        self.with(at, |it| it.is_office_former = true);
    }

    /// The person's signature ends. Without another statement, the person leaves.
    pub(super) fn end_signature(&mut self, at: usize, ended: Ended) {
        self.with(at, |it| {
            it.left |= !it.appointed && it.offices.is_empty();
            it.ended = it.ended.take().or(Some(ended));
        });
    }

    /// The person keeps a signature.
    pub(super) fn retain_signature(&mut self, at: usize) {
        self.with(at, |it| it.retains_signature = true);
    }

    /// The person gets one more office.
    pub(super) fn retain_office(&mut self, at: usize) {
        self.with(at, |it| it.retains_office = true);
    }

    /// The persons who hold one of these offices: `président et la secrétaire`.
    pub(super) fn holders_of(&self, offices: &str) -> Vec<usize> {
        let wanted: Vec<Role> = offices
            .split([',', ' '])
            .filter_map(|it| roles::office(it).map(|it| it.role))
            .collect();
        let holds = |it: &Person| {
            let own = it.draft.function();
            let all = it.offices.iter().chain(&it.office).chain(&own);
            let mut roles = all.filter_map(|it| roles::office(it).map(|it| it.role));
            !it.left && roles.any(|it| wanted.contains(&it))
        };
        (0..self.all.len()).filter(|it| holds(&self.all[*it])).collect()
    }

    /// Whether a verb or participle has given the person an office.
    pub(super) fn is_appointed_to_office(&self, at: usize) -> bool {
        self.all.get(at).is_some_and(|it| it.appointed && !it.offices.is_empty())
    }

    /// Whether the text says so far that the person leaves.
    pub(super) fn has_left(&self, at: usize) -> bool {
        self.all.get(at).is_some_and(|it| it.left && !it.appointed && it.offices.is_empty())
    }

    /// The office that the text names for the person.
    pub(super) fn office(&self, at: usize) -> Option<String> {
        let person = self.all.get(at)?;
        let body = || person.left_body.clone();
        let lost = || person.lost.clone().or_else(body).or_else(|| person.offices.last().cloned());
        person.office.clone().or_else(|| person.draft.function()).or_else(lost)
    }

    pub(super) fn add_missing_office(&mut self, at: usize, office: Option<&str>) {
        self.with(at, |it| {
            if it.offices.is_empty() && it.office.is_none() && !it.draft.has_function() {
                it.add_office(office);
            }
        });
    }

    /// The person has this number of shares.
    pub(super) fn hold(&mut self, at: usize, block: ShareBlock) {
        self.nominal = self.nominal.take().or_else(|| block.nominal.clone());
        self.with(at, |it| it.shares = Some(block));
    }

    /// The person gets shares. How many a partner has afterwards is only known if the partner is new.
    pub(super) fn receive(&mut self, at: usize, block: ShareBlock) {
        self.nominal = self.nominal.take().or_else(|| block.nominal.clone());
        self.with(at, |it| {
            let before = it.shares.as_ref().map_or(0, |it| it.count);
            it.balance = it.balance.saturating_add_unsigned(block.count);
            if it.draft.has_place() {
                it.shares = Some(ShareBlock { count: before.saturating_add(block.count), ..block });
            } else {
                it.received = Some(block);
            }
        });
    }

    /// The number of shares is not known.
    pub(super) fn clear_shares(&mut self, at: usize) {
        self.with(at, |it| {
            it.shares = None;
            it.has_unknown_change = true;
        });
    }

    /// The person gives these shares away: all of them, if the person leaves.
    pub(super) fn note_sold(&mut self, at: usize, block: ShareBlock) {
        self.with(at, |it| {
            it.balance = it.balance.saturating_sub_unsigned(block.count);
            it.sold = it.sold.take().or(Some(block));
        });
    }

    /// The person gives all shares away.
    pub(super) fn sell_all(&mut self, at: usize, block: Option<ShareBlock>) {
        self.with(at, |it| {
            it.has_sold_all = true;
            it.shares = None;
            it.sold = block;
        });
    }

    /// The first person has the name of the second one now.
    pub(super) fn rename(&mut self, former: usize, new: usize) {
        let (Some(old), true) =
            (self.all.get(former).map(|it| it.draft.clone()), new < self.all.len())
        else {
            return;
        };
        let office = self.all[former].office.clone();
        if former == new {
            return;
        }
        self.with(former, |it| it.renamed = Some(new));
        self.with(new, |it| {
            it.known = true;
            it.office = it.office.take().or(office);
            it.draft.before = it.draft.before.take().or_else(|| Some(with_comma(&old.full_name())));
            it.draft.add_details(old);
        });
    }

    /// Replaces the surname of a person whose given names are known as such.
    pub(super) fn change_surname(&mut self, at: usize, surname: &str) -> bool {
        let Some(person) = self.all.get_mut(at) else { return false };
        let Some(name) = crate::names::with_surname(&person.draft.name, surname) else {
            return false;
        };
        person.known = true;
        person.draft.before = Some(with_comma(&person.draft.full_name()));
        person.draft.name = name;
        true
    }

    fn with(&mut self, at: usize, change: impl FnOnce(&mut Person)) {
        if let Some(person) = self.current(at) {
            change(person);
        }
    }

    /// The person, under the new name if there is one.
    fn current(&mut self, at: usize) -> Option<&mut Person> {
        let renamed = self.all.get(at)?.renamed;
        self.all.get_mut(renamed.unwrap_or(at))
    }

    /// Inserts the persons into the entries of the lists, in the order of the text.
    pub(super) fn into_entries(self, lists: Vec<FoundEntry>) -> Vec<FoundEntry> {
        let mut entries = Vec::with_capacity(lists.len() + self.all.len());
        let mut lists = lists.into_iter().enumerate().peekable();
        for mut person in self.all {
            person.state_shares(self.nominal.as_deref());
            while let Some((_, entry)) = lists.next_if(|(at, _)| *at < person.position) {
                entries.push(entry);
            }
            entries.extend(person.into_entry());
        }
        entries.extend(lists.map(|(_, entry)| entry));
        entries
    }
}

/// The offices without a body that the person is a member of, if an office in it is stated too: `Verwaltungsrat, Mitglied`.
fn without_bodies(offices: &str) -> String {
    const BODIES: [&str; 5] =
        ["verwaltungsrat", "stiftungsrat", "vorstand", "verwaltung", "geschäftsführung"];
    let is_body = |it: &&str| BODIES.contains(&it.to_lowercase().as_str());
    let named: Vec<&str> = offices.split(", ").filter(|it| !is_body(it)).collect();
    if named.is_empty() { offices.to_owned() } else { named.join(", ") }
}

/// An office and a membership that one person has: the membership first.
fn joined(membership: &str, office: &str) -> String {
    format!("{membership}, {office}")
}

/// `administrateur` for `administrateur unique`, who is not the only one any more beside an office in the body.
fn without_only(membership: &str) -> &str {
    const AFTER: [&str; 3] = [" unique", " unico", " unica"];
    const BEFORE: [&str; 4] = ["einziger ", "einziges ", "einzige ", "alleiniger "];
    let plain = AFTER.iter().find_map(|it| membership.strip_suffix(it)).unwrap_or(membership);
    BEFORE.iter().find_map(|it| plain.strip_prefix(it)).unwrap_or(plain)
}

impl Person {
    /// The function that a person keeps beside new ones: a member gets an office in the body, or somebody with an office becomes
    /// a member; a member or partner who becomes liquidator stays one.
    fn kept_membership(&self) -> Option<String> {
        // `L'administrateur A s'est retiré du conseil; il est nommé directeur`
        if self.left_body.is_some() {
            return None;
        }
        let is_liquidator =
            |it: &String| roles::office(it).map(|it| it.role) == Some(Role::Liquidator);
        let named = self.office.clone().filter(|_| !self.is_office_former);
        let own = self.draft.function();
        let membership = named.or_else(|| own.clone());
        if !self.offices.is_empty() && self.offices.iter().all(is_liquidator) {
            return membership.filter(|it| roles::is_membership(it) || roles::is_partner(it));
        }
        if let Some(membership) = membership.filter(|it| roles::is_membership(it)) {
            // `L'administrateur A est nommé directeur`
            let is_on_board = self.office.is_some()
                && roles::office(&membership).is_some_and(|it| {
                    (it.role, it.organ) == (Role::Member, Some(Organ::BoardOfDirectors))
                });
            let is_director =
                |it: &String| roles::office(it).map(|it| it.role) == Some(Role::Director);
            if is_on_board && self.offices.iter().all(is_director) {
                return Some(membership);
            }
            if self.offices.iter().all(|it| roles::is_office_of_member(it)) {
                return Some(without_only(&membership).to_owned());
            }
            return None;
        }
        // `A, de Sion, à Sierre, secrétaire, est membre du comité`
        let is_new = self.office.is_none() && self.draft.has_place();
        own.filter(|it| is_new && roles::is_office_of_member(it))
            .filter(|_| self.offices.iter().all(|it| roles::is_membership(it)))
    }

    /// The membership of a person with the office in the clauses after the name: `l'administrateur A, président`.
    fn with_own_office(&self, in_passing: Option<String>) -> Option<String> {
        let own = self.draft.function().filter(|it| roles::is_office_of_member(it));
        match (in_passing, own) {
            (Some(membership), Some(own))
                if roles::is_membership(&membership) && !self.is_office_former =>
            {
                Some(joined(&membership, &own))
            }
            (in_passing, _) => in_passing,
        }
    }

    fn add_office(&mut self, office: Option<&str>) {
        // A number of shares is no office.
        let is_office = |it: &&str| {
            it.len() <= MAX_LENGTH / 8 && !it.starts_with(|it: char| it.is_ascii_digit())
        };
        let Some(office) = office.filter(is_office) else { return };
        if self.offices.len() < 4 && !self.offices.iter().any(|it| it == office) {
            self.offices.push(office.to_owned());
        }
    }

    fn state_shares(&mut self, nominal: Option<&str>) {
        let stays = self.appointed || !self.offices.is_empty() || !self.left;
        if !stays && self.shares.is_none() && self.sold.is_none() && !self.draft.has_quota() {
            let former = self.draft.former_quota().map(str::to_owned);
            former.iter().for_each(|it| self.draft.set_quota(it));
        }
        // Who becomes a partner had no shares.
        let is_partner = |it: &String| roles::office(it).map(|it| it.role) == Some(Role::Partner);
        let was_partner = self.office.iter().chain(&self.draft.function()).any(|it| {
            !matches!(
                roles::office(it).map(|it| it.role),
                Some(Role::Manager | Role::Director | Role::President | Role::ManagementChair)
            )
        });
        if self.shares.is_none() && !was_partner && self.offices.iter().any(is_partner) {
            self.shares = self.received.take();
        }
        if stays && self.shares.is_none() && !self.has_sold_all && !self.draft.has_quota() {
            self.draft.share_change = match (self.has_unknown_change, self.balance) {
                (true, _) => Some(ShareChange::Unknown),
                (false, 0) => None,
                (false, balance) => Some(ShareChange::By(balance)),
            };
        }
        let Some(block) = self.shares.as_ref().or(self.sold.as_ref().filter(|_| !stays)) else {
            return;
        };
        let nominal = block.nominal.as_deref().or(nominal);
        let of = match block.noun.as_str() {
            "part" | "parts" => "de",
            "quota" | "quote" => "da",
            _ => "zu",
        };
        let value = nominal.map(|it| format!(" {of} {it}")).unwrap_or_default();
        self.draft.set_quota(&format!("{} {}{value}", block.count, block.noun));
    }

    /// `None` if the text says nothing about the person.
    fn into_entry(mut self) -> Option<FoundEntry> {
        let role = |it: &str| roles::office(it).map(|it| it.role);
        if self.has_sold_all && !self.left {
            let office = self.office.clone().or_else(|| self.draft.function());
            let is_only_partner =
                office.as_deref().and_then(role).is_none_or(|it| it == Role::Partner);
            // A partner who also manages the company may stay manager.
            self.left = is_only_partner && self.offices.is_empty();
            self.known = true;
        }
        let in_passing = self.office.clone().or_else(|| self.draft.function());
        let lost = self.lost.as_deref().and_then(role);
        let ended_function = self.lost.clone();
        // Somebody who gets or loses another office is still a partner, or a member of the board.
        let remains = |office: &str| match role(office) {
            Some(Role::Partner | Role::GeneralPartner | Role::LimitedPartner) => !matches!(
                lost,
                Some(
                    Role::Partner
                        | Role::ManagingPartner
                        | Role::GeneralPartner
                        | Role::LimitedPartner
                )
            ),
            Some(Role::Member) => matches!(
                lost,
                Some(
                    Role::President
                        | Role::VicePresident
                        | Role::Secretary
                        | Role::Delegate
                        | Role::Treasurer
                        | Role::Director
                )
            ),
            _ => false,
        };
        let loses_one = self.lost.is_some();
        let kept_in_passing =
            in_passing.clone().filter(|it| loses_one && self.office.is_some() && remains(it));
        // `A, associé gérant, n'est plus gérant`: a partner without an office.
        let partner_only = in_passing.as_deref().filter(|it| {
            role(it) == Some(Role::ManagingPartner)
                && lost == Some(Role::Manager)
                && !self.has_sold_all
        });
        let partner_only = partner_only
            .and_then(|it| it.split([' ', '-']).next())
            .filter(|it| role(it) == Some(Role::Partner));
        let kept_in_passing = kept_in_passing.or(partner_only.map(str::to_owned));
        let stays = self.appointed
            || !self.offices.is_empty()
            || kept_in_passing.is_some()
            || self.retains_signature
            || (self.known && self.draft.before.is_some());
        if self.renamed.is_some() || (!self.left && !self.appointed && !self.known) {
            return None;
        }
        let kind = match (self.left, stays) {
            (true, false) => EntryKind::Left,
            (false, _) if self.appointed && !self.known && !loses_one => EntryKind::Entered,
            _ => EntryKind::Changed,
        };
        let is_partner = |it: &String| {
            matches!(role(it), Some(Role::Partner | Role::GeneralPartner | Role::LimitedPartner))
        };
        let office = if kind == EntryKind::Left {
            match (self.with_own_office(in_passing), self.lost) {
                // `A, président, n'est plus administrateur`
                (Some(own), Some(lost))
                    if roles::is_office_of_member(&own) && roles::is_membership(&lost) =>
                {
                    Some(joined(&lost, &own))
                }
                (in_passing, lost) => in_passing.or(lost),
            }
        } else if self.offices.is_empty() {
            let kept = kept_in_passing
                .or(in_passing.filter(|it| !loses_one || (!self.left && role(it) != lost)));
            if loses_one { kept } else { self.with_own_office(kept) }
        } else {
            let beside = self.kept_membership().filter(|_| !loses_one);
            // `Gesellschafter und Geschäftsführer, ist neu Vorsitzender der Geschäftsführung`
            let is_chair = self.offices.iter().any(|it| role(it) == Some(Role::ManagementChair));
            let in_passing = match in_passing {
                Some(it) if is_chair && role(&it) == Some(Role::ManagingPartner) => {
                    let first = it.split([' ', '-', ',']).next().unwrap_or_default();
                    Some(first.to_owned())
                }
                in_passing => in_passing,
            };
            let adds = self.retains_office;
            let is_kept = |it: &String| {
                is_partner(it)
                    || (adds && !self.offices.contains(it))
                    || role(it) == Some(Role::ManagingPartner)
                        && self.offices.iter().all(|it| role(it) == Some(Role::President))
            };
            let has_partner = self.offices.iter().any(|it| {
                matches!(
                    role(it),
                    Some(Role::Partner | Role::ManagingPartner | Role::GeneralPartner)
                )
            });
            // Who becomes a partner keeps the office.
            let only_partner = self.offices.iter().all(is_partner);
            let partner = in_passing.filter(|it| match is_partner(it) {
                true => !has_partner,
                false => (only_partner && !loses_one) || is_kept(it),
            });
            let partner = partner.filter(|it| !loses_one || remains(it));
            let offices = partner.clone().into_iter().chain(self.offices).collect::<Vec<_>>();
            let offices = offices.join(", ");
            Some(match beside.filter(|_| partner.is_none()) {
                Some(office) if roles::is_office_of_member(&office) => joined(&offices, &office),
                Some(membership) => joined(&membership, &offices),
                None => offices,
            })
        };
        match office.map(|it| without_bodies(&it)) {
            Some(office) => self.draft.set_function(&office),
            None => self.draft.clear_function(),
        }
        // A new entry always states an origin or a domicile; without one, the person was entered before. Auditors are
        // also entered without one.
        let is_auditor = self.draft.function().as_deref().and_then(role) == Some(Role::Auditor);
        let kind = match kind {
            EntryKind::Entered if !self.draft.has_place() && !is_auditor => EntryKind::Changed,
            kind => kind,
        };
        if let Some(ended) = self.ended.filter(|_| self.draft.signature.is_none()) {
            match kind {
                EntryKind::Left => self.draft.signature = ended.signature,
                // Who stays without another signature may not sign any more.
                _ if !self.retains_signature => self.draft.signature = Some(ended.none.to_owned()),
                _ => {}
            }
        }
        self.draft.is_partial = true;
        self.draft.ended_function = ended_function.filter(|_| kind == EntryKind::Changed);
        Some((kind, self.draft))
    }
}
