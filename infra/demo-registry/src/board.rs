//! Who runs a company, from its entry on.

use crate::{
    Past, forms,
    people::{Crowd, Person},
    random::Random,
};

/// What somebody is in a company.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Office {
    President,
    VicePresident,
    Member,
    /// Of a `GmbH`, in the chair of its management.
    ChairingPartner,
    ManagingPartner,
    /// Of a `GmbH` or a general partnership.
    Partner,
    Manager,
    UnlimitedPartner,
    LimitedPartner,
    Owner,
    /// Of a branch.
    Head,
    Liquidator,
    /// None but to sign.
    Signatory,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Power {
    Sole,
    JointByTwo,
    JointProcuration,
    SoleProcuration,
    None,
}

/// A part of the capital.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Share {
    pub(crate) count: i64,
    /// What each is worth, in whole units.
    pub(crate) each: i64,
    pub(crate) currency: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Officer {
    pub(crate) person: Person,
    pub(crate) office: Office,
    pub(crate) power: Power,
    pub(crate) share: Option<Share>,
}

/// What a notice says of one officer.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Entered(Officer),
    /// What somebody was, and is.
    Changed(Officer, Officer),
    Left(Officer),
}

pub(crate) struct Board {
    pub(crate) officers: Vec<Officer>,
    crowd: Crowd,
}

impl Board {
    /// The board at the entry.
    pub(crate) fn first(
        past: &Past,
        capital: Option<(i64, String)>,
        crowd: Crowd,
        random: &mut Random,
    ) -> Self {
        use Office::{Head, LimitedPartner, Owner, Partner, Signatory, UnlimitedPartner};
        use Power::{JointByTwo, JointProcuration, Sole};
        let mut board = Self { officers: Vec::new(), crowd };
        match past.subject.form {
            forms::SOLE_TRADER => {
                board.named(past, 0, Owner, Sole, random);
                if random.chance(70) {
                    board.enter(Signatory, Power::SoleProcuration, random);
                }
            }
            forms::GENERAL_PARTNERSHIP => {
                board.named(past, 0, Partner, Sole, random);
                board.named(past, 1, Partner, Sole, random);
            }
            forms::LIMITED_PARTNERSHIP => {
                board.named(past, 0, UnlimitedPartner, Sole, random);
                board.named(past, 1, LimitedPartner, Power::None, random);
                let each = random.pick(&[1_000, 5_000, 10_000, 20_000]);
                let share = Share { count: 1, each, currency: "CHF".to_owned() };
                board.officers[1].share = Some(share);
            }
            forms::LIMITED_LIABILITY => board.partners(capital, random),
            forms::BRANCH | forms::FOREIGN_BRANCH => {
                board.enter(Head, random.pick(&[Sole, JointByTwo]), random);
                if random.chance(350) {
                    board.enter(Signatory, JointProcuration, random);
                }
            }
            form => {
                let often: &[(u32, u32)] = match form {
                    forms::CORPORATION => &[(46, 1), (28, 2), (15, 3), (7, 4), (4, 5)],
                    _ => &[(30, 2), (40, 3), (20, 4), (10, 5)],
                };
                board.council(random.one_of(often), random);
                if random.chance(160) {
                    board.enter(Signatory, random.pick(&[JointProcuration, JointByTwo]), random);
                }
            }
        }
        board
    }

    fn council(&mut self, size: u32, random: &mut Random) {
        let power = if random.chance(350) { Power::Sole } else { Power::JointByTwo };
        for at in 0..size {
            match (size, at) {
                (1, _) => self.enter(Office::Member, Power::Sole, random),
                (_, 0) => self.enter(Office::President, power, random),
                (4.., 1) => self.enter(Office::VicePresident, Power::JointByTwo, random),
                _ => {
                    let power = if random.chance(80) { Power::None } else { Power::JointByTwo };
                    self.enter(Office::Member, power, random);
                }
            }
        }
    }

    fn partners(&mut self, capital: Option<(i64, String)>, random: &mut Random) {
        let count = random.one_of(&[(63, 1u32), (29, 2), (8, 3)]);
        let does_all_manage = random.chance(700);
        for at in 0..count {
            let (office, power) = match (count, at) {
                (1, _) => (Office::ManagingPartner, Power::Sole),
                (_, 0) => (Office::ChairingPartner, Power::Sole),
                _ if does_all_manage => {
                    (Office::ManagingPartner, random.pick(&[Power::Sole, Power::JointByTwo]))
                }
                _ => (Office::Partner, Power::None),
            };
            self.enter(office, power, random);
        }
        drop(self.shared_anew(capital));
        if random.chance(70) {
            self.enter(Office::Manager, Power::Sole, random);
        }
    }

    fn enter(&mut self, office: Office, power: Power, random: &mut Random) {
        let person = self.somebody(random);
        self.officers.push(Officer { person, office, power, share: None });
    }

    /// Somebody who has no namesake here: notices that leave the origin out would mean both.
    fn somebody(&mut self, random: &mut Random) -> Person {
        loop {
            let person = self.crowd.somebody(random);
            let is_namesake = |it: &Officer| {
                it.person.last_name == person.last_name && it.person.first_name == person.first_name
            };
            if !self.officers.iter().any(is_namesake) {
                return person;
            }
        }
    }

    /// Somebody whom the name of the company names.
    fn named(&mut self, past: &Past, at: usize, office: Office, power: Power, random: &mut Random) {
        let person = match past.holders.get(at) {
            Some(holder) => self.crowd.named(holder.first, &holder.family, random),
            None => self.somebody(random),
        };
        self.officers.push(Officer { person, office, power, share: None });
    }

    /// Parts the capital among the partners; says whose share is another one than before.
    pub(crate) fn shared_anew(&mut self, capital: Option<(i64, String)>) -> Vec<Change> {
        let Some((capital, currency)) = capital else { return Vec::new() };
        let is_partner = |it: &&mut Officer| {
            use Office::{ChairingPartner, ManagingPartner, Partner};
            matches!(it.office, ChairingPartner | ManagingPartner | Partner)
        };
        let each = if capital <= 100_000 { 100 } else { 1_000 };
        let mut partners: Vec<&mut Officer> = self.officers.iter_mut().filter(is_partner).collect();
        let (all, number) = (capital / each, partners.len() as i64);
        let mut changes = Vec::new();
        for (at, partner) in partners.iter_mut().enumerate() {
            let before = partner.clone();
            let count = all / number + if at == 0 { all % number } else { 0 };
            partner.share = Some(Share { count, each, currency: currency.clone() });
            changes.push(Change::Changed(before, partner.clone()));
        }
        changes
    }

    /// The board of an old company, of which nothing is known yet: what somebody was before is told.
    pub(crate) fn shown(&self, past: &Past, is_prose: bool, random: &mut Random) -> Vec<Change> {
        use Office::{ChairingPartner, Head, ManagingPartner, Member, President};
        let mut changes = Vec::new();
        for officer in self.officers.iter().take(3) {
            let before = match officer.office {
                President => Officer { office: Member, ..officer.clone() },
                Member | ManagingPartner | ChairingPartner | Head if is_prose => {
                    let power = match officer.power {
                        Power::Sole => Power::JointByTwo,
                        _ => Power::Sole,
                    };
                    Officer { power, ..officer.clone() }
                }
                _ if is_prose => continue,
                _ => match officer.person.moved(past.subject.place, random) {
                    Some(person) => Officer { person, ..officer.clone() },
                    None => continue,
                },
            };
            changes.push(Change::Changed(before, officer.clone()));
        }
        changes
    }

    /// What a board does from time to time.
    pub(crate) fn changed(
        &mut self,
        past: &Past,
        is_prose: bool,
        random: &mut Random,
    ) -> Vec<Change> {
        let form = past.subject.form;
        for _ in 0..4 {
            let changes = match random.below(100) {
                0..34 => self.follow(form, random),
                34..64 => self.grow(form, random),
                64..80 => self.leave(form, random),
                _ => self.alter(past, is_prose, random),
            };
            if !changes.is_empty() {
                return changes;
            }
        }
        self.grow(form, random)
    }

    /// Somebody goes, and somebody comes in the same place.
    fn follow(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        use Office::{LimitedPartner, Owner, UnlimitedPartner};
        let at = random.below(self.officers.len() as u64) as usize;
        let gone = self.officers[at].clone();
        let is_bound = matches!(gone.office, Owner | UnlimitedPartner | LimitedPartner)
            || (gone.office == Office::Partner && form == forms::GENERAL_PARTNERSHIP);
        if is_bound {
            return Vec::new();
        }
        let come = Officer { person: self.somebody(random), ..gone.clone() };
        self.officers[at] = come.clone();
        vec![Change::Left(gone), Change::Entered(come)]
    }

    fn grow(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        use Power::{JointByTwo, JointProcuration, Sole};
        let is_council =
            self.officers.iter().any(|it| matches!(it.office, Office::President | Office::Member));
        let (office, power) = match random.below(10) {
            0..5 if is_council => (Office::Member, JointByTwo),
            0..4 if form == forms::LIMITED_LIABILITY => (Office::Manager, Sole),
            0..5 => (Office::Signatory, JointProcuration),
            5..8 => (Office::Signatory, JointByTwo),
            _ => (Office::Signatory, Sole),
        };
        self.enter(office, power, random);
        self.officers.last().cloned().map(Change::Entered).into_iter().collect()
    }

    fn leave(&mut self, form: &str, random: &mut Random) -> Vec<Change> {
        let can = |it: &&usize| {
            let is_bound = form == forms::GENERAL_PARTNERSHIP;
            let office = self.officers[**it].office;
            matches!(office, Office::Signatory | Office::Manager)
                || (office == Office::Member && !is_bound)
        };
        if self.officers.len() < 2 {
            return Vec::new();
        }
        let all: Vec<usize> = (0..self.officers.len()).collect();
        let some: Vec<usize> = all.iter().filter(can).copied().collect();
        if some.is_empty() {
            return Vec::new();
        }
        vec![Change::Left(self.officers.remove(random.pick(&some)))]
    }

    /// Another power, another chair, another home.
    fn alter(&mut self, past: &Past, is_prose: bool, random: &mut Random) -> Vec<Change> {
        let at = random.below(self.officers.len() as u64) as usize;
        let has_president = self.officers.iter().any(|it| it.office == Office::President);
        let officer = &mut self.officers[at];
        let before = officer.clone();
        match (officer.office, random.below(10)) {
            (Office::Member, 0..3) if !has_president => officer.office = Office::President,
            (Office::Member | Office::President | Office::Manager | Office::Head, 0..6) => {
                officer.power = match officer.power {
                    Power::Sole => Power::JointByTwo,
                    _ => Power::Sole,
                };
            }
            // In prose a move reads like the entry of somebody else.
            _ if is_prose => return Vec::new(),
            _ => match officer.person.moved(past.subject.place, random) {
                Some(person) => officer.person = person,
                None => return Vec::new(),
            },
        }
        vec![Change::Changed(before, officer.clone())]
    }

    /// The first of the board winds the company up.
    pub(crate) fn liquidated(&mut self) -> Vec<Change> {
        let is_able = |it: &&mut Officer| !matches!(it.office, Office::Owner | Office::Signatory);
        let Some(officer) = self.officers.iter_mut().find(is_able) else { return Vec::new() };
        let before = officer.clone();
        (officer.office, officer.power) = (Office::Liquidator, Power::Sole);
        vec![Change::Changed(before, officer.clone())]
    }
}
