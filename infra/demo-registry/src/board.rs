//! Who runs a company, from its entry on.

use domain::Uid;

use crate::{
    calendar::days_of,
    company::Background,
    forms,
    people::{PeoplePool, Person},
    random::Random,
    showcase::Showcase,
};

/// The role of an officer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    President,
    VicePresident,
    Member,
    /// A partner of a `GmbH` who chairs its management.
    ChairingPartner,
    ManagingPartner,
    /// A partner of a `GmbH` or a general partnership.
    Partner,
    Manager,
    UnlimitedPartner,
    LimitedPartner,
    Owner,
    BranchManager,
    /// Beside the role that the officer keeps: [`Officer::liquidates`].
    Liquidator,
    /// Supervises a company during a moratorium.
    Administrator,
    /// Signs without another role.
    Signatory,
}

impl Role {
    /// The role with this name in the data files.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "president" => Self::President,
            "vice-president" => Self::VicePresident,
            "member" => Self::Member,
            "chairing partner" => Self::ChairingPartner,
            "managing partner" => Self::ManagingPartner,
            "partner" => Self::Partner,
            "manager" => Self::Manager,
            "unlimited partner" => Self::UnlimitedPartner,
            "limited partner" => Self::LimitedPartner,
            "owner" => Self::Owner,
            "branch manager" => Self::BranchManager,
            "liquidator" => Self::Liquidator,
            "administrator" => Self::Administrator,
            "signatory" => Self::Signatory,
            _ => return None,
        })
    }

    /// Whether it is one of the board, or of the management of a `GmbH`.
    fn governs(self) -> bool {
        matches!(self, Self::VicePresident | Self::Member | Self::ManagingPartner | Self::Manager)
            || self.presides()
    }

    fn presides(self) -> bool {
        matches!(self, Self::President | Self::ChairingPartner)
    }
}

/// How an officer signs for the company.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Signature {
    Sole,
    JointByTwo,
    JointProcuration,
    SoleProcuration,
    None,
}

/// An officer's part of the capital.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) count: i64,
    /// The nominal value of each, in whole units.
    pub(crate) each: i64,
    pub(crate) currency: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Officer {
    pub(crate) person: Person,
    pub(crate) role: Role,
    /// Whether the officer is a liquidator too.
    pub(crate) liquidates: bool,
    pub(crate) signature: Signature,
    pub(crate) share: Option<Share>,
}

/// A firm that is a partner of a `GmbH`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Firm {
    pub(crate) name: &'static str,
    pub(crate) uid: Uid,
    pub(crate) seat: &'static str,
    pub(crate) share: Option<Share>,
}

/// What a notice states about one officer or firm.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Entered(Officer),
    /// Before and after.
    Changed(Officer, Officer),
    Left(Officer),
    FirmEntered(Firm),
    /// Before and after.
    FirmChanged(Firm, Firm),
}

/// The capital, in whole units, from which on a corporation has a large board.
const LARGE: i64 = 1_000_000;

#[derive(Clone)]
pub(crate) struct Board {
    pub(crate) officers: Vec<Officer>,
    pub(crate) firms: Vec<Firm>,
    pool: PeoplePool,
    /// Whether the first officer stays: the director of companies that share an address.
    keeps_first: bool,
}

impl Board {
    /// The board when the company was entered.
    pub(crate) fn first(
        background: &Background,
        day: i32,
        capital: Option<(i64, String)>,
        pool: PeoplePool,
        random: &mut Random,
    ) -> Self {
        use Role::{BranchManager, LimitedPartner, Owner, Partner, Signatory, UnlimitedPartner};
        use Signature::{JointByTwo, JointProcuration, Sole};
        let keeps_first = pool.has_first();
        let firms = firms(background, day);
        let mut board = Self { officers: Vec::new(), firms, pool, keeps_first };
        match background.business.form {
            forms::SOLE_TRADER => {
                board.enter_named(background, 0, Owner, Sole, random);
                if random.chance(70) {
                    board.enter(Signatory, Signature::SoleProcuration, random);
                }
            }
            forms::GENERAL_PARTNERSHIP => {
                board.enter_named(background, 0, Partner, Sole, random);
                board.enter_named(background, 1, Partner, Sole, random);
            }
            forms::LIMITED_PARTNERSHIP => {
                board.enter_named(background, 0, UnlimitedPartner, Sole, random);
                board.enter_named(background, 1, LimitedPartner, Signature::None, random);
                let each = random.pick(&[1_000, 5_000, 10_000, 20_000]);
                let share = Share { count: 1, each, currency: "CHF".to_owned() };
                board.officers[1].share = Some(share);
            }
            forms::LIMITED_LIABILITY => board.partners(capital, random),
            forms::BRANCH | forms::FOREIGN_BRANCH => {
                board.enter(BranchManager, Sole, random);
                if random.chance(350) {
                    board.enter(Signatory, JointProcuration, random);
                }
            }
            form => {
                let is_large = capital.as_ref().is_some_and(|(units, _)| *units >= LARGE);
                let sizes: &[(u32, u32)] = match form {
                    forms::CORPORATION if is_large => &[(15, 3), (35, 4), (35, 5), (15, 7)],
                    forms::CORPORATION => &[(46, 1), (28, 2), (15, 3), (7, 4), (4, 5)],
                    forms::COOPERATIVE => &[(60, 3), (25, 4), (15, 5)],
                    _ => &[(30, 2), (40, 3), (20, 4), (10, 5)],
                };
                board.council(random.one_of(sizes), random);
                if is_large {
                    board.enter(Signatory, JointByTwo, random);
                }
                if random.chance(160) {
                    board.enter(Signatory, random.pick(&[JointProcuration, JointByTwo]), random);
                }
            }
        }
        board.elect();
        if !board.can_act() {
            board.officers[0].signature = Sole;
        }
        board
    }

    /// Whether officers who live in Switzerland can sign for the company: one alone, or two together (Code of Obligations,
    /// Art. 718 and 814).
    fn can_act(&self) -> bool {
        let is_organ =
            |it: &&Officer| it.role != Role::Signatory && it.person.lives_in_switzerland();
        let sign = |signature| {
            self.officers.iter().filter(is_organ).filter(|it| it.signature == signature).count()
        };
        sign(Signature::Sole) >= 1 || sign(Signature::JointByTwo) >= 2
    }

    /// Whether the organ has as many members as the law demands: three of a cooperative (Art. 894).
    fn is_complete(&self, form: &str) -> bool {
        let least = if form == forms::COOPERATIVE { 3 } else { 0 };
        self.officers.iter().filter(|it| it.role.governs()).count() >= least
    }

    /// If several govern and nobody presides, the first of them does from now on (Art. 712 and 809).
    fn elect(&mut self) -> Option<Change> {
        let mut governing: Vec<_> =
            self.officers.iter_mut().filter(|it| it.role.governs()).collect();
        if governing.len() < 2 || governing.iter().any(|it| it.role.presides()) {
            return None;
        }
        let first = governing.first_mut()?;
        let before = first.clone();
        first.role = match before.role {
            Role::ManagingPartner => Role::ChairingPartner,
            _ => Role::President,
        };
        Some(Change::Changed(before, first.clone()))
    }

    /// Adds the partners that were entered since, if they are firms. Returns whether there are any.
    pub(crate) fn admit(&mut self, background: &Background, day: i32) -> bool {
        let mut new = firms(background, day);
        new.retain(|it| self.firms.iter().all(|known| known.uid != it.uid));
        let is_any = !new.is_empty();
        self.firms.extend(new);
        is_any
    }

    fn council(&mut self, size: u32, random: &mut Random) {
        let signature = if random.chance(350) { Signature::Sole } else { Signature::JointByTwo };
        for at in 0..size {
            match (size, at) {
                (1, _) => self.enter(Role::Member, Signature::Sole, random),
                (_, 0) => self.enter(Role::Member, signature, random),
                (4.., 1) => self.enter(Role::VicePresident, Signature::JointByTwo, random),
                _ => {
                    let signature =
                        if random.chance(80) { Signature::None } else { Signature::JointByTwo };
                    self.enter(Role::Member, signature, random);
                }
            }
        }
    }

    fn partners(&mut self, capital: Option<(i64, String)>, random: &mut Random) {
        let count = random.one_of(&[(63, 1u32), (29, 2), (8, 3)]);
        let do_all_manage = random.chance(700);
        for at in 0..count {
            let (role, signature) = match at {
                0 => (Role::ManagingPartner, Signature::Sole),
                _ if do_all_manage => {
                    (Role::ManagingPartner, random.pick(&[Signature::Sole, Signature::JointByTwo]))
                }
                _ => (Role::Partner, Signature::None),
            };
            self.enter(role, signature, random);
        }
        drop(self.divide(capital));
        if random.chance(70) {
            self.enter(Role::Manager, Signature::Sole, random);
        }
    }

    fn enter(&mut self, role: Role, signature: Signature, random: &mut Random) {
        let person = self.choose(random);
        self.officers.push(Officer { person, role, liquidates: false, signature, share: None });
    }

    /// Somebody whose name no other officer has: notices without places of origin could mean both. The first officer lives in
    /// Switzerland.
    fn choose(&mut self, random: &mut Random) -> Person {
        loop {
            let person = self.pool.choose(random);
            if self.officers.is_empty() && !person.lives_in_switzerland() {
                continue;
            }
            let is_namesake = |it: &Officer| {
                it.person.last_name == person.last_name && it.person.first_name == person.first_name
            };
            if !self.officers.iter().any(is_namesake) {
                return person;
            }
        }
    }

    /// Enters a person whom the company's name contains.
    fn enter_named(
        &mut self,
        background: &Background,
        at: usize,
        role: Role,
        signature: Signature,
        random: &mut Random,
    ) {
        let person = match background.named_persons.get(at) {
            Some(it) => self.pool.with_name(it.first_name, &it.family_name, random),
            None => self.choose(random),
        };
        self.officers.push(Officer { person, role, liquidates: false, signature, share: None });
    }

    /// Divides the capital among the partners: a firm gets twice as much as a person. Returns the changes of their shares.
    pub(crate) fn divide(&mut self, capital: Option<(i64, String)>) -> Vec<Change> {
        let Some((capital, currency)) = capital else { return Vec::new() };
        let is_partner = |it: &&mut Officer| {
            use Role::{ChairingPartner, ManagingPartner, Partner};
            matches!(it.role, ChairingPartner | ManagingPartner | Partner)
        };
        let each = if capital <= 100_000 { 100 } else { 1_000 };
        let mut partners: Vec<&mut Officer> = self.officers.iter_mut().filter(is_partner).collect();
        let all = capital / each;
        let number = partners.len() as i64 + 2 * self.firms.len() as i64;
        let mut changes = Vec::new();
        for (at, partner) in partners.iter_mut().enumerate() {
            let before = partner.clone();
            let count = all / number + if at == 0 { all % number } else { 0 };
            partner.share = Some(Share { count, each, currency: currency.clone() });
            changes.push(Change::Changed(before, partner.clone()));
        }
        for firm in &mut self.firms {
            let before = firm.clone();
            let count = 2 * (all / number);
            firm.share = Some(Share { count, each, currency: currency.clone() });
            changes.push(match before.share {
                Some(_) => Change::FirmChanged(before, firm.clone()),
                None => Change::FirmEntered(firm.clone()),
            });
        }
        changes
    }

    /// All officers and firms, as new entries.
    pub(crate) fn entered(&self) -> Vec<Change> {
        let officers = self.officers.iter().cloned().map(Change::Entered);
        officers.chain(self.firms.iter().cloned().map(Change::FirmEntered)).collect()
    }

    /// A change that boards have from time to time.
    pub(crate) fn changed(
        &mut self,
        background: &Background,
        is_prose: bool,
        random: &mut Random,
    ) -> Vec<Change> {
        let form = background.business.form;
        for _ in 0..4 {
            let mut board = self.clone();
            let changes = match random.below(100) {
                0..34 => board.replace(form, random),
                34..64 => board.add(form, random),
                64..80 => board.remove(form, random),
                _ => board.alter(background, is_prose, random),
            };
            if !changes.is_empty() && board.can_act() && board.is_complete(form) {
                *self = board;
                return changes;
            }
        }
        self.add(form, random)
    }

    /// An officer leaves, and another one takes over the role.
    fn replace(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        use Role::{LimitedPartner, Owner, UnlimitedPartner};
        let at = random.below(self.officers.len() as u64) as usize;
        let former = self.officers[at].clone();
        let cannot_leave = matches!(former.role, Owner | UnlimitedPartner | LimitedPartner)
            || (former.role == Role::Partner && form == forms::GENERAL_PARTNERSHIP);
        if cannot_leave || (at == 0 && self.keeps_first) {
            return Vec::new();
        }
        let successor = Officer { person: self.choose(random), ..former.clone() };
        self.officers[at] = successor.clone();
        vec![Change::Left(former), Change::Entered(successor)]
    }

    fn add(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        use Signature::{JointByTwo, JointProcuration, Sole};
        let is_council =
            self.officers.iter().any(|it| matches!(it.role, Role::President | Role::Member));
        let (role, signature) = match random.below(10) {
            0..5 if is_council => (Role::Member, JointByTwo),
            0..4 if form == forms::LIMITED_LIABILITY => (Role::Manager, Sole),
            0..5 => (Role::Signatory, JointProcuration),
            5..8 => (Role::Signatory, JointByTwo),
            _ => (Role::Signatory, Sole),
        };
        self.enter(role, signature, random);
        let entered = self.officers.last().cloned().map(Change::Entered);
        self.elect().into_iter().chain(entered).collect()
    }

    fn remove(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        if self.officers.len() < 2 {
            return Vec::new();
        }
        let may_leave = |at: &usize| match self.officers[*at].role {
            Role::Signatory | Role::Manager => true,
            Role::Member => form != forms::GENERAL_PARTNERSHIP,
            _ => false,
        };
        let first = usize::from(self.keeps_first);
        let candidates: Vec<usize> = (first..self.officers.len()).filter(may_leave).collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        vec![Change::Left(self.officers.remove(random.pick(&candidates)))]
    }

    /// An officer gets another signature, role or residence.
    fn alter(
        &mut self,
        background: &Background,
        is_prose: bool,
        random: &mut Random,
    ) -> Vec<Change> {
        let at = random.below(self.officers.len() as u64) as usize;
        if at == 0 && self.keeps_first {
            return Vec::new();
        }
        let officer = &mut self.officers[at];
        let before = officer.clone();
        match (officer.role, random.below(10)) {
            (Role::Member | Role::President | Role::Manager | Role::BranchManager, 0..6) => {
                officer.signature = match officer.signature {
                    Signature::Sole => Signature::JointByTwo,
                    _ => Signature::Sole,
                };
            }
            // In prose a new residence reads like the entry of another person.
            _ if is_prose => return Vec::new(),
            _ => match officer.person.moved(background.business.place, random) {
                Some(person) => officer.person = person,
                None => return Vec::new(),
            },
        }
        vec![Change::Changed(before, officer.clone())]
    }

    /// A moratorium has an administrator.
    pub(crate) fn administrator(&mut self, random: &mut Random) -> Change {
        let person = self.choose(random);
        let (role, signature) = (Role::Administrator, Signature::None);
        Change::Entered(Officer { person, role, liquidates: false, signature, share: None })
    }

    /// The first member of the board, or partner, who lives in Switzerland becomes the liquidator, and stays what he or she is (Art.
    /// 583 and 740).
    pub(crate) fn liquidated(&mut self) -> Vec<Change> {
        let is_able = |it: &&mut Officer| {
            !matches!(it.role, Role::Owner | Role::Signatory) && it.person.lives_in_switzerland()
        };
        let Some(officer) = self.officers.iter_mut().find(is_able) else { return Vec::new() };
        let before = officer.clone();
        (officer.liquidates, officer.signature) = (true, Signature::Sole);
        vec![Change::Changed(before, officer.clone())]
    }
}

/// The firms that are partners, as far as they had been entered by this day.
fn firms(background: &Background, day: i32) -> Vec<Firm> {
    let is_entered = |it: &&&'static Showcase| days_of(it.registered) + 14 < day;
    let firm = |it: &&'static Showcase| Firm {
        name: it.name,
        uid: it.uid(),
        seat: it.place.commune,
        share: None,
    };
    background.firms.iter().filter(is_entered).map(firm).collect()
}
